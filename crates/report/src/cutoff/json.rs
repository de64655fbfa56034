//! The report for programs: schema `threadproof-cutoff/1`, described in the book.

use model::{CutoffEnd, StopReason};
use serde::Serialize;

use super::CutoffStudy;
use super::text::headline;
use crate::digest::sha256;
use crate::json_lines::to_text;
use crate::names::{local_name, shared_name};
use crate::text::reason_words;
use crate::thread_table;

const SCHEMA: &str = "threadproof-cutoff/1";
const TOOL: &str = concat!("threadproof ", env!("CARGO_PKG_VERSION"));

#[derive(Serialize)]
struct CutoffDocument<'a> {
    schema: &'static str,
    tool: &'static str,
    inputs: Vec<CutoffInput<'a>>,
    sentence: String,
    /// The cutoff, if it was found.
    cutoff: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    rounds: Vec<RoundLine>,
    reached: Vec<State>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    time_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory: Option<u64>,
}

#[derive(Serialize)]
struct CutoffInput<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    sha256: String,
}

#[derive(Serialize)]
struct RoundLine {
    threads: u32,
    reached: u64,
    new: u64,
    candidates: u64,
    plateau: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_seconds: Option<f64>,
}

#[derive(Serialize)]
struct State {
    shared: String,
    local: String,
    threads: u32,
    /// The steps of a run that leads there.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Vec<String>>,
    /// Has no run with that many threads fewer steps? Told with the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
}

/// A document without rounds: the run was stopped from outside before any answer.
pub fn render_stopped(input: &str, reason: &StopReason) -> String {
    let reason = reason_words(reason);
    to_text(&CutoffDocument {
        schema: SCHEMA,
        tool: TOOL,
        inputs: vec![CutoffInput { name: input, sha256: String::new() }],
        sentence: format!("UNKNOWN: {reason}"),
        cutoff: None,
        reason: Some(reason),
        rounds: Vec::new(),
        reached: Vec::new(),
        notes: &[],
        time_seconds: None,
        peak_memory: None,
    })
}

/// The whole document. With `tells_runs`, a run to each thread state is part of it.
pub fn render(study: &CutoffStudy<'_>, tells_runs: bool) -> String {
    let inputs = study.files.iter();
    let inputs = inputs.map(|file| CutoffInput { name: &file.name, sha256: sha256(&file.text) });
    let reason = match &study.cutoff.end {
        CutoffEnd::Open(reason) => Some(reason_words(reason)),
        CutoffEnd::Found(_) => None,
    };
    to_text(&CutoffDocument {
        schema: SCHEMA,
        tool: TOOL,
        inputs: inputs.collect(),
        sentence: headline(study),
        cutoff: study.cutoff(),
        reason,
        rounds: rounds(study),
        reached: reached(study, tells_runs),
        notes: study.notes,
        time_seconds: study.effort.map(|effort| effort.elapsed.as_secs_f64()),
        peak_memory: study.effort.and_then(|effort| effort.peak_memory),
    })
}

fn rounds(study: &CutoffStudy<'_>) -> Vec<RoundLine> {
    let growth = study.growth();
    let lines = growth.iter().enumerate().map(|(idx, (round, new))| RoundLine {
        threads: round.n_threads,
        reached: round.n_reached,
        new: *new,
        candidates: round.n_candidates,
        plateau: study.is_plateau(idx),
        states: Some(round.n_states).filter(|n| *n > 0),
        time_seconds: study.times.get(idx).map(std::time::Duration::as_secs_f64),
    });
    lines.collect()
}

fn reached(study: &CutoffStudy<'_>, tells_runs: bool) -> Vec<State> {
    let states = study.cutoff.reached.iter().map(|state| State {
        shared: shared_name(study.program.narrator(), &state.shared),
        local: local_name(study.program.narrator(), &state.local),
        threads: state.n_threads,
        run: state
            .run
            .as_ref()
            .filter(|_| tells_runs)
            .map(|run| thread_table::step_lines(study.program, run)),
        shortest: state.run.as_ref().filter(|_| tells_runs).map(|_| state.is_shortest),
    });
    states.collect()
}
