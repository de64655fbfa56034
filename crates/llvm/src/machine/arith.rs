//! Arithmetic: exact on numbers, bit by bit where bits have no value, and on
//! addresses as far as it does not depend on where objects lie.

use std::cmp::Ordering;

use super::Machine;
use super::stop::{Result, Rule, Stop};
use super::symbol::not_followed;
use super::symbol_compare::holds;
use crate::code::{Binary, Conversion, FloatKind, FloatOp, IntOp};
use crate::ir::{FloatPredicate, IntPredicate};
use crate::value::{Base, Origin, Value, mask, signed};

/// Is a sum, difference or product of signed numbers too large for so many bits?
pub(super) fn overflows(op: IntOp, width: u32, left: u64, right: u64) -> bool {
    let (left, right) = (i128::from(signed(left, width)), i128::from(signed(right, width)));
    let exact = match op {
        IntOp::Add => left + right,
        IntOp::Sub => left - right,
        IntOp::Mul => left * right,
        _ => return false,
    };
    exact != i128::from(signed(exact as u64 & mask(width), width))
}

/// Numbers below this, and as far from the top, are no address of an object.
const NEVER_AN_ADDRESS: u64 = 4096;

/// Where more bits have no value, not every value is tried.
const MAX_FROZEN_BITS: u32 = 8;

