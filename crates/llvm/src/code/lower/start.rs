//! Where a program starts: at `main`, or at a function of ours that calls the
//! constructors before it.

use crate::code::{Body, Call, FunctionCode, Instr, Op, Reg, Src, live};
use crate::value::{Origin, Value};

use super::Tables;

/// The number of the function that a program starts with, if `main` is defined.
pub(super) fn function(tables: &mut Tables, constructors: &[u32]) -> Option<u32> {
    let functions = &tables.functions.functions;
    let is_main = |function: &FunctionCode| function.name == "main" && function.body.is_some();
    let main = functions.iter().position(is_main)?;
    if constructors.is_empty() {
        return Some(main as u32);
    }
    let body = functions[main].body.as_ref()?;
    let widths: Vec<u8> = body.parameters.iter().map(|&reg| body.widths[reg as usize]).collect();
    let place = body.ops.first().map_or(0, |first| first.place);
    let parameters: Vec<Reg> = (0..widths.len() as u32).collect();
    let n_registers = widths.len() as u32 + 1;
    let first = constructors.iter().map(|&number| call(number, &[], &[], n_registers - 1));
    let mut ops: Vec<Instr> = first.map(|op| Instr::new(op, place)).collect();
    let mut last = call(main as u32, &parameters, &widths, n_registers - 1);
    let result = body.ops.iter().find_map(|instr| match &instr.op {
        Op::Return(values) => Some(values.len() as u32),
        _ => None,
    });
    if let Op::Call(last) = &mut last {
        last.n_results = result.unwrap_or(0).min(1);
        last.result_width = if last.n_results == 1 { 32 } else { 0 };
    }
    ops.push(Instr::new(last, place));
    ops.push(Instr::new(Op::Return([Src::Value(Value::ZERO)].into()), place));
    let live_sets = live::annotate(&mut ops, n_registers);
    let start = Body {
        n_registers,
        widths: widths.into_iter().chain([32]).collect(),
        parameters,
        is_variadic: false,
        rest: None,
        is_atomic: false,
        ops,
        variables: Vec::new(),
        live_sets,
    };
    let functions = &mut tables.functions.functions;
    functions.push(FunctionCode { name: "_start".into(), body: Some(start), builtin: None });
    Some(functions.len() as u32 - 1)
}

fn call(function: u32, arguments: &[Reg], widths: &[u8], to: Reg) -> Op {
    Op::Call(Call {
        callee: Src::Value(Value::address(Origin::Function(function), 0)),
        arguments: arguments.iter().map(|&reg| Src::Reg(reg)).collect(),
        widths: widths.into(),
        passed: Box::default(),
        to,
        n_results: 0,
        result_width: 0,
        unwind: None,
    })
}
