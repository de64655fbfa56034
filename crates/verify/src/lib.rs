//! Runs plans: searches the stages of a [`Plan`], has every answer re-checked, and
//! concludes what that means for the user's question.
//!
//! Here `engine` and `certify` meet, which do not know each other: no verdict leaves this
//! crate that `certify` has not accepted. A search that ran out, or whose answer cannot be
//! re-checked within the limits, is `Unknown`.
//!
//! **Read first** [`conclude`], then `stage.rs`. `model::plan` says what implications are.

mod stage;

use certify::{Assurance, Rejection};
use engine::Method;
use model::{
    Attempt, Consequence, Context, Implication, Outcome, Plan, Presumption, Problem, SearchedStage,
    Stage, StageId, StopReason, ThreadCount, Verdict,
};

pub use stage::{Found, Guided, recheck, search};

/// An answer that may be printed.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict, with what the search says of itself.
    pub outcome: Outcome,
    /// What is presumed where it says more than "unknown".
    pub presumes: Option<Presumption>,
    /// How far it was re-checked.
    pub assurance: Assurance,
    /// The stage whose verdict it is.
    pub stage: StageId,
    /// The attempt of that stage which gave it.
    pub attempt: Option<Attempt>,
    /// The stages that were searched, in order, and how.
    pub searched: Vec<SearchedStage>,
}

/// Asks an input with a single meaning: searches its only stage, without a re-check.
pub fn check(
    problem: Problem<'_>,
    threads: ThreadCount,
    method: impl Into<Method>,
    context: Context<'_>,
) -> Outcome {
    let stage = Stage::exact("the input as it is written", problem, threads);
    search(&stage, Guided { method: method.into(), guide: None }, context).outcome
}

/// Searches the stages of `plan` for as long as their verdicts leave the question open.
///
/// # Errors
/// `certify` rejects an answer: an engine has a bug, and nothing is known.
pub fn conclude(
    plan: &Plan<'_>,
    method: Method,
    context: Context<'_>,
) -> Result<Answer, Rejection> {
    let mut searched = Vec::new();
    let mut standing = None;
    let mut next = Some(StageId(0));
    let mut guide = None;
    let mut obstacle = None;
    while let Some(stage) = next {
        let guided = Guided { method, guide: guide.as_ref() };
        let Found { outcome, attempt, tried } = search(plan.stage(stage), guided, context);
        searched.push(SearchedStage { stage, tried });
        context.progress.phase("re-checking the answer");
        let (outcome, assurance) = recheck(plan.stage(stage), outcome, context.limits)?;
        let implication = plan.stage(stage).implications.of(&outcome.verdict);
        obstacle = obstacle_to_a_proof(plan.stage(stage), &outcome).or(obstacle);
        next = implication.next();
        if let (Verdict::Violated(run), Consequence::LeavesOpen(_)) =
            (&outcome.verdict, implication.consequence)
        {
            guide = Some(run.clone());
        }
        let presumes = implication.presumes;
        let found = Answer { outcome, presumes, assurance, stage, attempt, searched: Vec::new() };
        standing = weigh(standing, found, implication);
    }
    let mut answer = standing.unwrap_or_else(undecided);
    if let Verdict::Unknown(_) = answer.outcome.verdict {
        answer.outcome.notes.extend(obstacle);
    }
    Ok(Answer { searched, ..answer })
}

/// What was in the way where a stage looked for a proof for any number of threads.
fn obstacle_to_a_proof(stage: &Stage<'_>, outcome: &Outcome) -> Option<String> {
    if !stage.attempts.contains(&Attempt::ThreadByThread) {
        return None;
    }
    let why = match &outcome.verdict {
        Verdict::Holds(_) => return None,
        Verdict::Violated(trace) => {
            format!("a run without names of threads ends in an error ({})", trace.rule().name())
        }
        Verdict::Unknown(StopReason::Incomplete { why }) => why.clone(),
        Verdict::Unknown(_) => "a limit was reached".to_owned(),
    };
    Some(format!("no proof for any number of threads: {why}"))
}

/// The answer that stands after a stage has found something.
fn weigh(standing: Option<Answer>, found: Answer, implication: &Implication) -> Option<Answer> {
    let mut answer = match implication.consequence {
        Consequence::LeavesOpen(_) => return standing,
        Consequence::AddsNothing => standing?,
        Consequence::Answers | Consequence::AnswersUnlessRefuted(_) => found,
    };
    answer.outcome.notes.extend(implication.note.map(str::to_owned));
    Some(answer)
}

/// No stage has said anything about the question. Front ends make no such plans.
fn undecided() -> Answer {
    let why = "no stage of the plan answers the question".to_owned();
    let outcome = Outcome {
        verdict: Verdict::Unknown(StopReason::Incomplete { why }),
        engine: "none".to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    };
    Answer {
        outcome,
        presumes: None,
        assurance: Assurance::Proved,
        stage: StageId(0),
        attempt: None,
        searched: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
