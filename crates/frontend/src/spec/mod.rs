//! Nets in MIST's `.spec` language.
//!
//! **Read first** `ast.rs`, then `lower.rs`, which says what a rule means.

mod ast;
mod lex;
mod lower;
mod parse;
mod print;

use model::CounterSystem;

use crate::load::Texts;
use crate::sink::Sink;

pub(crate) use print::print;

/// Reads a net. `None` only with an error in the sink.
pub(crate) fn load(texts: &Texts<'_>, sink: &mut Sink) -> Option<CounterSystem> {
    let n_errors_before = sink.n_errors();
    let mut spec = parse::parse(texts.model, sink);
    if let Some(source) = texts.target {
        spec.targets = parse::parse_conditions(source, sink);
        spec.saw_target = true;
    }
    if let Some(source) = texts.init {
        spec.init = parse::parse_conditions(source, sink).into_iter().flatten().collect();
        spec.saw_init = true;
    }
    let whole = texts.model.span(0, texts.model.text.len());
    lower::report_missing_sections(&spec, whole, texts.needs_property, sink);
    let system = lower::lower(&spec, sink);
    (sink.n_errors() == n_errors_before).then_some(system)
}
