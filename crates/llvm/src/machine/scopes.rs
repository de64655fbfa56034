//! Memory of frames: its beginning and end, and the arguments of functions that take
//! any number of them.

use std::collections::BTreeSet;

use super::object::{Kind, Mark, MarkKind, Object};
use super::stop::{Result, Rule, Stop};
use super::{Machine, READ};
use crate::code::{Access, Body, Call, Src};
use crate::value::{Base, Origin, Value, mask};

/// Each time a thread has so many more objects, dead ones are looked for.
const SWEEP_EVERY: u32 = 64;

impl Machine<'_> {
    /// New memory that ends with the running function.
    pub(super) fn allocate_in_frame(&mut self, object: Object) -> Result<Value> {
        let address = self.allocate(object)?;
        self.frame().allocas.push(address.base);
        if let Origin::Private(number) = address.base.origin()
            && number > 0
            && number.is_multiple_of(SWEEP_EVERY)
        {
            self.sweep();
        }
        Ok(address)
    }

    /// Ends memory of the running function.
    pub(super) fn expire(&mut self, memory: Src) {
        let base = self.value(memory).base;
        let frame = self.frame();
        if let Some(idx) = frame.allocas.iter().position(|&other| other == base) {
            frame.allocas.remove(idx);
            self.end_object(base);
        }
    }

    /// Takes away the values of memory that no other thread knows.
    pub(super) fn renew(&mut self, memory: Src) {
        if let Origin::Private(number) = self.value(memory).base.origin()
            && let Some(object) = self.thread.objects[number as usize].as_mut()
            && object.kind == Kind::Stack
            && object.is_live
        {
            let len = object.bytes.len() as u32;
            object.fill(0, len, 0);
            object.marks.extend((len > 0).then_some(Mark { at: 0, len, kind: MarkKind::Undef }));
        }
    }

    /// Is an address aligned as an access wants, as far as the alignment of its object
    /// tells?
    pub(super) fn must_be_aligned(&self, pointer: Value, access: Access) -> Result<()> {
        if !self.options.checks_alignment {
            return Ok(());
        }
        let object = self.object_at(pointer.base.origin());
        let log2_align = object.map_or(0, |object| object.log2_align).min(access.log2_align);
        if pointer.bits & mask(log2_align.into()) == 0 {
            return Ok(());
        }
        let (at, name) = (pointer.bits, self.name_of(pointer.base.origin()));
        let message = format!(
            "an access to {} bytes at offset {at} of {name} is not aligned as its type wants",
            access.bytes
        );
        Err(Stop::error(Rule::Alignment, message))
    }

    /// Drops memory of ended scopes that no pointer names.
    fn sweep(&mut self) {
        let private = |base: Base| match base.origin() {
            Origin::Private(number) => Some(number),
            _ => None,
        };
        let mut waiting: Vec<u32> = self.thread.roots().filter_map(private).collect();
        let mut reached: BTreeSet<u32> = BTreeSet::new();
        while let Some(number) = waiting.pop() {
            if reached.insert(number)
                && let Some(object) = self.thread.object(number)
            {
                waiting.extend(object.bases().filter_map(private));
            }
        }
        for (number, slot) in (0u32..).zip(&mut self.thread.objects) {
            let is_over = |object: &mut Object| object.kind == Kind::Stack && !object.is_live;
            if !reached.contains(&number) && slot.as_mut().is_some_and(is_over) {
                *slot = None;
            }
        }
    }

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
            let spot = self.locate(*value, u64::from(passed.bytes), READ)?;
            if let Some(from) = self.object_at(spot.origin) {
                object.copy_from(at, from, spot.at, spot.len);
            }
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
