//! Decides a formula about the runs of a fixed number of threads, and tells the
//! answer in terms of threads.

use model::{Context, Deadlock, Outcome, StateProblem, ThreadRuns, Verdict};

use crate::explicit::{Reduction, with_growing_slots};
use crate::ltl;

/// Does every run of `n_threads` threads satisfy the formula? Supersteps are right for
/// formulas without `X`; threads that go alone are not looked into here.
pub fn check(
    problem: &ThreadRuns<'_>,
    n_threads: u32,
    reduction: Reduction,
    context: Context<'_>,
) -> Outcome {
    let decided = with_growing_slots(problem.program, n_threads, context.limits, |composition| {
        composition.look_at_runs(match reduction {
            Reduction::Supersteps if !problem.formula.formula.has_next() => reduction,
            _ => Reduction::Off,
        });
        let composition = &*composition;
        let states = StateProblem {
            system: composition,
            deadlock: Deadlock::Off,
            formula: Some(problem.formula),
            fairness: problem.fairness,
        };
        ltl::check(&states, context)
    });
    decided.unwrap_or_else(|reason| Outcome {
        verdict: Verdict::Unknown(reason),
        engine: ltl::ENGINE.to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    })
}
