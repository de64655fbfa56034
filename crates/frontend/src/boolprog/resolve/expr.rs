//! Expressions over numbered variables.

use model::{Bit, BitExpr, Diagnostic, Span};

use super::scope::Local;
use super::stmt::Body;
use super::{Global, Trouble, equal};
use crate::boolprog::ast::{Expr, ExprKind, Operator};
use crate::suggest::did_you_mean;

/// Where an expression stands: it says which values it may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// A value or a condition.
    Plain,
    /// After `constrain`: `'x` is the value after the assignment.
    Constraint,
    /// What is assigned to other threads: `x$` is their local.
    Passive,
    /// After `enforce`: all values are those after the step.
    Enforced,
}

impl Body<'_, '_, '_> {
    /// An expression; each `*` gets the next choice of the statement.
    pub(super) fn expr(&mut self, expr: &Expr, context: Context) -> Result<BitExpr, Trouble> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(BitExpr::Const(*value)),
            ExprKind::Star => Ok(self.choice()),
            ExprKind::Number(text) => Err(self.number(&format!("the number {text}"), expr.span)),
            ExprKind::Var(name) => {
                let bit = self.variable(name, expr.span)?;
                let is_after = context == Context::Enforced;
                Ok(if is_after { BitExpr::After(bit) } else { BitExpr::Before(bit) })
            }
            ExprKind::Next(name) => self.next_value(name, expr.span, context),
            ExprKind::Passive(name) => self.passive_value(name, expr.span, context),
            ExprKind::Not(inner) => Ok(self.expr(inner, context)?.negated()),
            ExprKind::Binary(operator, left, right) => {
                let left = self.expr(left, context)?;
                let right = self.expr(right, context)?;
                self.binary(*operator, left, right, expr.span)
            }
            ExprKind::Schoose(yes, no) => {
                let yes = self.expr(yes, context)?;
                let no = self.expr(no, context)?;
                let choice = self.choice();
                Ok(yes.or(no.negated().and(choice)))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.expr(condition, context)?;
                let then = self.expr(then, context)?;
                let otherwise = self.expr(otherwise, context)?;
                Ok(conditional(condition, then, otherwise))
            }
            ExprKind::Call(name, _) => {
                let message = format!("the call of `{name}` is not all that is assigned");
                let help = format!("say `x := {name}(…);` first");
                self.resolver.sink.push(Diagnostic::error("BP008", message, expr.span).help(help));
                Err(Trouble::Reported)
            }
        }
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: BitExpr,
        right: BitExpr,
        span: Span,
    ) -> Result<BitExpr, Trouble> {
        Ok(match operator {
            Operator::And => left.and(right),
            Operator::Or => left.or(right),
            Operator::Xor => left.xor(right),
            Operator::Equal => equal(left, right),
            Operator::Implies => left.negated().or(right),
            Operator::Arithmetic(symbol) => {
                return Err(self.number(&format!("the operator `{symbol}`"), span));
            }
        })
    }

    fn next_value(&mut self, name: &str, span: Span, context: Context) -> Result<BitExpr, Trouble> {
        let bit = self.variable(name, span)?;
        if context == Context::Constraint {
            return Ok(BitExpr::After(bit));
        }
        let message = format!("`'{name}` is a value after an assignment: only `constrain` has it");
        self.resolver.error("BP011", message, span);
        Err(Trouble::Reported)
    }

    fn passive_value(
        &mut self,
        name: &str,
        span: Span,
        context: Context,
    ) -> Result<BitExpr, Trouble> {
        let idx = self.passive_local(name, span)?;
        if context == Context::Passive {
            return Ok(BitExpr::Passive(idx));
        }
        let message =
            format!("`{name}$` is a local of other threads: only what is assigned to them has it");
        self.resolver.error("BP011", message, span);
        Err(Trouble::Reported)
    }

    /// A local of other threads.
    pub(super) fn passive_local(&mut self, name: &str, span: Span) -> Result<u32, Trouble> {
        match self.variable(name, span)? {
            Bit::Local(idx) if self.is_main => {
                self.resolver.broadcasts.push((name.to_owned(), span));
                Ok(idx)
            }
            Bit::Local(_) => {
                self.resolver.error("BP011", format!("`{name}$` is no local of `main`"), span);
                Err(Trouble::Reported)
            }
            Bit::Shared(_) => {
                let message =
                    format!("`{name}` is shared: other threads have no local of that name");
                self.resolver.error("BP011", message, span);
                Err(Trouble::Reported)
            }
        }
    }

    /// The Boolean variable of this name.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Result<Bit, Trouble> {
        let local = self.scope.get(name);
        let global = self.resolver.globals.get(name).copied();
        match (local, global) {
            (Some(Local::Bool(idx)), _) => Ok(Bit::Local(idx)),
            (None, Some(Global::Shared(idx) | Global::Lock(idx, _))) => Ok(Bit::Shared(idx)),
            (Some(Local::Number), _) | (None, Some(Global::Number)) => {
                Err(self.number(&format!("`{name}`, which holds a number,"), span))
            }
            (None, None) => {
                let message = format!("`{name}` is not declared");
                let mut diagnostic = Diagnostic::error("BP005", message, span);
                let known = self.scope.names().chain(self.resolver.globals.keys().copied());
                let mut known: Vec<&str> = known.collect();
                known.sort_unstable();
                if let Some(help) = did_you_mean(name, known.into_iter()) {
                    diagnostic = diagnostic.help(help);
                }
                Err(self.resolver.unknown(diagnostic))
            }
        }
    }

    fn number(&mut self, what: &str, span: Span) -> Trouble {
        let message = format!("{what} is not Boolean");
        self.resolver.unknown(Diagnostic::error("BP012", message, span))
    }

    fn choice(&mut self) -> BitExpr {
        self.n_choices += 1;
        BitExpr::Choice(self.n_choices - 1)
    }
}

/// `then` or `otherwise`. One of the three occurs twice in it: the smallest, so that nested
/// conditionals do not grow without bound.
fn conditional(condition: BitExpr, then: BitExpr, otherwise: BitExpr) -> BitExpr {
    let [n_condition, n_then, n_otherwise] = [&condition, &then, &otherwise].map(n_leaves);
    if n_condition <= n_then.min(n_otherwise) {
        condition.clone().and(then).or(condition.negated().and(otherwise))
    } else if n_otherwise <= n_then {
        otherwise.clone().xor(condition.and(then.xor(otherwise)))
    } else {
        then.clone().xor(condition.negated().and(then.xor(otherwise)))
    }
}

fn n_leaves(expr: &BitExpr) -> usize {
    let mut n_leaves = 0;
    expr.each_leaf(&mut |_| n_leaves += 1);
    n_leaves
}