impl Machine<'_> {
    /// Integer arithmetic on two values.
    pub(super) fn binary(&mut self, op: &Binary, left: Value, right: Value) -> Result<Value> {
        let width = u32::from(op.width);
        let (mut left, mut right) =
            (self.memory.settled(left, width), self.memory.settled(right, width));
        if left.base != Base::NUMBER || right.base != Base::NUMBER {
            if let Some(result) = self.symbol_operation(op, left, right)? {
                return Ok(result);
            }
            (left, right) = self.concrete_both(width, (left, right))?;
        }
        if left.base != Base::NUMBER || right.base != Base::NUMBER {
            return self.on_addresses(op, left, right);
        }
        if left.undef | right.undef != 0 {
            self.must_have_result(op, right)?;
            return on_undefined(op, left, right);
        }
        let is_shift = matches!(op.op, IntOp::Shl | IntOp::LShr | IntOp::AShr);
        if is_shift && right.bits >= u64::from(width) && !self.options.checks_overflow {
            // Wrong only where something depends on it: compilers shift ahead of checks.
            return self.unset_result(width);
        }
        self.on_numbers(op, left.bits, right.bits).map(Value::number)
    }

    /// The result of an operation that has none.
    ///
    /// # Errors
    /// What has no value could not be told from what has any.
    fn unset_result(&self, width: u32) -> Result<Value> {
        match self.options.refuses_unset {
            true => Err(Stop::refused("an operation has no result, and somebody may look at it")),
            false => Ok(Value::undefined(width)),
        }
    }

    /// Has an operation on a number of which nothing is known a result?
    ///
    /// # Errors
    /// For some numbers it has none, and those may be the ones that are there.
    fn must_have_result(&self, op: &Binary, right: Value) -> Result<()> {
        let is_shift = matches!(op.op, IntOp::Shl | IntOp::LShr | IntOp::AShr);
        let may_overflow = op.no_signed_wrap || is_shift && !right.is_defined();
        let is_signed = matches!(op.op, IntOp::SDiv | IntOp::SRem);
        let is_division = is_signed || matches!(op.op, IntOp::UDiv | IntOp::URem);
        let minus_one = mask(u32::from(op.width));
        let may_divide_badly = is_division && (!right.is_defined() || right.bits == 0)
            || is_signed && right.bits == minus_one;
        let is_open = may_divide_badly || self.options.checks_overflow && may_overflow;
        match self.options.over_approximates && is_open {
            true => Err(Stop::refused(
                "an operation may have no result, since nothing is held of a number",
            )),
            false => Ok(()),
        }
    }

    fn on_addresses(&mut self, op: &Binary, left: Value, right: Value) -> Result<Value> {
        let width = mask(u32::from(op.width));
        let refused = || Stop::refused("the result depends on where objects lie in memory");
        if left.undef | right.undef != 0 {
            return Ok(Value::undefined(u32::from(op.width)));
        }
        let (is_left, is_right) = (left.base != Base::NUMBER, right.base != Base::NUMBER);
        match op.op {
            IntOp::Add if is_left != is_right => {
                let base = if is_left { left.base } else { right.base };
                let bits = left.bits.wrapping_add(right.bits) & width;
                Ok(Value { base, bits, undef: 0 })
            }
            IntOp::Sub if self.are_at_one_place(left.base, right.base) => {
                Ok(Value::number(left.bits.wrapping_sub(right.bits) & width))
            }
            IntOp::Sub if !is_right => {
                Ok(Value { bits: left.bits.wrapping_sub(right.bits) & width, ..left })
            }
            IntOp::URem | IntOp::SRem if is_left && right.bits.is_power_of_two() => {
                let below = right.bits - 1;
                let binary = Binary { op: IntOp::And, ..*op };
                let rest = self.masked(&binary, left, below).ok_or_else(refused)?;
                // A signed number that is no multiple has a rest of its own sign.
                let is_known = op.op == IntOp::URem || rest == Value::ZERO;
                if is_known { Ok(rest) } else { Err(refused()) }
            }
            IntOp::And | IntOp::Or | IntOp::Xor if is_left != is_right => {
                let (address, number) = if is_left { (left, right) } else { (right, left) };
                self.masked(op, address, number.bits).ok_or_else(refused)
            }
            _ => Err(refused()),
        }
    }

    /// A bitwise operation on an address, where the alignment of its object says
    /// enough.
    fn masked(&self, op: &Binary, address: Value, number: u64) -> Option<Value> {
        let all = mask(u32::from(op.width));
        let low = mask(u32::from(self.memory.object(address.base.origin())?.log2_align()));
        match op.op {
            IntOp::And if number & !low == 0 => Some(Value::number(address.bits & number)),
            IntOp::And if number | low == all => {
                // Keeps the unknown upper bits; the offset's low bits may be cleared.
                let bits = address.bits & (number | !low) & all;
                Some(Value { bits, ..address })
            }
            IntOp::Or if number & !low == 0 => {
                let bits = address.bits & !low & all | (address.bits | number) & low;
                Some(Value { bits, ..address })
            }
            IntOp::Xor if number & !low == 0 => {
                Some(Value { bits: address.bits ^ number, ..address })
            }
            _ => None,
        }
    }

    pub(super) fn on_numbers(&self, op: &Binary, left: u64, right: u64) -> Result<u64> {
        let width = u32::from(op.width);
        let all = mask(width);
        let (sleft, sright) = (signed(left, width), signed(right, width));
        let overflow = |what: &str, shown: String| {
            Err(Stop::error(Rule::Overflow, format!("{what} overflows: {shown}")))
        };
        let checks = self.options.checks_overflow;
        let symbol = symbol_of(op.op);
        let overflows = overflows(op.op, width, left, right);
        if checks && op.no_signed_wrap && overflows {
            return overflow("a signed result", format!("{sleft} {symbol} {sright}"));
        }
        Ok(match op.op {
            IntOp::Add => left.wrapping_add(right) & all,
            IntOp::Sub => left.wrapping_sub(right) & all,
            IntOp::Mul => left.wrapping_mul(right) & all,
            IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem if right == 0 => {
                return Err(Stop::error(Rule::Division, "a number is divided by zero"));
            }
            IntOp::UDiv => left / right,
            IntOp::URem => left % right,
            IntOp::SDiv | IntOp::SRem if sright == -1 && left == 1 << (width - 1) => {
                let message = format!("a quotient is too large: {sleft} / {sright}");
                return Err(Stop::error(Rule::Division, message));
            }
            IntOp::SDiv => sleft.wrapping_div(sright) as u64 & all,
            IntOp::SRem => sleft.wrapping_rem(sright) as u64 & all,
            IntOp::Shl | IntOp::LShr | IntOp::AShr if right >= u64::from(width) => {
                let message = format!("a number of {width} bits is shifted by {sright}");
                return Err(Stop::error(Rule::Overflow, message));
            }
            IntOp::Shl => {
                let result = left << right & all;
                if checks && op.no_signed_wrap && signed(result, width) >> right != sleft {
                    return overflow("a shift to the left", format!("{sleft} << {right}"));
                }
                result
            }
            IntOp::LShr => left >> right,
            IntOp::AShr => (sleft >> right) as u64 & all,
            IntOp::And => left & right,
            IntOp::Or => left | right,
            IntOp::Xor => left ^ right,
        })
    }

    /// Compares two values; one bit.
    pub(crate) fn compare(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        operands: (Value, Value),
    ) -> Result<Value> {
        let (left, right) =
            (self.memory.settled(operands.0, width), self.memory.settled(operands.1, width));
        let truth = |truth: bool| Value::number(u64::from(truth));
        if left.undef | right.undef != 0 {
            return Ok(compare_undefined(predicate, left, right));
        }
        match (self.memory.range(left.base), self.memory.range(right.base)) {
            (Some(_), None) => {
                let number = right.as_number().ok_or_else(not_followed)?;
                return self.compare_symbol(predicate, width, left, number).map(truth);
            }
            (None, Some(_)) => {
                let number = left.as_number().ok_or_else(not_followed)?;
                let swapped = swapped(predicate);
                return self.compare_symbol(swapped, width, right, number).map(truth);
            }
            (None, None) => {}
            _ => return self.compare_symbols(predicate, width, (left, right)).map(truth),
        }
        must_not_be_handles(left, right)?;
        if left.base == right.base {
            // Offsets from one object are small, or negative before they are added to.
            let is_address = left.base != Base::NUMBER;
            let predicate = if is_address { signed_form(predicate) } else { predicate };
            return Ok(truth(holds(predicate, width, left.bits, right.bits)));
        }
        self.compare_apart(predicate, width, left, right).map(truth)
    }

    /// Compares addresses of different objects, or an address with a number.
    fn compare_apart(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        left: Value,
        right: Value,
    ) -> Result<bool> {
        let number = match (left.as_number(), right.as_number()) {
            (None, Some(number)) | (Some(number), None) => number,
            _ => return self.compare_objects(predicate, width, (left, right)),
        };
        let is_far = number < NEVER_AN_ADDRESS || mask(width) - number < NEVER_AN_ADDRESS;
        if !is_far {
            return Err(Stop::refused("an address is compared with a number"));
        }
        if is_equality(predicate) {
            return Ok(predicate == IntPredicate::Ne);
        }
        if signed_form(predicate) == predicate {
            return Err(Stop::refused("addresses are compared as signed numbers"));
        }
        // Every address lies between the smallest numbers and the largest ones.
        Ok(match left.as_number() {
            Some(left) => holds(predicate, width, left, NEVER_AN_ADDRESS),
            None => holds(predicate, width, NEVER_AN_ADDRESS, right.bits),
        })
    }

    /// Converts a value.
    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        widths: (u32, u32),
        value: Value,
    ) -> Result<Value> {
        let value = self.memory.settled(value, widths.0);
        let is_symbol = self.memory.range(value.base).is_some();
        match conversion {
            Conversion::Truncate if value.base == Base::NUMBER || is_symbol => {
                if is_symbol {
                    return self.truncate_symbol(value, widths.1);
                }
                let (bits, undef) = (value.bits & mask(widths.1), value.undef & mask(widths.1));
                Ok(Value { bits, undef, ..value })
            }
            Conversion::ZeroExtend | Conversion::SignExtend if is_symbol => {
                let is_signed = conversion == Conversion::SignExtend;
                self.extend_symbol(value, widths, is_signed)
            }
            Conversion::ZeroExtend if widths.1 >= widths.0 => Ok(value),
            Conversion::SignExtend if value.base == Base::NUMBER => {
                let wide = |bits: u64| signed(bits, widths.0) as u64 & mask(widths.1);
                let undef = wide(value.undef);
                Ok(Value { bits: wide(value.bits) & !undef, undef, ..value })
            }
            Conversion::Truncate | Conversion::ZeroExtend | Conversion::SignExtend => {
                Err(Stop::refused("a part of an address is used as a number"))
            }
            Conversion::FloatToSigned | Conversion::FloatToUnsigned
                if !value.is_defined()
                    && self.options.over_approximates
                    && self.options.checks_overflow =>
            {
                Err(Stop::refused("a number may be too large, since nothing is held of it"))
            }
            _ if !value.is_defined() => Ok(Value::undefined(widths.1)),
            Conversion::SignedToFloat | Conversion::UnsignedToFloat if is_symbol => {
                self.float_of_symbol(value, widths, conversion == Conversion::SignedToFloat)
            }
            _ => {
                let value = self.concrete(value, widths.0)?;
                let bits = value.as_number().ok_or_else(not_followed)?;
                match convert_float(conversion, widths, bits) {
                    Err(Stop::Error(_)) if !self.options.checks_overflow => {
                        self.unset_result(widths.1)
                    }
                    converted => converted.map(Value::number),
                }
            }
        }
    }

    /// Some value for bits that have none: any, but the same one from now on.
    pub(super) fn frozen(&mut self, value: Value, width: u32) -> Value {
        if value.is_defined() || self.options.over_approximates {
            return value;
        }
        if value.undef == mask(width) {
            return self.new_symbol(width);
        }
        let mut bits: Vec<u64> = (0..64).map(|at| 1 << at).collect();
        bits.retain(|bit| value.undef & bit != 0);
        if bits.len() as u32 > MAX_FROZEN_BITS {
            // All of them off or on: what holds for both need not hold for others.
            self.is_cut = true;
            let set = if self.choose(2) == 1 { value.undef } else { 0 };
            return Value { bits: value.bits | set, undef: 0, ..value };
        }
        let chosen = self.choose(1 << bits.len());
        let numbered = bits.iter().enumerate();
        let set = numbered.filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, bit)| bit);
        Value { bits: set.fold(value.bits, |all, bit| all | bit), undef: 0, ..value }
    }

    /// Chooses by a condition that may have no value.
    pub(super) fn select(&mut self, condition: Value, values: (Value, Value)) -> Result<Value> {
        if let Some(is_true) = self.is_true(condition)? {
            return Ok(if is_true { values.0 } else { values.1 });
        }
        let (left, right) = values;
        if self.options.over_approximates {
            return Ok(if self.choose(2) == 1 { left } else { right });
        }
        if left.base != right.base {
            return Err(Stop::refused("a value that was never set chooses an address"));
        }
        let undef = left.undef | right.undef | left.bits ^ right.bits;
        Ok(Value { base: left.base, bits: left.bits & !undef, undef })
    }

    /// Floating-point arithmetic.
    pub(super) fn float(&mut self, op: &FloatOp, left: Value, right: Value) -> Result<Value> {
        let width = u32::from(op.width);
        if left.undef | right.undef != 0 {
            return Ok(Value::undefined(width));
        }
        let left = self.concrete(left, width)?.as_number().ok_or_else(not_followed)?;
        let right = self.concrete(right, width)?.as_number().ok_or_else(not_followed)?;
        let bits = if width == 32 {
            let (left, right) = (f32::from_bits(left as u32), f32::from_bits(right as u32));
            u64::from(compute(op.op, left, right).to_bits())
        } else {
            compute(op.op, f64::from_bits(left), f64::from_bits(right)).to_bits()
        };
        Ok(Value::number(bits))
    }

    /// Compares floats; one bit.
    pub(super) fn float_compare(
        &mut self,
        predicate: FloatPredicate,
        width: u32,
        operands: (Value, Value),
    ) -> Result<Value> {
        if operands.0.undef | operands.1.undef != 0 {
            return Ok(Value::undefined(1));
        }
        let left = self.memory.settled(operands.0, width);
        let right = self.memory.settled(operands.1, width);
        let order = match (left.as_number(), right.as_number()) {
            (None, Some(number)) => self.order_of_float(left, width, number)?,
            (Some(number), None) => {
                self.order_of_float(right, width, number)?.map(Ordering::reverse)
            }
            _ => {
                let left = self.concrete(left, width)?.as_number().ok_or_else(not_followed)?;
                self.order_of_float(right, width, left)?.map(Ordering::reverse)
            }
        };
        let truth = match order {
            Some(Ordering::Less) => predicate.less,
            Some(Ordering::Equal) => predicate.equal,
            Some(Ordering::Greater) => predicate.greater,
            None => predicate.unordered,
        };
        Ok(Value::number(u64::from(truth)))
    }
}

