//! Objects: bytes that are numbers, parts of addresses, or nothing yet.
//!
//! The bytes of a value that is relative to a base hold its offset; a mark over
//! them names the base. A mark also says which bytes have no value.

use super::identity::OWNER;
use crate::code::Variable;
use crate::value::{Base, Value, mask};

/// A piece of memory with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub(super) kind: Kind,
    pub(super) is_live: bool,
    /// Its size, if nothing is held of what it contains: `UNKNOWN_SIZE` where not even that is.
    pub(super) forgotten: Option<u32>,
    pub(super) log2_align: u8,
    pub(super) site: u32,
    pub(super) bytes: Vec<u8>,
    /// What bytes are more than numbers; ascending, without overlap.
    pub(super) marks: Vec<Mark>,
}

/// The size of an object that has all bytes, as far as is known.
pub(super) const UNKNOWN_SIZE: u32 = u32::MAX;

/// Kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A global variable.
    Variable,
    /// From `malloc` and its kin.
    Heap,
    /// From `alloca`.
    Stack,
    /// What a `pthread_t` names; see `threads.rs`.
    Thread,
    /// A symbolic input; see `symbols.rs`.
    Symbol,
}

/// Some bytes that are more than a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The first byte.
    pub at: u32,
    /// How many.
    pub len: u32,
    /// What they are.
    pub kind: MarkKind,
}

/// What marked bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Nothing was written here yet.
    Undef,
    /// One value, relative to a base.
    Relative(Base),
    /// One value, of which these bits mean nothing.
    Partial(u64),
    /// What was left of an address when a part of it was overwritten.
    Torn,
}

impl MarkKind {
    /// What the bytes are relative to, if they are.
    pub(super) fn base(self) -> Option<Base> {
        match self {
            MarkKind::Relative(base) => Some(base),
            _ => None,
        }
    }
}

/// A read that has no value: a part of an address was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TornRead;

impl Object {
    /// What a variable without a name has in place of an alignment that names a call of
    /// `setjmp`.
    pub(crate) const JUMP_POINT: u8 = 14;

    /// An object of `size` bytes, all zero.
    pub fn zeroed(kind: Kind, size: usize, log2_align: u8, site: u32) -> Object {
        let (bytes, marks) = (vec![0; size], Vec::new());
        Object { kind, is_live: true, forgotten: None, log2_align, site, bytes, marks }
    }

    /// An object of which nothing is held but that it exists: whatever is read from it is
    /// anything, whatever is written to it is dropped, and nobody knows its size.
    pub fn of_unknown_size(kind: Kind, site: u32) -> Object {
        Object { forgotten: Some(UNKNOWN_SIZE), ..Object::zeroed(kind, 0, 0, site) }
    }

    /// Is nothing held of what it contains?
    pub fn is_forgotten(&self) -> bool {
        self.forgotten.is_some()
    }

    /// Does nobody know its size?
    pub fn has_unknown_size(&self) -> bool {
        self.forgotten == Some(UNKNOWN_SIZE)
    }

    /// Holds nothing any more of what it contains but its size.
    pub(super) fn forget(&mut self) {
        self.forgotten = Some(self.size());
        self.log2_align = 0;
        self.bytes.clear();
        self.marks.clear();
    }

    /// An object of `size` bytes that have no value.
    pub fn undefined(kind: Kind, size: usize, log2_align: u8, site: u32) -> Object {
        let mut object = Object::zeroed(kind, size, log2_align, site);
        if size > 0 {
            object.marks.push(Mark { at: 0, len: size as u32, kind: MarkKind::Undef });
        }
        object
    }

