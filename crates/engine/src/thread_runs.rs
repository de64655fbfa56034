//! Decides a formula about the runs of a fixed number of threads, and tells the
//! answer in terms of threads.

use model::{Context, Deadlock, Outcome, StateProblem, ThreadRuns, Verdict};

use crate::explicit::{Reduction, SearchOptions, in_terms_of_threads};
use crate::ltl;

/// Does every run of `n_threads` threads satisfy the formula? Supersteps are right for
/// formulas without `X`; threads that go alone are not looked into here.
pub fn check(
    problem: &ThreadRuns<'_>,
    n_threads: u32,
    options: &SearchOptions,
    context: Context<'_>,
) -> Outcome {
    let decided = in_terms_of_threads(problem.program, n_threads, options.slots, |composition| {
        composition.look_at_runs(match options.reduction {
            Reduction::Supersteps if !problem.formula.formula.has_next() => Reduction::Supersteps,
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
