//! Symbolic inputs: a nondeterministic value stays a range until the program branches on it.
//!
//! A symbol is an object that holds a range of numbers; a value relative to it is the input
//! plus an offset, modulo two to the power of its width. A comparison with a number splits
//! the range where the outcome changes, and execution continues with each part: one state
//! for all inputs that behave alike. So does a sum that may overflow, where that is asked
//! about. An operation that does not split a range (products, comparisons of two inputs whose
//! ranges overlap) concretises the input.
//!
//! **Exact** while ranges are split, and where an input with few values takes each of them.
//! Otherwise it takes the values of `--nondet`, the extreme ones and the neighbours of the
//! program's constants, and the step is reported as cut: nothing is proven then.
//! **Source** King, "Symbolic Execution and Program Testing", CACM 1976. We differ: a path
//! condition is one interval for each input, so that states stay comparable and no solver
//! is needed.

use super::Machine;
use super::arith::overflows;
use super::stop::{Result, Rule, Stop};
use crate::code::{Binary, IntOp};
use crate::ir::IntPredicate;
use crate::value::{Value, mask, signed};
use rustc_hash::FxHashSet;

/// Inputs with at most so many values take each of them.
const FEW: u64 = 256;

/// Of the others so many values are tried at the most.
const MAX_SAMPLES: usize = 24;

/// A range of a symbol, and what a question has for an answer there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    first: u64,
    last: u64,
    answer: u64,
}

