//! Functions on floats whose results C and IEEE 754 fix to the last bit. Others
//! (`sin`, `pow`) differ between machines and are left out.

use super::bits::numbers;
use super::{Arguments, Effect, Entry, pointers};
use crate::machine::{Machine, Result};
use crate::value::{Value, mask};

/// What is done to doubles, and to floats.
type One = (fn(f64) -> f64, fn(f32) -> f32);
type Two = (fn(f64, f64) -> f64, fn(f32, f32) -> f32);

const SQRT: One = (f64::sqrt, f32::sqrt);
const ABS: One = (f64::abs, f32::abs);
const FLOOR: One = (f64::floor, f32::floor);
const CEIL: One = (f64::ceil, f32::ceil);
const TRUNC: One = (f64::trunc, f32::trunc);
const ROUND: One = (f64::round, f32::round);
/// To the nearest, and to even halfway: how rounding is set unless a program changes
/// it, which no function that is known here does.
const NEAREST: One = (f64::round_ties_even, f32::round_ties_even);
const REMAINDER: Two = (|x, y| x % y, |x, y| x % y);
const LEAST: Two = (f64::min, f32::min);
const GREATEST: Two = (f64::max, f32::max);
const SIGN: Two = (f64::copysign, f32::copysign);

pub(super) static TABLE: &[Entry] = &[
    pointers("sqrt", |m, a| of_one(m, a, SQRT)),
    pointers("sqrtf", |m, a| of_one(m, a, SQRT)),
    pointers("llvm.sqrt", |m, a| of_one(m, a, SQRT)),
    pointers("fabs", |m, a| of_one(m, a, ABS)),
    pointers("fabsf", |m, a| of_one(m, a, ABS)),
    pointers("floor", |m, a| of_one(m, a, FLOOR)),
    pointers("floorf", |m, a| of_one(m, a, FLOOR)),
    pointers("llvm.floor", |m, a| of_one(m, a, FLOOR)),
    pointers("ceil", |m, a| of_one(m, a, CEIL)),
    pointers("ceilf", |m, a| of_one(m, a, CEIL)),
    pointers("llvm.ceil", |m, a| of_one(m, a, CEIL)),
    pointers("trunc", |m, a| of_one(m, a, TRUNC)),
    pointers("truncf", |m, a| of_one(m, a, TRUNC)),
    pointers("llvm.trunc", |m, a| of_one(m, a, TRUNC)),
    pointers("round", |m, a| of_one(m, a, ROUND)),
    pointers("roundf", |m, a| of_one(m, a, ROUND)),
    pointers("llvm.round", |m, a| of_one(m, a, ROUND)),
    pointers("rint", |m, a| of_one(m, a, NEAREST)),
    pointers("rintf", |m, a| of_one(m, a, NEAREST)),
    pointers("nearbyint", |m, a| of_one(m, a, NEAREST)),
    pointers("nearbyintf", |m, a| of_one(m, a, NEAREST)),
    pointers("llvm.rint", |m, a| of_one(m, a, NEAREST)),
    pointers("llvm.nearbyint", |m, a| of_one(m, a, NEAREST)),
    pointers("llvm.roundeven", |m, a| of_one(m, a, NEAREST)),
    pointers("fmod", |m, a| of_two(m, a, REMAINDER)),
    pointers("fmodf", |m, a| of_two(m, a, REMAINDER)),
    pointers("fmin", |m, a| of_two(m, a, LEAST)),
    pointers("fminf", |m, a| of_two(m, a, LEAST)),
    pointers("llvm.minnum", |m, a| of_two(m, a, LEAST)),
    pointers("fmax", |m, a| of_two(m, a, GREATEST)),
    pointers("fmaxf", |m, a| of_two(m, a, GREATEST)),
    pointers("llvm.maxnum", |m, a| of_two(m, a, GREATEST)),
    pointers("copysign", |m, a| of_two(m, a, SIGN)),
    pointers("copysignf", |m, a| of_two(m, a, SIGN)),
    pointers("llvm.copysign", |m, a| of_two(m, a, SIGN)),
    pointers("fma", fused),
    pointers("fmaf", fused),
    pointers("llvm.fma", fused),
    pointers("lround", |m, a| whole(m, a, ROUND)),
    pointers("llround", |m, a| whole(m, a, ROUND)),
    pointers("lroundf", |m, a| whole(m, a, ROUND)),
    pointers("lrint", |m, a| whole(m, a, NEAREST)),
    pointers("llrint", |m, a| whole(m, a, NEAREST)),
    pointers("llvm.lround", |m, a| whole(m, a, ROUND)),
    pointers("llvm.llround", |m, a| whole(m, a, ROUND)),
    pointers("llvm.lrint", |m, a| whole(m, a, NEAREST)),
    pointers("llvm.llrint", |m, a| whole(m, a, NEAREST)),
];

fn unknown(arguments: Arguments<'_>) -> Effect {
    Effect::Done(Value::undefined(arguments.result_width))
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Gives the result for the type of the first argument.
fn given(arguments: Arguments<'_>, wide: impl Fn() -> f64, narrow: impl Fn() -> f32) -> Effect {
    let bits = match arguments.width(0) {
        32 => u64::from(narrow().to_bits()),
        _ => wide().to_bits(),
    };
    Effect::Done(Value::number(bits))
}

fn of_one(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    (wide, narrow): One,
) -> Result<Effect> {
    let Some(bits) = numbers(machine, arguments, 1, 0)? else { return Ok(unknown(arguments)) };
    Ok(given(arguments, || wide(double(bits[0])), || narrow(single(bits[0]))))
}

fn of_two(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    (wide, narrow): Two,
) -> Result<Effect> {
    let Some(bits) = numbers(machine, arguments, 2, 0)? else { return Ok(unknown(arguments)) };
    let (left, right) = (bits[0], bits[1]);
    Ok(given(
        arguments,
        || wide(double(left), double(right)),
        || narrow(single(left), single(right)),
    ))
}

fn fused(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let Some(bits) = numbers(machine, arguments, 3, 0)? else { return Ok(unknown(arguments)) };
    let (x, y, z) = (bits[0], bits[1], bits[2]);
    Ok(given(
        arguments,
        || double(x).mul_add(double(y), double(z)),
        || single(x).mul_add(single(y), single(z)),
    ))
}

/// A rounded number as an integer, if it fits.
fn whole(machine: &mut Machine<'_>, arguments: Arguments<'_>, (wide, _): One) -> Result<Effect> {
    let Some(bits) = numbers(machine, arguments, 1, 0)? else { return Ok(unknown(arguments)) };
    let number = match arguments.width(0) {
        32 => f64::from(single(bits[0])),
        _ => double(bits[0]),
    };
    let (rounded, width) = (wide(number), arguments.result_width.clamp(2, 64));
    let limit = 2f64.powi(width as i32 - 1);
    let fits = rounded >= -limit && rounded < limit;
    Ok(match fits {
        true => Effect::Done(Value::number(rounded as i64 as u64 & mask(width))),
        false => unknown(arguments),
    })
}
