//! Rules as a small register code, ready to become machine code.
//!
//! A front end lowers its rules to this; the crate `jit` compiles it. Values are
//! 64-bit integers in registers; states and local aggregates are bits in memory.
//!
//! **State and next.** A family function enumerates the instances of one rule. In
//! its guards, [`Base::State`] is the state that is expanded. [`Op::Begin`] makes
//! a copy of it, [`Base::Next`], on which the action works; [`Op::Commit`] makes
//! the copy a successor. An initial-state function does the same, with `Begin`
//! giving a state of zeros.
//! **Registers** are private to a call and may be assigned many times. Every
//! register is written before it is read.
//! **Faults** end the function (and its callers) at once; the run time notes the
//! fault with the instance's choice.

use crate::transition_system::Fault;

/// All code of one system.
#[derive(Clone, Debug, Default)]
pub struct RuleProgram {
    /// Bits of a state.
    pub state_bits: u32,
    /// All functions.
    pub functions: Vec<Function>,
    /// Functions that emit initial states, in order.
    pub starts: Vec<FunctionId>,
    /// Functions that emit successors, in order of their choices.
    pub families: Vec<Family>,
    /// One function per property, in order; it returns whether the property is
    /// true in `State`.
    pub judges: Vec<FunctionId>,
    /// Statements that say when they are reached. They are the properties after those
    /// that have judges.
    pub n_covers: u32,
    /// The function that returns the valuation of all propositions.
    pub valuation: Option<FunctionId>,
    /// What can go wrong.
    pub faults: Vec<Fault>,
    /// How many times a loop with [`Op::Tick`] may turn before it is a fault.
    pub max_loop_turns: u64,
    /// How deeply calls may nest before it is a fault.
    pub max_call_depth: u32,
    /// The fault of calls that nest too deeply.
    pub too_deep: FaultId,
}

/// A rule with all of its instances.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The function.
    pub function: FunctionId,
    /// Families run in groups of equal priority, smallest number first; once a
    /// group has an enabled rule, the families of later groups do not run, but their
    /// guards do.
    pub priority: i64,
    /// Evaluates the guards of all instances and does nothing else, for their faults.
    /// `None` where they have none, or where no group comes before this family's.
    pub guards: Option<FunctionId>,
}

/// Index in [`RuleProgram::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// Index in [`RuleProgram::faults`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultId(pub u32);

/// Index in [`Function::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u32);

/// One function. Execution starts at block 0.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// What it is called, for people who read the code.
    pub name: String,
    /// Registers that the caller fills.
    pub parameters: Vec<Reg>,
    /// Number of registers.
    pub n_registers: u32,
    /// Bits of local memory, all zero at the start.
    pub frame_bits: u32,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The choice of the instance that is being computed: for families and
    /// initial-state functions.
    pub choice: ChoiceCode,
}

/// `first` plus the sum of register times weight.
#[derive(Clone, Debug, Default)]
pub struct ChoiceCode {
    /// The choice of the first instance.
    pub first: u64,
    /// One term per parameter. A register that is not written yet counts as zero.
    pub terms: Vec<(Reg, u64)>,
}

/// Straight code with one end.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is done, in order.
    pub ops: Vec<Op>,
    /// How it goes on.
    pub end: End,
}

/// How a block ends.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// Go there.
    Jump(BlockId),
    /// Go to one of two blocks.
    Branch {
        /// Is it non-zero?
        condition: Reg,
        /// Then here.
        then: BlockId,
        /// Otherwise here.
        otherwise: BlockId,
    },
    /// Leave the function, with a value where it has one.
    Return(Option<Reg>),
    /// Something went wrong.
    Fault(FaultId),
}

/// Where bits lie: `base`, plus `bit`, plus the register `index` where given (in
/// bits as well).
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The start.
    pub base: Base,
    /// Bits from there.
    pub bit: u32,
    /// More bits from there.
    pub index: Option<Reg>,
}

/// What an address starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The state that is expanded or judged.
    State,
    /// The state that is being made.
    Next,
    /// Local memory of this call.
    Frame,
    /// A place that [`Op::Address`] put into a register.
    Reference(Reg),
}

