//! Arguments of calls as functions take them: named ones, those of another type than the
//! function has, and those of functions that take any number of them.

use super::Machine;
use super::stop::{Result, Stop};
use crate::code::{Body, Call, Src};
use crate::memory::{AccessMode, Kind, Object};
use crate::value::{Base, Origin, Value, mask};

impl Machine<'_> {
    /// Is something copied for a function that others may know?
    pub(super) fn passes_shared(&self, call: &Call) -> bool {
        let is_shared = |src: Src| matches!(self.value(src).base.origin(), Origin::Shared(_));
        let mut copied = call.passed.iter().zip(&call.arguments);
        copied.any(|(passed, &src)| passed.is_copied && is_shared(src))
    }

    /// The arguments of a call beyond those that the function names, as they lie in
    /// memory.
    pub(super) fn rest(&mut self, call: &Call, body: &Body, values: &[Value]) -> Result<Object> {
        let n_named = body.parameters.len();
        let rest: Vec<_> = call.passed.iter().zip(values).skip(n_named).collect();
        let (mut start, mut end, mut places) = (0u32, 0u32, Vec::new());
        for (passed, _) in &rest {
            if passed.align > 0 {
                start = end.next_multiple_of(passed.align);
            }
            places.push(start + passed.offset);
            end = end.max(start + passed.offset + passed.bytes);
        }
        let align = rest.iter().map(|(passed, _)| passed.align).max().unwrap_or(0);
        let align = align.max(self.code.pointer_bytes).ilog2() as u8;
        let place = self.instr().place;
        // Padding at the end of a struct is there, though no scalar of it is passed.
        let size = end.next_multiple_of(self.code.pointer_bytes);
        let mut object = Object::undefined(Kind::Stack, size as usize, align, place);
        for ((passed, value), at) in rest.into_iter().zip(places) {
            if !passed.is_copied {
                object.write(at, passed.bytes, *value);
                continue;
            }
            let len = u64::from(passed.bytes);
            let location = self.memory.locate(*value, len, AccessMode::PLAIN_READ)?;
            object.copy_from(at, &self.memory.copy_of(location), 0, location.len);
        }
        Ok(object)
    }
}

/// The lower bits of a value of a function that was declared with another type.
pub(super) fn cut(value: Value, width: u32) -> Result<Value> {
    let (bits, undef) = (value.bits & mask(width), value.undef & mask(width));
    match value.base == Base::NUMBER || width == 64 || bits == value.bits {
        true => Ok(Value { bits, undef, ..value }),
        false => Err(Stop::refused("a function gives an address where a number is expected")),
    }
}

/// Arguments as the function takes them, if it was called as another type: what was
/// not passed has no value.
pub(super) fn fitted(call: &Call, body: &Body, mut values: Vec<Value>) -> Result<Vec<Value>> {
    let passed = values.iter_mut().zip(&call.widths);
    for ((value, &from), &reg) in passed.zip(&body.parameters) {
        let (from, to) = (u32::from(from), u32::from(body.widths[reg as usize]));
        if from == to {
            continue;
        }
        if value.base != Base::NUMBER {
            let why = "a function is called with an address or an input of another width";
            return Err(Stop::refused(why));
        }
        let missing = mask(to) & !mask(from);
        *value = Value {
            bits: value.bits & mask(to),
            undef: value.undef & mask(to) | missing,
            ..*value
        };
    }
    Ok(values)
}
