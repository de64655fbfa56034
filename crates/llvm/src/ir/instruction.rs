//! Instructions.

use super::constant::{Constant, TypedConstant};
use super::function::{BlockId, LocalId};
use super::{DebugId, TypeId};

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Where its value goes; `None` when it has none.
    pub result: Option<LocalId>,
    /// What it does.
    pub op: Op,
    /// Its line in the IR text, for refusals.
    pub line: u32,
    /// The place in the source: a [`super::DebugLocation`].
    pub location: Option<DebugId>,
}

/// An operand: a value of the function, or a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A parameter or the result of an instruction.
    Local(LocalId),
    /// A constant.
    Constant(Constant),
}

/// An operand with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedOperand {
    /// Its type.
    pub ty: TypeId,
    /// The operand.
    pub value: Operand,
}

/// What an instruction does. Types are those of operands; the type of the result
/// stands with the function's locals.
#[derive(Clone, Debug)]
pub enum Op {
    /// `ret`.
    Return(Option<TypedOperand>),
    /// `br label`.
    Jump(BlockId),
    /// `br i1`.
    Branch {
        /// The condition.
        condition: Operand,
        /// Where it goes on when it is true, and when it is false.
        targets: (BlockId, BlockId),
    },
    /// `switch`.
    Switch {
        /// The value.
        value: TypedOperand,
        /// Where it goes on for these values.
        cases: Vec<(u128, BlockId)>,
        /// Where it goes on for others.
        default: BlockId,
    },
    /// `indirectbr`.
    IndirectBranch,
    /// `unreachable`.
    Unreachable,
    /// `call`, or `invoke` with its two ways on.
    Call {
        /// Who is called.
        callee: Callee,
        /// The type of the result.
        result_ty: TypeId,
        /// With what; the second is there for what is passed by value.
        arguments: Vec<(TypedOperand, Option<ByValue>)>,
        /// For `invoke`: where it goes on after a return, and after an unwinding.
        invoke: Option<(BlockId, BlockId)>,
    },
    /// `resume`.
    Resume(TypedOperand),
    /// `landingpad`.
    LandingPad {
        /// Is it entered whatever was raised?
        is_cleanup: bool,
        /// What its clauses catch.
        catches: Catches,
    },
    /// Arithmetic on two integers, floats or vectors of them.
    Binary {
        /// Which.
        op: BinaryOp,
        /// The type of both.
        ty: TypeId,
        /// Left and right.
        operands: (Operand, Operand),
        /// Which overflows are forbidden.
        flags: OverflowFlags,
    },
    /// Arithmetic on one float.
    Unary(UnaryOp, TypedOperand),
    /// `icmp`.
    Compare {
        /// Which.
        predicate: IntPredicate,
        /// The type of both.
        ty: TypeId,
        /// Left and right.
        operands: (Operand, Operand),
    },
    /// `fcmp`.
    FloatCompare {
        /// Which.
        predicate: FloatPredicate,
        /// The type of both.
        ty: TypeId,
        /// Left and right.
        operands: (Operand, Operand),
    },
    /// A conversion.
    Cast {
        /// Which.
        op: CastOp,
        /// What.
        value: TypedOperand,
        /// To what.
        to: TypeId,
    },
    /// `select`.
    Select {
        /// The condition, of type `i1` or a vector of it.
        condition: TypedOperand,
        /// The type of both values.
        ty: TypeId,
        /// The value when it is true, and when it is false.
        values: (Operand, Operand),
    },
    /// `phi`.
    Phi {
        /// The type of the values.
        ty: TypeId,
        /// The value, by the block that it came from.
        incoming: Vec<(Operand, BlockId)>,
    },
    /// `freeze`.
    Freeze(TypedOperand),
    /// `alloca`.
    Alloca {
        /// The type of the memory.
        ty: TypeId,
        /// How many; `None` for one.
        count: Option<TypedOperand>,
        /// Bytes of alignment.
        align: Option<u32>,
    },
    /// `load`.
    Load {
        /// The type read.
        ty: TypeId,
        /// From where.
        pointer: Operand,
        /// How.
        shape: Shape,
    },
    /// `store`.
    Store {
        /// What.
        value: TypedOperand,
        /// Where to.
        pointer: Operand,
        /// How.
        shape: Shape,
    },
    /// `getelementptr`.
    Element {
        /// The type that the indices walk through.
        source: TypeId,
        /// Where they start.
        base: TypedOperand,
        /// The indices.
        indices: Vec<TypedOperand>,
        /// Must the result stay within the object?
        is_inbounds: bool,
    },
    /// `fence`.
    Fence(Ordering),
    /// `cmpxchg`; its result is the old value and whether it was equal.
    CompareExchange {
        /// Where.
        pointer: Operand,
        /// The type of the value.
        ty: TypeId,
        /// The expected value and the new one.
        values: (Operand, Operand),
        /// May it fail for no reason?
        is_weak: bool,
        /// The ordering of a success, and of a failure.
        orderings: (Ordering, Ordering),
    },
    /// `atomicrmw`; its result is the old value.
    ReadModifyWrite {
        /// What it does.
        op: RmwOp,
        /// Where.
        pointer: Operand,
        /// With what.
        value: TypedOperand,
        /// How.
        ordering: Ordering,
    },
    /// `extractvalue`.
    Extract {
        /// From what.
        value: TypedOperand,
        /// The path.
        path: Vec<u32>,
    },
    /// `insertvalue`.
    Insert {
        /// Into what.
        into: TypedOperand,
        /// What.
        value: TypedOperand,
        /// The path.
        path: Vec<u32>,
    },
    /// `va_arg`.
    VariadicArgument {
        /// The list.
        list: TypedOperand,
        /// The type read.
        ty: TypeId,
    },
    /// `extractelement`: from a vector, at an index.
    ExtractElement(TypedOperand, TypedOperand),
    /// `insertelement`: into a vector, a value, at an index.
    InsertElement(TypedOperand, TypedOperand, TypedOperand),
    /// `shufflevector`: of two vectors, by a mask.
    Shuffle(TypedOperand, TypedOperand, TypedConstant),
    /// A debug record or call: this variable has this value or lies at this place
    /// from here on.
    DebugValue {
        /// The value, or the address of the variable.
        value: Option<Operand>,
        /// The variable.
        variable: DebugId,
        /// Is `value` the address?
        is_address: bool,
    },
}

