//! Counterexamples made pleasant: fewer threads first, then fewer steps.
//!
//! There is a counterexample at any time, and a better one replaces it; counted work
//! ends the search for better ones, and so does half of the time that is left, since
//! what is found must still be replayed and printed.

use model::{Context, CounterSystem, CounterTrace, Limits, StopReason, TransitionId};

use super::backward::Backward;
use super::backward::prune::NoPruning;
use super::chains::Chains;
use super::execute::{FEW_ZONES, MANY_ZONES, execute, n_tokens};
use super::finding::Finding;
use super::forward::explicit::{Explicit, SearchEnd};
use super::rules::Rules;
use super::rules::source::Compiled;
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
    /// The full slice.
    pub full: &'a Slice<'a>,
    /// That slice, compiled.
    pub full_rules: &'a Rules,
    /// Successors explored while looking for a run with fewer threads or steps.
    pub work_to_search: u64,
}

/// Work of executing schedules with steps left out, in all: some tenths of a second. A
/// trace of a hundred steps is tried in every way; one of ten thousand only in large
/// pieces.
const WORK_TO_DROP: u64 = 4_000_000;
/// The most work in the search for a better run: some tenths of a second.
const MAX_WORK_TO_SEARCH: u64 = 300_000;
/// How much more a better run may cost than the one that was found.
const WORTH: u64 = 16;
/// With no more threads than this a counterexample is as good as it gets.
const FEW_THREADS: u64 = 3;
/// Thread counts tried in that search.
const MAX_THREADS: u32 = 16;

/// The work that a better run is worth, by the work that found the first one: what is found
/// at once is printed at once.
pub fn worth(work_to_find: u64) -> u64 {
    work_to_find.saturating_mul(WORTH).min(MAX_WORK_TO_SEARCH)
}

