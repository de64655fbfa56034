//! Reads formulas of linear temporal logic, in SPIN's syntax and with letters.
//!
//! What a proposition is depends on the language of the model, so the language
//! says it: [`Atoms`]. A stretch between parentheses is given to the language
//! first, unless a temporal operator or `&&`, `||`, `<->` stands in it; then it is
//! read as a formula, and given to the language only if it is none. So
//! `(x = 1 & y = 2)` is one proposition of a Murphi model, and
//! `((x = 1) -> X (x = 2))` is a formula although Murphi could take `X` for a
//! function. Without parentheses, a name or one comparison is a proposition.
//!
//! Operators from tight to loose: `!`, `[]`/`G`, `<>`/`F`, `X`; then `U`, `W`,
//! `R`/`V`; then `&&`; then `||`; then `->` and `<->`. Those with two operands
//! associate to the left, as SPIN 6 has it.
//!
//! **Read first** `ast.rs`, then `parse.rs`; `lower.rs` says what the operators
//! mean.

mod ast;
mod lower;
mod parse;

use model::{Diagnostic, Formula, NamedFormula, Span};

use crate::sink::Sink;
use crate::source::Source;

/// What a language takes for a proposition.
pub trait Atoms {
    /// Is `text` written like a proposition? Whether its names exist is asked by
    /// [`Atoms::atom`].
    fn is_atom(&self, text: &str) -> bool;

    /// What `text`, which stands at `span`, says of a state: a proposition, or
    /// several joined by `!`, `&&` and `||`.
    ///
    /// # Errors
    /// What is wrong with it.
    fn atom(&mut self, text: &str, span: Span) -> Result<Formula, Diagnostic>;

    /// The text of each proposition so far.
    fn propositions(&self) -> Vec<String>;
}

/// Reads `text`, which is file number `file` of the run. There is no formula
/// exactly when some diagnostic is an error.
pub fn read(
    file: u32,
    text: &str,
    atoms: &mut dyn Atoms,
) -> (Option<NamedFormula>, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    let formula = load(Source { file, text }, atoms, &mut sink);
    (formula, sink.finish())
}

/// Reads a formula. `None` exactly with an error in the sink.
pub(crate) fn load(
    source: Source<'_>,
    atoms: &mut dyn Atoms,
    sink: &mut Sink,
) -> Option<NamedFormula> {
    let ast = match parse::parse(source, atoms) {
        Ok(ast) => ast,
        Err(diagnostic) => {
            sink.push(*diagnostic);
            return None;
        }
    };
    let formula = lower::lower(&ast, source, atoms, sink)?;
    let text = source.text.trim().to_owned();
    let propositions = atoms.propositions();
    if propositions.len() > MAX_PROPOSITIONS {
        let n = propositions.len();
        let message = format!("the formula speaks of {n} propositions, more than 64");
        let span = source.span(0, source.text.len());
        let help = "join propositions, or check parts of the formula one by one";
        sink.push(Diagnostic::error("LT005", message, span).help(help));
        return None;
    }
    Some(NamedFormula { text, formula, propositions })
}

/// The bits of a valuation.
const MAX_PROPOSITIONS: usize = 64;

#[cfg(test)]
mod tests;
