//! Loads, stores, and everything else on bits in memory.
//!
//! A field at a fixed place that lies within one word is loaded and stored with the
//! whole word: all accesses to a word then have one address and one size, so that
//! the generator merges loads and the machine forwards stores to loads. Other fields
//! use the narrowest access that holds them wherever they start in a byte.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AliasRegion, InstBuilder, MemFlags, Type, Value, types};
use model::rule_code::{Address, Base, Reg};

use super::{Body, word_type};
use crate::bits;

/// Stretches of up to this many pieces are copied, cleared and compared without a
/// call.
const PIECES_INLINE: u32 = 4;

/// Widest piece that may start at any bit.
const PIECE_BITS: u32 = 56;

/// Of the state that is expanded, at fixed places: nothing ever changes it.
pub(super) fn state_flags() -> MemFlags {
    let region = Some(AliasRegion::Table);
    MemFlags::trusted().with_readonly().with_can_move().with_alias_region(region)
}

/// Of everything that changes.
pub(super) fn next_flags() -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(AliasRegion::Heap))
}

/// Of the state at places that are computed. Such loads stay behind the checks of
/// their index.
fn indexed_state_flags() -> MemFlags {
    MemFlags::new().with_notrap().with_alias_region(Some(AliasRegion::Table))
}

/// Of everything that changes, at places that are computed.
fn indexed_flags() -> MemFlags {
    MemFlags::new().with_notrap().with_alias_region(Some(AliasRegion::Heap))
}

/// A place, with as much of it as is known.
#[derive(Clone, Copy)]
enum Place {
    /// Bits from a pointer to words.
    Fixed { pointer: Value, bit: u32, flags: MemFlags },
    /// Bits, in a register, from a pointer, or from address zero.
    Indexed { pointer: Option<Value>, bit: Value, flags: MemFlags },
}

/// Where a field lies in an access to memory.
struct Access {
    pointer: Value,
    offset: i32,
    kind: Type,
    flags: MemFlags,
    shift: Shift,
}

/// The lowest bit of a field in an access.
#[derive(Clone, Copy)]
enum Shift {
    Fixed(u32),
    Computed(Value),
}

