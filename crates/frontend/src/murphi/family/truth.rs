//! What is left of a value or a condition when nothing is known of the elements that a view
//! does not show: Kleene's three truth values, as expressions.
//!
//! A value is known always, never, or when a condition is true. A condition becomes two: one
//! that is true wherever the original *may* be true, and one that is true only where it *must*
//! be. Both evaluate whatever the original may evaluate, so that no fault gets lost.

use model::Span;

use crate::murphi::typed::{BinaryOp, Expr, ExprKind, UnaryOp};

/// When a value is known.
#[derive(Clone, Debug)]
pub(super) enum Known {
    Always,
    /// Where this is true.
    When(Expr),
    Never,
}

/// A value, to be computed only where it is known.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub expr: Expr,
    pub known: Known,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    /// It has one of two truth values.
    Exact(Expr),
    /// It may also be unknown.
    Split { may: Expr, must: Expr },
}

impl Known {
    /// Known where both are.
    pub(super) fn and(self, other: Known) -> Known {
        match (self, other) {
            (Known::Always, other) | (other, Known::Always) => other,
            (Known::When(left), Known::When(right)) => Known::When(and(left, right)),
            (Known::Never, _) | (_, Known::Never) => Known::Never,
        }
    }
}

impl Value {
    /// A value that is always known.
    pub(super) fn known(expr: Expr) -> Value {
        Value { expr, known: Known::Always }
    }

    /// Nothing is known.
    pub(super) fn unknown(span: Span) -> Value {
        Value { expr: truth_constant(false, span), known: Known::Never }
    }

    /// The value as a condition.
    pub(super) fn into_truth(self) -> Truth {
        let Value { expr, known } = self;
        match known {
            Known::Always => Truth::Exact(expr),
            Known::Never => Truth::unknown(expr.span),
            Known::When(known) => {
                Truth::Split { may: or(not(known.clone()), expr.clone()), must: and(known, expr) }
            }
        }
    }
}

impl Truth {
    /// Nothing is known.
    pub(super) fn unknown(span: Span) -> Truth {
        Truth::Split { may: truth_constant(true, span), must: truth_constant(false, span) }
    }

    /// True where the original may be true.
    pub(super) fn may(&self) -> Expr {
        match self {
            Truth::Exact(expr) | Truth::Split { may: expr, .. } => expr.clone(),
        }
    }

    /// True only where the original must be true.
    pub(super) fn must(&self) -> Expr {
        match self {
            Truth::Exact(expr) | Truth::Split { must: expr, .. } => expr.clone(),
        }
    }

    /// The condition as a value.
    pub(super) fn into_value(self) -> Value {
        match self {
            Truth::Exact(expr) => Value::known(expr),
            Truth::Split { may, must } => {
                let known = or(must.clone(), not(may));
                match truth_of(&known) {
                    Some(false) => Value::unknown(must.span),
                    _ => Value { known: Known::When(known), expr: must },
                }
            }
        }
    }

    /// The contrary.
    pub(super) fn not(self) -> Truth {
        match self {
            Truth::Exact(expr) => Truth::Exact(not(expr)),
            Truth::Split { may, must } => Truth::Split { may: not(must), must: not(may) },
        }
    }

    /// Both. The second is looked at unless the first must be false, as the original has it.
    pub(super) fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Exact(left), Truth::Exact(right)) => Truth::Exact(and(left, right)),
            (left, right) => {
                // `must` looks at the second wherever the first may be true, for its faults.
                let looks = and(left.may(), right.must());
                Truth::Split { may: and(left.may(), right.may()), must: and(looks, left.must()) }
            }
        }
    }

    /// One of both. The second is looked at unless the first must be true.
    pub(super) fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Exact(left), Truth::Exact(right)) => Truth::Exact(or(left, right)),
            (left, right) => Truth::Split {
                may: or(or(left.must(), right.may()), left.may()),
                must: or(left.must(), right.must()),
            },
        }
    }

    /// Has it always the same value? Constants are folded on the way.
    pub(super) fn exactly(self) -> Truth {
        match &self {
            Truth::Split { may, must } => match (truth_of(may), truth_of(must)) {
                (Some(false), _) => Truth::Exact(truth_constant(false, may.span)),
                (_, Some(true)) => Truth::Exact(truth_constant(true, must.span)),
                _ => self,
            },
            Truth::Exact(_) => self,
        }
    }
}

/// A truth value as an expression.
pub(super) fn truth_constant(value: bool, span: Span) -> Expr {
    number(i64::from(value), span)
}

/// A number, or an element, as an expression.
pub(super) fn number(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Constant(value), bounds: (value, value), span }
}

/// The truth value of a constant.
pub(super) fn truth_of(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Constant(value) => Some(value != 0),
        _ => None,
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Constant(value) => truth_constant(value == 0, expr.span),
        ExprKind::Unary(UnaryOp::Not, inner) => *inner,
        _ => condition(expr.span, ExprKind::Unary(UnaryOp::Not, Box::new(expr))),
    }
}

pub(super) fn and(left: Expr, right: Expr) -> Expr {
    match (truth_of(&left), truth_of(&right)) {
        (Some(true), _) => right,
        (Some(false), _) | (_, Some(true)) => left,
        _ => binary(BinaryOp::And, left, right),
    }
}

pub(super) fn or(left: Expr, right: Expr) -> Expr {
    match (truth_of(&left), truth_of(&right)) {
        (Some(false), _) => right,
        (Some(true), _) | (_, Some(false)) => left,
        _ => binary(BinaryOp::Or, left, right),
    }
}

/// A comparison or connective of two expressions.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    condition(span, ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

/// An expression of truth value.
pub(super) fn condition(span: Span, kind: ExprKind) -> Expr {
    Expr { kind, bounds: (0, 1), span }
}
