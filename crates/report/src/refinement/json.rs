//! The report for programs: schema `threadproof-refinement/1`, described in the book.

use model::{Refinement, SharedCorrespondence, SourceFile};
use serde::Serialize;

use super::text::headline;
use super::{Overall, RefinementStudy};
use crate::digest::sha256;
use crate::json_lines::to_text;

const SCHEMA: &str = "threadproof-refinement/1";
const TOOL: &str = concat!("threadproof ", env!("CARGO_PKG_VERSION"));

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: &'static str,
    implementation: Vec<Input<'a>>,
    specification: Vec<Input<'a>>,
    verdict: &'static str,
    sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The relation, or the run that is not allowed.
    refinement: &'a Refinement,
    /// The shared stores of the environment, with what they stand for.
    environment: &'a SharedCorrespondence,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Vec<Line>>,
    statistics: &'a [(String, u64)],
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    time_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory: Option<u64>,
}

#[derive(Serialize)]
struct Input<'a> {
    name: &'a str,
    sha256: String,
}

#[derive(Serialize)]
struct Line {
    number: &'static str,
    judgement: &'static str,
    answer: String,
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
    let line = |(number, judgement, answer)| Line { number, judgement, answer };
    to_text(&Document {
        schema: SCHEMA,
        tool: TOOL,
        implementation: inputs(study.implementation),
        specification: inputs(study.specification),
        verdict,
        sentence: headline(study),
        reason,
        refinement: study.answer,
        environment: study.question.shared,
        rule: study.rule().map(|lines| lines.into_iter().map(line).collect()),
        statistics: study.statistics,
        notes: study.notes,
        time_seconds: study.effort.map(|effort| effort.elapsed.as_secs_f64()),
        peak_memory: study.effort.and_then(|effort| effort.peak_memory),
    })
}

fn inputs(files: &[SourceFile]) -> Vec<Input<'_>> {
    files.iter().map(|file| Input { name: &file.name, sha256: sha256(&file.text) }).collect()
}
