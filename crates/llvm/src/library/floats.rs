//! Functions on floats whose results C and IEEE 754 fix to the last bit. Others
//! (`sin`, `pow`) differ between machines and are left out.

use super::bits::numbers;
use super::{Effect, Entry, LibraryCall, pointers};
use crate::machine::Result;
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
    pointers("sqrt", |c| of_one(c, SQRT)),
    pointers("sqrtf", |c| of_one(c, SQRT)),
    pointers("llvm.sqrt", |c| of_one(c, SQRT)),
    pointers("fabs", |c| of_one(c, ABS)),
    pointers("fabsf", |c| of_one(c, ABS)),
    pointers("floor", |c| of_one(c, FLOOR)),
    pointers("floorf", |c| of_one(c, FLOOR)),
    pointers("llvm.floor", |c| of_one(c, FLOOR)),
    pointers("ceil", |c| of_one(c, CEIL)),
    pointers("ceilf", |c| of_one(c, CEIL)),
    pointers("llvm.ceil", |c| of_one(c, CEIL)),
    pointers("trunc", |c| of_one(c, TRUNC)),
    pointers("truncf", |c| of_one(c, TRUNC)),
    pointers("llvm.trunc", |c| of_one(c, TRUNC)),
    pointers("round", |c| of_one(c, ROUND)),
    pointers("roundf", |c| of_one(c, ROUND)),
    pointers("llvm.round", |c| of_one(c, ROUND)),
    pointers("rint", |c| of_one(c, NEAREST)),
    pointers("rintf", |c| of_one(c, NEAREST)),
    pointers("nearbyint", |c| of_one(c, NEAREST)),
    pointers("nearbyintf", |c| of_one(c, NEAREST)),
    pointers("llvm.rint", |c| of_one(c, NEAREST)),
    pointers("llvm.nearbyint", |c| of_one(c, NEAREST)),
    pointers("llvm.roundeven", |c| of_one(c, NEAREST)),
    pointers("fmod", |c| of_two(c, REMAINDER)),
    pointers("fmodf", |c| of_two(c, REMAINDER)),
    pointers("fmin", |c| of_two(c, LEAST)),
    pointers("fminf", |c| of_two(c, LEAST)),
    pointers("llvm.minnum", |c| of_two(c, LEAST)),
    pointers("fmax", |c| of_two(c, GREATEST)),
    pointers("fmaxf", |c| of_two(c, GREATEST)),
    pointers("llvm.maxnum", |c| of_two(c, GREATEST)),
    pointers("copysign", |c| of_two(c, SIGN)),
    pointers("copysignf", |c| of_two(c, SIGN)),
    pointers("llvm.copysign", |c| of_two(c, SIGN)),
    pointers("fma", fused),
    pointers("fmaf", fused),
    pointers("llvm.fma", fused),
    pointers("lround", |c| whole(c, ROUND)),
    pointers("llround", |c| whole(c, ROUND)),
    pointers("lroundf", |c| whole(c, ROUND)),
    pointers("lrint", |c| whole(c, NEAREST)),
    pointers("llrint", |c| whole(c, NEAREST)),
    pointers("llvm.lround", |c| whole(c, ROUND)),
    pointers("llvm.llround", |c| whole(c, ROUND)),
    pointers("llvm.lrint", |c| whole(c, NEAREST)),
    pointers("llvm.llrint", |c| whole(c, NEAREST)),
];

fn unknown(call: &LibraryCall<'_, '_>) -> Effect {
    Effect::Done(Value::undefined(call.result_width()))
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Gives the result for the type of the first argument.
fn given(call: &LibraryCall<'_, '_>, wide: impl Fn() -> f64, narrow: impl Fn() -> f32) -> Effect {
    let bits = match call.width(0) {
        32 => u64::from(narrow().to_bits()),
        _ => wide().to_bits(),
    };
    Effect::Done(Value::number(bits))
}

fn of_one(call: &mut LibraryCall<'_, '_>, (wide, narrow): One) -> Result<Effect> {
    let Some(bits) = numbers(call, 1, 0)? else { return Ok(unknown(call)) };
    Ok(given(call, || wide(double(bits[0])), || narrow(single(bits[0]))))
}

fn of_two(call: &mut LibraryCall<'_, '_>, (wide, narrow): Two) -> Result<Effect> {
    let Some(bits) = numbers(call, 2, 0)? else { return Ok(unknown(call)) };
    let (left, right) = (bits[0], bits[1]);
    Ok(given(call, || wide(double(left), double(right)), || narrow(single(left), single(right))))
}

fn fused(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let Some(bits) = numbers(call, 3, 0)? else { return Ok(unknown(call)) };
    let (x, y, z) = (bits[0], bits[1], bits[2]);
    Ok(given(
        call,
        || double(x).mul_add(double(y), double(z)),
        || single(x).mul_add(single(y), single(z)),
    ))
}

/// A rounded number as an integer, if it fits.
fn whole(call: &mut LibraryCall<'_, '_>, (wide, _): One) -> Result<Effect> {
    let Some(bits) = numbers(call, 1, 0)? else { return Ok(unknown(call)) };
    let number = match call.width(0) {
        32 => f64::from(single(bits[0])),
        _ => double(bits[0]),
    };
    let (rounded, width) = (wide(number), call.result_width().clamp(2, 64));
    let limit = 2f64.powi(width as i32 - 1);
    let fits = rounded >= -limit && rounded < limit;
    Ok(match fits {
        true => Effect::Done(Value::number(rounded as i64 as u64 & mask(width))),
        false => unknown(call),
    })
}
