//! Decides a formula about the runs of a fixed number of threads, and tells the
//! answer in terms of threads.

use model::{Deadlock, Limits, Outcome, ProgressSink, StateProblem, ThreadRuns, Verdict};

use crate::explicit::composition::with_growing_slots;

/// Does every run of `n_threads` threads satisfy the formula?
pub fn check_threads(
    problem: &ThreadRuns<'_>,
    n_threads: u32,
    limits: &Limits,
    progress: &dyn ProgressSink,
) -> Outcome {
    let decided = with_growing_slots(problem.program, n_threads, limits, |composition| {
        let states = StateProblem {
            system: composition,
            deadlock: Deadlock::Off,
            formula: Some(problem.formula),
            fairness: problem.fairness,
        };
        super::check(&states, limits, progress)
    });
    decided.unwrap_or_else(|reason| Outcome {
        verdict: Verdict::Unknown(reason),
        engine: super::ENGINE.to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    })
}
