//! Place/transition nets in PNML, as the Model Checking Contest uses it.
//!
//! **Read first** `ast.rs`, then `lower.rs`. The target is not part of the
//! language: it comes from `--target`.

mod ast;
mod element;
mod lower;
mod number;
mod parse;
mod print;

use model::{CounterSystem, Diagnostic};

use crate::load::Texts;
use crate::sink::Sink;

pub(crate) use print::print;

/// Reads a net. `None` only with an error in the sink.
pub(crate) fn load(texts: &Texts<'_>, sink: &mut Sink) -> Option<CounterSystem> {
    let n_errors_before = sink.n_errors();
    let root = element::read(texts.model, sink)?;
    let net = parse::parse(&root, sink)?;
    if texts.target.is_none() && texts.needs_property {
        let message = "a PNML file holds no property";
        let help = "give `--target 'p1>=1,p2>=2'` with ids or names of places";
        sink.push(Diagnostic::error("PN011", message, net.span).help(help));
    }
    let system = lower::lower(&net, texts.target, texts.init, sink);
    (sink.n_errors() == n_errors_before).then_some(system)
}