impl Machine<'_> {
    /// An input of `width` bits that may be anything.
    pub fn new_symbol(&mut self, width: u32) -> Value {
        if width <= 1 {
            return Value::number(u64::from(self.choose(2)));
        }
        self.new_symbol_up_to(mask(width))
    }

    /// An input from 0 to `last`.
    pub fn new_symbol_up_to(&mut self, last: u64) -> Value {
        let number = self.new_input_number();
        self.memory.add_symbol(number, last)
    }

    /// Compares a value relative to a symbol with a number.
    pub(super) fn compare_symbol(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        value: Value,
        number: u64,
    ) -> Result<bool> {
        let sign = 1u64 << (width - 1);
        let cuts = [0, sign, number, number.wrapping_add(1) & mask(width)];
        let answer = |bits| u64::from(holds(predicate, width, bits, number));
        Ok(self.split(value, width, &cuts, answer)? != 0)
    }

    /// Compares two values relative to one symbol: the order changes where one of them passes
    /// the least or the greatest number.
    pub(super) fn compare_with_itself(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        left: Value,
        right: Value,
    ) -> Result<bool> {
        let all = mask(width);
        let (sign, apart) = (1u64 << (width - 1), right.bits.wrapping_sub(left.bits) & all);
        let cuts = [0, sign, 0u64.wrapping_sub(apart) & all, sign.wrapping_sub(apart) & all];
        let other = |bits: u64| bits.wrapping_add(apart) & all;
        let answer = |bits| u64::from(holds(predicate, width, bits, other(bits)));
        Ok(self.split(left, width, &cuts, answer)? != 0)
    }

    /// Compares values relative to two symbols, where their ranges decide.
    pub(super) fn compare_ranges(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        left: Value,
        right: Value,
    ) -> Option<bool> {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let is_signed = matches!(predicate, Sgt | Sge | Slt | Sle);
        let (least, greatest) = self.shown_range(left, width, is_signed)?;
        let (other_least, other_greatest) = self.shown_range(right, width, is_signed)?;
        let (is_below, is_above) = (greatest < other_least, least > other_greatest);
        let (is_at_most, is_at_least) = (greatest <= other_least, least >= other_greatest);
        let (if_true, if_false) = match predicate {
            Eq => (false, is_below || is_above),
            Ne => (is_below || is_above, false),
            Ult | Slt => (is_below, is_at_least),
            Ule | Sle => (is_at_most, is_above),
            Ugt | Sgt => (is_above, is_at_most),
            Uge | Sge => (is_at_least, is_below),
        };
        if if_true || if_false {
            self.memory.depend_on_symbol(left.base);
            self.memory.depend_on_symbol(right.base);
        }
        (if_true || if_false).then_some(if_true)
    }

    /// The least and the greatest number that a value shows, if all between them is shown.
    fn shown_range(&self, value: Value, width: u32, is_signed: bool) -> Option<(i128, i128)> {
        let Some((first, last)) = self.memory.range(value.base) else {
            let number = number(value.as_number()?, width, is_signed);
            return Some((number, number));
        };
        let shown =
            |input: u64| number(input.wrapping_add(value.bits) & mask(width), width, is_signed);
        let (least, greatest) = (shown(first), shown(last));
        (greatest - least == i128::from(last - first)).then_some((least, greatest))
    }

    /// An input plus or minus a number: still that input. Where overflow is asked about, the
    /// inputs that overflow part from the others.
    pub(super) fn symbol_sum(
        &mut self,
        op: &Binary,
        left: Value,
        right: Value,
    ) -> Result<Option<Value>> {
        let is_symbol = |value: Value| self.memory.range(value.base).is_some();
        let (symbol, number) = match op.op {
            IntOp::Add | IntOp::Sub if is_symbol(left) => (left, right.as_number()),
            IntOp::Add if is_symbol(right) => (right, left.as_number()),
            _ => return Ok(None),
        };
        let (Some(number), true) = (number, op.width >= 2) else { return Ok(None) };
        let (width, all) = (u32::from(op.width), mask(op.width.into()));
        let by = if op.op == IntOp::Sub { 0u64.wrapping_sub(number) } else { number };
        if self.options.checks_overflow && op.no_signed_wrap {
            let sign = 1u64 << (width - 1);
            let cuts = [sign, sign.wrapping_sub(by) & all];
            let answer = |bits| u64::from(overflows(op.op, width, bits, number));
            if self.split(symbol, width, &cuts, answer)? != 0 {
                return Err(self.overflow_of(op.op, width, (symbol, number)));
            }
        }
        let sum = Value { bits: symbol.bits.wrapping_add(by) & all, ..symbol };
        Ok(Some(self.memory.settled(sum, width)))
    }

    /// The error that a sum overflows, told of one of the inputs.
    fn overflow_of(&self, op: IntOp, width: u32, (symbol, by): (Value, u64)) -> Stop {
        let (first, _) = self.memory.range(symbol.base).unwrap_or_default();
        let input = signed(first.wrapping_add(symbol.bits) & mask(width), width);
        let (sign, by) = (if op == IntOp::Sub { "-" } else { "+" }, signed(by, width));
        let message = format!("a signed result overflows: {input} {sign} {by}");
        Stop::error(Rule::Overflow, message)
    }

    /// A value relative to a symbol, in a wider type.
    pub(super) fn extend_symbol(
        &mut self,
        value: Value,
        widths: (u32, u32),
        is_signed: bool,
    ) -> Result<Value> {
        let sign = 1u64 << (widths.0 - 1);
        let cuts = if is_signed { [0, sign] } else { [0, 0] };
        // The answer is where the part lies, so that parts do not grow together.
        let half = |bits: u64| if is_signed { bits / sign } else { 0 };
        self.split(value, widths.0, &cuts, half)?;
        let value = self.memory.settled(value, widths.0);
        let wide = |bits: u64| match is_signed {
            true => signed(bits, widths.0) as u64 & mask(widths.1),
            false => bits,
        };
        let Some((first, _)) = self.memory.range(value.base) else {
            return Ok(Value::number(wide(value.bits)));
        };
        let narrow = first.wrapping_add(value.bits) & mask(widths.0);
        let bits = wide(narrow).wrapping_sub(first) & mask(widths.1);
        Ok(Value { bits, ..value })
    }

    /// Splits the range of a value's symbol wherever the value passes one of `cuts`
    /// and `answer` changes there; gives the answer of the part that was chosen.
    fn split(
        &mut self,
        value: Value,
        width: u32,
        cuts: &[u64],
        answer: impl Fn(u64) -> u64,
    ) -> Result<u64> {
        let (first, last) = self.memory.range(value.base).expect("the base is a symbol");
        self.memory.depend_on_symbol(value.base);
        if width < 64 && last - first > mask(width) {
            let value = self.concrete(value, width)?;
            return Ok(answer(value.bits));
        }
        let shown = |input: u64| input.wrapping_add(value.bits) & mask(width);
        let mut starts = vec![first];
        for &cut in cuts {
            // The inputs that show as `cut` are this one plus multiples of 2^width.
            let ahead = cut.wrapping_sub(shown(first)) & mask(width);
            if let Some(start) = first.checked_add(ahead).filter(|&start| start <= last) {
                starts.push(start);
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let mut parts: Vec<Part> = Vec::new();
        for (idx, &start) in starts.iter().enumerate() {
            let end = starts.get(idx + 1).map_or(last, |next| next - 1);
            let here = answer(shown(start));
            let wraps = shown(start) == 0 && idx > 0;
            match parts.last_mut() {
                Some(part) if part.answer == here && !wraps => part.last = end,
                _ => parts.push(Part { first: start, last: end, answer: here }),
            }
        }
        let chosen = parts[self.choose(parts.len() as u32) as usize];
        if parts.len() > 1 {
            self.memory.narrow(value.base, chosen.first, chosen.last);
        }
        Ok(chosen.answer)
    }

    /// A value that is no symbol any more: the symbol takes one of its values.
    ///
    /// # Errors
    /// None are known now; callers must be ready for a refusal.
    pub fn concrete(&mut self, value: Value, width: u32) -> Result<Value> {
        let value = self.memory.settled(value, width);
        let Some((first, last)) = self.memory.range(value.base) else { return Ok(value) };
        let inputs = if last - first < FEW {
            (first..=last).collect()
        } else {
            self.is_cut = true;
            self.samples(value, width, (first, last))
        };
        let input = inputs[self.choose(inputs.len() as u32) as usize];
        self.memory.narrow(value.base, input, input);
        Ok(Value::number(input.wrapping_add(value.bits) & mask(width)))
    }

    /// Some inputs of a wide range: what shows as the values of the options, both ends, the
    /// least and the greatest signed number, and the neighbours of constants.
    fn samples(&self, value: Value, width: u32, range: (u64, u64)) -> Vec<u64> {
        let shown = |number: u64| number.wrapping_sub(value.bits) & mask(width);
        let wanted = self.options.nondet.clone().take(FEW as usize);
        let wanted = wanted.map(|number| shown(number as u64)).chain([range.0, range.1]);
        let mut inputs: Vec<u64> = wanted.collect();
        let n_wanted = inputs.len();
        let least = 1u64 << (width - 1);
        let around = |number: &u64| [number.wrapping_sub(1), *number, number.wrapping_add(1)];
        let extremes = [least, least - 1];
        let more = extremes.into_iter().chain(self.code.numbers.iter().flat_map(around));
        inputs.extend(more.map(shown));
        let mut is_met = FxHashSet::default();
        inputs.retain(|&input| (range.0..=range.1).contains(&input) && is_met.insert(input));
        inputs.truncate(n_wanted.max(MAX_SAMPLES));
        inputs.sort_unstable();
        inputs
    }
}

/// A number of so many bits, signed or not.
fn number(bits: u64, width: u32, is_signed: bool) -> i128 {
    if is_signed { signed(bits, width).into() } else { bits.into() }
}

/// Does a comparison of two numbers hold?
pub(super) fn holds(predicate: IntPredicate, width: u32, left: u64, right: u64) -> bool {
    let (sleft, sright) = (signed(left, width), signed(right, width));
    match predicate {
        IntPredicate::Eq => left == right,
        IntPredicate::Ne => left != right,
        IntPredicate::Ugt => left > right,
        IntPredicate::Uge => left >= right,
        IntPredicate::Ult => left < right,
        IntPredicate::Ule => left <= right,
        IntPredicate::Sgt => sleft > sright,
        IntPredicate::Sge => sleft >= sright,
        IntPredicate::Slt => sleft < sright,
        IntPredicate::Sle => sleft <= sright,
    }
}

/// What is said when an input cannot be followed.
pub(super) fn not_followed() -> Stop {
    Stop::refused("an input is combined with an address")
}
