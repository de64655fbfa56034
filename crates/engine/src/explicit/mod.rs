//! Explicit-state search: is every reachable state of a `TransitionSystem` free of
//! errors?
//!
//! Enumerates all reachable states, breadth first or depth first, stores them in a
//! table, and evaluates the properties in each once. An error is a violated invariant, an evaluation
//! without value, a deadlock, a cover that nothing reaches, or a state from which
//! a goal is out of reach.
//!
//! **Answers.** `Holds` carries the number of states: the search was exhaustive and
//! its storage exact. `Violated` carries a concrete run, rebuilt by replay; with
//! symmetry, storage has one state of each orbit, and the run is permuted back.
//! Among the errors at the smallest depth the choice is fixed: by kind, number and
//! state, never by timing; it does not depend on the number of threads.
//! Lossy storage (hash compaction, bitstate) gives `Violated` or `Unknown`.
//! **Sound for** every `TransitionSystem`, with two duties on its side: its symmetry is one,
//! and it reports what it leaves out. **Not for** liveness, which is `ltl`'s. For a thread
//! program and a fixed number of threads, `composition` is the system; its partial-order
//! reductions say themselves which questions they preserve (`composition/ample.rs`,
//! `composition/superstep.rs`).
//! **Ends** on finite systems; memory grows with the states, see `Limits`.
//! **Parallel** breadth-first: threads share the table and take pieces of a level.
//! Depth-first search runs on one thread.
//! **Source** Dill, Drexler, Hu, Yang, "Protocol Verification as a Hardware Design Aid",
//! ICCD 1992 (Murphi), and its symmetry: Ip and Dill, "Better Verification Through
//! Symmetry", 1996; hash compaction: Stern and Dill, 1996; bitstate: Holzmann, 1987. We
//! differ: (1) no parent pointers, runs are reconstructed level by level; (2) exact
//! canonical forms of orbits, not heuristic ones.
//! **Read first** `expand.rs`, then `breadth.rs`, then `path.rs`.

mod breadth;
mod depth;
mod expand;
mod finding;
mod goals;
mod outlook;
mod path;
mod record;
mod retrace;
mod stepping;
mod survey;
mod verdict;
mod visited;

pub mod composition;

#[cfg(test)]
mod tests;

use model::{Context, GrowingBound, Outcome, PropertyKind, StateProblem};

use expand::SharedSearch;

pub use composition::check_threads;
pub(crate) use composition::in_terms_of_threads;
pub(crate) use composition::random_runs::check as check_random_runs;
pub use survey::{Example, Failure, Survey, survey};

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Level by level: shortest traces, several threads.
    #[default]
    BreadthFirst,
    /// The newest state first, on one thread.
    DepthFirst,
}

/// How states are remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// In full.
    #[default]
    Exact,
    /// By 64 bits of hash: states may be missed, with a tiny chance.
    HashCompaction,
    /// By three bits of an array: states may be missed.
    Bitstate {
        /// The array has 2^`log2_bits` bits.
        log2_bits: u32,
    },
}

impl Storage {
    /// Bitstate storage in an array of 256 MiB.
    pub const BITSTATE: Storage = Storage::Bitstate { log2_bits: 31 };
}

/// Which partial-order reduction leaves out interleavings of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// None.
    Off,
    /// Ample sets: only one thread is expanded where no other can ever depend on its steps.
    #[default]
    AmpleSets,
    /// Supersteps: several steps of a thread count as one while they are independent of
    /// the other threads' and invisible.
    Supersteps,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// In which order.
    pub order: Order,
    /// How states are remembered.
    pub storage: Storage,
    /// Are states that differ by a permutation of scalarsets stored once?
    pub symmetry: bool,
    /// Stop when this many states are stored.
    pub max_states: Option<u64>,
    /// Ask only about runs of at most so many steps; always breadth first.
    pub max_depth: Option<u64>,
    /// Which interleavings of threads are left out because others lead to the same.
    pub reduction: Reduction,
    /// For threads: ask only about runs with so few pre-emptive context switches.
    pub max_switches: Option<u32>,
    /// For threads: how many a state has room for; as many as there are at the start, if
    /// it is not said. A search whose slots can grow ends soon after a thread finds none.
    pub slots: Option<GrowingBound>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            order: Order::BreadthFirst,
            storage: Storage::Exact,
            symmetry: true,
            max_states: None,
            max_depth: None,
            reduction: Reduction::default(),
            max_switches: None,
            slots: None,
        }
    }
}

/// Looks for the first error of `problem`'s own properties; formulas are another
/// engine's.
pub fn check(problem: &StateProblem<'_>, options: &SearchOptions, context: Context<'_>) -> Outcome {
    let search = SharedSearch::new(problem, options, context);
    let has_goals = search.has(PropertyKind::AlwaysReachable);
    match options.order {
        // Goals want the depths of states, and paths to them.
        Order::DepthFirst if !has_goals && options.max_depth.is_none() => depth::check(&search),
        _ => breadth::check(&search),
    }
}
