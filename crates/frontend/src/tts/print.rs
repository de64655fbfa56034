//! Writes thread transition systems, properties and initial states.

use std::fmt::Write as _;

use crate::tts::ast::{Arrow, Initial, Pattern, System, Transition};
use crate::tts::property::INITIAL_COMMENT;

/// The `.tts` text. The property is a separate text, and so are the initial states; where
/// they are not the usual ones, a comment says so as well.
pub(crate) fn print(system: &System) -> String {
    let mut text = format!("{} {}\n", system.size.n_shared, system.size.n_local);
    if system.initial != Initial::default() {
        let _ = writeln!(text, "{INITIAL_COMMENT} {}", print_initial(&system.initial));
    }
    for transition in &system.transitions {
        text.push_str(&print_transition(transition));
        text.push('\n');
    }
    text
}

/// One transition, as a line shows it.
pub(crate) fn print_transition(transition: &Transition) -> String {
    let Transition { arrow, from, to, passive, .. } = transition;
    let mut text =
        format!("{} {} {} {} {}", from.shared, from.local, arrow.symbol(), to.shared, to.local);
    for (a, b) in passive {
        // The transfer's own pair is already on the line.
        if *arrow != Arrow::Transfer || (*a, *b) != (from.local, to.local) {
            let _ = write!(text, " {a} ~> {b}");
        }
    }
    text
}

/// One pattern, in the syntax of a `.prop` file.
pub(crate) fn print_pattern(pattern: &Pattern) -> String {
    format!("{}|{}", pattern.shared, list(&pattern.locals))
}

/// Initial states, in the syntax of `--init`.
pub(crate) fn print_initial(initial: &Initial) -> String {
    let mut text = initial.shared.to_string();
    if !initial.exact.is_empty() || initial.any.is_empty() {
        let _ = write!(text, "|{}", list(&initial.exact));
    }
    if !initial.any.is_empty() {
        let _ = write!(text, "/{}", list(&initial.any));
    }
    text
}

fn list(locals: &[u32]) -> String {
    let locals: Vec<String> = locals.iter().map(u32::to_string).collect();
    locals.join(",")
}
