//! Thread transition systems in BFC's `.tts` language, with `.prop` properties.
//!
//! **Read first** `ast.rs`, then `program.rs`, which says what a line means.

mod ast;
mod parse;
mod print;
mod program;
mod property;
mod proposition;

use model::Diagnostic;

use crate::load::Texts;
use crate::ltl;
use crate::sink::Sink;

pub(crate) use ast::{Arrow, Initial, Pair, Pattern, Size, System, Transition};
pub(crate) use print::{print, print_initial, print_pattern, print_transition};
pub use program::TtsProgram;

/// Reads a thread transition system. `None` only with an error in the sink.
pub(crate) fn load(texts: &Texts<'_>, sink: &mut Sink) -> Option<TtsProgram> {
    let n_errors_before = sink.n_errors();
    let (mut system, saw_property) = parse::parse(texts.model, sink)?;
    if let Some(source) = texts.target {
        system.patterns = property::patterns(source, system.size, sink);
    } else if !saw_property && texts.formula.is_none() && texts.needs_property {
        let end = texts.model.text.len();
        let message = "there is no property";
        let help = "give a `.prop` file or `--target 's|l1,l2'`: shared state s with threads \
                    in l1 and l2 must not be reachable";
        sink.push(Diagnostic::error("TT006", message, texts.model.span(end, end)).help(help));
    }
    if let Some(source) = texts.init {
        system.initial = property::initial(source, system.size, sink)?;
    } else if let Some(initial) = property::initial_in_comment(texts.model, system.size) {
        system.initial = initial;
    }
    let mut propositions = proposition::Propositions::new(system.size);
    let formula = match texts.formula {
        Some(source) => Some(ltl::load(source, &mut propositions, sink)?),
        None => None,
    };
    let is_good = sink.n_errors() == n_errors_before;
    is_good.then(|| TtsProgram::new(system, formula, propositions))
}
