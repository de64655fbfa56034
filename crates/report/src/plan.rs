//! How an answer came about: the stages of its plan, which of them were searched, and what
//! their verdicts imply. For people, and for programs.

use model::{Attempt, Consequence, Implication, Implications, Stage, StageId};
use serde::Serialize;

use crate::Explanation;
use crate::layout::{paragraph, plain};
use crate::text::property_lines;

/// Width of the column of verdicts.
const VERDICT_WIDTH: usize = 10;

/// The plan as a list of stages, with what was done.
pub(crate) fn text(explanation: &Explanation<'_>, width: usize) -> String {
    let mut out = "\nplan\n".to_owned();
    for (idx, stage) in explanation.plan.stages().iter().enumerate() {
        out.push_str(&stage_text(explanation, StageId(idx), stage, width));
    }
    out
}

fn stage_text(
    explanation: &Explanation<'_>,
    id: StageId,
    stage: &Stage<'_>,
    width: usize,
) -> String {
    let variant = stage.variant();
    let head = format!("{}: {} [{}]", variant.name(), stage.semantics, done(explanation, id));
    let mut out = paragraph(&format!("  {}. ", id.0 + 1), 5, &head, width);
    let asked: Vec<String> = property_lines(stage.problem).iter().map(|line| plain(line)).collect();
    out.push_str(&paragraph("     asks: ", 11, &asked.join("; "), width));
    out.push_str(&paragraph("     searches: ", 15, &attempts_words(&stage.attempts), width));
    for (verdict, implication) in told_apart(&stage.implications) {
        let first = format!("     {verdict:<VERDICT_WIDTH$} ");
        out.push_str(&paragraph(&first, VERDICT_WIDTH + 6, &implied(implication), width));
    }
    out
}

/// What became of a stage.
fn done(explanation: &Explanation<'_>, id: StageId) -> &'static str {
    match explanation.searched.contains(&id) {
        _ if explanation.answering == id => "gave the answer",
        true => "searched",
        false => "not needed",
    }
}

/// The verdicts that imply something of their own: a data race is one more violation
/// where nothing else is said of it.
fn told_apart(implications: &Implications) -> Vec<(&'static str, &Implication)> {
    let is_plain = implications.race == implications.violated;
    let named = implications.by_name().into_iter();
    named.filter(|(name, _)| !(is_plain && *name == "data race")).collect()
}

fn implied(implication: &Implication) -> String {
    let consequence = match implication.consequence {
        Consequence::Answers => "is the answer".to_owned(),
        Consequence::AnswersUnlessRefuted(stage) => {
            format!("is the answer unless stage {} refutes it", stage.0 + 1)
        }
        Consequence::LeavesOpen(stage) => {
            format!("says nothing; stage {} is searched", stage.0 + 1)
        }
        Consequence::AddsNothing => "leaves the earlier answer as it is".to_owned(),
    };
    format!("{consequence}: {}", implication.because)
}

fn attempts_words(attempts: &[Attempt]) -> String {
    let words = attempts.iter().map(|attempt| match attempt {
        Attempt::Search { max_states: None } => "everything".to_owned(),
        Attempt::Search { max_states: Some(n) } => format!("the first {n} states"),
        Attempt::RandomRuns => "random runs".to_owned(),
    });
    words.collect::<Vec<_>>().join(", then ")
}

/// The plan for programs.
#[derive(Serialize)]
pub(crate) struct PlanDocument {
    stages: Vec<StageDocument>,
    /// Indices of the stages that were searched, in order.
    searched: Vec<usize>,
    /// Index of the stage whose verdict is the answer.
    answering: usize,
}

#[derive(Serialize)]
struct StageDocument {
    variant: String,
    semantics: &'static str,
    property: Vec<String>,
    searches: Vec<String>,
    implications: Vec<ImplicationDocument>,
}

#[derive(Serialize)]
struct ImplicationDocument {
    verdict: &'static str,
    consequence: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<usize>,
    because: &'static str,
}

impl PlanDocument {
    pub(crate) fn of(explanation: &Explanation<'_>) -> PlanDocument {
        PlanDocument {
            stages: explanation.plan.stages().iter().map(stage_document).collect(),
            searched: explanation.searched.iter().map(|stage| stage.0).collect(),
            answering: explanation.answering.0,
        }
    }
}

fn stage_document(stage: &Stage<'_>) -> StageDocument {
    StageDocument {
        variant: stage.variant().name().to_owned(),
        semantics: stage.semantics,
        property: property_lines(stage.problem),
        searches: stage.attempts.iter().map(|one| attempts_words(&[*one])).collect(),
        implications: stage.implications.by_name().map(implication_document).into(),
    }
}

fn implication_document(
    (verdict, implication): (&'static str, &Implication),
) -> ImplicationDocument {
    let consequence = match implication.consequence {
        Consequence::Answers => "answers",
        Consequence::AnswersUnlessRefuted(_) => "answers_unless_refuted",
        Consequence::LeavesOpen(_) => "leaves_open",
        Consequence::AddsNothing => "adds_nothing",
    };
    let stage = implication.next().map(|stage| stage.0);
    ImplicationDocument { verdict, consequence, stage, because: implication.because }
}
