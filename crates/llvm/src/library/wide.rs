//! Arithmetic on integers of 128 bits. Each number is two arguments, or two results:
//! the lower 64 bits first.

use super::bits::numbers;
use super::{Effect, Entry, LibraryCall, pointers};
use crate::machine::{Result, Rule, Stop};
use crate::value::{Base, Value};

pub(super) static TABLE: &[Entry] = &[
    pointers("wide.add", |c| wrapping(c, u128::wrapping_add)),
    pointers("wide.sub", |c| wrapping(c, u128::wrapping_sub)),
    pointers("wide.mul", |c| wrapping(c, u128::wrapping_mul)),
    pointers("wide.add.signed", |c| signed(c, i128::overflowing_add)),
    pointers("wide.sub.signed", |c| signed(c, i128::overflowing_sub)),
    pointers("wide.mul.signed", |c| signed(c, i128::overflowing_mul)),
    pointers("wide.udiv", |c| divided(c, |x, y| Some(x / y))),
    pointers("wide.urem", |c| divided(c, |x, y| Some(x % y))),
    pointers("wide.sdiv", |c| {
        divided(c, |x, y| (x as i128).checked_div(y as i128).map(|it| it as u128))
    }),
    pointers("wide.srem", |c| {
        divided(c, |x, y| (x as i128).checked_rem(y as i128).map(|it| it as u128))
    }),
    pointers("wide.shl", |c| shifted(c, |x, by| x << by)),
    pointers("wide.lshr", |c| shifted(c, |x, by| x >> by)),
    pointers("wide.ashr", |c| shifted(c, |x, by| (x as i128 >> by) as u128)),
    pointers("wide.uitofp", |c| to_float(c, |x| (x as f64, x as f32))),
    pointers("wide.sitofp", |c| to_float(c, |x| (x as i128 as f64, x as i128 as f32))),
    pointers("wide.fptoui", |c| from_float(c, (-1.0, 2f64.powi(128)), |x| x as u128)),
    pointers("wide.fptosi", |c| {
        let least = -(2f64.powi(127));
        // The next number below the least one has no value any more.
        from_float(c, (least * (1.0 + f64::EPSILON), -least), |x| x as i128 as u128)
    }),
];

fn both(number: u128) -> Effect {
    Effect::Both(Value::number(number as u64), Value::number((number >> 64) as u64))
}

fn unknown() -> Effect {
    Effect::Both(Value::undefined(64), Value::undefined(64))
}

/// The two numbers; `None` if one has bits without a value.
fn operands(call: &mut LibraryCall<'_, '_>) -> Result<Option<(u128, u128)>> {
    let joined = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
    let halves = numbers(call, 4, 0)?;
    Ok(halves.map(|it| (joined(it[0], it[1]), joined(it[2], it[3]))))
}

fn wrapping(call: &mut LibraryCall<'_, '_>, compute: fn(u128, u128) -> u128) -> Result<Effect> {
    let operands = operands(call)?;
    Ok(operands.map_or_else(unknown, |(left, right)| both(compute(left, right))))
}

fn signed(
    call: &mut LibraryCall<'_, '_>,
    compute: fn(i128, i128) -> (i128, bool),
) -> Result<Effect> {
    let Some((left, right)) = operands(call)? else { return Ok(unknown()) };
    let (left, right) = (left as i128, right as i128);
    let (result, overflows) = compute(left, right);
    if overflows && call.options().checks_overflow {
        let message = format!("a signed result overflows: of {left} and {right}");
        return Err(Stop::error(Rule::Overflow, message));
    }
    Ok(both(result as u128))
}

fn divided(
    call: &mut LibraryCall<'_, '_>,
    compute: fn(u128, u128) -> Option<u128>,
) -> Result<Effect> {
    if !call.argument(2)?.is_defined() || !call.argument(3)?.is_defined() {
        let message = "a number is divided by one that was never set";
        return Err(Stop::error(Rule::UninitialisedMemory, message));
    }
    let wrong = |message: &str| Err(Stop::error(Rule::Division, message));
    match operands(call)? {
        None => Ok(unknown()),
        Some((_, 0)) => wrong("a number is divided by zero"),
        Some((left, right)) => match compute(left, right) {
            Some(result) => Ok(both(result)),
            None => wrong("a quotient is too large"),
        },
    }
}

/// A shift. Bits without a value are shifted as well.
fn shifted(call: &mut LibraryCall<'_, '_>, compute: fn(u128, u32) -> u128) -> Result<Effect> {
    let mut halves = [Value::ZERO; 4];
    for (idx, half) in halves.iter_mut().enumerate() {
        *half = call.concrete(call.argument(idx)?, 64)?;
        if half.base != Base::NUMBER {
            return Err(Stop::refused("the result depends on where objects lie in memory"));
        }
    }
    let [low, high, by, far] = halves;
    match (by.as_number(), far.as_number()) {
        (Some(by @ 0..128), Some(0)) => {
            let moved = |low, high| compute(u128::from(high) << 64 | u128::from(low), by as u32);
            let undef = moved(low.undef, high.undef);
            let bits = moved(low.bits, high.bits) & !undef;
            let half = |bits: u128, undef: u128| Value {
                base: Base::NUMBER,
                bits: bits as u64,
                undef: undef as u64,
            };
            Ok(Effect::Both(half(bits, undef), half(bits >> 64, undef >> 64)))
        }
        (Some(by), Some(_)) if call.options().checks_overflow => {
            let message = format!("a number of 128 bits is shifted by {by}");
            Err(Stop::error(Rule::Overflow, message))
        }
        // Wrong only where something depends on it: compilers shift ahead of checks.
        _ => Ok(unknown()),
    }
}

fn to_float(call: &mut LibraryCall<'_, '_>, convert: fn(u128) -> (f64, f32)) -> Result<Effect> {
    let Some(halves) = numbers(call, 2, 0)? else {
        return Ok(Effect::Done(Value::undefined(call.result_width())));
    };
    let (double, single) = convert(u128::from(halves[1]) << 64 | u128::from(halves[0]));
    let is_single = call.result_width() == 32;
    let bits = if is_single { u64::from(single.to_bits()) } else { double.to_bits() };
    Ok(Effect::Done(Value::number(bits)))
}

/// The whole part of a float between two bounds, both excluded.
fn from_float(
    call: &mut LibraryCall<'_, '_>,
    (above, below): (f64, f64),
    convert: fn(f64) -> u128,
) -> Result<Effect> {
    let Some(bits) = numbers(call, 1, 0)? else { return Ok(unknown()) };
    let float = match call.width(0) {
        32 => f64::from(f32::from_bits(bits[0] as u32)),
        _ => f64::from_bits(bits[0]),
    };
    let fits = float > above && float < below;
    if !fits && call.options().checks_overflow {
        let message = format!("{float} does not fit an integer of 128 bits");
        return Err(Stop::error(Rule::Overflow, message));
    }
    Ok(if fits { both(convert(float)) } else { unknown() })
}