    /// A variable with its first contents; `site` is its number.
    pub fn of_variable(variable: &Variable, site: u32) -> Object {
        let log2_align = variable.align.max(1).ilog2() as u8;
        let mut object = Object::zeroed(Kind::Variable, variable.size as usize, log2_align, site);
        for &(at, len, value) in &variable.contents {
            object.write(at as u32, len, value);
        }
        object
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// May it be accessed?
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Its alignment as a power of two.
    pub fn log2_align(&self) -> u8 {
        self.log2_align
    }

    /// Where it comes from: the place where it was allocated, or the number of the
    /// variable.
    pub fn site(&self) -> u32 {
        self.site
    }

    /// How many bytes it has.
    pub fn size(&self) -> u32 {
        self.forgotten.unwrap_or(self.bytes.len() as u32)
    }

    /// Its bytes; those of a value that is relative to something hold the offset.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What some of its bytes are more than numbers, in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Is every byte of it a number or part of an address?
    pub fn is_known(&self) -> bool {
        self.marks.iter().all(|mark| mark.kind.base().is_some())
    }

    /// Is it memory from `malloc` and its kin that was not freed?
    pub fn is_unfreed(&self) -> bool {
        self.is_live && self.kind == Kind::Heap
    }

    /// Ends its life; what it held is gone, its size is kept for messages.
    pub(super) fn kill(&mut self) {
        self.is_live = false;
        self.bytes.iter_mut().for_each(|byte| *byte = 0);
        self.marks.clear();
    }

    /// The value of `width` bits in `len` bytes from `at` on, which must lie within.
    ///
    /// # Errors
    /// A part of an address is not a value.
    pub fn read(&self, at: u32, len: u32, width: u32) -> Result<Value, TornRead> {
        if self.is_forgotten() {
            return Ok(Value::undefined(width));
        }
        let bits = self.number(at, len) & mask(width);
        let end = at + len;
        let first = self.marks.partition_point(|mark| mark.at + mark.len <= at);
        let mut value = Value::number(bits);
        for mark in self.marks[first..].iter().take_while(|mark| mark.at < end) {
            let is_exact = mark.at == at && mark.len == len;
            match mark.kind {
                MarkKind::Undef => {
                    let (from, to) = (mark.at.max(at) - at, (mark.at + mark.len).min(end) - at);
                    value.undef |= mask(to * 8) & !mask(from * 8);
                }
                MarkKind::Relative(base) if is_exact => value.base = base,
                MarkKind::Partial(undef) => {
                    value.undef |= match mark.at >= at {
                        true => undef << (8 * (mark.at - at)),
                        false => undef >> (8 * (at - mark.at)),
                    };
                }
                _ => return Err(TornRead),
            }
        }
        value.undef &= mask(width);
        value.bits &= !value.undef;
        Ok(value)
    }

    /// Writes a value to `len` bytes from `at` on, which must lie within.
    pub fn write(&mut self, at: u32, len: u32, value: Value) {
        if self.is_forgotten() {
            return;
        }
        self.unmark(at, len);
        let bytes = value.bits.to_le_bytes();
        self.bytes[at as usize..(at + len) as usize].copy_from_slice(&bytes[..len as usize]);
        let kind = if value.base != Base::NUMBER && value.undef != 0 {
            // An address somewhere in an object: memory holds nothing of it.
            MarkKind::Undef
        } else if value.base != Base::NUMBER {
            MarkKind::Relative(value.base)
        } else if value.undef == 0 {
            return;
        } else if value.undef == mask(len * 8) {
            MarkKind::Undef
        } else {
            MarkKind::Partial(value.undef)
        };
        self.mark(Mark { at, len, kind });
    }

    /// Copies `len` bytes with their marks from `from` (at `from_at`) to `at`.
    pub fn copy_from(&mut self, at: u32, from: &Object, from_at: u32, len: u32) {
        if self.is_forgotten() {
            return;
        }
        self.unmark(at, len);
        if from.is_forgotten() && len == 0 {
            return;
        }
        if from.is_forgotten() {
            self.bytes[at as usize..(at + len) as usize].fill(0);
            self.mark(Mark { at, len, kind: MarkKind::Undef });
            return;
        }
        let source = &from.bytes[from_at as usize..(from_at + len) as usize];
        self.bytes[at as usize..(at + len) as usize].copy_from_slice(source);
        let from_end = from_at + len;
        let first = from.marks.partition_point(|mark| mark.at + mark.len <= from_at);
        for mark in from.marks[first..].iter().take_while(|mark| mark.at < from_end) {
            let (start, end) = (mark.at.max(from_at), (mark.at + mark.len).min(from_end));
            let is_whole = start == mark.at && end == mark.at + mark.len;
            let kind = match mark.kind {
                kind if is_whole => kind,
                kind => part_of(kind, start - mark.at, end - start),
            };
            self.mark(Mark { at: start - from_at + at, len: end - start, kind });
        }
    }

    /// Says of what was never set that it has a value which nobody knows.
    pub(super) fn tear_unset(&mut self) {
        for mark in &mut self.marks {
            if mark.kind == MarkKind::Undef {
                mark.kind = MarkKind::Torn;
            }
        }
    }

    /// Sets `len` bytes from `at` on to `byte`.
    pub fn fill(&mut self, at: u32, len: u32, byte: u8) {
        if self.is_forgotten() {
            return;
        }
        self.unmark(at, len);
        self.bytes[at as usize..(at + len) as usize].fill(byte);
    }

    /// The bases that its values are relative to.
    pub(super) fn bases_mut(&mut self) -> impl Iterator<Item = &mut Base> {
        self.marks.iter_mut().filter_map(|mark| match &mut mark.kind {
            MarkKind::Relative(base) => Some(base),
            _ => None,
        })
    }

    /// The bases that its values are relative to.
    pub fn bases(&self) -> impl Iterator<Item = Base> + '_ {
        self.marks.iter().filter_map(|mark| mark.kind.base())
    }