pub(super) fn float_of(bits: u64, width: u32) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

fn compute<F>(op: Option<FloatKind>, left: F, right: F) -> F
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>
        + std::ops::Rem<Output = F>
        + std::ops::Neg<Output = F>,
{
    match op {
        None => -left,
        Some(FloatKind::Add) => left + right,
        Some(FloatKind::Sub) => left - right,
        Some(FloatKind::Mul) => left * right,
        Some(FloatKind::Div) => left / right,
        Some(FloatKind::Rem) => left % right,
    }
}

fn convert_float(conversion: Conversion, widths: (u32, u32), bits: u64) -> Result<u64> {
    let to_float = |float: f64| match widths.1 {
        32 => u64::from((float as f32).to_bits()),
        _ => float.to_bits(),
    };
    let out_of_range =
        || Stop::error(Rule::Overflow, "a floating-point number is too large for the integer type");
    match conversion {
        Conversion::FloatToFloat => Ok(to_float(float_of(bits, widths.0))),
        Conversion::UnsignedToFloat if widths.1 == 32 => Ok(u64::from((bits as f32).to_bits())),
        Conversion::UnsignedToFloat => Ok((bits as f64).to_bits()),
        Conversion::SignedToFloat if widths.1 == 32 => {
            Ok(u64::from((signed(bits, widths.0) as f32).to_bits()))
        }
        Conversion::SignedToFloat => Ok((signed(bits, widths.0) as f64).to_bits()),
        Conversion::FloatToUnsigned => {
            let float = float_of(bits, widths.0).trunc();
            let limit = 2f64.powi(widths.1 as i32);
            if float >= 0.0 && float < limit { Ok(float as u64) } else { Err(out_of_range()) }
        }
        _ => {
            let float = float_of(bits, widths.0).trunc();
            let limit = 2f64.powi(widths.1 as i32 - 1);
            let fits = float >= -limit && float < limit;
            if fits { Ok(float as i64 as u64 & mask(widths.1)) } else { Err(out_of_range()) }
        }
    }
}

