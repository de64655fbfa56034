//! The arithmetic types of C and what they are converted to.

use crate::rng::Rng;

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer of 8 to 64 bits.
    Int {
        /// How many.
        bits: u32,
        /// Has it a sign?
        is_signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

/// What `int` is.
pub const INT: Type = Type::Int { bits: 32, is_signed: true };
/// What all results are mixed into.
pub const U64: Type = Type::Int { bits: 64, is_signed: false };

impl Type {
    /// Any integer type, or rarely `_Bool`.
    pub fn integer(rng: &mut Rng) -> Type {
        if rng.chance(5) {
            return Type::Bool;
        }
        Type::Int { bits: 8 << rng.below(4), is_signed: rng.chance(60) }
    }

    /// Any type.
    pub fn any(rng: &mut Rng) -> Type {
        match rng.below(20) {
            0 => Type::Double,
            1 => Type::Float,
            _ => Type::integer(rng),
        }
    }

    /// Its name, which the beginning of every program defines.
    pub fn name(self) -> &'static str {
        match self {
            Type::Int { bits: 8, is_signed: true } => "i8",
            Type::Int { bits: 8, is_signed: false } => "u8",
            Type::Int { bits: 16, is_signed: true } => "i16",
            Type::Int { bits: 16, is_signed: false } => "u16",
            Type::Int { bits: 32, is_signed: true } => "i32",
            Type::Int { bits: 32, is_signed: false } => "u32",
            Type::Int { is_signed: true, .. } => "i64",
            Type::Int { is_signed: false, .. } => "u64",
            Type::Bool => "_Bool",
            Type::Float => "float",
            Type::Double => "double",
        }
    }

    /// Is it `float` or `double`?
    pub fn is_floating(self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }

    /// What arithmetic makes of it first.
    pub fn promoted(self) -> Type {
        match self {
            Type::Int { bits, .. } if bits < 32 => INT,
            Type::Bool => INT,
            other => other,
        }
    }

    /// The type in which two operands meet.
    pub fn common(self, other: Type) -> Type {
        match (self.promoted(), other.promoted()) {
            (Type::Double, _) | (_, Type::Double) => Type::Double,
            (Type::Float, _) | (_, Type::Float) => Type::Float,
            (
                Type::Int { bits: left, is_signed: signed_left },
                Type::Int { bits: right, is_signed: signed_right },
            ) => {
                let bits = left.max(right);
                // Of the widest, one without a sign wins.
                let is_unsigned = left == bits && !signed_left || right == bits && !signed_right;
                Type::Int { bits, is_signed: !is_unsigned }
            }
            _ => INT,
        }
    }

    /// The same width without a sign.
    pub fn unsigned(self) -> Type {
        match self {
            Type::Int { bits, .. } => Type::Int { bits, is_signed: false },
            other => other,
        }
    }

    /// Has it a sign, so that it can overflow?
    pub fn is_signed(self) -> bool {
        matches!(self, Type::Int { is_signed: true, .. })
    }

    /// Bits of an integer type after promotion.
    pub fn width(self) -> u32 {
        match self.promoted() {
            Type::Int { bits, .. } => bits,
            _ => 32,
        }
    }
}
