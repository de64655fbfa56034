//! Dynamic cutoff detection: how many threads are enough to reach every thread state
//! that any number of threads can reach, and which thread states those are.
//!
//! R_n is the set of thread states (a shared store and the local store of one thread)
//! that runs with n threads reach. The sets grow with n, and from some n on they do not
//! grow any more: the smallest such n is the *cutoff*. It cannot be seen from R_n = R_n+1,
//! since such a plateau may end.
//!
//! **Algorithm 1 of the paper**, for n = 1, 2, …: one side computes R_n+1 (`forward.rs`),
//! the other looks for candidate triples in R_n (`candidates.rs`) and asks whether one of
//! them can be realized by some number of threads (`realize.rs`). If none can, n is the
//! cutoff, and the first side is stopped; if R_n+1 is larger than R_n, the second is,
//! and starts again with R_n+1. Counted work decides who is first (`lockstep.rs`), so that two
//! runs give the same answer.
//!
//! As an engine (`first_error.rs`) it stops at the first error: a thread state that is a target
//! of its own, or a target of several threads that the second side realizes. The portfolio
//! lets the first side alone take a glance before all other engines (`glance.rs`).
//!
//! **Answers.** `CutoffEnd::Found` carries a certificate that R is all there is, which
//! `certify` checks without this module; that every thread state of R is reached is
//! shown by runs. That fewer threads do not reach it rests on the search.
//! **Sound for** all thread programs, broadcasts and created threads included.
//! **Complete for** programs with finitely many stores, and **ends** for these. `CutoffOptions::test_only` leaves out
//! the second side: then a cutoff is found only when no candidate is left.
//! **Source** Kaiser, Kroening, Wahl, "Dynamic Cutoff Detection in Parameterized
//! Concurrent Programs", CAV 2010. We differ: (1) a state is stored once for all n, in
//! the round of the fewest threads that reach it; (2) the backward search stays within
//! R_n and tells the fewest threads that realize a candidate, so that the second side can
//! go on to larger sets by itself (`leap.rs`), which needs no states at all; (3)
//! broadcasts, created threads and several templates.

pub mod candidates;
pub mod forward;
pub mod leap;
pub mod net;
pub mod reached;
pub mod realize;
pub mod states;
pub mod table;

mod algorithm;
mod cast;
mod expand;
mod first_error;
mod follow;
mod glance;
mod landing;
mod lockstep;
mod pool;
mod property;
mod reconstruct;
mod rows;
mod shortest;
mod standing;
mod walk;

pub use first_error::check;
pub use glance::near_error;

use model::{
    Certificate, Context, Cutoff, CutoffEnd, Round, StopReason, ThreadProgram, ThreadTrace,
};

use self::algorithm::Algorithm;
use self::forward::Halt;
use crate::coverability::targets_only;

/// How to look for the cutoff.
#[derive(Clone, Copy, Debug)]
pub struct CutoffOptions {
    /// Only ask whether there are candidates, never whether they can be realized.
    pub test_only: bool,
    /// Stop after so many threads.
    pub max_threads: Option<u32>,
    /// States that are stored at most.
    pub max_states: u32,
    /// Is it all about the program's errors, and over with the first one?
    pub asks_for_errors: bool,
    /// Work that may be done on each side: about a million a second.
    pub patience: u64,
}

impl Default for CutoffOptions {
    fn default() -> CutoffOptions {
        CutoffOptions {
            test_only: false,
            max_threads: None,
            max_states: 1 << 27,
            asks_for_errors: false,
            patience: u64::MAX,
        }
    }
}

/// Told of each number of threads when it is done.
pub type Watch<'a> = dyn FnMut(&Round) + 'a;

/// What the search comes to.
pub enum Landing {
    /// R is all there is.
    All(Box<Certificate>),
    /// An error is reached, by this run. With fewer threads none is, unless it is one of
    /// several threads (`first_error.rs`).
    Error(Box<ThreadTrace>),
}

/// Looks for the cutoff of `program`.
pub fn detect(
    program: &dyn ThreadProgram,
    options: &CutoffOptions,
    context: Context<'_>,
    watch: &mut Watch<'_>,
) -> Cutoff {
    let mut is_early = false;
    loop {
        let asked = (options, context);
        let ended = Algorithm::start(program, is_early, asked, watch).and_then(|mut algorithm| {
            let end = match algorithm.go_on() {
                Ok(Landing::All(certificate)) => CutoffEnd::Found(certificate),
                Ok(Landing::Error(_)) => CutoffEnd::Open(odd("nobody asked for errors")),
                Err(Halt::Stopped(reason)) => CutoffEnd::Open(reason),
                Err(halt) => return Err(halt),
            };
            Ok(algorithm.told(end))
        });
        match ended {
            Ok(cutoff) => return cutoff,
            Err(Halt::DrawEarly) if !is_early => is_early = true,
            Err(Halt::DrawEarly) => return nothing(odd("threads are drawn early already")),
            Err(Halt::OutOfPatience) => return nothing(odd("it has all the patience there is")),
            Err(Halt::Stopped(reason)) => return nothing(reason),
        }
    }
}

fn nothing(reason: StopReason) -> Cutoff {
    Cutoff { rounds: Vec::new(), reached: Vec::new(), end: CutoffEnd::Open(reason) }
}

fn odd(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("a mistake of ours: {what}") }
}