/// Arithmetic where some bits have no value: those of the result that depend on
/// them have none.
fn on_undefined(op: &Binary, left: Value, right: Value) -> Result<Value> {
    let width = u32::from(op.width);
    let all = mask(width);
    let result = |bits: u64, undef: u64| {
        let undef = undef & all;
        Ok(Value { base: Base::NUMBER, bits: bits & all & !undef, undef })
    };
    let shift = right.as_number().filter(|&by| by < u64::from(width));
    let (lu, ru) = (left.undef, right.undef);
    match (op.op, shift) {
        (IntOp::And, _) => {
            result(left.bits & right.bits, lu & ru | lu & right.bits | ru & left.bits)
        }
        (IntOp::Or, _) => {
            result(left.bits | right.bits, lu & ru | lu & !right.bits | ru & !left.bits)
        }
        (IntOp::Xor, _) => result(left.bits ^ right.bits, lu | ru),
        (IntOp::Shl, Some(by)) => result(left.bits << by, lu << by),
        (IntOp::LShr, Some(by)) => result(left.bits >> by, lu >> by),
        (IntOp::AShr, Some(by)) => {
            result((signed(left.bits, width) >> by) as u64, (signed(lu, width) >> by) as u64)
        }
        (IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem, _) if right.undef != 0 => Err(
            Stop::error(Rule::UninitialisedMemory, "a number is divided by one that was never set"),
        ),
        _ => Ok(Value::undefined(width)),
    }
}

