//! Depth-first search: explores the newest state first, on one thread.
//!
//! States are stored when they are generated, as in breadth-first search. The
//! stack holds the states that wait, and those on the way to the one that is being
//! expanded; the latter are the trace. Works with every kind of storage.

use model::{Ending, Outcome, StopReason};

use super::expand::{SharedSearch, Unsettled, Worker};
use super::verdict::{self, SearchResult};
use super::visited::Visited;
use crate::kernel::crew::Crew;
use crate::kernel::state_table::{Writer, room_for};

/// States expanded between two looks at the limits.
const STATES_BETWEEN_LOOKS: u64 = 2048;

/// Where a stack of 2^26 words, half a gibibyte, begins to be checked against the
/// memory limit before it doubles; smaller ones the regular look covers.
const WORDS_WORTH_A_LOOK: usize = 1 << 26;

/// A depth-first search.
pub(super) struct Descent<'a> {
    search: &'a SharedSearch<'a>,
    worker: Worker<'a>,
    visited: Visited,
    /// Threads that help when the table grows.
    crew: Crew,
    /// The words of the states on the stack.
    words: Vec<u64>,
    /// For each state on the stack: is it on the way to the current one?
    is_open: Vec<bool>,
    /// Number of open ones.
    n_open: u32,
    /// The longest way so far.
    depth: u32,
}

/// Looks for the first error.
pub(super) fn check<'a>(search: &'a SharedSearch<'a>) -> Outcome {
    match Descent::new(search) {
        Ok(mut descent) => {
            let stopped = descent.run().err();
            descent.outcome(stopped)
        }
        Err(reason) => verdict::of_no_search(reason),
    }
}

impl<'a> Descent<'a> {
    fn new(search: &'a SharedSearch<'a>) -> Result<Descent<'a>, StopReason> {
        let state_bits = search.problem.system.state_bits();
        let visited = Visited::new(search.options.storage, state_bits, search.context.limits)?;
        let writer = visited.arena().map(Writer::new);
        let worker = Worker::new(search, writer);
        let (words, is_open) = (Vec::new(), Vec::new());
        let crew = Crew::new(search.context.limits.jobs);
        Ok(Descent { search, worker, visited, crew, words, is_open, n_open: 0, depth: 0 })
    }

    fn run(&mut self) -> Result<(), StopReason> {
        self.worker.begin()?;
        self.settle(0)?;
        let mut n_expanded = 0u64;
        while let Some(top) = self.is_open.len().checked_sub(1) {
            if self.search.ends_with(&self.worker.record) {
                return Ok(());
            }
            let n_words = self.worker.stepping.state.len();
            if self.is_open[top] {
                self.is_open.pop();
                self.words.truncate(top * n_words);
                self.n_open -= 1;
                continue;
            }
            self.is_open[top] = true;
            self.n_open += 1;
            self.depth = self.depth.max(self.n_open - 1);
            self.worker.stepping.state.copy_from_slice(&self.words[top * n_words..]);
            self.worker.expand_state(self.n_open - 1)?;
            self.settle(self.n_open)?;
            n_expanded += 1;
            if n_expanded.is_multiple_of(STATES_BETWEEN_LOOKS) {
                self.search.look(self.is_open.len() as u64, self.n_open)?;
            }
        }
        Ok(())
    }

    /// Stores the successors at hand and puts the new ones on the stack, the first
    /// one on top.
    fn settle(&mut self, depth: u32) -> Result<(), StopReason> {
        self.worker.publish();
        self.search.bound()?;
        self.search.bound_without_slots(&self.worker.record)?;
        let first = self.is_open.len();
        let out = &self.worker.stepping.out;
        let n_more = out.len() * self.worker.stepping.state.len();
        let capacity = self.words.capacity();
        if capacity >= WORDS_WORTH_A_LOOK && capacity - self.words.len() < n_more {
            room_for(capacity as u64 * 16, self.search.context.limits)?;
        }
        loop {
            let (words, is_open) = (&mut self.words, &mut self.is_open);
            let settled = self.worker.settle(&self.visited, depth, |state| {
                words.extend_from_slice(state);
                is_open.push(false);
            });
            match settled {
                Ok(()) => break,
                Err(Unsettled::Full) => {
                    let writers: Vec<&Writer> = self.worker.writer.iter().collect();
                    self.visited.grow(&writers, &mut self.crew, self.search.context.limits)?;
                }
                Err(Unsettled::Stopped(reason)) => return Err(reason),
            }
        }
        reverse(&mut self.words, first, self.worker.stepping.state.len());
        Ok(())
    }

    fn outcome(mut self, stopped: Option<StopReason>) -> Outcome {
        self.worker.publish();
        let record = std::mem::replace(&mut self.worker.record, self.search.record());
        let mut omissions = record.omissions.clone();
        if let Some(omission) = self.visited.omission() {
            omissions.add(&omission);
        }
        let path = record.best.as_ref().map(|finding| self.path(&finding.ending, &finding.state));
        verdict::of_found(&SearchResult {
            search: self.search,
            visited: &self.visited,
            record: &record,
            stopped,
            depth: self.depth,
            n_fired: self.worker.n_fired,
            path: path.map(Ok),
            omissions,
            exploration: None,
        })
    }

    /// The states on the way to the error: the open ones, and the state itself
    /// where it is a new one.
    fn path(&self, ending: &Ending, state: &[u64]) -> Vec<Vec<u64>> {
        let n_words = state.len();
        let open = (0..self.is_open.len()).filter(|&idx| self.is_open[idx]);
        let mut path: Vec<Vec<u64>> =
            open.map(|idx| self.words[idx * n_words..(idx + 1) * n_words].to_vec()).collect();
        if state.is_empty() && is_at_start(ending) {
            return Vec::new();
        }
        if path.last().is_none_or(|last| last != state) {
            path.push(state.to_vec());
        }
        path
    }
}

fn is_at_start(ending: &Ending) -> bool {
    matches!(ending, Ending::Fault { place: model::FaultPlace::Start(_), .. })
}

/// Reverses the order of the states from number `first` on.
fn reverse(words: &mut [u64], first: usize, n_words: usize) {
    if n_words == 0 {
        return;
    }
    let tail = &mut words[first * n_words..];
    let n = tail.len() / n_words;
    for idx in 0..n / 2 {
        let (front, back) = tail.split_at_mut((n - 1 - idx) * n_words);
        front[idx * n_words..(idx + 1) * n_words].swap_with_slice(&mut back[..n_words]);
    }
}
