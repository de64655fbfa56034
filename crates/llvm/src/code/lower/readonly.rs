//! Which global variables are never written, though they could be.
//!
//! A variable qualifies when its address, and every address computed from it, is
//! only read from, copied from or compared, and appears in no other variable's
//! first contents and behind no alias. Then no instruction of the program can
//! write it, and memory that nobody writes needs no place in states.

use crate::code::uses::{Use, for_each_use};
use crate::ir::{
    CastOp, ConstExpr, Constant, Definition, FunctionBody, Module, Op, Operand, SymbolId,
};

use super::fold::MAX_DEPTH;

/// For each symbol: is it a variable that no instruction can write?
pub(super) fn find(module: &Module) -> Vec<bool> {
    let is_variable =
        module.symbols.iter().map(|symbol| matches!(symbol.definition, Definition::Variable(_)));
    let mut search = Search { module, is_read_only: is_variable.collect() };
    for symbol in &module.symbols {
        match &symbol.definition {
            Definition::Function(function) => {
                function.body.iter().for_each(|body| search.function(body));
            }
            Definition::Variable(variable) if !symbol.name.starts_with("llvm.") => {
                variable.initializer.iter().for_each(|first| search.leak(first, 0));
            }
            Definition::Alias(target) => search.leak(&target.value, 0),
            Definition::Variable(_) | Definition::Missing => {}
        }
    }
    search.is_read_only
}

struct Search<'a> {
    module: &'a Module,
    is_read_only: Vec<bool>,
}

impl Search<'_> {
    fn function(&mut self, body: &FunctionBody) {
        let roots = roots(self.module, body);
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            let is_followed = instruction.result.is_some();
            for_each_use(self.module, &instruction.op, &mut |operand, how| {
                let how = match how {
                    Use::Element | Use::Renamed if !is_followed => Use::Other,
                    other => other,
                };
                match operand {
                    Operand::Constant(constant) => self.constant(constant, how, 0),
                    Operand::Local(local) => {
                        let root = roots.get(local.0 as usize).copied().flatten();
                        root.iter().for_each(|&root| self.symbol(root, how));
                    }
                }
            });
            if let Op::Shuffle(_, _, mask) = &instruction.op {
                self.leak(&mask.value, 0);
            }
        }
    }

    fn symbol(&mut self, id: SymbolId, how: Use) {
        let is_reading = match how {
            Use::Load(_)
            | Use::Element
            | Use::Renamed
            | Use::Compared
            | Use::CopySource
            | Use::Lifetime
            | Use::Debug => true,
            Use::Store(_) | Use::Other => false,
        };
        if !is_reading && let Some(slot) = self.is_read_only.get_mut(id.0 as usize) {
            *slot = false;
        }
    }

    /// A constant that is used in this way: only the address it is computed from
    /// inherits the use.
    fn constant(&mut self, constant: &Constant, how: Use, depth: u32) {
        if depth > MAX_DEPTH {
            self.is_read_only.fill(false);
            return;
        }
        match constant {
            Constant::Symbol(id) => self.symbol(*id, how),
            Constant::Expr(expr) => match expr.as_ref() {
                ConstExpr::Element { base, indices, .. } => {
                    self.constant(&base.value, how, depth + 1);
                    indices.iter().for_each(|index| self.leak(&index.value, depth + 1));
                }
                ConstExpr::Cast(CastOp::BitCast | CastOp::AddrSpaceCast, value) => {
                    self.constant(&value.value, how, depth + 1);
                }
                _ => self.leak(constant, depth),
            },
            other => self.leak(other, depth),
        }
    }

    /// A constant that goes anywhere.
    fn leak(&mut self, constant: &Constant, depth: u32) {
        if depth > MAX_DEPTH {
            self.is_read_only.fill(false);
            return;
        }
        match constant {
            Constant::Symbol(id) => self.symbol(*id, Use::Other),
            Constant::Aggregate(members) => {
                members.iter().for_each(|member| self.leak(&member.value, depth + 1));
            }
            Constant::Expr(expr) => {
                parts(expr).into_iter().for_each(|part| self.leak(part, depth + 1));
            }
            Constant::Unsupported(_) => self.is_read_only.fill(false),
            _ => {}
        }
    }
}

fn parts(expr: &ConstExpr) -> Vec<&Constant> {
    match expr {
        ConstExpr::Element { base, indices, .. } => {
            let indices = indices.iter().map(|index| &index.value);
            [&base.value].into_iter().chain(indices).collect()
        }
        ConstExpr::Cast(_, value) => vec![&value.value],
        ConstExpr::Binary(_, left, right) | ConstExpr::Compare(_, left, right) => {
            vec![&left.value, &right.value]
        }
        ConstExpr::Select(condition, yes, no) => vec![&condition.value, &yes.value, &no.value],
    }
}

/// The symbol that each local is an address in, where that is plain to see.
fn roots(module: &Module, body: &FunctionBody) -> Vec<Option<SymbolId>> {
    let mut roots = vec![None; body.locals.len()];
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(result) = instruction.result else { continue };
            let mut root = None;
            for_each_use(module, &instruction.op, &mut |operand, how| {
                if matches!(how, Use::Element | Use::Renamed) {
                    root = root_of(operand, &roots);
                }
            });
            let Some(slot) = roots.get_mut(result.0 as usize) else { continue };
            if root.is_some() && slot.is_none() {
                *slot = root;
                is_changed = true;
            }
        }
    }
    roots
}

fn root_of(operand: &Operand, roots: &[Option<SymbolId>]) -> Option<SymbolId> {
    match operand {
        Operand::Local(local) => roots.get(local.0 as usize).copied().flatten(),
        Operand::Constant(constant) => {
            let mut constant = constant;
            for _ in 0..=MAX_DEPTH {
                match constant {
                    Constant::Symbol(id) => return Some(*id),
                    Constant::Expr(expr) => match expr.as_ref() {
                        ConstExpr::Element { base, .. } => constant = &base.value,
                        ConstExpr::Cast(CastOp::BitCast | CastOp::AddrSpaceCast, value) => {
                            constant = &value.value;
                        }
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            None
        }
    }
}
