//! What the steps of a run do, one thing after the other, for reports that follow it in
//! the source.

use crate::source::Span;

/// Something that a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEvent {
    /// What.
    pub kind: RunEventKind,
    /// Where.
    pub span: Option<Span>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEventKind {
    /// It calls this function.
    Call(String),
    /// This function returns.
    Return(String),
    /// It touches what other threads can see, or fails.
    Access,
    /// It starts a thread that runs this function.
    Start(String),
    /// It reads an input.
    Input {
        /// The function that gives it.
        function: String,
        /// Its value, as the input language writes it: one with which the run goes as it
        /// is reported.
        value: String,
    },
}
