//! Constants: operands and first contents of variables.

use super::instruction::{BinaryOp, CastOp, IntPredicate};
use super::{SymbolId, TypeId};

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedConstant {
    /// Its type.
    pub ty: TypeId,
    /// Its value.
    pub value: Constant,
}

/// A constant; its type is known from where it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer, its value modulo two to the number of its bits. `true` is 1.
    Int(u128),
    /// A floating-point number, as the bits of its own width; wider ones are
    /// rounded to `double`'s.
    Float(u64),
    /// The null pointer.
    Null,
    /// Any value, maybe another one at each use.
    Undef,
    /// The result of something that must not be used.
    Poison,
    /// All bits zero, of any type.
    Zero,
    /// The members of an array, a struct or a vector.
    Aggregate(Vec<TypedConstant>),
    /// The members of an array of bytes.
    Bytes(Vec<u8>),
    /// The address of a symbol.
    Symbol(SymbolId),
    /// Something computed from other constants.
    Expr(Box<ConstExpr>),
    /// Read, but not understood; the text says what it was. It is refused where it
    /// is used.
    Unsupported(String),
}

/// Something computed from constants.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstExpr {
    /// `getelementptr`.
    Element {
        /// The type that the indices walk through.
        source: TypeId,
        /// Where they start.
        base: TypedConstant,
        /// The indices.
        indices: Vec<TypedConstant>,
    },
    /// A conversion to the type of the whole.
    Cast(CastOp, TypedConstant),
    /// Arithmetic.
    Binary(BinaryOp, TypedConstant, TypedConstant),
    /// A comparison of integers or pointers.
    Compare(IntPredicate, TypedConstant, TypedConstant),
    /// A choice.
    Select(TypedConstant, TypedConstant, TypedConstant),
}
