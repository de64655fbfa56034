//! Values of constant expressions, in checked 64-bit arithmetic.

use model::Span;

use super::super::typed::{BinaryOp, Expr, ExprKind, UnaryOp};
use super::bounds;

/// The value of an operator with one operand; `None` where it has none.
pub(in crate::murphi) fn unary(op: UnaryOp, operand: i64) -> Option<i64> {
    match op {
        UnaryOp::Not => Some(i64::from(operand == 0)),
        UnaryOp::Negate => operand.checked_neg(),
        UnaryOp::BitNot => Some(!operand),
    }
}

/// The value of an operator with two operands; `None` where it has none.
pub(in crate::murphi) fn binary(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Sub => left.checked_sub(right)?,
        BinaryOp::Mul => left.checked_mul(right)?,
        BinaryOp::Div => left.checked_div(right)?,
        BinaryOp::Rem => left.checked_rem(right)?,
        BinaryOp::And => i64::from(left != 0 && right != 0),
        BinaryOp::Or => i64::from(left != 0 || right != 0),
        BinaryOp::Implies => i64::from(left == 0 || right != 0),
        BinaryOp::Eq => i64::from(left == right),
        BinaryOp::Ne => i64::from(left != right),
        BinaryOp::Lt => i64::from(left < right),
        BinaryOp::Le => i64::from(left <= right),
        BinaryOp::Gt => i64::from(left > right),
        BinaryOp::Ge => i64::from(left >= right),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Shl => shifted_left(left, right),
        BinaryOp::Shr => shifted_left(left, right.saturating_neg()),
    })
}

fn shifted_left(value: i64, by: i64) -> i64 {
    match by {
        64.. => 0,
        0..64 => value.wrapping_shl(by as u32),
        _ => value >> by.unsigned_abs().min(63),
    }
}

/// A constant.
pub(super) fn constant(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Constant(value), bounds: (value, value), span }
}

/// An operator with one operand, computed where that is possible.
pub(super) fn apply_unary(op: UnaryOp, operand: Expr, span: Span) -> Expr {
    if let ExprKind::Constant(value) = operand.kind
        && let Some(result) = unary(op, value)
    {
        return constant(result, span);
    }
    let bounds = bounds::unary(op, operand.bounds);
    Expr { kind: ExprKind::Unary(op, Box::new(operand)), bounds, span }
}

/// An operator with two operands, computed where that is possible. What would not
/// be evaluated is left out.
pub(super) fn apply_binary(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    match (op, &left.kind, &right.kind) {
        (BinaryOp::And, ExprKind::Constant(0), _) => return constant(0, span),
        (BinaryOp::Or, ExprKind::Constant(1), _) => return constant(1, span),
        (BinaryOp::Implies, ExprKind::Constant(0), _) => return constant(1, span),
        (BinaryOp::And | BinaryOp::Implies, ExprKind::Constant(1), _) => return right,
        (BinaryOp::Or, ExprKind::Constant(0), _) => return right,
        (_, ExprKind::Constant(l), ExprKind::Constant(r)) => {
            if let Some(result) = binary(op, *l, *r) {
                return constant(result, span);
            }
        }
        _ => {}
    }
    let bounds = bounds::binary(op, left.bounds, right.bounds);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), bounds, span }
}

/// `condition ? left : right`, without what is never evaluated.
pub(super) fn apply_conditional(condition: Expr, left: Expr, right: Expr, span: Span) -> Expr {
    match condition.kind {
        ExprKind::Constant(0) => right,
        ExprKind::Constant(_) => left,
        _ => {
            let bounds = bounds::hull(left.bounds, right.bounds);
            let parts = (Box::new(condition), Box::new(left), Box::new(right));
            Expr { kind: ExprKind::Conditional(parts.0, parts.1, parts.2), bounds, span }
        }
    }
}

/// The value of an expression where a constant has to stand. Zero times anything
/// and the like are constant, too.
pub(super) fn value_of(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant(value) => Some(*value),
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            let zero = value_of(left) == Some(0) || value_of(right) == Some(0);
            zero.then_some(0)
        }
        ExprKind::Binary(
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr,
            left,
            right,
        ) => (value_of(left) == Some(0) && value_of(right) != Some(0)).then_some(0),
        _ => None,
    }
}
