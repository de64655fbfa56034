//! Global variables: sizes, first contents, and how they are shown.

use crate::code::shape::shape_of;
use crate::code::{Shape, Variable};
use crate::ir::{self, Constant, Definition, SymbolId, Type, TypeId};
use crate::value::{Origin, Value};

use super::fold::MAX_DEPTH;
use super::layout::{Refusal, no_size};
use super::symbols::Program;

/// First contents of more values than this are refused.
const MAX_VALUES: usize = 1 << 22;

/// The variable behind a symbol.
pub(super) fn variable(program: &Program, id: SymbolId) -> Variable {
    let symbol = program.module.symbol(id);
    let mut result = Variable {
        name: symbol.name.clone(),
        size: 0,
        align: 1,
        contents: Vec::new(),
        is_missing: true,
        unsupported: None,
        shape: Shape::Bytes,
    };
    let Definition::Variable(variable) = &symbol.definition else { return result };
    result.align = variable.align.unwrap_or_else(|| program.layouts.align(variable.ty));
    result.shape = shape(program, variable);
    result.is_missing = variable.initializer.is_none();
    let size = program.layouts.size(variable.ty);
    result.size = size.unwrap_or(0);
    let Some(initializer) = &variable.initializer else { return result };
    let mut contents = Contents { program, values: Vec::new() };
    let filled =
        size.ok_or_else(no_size).and_then(|_| contents.fill(variable.ty, initializer, (0, 0)));
    result.unsupported = filled.err().map(|why| format!("`{}` begins with {why}", symbol.name));
    result.contents = contents.values;
    result
}

fn shape(program: &Program, variable: &ir::Variable) -> Shape {
    let debug = &program.module.debug;
    let described = variable.debug.and_then(|id| debug.variables.get(&id)?.ty);
    described.map_or(Shape::Bytes, |ty| shape_of(debug, ty, &program.n_shape_parts))
}

struct Contents<'a> {
    program: &'a Program<'a>,
    values: Vec<(u64, u32, Value)>,
}

impl Contents<'_> {
    /// Puts a constant of a type somewhere; `place` is its offset and its depth.
    fn fill(&mut self, ty: TypeId, constant: &Constant, place: (u64, u32)) -> Result<(), Refusal> {
        let (offset, depth) = place;
        if depth > MAX_DEPTH || self.values.len() > MAX_VALUES {
            return Err("contents that are too big".to_owned());
        }
        match constant {
            Constant::Zero | Constant::Null | Constant::Undef | Constant::Poison => Ok(()),
            Constant::Aggregate(members) => {
                for (idx, member) in members.iter().enumerate() {
                    let start = self.member_start(ty, idx).ok_or_else(no_size)?;
                    let start = offset.checked_add(start).ok_or_else(no_size)?;
                    self.fill(member.ty, &member.value, (start, depth + 1))?;
                }
                Ok(())
            }
            Constant::Bytes(bytes) => {
                for (at, &byte) in (offset..).zip(bytes) {
                    self.put(at, 1, Value::number(byte.into()));
                }
                Ok(())
            }
            Constant::Int(bits) => self.fill_int(ty, *bits, offset),
            _ => self.fill_scalar(ty, constant, offset),
        }
    }

    fn member_start(&self, ty: TypeId, idx: usize) -> Option<u64> {
        let layouts = &self.program.layouts;
        match layouts.types.get(ty) {
            Type::Struct(members) => layouts.member_offset(members, idx),
            Type::Array(_, element) => layouts.size(*element)?.checked_mul(idx as u64),
            Type::Vector(_, element) => match layouts.types.get(*element) {
                Type::Int(bits) if !bits.is_multiple_of(8) => None,
                _ => layouts.size(*element)?.checked_mul(idx as u64),
            },
            _ => None,
        }
    }

    fn fill_int(&mut self, ty: TypeId, bits: u128, offset: u64) -> Result<(), Refusal> {
        let bytes = match self.program.layouts.types.get(ty) {
            Type::Int(width @ 1..=128) => width.div_ceil(8),
            _ => return Err("a number of another type".to_owned()),
        };
        if bytes <= 8 {
            self.put(offset, bytes, Value::number(bits as u64));
            return Ok(());
        }
        if !self.program.module.layout.is_little_endian {
            return Err(format!("an integer of {} bytes", bytes));
        }
        self.put(offset, 8, Value::number(bits as u64));
        self.put(offset.saturating_add(8), bytes - 8, Value::number((bits >> 64) as u64));
        Ok(())
    }

    fn fill_scalar(&mut self, ty: TypeId, constant: &Constant, at: u64) -> Result<(), Refusal> {
        if let Constant::Unsupported(what) = constant {
            return Err(what.clone());
        }
        let scalar = self.program.layouts.scalar(ty)?;
        let value = self.program.fold(scalar, constant).ok_or_else(|| match constant {
            Constant::Symbol(id) => match self.program.value(*id) {
                Err(why) => why,
                Ok(_) => "an address".to_owned(),
            },
            _ => "a number that depends on addresses".to_owned(),
        })?;
        self.put(at, scalar.bytes.into(), Value { undef: 0, ..value });
        Ok(())
    }

    fn put(&mut self, offset: u64, bytes: u32, value: Value) {
        if value != Value::ZERO {
            self.values.push((offset, bytes, value));
        }
    }
}

/// The functions that a list like `llvm.global_ctors` names, lowest priority first;
/// `None` for those that are not understood.
pub(super) fn listed_functions(program: &Program, name: &str) -> Vec<Option<u32>> {
    let Some(id) = program.module.find(name) else { return Vec::new() };
    let Definition::Variable(variable) = &program.module.symbol(id).definition else {
        return Vec::new();
    };
    let entries = match &variable.initializer {
        None | Some(Constant::Zero) => return Vec::new(),
        Some(Constant::Aggregate(entries)) => entries,
        Some(_) => return vec![None],
    };
    let mut listed: Vec<(u128, Option<u32>)> =
        entries.iter().map(|entry| listed_function(program, &entry.value)).collect();
    listed.sort_by_key(|&(priority, _)| priority);
    listed.into_iter().map(|(_, function)| function).collect()
}

fn listed_function(program: &Program, entry: &Constant) -> (u128, Option<u32>) {
    let Constant::Aggregate(members) = entry else { return (0, None) };
    let [priority, function, ..] = members.as_slice() else { return (0, None) };
    let priority = match priority.value {
        Constant::Int(priority) => priority,
        Constant::Zero => 0,
        _ => return (0, None),
    };
    let value = program.fold(program.layouts.pointer(), &function.value);
    match value.map(|value| (value.base.origin(), value.bits)) {
        Some((Origin::Function(number), 0)) => (priority, Some(number)),
        _ => (priority, None),
    }
}
