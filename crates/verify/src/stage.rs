//! Searches one stage of a plan, one attempt after the other, and has the answer
//! re-checked.

use certify::{Assurance, Rejection};
use engine::Method;
use model::{Attempt, Context, Limits, Outcome, Stage, StopReason, Verdict};

/// Tries the attempts of a stage until one of them decides.
pub fn search(stage: &Stage<'_>, method: Method, context: Context<'_>) -> Outcome {
    let mut open: Option<Outcome> = None;
    for attempt in &stage.attempts {
        if open.as_ref().is_some_and(|open| is_pointless(*attempt, open)) {
            continue;
        }
        let Some(outcome) = try_once(stage, *attempt, method, context) else { continue };
        let is_decided = !matches!(outcome.verdict, Verdict::Unknown(_));
        if is_decided || context.limits.check().is_err() {
            return outcome;
        }
        open = Some(outcome);
    }
    open.unwrap_or_else(nothing_tried)
}

/// Would the attempt end like the search before it, which has decided nothing? A larger
/// search decides more only where the number of states ended the smaller one.
fn is_pointless(attempt: Attempt, open: &Outcome) -> bool {
    let was_cut_short = matches!(open.verdict, Verdict::Unknown(StopReason::StateLimit { .. }));
    matches!(attempt, Attempt::Search { .. }) && !was_cut_short
}

/// What one attempt finds; `None` if there is nothing to say of it.
fn try_once(
    stage: &Stage<'_>,
    attempt: Attempt,
    mut method: Method,
    context: Context<'_>,
) -> Option<Outcome> {
    let problem = stage.fast.unwrap_or(stage.problem);
    match attempt {
        Attempt::Search { max_states } => {
            method.search.max_states = smaller(method.search.max_states, max_states);
            Some(engine::check(problem, stage.threads, method, context))
        }
        Attempt::RandomRuns => engine::random_runs(problem, context.limits),
    }
}

fn smaller(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

fn nothing_tried() -> Outcome {
    let why = "no way of searching was tried".to_owned();
    Outcome {
        verdict: Verdict::Unknown(StopReason::Incomplete { why }),
        engine: "none".to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    }
}

/// Has `certify` judge what a search of the stage says, by the front end's own semantics.
///
/// # Errors
/// The answer does not stand up.
pub fn recheck(
    stage: &Stage<'_>,
    mut outcome: Outcome,
    limits: &Limits,
) -> Result<(Outcome, Assurance), Rejection> {
    match certify::check(stage.problem, stage.threads, &outcome.verdict, limits) {
        Ok(assurance) => {
            outcome.notes.extend(assurance_note(assurance));
            Ok((outcome, assurance))
        }
        Err(Rejection::Stopped(reason)) => {
            outcome.notes.push("an answer was found, but not re-checked in time".to_owned());
            outcome.verdict = Verdict::Unknown(reason);
            Ok((outcome, Assurance::NotRepeated))
        }
        Err(Rejection::TooLarge { what }) => {
            let why = format!("an answer was found, but re-checking it has too many cases: {what}");
            outcome.verdict = Verdict::Unknown(StopReason::Incomplete { why });
            Ok((outcome, Assurance::NotRepeated))
        }
        Err(rejection) => Err(rejection),
    }
}

fn assurance_note(assurance: Assurance) -> Option<String> {
    match assurance {
        Assurance::Proved => None,
        Assurance::Repeated => Some("the re-check searched again, with the same result".into()),
        Assurance::NotRepeated => {
            Some("the search itself is the proof: the re-check did not repeat it".into())
        }
    }
}
