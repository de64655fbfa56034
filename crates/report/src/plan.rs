//! How an answer came about: the stages of its plan, which of them were searched, and what
//! their verdicts imply. For people, and for programs.

use std::borrow::Cow;

use model::{
    Attempt, AttemptEnd, Consequence, Implication, Implications, Presumption, SearchBounds,
    SearchedStage, Stage, StageId, TriedAttempt,
};
use serde::Serialize;

use crate::Explanation;
use crate::layout::{counted, paragraph, plain};
use crate::text::{property_lines, reason_words};

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
    for (idx, tried) in explanation.tried(id).iter().enumerate() {
        let first = if idx == 0 { "     tried: " } else { "            " };
        out.push_str(&paragraph(first, 12, &tried_words(tried), width));
    }
    for (verdict, implication) in told_apart(&stage.implications) {
        let first = format!("     {verdict:<VERDICT_WIDTH$} ");
        out.push_str(&paragraph(&first, VERDICT_WIDTH + 6, &implied(implication), width));
    }
    out
}

/// What became of a stage.
fn done(explanation: &Explanation<'_>, id: StageId) -> &'static str {
    let is_searched = explanation.searched.iter().any(|searched| searched.stage == id);
    match is_searched {
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
    let under = implication.presumes.map_or(String::new(), |it| format!(" under {}", it.words()));
    let consequence = match implication.consequence {
        Consequence::Answers => format!("is the answer{under}"),
        Consequence::AnswersUnlessRefuted(stage) => {
            format!("is the answer{under} unless stage {} refutes it", stage.0 + 1)
        }
        Consequence::LeavesOpen(stage) => {
            format!("says nothing; stage {} is searched", stage.0 + 1)
        }
        Consequence::AddsNothing => "leaves the earlier answer as it is".to_owned(),
    };
    format!("{consequence}: {}", implication.because)
}

/// What is planned: the attempts, then what makes a search start again.
fn attempts_words(attempts: &[Attempt]) -> String {
    let words: Vec<String> = attempts.iter().map(planned_words).collect();
    let mut words = words.join(", then ");
    let bounds = attempts.iter().find_map(|attempt| match attempt {
        Attempt::Search(bounds) => Some(bounds),
        _ => None,
    });
    if let Some(SearchBounds { slots: Some(slots), .. }) = bounds {
        words.push_str(&format!(
            "; with {}, and with twice as many whenever a new thread finds none, up to {}",
            counted(slots.first() as usize, "thread slot"),
            slots.last()
        ));
    }
    words
}

/// How much an attempt is to search, and how its bound on context switches grows.
fn planned_words(attempt: &Attempt) -> String {
    let mut words = extent(attempt).into_owned();
    let Attempt::Search(SearchBounds { switches: Some(switches), between_supersteps, .. }) =
        attempt
    else {
        return words;
    };
    let (first, last) = (switches.first(), switches.last());
    let first = switches_words(first);
    let between = if *between_supersteps { " between supersteps" } else { "" };
    words.push_str(&format!(" with at most {first}{between} per run"));
    if switches.can_grow() {
        words
            .push_str(&format!(" (and one more each time none of these runs fails, up to {last})"));
    }
    words
}

/// How much an attempt searches.
fn extent(attempt: &Attempt) -> Cow<'static, str> {
    match attempt {
        Attempt::Search(SearchBounds { max_states: None, .. }) => "everything".into(),
        Attempt::Search(SearchBounds { max_states: Some(n), .. }) => {
            format!("the first {n} states").into()
        }
        Attempt::RandomRuns => "random runs".into(),
        Attempt::ThreadByThread => "each thread alone, for any number of threads".into(),
        Attempt::FewThreads => "few threads".into(),
        Attempt::Follow => "the run that an earlier stage has found".into(),
    }
}

/// An attempt with its bounds: `everything, with 4 thread slots`.
pub(crate) fn attempt_words(attempt: &Attempt) -> String {
    let mut words = extent(attempt).into_owned();
    let Attempt::Search(bounds) = attempt else { return words };
    if let Some(switches) = bounds.switches {
        words.push_str(&format!(", with at most {}", switches_words(switches.now())));
    }
    if let Some(slots) = bounds.slots {
        words.push_str(&format!(", with {}", counted(slots.now() as usize, "thread slot")));
    }
    words
}

fn switches_words(n: u32) -> String {
    let plural = if n == 1 { "" } else { "es" };
    format!("{n} pre-emptive context switch{plural}")
}

fn tried_words(tried: &TriedAttempt) -> String {
    format!("{}: {}", attempt_words(&tried.attempt), end_words(&tried.end))
}

fn end_words(end: &AttemptEnd) -> String {
    match end {
        AttemptEnd::Holds => "holds".to_owned(),
        AttemptEnd::Violated => "violated".to_owned(),
        AttemptEnd::Open(reason) => reason_words(reason),
        AttemptEnd::NothingFound => "no error met".to_owned(),
    }
}

impl Explanation<'_> {
    /// The attempts that were made at a stage.
    fn tried(&self, stage: StageId) -> &[TriedAttempt] {
        let searched = self.searched.iter().find(|searched| searched.stage == stage);
        searched.map_or(&[], |searched| &searched.tried)
    }
}

/// The plan for programs.
#[derive(Serialize)]
pub(crate) struct PlanDocument {
    stages: Vec<StageDocument>,
    /// Indices of the stages that were searched, in order.
    searched: Vec<usize>,
    /// The attempts that were made, in order.
    tried: Vec<TriedDocument>,
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
struct TriedDocument {
    stage: usize,
    attempt: String,
    end: String,
}

#[derive(Serialize)]
struct ImplicationDocument {
    verdict: &'static str,
    consequence: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    presumes: Option<Presumption>,
    because: &'static str,
}

impl PlanDocument {
    pub(crate) fn of(explanation: &Explanation<'_>) -> PlanDocument {
        PlanDocument {
            stages: explanation.plan.stages().iter().map(stage_document).collect(),
            searched: explanation.searched.iter().map(|searched| searched.stage.0).collect(),
            tried: explanation.searched.iter().flat_map(tried_documents).collect(),
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

fn tried_documents(searched: &SearchedStage) -> impl Iterator<Item = TriedDocument> {
    searched.tried.iter().map(|tried| TriedDocument {
        stage: searched.stage.0,
        attempt: attempt_words(&tried.attempt),
        end: end_words(&tried.end),
    })
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
    let Implication { presumes, because, .. } = *implication;
    ImplicationDocument { verdict, consequence, stage, presumes, because }
}
