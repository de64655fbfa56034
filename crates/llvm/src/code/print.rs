//! A readable listing of lowered code, for tests and for curious people.

use std::fmt::Write;

use super::{Body, Call, FunctionCode, Op, Reg, ScalarAccess, Src};
use crate::value::{Origin, Value};

/// A function as text, one operation a line.
pub fn listing(function: &FunctionCode) -> String {
    let mut text = format!("{}:", function.name);
    match &function.body {
        Some(body) => list_body(body, &mut text),
        None => text.push_str(" not defined\n"),
    }
    text
}

fn list_body(body: &Body, text: &mut String) {
    let parameters: Vec<String> = body.parameters.iter().map(|&reg| register(reg)).collect();
    let _ = writeln!(text, " ({})", parameters.join(", "));
    for (pc, instr) in body.ops.iter().enumerate() {
        let _ = writeln!(text, "{pc:4}  {}", operation(&instr.op));
    }
}

/// An operation as text.
pub fn operation(op: &Op) -> String {
    match op {
        Op::Move(to, from) => format!("r{to} = {}", source(*from)),
        Op::Moves(moves) => {
            let (to, from): (Vec<_>, Vec<_>) =
                moves.iter().map(|&(to, from)| (register(to), source(from))).unzip();
            format!("{} = {}", to.join(", "), from.join(", "))
        }
        Op::Load { to, pointer, access } => {
            format!("r{to} = {} {}", load(*access), source(*pointer))
        }
        Op::Store { value, pointer, access } => {
            format!("{} {} at {}", store(*access), source(*value), source(*pointer))
        }
        Op::Alloca(alloca) => {
            let count =
                alloca.count.map_or(String::new(), |(n, _)| format!(" times {}", source(n)));
            format!("r{} = alloca {} bytes{count} for {}", alloca.to, alloca.size, alloca.name)
        }
        Op::Expire(memory) => format!("expire {}", source(*memory)),
        Op::Renew(memory) => format!("renew {}", source(*memory)),
        Op::ReadModifyWrite { op, to, pointer, value, access } => {
            format!("r{to} = {op:?}.{} {} at {}", access.width, source(*value), source(*pointer))
        }
        Op::CompareExchange { to, pointer, values, access, .. } => format!(
            "r{}, r{} = exchange.{} {} for {} at {}",
            to.0,
            to.1,
            access.width,
            source(values.0),
            source(values.1),
            source(*pointer)
        ),
        Op::Fence(_) => "fence".to_owned(),
        Op::Call(call) => call_text(call),
        Op::Jump(_) | Op::Branch(..) | Op::Switch { .. } | Op::Return(_) => way_on(op),
        Op::Resume(exception) => format!("resume {}", source(*exception)),
        Op::LandingPad { to, selector } => {
            format!("r{to}, r{} = landing pad, selector {selector}", to + 1)
        }
        Op::Unreachable => "unreachable".to_owned(),
        Op::Unsupported(what) => format!("unsupported: {what}"),
        _ => computation(op),
    }
}

fn computation(op: &Op) -> String {
    match op {
        Op::Binary(binary) => {
            let wrap = if binary.no_signed_wrap { " nsw" } else { "" };
            let name = format!("{:?}.{}{wrap}", binary.op, binary.width).to_lowercase();
            format!("r{} = {name} {}", binary.to, pair(binary.operands))
        }
        Op::Float(float) => {
            let name = float.op.map_or("Neg".to_owned(), |op| format!("{op:?}"));
            format!("r{} = float {name}.{} {}", float.to, float.width, pair(float.operands))
        }
        Op::Compare { predicate, width, to, operands } => {
            format!(
                "r{to} = {}.{width} {}",
                format!("{predicate:?}").to_lowercase(),
                pair(*operands)
            )
        }
        Op::FloatCompare { width, to, operands, .. } => {
            format!("r{to} = float compare.{width} {}", pair(*operands))
        }
        Op::Convert { conversion, widths, to, value } => {
            format!("r{to} = {conversion:?} {} to {} {}", widths.0, widths.1, source(*value))
        }
        Op::Select { to, condition, values } => format!(
            "r{to} = if {} then {} else {}",
            source(*condition),
            source(values.0),
            source(values.1)
        ),
        Op::Freeze(to, value) => format!("r{to} = freeze {}", source(*value)),
        Op::Address { to, base, offset, terms } => {
            let mut text = format!("r{to} = address {} + {offset}", source(*base));
            for (index, width, scale) in terms {
                let _ = write!(text, " + {}.{width} * {scale}", source(*index));
            }
            text
        }
        other => format!("{other:?}"),
    }
}

fn way_on(op: &Op) -> String {
    match op {
        Op::Jump(target) => format!("jump {target}"),
        Op::Branch(condition, yes, no) => format!("if {} jump {yes} else {no}", source(*condition)),
        Op::Switch { value, cases, default, .. } => {
            let mut text = format!("switch {}", source(*value));
            for (number, target) in cases {
                let _ = write!(text, " {number}: {target}");
            }
            format!("{text} else {default}")
        }
        Op::Return(values) => {
            let values: Vec<String> = values.iter().map(|&value| source(value)).collect();
            format!("return {}", values.join(", ")).trim_end().to_owned()
        }
        other => format!("{other:?}"),
    }
}

fn call_text(call: &Call) -> String {
    let arguments: Vec<String> = call.arguments.iter().map(|&value| source(value)).collect();
    let to = match call.n_results {
        0 => String::new(),
        1 => format!("r{} = ", call.to),
        n => format!("r{}..r{} = ", call.to, call.to + n - 1),
    };
    let unwind = call.unwind.map_or(String::new(), |pad| format!(" unwind {pad}"));
    format!("{to}call {}({}){unwind}", source(call.callee), arguments.join(", "))
}

fn load(access: ScalarAccess) -> String {
    format!("load{}.{}", decoration(access), access.width)
}

fn store(access: ScalarAccess) -> String {
    format!("store{}.{}", decoration(access), access.width)
}

fn decoration(access: ScalarAccess) -> &'static str {
    match (access.is_atomic, access.is_volatile) {
        (true, _) => " atomic",
        (false, true) => " volatile",
        (false, false) => "",
    }
}

fn pair(operands: (Src, Src)) -> String {
    format!("{}, {}", source(operands.0), source(operands.1))
}

fn register(reg: Reg) -> String {
    format!("r{reg}")
}

fn source(src: Src) -> String {
    match src {
        Src::Reg(reg) => register(reg),
        Src::Value(value) => constant(value),
    }
}

fn constant(value: Value) -> String {
    let (name, number) = match value.base.origin() {
        Origin::Number if value.undef != 0 => return "undef".to_owned(),
        Origin::Number => return value.bits.to_string(),
        Origin::Function(number) => ("function", number),
        Origin::Constant(number) => ("constant", number),
        Origin::Shared(number) => ("global", number),
        Origin::Private(number) => ("private", number),
        Origin::ThreadLocal(number) => ("thread", number),
    };
    match value.bits {
        0 => format!("{name}{number}"),
        offset => format!("{name}{number}+{offset}"),
    }
}
