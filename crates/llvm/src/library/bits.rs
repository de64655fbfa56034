//! Intrinsics on the bits of numbers, and arithmetic that tells of its overflow.

use super::{Arguments, Effect, Entry, pointers};
use crate::machine::{Machine, Result, Stop};
use crate::value::{Value, mask, signed};

pub(super) static TABLE: &[Entry] = &[
    pointers("llvm.ctpop", |m, a| of_one(m, a, |bits, _| u64::from(bits.count_ones()))),
    pointers("llvm.bswap", |m, a| of_one(m, a, |bits, width| bits.swap_bytes() >> (64 - width))),
    pointers("llvm.bitreverse", |m, a| {
        of_one(m, a, |bits, width| bits.reverse_bits() >> (64 - width))
    }),
    pointers("llvm.ctlz", |m, a| zeros(m, a, |bits, width| bits.leading_zeros() - (64 - width))),
    pointers("llvm.cttz", |m, a| zeros(m, a, |bits, _| bits.trailing_zeros())),
    pointers("llvm.fshl", |m, a| funnel(m, a, true)),
    pointers("llvm.fshr", |m, a| funnel(m, a, false)),
    pointers("llvm.sadd.with.overflow", |m, a| overflowing(m, a, Signed(|x, y| x + y))),
    pointers("llvm.ssub.with.overflow", |m, a| overflowing(m, a, Signed(|x, y| x - y))),
    pointers("llvm.smul.with.overflow", |m, a| overflowing(m, a, Signed(|x, y| x * y))),
    pointers("llvm.uadd.with.overflow", |m, a| overflowing(m, a, Unsigned(|x, y| x + y))),
    pointers("llvm.usub.with.overflow", |m, a| overflowing(m, a, Unsigned(|x, y| x - y))),
    pointers("llvm.umul.with.overflow", |m, a| overflowing(m, a, Unsigned(i128::wrapping_mul))),
    pointers("llvm.sadd.sat", |m, a| saturating(m, a, Signed(|x, y| x + y))),
    pointers("llvm.ssub.sat", |m, a| saturating(m, a, Signed(|x, y| x - y))),
    pointers("llvm.uadd.sat", |m, a| saturating(m, a, Unsigned(|x, y| x + y))),
    pointers("llvm.usub.sat", |m, a| saturating(m, a, Unsigned(|x, y| x - y))),
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

/// The first `n` arguments as numbers; `None` if one has bits without a value.
/// Vectors have more arguments, and are refused.
pub(super) fn numbers(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    n: usize,
    n_flags: usize,
) -> Result<Option<Vec<u64>>> {
    if arguments.values.len() != n + n_flags {
        return Err(Stop::refused("an intrinsic on vectors"));
    }
    let mut numbers = Vec::with_capacity(n);
    for idx in 0..n {
        let value = machine.concrete(arguments.value(idx)?, arguments.width(idx))?;
        if !value.is_defined() {
            return Ok(None);
        }
        let refused = || Stop::refused("the result depends on where objects lie in memory");
        numbers.push(value.as_number().ok_or_else(refused)?);
    }
    Ok(Some(numbers))
}

fn undefined(arguments: Arguments<'_>) -> Effect {
    Effect::Done(Value::undefined(arguments.result_width))
}

fn of_one(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    compute: fn(u64, u32) -> u64,
) -> Result<Effect> {
    let width = arguments.width(0).max(1);
    Ok(match numbers(machine, arguments, 1, 0)?.as_deref() {
        Some(&[bits]) => Effect::Done(Value::number(compute(bits, width) & mask(width))),
        _ => undefined(arguments),
    })
}

/// Counts zeros. For zero itself the result is the width, or has no value if the
/// second argument says so.
fn zeros(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    count: fn(u64, u32) -> u32,
) -> Result<Effect> {
    let width = arguments.width(0).max(1);
    let is_poison = arguments.value(1)?.as_number() != Some(0);
    Ok(match numbers(machine, arguments, 1, 1)?.as_deref() {
        Some(&[0]) if is_poison => undefined(arguments),
        Some(&[bits]) => Effect::Done(Value::number(u64::from(count(bits, width).min(width)))),
        _ => undefined(arguments),
    })
}

/// A part of two numbers put side by side.
fn funnel(machine: &mut Machine<'_>, arguments: Arguments<'_>, is_left: bool) -> Result<Effect> {
    let width = arguments.width(0).max(1);
    let Some(&[high, low, by]) = numbers(machine, arguments, 3, 0)?.as_deref() else {
        return Ok(undefined(arguments));
    };
    let both = u128::from(high) << width | u128::from(low);
    let by = by % u64::from(width);
    let shifted = if is_left { both << by >> width } else { both >> by };
    Ok(Effect::Done(Value::number(shifted as u64 & mask(width))))
}

fn overflowing(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    arithmetic: Arithmetic,
) -> Result<Effect> {
    let width = arguments.width(0).max(1);
    let Some(&[left, right]) = numbers(machine, arguments, 2, 0)?.as_deref() else {
        return Ok(Effect::Both(Value::undefined(width), Value::undefined(1)));
    };
    let (exact, least, most) = arithmetic.exact(left, right, width);
    let overflows = !(least..=most).contains(&exact);
    let result = Value::number(exact as u64 & mask(width));
    Ok(Effect::Both(result, Value::number(u64::from(overflows))))
}

fn saturating(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    arithmetic: Arithmetic,
) -> Result<Effect> {
    let width = arguments.width(0).max(1);
    let Some(&[left, right]) = numbers(machine, arguments, 2, 0)?.as_deref() else {
        return Ok(undefined(arguments));
    };
    let (exact, least, most) = arithmetic.exact(left, right, width);
    Ok(Effect::Done(Value::number(exact.clamp(least, most) as u64 & mask(width))))
}
