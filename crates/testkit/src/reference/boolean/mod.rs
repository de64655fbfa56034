//! Boolean programs, run as they are written: which assertions can fail with n threads at
//! the start.
//!
//! Works on the syntax tree and shares nothing with the front end behind it: calls have a
//! stack, each statement is one step, every value that nobody gives is tried, and all states
//! are gone through breadth first. Threads are kept sorted, since nobody can tell them apart.
//!
//! **Read first** `code.rs`, then `step.rs`.

mod calls;
mod code;
mod eval;
mod state;
mod step;

use std::collections::{BTreeSet, VecDeque};

use frontend::boolprog::ast::Program;
use model::Span;

use code::Code;
use state::State;

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// States that are gone through.
    pub states: usize,
    /// Threads that are there at any time.
    pub threads: usize,
    /// Calls within calls.
    pub frames: usize,
}

/// What a search has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The statements that can fail, by the position where they start.
    pub failures: BTreeSet<u32>,
    /// Was everything seen?
    pub is_complete: bool,
    /// States that were gone through.
    pub n_states: usize,
}

/// What one step leads to.
enum Outcome {
    Next(State),
    /// The error that the statement here is.
    Fails(Span),
    /// A bound is exceeded.
    Cut,
}

/// All failures of a program with `n_threads` threads in `main` at the start.
///
/// # Errors
/// The program is not one that has a meaning here, for this reason.
pub fn explore(program: &Program, n_threads: usize, bounds: Bounds) -> Result<Answer, String> {
    let code = Code::of(program)?;
    let mut answer = Answer { failures: BTreeSet::new(), is_complete: true, n_states: 0 };
    let mut seen: BTreeSet<State> = state::initial(&code, n_threads)?.into_iter().collect();
    let mut queue: VecDeque<State> = seen.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        answer.n_states += 1;
        for outcome in step::successors(&code, &state, bounds)? {
            match outcome {
                Outcome::Fails(span) => {
                    answer.failures.insert(span.start);
                }
                Outcome::Cut => answer.is_complete = false,
                Outcome::Next(_) if seen.len() >= bounds.states => answer.is_complete = false,
                Outcome::Next(next) => {
                    if seen.insert(next.clone()) {
                        queue.push_back(next);
                    }
                }
            }
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests;
