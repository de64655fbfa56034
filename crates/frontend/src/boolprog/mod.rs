//! Boolean programs (`.bp`), as predicate abstraction makes them of C programs, in the
//! dialects of SatAbs and of CUBA.
//!
//! **Stations** `ast` is the text as written, `parse` produces it, `resolve` settles names
//! (`code` is the result), `flow` inlines procedures into one graph, `reduce` makes that
//! smaller with the same errors, `program` steps through it. `stacks` runs a program that calls
//! itself with its calls on stacks.

pub mod ast;
mod code;
mod flow;
mod lex;
mod load;
mod parse;
mod print;
mod program;
mod reduce;
mod resolve;
mod stacks;

use model::{Diagnostic, SourceFile};

use crate::sink::Sink;
use crate::source::Source;
pub(crate) use load::load;
pub use print::print;
pub use program::BooleanProgram;
pub use reduce::Reductions;

/// The syntax tree of a text, with what is wrong with it; names are not looked up. For
/// those who want to give programs a meaning of their own, as the tests do.
pub fn syntax(file: &SourceFile) -> (ast::Program, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    let program = parse::parse(Source { file: 0, text: &file.text }, &mut sink);
    (program, sink.finish())
}
