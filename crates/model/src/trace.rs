//! Counterexamples: concrete runs, complete enough to be replayed from a file.

use serde::{Deserialize, Serialize};

use crate::configuration::Configuration;
use crate::counter_system::{CounterId, TransitionId};
use crate::source::Span;
use crate::store::Store;

/// A run that ends in an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Trace {
    /// Of a `ThreadProgram`.
    Threads(ThreadTrace),
    /// Of a `CounterSystem`.
    Counters(CounterTrace),
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
/// ones, then those spawned, in the order of spawning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadTrace {
    /// The shared store at the start.
    pub shared: Store,
    /// The local store of each initial thread.
    pub threads: Vec<Store>,
    /// The template of each initial thread, as an index.
    pub templates: Vec<usize>,
    /// Its steps.
    pub steps: Vec<ThreadStep>,
    /// What the run ends in.
    pub violation: Violation,
}

/// What a trace of threads ends in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Violation {
    /// The last state fits this target of the program.
    Target(usize),
    /// The last step is itself an error, with this message.
    Step(String),
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
    /// Number of steps.
    pub fn n_steps(&self) -> usize {
        match self {
            Trace::Threads(trace) => trace.steps.len(),
            Trace::Counters(trace) => trace.steps.len(),
        }
    }
}

impl ThreadTrace {
    /// Number of threads that take part: those at the start and those spawned.
    pub fn n_threads(&self) -> usize {
        self.threads.len() + self.steps.iter().map(|step| step.spawned.len()).sum::<usize>()
    }
}
