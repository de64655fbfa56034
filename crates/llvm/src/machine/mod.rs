//! The virtual machine: runs one thread from just before one visible action to just
//! before the next.
//!
//! Sound for: sequentially consistent executions of the IR as it was read, with
//! every choice of inputs, allocation failures and wake-ups that the options ask
//! for. What it does not know it refuses; a refusal is never a verdict.
//! Not for: weak memory, and programs that look at where objects lie.

mod access;
mod arith;
mod before;
mod calls;
mod delay;
mod encode;
mod escape;
mod log;
mod look;
mod object;
mod run;
mod scopes;
mod start;
mod state;
mod stop;
mod symbol;
mod tape;
mod threads;
mod touched;

pub use access::{LOOK, READ, Spot, UPDATE, Use, WRITE};
pub use before::{Event, Knower, Stretch, rename as rename_events};
pub use encode::{decode_shared, decode_thread, encode_shared, encode_thread};
pub use log::{Act, InputValue, Log, Logged};
pub use object::{Kind, Mark, MarkKind, Object};
pub use run::Ran;
pub use state::{Delayed, Ending, Frame, Shared, Thread};
pub use stop::{Error, RacingTouch, Result, Rule, Stop};
pub use tape::Tape;
pub use threads::{ThreadField, new_thread};
pub use touched::{Strength, Touch, Touched};

use model::Lock;

use crate::code::{Code, Variable};
use crate::value::Value;

/// How much of a thread one step runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// One operation, whether others can see it or not.
    Operations,
    /// Up to just before the next access to shared memory.
    #[default]
    Accesses,
    /// Up to and including the next synchronisation (a lock, an atomic access, the end
    /// of the thread). Plain accesses before it are part of the step. Sound for
    /// programs without data races, since others cannot tell when a plain access
    /// happened, and every data race shows as one between two such steps.
    Synchronisations,
}

/// When the writes of a thread become visible to others, and how data races are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryModel {
    /// At once. Data races show as next accesses of two threads in one state, which is
    /// exact where every atomic access is `memory_order_seq_cst`.
    #[default]
    SequentiallyConsistent,
    /// At once; data races are found by C11's happens-before relation, which the states
    /// carry. Exact for sequentially consistent executions with atomics of any order.
    HappensBefore,
    /// Atomic stores below `memory_order_seq_cst` go through a store buffer. Finds errors
    /// that C11 allows and proves nothing; data races are not looked for.
    StoreBuffers,
}

/// What the machine is asked to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much of a thread one step runs.
    pub granularity: Granularity,
    /// May `malloc` and its kin fail?
    pub allocation_fails: bool,
    /// May condition variables wake up for no reason?
    pub spurious_wakeups: bool,
    /// Is it looked for memory that nobody can reach and nobody has freed?
    pub tracks_leaks: bool,
    /// When writes become visible to other threads, and how data races are found.
    pub memory_model: MemoryModel,
    /// Is it an error to read shared memory that was never set, whatever comes of it?
    pub checks_unset: bool,
    /// Is undefined arithmetic an error?
    pub checks_overflow: bool,
    /// Are accesses errors whose addresses are not aligned as their types want?
    pub checks_alignment: bool,
    /// Inputs that cannot be treated exactly take these values, and the extreme ones.
    pub nondet: std::ops::RangeInclusive<i64>,
    /// Operations within one step before it is cut at a jump backwards.
    pub max_operations: u32,
    /// Bytes of one object.
    pub max_object: u64,
    /// Frames of a thread.
    pub max_frames: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            granularity: Granularity::default(),
            allocation_fails: false,
            spurious_wakeups: true,
            tracks_leaks: false,
            memory_model: MemoryModel::default(),
            checks_unset: false,
            checks_overflow: false,
            checks_alignment: false,
            nondet: -2..=3,
            max_operations: 100_000,
            max_object: 1 << 24,
            max_frames: 1000,
        }
    }
}

/// Variables that cannot be written, as objects.
pub fn constant_objects(code: &Code) -> Vec<Object> {
    let numbered = code.constants.iter().enumerate();
    numbered.map(|(idx, variable)| variable_object(variable, idx as u32)).collect()
}

