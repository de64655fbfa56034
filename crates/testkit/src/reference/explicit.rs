//! Decides by breadth-first search whether an error is reachable with few
//! threads or small counts.

use std::collections::{BTreeSet, VecDeque};

use model::{CounterSystem, ThreadProgram};

use super::ReferenceAnswer;
use super::composition::Composition;
use super::counting::Counting;
use super::naive_system::NaiveSystem;

/// A transition system that leaves out what exceeds a cap, and says so.
pub trait Bounded: NaiveSystem {
    /// Has anything been left out so far?
    fn was_cut(&self) -> bool;
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// States stored per search.
    pub states: usize,
    /// Live threads, or tokens in one counter.
    pub counts: u32,
    /// Initial threads, or how far above its minimum an unlimited counter starts.
    pub initial: u32,
}

/// Searches breadth first, storing at most `max_states` states.
pub fn search(system: &dyn Bounded, max_states: usize) -> ReferenceAnswer {
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut queue: VecDeque<(Vec<u8>, usize)> = VecDeque::new();
    system.initial_states(&mut |state| {
        if seen.insert(state.to_vec()) {
            queue.push_back((state.to_vec(), 0));
        }
    });
    while let Some((state, depth)) = queue.pop_front() {
        if system.violation(&state).is_some() {
            return ReferenceAnswer::Reachable { depth };
        }
        if seen.len() > max_states {
            return ReferenceAnswer::NotWithin;
        }
        system.successors(&state, &mut |_, next| {
            if seen.insert(next.to_vec()) {
                queue.push_back((next.to_vec(), depth + 1));
            }
        });
    }
    if system.was_cut() { ReferenceAnswer::NotWithin } else { ReferenceAnswer::Unreachable }
}

/// Exactly `n_threads` threads at the start.
pub fn with_threads(program: &dyn ThreadProgram, n_threads: u32, caps: Caps) -> ReferenceAnswer {
    search(&Composition::new(program, n_threads, caps.counts as usize), caps.states)
}

/// 0, 1, 2, … threads at the start, as far as the caps say. Says `Reachable` or
/// `NotWithin`: no number of threads is the last one.
pub fn with_few_threads(program: &dyn ThreadProgram, caps: Caps) -> ReferenceAnswer {
    let answers = (0..=caps.initial).map(|n| with_threads(program, n, caps));
    first_reachable(answers).unwrap_or(ReferenceAnswer::NotWithin)
}

/// Counts from the smallest initial ones on, as far as the caps say.
pub fn with_small_counts(system: &CounterSystem, caps: Caps) -> ReferenceAnswer {
    search(&Counting::new(system, caps), caps.states)
}

fn first_reachable(mut answers: impl Iterator<Item = ReferenceAnswer>) -> Option<ReferenceAnswer> {
    answers.find(|answer| matches!(answer, ReferenceAnswer::Reachable { .. }))
}
