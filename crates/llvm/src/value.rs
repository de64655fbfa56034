//! Values as the machine computes with them: numbers, addresses, and numbers that
//! are not known.
//!
//! An address is an object and an offset; nobody knows where objects lie, so a
//! program that depends on it is refused. A symbolic input is an
//! object too, a *symbol* (see `machine::symbol`), and the offset is what was
//! added to it. So both travel through registers, memory and integers alike.

/// A value of at most 64 bits. Bits above its width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    /// What `bits` is relative to.
    pub base: Base,
    /// The number, or the offset from the base.
    pub bits: u64,
    /// Which of the bits mean nothing; those are zero in `bits`.
    pub undef: u64,
}

/// What a value is relative to: nothing, for plain numbers, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base(u32);

/// A [`Base`] taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A plain number; the null pointer is zero.
    Number,
    /// A function, by its number in [`crate::code::Code::functions`].
    Function(u32),
    /// Memory that nobody can write, by its number in [`crate::code::Code::constants`].
    Constant(u32),
    /// An object of the shared store.
    Shared(u32),
    /// An object of the thread's own store.
    Private(u32),
    /// The calling thread's copy of a variable, by its number in
    /// [`crate::code::Code::thread_locals`]; in code only, never in a store.
    ThreadLocal(u32),
    /// Some thread that was created at a place, where threads have no names: what a
    /// `pthread_t` is then.
    PthreadT(u32),
}

const TAG_SHIFT: u32 = 28;

impl Base {
    /// Relative to nothing.
    pub const NUMBER: Base = Base(0);

    /// The base with this origin.
    ///
    /// # Panics
    /// For object numbers of 2^28 and more; whoever makes objects has a bound.
    pub fn new(origin: Origin) -> Base {
        let (tag, number) = match origin {
            Origin::Number => (0, 0),
            Origin::Function(number) => (1, number),
            Origin::Constant(number) => (2, number),
            Origin::Shared(number) => (3, number),
            Origin::Private(number) => (4, number),
            Origin::ThreadLocal(number) => (5, number),
            Origin::PthreadT(place) => (6, place),
        };
        assert!(number < 1 << TAG_SHIFT, "there are fewer than 2^28 objects");
        Base(tag << TAG_SHIFT | number)
    }

    /// What it is.
    pub fn origin(self) -> Origin {
        let number = self.0 & ((1 << TAG_SHIFT) - 1);
        match self.0 >> TAG_SHIFT {
            0 => Origin::Number,
            1 => Origin::Function(number),
            2 => Origin::Constant(number),
            3 => Origin::Shared(number),
            4 => Origin::Private(number),
            5 => Origin::ThreadLocal(number),
            _ => Origin::PthreadT(number),
        }
    }

    /// As a number, for stores.
    pub fn to_bits(self) -> u32 {
        self.0
    }

    /// From [`Base::to_bits`].
    pub fn from_bits(bits: u32) -> Base {
        Base(bits)
    }
}

impl Value {
    /// Zero, false, the null pointer.
    pub const ZERO: Value = Value { base: Base::NUMBER, bits: 0, undef: 0 };

    /// A number; bits above the width must be zero.
    pub const fn number(bits: u64) -> Value {
        Value { base: Base::NUMBER, bits, undef: 0 }
    }

    /// Nothing is known of any of `width` bits.
    pub fn undefined(width: u32) -> Value {
        Value { base: Base::NUMBER, bits: 0, undef: mask(width) }
    }

    /// An address.
    pub fn address(origin: Origin, offset: u64) -> Value {
        Value { base: Base::new(origin), bits: offset, undef: 0 }
    }

    /// Is it a number, all of whose bits mean something?
    pub fn as_number(self) -> Option<u64> {
        (self.base == Base::NUMBER && self.undef == 0).then_some(self.bits)
    }

    /// The number of the function that it is the address of, if it is one.
    pub fn as_function(self) -> Option<u32> {
        match self.base.origin() {
            Origin::Function(number) if self.bits == 0 && self.undef == 0 => Some(number),
            _ => None,
        }
    }

    /// Does every bit mean something?
    pub fn is_defined(self) -> bool {
        self.undef == 0
    }
}

/// A word with the lowest `width` bits set.
pub const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// `bits` of `width` bits as a signed number.
pub fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    (bits << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::{Base, Origin, mask, signed};

    #[test]
    fn bases_come_apart_as_they_were_put_together() {
        let origins = [
            Origin::Number,
            Origin::Function(7),
            Origin::Constant(0),
            Origin::Shared(12),
            Origin::Private((1 << 28) - 1),
            Origin::ThreadLocal(3),
            Origin::PthreadT(5),
        ];
        for origin in origins {
            assert_eq!(Base::new(origin).origin(), origin);
            assert_eq!(Base::from_bits(Base::new(origin).to_bits()).origin(), origin);
        }
    }

    #[test]
    fn numbers_are_signed_by_their_width() {
        assert_eq!(signed(0xff, 8), -1);
        assert_eq!(signed(0x7f, 8), 127);
        assert_eq!(signed(u64::MAX, 64), -1);
        assert_eq!(mask(64), u64::MAX);
        assert_eq!(mask(1), 1);
    }
}
