//! The report for programs: schema `threadproof-refinement/1`, described in the book.

use model::{Refinement, SharedCorrespondence, SourceFile, StopReason};
use serde::Serialize;

use super::rule::RuleLine;
use super::text::headline;
use super::{ComparedPair, Overall, RefinementStudy, rule};
use crate::digest::sha256;
use crate::json_lines::to_text;
use crate::text::reason_words;

const SCHEMA: &str = "threadproof-refinement/1";
const TOOL: &str = concat!("threadproof ", env!("CARGO_PKG_VERSION"));

#[derive(Serialize)]
struct RefinementDocument<'a> {
    schema: &'static str,
    tool: &'static str,
    implementation: Vec<RefinementInput<'a>>,
    specification: Vec<RefinementInput<'a>>,
    /// The second pair, where there are two.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<Pair<'a>>,
    verdict: &'static str,
    sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The relation, or the run that is not allowed.
    refinement: &'a Refinement,
    /// The shared stores of the environment, with what they stand for.
    environment: &'a SharedCorrespondence,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Vec<RuleLineDocument>>,
    statistics: &'a [(String, u64)],
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    time_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory: Option<u64>,
}

/// The same of the second pair as the document has of the first.
#[derive(Serialize)]
struct Pair<'a> {
    implementation: Vec<RefinementInput<'a>>,
    specification: Vec<RefinementInput<'a>>,
    refinement: &'a Refinement,
    environment: &'a SharedCorrespondence,
    statistics: &'a [(String, u64)],
}

#[derive(Serialize)]
struct RefinementInput<'a> {
    name: &'a str,
    sha256: String,
}

#[derive(Serialize)]
struct RuleLineDocument {
    number: &'static str,
    judgement: &'static str,
    answer: String,
}

/// A document without an answer: the run was stopped from outside before there was one.
pub fn render_stopped(reason: &StopReason) -> String {
    let reason = reason_words(reason);
    let sentence = format!("UNKNOWN: {reason}");
    to_text(&StoppedRefinement { schema: SCHEMA, tool: TOOL, verdict: "unknown", sentence, reason })
}

#[derive(Serialize)]
struct StoppedRefinement {
    schema: &'static str,
    tool: &'static str,
    verdict: &'static str,
    sentence: String,
    reason: String,
}

/// The whole document.
pub fn render(study: &RefinementStudy<'_>) -> String {
    let (verdict, reason) = match study.overall() {
        Overall::Refines => ("refines", None),
        Overall::Concluded => ("holds", None),
        Overall::Fails => ("fails", None),
        Overall::SpecificationViolated => ("specification_violated", None),
        Overall::Unknown(why) => ("unknown", Some(why)),
    };
    let ComparedPair { question, answer, implementation, specification, statistics } = study.pair;
    to_text(&RefinementDocument {
        schema: SCHEMA,
        tool: TOOL,
        implementation: inputs(implementation),
        specification: inputs(specification),
        with: study.with.map(pair),
        verdict,
        sentence: headline(study),
        reason,
        refinement: answer,
        environment: question.shared,
        rule: rule::lines(study).map(|lines| lines.into_iter().map(line).collect()),
        statistics,
        notes: study.notes,
        time_seconds: study.effort.map(|effort| effort.elapsed.as_secs_f64()),
        peak_memory: study.effort.and_then(|effort| effort.peak_memory),
    })
}

fn line(line: RuleLine) -> RuleLineDocument {
    let RuleLine { number, judgement, answer } = line;
    RuleLineDocument { number, judgement, answer }
}

fn pair(pair: ComparedPair<'_>) -> Pair<'_> {
    Pair {
        implementation: inputs(pair.implementation),
        specification: inputs(pair.specification),
        refinement: pair.answer,
        environment: pair.question.shared,
        statistics: pair.statistics,
    }
}

fn inputs(files: &[SourceFile]) -> Vec<RefinementInput<'_>> {
    files
        .iter()
        .map(|file| RefinementInput { name: &file.name, sha256: sha256(&file.text) })
        .collect()
}
