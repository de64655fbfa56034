//! Decides a formula about the runs of a fixed number of threads, and tells the
//! answer in terms of threads.

use model::{
    Deadlock, Limits, Outcome, ProgressSink, StateProblem, StopReason, ThreadCount, ThreadRuns,
    Trace, Verdict,
};

use crate::explicit::composition::Composition;

/// Threads that may be alive at any time: so many times those at the start.
const ROOM_FOR_SPAWNED: u32 = 4;
/// Room for spawned threads where few start.
const LEAST_ROOM: u32 = 8;

/// Does every run of `n_threads` threads satisfy the formula?
pub fn check_threads(
    problem: &ThreadRuns<'_>,
    n_threads: u32,
    limits: &Limits,
    progress: &dyn ProgressSink,
) -> Outcome {
    let most = n_threads.saturating_mul(ROOM_FOR_SPAWNED).max(LEAST_ROOM);
    let mut n_slots = n_threads;
    loop {
        let composition = match Composition::with_slots(problem.program, n_threads, n_slots) {
            Ok(composition) => composition,
            Err(reason) => return undecided(reason),
        };
        let outcome = answer(problem, &composition, n_threads, limits, progress);
        let is_open = matches!(outcome.verdict, Verdict::Unknown(_));
        if !(is_open && composition.was_cut() && n_slots < most && limits.check().is_ok()) {
            return outcome;
        }
        n_slots = n_slots.saturating_mul(2).clamp(2, most);
    }
}

fn answer(
    problem: &ThreadRuns<'_>,
    composition: &Composition<'_>,
    n_threads: u32,
    limits: &Limits,
    progress: &dyn ProgressSink,
) -> Outcome {
    let states = StateProblem {
        system: composition,
        deadlock: Deadlock::Off,
        formula: Some(problem.formula),
        fairness: problem.fairness,
    };
    let mut outcome = super::check(&states, limits, progress);
    outcome.verdict = match outcome.verdict {
        Verdict::Holds(_) if composition.was_cut() => Verdict::Unknown(composition.too_few()),
        Verdict::Holds(mut certificate) => {
            certificate.scope = ThreadCount::Exactly(n_threads);
            Verdict::Holds(certificate)
        }
        Verdict::Violated(Trace::States(trace)) => match composition.thread_trace(&trace) {
            Some(trace) => Verdict::Violated(Trace::Threads(trace)),
            None => Verdict::Unknown(StopReason::Incomplete {
                why: "a run was found that cannot be told in terms of threads".to_owned(),
            }),
        },
        other => other,
    };
    outcome
}

fn undecided(reason: StopReason) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(reason),
        engine: super::ENGINE.to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    }
}
