//! Counterexamples: concrete runs, complete enough to be replayed from a file.

use serde::{Deserialize, Serialize};

use crate::configuration::Configuration;
use crate::counter_system::{CounterId, TransitionId};
use crate::plan::Variant;
use crate::question::Deadlock;
use crate::rule::{Rule, StepError};
use crate::source::Span;
use crate::store::Store;
use crate::transition_system::{Choice, Fault, FaultPlace};

/// A run that ends in an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Trace {
    /// Of a `ThreadProgram`.
    Threads(ThreadTrace),
    /// Of a `CounterSystem`.
    Counters(CounterTrace),
    /// Of a `TransitionSystem`.
    States(StateTrace),
}

/// A run of a `TransitionSystem`. States are saved as [`Store`]s: the words of the
/// state, least significant byte first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateTrace {
    /// Which meaning of the input it is a run of.
    #[serde(default, skip_serializing_if = "Variant::is_as_written")]
    pub variant: Variant,
    /// Where it starts; `None` when the run has no first state, because computing
    /// one is the error or because nothing reachable is what was asked for.
    pub start: Option<StateStart>,
    /// Its steps.
    pub steps: Vec<StateStep>,
    /// What it ends in.
    pub ending: Ending,
}

/// The first state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateStart {
    /// How it comes about.
    pub choice: Choice,
    /// The state.
    pub state: Store,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateStep {
    /// The choice.
    pub choice: Choice,
    /// The state after it.
    pub state: Store,
}

/// What a run of a `TransitionSystem` ends in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The last state violates this invariant.
    Invariant(u32),
    /// Something in the last state (or in the start) cannot be evaluated.
    Fault {
        /// Where.
        place: FaultPlace,
        /// What.
        fault: Fault,
    },
    /// The last state has no enabled rule, or no successor but itself.
    Deadlock(Deadlock),
    /// From the last state, no state with this goal can be reached. The search
    /// that shows it is not part of the trace.
    Stranded(u32),
    /// No reachable state has this property. The search that shows it is not part
    /// of the trace, which is empty.
    Uncovered(u32),
    /// The run goes on for ever: after the last step, which leads back to the
    /// state before step `loop_start`, it repeats the steps from there. It
    /// violates the formula. A run that ends repeats its last state: then there
    /// is no step from `loop_start` on.
    Lasso {
        /// Index of the first step of the loop.
        loop_start: usize,
    },
}

impl Ending {
    /// The rule that the run breaks.
    pub fn rule(&self) -> Rule {
        match self {
            Ending::Invariant(_) => Rule::Invariant,
            Ending::Fault { fault, .. } => fault.kind.rule(),
            Ending::Deadlock(_) => Rule::Deadlock,
            Ending::Uncovered(_) => Rule::Unreachable,
            Ending::Stranded(_) | Ending::Lasso { .. } => Rule::Liveness,
        }
    }
}

/// A run of a `CounterSystem`. All counts are finite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterTrace {
    /// Where it starts.
    pub initial: Configuration,
    /// Its steps.
    pub steps: Vec<CounterStep>,
    /// Index of the target that the last configuration lies in.
    pub target: usize,
}

/// One firing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterStep {
    /// The transition.
    pub transition: TransitionId,
    /// How the tokens of moved counters with several destinations were divided:
    /// so many from the first counter to the second. Moves with at most one
    /// destination are not listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<(CounterId, CounterId, u32)>,
    /// The configuration after it.
    pub after: Configuration,
}

/// A run of a `ThreadProgram`. Threads are numbered from 0: first the initial
/// ones, then those spawned, in the order of spawning. Bystanders have no numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadTrace {
    /// Which meaning of the program it is a run of.
    #[serde(default, skip_serializing_if = "Variant::is_as_written")]
    pub variant: Variant,
    /// The shared store at the start.
    pub shared: Store,
    /// The local store of each initial thread.
    pub threads: Vec<Store>,
    /// The template of each initial thread, as an index.
    pub templates: Vec<usize>,
    /// Further initial threads, which do nothing in this run: counted, since there may
    /// be billions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bystanders: Vec<Bystanders>,
    /// Its steps.
    pub steps: Vec<ThreadStep>,
    /// What the run ends in.
    pub violation: Violation,
}

/// Initial threads that do nothing in a run: none of them steps, and no broadcast moves
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bystanders {
    /// The local store of each, from the start to the end.
    pub local: Store,
    /// Their template, as an index.
    pub template: usize,
    /// How many they are.
    pub count: u32,
}

/// What a trace of threads ends in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Violation {
    /// The last state fits this target of the program.
    Target(usize),
    /// The last step is itself this error.
    Step(StepError),
    /// In the last state nobody can step who need not, and somebody is blocked.
    Deadlock,
    /// In the last state two threads can access one location, one of them writing
    /// it, and not both atomically.
    Race,
    /// The run goes on for ever and violates the formula: after the last step it
    /// repeats the steps from `loop_start` on. A run in which nobody can step any
    /// more repeats its last state: then there is no step from `loop_start` on.
    Lasso {
        /// Index of the first step of the loop.
        loop_start: usize,
    },
}

impl Violation {
    /// The rule that the run breaks.
    pub fn rule(&self) -> Rule {
        match self {
            Violation::Target(_) => Rule::Reachable,
            Violation::Step(error) => error.rule,
            Violation::Deadlock => Rule::Deadlock,
            Violation::Race => Rule::Race,
            Violation::Lasso { .. } => Rule::Liveness,
        }
    }
}

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadStep {
    /// The thread that moves; `None` for a step of the environment.
    pub thread: Option<u32>,
    /// What the step is called.
    pub label: String,
    /// Where it stands in the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The shared store after it.
    pub shared: Store,
    /// The thread's local store after it; `None` when it has ended (or for a step
    /// of the environment).
    pub local: Option<Store>,
    /// The local stores of new threads; they get the next numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawned: Vec<Store>,
    /// Other threads that a broadcast moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passive: Vec<PassiveMove>,
}

/// A thread that another thread's broadcast moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassiveMove {
    /// The thread.
    pub thread: u32,
    /// Its local store after the step.
    pub local: Store,
}

impl Trace {
    /// The rule that the run breaks.
    pub fn rule(&self) -> Rule {
        match self {
            Trace::Threads(trace) => trace.violation.rule(),
            Trace::Counters(_) => Rule::Reachable,
            Trace::States(trace) => trace.ending.rule(),
        }
    }

    /// Number of steps.
    pub fn n_steps(&self) -> usize {
        match self {
            Trace::Threads(trace) => trace.steps.len(),
            Trace::Counters(trace) => trace.steps.len(),
            Trace::States(trace) => trace.steps.len(),
        }
    }
}

impl ThreadTrace {
    /// Number of threads at the start.
    pub fn n_initial(&self) -> usize {
        self.threads.len() + self.bystanders.iter().map(|group| group.count as usize).sum::<usize>()
    }

    /// Number of threads that there are: those at the start and those spawned.
    pub fn n_threads(&self) -> usize {
        self.n_initial() + self.n_spawned()
    }

    /// Number of threads that have a number: all but the bystanders.
    pub fn n_numbered(&self) -> usize {
        self.threads.len() + self.n_spawned()
    }

    fn n_spawned(&self) -> usize {
        self.steps.iter().map(|step| step.spawned.len()).sum()
    }
}
