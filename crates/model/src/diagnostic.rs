//! What is wrong with an input, as plain data. `report` renders it.

use crate::source::Span;

/// One mistake in an input, or one warning about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code with a page in the book: two letters for the front end, three
    /// digits (`TT004`).
    pub code: &'static str,
    /// Does it stop the run?
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, names the thing in backticks.
    pub message: String,
    /// Where. The first is the main one.
    pub labels: Vec<Label>,
    /// What to do, or what else to know; each becomes a `help:` line.
    pub helps: Vec<String>,
}

/// Does a diagnostic stop the run?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run goes on.
    Warning,
    /// It does not.
    Error,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark; may be empty.
    pub message: String,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message.into()).label(span, "")
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message.into()).label(span, "")
    }

    /// The same with a remark at the main place.
    pub fn at(mut self, remark: impl Into<String>) -> Diagnostic {
        if let Some(label) = self.labels.first_mut() {
            label.message = remark.into();
        }
        self
    }

    /// The same with one more place.
    pub fn label(mut self, span: Span, remark: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: remark.into() });
        self
    }

    /// The same with a `help:` line.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// Does it stop the run?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn new(severity: Severity, code: &'static str, message: String) -> Diagnostic {
        Diagnostic { code, severity, message, labels: Vec::new(), helps: Vec::new() }
    }
}
