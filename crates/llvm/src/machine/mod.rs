//! The virtual machine: runs one thread from just before one visible action to just
//! before the next.
//!
//! Sound for: sequentially consistent executions of the IR as it was read, with
//! every choice of inputs, allocation failures and wake-ups that the options ask
//! for. What it does not know it refuses; a refusal is never a verdict.
//! Not for: weak memory, and programs that compute with where objects lie.

mod addresses;
mod arguments;
mod arith;
mod atomics;
mod beginning;
mod broadcast;
mod calls;
mod image;
mod jump;
mod log;
mod observe;
mod run;
mod start;
mod stop;
mod symbol;
mod symbol_arith;
mod symbol_compare;
mod symbol_float;
mod tape;
mod threads;
mod unset;
mod unwind;

pub use broadcast::{Broadcast, MAY_GO_ON, WAITS};
pub use log::{Act, InputValue, Log, Logged};
pub use run::Ran;
pub use stop::{Error, RacingTouch, Result, Rule, Stop};
pub use tape::Tape;

use model::Lock;

use crate::code::Code;
use crate::forgotten::Forgotten;
use crate::memory::{Frame, Memory, Object, SharedStore, ThreadIdentity, ThreadStore};
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

/// Who goes first where a writer waits for a read-write lock and a reader could have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// The reader.
    Readers,
    /// The writer.
    Writers,
    /// Either, as POSIX allows.
    #[default]
    Any,
}

/// Do threads have names?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identities {
    /// Each is an object of the shared store, whose address is its `pthread_t`.
    #[default]
    Named,
    /// None but the first is told from others in a store, so that there may be any number
    /// of them; see `crate::memory::identity`.
    Anonymous(Joins),
}

/// When a thread without a name can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// Whenever somebody wants to: more runs than the program has.
    AnyTime,
    /// Never: fewer runs than the program has.
    Never,
}

/// What the machine is asked to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much of a thread one step runs.
    pub granularity: Granularity,
    /// Do threads have names?
    pub identities: Identities,
    /// The variables of which stores hold nothing.
    pub forgotten: Forgotten,
    /// Is a value of which nothing is known any value, whenever somebody looks at it? So are
    /// memory that was never set, and inputs that are not followed or that threads share.
    /// Then there are more runs than those of the program.
    pub over_approximates: bool,
    /// With `over_approximates`: is everything refused that may be a use of what was never set?
    /// What is anything cannot be told from it later.
    pub refuses_unset: bool,
    /// With `over_approximates`: is an access refused that may be out of bounds?
    pub refuses_unbounded: bool,
    /// May `malloc` and its kin fail?
    pub allocation_fails: bool,
    /// May condition variables wake up for no reason?
    pub spurious_wakeups: bool,
    /// Who goes first at read-write locks?
    pub rwlock: Preference,
    /// Is it looked for memory that nobody can reach and nobody has freed?
    pub tracks_leaks: bool,
    /// When writes become visible to other threads, and how data races are found.
    pub memory_model: MemoryModel,
    /// Is it an error to read shared memory that was never set, whatever comes of it?
    pub checks_unset: bool,
    /// Does memory that was never set have any value, as an input does? Otherwise what
    /// depends on it breaks a rule.
    pub unset_is_any: bool,
    /// Does a function that nobody defines return anything, and write nothing? Otherwise a
    /// call of it is refused.
    pub externs_return_anything: bool,
    /// Is the misuse of threads an error? Without names, it is not followed who was joined or
    /// detached, and what may be misuse is refused.
    pub checks_thread_misuse: bool,
    /// Is undefined arithmetic an error?
    pub checks_overflow: bool,
    /// Are accesses errors whose addresses are not aligned as their types want?
    pub checks_alignment: bool,
    /// Places of accesses whose data races are accepted.
    pub accepted_races: Vec<u32>,
    /// Inputs that cannot be treated exactly take these values, and the extreme ones.
    pub nondet: std::ops::RangeInclusive<i64>,
    /// Operations within one step before it is cut at a jump backwards.
    pub max_operations: u32,
    /// Bytes of one object.
    pub max_object: u64,
    /// Frames of a thread.
    pub max_frames: usize,
}