/// One operation.
#[derive(Clone, Debug)]
pub enum Op {
    /// `dst := value`
    Const {
        /// Result.
        dst: Reg,
        /// The value.
        value: i64,
    },
    /// `dst := src`
    Move {
        /// Result.
        dst: Reg,
        /// Operand.
        src: Reg,
    },
    /// `dst := left op right`, wrapping; comparisons give 0 or 1.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Result.
        dst: Reg,
        /// Operand.
        left: Reg,
        /// Operand.
        right: Reg,
    },
    /// `dst := left op right`, or the fault when the result does not fit 64 bits
    /// or the divisor is zero.
    Checked {
        /// The operator.
        op: CheckedOp,
        /// Result.
        dst: Reg,
        /// Operand.
        left: Reg,
        /// Operand.
        right: Reg,
        /// The fault.
        fault: FaultId,
    },
    /// `dst := if condition then left else right`, both already computed.
    Select {
        /// Result.
        dst: Reg,
        /// Is it non-zero?
        condition: Reg,
        /// Then this.
        left: Reg,
        /// Otherwise this.
        right: Reg,
    },
    /// The fault, unless `first <= value <= last`.
    InRange {
        /// The value.
        value: Reg,
        /// Smallest allowed.
        first: i64,
        /// Largest allowed.
        last: i64,
        /// The fault.
        fault: FaultId,
    },
    /// The fault, when `value` is zero.
    NonZero {
        /// The value.
        value: Reg,
        /// The fault.
        fault: FaultId,
    },
    /// `dst := ` the bits at `address`, as an unsigned number.
    Load {
        /// Result.
        dst: Reg,
        /// The place.
        address: Address,
        /// Width in bits, 1 to 64. Fields wider than 56 bits start at a multiple
        /// of 8 bits.
        bits: u32,
    },
    /// The low bits of `src` to `address`; the higher bits of `src` are zero.
    Store {
        /// The place.
        address: Address,
        /// The value.
        src: Reg,
        /// Width in bits, 1 to 64. Fields wider than 56 bits start at a multiple
        /// of 8 bits.
        bits: u32,
    },
    /// `bits` bits from one place to another. They do not overlap, or are equal.
    Copy {
        /// Where to.
        to: Address,
        /// Where from.
        from: Address,
        /// How many.
        bits: u32,
    },
    /// `bits` bits become zero.
    Clear {
        /// Where.
        address: Address,
        /// How many.
        bits: u32,
    },
    /// `dst := ` are `bits` bits at both places equal?
    Equal {
        /// Result, 0 or 1.
        dst: Reg,
        /// A place.
        left: Address,
        /// Another.
        right: Address,
        /// How many.
        bits: u32,
    },
    /// Puts `n` fields of `stride` bits each into descending order as unsigned
    /// numbers, after those whose highest bit is not set have become zero: they are
    /// not in use, whatever they hold.
    Sort {
        /// The first field.
        address: Address,
        /// Bits of each.
        stride: u32,
        /// How many.
        n: u32,
    },
    /// `dst := ` a reference to `address`, for [`Base::Reference`] here or in a
    /// called function.
    Address {
        /// Result.
        dst: Reg,
        /// The place.
        address: Address,
    },
    /// Calls a function. `State` and `Next` are the same for it.
    Call {
        /// Where the returned value goes.
        dst: Option<Reg>,
        /// The function.
        function: FunctionId,
        /// One register for each of its parameters.
        arguments: Vec<Reg>,
    },
    /// One turn of a loop: looks at the limits every now and then.
    Tick,
    /// `turns := turns + 1`, and the fault when that exceeds the program's
    /// `max_loop_turns`. For loops without an evident end.
    Turn {
        /// Counts the turns; set to zero before the loop.
        turns: Reg,
        /// The fault.
        fault: FaultId,
    },
    /// Notes that statement number `cover` of [`RuleProgram::n_covers`] is reached.
    Cover {
        /// Which one.
        cover: u32,
    },
    /// Counts an enabled instance.
    Enabled,
    /// Makes `Next` a copy of `State` (zeros in an initial-state function).
    Begin,
    /// Makes `Next` a successor with the function's current choice.
    Commit,
}

/// Operators that always have a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; by 64 or more gives zero, by a negative number shifts right.
    Shl,
    /// Arithmetic right shift; by 64 or more gives the sign, by a negative number
    /// shifts left.
    Shr,
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// Signed `<`
    Lt,
    /// Signed `<=`
    Le,
}

/// Operators that may have no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded towards zero.
    Div,
    /// Remainder, with the sign of the dividend.
    Rem,
}
