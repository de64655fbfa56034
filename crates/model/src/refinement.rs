//! Refinement between thread programs: is every interaction of the implementation's thread
//! with the shared store one that the specification's thread allows?
//!
//! The definition is that of `engine::refine`; here are the question and the answer.

use serde::{Deserialize, Serialize};

use crate::rule::StepError;
use crate::source::Span;
use crate::store::Store;
use crate::thread_program::ThreadProgram;
use crate::verdict::StopReason;

/// Which shared store of the specification stands for which of the implementation.
///
/// The implementation's stores in it are all that the environment can put there, each once.
/// Several of them may stand for the same store of the specification, which then does not
/// tell them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedCorrespondence {
    /// A store of the implementation, and the one of the specification that it stands for.
    pub pairs: Vec<(Store, Store)>,
}

impl SharedCorrespondence {
    /// Both programs pack their shared stores in the same way, and these are all.
    pub fn identity(stores: impl IntoIterator<Item = Store>) -> SharedCorrespondence {
        SharedCorrespondence { pairs: stores.into_iter().map(|s| (s.clone(), s)).collect() }
    }
}

/// Does the implementation refine the specification?
#[derive(Clone, Copy)]
pub struct RefinementQuestion<'a> {
    /// The program whose thread must be allowed all that it does.
    pub implementation: &'a dyn ThreadProgram,
    /// The program that says what is allowed.
    pub specification: &'a dyn ThreadProgram,
    /// The stores of the environment.
    pub shared: &'a SharedCorrespondence,
    /// Targets of the implementation that are to be matched by targets of the specification:
    /// where its thread fills a slot of the first, the specification's thread must be able to
    /// fill the same slot of the second. Both have the same slots.
    pub targets: &'a [(usize, usize)],
}

/// The answer. Nothing is printed before `certify` has re-checked it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Refinement {
    /// It does, as this relation shows.
    Refines(RefinementRelation),
    /// It does not, as this run of one thread shows.
    Fails(Box<RefinementFailure>),
    /// We stopped. Says nothing about the programs.
    Unknown {
        /// Why.
        reason: StopReason,
    },
}

/// A relation that contains the start and is closed: whatever the implementation's thread
/// does from one of its pairs is allowed, and leads to another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefinementRelation {
    /// The pairs, ascending.
    pub pairs: Vec<RelatedStates>,
}

/// Where the implementation's thread is, and where the specification's thread may be then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RelatedStates {
    /// The local store of the implementation's thread.
    pub implementation: Store,
    /// Local stores of the specification's thread, ascending; `None` is one that has ended.
    pub specification: Vec<Option<Store>>,
}

/// A run of one thread of the implementation, the first part of which that the specification
/// does not allow is its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefinementFailure {
    /// An initial shared store of the implementation.
    pub shared: Store,
    /// The thread's local store at the start.
    pub local: Store,
    /// What it does. The environment may change the shared store before each step.
    pub steps: Vec<Interaction>,
    /// What is not allowed.
    pub not_allowed: NotAllowed,
    /// Where the specification's thread may be just before that, ascending; `None` is one
    /// that has ended. Empty if the start itself is not allowed.
    pub specification: Vec<Option<Store>>,
    /// The shared stores that it may leave there, ascending, in its own packing: those that it
    /// may start in if the start is not allowed.
    pub allowed: Vec<Store>,
}

/// One step of the implementation's thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interaction {
    /// The shared store before it, as the environment left it.
    pub before: Store,
    /// The shared store after it.
    pub after: Store,
    /// The thread's local store after it; `None` when it has ended.
    pub local: Option<Store>,
    /// What the step is called.
    pub label: String,
    /// Where it stands in the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// What of a run is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotAllowed {
    /// The initial shared store is none of the specification's.
    Start,
    /// What the last step does to the shared store.
    Interaction,
    /// The last step is this error, and the specification has none there.
    Error(StepError),
    /// After the last step the thread fills a slot of a target in some shared store, and the
    /// specification's thread cannot.
    Target {
        /// The target of the implementation.
        target: usize,
        /// The slot.
        slot: usize,
        /// The shared store of the implementation in which it does.
        shared: Store,
    },
}
