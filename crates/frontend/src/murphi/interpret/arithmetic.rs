//! The results of operators on 64-bit numbers.

use super::super::typed::{BinaryOp, UnaryOp};

/// The result of an operator with one operand; `None` where it has none.
pub(super) fn unary(op: UnaryOp, operand: i64) -> Option<i64> {
    match op {
        UnaryOp::Not => Some(i64::from(operand == 0)),
        UnaryOp::Negate => operand.checked_neg(),
        UnaryOp::BitNot => Some(!operand),
    }
}

/// The result of an operator with two operands; `None` where it has none.
pub(super) fn binary(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    let truth = |holds: bool| Some(i64::from(holds));
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Rem => left.checked_rem(right),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
        BinaryOp::Implies => truth(left == 0 || right != 0),
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
        BinaryOp::Lt => truth(left < right),
        BinaryOp::Le => truth(left <= right),
        BinaryOp::Gt => truth(left > right),
        BinaryOp::Ge => truth(left >= right),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Shl => Some(shift(left, i128::from(right))),
        BinaryOp::Shr => Some(shift(left, -i128::from(right))),
    }
}

/// The value of the left operand that decides without the right one, and the result
/// then.
pub(super) fn decides(op: BinaryOp, left: i64) -> Option<i64> {
    match (op, left != 0) {
        (BinaryOp::And, false) => Some(0),
        (BinaryOp::Or, true) | (BinaryOp::Implies, false) => Some(1),
        _ => None,
    }
}

/// `value` shifted left by `by`, right where that is negative.
fn shift(value: i64, by: i128) -> i64 {
    match by {
        64.. => 0,
        0..=63 => value << by,
        -63..=-1 => value >> -by,
        _ => value >> 63,
    }
}

#[cfg(test)]
mod tests {
    use super::{binary, unary};
    use crate::murphi::typed::{BinaryOp, UnaryOp};

    #[test]
    fn division_is_towards_zero() {
        assert_eq!(binary(BinaryOp::Div, -3, 2), Some(-1));
        assert_eq!(binary(BinaryOp::Rem, -3, 2), Some(-1));
        assert_eq!(binary(BinaryOp::Rem, 3, -2), Some(1));
        assert_eq!(binary(BinaryOp::Div, 3, 0), None);
        assert_eq!(binary(BinaryOp::Div, i64::MIN, -1), None);
        assert_eq!(unary(UnaryOp::Negate, i64::MIN), None);
    }

    #[test]
    fn shifts_beyond_the_word_and_by_negative_numbers_have_results() {
        assert_eq!(binary(BinaryOp::Shl, 1, 63), Some(i64::MIN));
        assert_eq!(binary(BinaryOp::Shl, 1, 64), Some(0));
        assert_eq!(binary(BinaryOp::Shl, 8, -2), Some(2));
        assert_eq!(binary(BinaryOp::Shl, -8, -100), Some(-1));
        assert_eq!(binary(BinaryOp::Shr, -8, 64), Some(-1));
        assert_eq!(binary(BinaryOp::Shr, -8, 1), Some(-4));
        assert_eq!(binary(BinaryOp::Shr, 1, -3), Some(8));
        assert_eq!(binary(BinaryOp::Shr, 1, i64::MIN), Some(0));
    }
}
