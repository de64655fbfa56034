//! Stand-ins for library functions that a library function calls: `free` as the destructor
//! of a key, say. A function that is called has a frame, and so an operation to go on at; a
//! stand-in has one operation, which calls the function.

use std::collections::BTreeMap;

use crate::code::{Body, Call, FunctionCode, Instr, Op, Reg, Src, live};
use crate::ir::{self, Constant, Operand, SymbolId};
use crate::value::{Origin, Value};

use super::Tables;
use super::symbols::{Program, operations};

/// Makes stand-ins for library functions whose addresses are arguments somewhere; gives
/// their numbers by those of the functions.
pub(super) fn make(program: &Program, tables: &mut Tables) -> BTreeMap<u32, u32> {
    let mut made = BTreeMap::new();
    for id in passed(program) {
        let number = program.functions.iter().position(|&other| other == id);
        let Some(number) = number.map(|number| number as u32) else { continue };
        let function = &tables.functions.functions[number as usize];
        if function.body.is_some() || function.builtin.is_none() || made.contains_key(&number) {
            continue;
        }
        let Some(body) = body(program, id, number) else { continue };
        let name = function.name.clone();
        let functions = &mut tables.functions.functions;
        functions.push(FunctionCode { name, body: Some(body), builtin: None });
        made.insert(number, functions.len() as u32 - 1);
    }
    made
}

/// Symbols that are arguments of calls.
fn passed<'a>(program: &Program<'a>) -> impl Iterator<Item = SymbolId> + 'a {
    let arguments = operations(program.module).flat_map(|op| match op {
        ir::Op::Call { arguments, .. } => arguments.as_slice(),
        _ => &[],
    });
    arguments.filter_map(|(argument, _)| match &argument.value {
        Operand::Constant(Constant::Symbol(id)) => Some(*id),
        _ => None,
    })
}

fn body(program: &Program, id: SymbolId, number: u32) -> Option<Body> {
    let function = program.module.function(id).filter(|function| !function.is_variadic)?;
    let mut widths: Vec<u8> = Vec::new();
    for parameter in &function.parameters {
        widths.extend(program.layouts.scalars(parameter.ty).ok()?.iter().map(|it| it.width));
    }
    let results = program.layouts.scalars(function.result).ok()?;
    let parameters: Vec<Reg> = (0..widths.len() as u32).collect();
    let call = Call {
        callee: Src::Value(Value::address(Origin::Function(number), 0)),
        arguments: parameters.iter().map(|&reg| Src::Reg(reg)).collect(),
        widths: widths.as_slice().into(),
        passed: Box::default(),
        to: widths.len() as u32,
        n_results: results.len() as u32,
        result_width: results.first().map_or(0, |scalar| scalar.width),
        unwind: None,
    };
    let returned = (call.to..call.to + call.n_results).map(Src::Reg).collect();
    widths.extend(results.iter().map(|scalar| scalar.width));
    let mut ops = vec![Instr::new(Op::Call(call), 0), Instr::new(Op::Return(returned), 0)];
    let n_registers = widths.len() as u32;
    let live_sets = live::annotate(&mut ops, n_registers);
    Some(Body {
        n_registers,
        widths,
        parameters,
        is_variadic: false,
        rest: None,
        is_atomic: false,
        ops,
        variables: Vec::new(),
        live_sets,
    })
}
