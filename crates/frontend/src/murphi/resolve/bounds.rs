//! Between which values the result of an operator lies. Never too narrow; a result
//! beyond 64 bits is a fault, so that sums may saturate.

use super::super::typed::{BinaryOp, UnaryOp};

/// The smallest and the largest value.
pub(super) type Bounds = (i64, i64);

const ANY: Bounds = (i64::MIN, i64::MAX);

/// Both.
pub(super) fn hull(left: Bounds, right: Bounds) -> Bounds {
    (left.0.min(right.0), left.1.max(right.1))
}

/// The bounds of an operator with one operand.
pub(super) fn unary(op: UnaryOp, operand: Bounds) -> Bounds {
    match op {
        UnaryOp::Not => (0, 1),
        UnaryOp::Negate => (operand.1.saturating_neg(), operand.0.saturating_neg()),
        UnaryOp::BitNot => (!operand.1, !operand.0),
    }
}

/// The bounds of an operator with two operands.
pub(super) fn binary(op: BinaryOp, left: Bounds, right: Bounds) -> Bounds {
    match op {
        BinaryOp::Add => (left.0.saturating_add(right.0), left.1.saturating_add(right.1)),
        BinaryOp::Sub => (left.0.saturating_sub(right.1), left.1.saturating_sub(right.0)),
        BinaryOp::Mul => product(left, right),
        BinaryOp::Div => quotient(left, right),
        BinaryOp::Rem => remainder(left, right),
        BinaryOp::BitAnd => bit_and(left, right),
        BinaryOp::BitOr | BinaryOp::BitXor => bit_or(left, right),
        BinaryOp::Shl => shifted_left(left, right),
        BinaryOp::Shr => shifted_right(left, right),
        _ => (0, 1),
    }
}

fn product(left: Bounds, right: Bounds) -> Bounds {
    let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)]
        .map(|(l, r)| l.saturating_mul(r));
    let first = (corners[0], corners[0]);
    corners.into_iter().fold(first, |bounds, corner| hull(bounds, (corner, corner)))
}

fn quotient(left: Bounds, right: Bounds) -> Bounds {
    if left.0 >= 0 && right.0 >= 0 {
        return (left.0 / right.1.max(1), left.1 / right.0.max(1));
    }
    let size = left.0.saturating_abs().max(left.1.saturating_abs());
    // The smallest number has no positive counterpart.
    (left.0.min(size.saturating_neg()), size)
}

fn remainder(left: Bounds, right: Bounds) -> Bounds {
    let size = right.0.unsigned_abs().max(right.1.unsigned_abs()).saturating_sub(1);
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let last = if left.1 > 0 { left.1.min(size) } else { 0 };
    let first = if left.0 < 0 { left.0.max(-size) } else { 0 };
    (first, last)
}

fn bit_and(left: Bounds, right: Bounds) -> Bounds {
    match (left.0 >= 0, right.0 >= 0) {
        (true, true) => (0, left.1.min(right.1)),
        (true, false) => (0, left.1),
        (false, true) => (0, right.1),
        (false, false) => ANY,
    }
}

fn bit_or(left: Bounds, right: Bounds) -> Bounds {
    let magnitude = |bounds: Bounds| (!bounds.0).max(bounds.0).max(bounds.1).max(!bounds.1);
    let largest = magnitude(left).max(magnitude(right)).cast_unsigned();
    let mask = (u64::MAX >> largest.leading_zeros().min(63)).min(i64::MAX as u64);
    let mask = if largest == 0 { 0 } else { mask.cast_signed() };
    if left.0 >= 0 && right.0 >= 0 { (0, mask) } else { (-mask - 1, mask) }
}

fn shifted_left(left: Bounds, right: Bounds) -> Bounds {
    let fits = |value: i64, by: i64| value.checked_mul(1i64.checked_shl(by as u32)?);
    if right.0 < 0 || right.1 > 61 {
        return ANY;
    }
    match (fits(left.0, right.1), fits(left.1, right.1)) {
        (Some(first), Some(last)) => (first.min(left.0), last.max(left.1)),
        _ => ANY,
    }
}

fn shifted_right(left: Bounds, right: Bounds) -> Bounds {
    if right.0 < 0 {
        return ANY;
    }
    (left.0.min(0), left.1.max(if left.1 < 0 { -1 } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::super::constant;
    use super::{BinaryOp, UnaryOp, binary, unary};

    const OPS: [BinaryOp; 10] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
    ];

    const ENDS: [i64; 12] =
        [i64::MIN, i64::MIN + 1, -65, -8, -1, 0, 1, 2, 7, 63, i64::MAX - 1, i64::MAX];

    #[test]
    fn no_result_lies_outside_of_the_bounds() {
        for op in OPS {
            for (a, b) in pairs() {
                for (c, d) in pairs() {
                    let bounds = binary(op, (a, b), (c, d));
                    for left in inside(a, b) {
                        for right in inside(c, d) {
                            let Some(value) = constant::binary(op, left, right) else { continue };
                            assert!(
                                bounds.0 <= value && value <= bounds.1,
                                "{op:?} {left} {right} gives {value}, not in {bounds:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn signs_turn_the_bounds_around() {
        assert_eq!(unary(UnaryOp::Negate, (-3, 5)), (-5, 3));
        assert_eq!(unary(UnaryOp::BitNot, (0, 5)), (-6, -1));
    }

    fn pairs() -> impl Iterator<Item = (i64, i64)> {
        ENDS.into_iter().flat_map(|a| ENDS.into_iter().map(move |b| (a, b))).filter(|(a, b)| a <= b)
    }

    fn inside(a: i64, b: i64) -> impl Iterator<Item = i64> {
        [-9, -2, 3, 5, 6, 64].into_iter().chain(ENDS).filter(move |x| a <= *x && *x <= b)
    }
}
