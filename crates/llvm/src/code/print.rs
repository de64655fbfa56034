//! Lowered code as text: operations for tests, and whole programs for people who want to see
//! what runs (`--dump-code`).

use std::fmt::Write;

use super::{Body, Call, Code, FunctionCode, Op, Reg, ScalarAccess, Src};
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

/// An operation as text, with numbers for what has a name.
pub fn operation(op: &Op) -> String {
    Printer { code: None }.operation(op)
}

/// Writes operations; with the code at hand, by the names that the program gives.
pub(super) struct Printer<'c> {
    /// Where names are looked up.
    pub code: Option<&'c Code>,
}

impl Printer<'_> {
    /// An operation as text.
    pub fn operation(&self, op: &Op) -> String {
        match op {
            Op::Move(to, from) => format!("r{to} = {}", self.source(*from)),
            Op::Moves(moves) => {
                let (to, from): (Vec<_>, Vec<_>) =
                    moves.iter().map(|&(to, from)| (register(to), self.source(from))).unzip();
                format!("{} = {}", to.join(", "), from.join(", "))
            }
            Op::Load { to, pointer, access } => {
                format!("r{to} = {} {}", load(*access), self.source(*pointer))
            }
            Op::Store { value, pointer, access } => {
                format!("{} {} at {}", store(*access), self.source(*value), self.source(*pointer))
            }
            Op::Alloca(alloca) => {
                let count = alloca
                    .count
                    .map_or(String::new(), |(n, _)| format!(" times {}", self.source(n)));
                format!("r{} = alloca {} bytes{count} for {}", alloca.to, alloca.size, alloca.name)
            }
            Op::Expire(memory) => format!("expire {}", self.source(*memory)),
            Op::Renew(memory) => format!("renew {}", self.source(*memory)),
            Op::ReadModifyWrite { op, to, pointer, value, access } => {
                format!(
                    "r{to} = {op:?}.{} {} at {}",
                    access.width,
                    self.source(*value),
                    self.source(*pointer)
                )
            }
            Op::CompareExchange { to, pointer, values, access, .. } => format!(
                "r{}, r{} = exchange.{} {} for {} at {}",
                to.0,
                to.1,
                access.width,
                self.source(values.0),
                self.source(values.1),
                self.source(*pointer)
            ),
            Op::Fence(_) => "fence".to_owned(),
            Op::Call(call) => self.call_text(call),
            Op::Jump(_) | Op::Branch(..) | Op::Switch { .. } | Op::Return(_) => self.way_on(op),
            Op::Resume(exception) => format!("resume {}", self.source(*exception)),
            Op::LandingPad { to, selector } => {
                format!("r{to}, r{} = landing pad, selector {selector}", to + 1)
            }
            Op::Unreachable => "unreachable".to_owned(),
            Op::Unsupported(what) => format!("unsupported: {what}"),
            _ => self.computation(op),
        }
    }

    fn computation(&self, op: &Op) -> String {
        match op {
            Op::Binary(binary) => {
                let wrap = if binary.no_signed_wrap { " nsw" } else { "" };
                let name = format!("{:?}.{}{wrap}", binary.op, binary.width).to_lowercase();
                format!("r{} = {name} {}", binary.to, self.pair(binary.operands))
            }
            Op::Float(float) => {
                let name = float.op.map_or("Neg".to_owned(), |op| format!("{op:?}"));
                format!(
                    "r{} = float {name}.{} {}",
                    float.to,
                    float.width,
                    self.pair(float.operands)
                )
            }
            Op::Compare { predicate, width, to, operands } => {
                format!(
                    "r{to} = {}.{width} {}",
                    format!("{predicate:?}").to_lowercase(),
                    self.pair(*operands)
                )
            }
            Op::FloatCompare { width, to, operands, .. } => {
                format!("r{to} = float compare.{width} {}", self.pair(*operands))
            }
            Op::Convert { conversion, widths, to, value } => {
                format!(
                    "r{to} = {conversion:?} {} to {} {}",
                    widths.0,
                    widths.1,
                    self.source(*value)
                )
            }
            Op::Select { to, condition, values } => format!(
                "r{to} = if {} then {} else {}",
                self.source(*condition),
                self.source(values.0),
                self.source(values.1)
            ),
            Op::Freeze(to, value) => format!("r{to} = freeze {}", self.source(*value)),
            Op::Address { to, base, offset, terms } => {
                let mut text = format!("r{to} = address {} + {offset}", self.source(*base));
                for (index, width, scale) in terms {
                    let _ = write!(text, " + {}.{width} * {scale}", self.source(*index));
                }
                text
            }
            other => format!("{other:?}"),
        }
    }

    fn way_on(&self, op: &Op) -> String {
        match op {
            Op::Jump(target) => format!("jump {target}"),
            Op::Branch(condition, yes, no) => {
                format!("if {} jump {yes} else {no}", self.source(*condition))
            }
            Op::Switch { value, cases, default, .. } => {
                let mut text = format!("switch {}", self.source(*value));
                for (number, target) in cases {
                    let _ = write!(text, " {number}: {target}");
                }
                format!("{text} else {default}")
            }
            Op::Return(values) => {
                let values: Vec<String> = values.iter().map(|&value| self.source(value)).collect();
                format!("return {}", values.join(", ")).trim_end().to_owned()
            }
            other => format!("{other:?}"),
        }
    }

    fn call_text(&self, call: &Call) -> String {
        let arguments: Vec<String> =
            call.arguments.iter().map(|&value| self.source(value)).collect();
        let to = match call.n_results {
            0 => String::new(),
            1 => format!("r{} = ", call.to),
            n => format!("r{}..r{} = ", call.to, call.to + n - 1),
        };
        let unwind = call.unwind.map_or(String::new(), |pad| format!(" unwind {pad}"));
        format!("{to}call {}({}){unwind}", self.source(call.callee), arguments.join(", "))
    }

    fn pair(&self, operands: (Src, Src)) -> String {
        format!("{}, {}", self.source(operands.0), self.source(operands.1))
    }

    fn source(&self, src: Src) -> String {
        match src {
            Src::Reg(reg) => register(reg),
            Src::Value(value) => self.constant(value),
        }
    }

    fn constant(&self, value: Value) -> String {
        let name = match value.base.origin() {
            Origin::Number if value.undef != 0 => return "undef".to_owned(),
            Origin::Number => return value.bits.to_string(),
            origin => self.name(origin),
        };
        match value.bits {
            0 => name,
            offset => format!("{name}+{offset}"),
        }
    }

    /// What an address is relative to.
    fn name(&self, origin: Origin) -> String {
        let (what, number) = match origin {
            Origin::Number => ("number", 0),
            Origin::Function(number) => ("function", number),
            Origin::Constant(number) => ("constant", number),
            Origin::Shared(number) => ("global", number),
            Origin::Private(number) => ("private", number),
            Origin::ThreadLocal(number) => ("thread", number),
            Origin::PthreadT(place) => ("handle", place),
        };
        let named = self.code.and_then(|code| name_in(code, origin));
        named.map_or_else(|| format!("{what}{number}"), |name| format!("@{name}"))
    }
}

/// The name that the program gives to something with a fixed address.
fn name_in(code: &Code, origin: Origin) -> Option<&str> {
    let (variables, number) = match origin {
        Origin::Function(number) => return Some(&code.functions.get(number as usize)?.name),
        Origin::Constant(number) => (&code.constants, number),
        Origin::Shared(number) => (&code.globals, number),
        Origin::ThreadLocal(number) => (&code.thread_locals, number),
        Origin::Number | Origin::Private(_) | Origin::PthreadT(_) => return None,
    };
    Some(&variables.get(number as usize)?.name)
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

fn register(reg: Reg) -> String {
    format!("r{reg}")
}
