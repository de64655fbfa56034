//! Symbolic inputs, as objects: a *symbol* holds a range of numbers,
//! and a value relative to it is the input plus an offset, modulo two to its width.
//!
//! Here is where symbols live and shrink; what splits them is `crate::machine::symbol`.

use model::Access;

use super::Memory;
use super::access::AccessMode;
use super::object::{Kind, MarkKind, Object};
use crate::code::ScalarAccess;
use crate::machine::Result;
use crate::value::{Base, Origin, Value, mask};

const FIRST: u32 = 0;
const LAST: u32 = 8;
const SYMBOL_BYTES: u32 = 16;

/// What symbols of memory that was never set have in place of an alignment, which
/// symbols do not need.
const UNSET: u8 = 1;

impl Object {
    /// An input from 0 to `last`; `number` tells it apart from others in a log.
    fn symbol(number: u32, last: u64) -> Object {
        let mut object = Object::zeroed(Kind::Symbol, SYMBOL_BYTES as usize, 0, number);
        object.write(LAST, 8, Value::number(last));
        object
    }

    /// The range of an input; `None` for other objects.
    pub fn range(&self) -> Option<(u64, u64)> {
        let bound = |at| self.read(at, 8, 64).map_or(0, |value| value.bits);
        (self.kind == Kind::Symbol).then(|| (bound(FIRST), bound(LAST)))
    }

    /// Is it an input that the program was given, and not memory that was never set?
    pub fn is_input(&self) -> bool {
        self.kind == Kind::Symbol && self.log2_align != UNSET
    }

    /// The number by which a log knows an input; `None` for other objects.
    pub fn input_number(&self) -> Option<u32> {
        (self.kind == Kind::Symbol).then_some(self.site)
    }

    /// Forgets the number by which a log knows an input.
    pub(super) fn forget_input_number(&mut self) {
        if self.kind == Kind::Symbol {
            self.site = 0;
        }
    }
}

impl Memory<'_> {
    /// A new input from 0 to `last`; `number` tells it apart from others in a log.
    pub fn add_symbol(&mut self, number: u32, last: u64) -> Value {
        let number = self.thread.objects.add(Object::symbol(number, last));
        Value::address(Origin::Private(number), 0)
    }

    /// The value of memory that was never set, from 0 to `last`.
    pub fn add_unset(&mut self, number: u32, last: u64) -> Value {
        let object = Object { log2_align: UNSET, ..Object::symbol(number, last) };
        Value::address(Origin::Private(self.thread.objects.add(object)), 0)
    }

    /// The object that a scalar lies in, if it can be read there and nothing of it was ever
    /// set. The new value of a bit-field is no use of the others.
    pub fn unset_at(&self, pointer: Value, access: ScalarAccess) -> Option<Origin> {
        let origin = pointer.base.origin();
        if !matches!(origin, Origin::Shared(_) | Origin::Private(_)) || !pointer.is_defined() {
            return None;
        }
        let object = self.object(origin)?;
        if object.marks.is_empty() || !object.is_live || self.has_buffered() {
            return None;
        }
        let (at, len) = (u32::try_from(pointer.bits).ok()?, u32::from(access.bytes));
        if at.checked_add(len)? > object.size() {
            return None;
        }
        let width = u32::from(access.width);
        let value = object.read(at, len, width).ok()?;
        (value == Value::undefined(width) && !self.sets_bits()).then_some(origin)
    }

    /// Gives a scalar a value that nobody wrote.
    ///
    /// # Errors
    /// It may not be read.
    pub fn settle(&mut self, pointer: Value, access: ScalarAccess, value: Value) -> Result<()> {
        let mode = AccessMode { is_atomic: access.is_atomic, ..AccessMode::PLAIN_READ };
        let location = self.locate(pointer, u64::from(access.bytes), mode)?;
        self.write_at(location, value);
        Ok(())
    }

    /// The range of a symbol; `None` for other bases.
    pub fn range(&self, base: Base) -> Option<(u64, u64)> {
        match base.origin() {
            Origin::Private(number) => self.thread.objects.get(number)?.range(),
            Origin::Shared(number) => self.shared.objects.get(number)?.range(),
            _ => None,
        }
    }

    /// Would looking at this value change the shared store?
    pub fn is_shared_symbol(&self, value: Value) -> bool {
        matches!(value.base.origin(), Origin::Shared(_))
            && self.range(value.base).is_some_and(|(first, last)| first != last)
    }

    /// The number that a value is, where its symbol has one value only.
    pub fn settled(&self, value: Value, width: u32) -> Value {
        match self.range(value.base) {
            Some((first, last)) if first == last => {
                Value::number(first.wrapping_add(value.bits) & mask(width))
            }
            _ => value,
        }
    }

    /// Notes that what comes depends on the range of a symbol.
    pub fn depend_on_symbol(&mut self, base: Base) {
        self.access_symbol(base, false);
    }

    fn access_symbol(&mut self, base: Base, is_write: bool) {
        if let Origin::Shared(object) = base.origin() {
            let len = SYMBOL_BYTES;
            self.footprint.add(Access { object, at: 0, len, is_write, is_atomic: true });
        }
    }

    /// Goes on with a part of a symbol's range.
    pub fn narrow(&mut self, base: Base, first: u64, last: u64) {
        self.access_symbol(base, true);
        let object = self.object_mut(base.origin()).expect("the base is a symbol");
        object.write(FIRST, 8, Value::number(first));
        object.write(LAST, 8, Value::number(last));
        if first == last {
            self.substitute(base, first);
        }
    }

    /// Replaces a symbol by its only value wherever the thread has it.
    fn substitute(&mut self, base: Base, number: u64) {
        let code = self.code;
        for frame in &mut self.thread.frames {
            let Some(body) = &code.functions[frame.function as usize].body else { continue };
            for (value, &width) in frame.registers.iter_mut().zip(&body.widths) {
                if value.base == base {
                    let bits = number.wrapping_add(value.bits) & mask(u32::from(width));
                    *value = Value::number(bits);
                }
            }
        }
        for object in self.thread.objects.iter_mut() {
            let marks = object.marks.clone();
            for mark in marks {
                if mark.kind == MarkKind::Relative(base) {
                    let width = mark.len * 8;
                    let value = object.read(mark.at, mark.len, width).expect("the mark is whole");
                    let bits = number.wrapping_add(value.bits) & mask(width);
                    object.write(mark.at, mark.len, Value::number(bits));
                }
            }
        }
    }
}
