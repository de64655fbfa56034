//! What machine code and the run time share while a state is worked on.

use model::limits::Limits;
use model::{Fault, Judgement, StopReason, Successors};

/// The working memory that machine code sees. Its layout is part of the code.
#[repr(C)]
pub(crate) struct Context {
    /// Where the next successor is made: the free room of the batch.
    pub cursor: *mut u64,
    /// Where the next choice goes.
    pub choices: *mut u64,
    /// Behind the last free place for a choice.
    pub choices_end: *mut u64,
    /// Instances that were enabled so far.
    pub n_enabled: u64,
    /// Turns of loops until the limits are looked at.
    pub fuel: i64,
    /// The fault of a function that failed.
    pub fault: u64,
    /// Start of the memory for local variables.
    pub frame_base: *mut u64,
    /// Its first free word.
    pub frame_top: *mut u64,
    /// Its end.
    pub frame_end: *mut u64,
    /// The machine's stack must not grow below this address.
    pub stack_floor: usize,
    /// What the valuation returned.
    pub value: u64,
    /// One bit for each `cover` statement, set where it was reached.
    pub covered: *mut u64,
    /// What only the run time looks at.
    pub host: *mut Host,
}

/// What the run time needs when machine code calls it.
pub(crate) struct Host {
    /// Where successors go; null while properties are judged.
    pub out: *mut Successors,
    /// Where verdicts go; null while states are computed.
    pub judgement: *mut Judgement,
    /// The fault of the valuation.
    pub stuck: Option<Fault>,
    /// Why the computation has to stop.
    pub stop: Option<StopReason>,
    /// What the search may use.
    pub limits: Limits,
    /// The program's faults.
    pub faults: Vec<Fault>,
    /// Choices of the batch that is being filled.
    pub choices: Vec<u64>,
}

/// Turns of loops between two looks at the limits: some tenths of a millisecond.
pub(crate) const FUEL: i64 = 50_000;

/// Bytes of the machine's stack that nested calls may use. Threads of the search
/// have at least twice as much.
pub(crate) const STACK_FOR_CALLS: usize = 1 << 20;
