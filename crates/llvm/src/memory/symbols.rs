//! Symbolic inputs, as objects: a *symbol* holds a set of numbers,
//! and a value relative to it is the input plus an offset, modulo two to its width.
//!
//! A *view* is a symbol whose numbers are computed from those of another one, its parent, by
//! a map that rises or falls throughout (see [`Map`]). It holds no set of its own: whatever
//! splits a view splits the symbol at its root, so all views of an input agree.
//!
//! Here is where symbols live and shrink; what splits them is `crate::machine::symbol`.

use model::Access;

use super::Memory;
use super::access::AccessMode;
use super::map::{Map, View};
use super::object::{Kind, Mark, MarkKind, Object};
use super::progression::Progression;
use crate::code::ScalarAccess;
use crate::machine::Result;
use crate::value::{Base, Origin, Value, mask};

const FIRST: u32 = 0;
const LAST: u32 = 8;
/// The distance of neighbours, less one.
const GAP: u32 = 16;
/// Where views have their parent's value, its width with the kind of the map, and the
/// number of the map.
const PARENT: u32 = 0;
const MAP: u32 = 8;
const FACTOR: u32 = 16;
const SYMBOL_BYTES: u32 = 24;

/// What symbols have in place of an alignment, which they do not need: that of memory that
/// was never set, and that of views.
const UNSET: u8 = 1;
const VIEW: u8 = 2;

/// Views of views, at most.
const MAX_DEPTH: usize = 12;

impl Object {
    /// An input that may be all of these; `number` tells it apart from others in a log.
    fn symbol(number: u32, values: Progression) -> Object {
        let mut object = Object::zeroed(Kind::Symbol, SYMBOL_BYTES as usize, 0, number);
        object.set_values(values);
        object
    }

    fn set_values(&mut self, values: Progression) {
        self.write(FIRST, 8, Value::number(values.first));
        self.write(LAST, 8, Value::number(values.last));
        self.write(GAP, 8, Value::number(values.step - 1));
    }

    fn view(view: View) -> Object {
        let mut object = Object::zeroed(Kind::Symbol, SYMBOL_BYTES as usize, VIEW, 0);
        let (kind, factor) = view.map.to_numbers();
        object.write(PARENT, 8, view.parent);
        object.write(MAP, 8, Value::number(u64::from(view.width) << 8 | kind));
        object.write(FACTOR, 8, Value::number(factor));
        object
    }

    fn word(&self, at: u32) -> u64 {
        self.read(at, 8, 64).map_or(0, |value| value.bits)
    }

    /// Is it computed from an input?
    pub fn is_view(&self) -> bool {
        self.kind == Kind::Symbol && self.log2_align & VIEW != 0
    }

    /// What a view is of; `None` for others.
    pub(super) fn as_view(&self) -> Option<View> {
        if !self.is_view() {
            return None;
        }
        let parent = self.read(PARENT, 8, 64).ok()?;
        let (width, kind) = (self.word(MAP) >> 8, self.word(MAP) & 0xff);
        let map = Map::from_numbers(kind, self.word(FACTOR))?;
        Some(View { parent, width: width as u32, map })
    }

    /// The set of an input; `None` for views and other objects.
    fn values(&self) -> Option<Progression> {
        if self.kind != Kind::Symbol || self.is_view() {
            return None;
        }
        let (first, last) = (self.word(FIRST), self.word(LAST));
        Some(Progression { first, last, step: self.word(GAP).wrapping_add(1).max(1) })
    }

    /// The least and the greatest number of an input; `None` for other objects.
    pub fn range(&self) -> Option<(u64, u64)> {
        self.values().map(|values| (values.first, values.last))
    }

