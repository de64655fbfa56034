//! Symbolic inputs: a nondeterministic value stays a set of numbers until the program branches on it.
//!
//! A symbol is an object that holds numbers at equal distances; a value relative to it is the
//! input plus an offset, modulo two to the power of its width. A comparison with a number splits
//! the set where the outcome changes, and execution continues with each part: one state
//! for all inputs that behave alike. So does a sum that may overflow, where that is asked
//! about. What is computed from an input is a value of its own (`symbol_arith`), and an input
//! that nobody will look at again leaves its image alone behind (`image`). Other operations
//! concretise the input.
//!
//! **Exact** while sets are split, and where an input with few values takes each of them.
//! Otherwise it takes the values of `--nondet`, the extreme ones and the neighbours of the
//! program's constants, and the step is reported as cut: nothing is proven then.
//! **Source** King, "Symbolic Execution and Program Testing", CACM 1976. We differ: a path
//! condition is one set for each input, so that states stay comparable and no solver
//! is needed.

use super::Machine;
use super::arith::overflows;
use super::stop::{Result, Rule, Stop};
use crate::code::{Binary, IntOp};
use crate::memory::Progression;
use crate::value::{Base, Value, mask, signed};
use rustc_hash::FxHashSet;

/// Inputs with at most so many values take each of them.
pub(super) const FEW: u64 = 256;

/// Where more runs than the program's are allowed, inputs with so many values are anything.
const FEW_TO_FOLLOW: u64 = 8;

/// Of the others so many values are tried at the most.
const MAX_SAMPLES: usize = 24;