impl Shortener<'_> {
    /// A trace for the schedule, or for a better one that was found on the way. A
    /// limit ends the search for a better one, not more.
    ///
    /// # Errors
    /// When the schedule itself cannot be executed within the range of counts.
    pub fn shorten(
        &self,
        schedule: &Schedule,
        context: Context<'_>,
    ) -> Result<Option<CounterTrace>, StopReason> {
        let Some(trace) = self.execute_somehow(schedule)? else { return Ok(None) };
        let limits = &context.limits.with_half_the_time();
        let context = context.within(limits);
        let mut best = Candidate { cost: cost(&trace), schedule: schedule.clone(), trace };
        if best.cost.1 > 0 {
            // Whatever ends these, the best so far is a counterexample.
            let _ = self.search(&mut best, context);
            if best.cost.0 > FEW_THREADS {
                let _ = self.search_backward(&mut best, context);
            }
            let mut work = 0;
            let _ = self.drop_chains(&mut best, &mut work, limits);
            let _ = self.drop_steps(&mut best, &mut work, limits);
            let _ = self.drop_chains(&mut best, &mut work, limits);
        }
        Ok(Some(best.trace))
    }

    fn execute_somehow(&self, schedule: &Schedule) -> Result<Option<CounterTrace>, StopReason> {
        match execute(self.system, self.rules, schedule, FEW_ZONES, &mut 0)? {
            None => execute(self.system, self.rules, schedule, MANY_ZONES, &mut 0),
            trace => Ok(trace),
        }
    }

    /// Looks for a run with fewer threads, or as many and fewer steps.
    fn search(&self, best: &mut Candidate, context: Context<'_>) -> Result<(), StopReason> {
        let mut budget = Budget::new("shorten", self.work_to_search, context);
        let mut source = Compiled::new(&self.closed.system, self.closed_rules)?;
        let most = u32::try_from(best.cost.0).unwrap_or(u32::MAX).min(MAX_THREADS);
        for n_threads in 1..=most.max(1) {
            let mut explicit = Explicit::new(&source, n_threads);
            match explicit.advance(&mut source, &mut budget, u64::MAX) {
                Ok(SearchEnd::Found(Finding::Violated(schedule))) => {
                    let schedule = self.closed.lift_schedule(&schedule)?;
                    self.improve(best, &schedule, &mut 0)?;
                    return Ok(());
                }
                Ok(_) => {}
                Err(_) => return context.limits.check(),
            }
        }
        Ok(())
    }

    /// Looks from the target: backward search prefers small zones, so it tends to
    /// find runs with few threads where forward search finds them too wide to see.
    fn search_backward(
        &self,
        best: &mut Candidate,
        context: Context<'_>,
    ) -> Result<(), StopReason> {
        let mut budget = Budget::new("shorten", self.work_to_search, context);
        let (system, rules) = (&self.full.system, self.full_rules);
        let mut backward = Backward::new(system, rules, Box::new(NoPruning));
        if let Ok(Finding::Violated(schedule)) = backward.advance(&mut budget) {
            self.improve(best, &self.full.lift_schedule(&schedule)?, &mut 0)?;
        }
        Ok(())
    }

    /// Leaves out all that single tokens do, as long as what remains is still a
    /// counterexample.
    fn drop_chains(
        &self,
        best: &mut Candidate,
        work: &mut u64,
        limits: &Limits,
    ) -> Result<(), StopReason> {
        let mut chains = Chains::of(&best.trace, self.rules);
        let mut groups = chains.active_groups();
        while let Some(group) = groups.pop() {
            let chain = chains.chain(group);
            if self.try_without(best, work, limits, |idx| chain[idx])? {
                chains = Chains::of(&best.trace, self.rules);
                groups = chains.active_groups();
            }
        }
        Ok(())
    }

    /// Leaves out stretches of steps, long ones first, as long as what remains is
    /// still a counterexample.
    fn drop_steps(
        &self,
        best: &mut Candidate,
        work: &mut u64,
        limits: &Limits,
    ) -> Result<(), StopReason> {
        let mut length = best.schedule.transitions.len() / 2;
        while length > 0 {
            let mut at = 0;
            while at + length <= best.schedule.transitions.len() {
                let stretch = at..at + length;
                if !self.try_without(best, work, limits, |idx| stretch.contains(&idx))? {
                    at += length;
                }
            }
            length /= 2;
        }
        Ok(())
    }

    /// Tries the schedule without some steps; keeps it if it is better.
    fn try_without(
        &self,
        best: &mut Candidate,
        work: &mut u64,
        limits: &Limits,
        is_left_out: impl Fn(usize) -> bool,
    ) -> Result<bool, StopReason> {
        limits.check()?;
        if *work > WORK_TO_DROP {
            return Err(StopReason::Interrupted);
        }
        let all = best.schedule.transitions.iter().copied().enumerate();
        let transitions: Vec<TransitionId> =
            all.filter(|(idx, _)| !is_left_out(*idx)).map(|(_, id)| id).collect();
        let shorter = Schedule { transitions, ..best.schedule };
        self.improve(best, &shorter, work)
    }

    fn improve(
        &self,
        best: &mut Candidate,
        schedule: &Schedule,
        work: &mut u64,
    ) -> Result<bool, StopReason> {
        let trace = execute(self.system, self.rules, schedule, FEW_ZONES, work)?;
        let Some(trace) = trace else { return Ok(false) };
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

/// The most tokens that are there at once, then steps. (Threads that a thread
/// system spawns never leave it, so for those it is the number of threads.)
fn cost(trace: &CounterTrace) -> (u64, usize) {
    let after = trace.steps.iter().map(|step| n_tokens(&step.after));
    let most = after.fold(n_tokens(&trace.initial), u64::max);
    (most, trace.steps.len())
}

#[cfg(test)]
mod tests {
    use super::{MAX_WORK_TO_SEARCH, worth};

    #[test]
    fn what_is_found_at_once_is_printed_at_once() {
        assert!(worth(2_000) < MAX_WORK_TO_SEARCH / 8);
        assert!(worth(8_000) > worth(2_000));
        assert_eq!(worth(u64::MAX), MAX_WORK_TO_SEARCH);
    }
}
