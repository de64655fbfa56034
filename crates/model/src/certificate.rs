//! Certificates: why a property holds, in a form that can be re-checked without
//! the engine that found it.
//!
//! All proofs speak of control states and counters by index. For a
//! `CounterSystem` these are its own; for a `ThreadProgram` the certificate
//! carries a [`Vocabulary`] that says which store each index stands for.

use serde::{Deserialize, Serialize};

use crate::configuration::{Configuration, Zone};
use crate::counter_system::{ControlId, CounterId};
use crate::parameterized::ElementViews;
use crate::plan::Variant;
use crate::question::ThreadCount;
use crate::store::Store;
use crate::summaries::Summaries;
use crate::thread_views::ThreadViews;
use crate::views::Views;

/// A proof with what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Which meaning of the program it is about.
    #[serde(default, skip_serializing_if = "Variant::is_as_written")]
    pub variant: Variant,
    /// The thread counts for which it proves the property.
    pub scope: Scope,
    /// What its indices mean.
    pub vocabulary: Vocabulary,
    /// The proof.
    pub proof: Proof,
}

/// The thread counts that a certificate speaks of.
pub type Scope = ThreadCount;

/// What the indices in a proof stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Vocabulary {
    /// Control states and counters of the `CounterSystem` itself.
    CounterSystem,
    /// The proof has no indices.
    None,
    /// `ControlId(i)` is the shared store `shared[i]`, `CounterId(i)` the number
    /// of threads in the local store `local[i]`. No store occurs twice.
    Threads {
        /// Shared stores.
        shared: Vec<Store>,
        /// Local stores.
        local: Vec<Store>,
    },
}

/// The forms of proof. Each describes a set of configurations that contains the
/// initial ones, is closed under steps, and contains no target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum Proof {
    /// The set is everything below one of these (`*` is above every number).
    Cover {
        /// Maximal elements.
        configurations: Vec<Configuration>,
    },
    /// The set is what lies within `support`, satisfies `equal` and `lemmas`, and
    /// is in none of the zones `basis`.
    ///
    /// Checked as: each equality and each lemma is kept by every step within the
    /// support; each target within the support and no initial configuration is in a
    /// zone; and the predecessors of each zone, as well as whatever leads out of the
    /// support, lie in a zone, unless a lemma excludes them. Before zones are compared,
    /// the bounds of equal counters are intersected, each getting both.
    Basis {
        /// What can be non-zero where.
        support: Support,
        /// Pairs of counters that always have the same value.
        equal: Vec<(CounterId, CounterId)>,
        /// Linear facts. In a basis their counter weights are non-negative.
        lemmas: Vec<LinearLemma>,
        /// The zones from which a target may be reached.
        basis: Vec<Zone>,
    },
    /// The set is what lies within `support` and satisfies all linear facts and
    /// traps of `refutations`; each target is excluded by one of them.
    Equation {
        /// What can be non-zero where.
        support: Support,
        /// One or more.
        refutations: Vec<Refutation>,
    },
    /// The set is given by the values that some threads of a Boolean flow can have at the
    /// same time.
    Views(Views),
    /// The set is given by what each thread can come to within each call, whatever the others
    /// do of what they may.
    Summaries(Summaries),
    /// The set is given by what each few threads can be in together.
    ThreadModular(ThreadViews),
    /// The set is given by what each few elements of a kind can be in together.
    ElementViews(ElementViews),
    /// Every reachable state was explored, and that is all there is to show. Weaker
    /// than the others: it is re-checked by running the front end's interpreter over
    /// small state spaces, and taken at its word where there are too many states.
    Exhausted {
        /// Number of states stored: all reachable ones, or one of each orbit.
        n_states: u64,
        /// Were states that differ by a permutation counted once?
        symmetry: bool,
        /// The formula that was checked, where it was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        formula: Option<String>,
    },
}

/// An over-approximation of what is reachable: for each control state the
/// counters that may be non-zero in it. Control states that are not listed are
/// unreachable. Sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Support {
    /// The listed control states with their counters.
    pub controls: Vec<(ControlId, Vec<CounterId>)>,
}

/// The fact that a weighted sum never exceeds a bound: the weight of the current
/// control state plus the sum of weight times count is at most `bound`.
/// Control states and counters that are not listed weigh zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinearLemma {
    /// Weights of control states, sorted.
    pub controls: Vec<(ControlId, i64)>,
    /// Weights of counters, sorted.
    pub counters: Vec<(CounterId, i64)>,
    /// The bound.
    pub bound: i64,
}

/// A set of control states and counters that, once marked, stays marked: some
/// counter in it is non-zero, or the control state is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trap {
    /// Control states in the trap, sorted.
    pub controls: Vec<ControlId>,
    /// Counters in the trap, sorted.
    pub counters: Vec<CounterId>,
}

/// A linear fact and initially marked traps that together exclude targets.
///
/// From the lemma, subtract for each trap its multiplier times the fact that the
/// trap holds at least one token. What remains must have non-negative counter
/// weights; it excludes every zone whose minimal element exceeds its bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refutation {
    /// The linear fact; its counter weights may be negative on trap members.
    pub lemma: LinearLemma,
    /// The traps, with positive multipliers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traps: Vec<(Trap, i64)>,
}

impl Proof {
    /// The name of the method, as reports show it.
    pub fn method(&self) -> &'static str {
        match self {
            Proof::Cover { .. } => "coverability set",
            Proof::Basis { .. } => "backward basis",
            Proof::Equation { .. } => "state equation",
            Proof::Views(_) => "set of views",
            Proof::Summaries(_) => "summaries of calls",
            Proof::ThreadModular(_) => "thread-modular views",
            Proof::ElementViews(_) => "views of elements",
            Proof::Exhausted { .. } => "exhaustive search",
        }
    }
}
