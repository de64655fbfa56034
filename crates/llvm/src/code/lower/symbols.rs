//! Numbers for everything that has a global name, and the values that names have.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::code::FunctionCode;
use crate::code::shape::MAX_PARTS_OF_ALL;
use crate::ir::{Callee, Constant, Definition, Linkage, Module, Op, Operand, Symbol, SymbolId};
use crate::library;
use crate::value::{Origin, Value};

use super::layout::{Layouts, Refusal};
use super::readonly;

/// More rounds than this of aliases of aliases are refused.
const MAX_ALIAS_ROUNDS: u32 = 16;

/// A module with what every function needs of it.
pub(super) struct Program<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its types.
    pub layouts: Layouts<'a>,
    /// The value of each symbol.
    pub values: Vec<Result<Value, Refusal>>,
    /// Which symbols are functions, by their number.
    pub functions: Vec<SymbolId>,
    /// Which are variables that can be written.
    pub globals: Vec<SymbolId>,
    /// Which are variables that cannot.
    pub constants: Vec<SymbolId>,
    /// Which are variables that every thread has its own of.
    pub thread_locals: Vec<SymbolId>,
    /// Parts of the shapes of variables that may still be made.
    pub n_shape_parts: Cell<u32>,
}

impl<'a> Program<'a> {
    pub fn new(module: &'a Module) -> Program<'a> {
        let mut program = Program {
            module,
            layouts: Layouts::new(&module.types, &module.layout),
            values: Vec::new(),
            functions: Vec::new(),
            globals: Vec::new(),
            constants: Vec::new(),
            thread_locals: Vec::new(),
            n_shape_parts: Cell::new(MAX_PARTS_OF_ALL),
        };
        let is_called = called(module);
        let is_read_only = readonly::find(module);
        for idx in 0..module.symbols.len() {
            let value = program.number(idx, is_called[idx], is_read_only[idx]);
            program.values.push(value);
        }
        program.resolve_aliases();
        program
    }

    fn number(
        &mut self,
        idx: usize,
        is_called: bool,
        is_read_only: bool,
    ) -> Result<Value, Refusal> {
        let symbol = &self.module.symbols[idx];
        if is_absent(symbol) {
            return Err(format!("the weak symbol `{}`, which is not defined", symbol.name));
        }
        let (list, origin): (_, fn(u32) -> Origin) = match &symbol.definition {
            Definition::Function(_) => (&mut self.functions, Origin::Function),
            Definition::Missing if is_called => (&mut self.functions, Origin::Function),
            Definition::Missing => (&mut self.globals, Origin::Shared),
            Definition::Variable(variable) if variable.is_thread_local => {
                (&mut self.thread_locals, Origin::ThreadLocal)
            }
            Definition::Variable(variable)
                if variable.initializer.is_some() && (variable.is_constant || is_read_only) =>
            {
                (&mut self.constants, Origin::Constant)
            }
            Definition::Variable(_) => (&mut self.globals, Origin::Shared),
            Definition::Alias(_) => {
                return Err(format!("the alias `{}`, which names no address", symbol.name));
            }
        };
        let number = list.len() as u32;
        list.push(SymbolId(idx as u32));
        Ok(Value::address(origin(number), 0))
    }

    fn resolve_aliases(&mut self) {
        let pointer = self.layouts.pointer();
        for _ in 0..MAX_ALIAS_ROUNDS {
            let mut is_done = true;
            for (idx, symbol) in self.module.symbols.iter().enumerate() {
                let Definition::Alias(target) = &symbol.definition else { continue };
                if self.values[idx].is_err()
                    && let Some(value) = self.fold(pointer, &target.value)
                {
                    self.values[idx] = Ok(value);
                    is_done = false;
                }
            }
            if is_done {
                return;
            }
        }
    }

    /// The symbol's value, or why it has none.
    pub fn value(&self, id: SymbolId) -> Result<Value, Refusal> {
        let unknown = || Err("an unknown symbol".to_owned());
        self.values.get(id.0 as usize).cloned().unwrap_or_else(unknown)
    }
}

/// Is it weak and nowhere to be found? Then its address is null for some linkers.
fn is_absent(symbol: &Symbol) -> bool {
    let is_declared = match &symbol.definition {
        Definition::Function(function) => function.body.is_none(),
        Definition::Variable(variable) => variable.initializer.is_none(),
        Definition::Alias(_) | Definition::Missing => false,
    };
    is_declared && symbol.linkage == Linkage::Weak && library::find(&symbol.name).is_none()
}

/// Which symbols are called by name.
fn called(module: &Module) -> Vec<bool> {
    let mut is_called = vec![false; module.symbols.len()];
    for op in operations(module) {
        if let Op::Call { callee: Callee::Operand(Operand::Constant(called)), .. } = op
            && let Constant::Symbol(id) = called
            && let Some(slot) = is_called.get_mut(id.0 as usize)
        {
            *slot = true;
        }
    }
    is_called
}

/// Everything that any function does.
pub(super) fn operations(module: &Module) -> impl Iterator<Item = &Op> {
    let functions = module.symbols.iter().filter_map(|symbol| match &symbol.definition {
        Definition::Function(function) => function.body.as_ref(),
        _ => None,
    });
    let blocks = functions.flat_map(|body| &body.blocks);
    blocks.flat_map(|block| &block.instructions).map(|instruction| &instruction.op)
}

/// All functions of the program, and library functions that only lowering calls.
pub(super) struct FunctionTable {
    /// The functions.
    pub functions: Vec<FunctionCode>,
    added: BTreeMap<String, Option<u32>>,
}

impl FunctionTable {
    pub fn new(program: &Program) -> FunctionTable {
        let function = |&id: &SymbolId| {
            let symbol = program.module.symbol(id);
            let has_body =
                program.module.function(id).is_some_and(|function| function.body.is_some());
            let builtin = if has_body { None } else { library::find(&symbol.name) };
            FunctionCode { name: symbol.name.clone(), body: None, builtin }
        };
        let functions = program.functions.iter().map(function).collect();
        FunctionTable { functions, added: BTreeMap::new() }
    }

    /// The address of the library function with this name, if there is one.
    pub fn library(&mut self, name: &str) -> Option<Value> {
        let functions = &mut self.functions;
        let number = *self.added.entry(name.to_owned()).or_insert_with(|| {
            let builtin = Some(library::find(name)?);
            let known =
                functions.iter().position(|other| other.name == name && other.builtin == builtin);
            if let Some(number) = known {
                return Some(number as u32);
            }
            functions.push(FunctionCode { name: name.to_owned(), body: None, builtin });
            Some(functions.len() as u32 - 1)
        });
        Some(Value::address(Origin::Function(number?), 0))
    }
}