/// A part of a symbol's set, and what a question has for an answer there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub values: Progression,
    pub answer: u64,
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

    /// The lowest bits of a value relative to a symbol.
    pub(super) fn truncate_symbol(&mut self, value: Value, width: u32) -> Result<Value> {
        let value = self.memory.settled(Value { bits: value.bits & mask(width), ..value }, width);
        let Some(set) = self.memory.values(value.base) else { return Ok(value) };
        if set.length() > mask(width) {
            if self.options.over_approximates {
                return Ok(Value::undefined(width));
            }
            // Otherwise it is followed later, where less is left of the input, or not at all.
            return Ok(self.any_lowest_bits(value, width).unwrap_or(value));
        }
        Ok(value)
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

    /// Splits the set of a value's symbol wherever the value passes one of `cuts`
    /// and `answer` changes there; gives the answer of the part that was chosen.
    pub(super) fn split(
        &mut self,
        value: Value,
        width: u32,
        cuts: &[u64],
        answer: impl Fn(u64) -> u64,
    ) -> Result<u64> {
        match self.partition(value, width, cuts, &answer) {
            Some(parts) => Ok(self.choose_part(value.base, &parts)),
            None if self.options.over_approximates => {
                Err(Stop::refused("a part of an input is looked at that is not followed"))
            }
            None => Ok(answer(self.concrete(value, width)?.bits)),
        }
    }

    /// The parts of a symbol's set that [`Machine::split`] chooses from; `None` where a
    /// value shows some of its symbol's bits only.
    pub(super) fn partition(
        &self,
        value: Value,
        width: u32,
        cuts: &[u64],
        answer: impl Fn(u64) -> u64,
    ) -> Option<Vec<Part>> {
        let set = self.memory.values(value.base).expect("the base is a symbol");
        if set.length() > mask(width) {
            return None;
        }
        let shown = |input: u64| input.wrapping_add(value.bits) & mask(width);
        let mut starts = vec![set.first];
        for &cut in cuts {
            // The inputs that show as `cut` are this one plus multiples of 2^width.
            let ahead = cut.wrapping_sub(shown(set.first)) & mask(width);
            let start = set.first.checked_add(ahead).and_then(|start| set.least_from(start));
            starts.extend(start);
        }
        starts.sort_unstable();
        starts.dedup();
        let mut parts: Vec<Part> = Vec::new();
        for (idx, &start) in starts.iter().enumerate() {
            let end = starts.get(idx + 1).map_or(set.last, |next| next - 1);
            let Some(values) = set.within(start, end) else { continue };
            if self.memory.root_part(value.base, values).is_none() {
                continue;
            }
            let here = answer(shown(start));
            match parts.last_mut() {
                // A part does not wrap around.
                Some(part) if part.answer == here && shown(start) > shown(part.values.first) => {
                    part.values = set.within(part.values.first, end)?;
                }
                _ => parts.push(Part { values, answer: here }),
            }
        }
        Some(parts)
    }

    /// Goes on with one of some parts of a symbol's set; gives its answer.
    pub(super) fn choose_part(&mut self, base: Base, parts: &[Part]) -> u64 {
        let chosen = parts[self.choose(parts.len() as u32) as usize];
        if parts.len() > 1 {
            self.memory.depend_on_symbol(base);
            self.memory.narrow(base, chosen.values);
        }
        chosen.answer
    }

    /// A value that is no symbol any more: the symbol takes one of its values.
    ///
    /// # Errors
    /// None are known now; callers must be ready for a refusal.
    pub fn concrete(&mut self, value: Value, width: u32) -> Result<Value> {
        let value = self.memory.settled(value, width);
        let Some(set) = self.memory.values(value.base) else { return Ok(value) };
        if self.options.over_approximates && set.n_behind() >= FEW_TO_FOLLOW {
            return Ok(Value::undefined(width));
        }
        let shown = |input: u64| input.wrapping_add(value.bits) & mask(width);
        if let Some(class) = self.choose_class(value.base, set, mask(width)) {
            return Ok(Value::number(shown(class.first)));
        }
        if let Some(number) = self.one_of_few(value, width) {
            return Ok(number);
        }
        if let Some(number) = self.sample_of_input(value, width, set) {
            return Ok(number);
        }
        let inputs: Vec<u64> = if set.n_behind() < FEW {
            set.iter().filter(|&input| self.may_be(value.base, input)).collect()
        } else {
            self.is_cut = true;
            self.samples(value, width, set)
        };
        let input = inputs[self.choose(inputs.len() as u32) as usize];
        self.memory.narrow(value.base, Progression::all(input, input));
        Ok(Value::number(shown(input)))
    }

    /// What a value with many numbers is for one of the samples of the input that it is
    /// computed from: those are worth trying, more than samples of what was computed.
    fn sample_of_input(&mut self, value: Value, width: u32, set: Progression) -> Option<Value> {
        let view = self.memory.first_view(value.base)?;
        let root = Value { bits: 0, undef: 0, base: view.parent.base };
        let inputs = self.memory.values(root.base)?;
        if set.n_behind() < FEW || inputs.n_behind() < FEW {
            return None;
        }
        let samples = self.samples(root, view.width, inputs);
        let input = samples[self.choose(samples.len() as u32) as usize];
        self.is_cut = true;
        self.memory.narrow(root.base, Progression::all(input, input));
        Some(self.memory.settled(value, width))
    }

    /// The number that a value is for one of the inputs that it is computed from, where
    /// these are few and its own numbers are not at one distance.
    fn one_of_few(&mut self, value: Value, width: u32) -> Option<Value> {
        if self.memory.is_regular(value.base) {
            return None;
        }
        let root = self.memory.root(value.base);
        let set = self.memory.values(root).filter(|set| set.n_behind() < FEW)?;
        let input = set.first + set.step * u64::from(self.choose(set.n_behind() as u32 + 1));
        self.memory.narrow(root, Progression::all(input, input));
        Some(self.memory.settled(value, width))
    }

    /// May a symbol be this number?
    fn may_be(&self, base: Base, number: u64) -> bool {
        self.memory.root_part(base, Progression::all(number, number)).is_some()
    }

    /// Where a value shows the lowest bits of a wide symbol: goes on with the numbers that
    /// show one thing, if these are few.
    fn choose_class(&mut self, base: Base, set: Progression, shown: u64) -> Option<Progression> {
        if set.length() <= shown || !self.memory.keeps_distances(base) {
            return None;
        }
        let n = (shown + 1) >> set.step.trailing_zeros().min((shown + 1).trailing_zeros());
        self.choose_remainder(base, set, n)
    }

    /// Goes on with every `n`-th number of a symbol that keeps distances, if `n` is small.
    pub(super) fn choose_remainder(
        &mut self,
        base: Base,
        set: Progression,
        n: u64,
    ) -> Option<Progression> {
        if n > FEW {
            return None;
        }
        let classes: Vec<Progression> = (0..n).filter_map(|at| set.every(n, at)).collect();
        let class = classes[self.choose(classes.len() as u32) as usize];
        if classes.len() > 1 {
            self.memory.narrow(base, class);
        }
        Some(class)
    }

    /// Two values of which the one with fewer numbers is concrete.
    pub(super) fn concrete_one(
        &mut self,
        width: u32,
        (left, right): (Value, Value),
    ) -> Result<(Value, Value)> {
        let n = |value: Value| self.memory.values(value.base).map_or(0, Progression::n_behind);
        Ok(match n(left) <= n(right) {
            true => (self.concrete(left, width)?, right),
            false => (left, self.concrete(right, width)?),
        })
    }

    /// Two values that are no symbols any more.
    pub(super) fn concrete_both(
        &mut self,
        width: u32,
        (left, right): (Value, Value),
    ) -> Result<(Value, Value)> {
        let left = self.concrete(left, width)?;
        Ok((left, self.concrete(right, width)?))
    }

    /// Some inputs of a wide range: what shows as the values of the options, both ends, the
    /// least and the greatest signed number, and the neighbours of constants.
    fn samples(&self, value: Value, width: u32, set: Progression) -> Vec<u64> {
        let shown = |number: u64| number.wrapping_sub(value.bits) & mask(width);
        let wanted = self.options.nondet.clone().take(FEW as usize);
        let wanted = wanted.map(|number| shown(number as u64)).chain([set.first, set.last]);
        let mut inputs: Vec<u64> = wanted.collect();
        let n_wanted = inputs.len();
        let least = 1u64 << (width - 1);
        let around = |number: &u64| [number.wrapping_sub(1), *number, number.wrapping_add(1)];
        let extremes = [least, least - 1];
        let more = extremes.into_iter().chain(self.code.numbers.iter().flat_map(around));
        inputs.extend(more.map(shown));
        let mut is_met = FxHashSet::default();
        inputs.retain(|&input| {
            let is_member = set.within(input, input).is_some();
            is_member && self.may_be(value.base, input) && is_met.insert(input)
        });
        inputs.truncate(n_wanted.max(MAX_SAMPLES));
        inputs.sort_unstable();
        inputs
    }
}

/// What is said when an input cannot be followed.
pub(super) fn not_followed() -> Stop {
    Stop::refused("an input is combined with an address")
}