    /// Is it an input that the program was given, and not memory that was never set?
    pub fn is_input(&self) -> bool {
        self.kind == Kind::Symbol && self.log2_align & UNSET == 0
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

/// What symbols may be.
impl Memory<'_> {
    /// A new input from 0 to `last`; `number` tells it apart from others in a log.
    pub fn add_symbol(&mut self, number: u32, last: u64) -> Value {
        self.add_symbol_of(number, Progression::all(0, last))
    }

    /// A new input that may be all of these.
    pub fn add_symbol_of(&mut self, number: u32, values: Progression) -> Value {
        let number = self.thread.objects.add(Object::symbol(number, values));
        Value::address(Origin::Private(number), 0)
    }

    /// The value of memory that was never set, from 0 to `last`.
    pub fn add_unset(&mut self, number: u32, last: u64) -> Value {
        self.add_unset_of(number, Progression::all(0, last))
    }

    /// A value that was computed from memory that was never set, and may be all of these.
    pub fn add_unset_of(&mut self, number: u32, values: Progression) -> Value {
        let symbol = Object::symbol(number, values);
        let object = Object { log2_align: UNSET, ..symbol };
        Value::address(Origin::Private(self.thread.objects.add(object)), 0)
    }

    /// A value that is computed from another one; `None` where it would be too far from
    /// its input. What is computed twice is one value.
    pub fn add_view(&mut self, view: View) -> Option<Value> {
        let mut depth = 0;
        let mut object = self.object(view.parent.base.origin())?;
        let unset = object.log2_align & UNSET;
        while let Some(view) = object.as_view() {
            depth += 1;
            object = self.object(view.parent.base.origin())?;
        }
        if depth >= MAX_DEPTH {
            return None;
        }
        let mut new = Object::view(view);
        new.log2_align |= unset;
        let known = self.thread.objects.iter().find(|(_, object)| **object == new);
        let number = match known {
            Some((number, _)) => number,
            None => self.thread.objects.add(new),
        };
        Some(Value::address(Origin::Private(number), 0))
    }

    /// The numbers that a symbol may be; `None` for other bases.
    pub fn values(&self, base: Base) -> Option<Progression> {
        self.values_if(base, None)
    }

    /// The numbers that a symbol may be where the symbol at its root is one of `assumed`.
    pub fn values_if(&self, base: Base, assumed: Option<Progression>) -> Option<Progression> {
        let object = self.symbol_object(base)?;
        let Some(view) = object.as_view() else { return assumed.or_else(|| object.values()) };
        let parent = match self.values_if(view.parent.base, assumed) {
            Some(values) => view.shown(values),
            None => Progression::all(view.parent.bits, view.parent.bits),
        };
        Some(view.map.image(parent, view.width))
    }

    /// The least and the greatest number of a symbol; `None` for other bases.
    pub fn range(&self, base: Base) -> Option<(u64, u64)> {
        self.values(base).map(|values| (values.first, values.last))
    }

    /// The symbol that a view is computed from in the end; a symbol itself.
    pub fn root(&self, base: Base) -> Base {
        let view = self.symbol_object(base).and_then(Object::as_view);
        view.map_or(base, |view| self.root(view.parent.base))
    }

    /// The first of the views that lead from the input at the root to this one; `None` for
    /// inputs themselves.
    pub fn first_view(&self, base: Base) -> Option<View> {
        let view = self.view(base)?;
        Some(self.first_view(view.parent.base).unwrap_or(view))
    }

    /// What a symbol is a view of.
    pub fn view(&self, base: Base) -> Option<View> {
        self.symbol_object(base)?.as_view()
    }

    fn symbol_object(&self, base: Base) -> Option<&Object> {
        let object = match base.origin() {
            Origin::Private(number) => self.thread.objects.get(number),
            Origin::Shared(number) => self.shared.objects.get(number),
            _ => None,
        };
        object.filter(|object| object.kind == Kind::Symbol)
    }

    /// Would looking at this value change the shared store?
    pub fn is_shared_symbol(&self, value: Value) -> bool {
        // Most values are numbers.
        value.base != Base::NUMBER
            && self.values(value.base).is_some_and(|values| !values.is_single())
            && matches!(self.root(value.base).origin(), Origin::Shared(_))
    }

    /// The number that a value is, where its symbol leaves it no other.
    pub fn settled(&self, value: Value, width: u32) -> Value {
        if value.base == Base::NUMBER {
            return value;
        }
        match self.values(value.base) {
            // What shows the lowest bits of an input shows one number if these are equal.
            Some(values) if values.is_single() || values.step & mask(width) == 0 => {
                Value::number(values.first.wrapping_add(value.bits) & mask(width))
            }
            _ => value,
        }
    }
}

/// Memory that was never set.
impl Memory<'_> {
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
}

