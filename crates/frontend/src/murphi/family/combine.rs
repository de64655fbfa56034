//! Truth values and values that are put together of others.

use model::Span;

use crate::murphi::typed::{Argument, Domain, Expr, ExprKind, LocalId, Place};

use super::truth::{Known, Truth, Value, and, condition, not, or, truth_constant, truth_of};

/// The condition where it is known, and nothing elsewhere.
pub(super) fn where_known(known: Known, truth: Truth) -> Truth {
    match known {
        Known::Always => truth,
        Known::Never => Truth::unknown(truth.may().span),
        Known::When(known) => Truth::Split {
            may: or(not(known.clone()), truth.may()),
            must: and(known, truth.must()),
        },
    }
}

/// A quantifier over slots.
pub(super) fn quantify(
    forall: bool,
    local: LocalId,
    domain: &Domain,
    body: Truth,
    span: Span,
) -> Truth {
    let one = |body: Expr| match truth_of(&body) {
        // There is at least one slot.
        Some(_) => body,
        None => {
            let (domain, body) = (domain.clone(), Box::new(body));
            condition(span, ExprKind::Quantified { forall, local, domain, body })
        }
    };
    match body {
        Truth::Exact(body) => Truth::Exact(one(body)),
        Truth::Split { may, must } => Truth::Split { may: one(may), must: one(must) },
    }
}

/// `asked ? left : right` of truth values.
pub(super) fn choice_of(asked: Truth, left: Truth, right: Truth, span: Span) -> Truth {
    let Truth::Exact(asked) = asked else {
        return asked.clone().and(left).or(asked.not().and(right));
    };
    let either = |left: Expr, right: Expr| {
        let (asked, left, right) = (Box::new(asked.clone()), Box::new(left), Box::new(right));
        condition(span, ExprKind::Conditional(asked, left, right))
    };
    match (left, right) {
        (Truth::Exact(left), Truth::Exact(right)) => Truth::Exact(either(left, right)),
        (left, right) => Truth::Split {
            may: either(left.may(), right.may()),
            must: either(left.must(), right.must()),
        },
    }
}

/// `asked ? left : right` of values.
pub(super) fn conditional(asked: Truth, left: Value, right: Value, expr: &Expr) -> Value {
    let Truth::Exact(asked) = asked else { return Value::unknown(expr.span) };
    let known = match (left.known, right.known) {
        (Known::Always, Known::Always) => Known::Always,
        (left, right) => {
            let part = |known| match known {
                Known::Always => truth_constant(true, expr.span),
                Known::When(known) => known,
                Known::Never => truth_constant(false, expr.span),
            };
            let (left, right) = (Box::new(part(left)), Box::new(part(right)));
            let kind = ExprKind::Conditional(Box::new(asked.clone()), left, right);
            Known::When(condition(expr.span, kind))
        }
    };
    let (left, right) = (Box::new(left.expr), Box::new(right.expr));
    Value {
        expr: Expr { kind: ExprKind::Conditional(Box::new(asked), left, right), ..*expr },
        known,
    }
}

/// A value with a name for something.
pub(super) fn within(local: LocalId, target: &Argument, body: Value, known: Known) -> Value {
    let inner = |part: Expr| bound(local, target, part);
    let of_body = match body.known {
        Known::When(part) => Known::When(inner(part)),
        other => other,
    };
    Value { expr: inner(body.expr), known: known.and(of_body) }
}

/// A truth value with a name for something.
pub(super) fn truth_within(local: LocalId, target: &Argument, body: Truth, known: Known) -> Truth {
    let inner = |part: Expr| bound(local, target, part);
    let body = match body {
        Truth::Exact(part) => Truth::Exact(inner(part)),
        Truth::Split { may, must } => Truth::Split { may: inner(may), must: inner(must) },
    };
    where_known(known, body)
}

/// An expression with a name for something.
pub(super) fn bound(local: LocalId, target: &Argument, body: Expr) -> Expr {
    let (bounds, span) = (body.bounds, body.span);
    let kind = ExprKind::Let { local, target: Box::new(target.clone()), body: Box::new(body) };
    Expr { kind, bounds, span }
}

/// Is what lies at a place undefined?
pub(super) fn is_undefined(place: &Place, span: Span) -> Expr {
    condition(span, ExprKind::IsUndefined(Box::new(place.clone())))
}

/// What lies at a place.
pub(super) fn read_of(place: &Place) -> Expr {
    let kind = ExprKind::Read(Box::new(place.clone()));
    Expr { kind, bounds: (i64::MIN, i64::MAX), span: place.span }
}
