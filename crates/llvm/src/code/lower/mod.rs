//! A module of LLVM IR as code for the machine.
//!
//! Lowering never fails: what it does not understand becomes an operation, or a
//! variable, that is refused when a run gets there.
//!
//! What is lost, and may be: hints to optimisers (`llvm.assume`, `exact`, branch
//! weights, `inbounds`), and the scopes of local variables in optimised code where an
//! address is computed before the scope begins (`crate::code::scopes`).
//!
//! **Read first** `function.rs`, then `operand.rs`.

mod aggregate;
mod arith;
mod assembly;
mod calls;
mod control;
mod fold;
mod function;
mod globals;
mod intrinsics;
pub(super) mod layout;
mod memory;
mod operand;
mod places;
mod readonly;
mod stand_in;
mod start;
mod symbols;
mod unwind;
mod variadic;
mod wide;

use rustc_hash::FxHashSet;

use crate::ir::{Module, SymbolId};

use self::places::Places;
use self::symbols::{FunctionTable, Program};
use super::registers::for_each_source;
use super::{Body, Code, FunctionCode, Instr, Op, Src, Variable, Watch};

/// Lowers a linked module.
pub fn lower(module: &Module) -> Code {
    let program = Program::new(module);
    let mut tables =
        Tables { functions: FunctionTable::new(&program), places: Places::new(&module.debug) };
    for (number, &id) in program.functions.iter().enumerate() {
        let body = function::lower_function(&program, &mut tables, id);
        tables.functions.functions[number].body = body;
    }
    let variables = |ids: &[SymbolId]| -> Vec<Variable> {
        ids.iter().map(|&id| globals::variable(&program, id)).collect()
    };
    let constructors = listed(&program, &mut tables, "llvm.global_ctors");
    let mut destructors = listed(&program, &mut tables, "llvm.global_dtors");
    destructors.reverse();
    let main = start::function(&mut tables, &constructors);
    let stand_ins = stand_in::make(&program, &mut tables);
    let functions = tables.functions.functions;
    let mut code = Code {
        numbers: numbers(&functions),
        pointer_bytes: module.layout.pointer_bytes,
        main,
        functions,
        stand_ins,
        globals: variables(&program.globals),
        constants: variables(&program.constants),
        thread_locals: variables(&program.thread_locals),
        places: tables.places.places,
        constructors,
        destructors,
        watch: Watch::default(),
        fork_joins: Vec::new(),
    };
    code.watch = Watch::of(&code);
    code.fork_joins = crate::code::ForkJoin::all(&code);
    code
}

/// More numbers are not of interest to those who try some.
const MAX_NUMBERS: usize = 64;

/// The numbers that functions compare with and compute with, in their order.
fn numbers(functions: &[FunctionCode]) -> Vec<u64> {
    let mut numbers = Vec::new();
    let ops = functions.iter().filter_map(|function| function.body.as_ref());
    for instr in ops.flat_map(|body| &body.ops) {
        match &instr.op {
            Op::Compare { .. } | Op::Binary(_) => for_each_source(&instr.op, |src| {
                if let Src::Value(value) = src {
                    numbers.extend(value.as_number());
                }
            }),
            Op::Switch { cases, .. } => numbers.extend(cases.iter().map(|(case, _)| *case)),
            _ => {}
        }
    }
    let mut is_met = FxHashSet::default();
    numbers.retain(|number| is_met.insert(*number));
    numbers.truncate(MAX_NUMBERS);
    numbers
}

/// What grows while functions are lowered.
struct Tables<'a> {
    functions: FunctionTable,
    places: Places<'a>,
}

/// The functions of a list; those that are not understood are refused when they run.
fn listed(program: &Program, tables: &mut Tables, name: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    for listed in globals::listed_functions(program, name) {
        numbers.push(listed.unwrap_or_else(|| {
            let place = tables.places.of_function(None, name);
            let op = Op::Unsupported(format!("an entry of `{name}`").into());
            let body = Body {
                n_registers: 0,
                widths: Vec::new(),
                parameters: Vec::new(),
                is_variadic: false,
                rest: None,
                is_atomic: false,
                ops: vec![Instr::new(op, place)],
                variables: Vec::new(),
                live_sets: vec![Box::default()],
            };
            let functions = &mut tables.functions.functions;
            functions.push(FunctionCode { name: name.to_owned(), body: Some(body), builtin: None });
            functions.len() as u32 - 1
        }));
    }
    numbers
}