/// How symbols shrink.
impl Memory<'_> {
    /// Notes that what comes depends on the range of a symbol.
    pub fn depend_on_symbol(&mut self, base: Base) {
        self.access_symbol(self.root(base), false);
    }

    fn access_symbol(&mut self, base: Base, is_write: bool) {
        if let Origin::Shared(object) = base.origin() {
            let len = SYMBOL_BYTES;
            self.footprint.add(Access { object, at: 0, len, is_write, is_atomic: true });
        }
    }

    /// What of the root's set makes a symbol one of `part`, if anything does. Of a view that
    /// does not keep distances, that is what lies between the ends of `part`.
    pub fn root_part(&self, base: Base, part: Progression) -> Option<Progression> {
        let Some(view) = self.view(base) else { return Some(part) };
        let values = self.values(view.parent.base)?;
        let shown = view.shown(values);
        let kept = view.map.preimage(part, shown, view.width)?;
        let moved = |number: u64| number.wrapping_sub(shown.first).wrapping_add(values.first);
        let (first, last) = (moved(kept.first), moved(kept.last));
        self.root_part(view.parent.base, Progression { first, last, step: kept.step })
    }

    /// Do all views between a symbol and its root keep distances?
    pub fn keeps_distances(&self, base: Base) -> bool {
        self.view(base)
            .is_none_or(|view| view.map.keeps_distances() && self.keeps_distances(view.parent.base))
    }

    /// Are all numbers in the set of a symbol numbers that it may be?
    pub fn is_regular(&self, base: Base) -> bool {
        let Some(view) = self.view(base) else { return true };
        let Some(values) = self.values(view.parent.base) else { return true };
        view.map.is_regular_on(view.shown(values)) && self.is_regular(view.parent.base)
    }

    /// Goes on with a part of a symbol's set.
    ///
    /// # Panics
    /// If nothing of the symbol lies there.
    pub fn narrow(&mut self, base: Base, part: Progression) {
        let part = self.root_part(base, part).expect("a part of a symbol is not empty");
        let base = self.root(base);
        self.access_symbol(base, true);
        let object = self.object_mut(base.origin()).expect("the base is a symbol");
        object.set_values(part);
        self.settle_symbols(base);
    }

    /// Replaces symbols that have one value now wherever the thread has them.
    fn settle_symbols(&mut self, root: Base) {
        let private = (0..self.thread.objects.n_numbers() as u32).map(Origin::Private);
        let bases: Vec<Base> = private.map(Base::new).chain([root]).collect();
        for base in bases {
            let values = (self.root(base) == root).then(|| self.values(base)).flatten();
            if let Some(values) = values.filter(|values| values.is_single()) {
                self.substitute(base, values.first);
            }
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
        let objects = self.thread.objects.iter_mut();
        objects.filter(|object| !object.is_view()).for_each(|object| object.settle(base, number));
    }
}

impl Object {
    /// Writes numbers in place of values that are relative to `base`, which is `number`.
    fn settle(&mut self, base: Base, number: u64) {
        let is_relative = |mark: &&Mark| mark.kind == MarkKind::Relative(base);
        let marks: Vec<Mark> = self.marks.iter().filter(is_relative).copied().collect();
        for mark in marks {
            let width = mark.len * 8;
            let value = self.read(mark.at, mark.len, width).expect("the mark is whole");
            let bits = number.wrapping_add(value.bits) & mask(width);
            self.write(mark.at, mark.len, Value::number(bits));
        }
    }
}