/// A variable with its first contents.
pub fn variable_object(variable: &Variable, site: u32) -> Object {
    let log2_align = variable.align.max(1).ilog2() as u8;
    let mut object = Object::zeroed(Kind::Variable, variable.size as usize, log2_align, site);
    for &(at, len, value) in &variable.contents {
        object.write(at as u32, len, value);
    }
    object
}

/// A thread that runs, with what it shares.
#[derive(Debug)]
pub struct Machine<'p> {
    /// The program.
    pub code: &'p Code,
    /// Its constants, as objects.
    pub constants: &'p [Object],
    /// What is explored.
    pub options: &'p Options,
    /// What all threads see.
    pub shared: Shared,
    /// The thread.
    pub thread: Thread,
    /// The choices of this run.
    pub tape: Tape,
    /// What it touched of the shared store.
    pub touched: Touched,
    /// Threads it created.
    pub spawned: Vec<Thread>,
    /// What it wrote to its standard output and error.
    pub output: String,
    /// Was an input cut down to a few values?
    pub is_cut: bool,
    /// Could this step also not happen at all? So with spurious wake-ups, which no
    /// thread may rely on.
    pub is_spurious: bool,
    /// Did it call `exit`? What its functions still held is then not lost.
    pub exits: bool,
    /// Did the present operation try something in vain, which orders nothing?
    pub is_relaxed: bool,
    /// Objects that became shared by the present operation.
    pub published: Vec<u32>,
    /// Threads of `spawned` that know what this one knows.
    n_followed: usize,
    /// The thread that must go on for this one to, if it is blocked and one is enough.
    pub waits_for: Option<u32>,
    /// The lock that it waits for, if it is blocked by one.
    pub wanted: Option<Lock>,
    /// Did it go back in its code?
    pub goes_back: bool,
    /// What it does, if somebody asks.
    pub log: Option<Box<Log>>,
    /// How deep it is in sections that are one step for others.
    pub atomic_depth: u32,
    n_executed: u32,
}

impl<'p> Machine<'p> {
    /// A machine without a thread yet.
    pub fn new(code: &'p Code, constants: &'p [Object], options: &'p Options) -> Machine<'p> {
        Machine {
            code,
            constants,
            options,
            shared: Shared::default(),
            thread: Thread::default(),
            tape: Tape::default(),
            touched: Touched::default(),
            spawned: Vec::new(),
            output: String::new(),
            is_cut: false,
            is_spurious: false,
            exits: false,
            is_relaxed: false,
            published: Vec::new(),
            n_followed: 0,
            waits_for: None,
            wanted: None,
            goes_back: false,
            log: None,
            atomic_depth: 0,
            n_executed: 0,
        }
    }

    /// Takes up a thread.
    pub fn load(&mut self, shared: &[u8], thread: &[u8]) {
        decode_shared(shared, &mut self.shared);
        decode_thread(self.code, thread, &mut self.thread);
        self.touched.clear();
        self.spawned.clear();
        self.output.clear();
        self.is_cut = false;
        self.is_spurious = false;
        self.exits = false;
        self.is_relaxed = false;
        self.published.clear();
        self.n_followed = 0;
        self.waits_for = None;
        self.wanted = None;
        self.goes_back = false;
        self.atomic_depth = 0;
        self.n_executed = 0;
    }

    /// One of `n` ways, counted from zero.
    pub fn choose(&mut self, n: u32) -> u32 {
        self.tape.choose(n)
    }

    /// The frame that runs.
    ///
    /// # Panics
    /// If the thread's function has ended.
    pub fn frame(&mut self) -> &mut Frame {
        self.thread.frames.last_mut().expect("the thread's function has not ended")
    }

    /// How far the present operation has come.
    pub fn phase(&mut self) -> u8 {
        self.frame().phase
    }

    /// A value as a number that decides something: symbols are settled.
    ///
    /// # Errors
    /// It is undefined or an address; `what` is what it is.
    pub fn number(&mut self, value: Value, width: u32, what: &str) -> Result<u64> {
        let value = self.concrete(value, width)?;
        if !value.is_defined() {
            let message = format!("{what} was never set");
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        }
        value.as_number().ok_or_else(|| Stop::refused(format!("{what} is an address")))
    }
}