    /// The bases of its values that may be handles of threads: all but owners of locks.
    pub fn handles(&self) -> impl Iterator<Item = Base> + '_ {
        self.marks.iter().filter_map(|mark| {
            let is_owner = || self.number(mark.at, mark.len.min(8)) == OWNER;
            mark.kind.base().filter(|_| !is_owner())
        })
    }

    fn number(&self, at: u32, len: u32) -> u64 {
        let mut bytes = [0; 8];
        bytes[..len as usize].copy_from_slice(&self.bytes[at as usize..(at + len) as usize]);
        u64::from_le_bytes(bytes)
    }

    /// Adds a mark where none is; neighbours without a value become one.
    fn mark(&mut self, mark: Mark) {
        let idx = self.marks.partition_point(|other| other.at < mark.at);
        self.marks.insert(idx, mark);
        if mark.kind == MarkKind::Undef {
            self.join(idx);
            if idx > 0 {
                self.join(idx - 1);
            }
        }
    }

    /// Joins marks `idx` and `idx + 1` if both mark neighbours without a value.
    fn join(&mut self, idx: usize) {
        let Some(&next) = self.marks.get(idx + 1) else { return };
        let this = &mut self.marks[idx];
        let are_undef = this.kind == MarkKind::Undef && next.kind == MarkKind::Undef;
        if are_undef && this.at + this.len == next.at {
            this.len += next.len;
            self.marks.remove(idx + 1);
        }
    }

    /// Removes marks from some bytes; what is left of a value is torn.
    fn unmark(&mut self, at: u32, len: u32) {
        let end = at + len;
        let mut idx = self.marks.partition_point(|mark| mark.at + mark.len <= at);
        while idx < self.marks.len() && self.marks[idx].at < end {
            let mark = self.marks.remove(idx);
            let mark_end = mark.at + mark.len;
            if mark.at < at {
                let len = at - mark.at;
                let kind = part_of(mark.kind, 0, len);
                self.marks.insert(idx, Mark { at: mark.at, len, kind });
                idx += 1;
            }
            if mark_end > end {
                let len = mark_end - end;
                let kind = part_of(mark.kind, end - mark.at, len);
                self.marks.insert(idx, Mark { at: end, len, kind });
                idx += 1;
            }
        }
    }
}

