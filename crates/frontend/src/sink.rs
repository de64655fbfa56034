//! Collects diagnostics, and stops collecting before a hopeless input floods the
//! terminal.

use model::{Diagnostic, Severity};

/// Chosen so that a screen or two still shows the first mistakes.
const MAX_SHOWN_PER_SEVERITY: usize = 50;

/// A message is at most this long: names in hopeless inputs may have megabytes.
const MAX_MESSAGE_CHARS: usize = 240;

/// The diagnostics of a run.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    shown: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
}

impl Sink {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let (n_seen, what) = match diagnostic.severity {
            Severity::Error => (&mut self.n_errors, "errors"),
            Severity::Warning => (&mut self.n_warnings, "warnings"),
        };
        *n_seen += 1;
        if *n_seen <= MAX_SHOWN_PER_SEVERITY {
            self.shown.push(shortened(diagnostic));
        } else if *n_seen == MAX_SHOWN_PER_SEVERITY + 1 {
            let message = format!("further {what} are not shown");
            self.shown.push(Diagnostic { code: "FE001", message, helps: Vec::new(), ..diagnostic });
        }
    }

    /// Number of errors so far, those not shown included.
    pub fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Will the next error be shown? If not, suggestions for it are wasted time.
    pub fn shows_errors(&self) -> bool {
        self.n_errors < MAX_SHOWN_PER_SEVERITY
    }

    /// All that are shown.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.shown
    }
}

fn shortened(mut diagnostic: Diagnostic) -> Diagnostic {
    for text in std::iter::once(&mut diagnostic.message).chain(&mut diagnostic.helps) {
        if let Some((at, _)) = text.char_indices().nth(MAX_MESSAGE_CHARS) {
            text.truncate(at);
            text.push('…');
        }
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::{MAX_MESSAGE_CHARS, MAX_SHOWN_PER_SEVERITY, Sink};
    use model::{Diagnostic, Severity, Span};

    #[test]
    fn a_name_of_a_megabyte_does_not_fill_the_message() {
        let mut sink = Sink::default();
        sink.push(Diagnostic::error("SP006", "é".repeat(1 << 20), Span::new(0, 0, 0)));
        let shown = sink.finish();
        assert_eq!(shown[0].message.chars().count(), MAX_MESSAGE_CHARS + 1);
    }

    #[test]
    fn a_flood_of_warnings_neither_hides_an_error_nor_becomes_one() {
        let mut sink = Sink::default();
        let place = Span::new(0, 0, 0);
        for _ in 0..200 {
            sink.push(Diagnostic::warning("SP011", "never fires", place));
        }
        assert!(sink.shown.iter().all(|shown| shown.severity == Severity::Warning));
        sink.push(Diagnostic::error("SP001", "wrong", place));
        let shown = sink.finish();
        assert_eq!(shown.len(), MAX_SHOWN_PER_SEVERITY + 2);
        assert_eq!(shown[MAX_SHOWN_PER_SEVERITY].code, "FE001");
        assert!(shown.last().is_some_and(Diagnostic::is_error));
    }
}
