//! The report for programs, and its reading back for `replay`.
//!
//! Two documents share one layout: a *result* (`threadproof-result/2`) is what a
//! run prints, a *certificate* (`threadproof-certificate/2`) is the evidence
//! alone. The book's page on JSON describes every field; a change of meaning
//! changes the number at the end of the schema's name.

use model::{
    Certificate, Diagnostic, Ending, Presumption, Problem, Rule, SourceFile, StateTrace,
    StopReason, ThreadCount, ThreadRuns, Trace, Verdict,
};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::digest::sha256;
use crate::json_lines::to_text;
use crate::names::Names;
use crate::plan::{PlanDocument, attempt_words};
use crate::story::{self, Related, SourceMap};
use crate::text::{presumed, proof_size, property_lines, reason_words, verdict_sentence};
use crate::{Run, snippet, state_table, thread_table, token_table};

/// Schema of a whole result.
pub const RESULT_SCHEMA: &str = "threadproof-result/2";
/// Schema of evidence alone.
pub const CERTIFICATE_SCHEMA: &str = "threadproof-certificate/2";
const TOOL: &str = concat!("threadproof ", env!("CARGO_PKG_VERSION"));

/// How much of the evidence a result carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The certificate or trace, and descriptions of it.
    Included,
    /// Nothing: a suite only wants the verdict.
    LeftOut,
}

/// The result of a run.
pub fn render(run: &Run<'_>, evidence: Evidence) -> String {
    let mut document = document(run, RESULT_SCHEMA);
    match evidence {
        Evidence::Included => document.places = error_places(run),
        Evidence::LeftOut => {
            document.certificate = None;
            document.trace = None;
            document.steps = None;
            document.error = None;
        }
    }
    to_text(&document)
}

/// The evidence of a run alone; `None` when there is none.
pub fn render_certificate(run: &Run<'_>) -> Option<String> {
    if matches!(run.outcome.verdict, Verdict::Unknown(_)) {
        return None;
    }
    let mut document = document(run, CERTIFICATE_SCHEMA);
    document.statistics = None;
    document.notes = None;
    document.time_seconds = None;
    document.peak_memory = None;
    Some(to_text(&document))
}

/// A result for an input that was rejected: `"verdict": "error"`.
pub fn render_rejection(files: &[SourceFile], diagnostics: &[Diagnostic]) -> String {
    let document = Rejection {
        schema: RESULT_SCHEMA,
        tool: TOOL,
        inputs: inputs(files),
        verdict: "error",
        diagnostics: diagnostics.iter().map(|diagnostic| mistake(files, diagnostic)).collect(),
    };
    to_text(&document)
}

/// A result without a model: a file that cannot be read, or options that do not fit.
pub fn render_failure(message: &str) -> String {
    let mistake =
        Mistake { code: None, severity: "error", message, places: Vec::new(), helps: &[] };
    let document = Rejection {
        schema: RESULT_SCHEMA,
        tool: TOOL,
        inputs: Vec::new(),
        verdict: "error",
        diagnostics: vec![mistake],
    };
    to_text(&document)
}

/// A result without a model: the run was stopped from outside before any answer.
pub fn render_stopped(input: &str, reason: &StopReason) -> String {
    let document = Stopped {
        schema: RESULT_SCHEMA,
        tool: TOOL,
        inputs: vec![StoppedInput { name: input }],
        verdict: "unknown",
        summary: format!("UNKNOWN: {}", reason_words(reason)),
        reason,
    };
    to_text(&document)
}

/// Evidence that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Names and digests of the inputs it was found for, the model first.
    pub inputs: Vec<(String, String)>,
    /// The thread counts that were asked about.
    pub threads: ThreadCount,
    /// The claim with its evidence.
    pub verdict: Verdict,
    /// The engine that found it.
    pub engine: String,
}

/// Why a saved result cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// It is not JSON, or fields are missing or of the wrong kind.
    #[error("not a result of threadproof")]
    Malformed(#[from] serde_json::Error),
    /// Another schema, or another version of it.
    #[error("schema `{0}` is not one this version reads")]
    Schema(String),
    /// It has no certificate and no trace.
    #[error("the result has verdict `{0}` and carries no evidence to re-check")]
    NoEvidence(String),
}