/// Who is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function by name, or a pointer to one.
    Operand(Operand),
    /// Inline assembly.
    Assembly(Assembly),
}

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// What is done.
    pub text: String,
    /// What goes in, what comes out, and what is overwritten.
    pub constraints: String,
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Is it `volatile`?
    pub is_volatile: bool,
    /// Is it atomic, and how?
    pub ordering: Option<Ordering>,
    /// Bytes of alignment that are promised.
    pub align: Option<u32>,
}

/// What is said of an argument that is the address of what is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByValue {
    /// The type of what is passed.
    pub ty: TypeId,
    /// Bytes of alignment, where given.
    pub align: Option<u32>,
}

/// Memory orderings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// `unordered`.
    Unordered,
    /// `monotonic`: C's relaxed.
    Monotonic,
    /// `acquire`.
    Acquire,
    /// `release`.
    Release,
    /// `acq_rel`.
    AcquireRelease,
    /// `seq_cst`.
    SequentiallyConsistent,
}

/// Arithmetic on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the language reference")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Arithmetic on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `fneg`.
    FNeg,
}

/// Which overflows an operation forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OverflowFlags {
    /// `nsw`.
    pub no_signed: bool,
    /// `nuw`.
    pub no_unsigned: bool,
    /// `exact`.
    pub exact: bool,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the language reference")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

/// Comparisons of integers and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the language reference")]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Comparisons of floats: which of the four outcomes make it true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatPredicate {
    /// The left one is less.
    pub less: bool,
    /// They are equal.
    pub equal: bool,
    /// The left one is greater.
    pub greater: bool,
    /// One is not a number.
    pub unordered: bool,
}

/// What `atomicrmw` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the language reference")]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
}

/// What the clauses of a `landingpad` catch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Catches {
    /// Nothing: it has none.
    Nothing,
    /// Everything: the first is `catch ptr null`.
    Everything,
    /// What the personality function decides: types, filters.
    SomeTypes,
}
