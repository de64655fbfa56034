//! Searches in every order, storage and number of threads against naive ones.

mod kinds;
mod limits;
mod naive;
mod random;
mod symmetric;
pub(super) mod systems;

use model::{
    Context, Deadlock, Fairness, Limits, Omission, Outcome, StateProblem, StateTrace, StopReason,
    Trace, TransitionSystem, Verdict,
};

use super::{SearchOptions, check};

pub(super) fn problem(system: &dyn TransitionSystem, deadlock: Deadlock) -> StateProblem<'_> {
    StateProblem { system, deadlock, formula: None, fairness: Fairness::default() }
}

pub(super) fn run(problem: &StateProblem<'_>, options: &SearchOptions, jobs: usize) -> Outcome {
    check(problem, options, Context::silent(&Limits { jobs, ..Limits::none() }))
}

pub(super) fn trace(outcome: &Outcome) -> &StateTrace {
    match &outcome.verdict {
        Verdict::Violated(Trace::States(trace)) => trace,
        other => panic!("expected a trace, found {other:?}"),
    }
}

/// What a search says that it left out.
pub(super) fn omitted(outcome: &Outcome) -> Vec<Omission> {
    match &outcome.verdict {
        Verdict::Unknown(StopReason::UnderApproximated { omitted }) => {
            omitted.iter().cloned().collect()
        }
        other => panic!("nothing was left out: {other:?}"),
    }
}

pub(super) fn figure(outcome: &Outcome, name: &str) -> u64 {
    let found = outcome.statistics.iter().find(|(figure, _)| figure == name);
    found.expect("the figure is there").1
}
