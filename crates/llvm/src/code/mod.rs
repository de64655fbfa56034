//! What the machine runs: functions as flat lists of operations over registers.
//!
//! Registers are mutable and hold one scalar each; a struct value takes one for each
//! of its scalars, in order. A local variable whose address goes nowhere is a
//! register as well: that is our promotion of allocas, and what is dead is known
//! from liveness, not from SSA form. Addresses are computed from sizes, so types
//! are gone; names and places are kept for traces.
//!
//! Anything that is read but not understood is an [`Op::Unsupported`], refused only
//! when a run comes there.

mod creation;
mod dump;
mod fork_join;
pub(crate) mod jump_back;
mod literals;
mod live;
mod lower;
mod memory_order;
mod print;
mod promote;
mod reach;
pub mod registers;
mod scopes;
mod shape;
#[cfg(test)]
mod tests;
mod tidy;
mod uses;
mod watch;

pub use dump::dump;
pub use fork_join::ForkJoin;
pub use lower::lower;
pub use memory_order::MemoryOrder;
pub use print::{listing, operation};
pub use watch::Watch;

use std::collections::BTreeMap;

use crate::ir::{FloatPredicate, IntPredicate, RmwOp};
use crate::library::Builtin;
use crate::value::Value;

/// Names a register of a function.
pub type Reg = u32;

/// Index of an operation in its function.
pub type Pc = u32;

/// A linked program.
#[derive(Clone, Debug)]
pub struct Code {
    /// Bytes of a pointer.
    pub pointer_bytes: u32,
    /// All functions, defined or not; [`crate::value::Origin::Function`] counts them.
    pub functions: Vec<FunctionCode>,
    /// Functions with a body that stand in for library functions where a library function
    /// calls those.
    pub stand_ins: BTreeMap<u32, u32>,
    /// Variables that can be written; they are the first objects of the shared store.
    pub globals: Vec<Variable>,
    /// Variables that cannot be written.
    pub constants: Vec<Variable>,
    /// Variables of which every thread has its own.
    pub thread_locals: Vec<Variable>,
    /// Places in the source, each once.
    pub places: Vec<Place>,
    /// Numbers that the program compares with or computes with, each once.
    pub numbers: Vec<u64>,
    /// Number of `main`, if it is defined.
    pub main: Option<u32>,
    /// Functions that run before `main`, in their order.
    pub constructors: Vec<u32>,
    /// Functions that run after `main` has returned or `exit` was called, in their
    /// order.
    pub destructors: Vec<u32>,
    /// Which addresses that come again the program could notice.
    pub watch: Watch,
    /// Loops of `main` that create threads and join all of them.
    pub fork_joins: Vec<ForkJoin>,
}

impl Code {
    /// The function to run where a library function calls this one.
    pub fn stand_in(&self, function: u32) -> u32 {
        self.stand_ins.get(&function).copied().unwrap_or(function)
    }
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionCode {
    /// Its name.
    pub name: String,
    /// What it does; `None` when it is not defined in the program.
    pub body: Option<Body>,
    /// What it is when it is a library function that the machine knows.
    pub builtin: Option<Builtin>,
}

/// What a defined function does.
#[derive(Clone, Debug)]
pub struct Body {
    /// Number of registers.
    pub n_registers: u32,
    /// Bits of each register's scalar, for undefined values.
    pub widths: Vec<u8>,
    /// Registers that arguments go to, one for each scalar.
    pub parameters: Vec<Reg>,
    /// Does it take more arguments?
    pub is_variadic: bool,
    /// Where the address of those goes, if it looks at them.
    pub rest: Option<Reg>,
    /// Is it one step for all other threads (named `__VERIFIER_atomic_...`)?
    pub is_atomic: bool,
    /// The operations; it begins with the first.
    pub ops: Vec<Instr>,
    /// Which registers are C variables.
    pub variables: Vec<RegisterVariable>,
    /// Sets of live registers, each once, ascending.
    pub live_sets: Vec<Box<[Reg]>>,
}

/// An operation with its place.
#[derive(Clone, Debug)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// Where it stands in the source: an index into [`Code::places`].
    pub place: u32,
    /// Registers that are live just before it; an index into [`Body::live_sets`].
    pub live: u32,
    /// Registers that must be kept while a call made by it is running; the same for
    /// everything else.
    pub live_during: u32,
}

impl Instr {
    /// An operation at a place, before it is known what is live there.
    pub fn new(op: Op, place: u32) -> Instr {
        Instr { op, place, live: 0, live_during: 0 }
    }
}

