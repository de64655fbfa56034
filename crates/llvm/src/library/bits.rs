//! Intrinsics on the bits of numbers, and arithmetic that tells of its overflow.

use super::{Effect, Entry, LibraryCall, pointers};
use crate::machine::{Result, Stop};
use crate::value::{Value, mask, signed};

pub(super) static TABLE: &[Entry] = &[
    pointers("llvm.ctpop", |c| of_one(c, |bits, _| u64::from(bits.count_ones()))),
    pointers("llvm.bswap", |c| of_one(c, |bits, width| bits.swap_bytes() >> (64 - width))),
    pointers("llvm.bitreverse", |c| of_one(c, |bits, width| bits.reverse_bits() >> (64 - width))),
    pointers("llvm.ctlz", |c| zeros(c, |bits, width| bits.leading_zeros() - (64 - width))),
    pointers("llvm.cttz", |c| zeros(c, |bits, _| bits.trailing_zeros())),
    pointers("llvm.fshl", |c| funnel(c, true)),
    pointers("llvm.fshr", |c| funnel(c, false)),
    pointers("llvm.sadd.with.overflow", |c| overflowing(c, Signed(|x, y| x + y))),
    pointers("llvm.ssub.with.overflow", |c| overflowing(c, Signed(|x, y| x - y))),
    pointers("llvm.smul.with.overflow", |c| overflowing(c, Signed(|x, y| x * y))),
    pointers("llvm.uadd.with.overflow", |c| overflowing(c, Unsigned(|x, y| x + y))),
    pointers("llvm.usub.with.overflow", |c| overflowing(c, Unsigned(|x, y| x - y))),
    pointers("llvm.umul.with.overflow", |c| overflowing(c, Unsigned(i128::wrapping_mul))),
    pointers("llvm.sadd.sat", |c| saturating(c, Signed(|x, y| x + y))),
    pointers("llvm.ssub.sat", |c| saturating(c, Signed(|x, y| x - y))),
    pointers("llvm.uadd.sat", |c| saturating(c, Unsigned(|x, y| x + y))),
    pointers("llvm.usub.sat", |c| saturating(c, Unsigned(|x, y| x - y))),
];

use Arithmetic::{Signed, Unsigned};

/// Exact arithmetic on numbers of 64 bits; differences of unsigned ones may be
/// negative, and products of unsigned ones wrap to something that is out of range.
enum Arithmetic {
    Signed(fn(i128, i128) -> i128),
    Unsigned(fn(i128, i128) -> i128),
}

impl Arithmetic {
    /// The exact result, and the range of the type.
    fn exact(&self, left: u64, right: u64, width: u32) -> (i128, i128, i128) {
        match self {
            Signed(compute) => {
                let (left, right) = (signed(left, width), signed(right, width));
                let half = 1i128 << (width - 1);
                (compute(i128::from(left), i128::from(right)), -half, half - 1)
            }
            Unsigned(compute) => {
                let (left, right) = (i128::from(left), i128::from(right));
                (compute(left, right), 0, i128::from(mask(width)))
            }
        }
    }
}

/// The first `n` call as numbers; `None` if one has bits without a value.
/// Vectors have more call, and are refused.
pub(super) fn numbers(
    call: &mut LibraryCall<'_, '_>,
    n: usize,
    n_flags: usize,
) -> Result<Option<Vec<u64>>> {
    if call.n_arguments() != n + n_flags {
        return Err(Stop::refused("an intrinsic on vectors"));
    }
    let mut numbers = Vec::with_capacity(n);
    for idx in 0..n {
        let value = call.concrete(call.argument(idx)?, call.width(idx))?;
        if !value.is_defined() {
            return Ok(None);
        }
        let refused = || Stop::refused("the result depends on where objects lie in memory");
        numbers.push(value.as_number().ok_or_else(refused)?);
    }
    Ok(Some(numbers))
}

fn undefined(call: &LibraryCall<'_, '_>) -> Effect {
    Effect::Done(Value::undefined(call.result_width()))
}

fn of_one(call: &mut LibraryCall<'_, '_>, compute: fn(u64, u32) -> u64) -> Result<Effect> {
    let width = call.width(0).max(1);
    Ok(match numbers(call, 1, 0)?.as_deref() {
        Some(&[bits]) => Effect::Done(Value::number(compute(bits, width) & mask(width))),
        _ => undefined(call),
    })
}

/// Counts zeros. For zero itself the result is the width, or has no value if the
/// second argument says so.
fn zeros(call: &mut LibraryCall<'_, '_>, count: fn(u64, u32) -> u32) -> Result<Effect> {
    let width = call.width(0).max(1);
    let is_poison = call.argument(1)?.as_number() != Some(0);
    Ok(match numbers(call, 1, 1)?.as_deref() {
        Some(&[0]) if is_poison => undefined(call),
        Some(&[bits]) => Effect::Done(Value::number(u64::from(count(bits, width).min(width)))),
        _ => undefined(call),
    })
}

/// A part of two numbers put side by side.
fn funnel(call: &mut LibraryCall<'_, '_>, is_left: bool) -> Result<Effect> {
    let width = call.width(0).max(1);
    let Some(&[high, low, by]) = numbers(call, 3, 0)?.as_deref() else {
        return Ok(undefined(call));
    };
    let both = u128::from(high) << width | u128::from(low);
    let by = by % u64::from(width);
    let shifted = if is_left { both << by >> width } else { both >> by };
    Ok(Effect::Done(Value::number(shifted as u64 & mask(width))))
}

fn overflowing(call: &mut LibraryCall<'_, '_>, arithmetic: Arithmetic) -> Result<Effect> {
    let width = call.width(0).max(1);
    let Some(&[left, right]) = numbers(call, 2, 0)?.as_deref() else {
        return Ok(Effect::Both(Value::undefined(width), Value::undefined(1)));
    };
    let (exact, least, most) = arithmetic.exact(left, right, width);
    let overflows = !(least..=most).contains(&exact);
    let result = Value::number(exact as u64 & mask(width));
    Ok(Effect::Both(result, Value::number(u64::from(overflows))))
}

fn saturating(call: &mut LibraryCall<'_, '_>, arithmetic: Arithmetic) -> Result<Effect> {
    let width = call.width(0).max(1);
    let Some(&[left, right]) = numbers(call, 2, 0)?.as_deref() else {
        return Ok(undefined(call));
    };
    let (exact, least, most) = arithmetic.exact(left, right, width);
    Ok(Effect::Done(Value::number(exact.clamp(least, most) as u64 & mask(width))))
}