/// What `len` bytes of a mark are, from byte `from` of it on.
fn part_of(kind: MarkKind, from: u32, len: u32) -> MarkKind {
    match kind {
        MarkKind::Undef => MarkKind::Undef,
        MarkKind::Partial(undef) => MarkKind::Partial(undef >> (8 * from) & mask(8 * len)),
        MarkKind::Relative(_) | MarkKind::Torn => MarkKind::Torn,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Object, TornRead};
    use crate::value::{Origin, Value};

    #[test]
    fn a_fresh_object_has_no_value_and_gets_one_byte_by_byte() {
        let mut object = Object::undefined(Kind::Heap, 8, 3, 0);
        assert_eq!(object.read(0, 4, 32), Ok(Value::undefined(32)));
        object.write(1, 1, Value::number(7));
        let read = object.read(0, 4, 32).expect("no address is torn");
        assert_eq!((read.bits, read.undef), (7 << 8, 0xffff_00ff));
        for at in [0, 2, 3] {
            object.write(at, 1, Value::ZERO);
        }
        assert_eq!(object.read(0, 4, 32), Ok(Value::number(7 << 8)));
        assert_eq!(object.marks.len(), 1);
    }

    #[test]
    fn an_address_is_read_whole_or_not_at_all() {
        let mut object = Object::zeroed(Kind::Heap, 16, 3, 0);
        let address = Value::address(Origin::Shared(4), 12);
        object.write(0, 8, address);
        assert_eq!(object.read(0, 8, 64), Ok(address));
        assert_eq!(object.read(0, 4, 32), Err(TornRead));
        object.write(4, 4, Value::number(1));
        assert_eq!(object.read(0, 8, 64), Err(TornRead));
        assert_eq!(object.read(4, 4, 32), Ok(Value::number(1)));
        object.write(0, 8, Value::number(9));
        assert_eq!(object.read(0, 8, 64), Ok(Value::number(9)));
        assert!(object.marks.is_empty());
    }

    #[test]
    fn copies_keep_addresses_and_what_has_no_value() {
        let mut from = Object::undefined(Kind::Heap, 24, 3, 0);
        let address = Value::address(Origin::Private(2), 0);
        from.write(8, 8, address);
        let mut to = Object::zeroed(Kind::Heap, 24, 3, 0);
        to.copy_from(0, &from, 0, 24);
        assert_eq!(to.read(8, 8, 64), Ok(address));
        assert_eq!(to.read(0, 8, 64), Ok(Value::undefined(64)));
        to.copy_from(16, &from, 12, 8);
        assert_eq!(to.read(16, 4, 32), Err(TornRead));
        assert_eq!(to.read(20, 4, 32), Ok(Value::undefined(32)));
    }

    #[test]
    fn values_with_some_bits_missing_come_back_as_they_were() {
        let mut object = Object::zeroed(Kind::Stack, 4, 2, 0);
        let value = Value { bits: 1, undef: 0xfffe, ..Value::ZERO };
        object.write(0, 4, value);
        assert_eq!(object.read(0, 4, 32), Ok(value));
    }

    #[test]
    fn a_part_of_a_value_with_some_bits_missing_can_be_read_and_written() {
        let mut object = Object::zeroed(Kind::Stack, 8, 3, 0);
        object.write(0, 8, Value { bits: 5, undef: 0xffff_ffff_0000_0000, ..Value::ZERO });
        assert_eq!(object.read(0, 4, 32), Ok(Value::number(5)));
        assert_eq!(object.read(4, 4, 32), Ok(Value::undefined(32)));
        object.write(4, 4, Value::number(9));
        assert_eq!(object.read(0, 8, 64), Ok(Value::number(9 << 32 | 5)));
    }
}