/// Reads a result or a certificate back.
///
/// # Errors
/// When the text is neither, or carries no evidence.
pub fn parse(text: &str) -> Result<Saved, SavedError> {
    let head: Head = serde_json::from_str(text)?;
    if head.schema != RESULT_SCHEMA && head.schema != CERTIFICATE_SCHEMA {
        return Err(SavedError::Schema(head.schema));
    }
    let body: Body = serde_json::from_str(text)?;
    let verdict = match (body.verdict.as_str(), body.certificate, body.trace) {
        ("holds", Some(certificate), _) => Verdict::Holds(certificate),
        ("violated", _, Some(trace)) => Verdict::Violated(trace),
        _ => return Err(SavedError::NoEvidence(body.verdict)),
    };
    let inputs = body.inputs.into_iter().map(|input| (input.name, input.sha256)).collect();
    Ok(Saved { inputs, threads: body.threads.unwrap_or_default(), verdict, engine: body.engine })
}

#[derive(Deserialize)]
struct Head {
    schema: String,
}

#[derive(Deserialize)]
struct Body {
    verdict: String,
    #[serde(default)]
    inputs: Vec<SavedInput>,
    threads: Option<ThreadCount>,
    #[serde(default)]
    engine: String,
    certificate: Option<Certificate>,
    trace: Option<Trace>,
}

#[derive(Deserialize)]
struct SavedInput {
    name: String,
    #[serde(default)]
    sha256: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: &'static str,
    inputs: Vec<Input<'a>>,
    property: Vec<String>,
    threads: ThreadCount,
    verdict: &'static str,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    presumes: Option<Presumption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a StopReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<ThreadCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_steps: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'static str>,
    rechecked: bool,
    engine: &'a str,
    variant: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<PlanDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Figures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<ErrorPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'a Certificate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a Trace>,
}

/// A place that has to do with what is wrong.
#[derive(Serialize)]
struct ErrorPlace {
    file: String,
    line: usize,
    column: usize,
    message: String,
}

#[derive(Serialize)]
struct Input<'a> {
    name: &'a str,
    bytes: usize,
    sha256: String,
}

#[derive(Serialize)]
struct Stopped<'a> {
    schema: &'static str,
    tool: &'static str,
    inputs: Vec<StoppedInput<'a>>,
    verdict: &'static str,
    summary: String,
    reason: &'a StopReason,
}

#[derive(Serialize)]
struct StoppedInput<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Rejection<'a> {
    schema: &'static str,
    tool: &'static str,
    inputs: Vec<Input<'a>>,
    verdict: &'static str,
    diagnostics: Vec<Mistake<'a>>,
}

#[derive(Serialize)]
struct Mistake<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    severity: &'static str,
    message: &'a str,
    places: Vec<SpanJson<'a>>,
    helps: &'a [String],
}

#[derive(Serialize)]
struct SpanJson<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
}

/// Named figures as an object that keeps their order.
struct Figures<'a>(&'a [(String, u64)]);

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, figure) in self.0 {
            map.serialize_entry(name, figure)?;
        }
        map.end()
    }
}

fn document<'a>(run: &Run<'a>, schema: &'static str) -> Document<'a> {
    let outcome = run.outcome;
    let (verdict, reason, certificate, trace) = match &outcome.verdict {
        Verdict::Holds(certificate) => ("holds", None, Some(certificate), None),
        Verdict::Violated(trace) => ("violated", None, None, Some(trace)),
        Verdict::Unknown(reason) => ("unknown", Some(reason), None, None),
    };
    let (steps, error) = trace.map_or((None, None), |trace| described(run.problem, trace));
    Document {
        schema,
        tool: TOOL,
        inputs: inputs(run.files),
        property: property_lines(run.problem),
        threads: run.threads,
        verdict,
        summary: verdict_sentence(run.problem, outcome, run.presumes),
        presumes: presumed(run),
        reason,
        scope: certificate.map(|certificate| certificate.scope),
        n_threads: trace.and_then(|trace| match trace {
            Trace::Threads(trace) => Some(trace.n_threads()),
            Trace::Counters(_) | Trace::States(_) => None,
        }),
        n_steps: trace.filter(|trace| has_run(trace)).map(Trace::n_steps),
        rule: trace.map(Trace::rule),
        proof: certificate.map(|c| format!("{}: {}", c.proof.method(), proof_size(&c.proof))),
        evidence: trace.map(evidence_kind),
        rechecked: reason.is_none() && run.rechecked,
        engine: &outcome.engine,
        variant: run.problem.variant().name().to_owned(),
        attempt: run.attempt.as_ref().map(attempt_words),
        plan: run.explanation.as_ref().map(PlanDocument::of),
        time_seconds: run.effort.map(|effort| effort.elapsed.as_millis() as f64 / 1000.0),
        peak_memory: run.effort.and_then(|effort| effort.peak_memory),
        statistics: Some(Figures(&outcome.statistics)),
        notes: Some(&outcome.notes),
        error,
        places: Vec::new(),
        steps,
        certificate,
        trace,
    }
}