/// Two handles of threads without names cannot be compared.
fn must_not_be_handles(left: Value, right: Value) -> Result<()> {
    let is_pthread_t = |value: Value| matches!(value.base.origin(), Origin::PthreadT(_));
    let is_number = |value: Value| value.base == Base::NUMBER;
    if is_pthread_t(left) && !is_number(right) || is_pthread_t(right) && !is_number(left) {
        let why = "names of threads are compared, and any number of threads have none";
        return Err(Stop::refused(why));
    }
    Ok(())
}

fn compare_undefined(predicate: IntPredicate, left: Value, right: Value) -> Value {
    let known = !(left.undef | right.undef);
    let differ = left.base == right.base && (left.bits ^ right.bits) & known != 0;
    match predicate {
        IntPredicate::Eq if differ => Value::number(0),
        IntPredicate::Ne if differ => Value::number(1),
        _ => Value::undefined(1),
    }
}

pub(super) fn is_equality(predicate: IntPredicate) -> bool {
    matches!(predicate, IntPredicate::Eq | IntPredicate::Ne)
}

pub(super) fn swapped(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::Eq => IntPredicate::Eq,
        IntPredicate::Ne => IntPredicate::Ne,
        IntPredicate::Ugt => IntPredicate::Ult,
        IntPredicate::Uge => IntPredicate::Ule,
        IntPredicate::Ult => IntPredicate::Ugt,
        IntPredicate::Ule => IntPredicate::Uge,
        IntPredicate::Sgt => IntPredicate::Slt,
        IntPredicate::Sge => IntPredicate::Sle,
        IntPredicate::Slt => IntPredicate::Sgt,
        IntPredicate::Sle => IntPredicate::Sge,
    }
}

/// The comparison of offsets that a comparison of addresses is.
fn signed_form(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::Ugt => IntPredicate::Sgt,
        IntPredicate::Uge => IntPredicate::Sge,
        IntPredicate::Ult => IntPredicate::Slt,
        IntPredicate::Ule => IntPredicate::Sle,
        other => other,
    }
}

fn symbol_of(op: IntOp) -> &'static str {
    match op {
        IntOp::Add => "+",
        IntOp::Sub => "-",
        IntOp::Mul => "*",
        _ => "?",
    }
}
