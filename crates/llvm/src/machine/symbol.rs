//! Symbolic inputs: a nondeterministic value stays a range until the program branches on it.
//!
//! A symbol is an object that holds a range of numbers; a value relative to it is the input
//! plus an offset, modulo two to the power of its width. A comparison with a number splits
//! the range where the outcome changes, and execution continues with each part: one state
//! for all inputs that behave alike. An operation that does not split a range (products,
//! comparisons of two inputs) concretises the input.
//!
//! **Exact** while ranges are split, and where an input with few values takes each of them.
//! Otherwise it takes the values of `--nondet` and the extreme ones, and the step is
//! reported as cut: nothing is proven then.
//! **Source** King, "Symbolic Execution and Program Testing", CACM 1976. We differ: a path
//! condition is one interval for each input, so that states stay comparable and no solver
//! is needed.

use super::Machine;
use super::stop::{Result, Stop};
use crate::ir::IntPredicate;
use crate::value::{Value, mask, signed};

/// Inputs with at most so many values take each of them.
const FEW: u64 = 256;

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

    /// Some inputs of a wide range: what shows as the values of the options, and
    /// both ends.
    fn samples(&self, value: Value, width: u32, range: (u64, u64)) -> Vec<u64> {
        let shown = |number: i64| (number as u64).wrapping_sub(value.bits) & mask(width);
        let wanted = self.options.nondet.clone().take(FEW as usize).map(shown);
        let mut inputs: Vec<u64> = wanted.chain([range.0, range.1]).collect();
        inputs.retain(|input| (range.0..=range.1).contains(input));
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }
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