impl Options {
    /// When threads without names can be joined; `None` where threads have names.
    pub fn anonymous_joins(&self) -> Option<Joins> {
        match self.identities {
            Identities::Named => None,
            Identities::Anonymous(joins) => Some(joins),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            granularity: Granularity::default(),
            identities: Identities::default(),
            forgotten: Forgotten::default(),
            over_approximates: false,
            refuses_unset: false,
            refuses_unbounded: false,
            allocation_fails: false,
            spurious_wakeups: true,
            rwlock: Preference::default(),
            tracks_leaks: false,
            memory_model: MemoryModel::default(),
            checks_unset: false,
            unset_is_any: false,
            externs_return_anything: false,
            checks_thread_misuse: true,
            checks_overflow: false,
            checks_alignment: false,
            accepted_races: Vec::new(),
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
    numbered.map(|(idx, variable)| Object::of_variable(variable, idx as u32)).collect()
}

/// A thread that runs, with what it shares.
#[derive(Debug)]
pub struct Machine<'p> {
    /// The program.
    pub code: &'p Code,
    /// What is explored.
    pub options: &'p Options,
    /// What all threads see, and what the thread has to itself.
    pub memory: Memory<'p>,
    /// The choices of this run.
    pub tape: Tape,
    /// Threads it created.
    pub spawned: Vec<ThreadStore>,
    /// What it wrote to its standard output and error.
    pub output: String,
    /// Was an input cut down to a few values?
    pub is_cut: bool,
    /// Could this step also not happen at all? So with spurious wake-ups, which no
    /// thread may rely on.
    pub is_spurious: bool,
    /// Did it call `exit`? What its functions still held is then not lost.
    pub exits: bool,
    /// The thread that must go on for this one to, if it is blocked and one is enough.
    pub waits_for: Option<ThreadIdentity>,
    /// The lock that it waits for, if it is blocked by one.
    pub wanted: Option<Lock>,
    /// Did it go back in its code?
    pub goes_back: bool,
    /// Functions that nobody defines, of which it took any result, by their numbers.
    pub guessed: Vec<u32>,
    /// Does it rely on it that no signal arrives?
    pub assumes_no_signal: bool,
    /// What it does to all other threads, if anything.
    pub broadcast: Option<Broadcast>,
    /// What it does, if somebody asks.
    pub log: Option<Box<Log>>,
    n_executed: u32,
    /// Operations after which the step ends at the latest.
    max_executed: u32,
}

impl<'p> Machine<'p> {
    /// A machine without a thread yet; `stores` is working memory to be used again.
    pub fn new(
        code: &'p Code,
        constants: &'p [Object],
        options: &'p Options,
        stores: (SharedStore, ThreadStore),
    ) -> Machine<'p> {
        Machine {
            code,
            options,
            memory: Memory::new(code, constants, options, stores),
            tape: Tape::default(),
            spawned: Vec::new(),
            output: String::new(),
            is_cut: false,
            is_spurious: false,
            exits: false,
            waits_for: None,
            wanted: None,
            goes_back: false,
            guessed: Vec::new(),
            assumes_no_signal: false,
            broadcast: None,
            log: None,
            n_executed: 0,
            max_executed: u32::MAX,
        }
    }

    /// Takes up a thread.
    pub fn load(&mut self, shared: &[u8], thread: &[u8]) {
        self.memory.load(shared, thread);
        self.spawned.clear();
        self.output.clear();
        self.is_cut = false;
        self.is_spurious = false;
        self.exits = false;
        self.waits_for = None;
        self.wanted = None;
        self.goes_back = false;
        self.guessed.clear();
        self.assumes_no_signal = false;
        self.broadcast = None;
        self.n_executed = 0;
        self.max_executed = u32::MAX;
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
        self.memory.frame_mut()
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
