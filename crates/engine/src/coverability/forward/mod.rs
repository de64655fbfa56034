//! Forward search for counterexamples.
//!
//! Two searches take turns: `explicit.rs` explores real configurations breadth
//! first for growing numbers of threads, so that what it finds is short and uses
//! few; the best-first coverability set goes deep, with acceleration.
//!
//! **Answers.** `Violated` with a schedule. `Holds` where a search ends: the
//! coverability set is complete, or there are finitely many configurations.
//! **Sound for** all counter systems; with upper bounds in guards, only the
//! explicit search reports violations.
//! **Ends** always for plain systems, otherwise perhaps not.
//! **Source** our own combination; the coverability set is that of `cover/`.

pub mod explicit;

use model::StopReason;

use self::explicit::{Explicit, SearchEnd};
use super::cover::{Cover, ExplorationOrder};
use super::finding::{Advance, Finding};
use super::rules::source::{Compiled, RuleSource};
use crate::kernel::budget::{Budget, Pause};

/// What the two searches work on: the explicit one needs the counters that the
/// full slice drops as free, or it could not count threads.
pub trait Ground {
    /// Where rules come from.
    type Source: RuleSource;

    /// The system with all its counters.
    fn closed(&mut self) -> &mut Self::Source;

    /// The system that has only what matters.
    fn full(&mut self) -> &mut Self::Source;
}

/// The two slices of a system.
pub struct Slices<'a> {
    /// The slice that keeps all counters.
    pub closed: Compiled<'a>,
    /// The full slice.
    pub full: Compiled<'a>,
}

impl<'a> Ground for Slices<'a> {
    type Source = Compiled<'a>;

    fn closed(&mut self) -> &mut Compiled<'a> {
        &mut self.closed
    }

    fn full(&mut self) -> &mut Compiled<'a> {
        &mut self.full
    }
}

/// Which slice a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The slice that keeps all counters.
    Closed,
    /// The full slice.
    Full,
}

/// A resumable forward search. It works on the same ground in every call.
pub struct Forward {
    explicit: Option<Explicit>,
    n_threads: u32,
    n_complete: Option<u32>,
    best: Option<Cover>,
    turn_work: u64,
}

/// Work per turn: long enough to amortise the change, short enough that an easy
/// counterexample is not held up by the other search.
const TURN_WORK: u64 = 4096;
/// Successors explored for one number of threads before the next is tried; grows
/// with that number.
const WORK_PER_THREAD_COUNT: u64 = 50_000;
/// Beyond this many threads the explicit search ends; acceleration is better there.
const MAX_THREADS: u32 = 64;

impl Forward {
    /// A search on `ground`, whose coverability set is explored in `order`.
    pub fn new(ground: &mut impl Ground, order: ExplorationOrder) -> Forward {
        Forward {
            explicit: Some(Explicit::new(ground.closed(), 1)),
            n_threads: 1,
            n_complete: None,
            best: Some(Cover::new(order)),
            turn_work: TURN_WORK,
        }
    }

    /// Goes on until there is a finding or the budget is spent.
    ///
    /// # Errors
    /// Why there is no finding so far.
    pub fn advance(
        &mut self,
        ground: &mut impl Ground,
        budget: &mut Budget<'_>,
    ) -> Result<(About, Finding), Pause> {
        let mut reason = StopReason::Incomplete { why: "forward search found nothing".into() };
        while self.explicit.is_some() || self.best.is_some() {
            if let Some(finding) = self.explicit_turn(ground.closed(), budget)? {
                return Ok((About::Closed, finding));
            }
            match self.best_turn(ground.full(), budget) {
                Ok(Finding::Inconclusive(why)) => {
                    self.best = None;
                    reason = why;
                }
                Ok(finding) => return Ok((About::Full, finding)),
                Err(Pause::RoundOver) if budget.is_spent() => return Err(Pause::RoundOver),
                Err(Pause::RoundOver) => self.turn_work = (self.turn_work * 2).min(1 << 20),
                Err(stopped) => return Err(stopped),
            }
        }
        Ok((About::Full, Finding::Inconclusive(reason)))
    }

    /// What is known although nothing was found.
    pub fn explored_completely(&self) -> Option<String> {
        let n = self.n_complete?;
        Some(format!(
            "no violation with at most {n} tokens or threads where the input allows any number"
        ))
    }

    /// Named figures for reports.
    pub fn figures(&self) -> Vec<(&'static str, u64)> {
        let mut figures = vec![("threads tried", u64::from(self.n_threads))];
        figures.extend(self.explicit.iter().flat_map(Explicit::figures));
        figures.extend(self.best.iter().flat_map(Cover::figures));
        figures
    }

    fn best_turn(&mut self, full: &mut impl RuleSource, budget: &mut Budget<'_>) -> Advance {
        let Some(best) = &mut self.best else { return Err(Pause::RoundOver) };
        let mut portion = budget.portion(self.turn_work);
        let result = best.advance(full, &mut portion);
        budget.put_back(portion);
        result
    }

    fn explicit_turn(
        &mut self,
        closed: &mut impl RuleSource,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Finding>, Pause> {
        let Some(explicit) = &mut self.explicit else { return Ok(None) };
        let allowed = WORK_PER_THREAD_COUNT.saturating_mul(u64::from(self.n_threads));
        let mut portion = budget.portion(self.turn_work);
        let result = explicit.advance(closed, &mut portion, allowed);
        budget.put_back(portion);
        match result {
            Ok(SearchEnd::Found(finding)) => return Ok(Some(finding)),
            Ok(SearchEnd::Exhausted) => {
                if self.n_complete.map_or(0, |n| n) + 1 == self.n_threads {
                    self.n_complete = Some(self.n_threads);
                }
                self.next_thread_count(closed);
            }
            Ok(SearchEnd::Full) => self.next_thread_count(closed),
            Err(Pause::RoundOver) => {}
            Err(stopped) => return Err(stopped),
        }
        Ok(None)
    }

    fn next_thread_count(&mut self, closed: &impl RuleSource) {
        self.n_threads += 1;
        // Where no initial count is open, more threads change nothing.
        let is_open = closed
            .initial()
            .iter()
            .any(|zone| zone.bounds.iter().any(|(_, b)| b.max.is_none_or(|max| max > b.min)));
        self.explicit = None;
        if is_open && self.n_threads <= MAX_THREADS {
            self.explicit = Some(Explicit::new(closed, self.n_threads));
        }
    }
}
