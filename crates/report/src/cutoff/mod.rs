//! A cutoff, as the formats show it: [`text`] for people, [`json`] for programs, [`svg`]
//! and [`html`] for the curve of thread states over threads.

pub mod html;
pub mod json;
pub mod svg;
pub mod text;

use std::time::Duration;

use model::{Cutoff, CutoffEnd, Round, SourceFile, ThreadProgram, ThreadState};

use crate::Effort;

/// One search for a cutoff, finished and re-checked.
#[derive(Clone, Copy)]
pub struct CutoffStudy<'a> {
    /// The program.
    pub program: &'a dyn ThreadProgram,
    /// The input files, the model first.
    pub files: &'a [SourceFile],
    /// What was found. It has passed `certify`.
    pub cutoff: &'a Cutoff,
    /// When each round was over, since the start; empty where times are left out.
    pub times: &'a [Duration],
    /// Remarks, one sentence each.
    pub notes: &'a [String],
    /// What it cost; `None` leaves it out.
    pub effort: Option<Effort>,
}

impl CutoffStudy<'_> {
    /// The cutoff, where it is known.
    pub(crate) fn cutoff(&self) -> Option<u32> {
        let last = self.cutoff.rounds.last()?;
        matches!(self.cutoff.end, CutoffEnd::Found(_)).then_some(last.n_threads)
    }

    /// The numbers of threads with how many thread states each is the first to reach.
    pub(crate) fn growth(&self) -> Vec<(Round, u64)> {
        let rounds = self.cutoff.rounds.iter();
        let mut before = 0;
        let new = rounds.map(|round| {
            let new = round.n_reached - before;
            before = round.n_reached;
            (*round, new)
        });
        new.collect()
    }

    /// Is it a plateau: no new thread states, though more threads reach more?
    pub(crate) fn is_plateau(&self, idx: usize) -> bool {
        let growth = self.growth();
        growth[idx].1 == 0 && idx > 0 && growth[idx + 1..].iter().any(|later| later.1 > 0)
    }

    /// The thread states that need the most threads.
    pub(crate) fn latest(&self) -> Vec<&ThreadState> {
        let most = self.cutoff.reached.iter().map(|state| state.n_threads).max().unwrap_or(0);
        self.cutoff.reached.iter().filter(|state| state.n_threads == most).collect()
    }
}