impl Body<'_, '_, '_> {
    pub(super) fn load_op(&mut self, dst: Reg, address: &Address, width: u32) {
        let place = self.place(address);
        let value = self.load(place, width);
        self.set(dst, value);
    }

    pub(super) fn store_op(&mut self, address: &Address, src: Reg, width: u32) {
        let value = self.get(src);
        let place = self.place(address);
        self.store(place, width, value);
    }

    pub(super) fn copy(&mut self, to: &Address, from: &Address, n_bits: u32) {
        if n_bits > PIECES_INLINE * PIECE_BITS {
            let (to, from) = (self.absolute(to), self.absolute(from));
            let n_bits = self.iconst(n_bits.into());
            self.call_host(bits::copy as *const (), &[to, from, n_bits], false);
            return;
        }
        let (to, from) = (self.place(to), self.place(from));
        for (start, width) in pieces(n_bits) {
            let (to, from) = (self.moved(to, start), self.moved(from, start));
            let value = self.load(from, width);
            self.store(to, width, value);
        }
    }

    pub(super) fn clear(&mut self, address: &Address, n_bits: u32) {
        if n_bits > PIECES_INLINE * PIECE_BITS {
            let place = self.absolute(address);
            let n_bits = self.iconst(n_bits.into());
            self.call_host(bits::clear as *const (), &[place, n_bits], false);
            return;
        }
        let place = self.place(address);
        let zero = self.iconst(0);
        for (start, width) in pieces(n_bits) {
            let place = self.moved(place, start);
            self.store(place, width, zero);
        }
    }

    pub(super) fn equal(&mut self, dst: Reg, (left, right): (&Address, &Address), n_bits: u32) {
        if n_bits > PIECES_INLINE * PIECE_BITS {
            let (left, right) = (self.absolute(left), self.absolute(right));
            let n_bits = self.iconst(n_bits.into());
            let value = self.call_host(bits::equal as *const (), &[left, right, n_bits], true);
            return self.set(dst, value.expect("the function returns a value"));
        }
        let (left, right) = (self.place(left), self.place(right));
        let mut difference = self.iconst(0);
        for (start, width) in pieces(n_bits) {
            let (left, right) = (self.moved(left, start), self.moved(right, start));
            let (left, right) = (self.load(left, width), self.load(right, width));
            let piece = self.unit.builder.ins().bxor(left, right);
            difference = self.unit.builder.ins().bor(difference, piece);
        }
        let flag = self.unit.builder.ins().icmp_imm(IntCC::Equal, difference, 0);
        let value = self.unit.builder.ins().uextend(types::I64, flag);
        self.set(dst, value);
    }

    pub(super) fn sort(&mut self, address: &Address, stride: u32, n: u32) {
        if n == 0 || stride == 0 {
            return;
        }
        let place = self.absolute(address);
        let (stride, n) = (self.iconst(stride.into()), self.iconst(n.into()));
        self.call_host(bits::sort as *const (), &[place, stride, n], false);
    }

    /// The absolute bit address.
    pub(super) fn absolute(&mut self, address: &Address) -> Value {
        match self.place(address) {
            Place::Fixed { pointer, bit, .. } => {
                let start = self.unit.builder.ins().ishl_imm(pointer, 3);
                self.unit.builder.ins().iadd_imm(start, i64::from(bit))
            }
            Place::Indexed { pointer: Some(pointer), bit, .. } => {
                let start = self.unit.builder.ins().ishl_imm(pointer, 3);
                self.unit.builder.ins().iadd(start, bit)
            }
            Place::Indexed { pointer: None, bit, .. } => bit,
        }
    }

    fn place(&mut self, address: &Address) -> Place {
        let pointer = match address.base {
            Base::State => Some(self.state),
            Base::Next => Some(self.next()),
            // Without local memory there is nothing that an address could name.
            Base::Frame => Some(self.frame.unwrap_or(self.state)),
            Base::Reference(_) => None,
        };
        let of_state = address.base == Base::State;
        let start = match (address.base, address.index) {
            (Base::Reference(start), _) => self.get(start),
            (_, Some(index)) => self.get(index),
            (_, None) => {
                let pointer = pointer.expect("every base but a reference has a pointer");
                let flags = if of_state { state_flags() } else { next_flags() };
                return Place::Fixed { pointer, bit: address.bit, flags };
            }
        };
        let mut bit = self.unit.builder.ins().iadd_imm(start, i64::from(address.bit));
        if let (Base::Reference(_), Some(index)) = (address.base, address.index) {
            let index = self.get(index);
            bit = self.unit.builder.ins().iadd(bit, index);
        }
        let flags = if of_state { indexed_state_flags() } else { indexed_flags() };
        Place::Indexed { pointer, bit, flags }
    }

    /// `n_bits` further on.
    fn moved(&mut self, place: Place, n_bits: u32) -> Place {
        match place {
            Place::Fixed { pointer, bit, flags } => {
                Place::Fixed { pointer, bit: bit + n_bits, flags }
            }
            Place::Indexed { pointer, bit, flags } => {
                let bit = self.unit.builder.ins().iadd_imm(bit, i64::from(n_bits));
                Place::Indexed { pointer, bit, flags }
            }
        }
    }

    fn access(&mut self, place: Place, width: u32) -> Access {
        match place {
            Place::Fixed { pointer, bit, flags } => fixed_access(pointer, bit, flags, width),
            Place::Indexed { pointer, bit, flags } => {
                let byte = self.unit.builder.ins().ushr_imm(bit, 3);
                let pointer = match pointer {
                    Some(pointer) => self.unit.builder.ins().iadd(pointer, byte),
                    None => byte,
                };
                // Wider fields start with a byte.
                let shift = if width > PIECE_BITS {
                    Shift::Fixed(0)
                } else {
                    Shift::Computed(self.unit.builder.ins().band_imm(bit, 7))
                };
                let n_bytes = if width == 1 { 1 } else { n_bytes_for(width + 7) };
                Access { pointer, offset: 0, kind: word_type(n_bytes), flags, shift }
            }
        }
    }

    /// All bits of an access, as a word.
    fn load_word(&mut self, access: &Access) -> Value {
        let Access { pointer, offset, kind, flags, .. } = *access;
        let word = self.unit.builder.ins().load(kind, flags, pointer, offset);
        if kind == types::I64 {
            return word;
        }
        self.unit.builder.ins().uextend(types::I64, word)
    }

    fn load(&mut self, place: Place, width: u32) -> Value {
        let access = self.access(place, width);
        let word = self.load_word(&access);
        let (field, rest) = match access.shift {
            Shift::Fixed(0) => (word, access.kind.bits()),
            Shift::Fixed(shift) => {
                let field = self.unit.builder.ins().ushr_imm(word, i64::from(shift));
                (field, access.kind.bits() - shift)
            }
            Shift::Computed(shift) => (self.unit.builder.ins().ushr(word, shift), 64),
        };
        if rest == width {
            return field;
        }
        let mask = self.iconst(bits::low_bits(width).cast_signed());
        self.unit.builder.ins().band(field, mask)
    }

    /// Stores a value that has no bits above `width`.
    fn store(&mut self, place: Place, width: u32, value: Value) {
        let access = self.access(place, width);
        let Access { pointer, offset, kind, flags, shift } = access;
        let word = if kind.bits() == width {
            value
        } else {
            let word = self.load_word(&access);
            let mask = bits::low_bits(width);
            let (kept, field) = match shift {
                Shift::Fixed(shift) => {
                    let mask = self.iconst((!(mask << shift)).cast_signed());
                    let kept = self.unit.builder.ins().band(word, mask);
                    (kept, self.unit.builder.ins().ishl_imm(value, i64::from(shift)))
                }
                Shift::Computed(shift) => {
                    let mask = self.iconst(mask.cast_signed());
                    let mask = self.unit.builder.ins().ishl(mask, shift);
                    let kept = self.unit.builder.ins().band_not(word, mask);
                    (kept, self.unit.builder.ins().ishl(value, shift))
                }
            };
            self.unit.builder.ins().bor(kept, field)
        };
        let word = match kind {
            types::I64 => word,
            _ => self.unit.builder.ins().ireduce(kind, word),
        };
        self.unit.builder.ins().store(flags, word, pointer, offset);
    }
}

