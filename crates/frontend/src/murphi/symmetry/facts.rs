//! What a condition says of the turn of a loop in which it is true, or false.

use super::access::{TurnFacts, Value};
use crate::murphi::typed::{BinaryOp, Expr, ExprKind, Place, UnaryOp};

/// Adds what is known where `condition` is true. `value` says what is known of an
/// expression's value.
pub(super) fn when_true(condition: &Expr, value: &dyn Fn(&Expr) -> Value, facts: &mut TurnFacts) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            when_true(left, value, facts);
            when_true(right, value, facts);
        }
        ExprKind::Unary(UnaryOp::Not, inner) => when_false(inner, value, facts),
        ExprKind::Binary(BinaryOp::Eq, left, right) => equal(value(left), value(right), facts),
        ExprKind::Binary(BinaryOp::Ne, left, right) => different(value(left), value(right), facts),
        ExprKind::SameElement { negated, left, right } => {
            same_element(!negated, (left, right), value, facts);
        }
        _ => {}
    }
}

/// Adds what is known where `condition` is false.
pub(super) fn when_false(condition: &Expr, value: &dyn Fn(&Expr) -> Value, facts: &mut TurnFacts) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            when_false(left, value, facts);
            when_false(right, value, facts);
        }
        ExprKind::Binary(BinaryOp::Implies, left, right) => {
            when_true(left, value, facts);
            when_false(right, value, facts);
        }
        ExprKind::Unary(UnaryOp::Not, inner) => when_true(inner, value, facts),
        ExprKind::Binary(BinaryOp::Eq, left, right) => different(value(left), value(right), facts),
        ExprKind::Binary(BinaryOp::Ne, left, right) => equal(value(left), value(right), facts),
        ExprKind::SameElement { negated, left, right } => {
            same_element(*negated, (left, right), value, facts);
        }
        _ => {}
    }
}

/// What is known where two places hold the same, or not. A turn's own value is
/// defined: it is not what an undefined place holds.
fn same_element(
    is_same: bool,
    (left, right): (&Place, &Place),
    value: &dyn Fn(&Expr) -> Value,
    facts: &mut TurnFacts,
) {
    let read = |place: &Place| {
        let (kind, span) = (ExprKind::Read(Box::new(place.clone())), place.span);
        value(&Expr { kind, bounds: (i64::MIN, i64::MAX), span })
    };
    let learn = if is_same { equal } else { different };
    learn(read(left), read(right), facts);
}

fn equal(left: Value, right: Value, facts: &mut TurnFacts) {
    if let Some(other) = turn_against(left, right) {
        facts.equal = Some(other);
    }
}

fn different(left: Value, right: Value, facts: &mut TurnFacts) {
    if let Some(other) = turn_against(left, right) {
        facts.different.push(other);
    }
}

/// The value that the turn's own is compared with, where it is the same in all turns.
fn turn_against(left: Value, right: Value) -> Option<Value> {
    match (left, right) {
        (Value::Turn, other) | (other, Value::Turn) => other.is_stable().then_some(other),
        _ => None,
    }
}
