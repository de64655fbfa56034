//! Cutoffs: how many threads are enough to reach every thread state that any number of
//! threads can reach.

use serde::{Deserialize, Serialize};

use crate::certificate::Certificate;
use crate::store::Store;
use crate::trace::ThreadTrace;
use crate::verdict::StopReason;

/// What is known of one number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The number: of all threads that take part in a run, those that are created on
    /// the way and those that have ended included.
    pub n_threads: u32,
    /// Thread states that it reaches.
    pub n_reached: u64,
    /// Candidates among them: pairs of thread states that must not be there at once for
    /// these to be all.
    pub n_candidates: u64,
    /// States that were stored for this and all smaller numbers; 0 where the thread
    /// states were found without exploring states.
    pub n_states: u64,
}

/// A thread state that is reached: a shared store, and the local store of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadState {
    /// The shared store.
    pub shared: Store,
    /// The local store.
    pub local: Store,
    /// The fewest threads that reach it.
    pub n_threads: u32,
    /// A run with that many threads, after which one of them is there; what it says of
    /// a violation means nothing. `None`: there are too many thread states to tell all
    /// runs, or it is not known how.
    pub run: Option<ThreadTrace>,
    /// Has no run with that many threads fewer steps?
    pub is_shortest: bool,
}

/// The sets of thread states that growing numbers of threads reach.
#[derive(Clone, Debug)]
pub struct Cutoff {
    /// The numbers of threads, ascending, one by one.
    pub rounds: Vec<Round>,
    /// The thread states that the last of them reaches, by the fewest threads that do.
    pub reached: Vec<ThreadState>,
    /// How it ended.
    pub end: CutoffEnd,
}

/// How the search for a cutoff ended.
#[derive(Clone, Debug)]
pub enum CutoffEnd {
    /// The number of threads of the last round is the cutoff. The certificate shows that
    /// no number of threads reaches more.
    Found(Box<Certificate>),
    /// It is not known.
    Open(StopReason),
}
