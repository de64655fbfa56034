//! Where compound literals begin and end: with the block that they stand in (C11, 6.5.2.5).
//!
//! clang marks the lifetimes of variables, but not those of literals. What it says is the
//! block of each instruction: a literal belongs to the block of the instruction that sets it
//! first, begins where code of that block follows other code, and ends where other code follows.
//!
//! **Sound** for code that was not optimised, whose instructions stand in the order of the
//! blocks. A literal whose block is entered in its midst, or which came here with a function
//! that was put in place of its call, is left to live as long as the function.

use crate::ir::{Debug, DebugId, FunctionBody, LocalId, Module, Op, Operand};

use super::scopes::{At, ways_on};
use super::uses::for_each_use;

/// What clang calls the memory of a compound literal, followed by a number.
pub(super) const LITERAL: &str = ".compoundliteral";

/// A compound literal whose block is known.
#[derive(Debug)]
pub(super) struct Literal {
    /// Its memory.
    pub local: LocalId,
    /// Before these instructions it begins.
    pub begins: Vec<At>,
    /// Before these instructions it ends.
    pub ends: Vec<At>,
}

/// The compound literals of a function.
pub(super) fn literals(module: &Module, body: &FunctionBody) -> Vec<Literal> {
    let allocas = body.blocks.iter().flat_map(|block| &block.instructions);
    let allocas = allocas.filter(|it| matches!(it.op, Op::Alloca { count: None, .. }));
    let named = allocas.filter_map(|it| it.result);
    let named = named.filter(|local| body.locals[local.0 as usize].name.starts_with(LITERAL));
    named.filter_map(|local| Blocks { module, body }.literal(local)).collect()
}

struct Blocks<'a> {
    module: &'a Module,
    body: &'a FunctionBody,
}

impl Blocks<'_> {
    fn literal(&self, local: LocalId) -> Option<Literal> {
        let scope = self.scope_of_first_use(local)?;
        let inside = self.inside(scope);
        let mut literal = Literal { local, begins: Vec::new(), ends: Vec::new() };
        for (block, is_inside) in inside.iter().enumerate() {
            let before = self.predecessors(block);
            let mut ends_before = before.iter().map(|&from| inside[from].last() == Some(&true));
            let first = *is_inside.first()?;
            if first && block > 0 && ends_before.clone().any(|it| it) {
                // Some ways come from within, and no others may.
                if !ends_before.all(|it| it) {
                    return None;
                }
            } else if first {
                literal.begins.push((block, 0));
            } else if ends_before.any(|it| it) {
                literal.ends.push((block, 0));
            }
            for (idx, pair) in is_inside.windows(2).enumerate() {
                match (pair[0], pair[1]) {
                    (false, true) => literal.begins.push((block, idx + 1)),
                    (true, false) => literal.ends.push((block, idx + 1)),
                    _ => {}
                }
            }
        }
        Some(literal)
    }

    /// The block of the instruction that uses the memory first, in the order of the text.
    fn scope_of_first_use(&self, local: LocalId) -> Option<DebugId> {
        let instructions = self.body.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            let mut is_used = false;
            for_each_use(self.module, &instruction.op, &mut |operand, _| {
                is_used |= *operand == Operand::Local(local);
            });
            if is_used {
                let location = self.module.debug.locations.get(&instruction.location?)?;
                let is_block = self.module.debug.scopes.get(&location.scope)?.name.is_none();
                return (location.inlined_at.is_none() && is_block).then_some(location.scope);
            }
        }
        None
    }

    /// Of each instruction, by blocks: is it inside this scope? One that does not say stands
    /// where the one before it does, or else the next one.
    fn inside(&self, scope: DebugId) -> Vec<Vec<bool>> {
        let blocks = self.body.blocks.iter().enumerate().map(|(number, block)| {
            let known = block.instructions.iter().map(|it| self.is_inside(it.location, scope));
            let known: Vec<Option<bool>> = known.collect();
            // All memory is made first of all, outside of every block.
            let first = known.iter().flatten().next().copied();
            let first = number > 0 && first.unwrap_or(false);
            let follow = |last: &mut bool, now: Option<bool>| {
                *last = now.unwrap_or(*last);
                Some(*last)
            };
            known.into_iter().scan(first, follow).collect()
        });
        blocks.collect()
    }

    fn is_inside(&self, location: Option<DebugId>, scope: DebugId) -> Option<bool> {
        let debug: &Debug = &self.module.debug;
        let mut location = debug.locations.get(&location?)?;
        while let Some(caller) = location.inlined_at {
            location = debug.locations.get(&caller)?;
        }
        let around = |id: &DebugId| debug.scopes.get(id).and_then(|it| it.parent);
        let mut scopes = std::iter::successors(Some(location.scope), around);
        Some(scopes.any(|it| it == scope))
    }

    fn predecessors(&self, block: usize) -> Vec<usize> {
        let leads_here =
            |from: &usize| ways_on(self.body.blocks[*from].instructions.last()).contains(&block);
        (0..self.body.blocks.len()).filter(leads_here).collect()
    }
}
