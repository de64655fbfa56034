//! Counterexamples made pleasant: fewer threads first, then fewer steps.

use model::{CounterSystem, CounterTrace, ProgressSink, StopReason, TransitionId};

use super::execute::{execute, n_tokens};
use super::finding::Finding;
use super::forward::explicit::{End, Explicit};
use super::rules::Rules;
use super::slice::{Schedule, Slice};
use crate::kernel::budget::Budget;

/// What shortening works on.
pub struct Shortener<'a> {
    /// The original system.
    pub system: &'a CounterSystem,
    /// The original, compiled.
    pub rules: &'a Rules,
    /// The slice that keeps all counters.
    pub closed: &'a Slice<'a>,
    /// That slice, compiled.
    pub closed_rules: &'a Rules,
}

/// Steps executed in all while single steps are left out. A trace of a hundred
/// steps is tried in every way; one of ten thousand only in large pieces.
const WORK_TO_DROP: usize = 400_000;
/// Successors explored while looking for a run with fewer threads or steps:
/// some tenths of a second.
const WORK_TO_SEARCH: u64 = 300_000;
/// Thread counts tried in that search.
const MAX_THREADS: u32 = 16;

impl Shortener<'_> {
    /// A trace for the schedule, or for a better one that was found on the way. A
    /// limit ends the search for a better one, not more.
    ///
    /// # Errors
    /// When the schedule itself cannot be executed within the range of counts.
    pub fn shorten(
        &self,
        schedule: &Schedule,
        limits: &model::Limits,
        progress: &dyn ProgressSink,
    ) -> Result<Option<CounterTrace>, StopReason> {
        let Some(trace) = execute(self.system, self.rules, schedule)? else { return Ok(None) };
        let mut best = Candidate { cost: cost(&trace), schedule: schedule.clone(), trace };
        if best.cost.1 > 0 {
            // Whatever ends these, the best so far is a counterexample.
            let _ = self.search(&mut best, limits, progress);
            let _ = self.drop_steps(&mut best, limits);
        }
        Ok(Some(best.trace))
    }

    /// Looks for a run with fewer threads, or as many and fewer steps.
    fn search(
        &self,
        best: &mut Candidate,
        limits: &model::Limits,
        progress: &dyn ProgressSink,
    ) -> Result<(), StopReason> {
        let mut budget = Budget::new("shorten", WORK_TO_SEARCH, limits, progress);
        let most = u32::try_from(best.cost.0).unwrap_or(u32::MAX).min(MAX_THREADS);
        for n_threads in 1..=most.max(1) {
            let mut explicit = Explicit::new(&self.closed.system, self.closed_rules, n_threads)?;
            match explicit.advance(&mut budget, u64::MAX) {
                Ok(End::Found(Finding::Violated(schedule))) => {
                    let schedule = self.closed.lift_schedule(&schedule);
                    self.improve(best, &schedule)?;
                    return Ok(());
                }
                Ok(_) => {}
                Err(_) => return limits.check(),
            }
        }
        Ok(())
    }

    /// Leaves out stretches of steps, long ones first, as long as what remains is
    /// still a counterexample.
    fn drop_steps(&self, best: &mut Candidate, limits: &model::Limits) -> Result<(), StopReason> {
        let mut work = WORK_TO_DROP;
        let mut length = best.schedule.transitions.len() / 2;
        while length > 0 {
            let mut at = 0;
            while at + length <= best.schedule.transitions.len() {
                let cost = best.schedule.transitions.len();
                let Some(left) = work.checked_sub(cost) else { return Ok(()) };
                work = left;
                limits.check()?;
                let mut transitions: Vec<TransitionId> = best.schedule.transitions.clone();
                transitions.drain(at..at + length);
                let shorter = Schedule { transitions, ..best.schedule.clone() };
                if !self.improve(best, &shorter)? {
                    at += length;
                }
            }
            length /= 2;
        }
        Ok(())
    }

    fn improve(&self, best: &mut Candidate, schedule: &Schedule) -> Result<bool, StopReason> {
        let Some(trace) = execute(self.system, self.rules, schedule)? else { return Ok(false) };
        let is_better = cost(&trace) < best.cost;
        if is_better {
            *best = Candidate { cost: cost(&trace), schedule: schedule.clone(), trace };
        }
        Ok(is_better)
    }
}

struct Candidate {
    cost: (u64, usize),
    schedule: Schedule,
    trace: CounterTrace,
}

/// Tokens at the start, then steps.
fn cost(trace: &CounterTrace) -> (u64, usize) {
    (n_tokens(&trace.initial), trace.steps.len())
}
