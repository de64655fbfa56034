//! What the operators mean: [`Ast`] to `model::Formula`.

use model::{Diagnostic, Formula};

use crate::ltl::Atoms;
use crate::ltl::ast::{Ast, Binary, Unary};
use crate::sink::Sink;
use crate::source::Source;

/// `<->` and `W` repeat their operands, so nesting them multiplies. No automaton of
/// a formula near this size is feasible.
const MAX_SIZE: u64 = 20_000;

/// The formula, unless a proposition or the size is wrong: `None` exactly with an
/// error in the sink.
pub(super) fn lower(
    ast: &Ast,
    source: Source<'_>,
    atoms: &mut dyn Atoms,
    sink: &mut Sink,
) -> Option<Formula> {
    if size(ast) > MAX_SIZE {
        let message = "the formula becomes too large when `<->` and `W` are spelled out";
        let span = source.span(0, source.text.len());
        sink.push(Diagnostic::error("LT003", message, span));
        return None;
    }
    Lowering { source, atoms, sink }.formula(ast)
}

/// The number of operators and operands once everything is spelled out.
fn size(ast: &Ast) -> u64 {
    match ast {
        Ast::Constant(_) | Ast::Atom(_) => 1,
        Ast::Unary(_, inner) => size(inner).saturating_add(2),
        Ast::Binary(operator, left, right) => {
            let (left, right) = (size(left), size(right));
            let operands = left.saturating_add(right);
            match operator {
                Binary::Equivalent => operands.saturating_mul(2).saturating_add(5),
                Binary::WeakUntil => operands.saturating_add(right).saturating_add(2),
                _ => operands.saturating_add(2),
            }
        }
    }
}

struct Lowering<'a> {
    source: Source<'a>,
    atoms: &'a mut dyn Atoms,
    sink: &'a mut Sink,
}

impl Lowering<'_> {
    fn formula(&mut self, ast: &Ast) -> Option<Formula> {
        match ast {
            Ast::Constant(true) => Some(Formula::True),
            Ast::Constant(false) => Some(Formula::False),
            Ast::Atom(span) => {
                let text = self.source.slice(*span);
                self.atoms.atom(text, *span).map_err(|wrong| self.sink.push(wrong)).ok()
            }
            Ast::Unary(operator, inner) => {
                let inner = Box::new(self.formula(inner)?);
                Some(match operator {
                    Unary::Not => Formula::Not(inner),
                    Unary::Next => Formula::Next(inner),
                    Unary::Always => Formula::Release(Box::new(Formula::False), inner),
                    Unary::Eventually => Formula::Until(Box::new(Formula::True), inner),
                })
            }
            Ast::Binary(operator, left, right) => {
                // Both are looked at, so that the mistakes of both are reported.
                let (left, right) = (self.formula(left), self.formula(right));
                Some(binary(*operator, left?, right?))
            }
        }
    }
}

fn binary(operator: Binary, left: Formula, right: Formula) -> Formula {
    let both = |a, b| Formula::And(Box::new(a), Box::new(b));
    let either = |a, b| Formula::Or(Box::new(a), Box::new(b));
    let not = |a| Formula::Not(Box::new(a));
    match operator {
        Binary::Until => Formula::Until(Box::new(left), Box::new(right)),
        Binary::Release => Formula::Release(Box::new(left), Box::new(right)),
        Binary::WeakUntil => {
            Formula::Release(Box::new(right.clone()), Box::new(either(left, right)))
        }
        Binary::And => both(left, right),
        Binary::Or => either(left, right),
        Binary::Implies => either(not(left), right),
        Binary::Equivalent => {
            let neither = both(not(left.clone()), not(right.clone()));
            either(both(left, right), neither)
        }
    }
}