/// A C variable that lives in a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterVariable {
    /// The register.
    pub register: Reg,
    /// Its name.
    pub name: String,
    /// Is it a signed number?
    pub is_signed: bool,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file as the compiler was told; empty when nothing is known.
    pub file: String,
    /// From 1; 0 when nothing is known.
    pub line: u32,
    /// From 1; 0 when nothing is known.
    pub column: u32,
    /// The function it is in.
    pub function: String,
}

impl Place {
    /// File and line, or the function where no line is known.
    pub fn words(&self) -> String {
        match self.line {
            0 => format!("`{}`", self.function),
            line => format!("{}:{line}", self.file),
        }
    }
}

/// A variable with a fixed address.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Bytes of alignment.
    pub align: u32,
    /// Its first contents: at these offsets, values of so many bytes. Everything
    /// else is zero.
    pub contents: Vec<(u64, u32, Value)>,
    /// Is it declared only? Then using it is refused.
    pub is_missing: bool,
    /// Why its first contents are not known, if so. Then using it is refused.
    pub unsupported: Option<String>,
    /// How its contents are shown.
    pub shape: Shape,
}

/// How memory is shown to people: the C type, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number of so many bytes.
    Number {
        /// Its size.
        bytes: u32,
        /// How it is written.
        style: NumberStyle,
    },
    /// A pointer.
    Pointer,
    /// Members: name, offset, shape.
    Record(Vec<(String, u64, Shape)>),
    /// So many elements of this size.
    Array(u64, u64, Box<Shape>),
    /// A lock, a condition variable and the like, by the name of its type.
    Sync(String),
    /// Nothing is known: plain bytes.
    Bytes,
}

/// How a number is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberStyle {
    /// With a sign.
    Signed,
    /// Without.
    Unsigned,
    /// `true` or `false`.
    Bool,
    /// A character where it is printable.
    Char,
    /// A floating-point number.
    Float,
    /// By the names of its values.
    Enumeration(Vec<(String, i64)>),
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Src {
    /// A register.
    Reg(Reg),
    /// A constant; an address where its base says so.
    Value(Value),
}

/// What an operation does. Widths are in bits, 1 to 64.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Copies a value.
    Move(Reg, Src),
    /// Copies several at once: all are read before one is written.
    Moves(Box<[(Reg, Src)]>),
    /// Integer arithmetic.
    Binary(Binary),
    /// Floating-point arithmetic.
    Float(FloatOp),
    /// Compares integers or addresses; the result has one bit.
    Compare {
        /// Which.
        predicate: IntPredicate,
        /// Width of the operands.
        width: u8,
        /// Where the result goes.
        to: Reg,
        /// The operands.
        operands: (Src, Src),
    },
    /// Compares floats.
    FloatCompare {
        /// Which.
        predicate: FloatPredicate,
        /// Width of the operands, 32 or 64.
        width: u8,
        /// Where the result goes.
        to: Reg,
        /// The operands.
        operands: (Src, Src),
    },
    /// Converts.
    Convert {
        /// How.
        conversion: Conversion,
        /// Width before and after.
        widths: (u8, u8),
        /// Where the result goes.
        to: Reg,
        /// What.
        value: Src,
    },
    /// Chooses.
    Select {
        /// Where the result goes.
        to: Reg,
        /// The condition.
        condition: Src,
        /// The value when it is true, and when it is false.
        values: (Src, Src),
    },
    /// Takes some value where bits are undefined.
    Freeze(Reg, Src),
    /// Computes an address: base, plus `offset`, plus signed indices times scales.
    Address {
        /// Where the result goes.
        to: Reg,
        /// Where it starts.
        base: Src,
        /// Bytes to add.
        offset: i64,
        /// Indices with their widths, and the bytes that one counts.
        terms: Box<[(Src, u8, i64)]>,
    },
    /// Memory of the frame; it ends with it.
    Alloca(Alloca),
    /// Ends memory of the frame before that.
    Expire(Src),
    /// Takes away the values of memory of the frame.
    Renew(Src),
    /// Reads memory.
    Load {
        /// Where the value goes.
        to: Reg,
        /// From where.
        pointer: Src,
        /// How.
        access: ScalarAccess,
    },
    /// Writes memory.
    Store {
        /// What.
        value: Src,
        /// Where to.
        pointer: Src,
        /// How.
        access: ScalarAccess,
    },
    /// Reads, computes and writes at once.
    ReadModifyWrite {
        /// What it computes.
        op: RmwOp,
        /// Where the old value goes.
        to: Reg,
        /// Where.
        pointer: Src,
        /// With what.
        value: Src,
        /// How.
        access: ScalarAccess,
    },
    /// Compares and writes at once.
    CompareExchange {
        /// Where the old value goes, and whether it was equal.
        to: (Reg, Reg),
        /// Where.
        pointer: Src,
        /// The expected value and the new one.
        values: (Src, Src),
        /// May it fail for no reason?
        is_weak: bool,
        /// How.
        access: ScalarAccess,
        /// What it orders if it was not equal.
        on_failure: MemoryOrder,
    },
    /// Orders memory; nothing under sequential consistency, but a visible action is
    /// not one either.
    Fence(MemoryOrder),
    /// Goes on there.
    Jump(Pc),
    /// Goes on at the first place if the condition is true, else at the second.
    Branch(Src, Pc, Pc),
    /// Goes on where the value says.
    Switch {
        /// The value.
        value: Src,
        /// Its width.
        width: u8,
        /// Where it goes on for these values.
        cases: Box<[(u64, Pc)]>,
        /// Where it goes on for others.
        default: Pc,
    },
    /// Calls.
    Call(Call),
    /// Ends the function.
    Return(Box<[Src]>),
    /// Goes on unwinding with this exception: ends functions up to one that was called
    /// with a way on for that, which is a [`Op::LandingPad`].
    Resume(Src),
    /// Where unwinding arrives: the exception and what the personality function says of
    /// it are in two registers from this one on. It is never come to otherwise.
    LandingPad {
        /// The first of the two.
        to: Reg,
        /// What the personality function says.
        selector: u32,
    },
    /// Must not be reached.
    Unreachable,
    /// Is refused when it is reached: what it is.
    Unsupported(Box<str>),
}

/// Integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binary {
    /// Which.
    pub op: IntOp,
    /// Width of everything.
    pub width: u8,
    /// Where the result goes.
    pub to: Reg,
    /// Left and right.
    pub operands: (Src, Src),
    /// Is signed overflow undefined?
    pub no_signed_wrap: bool,
    /// Is unsigned overflow undefined?
    pub no_unsigned_wrap: bool,
}

/// Integer operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the language reference of LLVM")]
pub enum IntOp {
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
}

/// Floating-point arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatOp {
    /// Which; `None` negates the left operand.
    pub op: Option<FloatKind>,
    /// 32 or 64.
    pub width: u8,
    /// Where the result goes.
    pub to: Reg,
    /// Left and right.
    pub operands: (Src, Src),
}

/// Floating-point operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FloatKind {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Drops the upper bits.
    Truncate,
    /// Fills with zeros; also from addresses to integers and back, whatever their widths.
    ZeroExtend,
    /// Fills with the sign.
    SignExtend,
    /// Between floats.
    FloatToFloat,
    /// From a float to an unsigned integer.
    FloatToUnsigned,
    /// From a float to a signed integer.
    FloatToSigned,
    /// From an unsigned integer to a float.
    UnsignedToFloat,
    /// From a signed integer to a float.
    SignedToFloat,
}

/// Memory of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Alloca {
    /// Where the address goes.
    pub to: Reg,
    /// Bytes of one element.
    pub size: u64,
    /// How many, with its width; `None` for one.
    pub count: Option<(Src, u8)>,
    /// Bytes of alignment.
    pub align: u32,
    /// The variable's name, as far as it is known.
    pub name: Box<str>,
}

/// How a scalar lies in memory and is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarAccess {
    /// Bytes touched.
    pub bytes: u8,
    /// Width of the value; `bool` has one bit in one byte.
    pub width: u8,
    /// Is it atomic?
    pub is_atomic: bool,
    /// What it orders, if it is atomic.
    pub order: MemoryOrder,
    /// Is it `volatile`?
    pub is_volatile: bool,
    /// Is it a pointer?
    pub is_pointer: bool,
    /// The alignment that the address must have, as a power of two.
    pub log2_align: u8,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Who: a constant with a function as its base, or a register.
    pub callee: Src,
    /// The scalars of all arguments.
    pub arguments: Box<[Src]>,
    /// The width of each.
    pub widths: Box<[u8]>,
    /// How each is passed to a function with any number of arguments; empty where no
    /// such function is called.
    pub passed: Box<[Passed]>,
    /// Where the scalars of the result go: so many registers from this one on.
    pub to: Reg,
    /// How many.
    pub n_results: u32,
    /// Width of the first of them; 0 when there is none.
    pub result_width: u8,
    /// Where it goes on if the callee unwinds, for `invoke`; otherwise unwinding goes on
    /// with the caller.
    pub unwind: Option<Pc>,
}

/// How a scalar lies in memory among the arguments that a function takes beyond those
/// it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The alignment of its argument; 0 when it belongs to the same one as the scalar
    /// before it.
    pub align: u32,
    /// Where it lies in its argument.
    pub offset: u32,
    /// How many bytes.
    pub bytes: u32,
    /// Is it the address of what is passed?
    pub is_copied: bool,
}