/// The places that have to do with what is wrong, in the inputs.
fn error_places(run: &Run<'_>) -> Vec<ErrorPlace> {
    let places = SourceMap::new(run.files);
    let Some(story) = story::tell(run, &places) else { return Vec::new() };
    let mut related = story.related();
    if related.is_empty() {
        let text = story.trouble.text.clone();
        related.extend(story.trouble.place.map(|place| Related { place, text }));
    }
    let told = related.into_iter().filter_map(|related| {
        let file = run.files.get(related.place.file as usize)?.name.clone();
        let (line, column) = (related.place.line, related.place.column);
        Some(ErrorPlace { file, line, column, message: related.text })
    });
    told.collect()
}

/// The steps of a trace and what it ends in, in words.
fn described(problem: Problem<'_>, trace: &Trace) -> (Option<Vec<String>>, Option<String>) {
    match (problem, trace) {
        (
            Problem::Threads(program) | Problem::ThreadRuns(ThreadRuns { program, .. }),
            Trace::Threads(trace),
        ) => (
            Some(thread_table::step_lines(program, trace)),
            Some(thread_table::error_line(program, trace)),
        ),
        (Problem::Counters(system), Trace::Counters(trace)) => {
            let names = Names::of_system(system);
            let mut before = &trace.initial;
            let mut lines = Vec::new();
            for step in &trace.steps {
                let name = token_table::transition_name(system, step);
                lines.push(format!("{name}: {}", token_table::change(&names, before, step)));
                before = &step.after;
            }
            let error = system.targets.get(trace.target).map(|target| names.zone(&target.zone));
            (Some(lines), error)
        }
        (Problem::States(problem), Trace::States(states)) => (
            has_run(trace).then(|| state_table::step_lines(&problem, states)),
            Some(state_table::ending_words(&problem, &states.ending)),
        ),
        _ => (None, None),
    }
}

/// Is there a run that shows the violation? None shows what never happens.
fn has_run(trace: &Trace) -> bool {
    evidence_kind(trace) != "search"
}

/// What shows the violation: a run, a search that was repeated, or both.
fn evidence_kind(trace: &Trace) -> &'static str {
    match trace {
        Trace::States(StateTrace { ending: Ending::Uncovered(_), .. }) => "search",
        Trace::States(StateTrace { ending: Ending::Stranded(_), .. }) => "run and search",
        _ => "run",
    }
}

fn inputs(files: &[SourceFile]) -> Vec<Input<'_>> {
    files
        .iter()
        .map(|file| Input { name: &file.name, bytes: file.text.len(), sha256: sha256(&file.text) })
        .collect()
}

fn mistake<'a>(files: &'a [SourceFile], diagnostic: &'a Diagnostic) -> Mistake<'a> {
    let places = diagnostic.labels.iter().filter_map(|label| {
        let file = files.get(label.span.file as usize)?;
        let (line, column) = snippet::position(&file.text, label.span.start as usize);
        Some(SpanJson { file: &file.name, line, column, message: &label.message })
    });
    Mistake {
        code: Some(diagnostic.code),
        severity: if diagnostic.is_error() { "error" } else { "warning" },
        message: &diagnostic.message,
        places: places.collect(),
        helps: &diagnostic.helps,
    }
}