/// The whole word where the field lies in one, otherwise the fewest bytes.
fn fixed_access(pointer: Value, bit: u32, flags: MemFlags, width: u32) -> Access {
    let byte_offset = |byte: u32| i32::try_from(byte).expect("states and frames are small enough");
    if bit % 64 + width <= 64 {
        let offset = byte_offset(bit / 64 * 8);
        return Access { pointer, offset, kind: types::I64, flags, shift: Shift::Fixed(bit % 64) };
    }
    let kind = word_type(n_bytes_for(bit % 8 + width));
    let mut unaligned = MemFlags::new().with_notrap().with_alias_region(flags.alias_region());
    if flags.readonly() {
        unaligned = unaligned.with_readonly().with_can_move();
    }
    let shift = Shift::Fixed(bit % 8);
    Access { pointer, offset: byte_offset(bit / 8), kind, flags: unaligned, shift }
}

/// Bytes of the smallest access with at least `n_bits` bits.
fn n_bytes_for(n_bits: u32) -> u32 {
    n_bits.div_ceil(8).next_power_of_two().min(8)
}

/// Starts and widths of the pieces of a stretch.
fn pieces(n_bits: u32) -> impl Iterator<Item = (u32, u32)> {
    let starts = (0..n_bits.div_ceil(PIECE_BITS)).map(|idx| idx * PIECE_BITS);
    starts.map(move |start| (start, (n_bits - start).min(PIECE_BITS)))
}
