//! Turns verdicts, traces, certificates and diagnostics into text, HTML, JSON, SARIF
//! and DOT.
//!
//! One file per format: [`text`] and [`html`] for people, [`json`] for programs and
//! for `replay`, [`sarif`] for code scanning, [`witness`] for other verifiers, [`snippet`] for mistakes in an input,
//! [`dot`] for pictures of a model. The other files are shared by these: [`names`] spells out the indices
//! of a certificate, [`digest`] identifies an input, [`layout`] breaks lines.
//!
//! Deliberately absent: printing. Every function returns a string; the command
//! line decides where it goes.

pub mod cutoff;
pub mod digest;
pub mod dot;
mod guarantee;
pub mod html;
pub mod json;
mod json_lines;
pub mod layout;
pub mod names;
mod plan;
mod proof_text;
pub mod refinement;
pub mod sarif;
pub mod snippet;
mod state_table;
mod story;
mod summaries;
pub mod text;
mod thread_error;
mod thread_state;
mod thread_table;
mod thread_waits;
mod token_table;
pub mod witness;

use std::time::Duration;

use model::{
    Attempt, Outcome, Plan, Presumption, Problem, SearchedStage, SourceFile, StageId, ThreadCount,
};

/// One finished run, as the formats show it.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The system and its property.
    pub problem: Problem<'a>,
    /// The input files, the model first.
    pub files: &'a [SourceFile],
    /// The thread counts that were asked about.
    pub threads: ThreadCount,
    /// The answer. `Holds` and `Violated` have passed `certify`.
    pub outcome: &'a Outcome,
    /// What `Holds` and `Violated` presume.
    pub presumes: Option<Presumption>,
    /// Was the evidence re-checked in full? A search that was not repeated is not.
    pub rechecked: bool,
    /// What it cost; `None` leaves it out, so that output can be compared.
    pub effort: Option<Effort>,
    /// The attempt that gave the answer, where one is known.
    pub attempt: Option<Attempt>,
    /// How the answer came about, where the user wants to know.
    pub explanation: Option<Explanation<'a>>,
}

/// How an answer came about.
#[derive(Clone, Copy)]
pub struct Explanation<'a> {
    /// What was to be searched, and what each verdict implies.
    pub plan: &'a Plan<'a>,
    /// The stages that were searched, in order, and how.
    pub searched: &'a [SearchedStage],
    /// The stage whose verdict is the answer.
    pub answering: StageId,
}

/// What a run cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Wall-clock time from the start of the program.
    pub elapsed: Duration,
    /// The most memory that was in use, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
}
