//! Comparisons of inputs: which parts of an input's set compare in one way.
//!
//! What a comparison with a number says may stay open until somebody branches on it: it is a value
//! that is computed from the input. Values of one input are compared by halving its set until
//! their ranges decide. Of two inputs, ranges decide, or one that is not looked at again
//! (`image`); otherwise one of them is concretised.

use super::Machine;
use super::arith::{is_equality, swapped};
use super::stop::Result;
use super::symbol::{Part, not_followed};
use crate::code::{Op, Src};
use crate::ir::IntPredicate;
use crate::memory::{Map, Progression, View};
use crate::value::{Value, mask, signed};

/// Parts that a comparison of two values of one input looks at, at most.
const MAX_HALVES: usize = 256;

impl Machine<'_> {
    /// Compares a value relative to a symbol with a number.
    pub(super) fn compare_symbol(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        value: Value,
        number: u64,
    ) -> Result<bool> {
        let cuts = changes(width, number);
        let answer = |bits| u64::from(holds(predicate, width, bits, number));
        Ok(self.split(value, width, &cuts, answer)? != 0)
    }

    /// Compares two values; what an input decides may be decided later.
    pub(super) fn compare_or_defer(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        operands: (Value, Value),
    ) -> Result<Value> {
        let (left, right) =
            (self.memory.settled(operands.0, width), self.memory.settled(operands.1, width));
        let is_symbol = |value: Value| self.memory.range(value.base).is_some();
        let deferred = match (left.as_number(), right.as_number()) {
            (None, Some(number)) if is_symbol(left) => {
                self.deferred_comparison(predicate, width, left, number)
            }
            (Some(number), None) if is_symbol(right) => {
                self.deferred_comparison(swapped(predicate), width, right, number)
            }
            _ => None,
        };
        match deferred {
            Some(truth) => Ok(truth),
            None => self.compare(predicate, width, operands),
        }
    }

    /// The truth of a comparison with a number as a value that is computed from the input,
    /// where it changes once. Whoever branches on it splits the input then.
    fn deferred_comparison(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        value: Value,
        number: u64,
    ) -> Option<Value> {
        let cuts = changes(width, number);
        let answer = |bits| u64::from(holds(predicate, width, bits, number));
        let parts = self.partition(value, width, &cuts, answer)?;
        let [below, above] = parts[..] else { return None };
        if below.answer == above.answer {
            return None;
        }
        let (parent, map) = (Value { bits: 0, ..value }, Map::AtLeast(above.values.first));
        self.memory.depend_on_symbol(value.base);
        let truth = self.memory.add_view(View { parent, width: 64, map })?;
        match (below.answer, above.answer) {
            (0, 1) => Some(truth),
            _ => self.memory.add_view(View { parent: truth, width: 1, map: Map::Complement }),
        }
    }

    /// Is a truth value true? An input that it is computed from is split.
    pub(super) fn is_true(&mut self, truth: Value) -> Result<Option<bool>> {
        match self.memory.settled(truth, 1) {
            truth if self.memory.range(truth.base).is_some() => {
                self.compare_symbol(IntPredicate::Ne, 1, truth, 0).map(Some)
            }
            truth => Ok(truth.as_number().map(|truth| truth != 0)),
        }
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

    /// Compares values of which at least one is relative to a symbol, and both are to the
    /// same base or to two symbols.
    pub(super) fn compare_symbols(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        (left, right): (Value, Value),
    ) -> Result<bool> {
        if left.base == right.base && is_equality(predicate) {
            return Ok((left.bits == right.bits) == (predicate == IntPredicate::Eq));
        }
        if left.base == right.base {
            return self.compare_with_itself(predicate, width, left, right);
        }
        if let Some(known) = self.compare_if(predicate, width, (left, right), None) {
            return Ok(known);
        }
        if let Some(known) = self.compare_related(predicate, width, (left, right)) {
            return Ok(known);
        }
        if let Some(known) = self.compare_with_forgotten(predicate, width, (left, right))? {
            return Ok(known);
        }
        if self.options.over_approximates {
            return Ok(self.choose(2) == 1);
        }
        let (left, right) = self.concrete_one(width, (left, right))?;
        let truth = self.compare(predicate, width, (left, right))?;
        truth.as_number().map(|truth| truth != 0).ok_or_else(not_followed)
    }

    /// Compares two values that are computed from one input: halves its set until ranges
    /// decide, which is soon wherever the order changes in few places.
    fn compare_related(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        (left, right): (Value, Value),
    ) -> Option<bool> {
        let root = self.memory.root(left.base);
        if root != self.memory.root(right.base) {
            return None;
        }
        let set = self.memory.values(root)?;
        let mut waiting = vec![set];
        let mut parts: Vec<Part> = Vec::new();
        while let Some(values) = waiting.pop() {
            let known = self.compare_if(predicate, width, (left, right), Some(values));
            let is_enough = values.is_single() || parts.len() + waiting.len() > MAX_HALVES;
            match (known, parts.last_mut()) {
                (Some(truth), Some(part)) if part.answer == u64::from(truth) => {
                    part.values = set.within(part.values.first, values.last)?;
                }
                (Some(truth), _) => parts.push(Part { values, answer: truth.into() }),
                (None, _) if is_enough => return None,
                (None, _) => {
                    let middle = values.first + values.length() / 2;
                    waiting.push(values.within(middle + 1, values.last)?);
                    waiting.push(values.within(values.first, middle)?);
                }
            }
        }
        self.memory.depend_on_symbol(root);
        Some(self.choose_part(root, &parts) != 0)
    }

    /// Compares values of which one at least is relative to a symbol, where ranges decide; with
    /// a part of the set of the symbol at their root, if one is assumed.
    fn compare_if(
        &self,
        predicate: IntPredicate,
        width: u32,
        (left, right): (Value, Value),
        assumed: Option<Progression>,
    ) -> Option<bool> {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let is_signed = matches!(predicate, Sgt | Sge | Slt | Sle);
        if let Some(values) = assumed.filter(|values| !values.is_single())
            && self.are_apart_by_one_number((left, right), (width, is_signed), values) == Some(true)
        {
            let first = Some(Progression::all(values.first, values.first));
            return self.compare_if(predicate, width, (left, right), first);
        }
        let (least, greatest) = self.range_if(left, (width, is_signed), assumed)?;
        let (other_least, other_greatest) = self.range_if(right, (width, is_signed), assumed)?;
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
        (if_true || if_false).then_some(if_true)
    }

    /// Are two values of one input as far apart for each of its numbers? They do not wrap
    /// around where [`Machine::range_if`] gives their ends.
    fn are_apart_by_one_number(
        &self,
        (left, right): (Value, Value),
        (width, is_signed): (u32, bool),
        assumed: Progression,
    ) -> Option<bool> {
        let ends = |number: u64| {
            let one = Some(Progression::all(number, number));
            let (left, _) = self.range_if(left, (width, is_signed), one)?;
            let (right, _) = self.range_if(right, (width, is_signed), one)?;
            Some(left - right)
        };
        let is_even = |value: Value| {
            let image = self.memory.values_if(value.base, Some(assumed))?;
            self.range_if(value, (width, is_signed), Some(assumed))?;
            Some(image.n_behind() == assumed.n_behind() && self.memory.is_regular(value.base))
        };
        Some(ends(assumed.first)? == ends(assumed.last)? && is_even(left)? && is_even(right)?)
    }

    /// The least and the greatest number that a value shows, if all between them is shown.
    pub(super) fn shown_range(
        &self,
        value: Value,
        width: u32,
        is_signed: bool,
    ) -> Option<(i128, i128)> {
        self.range_if(value, (width, is_signed), None)
    }

    fn range_if(
        &self,
        value: Value,
        (width, is_signed): (u32, bool),
        assumed: Option<Progression>,
    ) -> Option<(i128, i128)> {
        let Some(set) = self.memory.values_if(value.base, assumed) else {
            let number = number(value.as_number()?, width, is_signed);
            return Some((number, number));
        };
        let (first, last) = (set.first, set.last);
        let shown =
            |input: u64| number(input.wrapping_add(value.bits) & mask(width), width, is_signed);
        let (least, greatest) = (shown(first), shown(last));
        (greatest - least == i128::from(last - first)).then_some((least, greatest))
    }

    /// May a comparison split the set of an input? Where it does not, it says the same
    /// whatever other threads make of that input, since they can only take something away.
    pub(super) fn may_split(&self, op: &Op) -> bool {
        let settled = |src: Src, width: u32| self.memory.settled(self.value(src), width);
        match op {
            Op::Compare { predicate, width, operands, .. } => {
                let width = u32::from(*width);
                let (left, right) = (settled(operands.0, width), settled(operands.1, width));
                let is_one = |value: Value, predicate: IntPredicate, number: u64| {
                    let answer = |bits| u64::from(holds(predicate, width, bits, number));
                    self.memory.range(value.base).is_some_and(|_| {
                        let parts = self.partition(value, width, &changes(width, number), answer);
                        parts.is_some_and(|parts| parts.len() == 1)
                    })
                };
                match (left.as_number(), right.as_number()) {
                    (None, Some(number)) => !is_one(left, *predicate, number),
                    (Some(number), None) => !is_one(right, swapped(*predicate), number),
                    _ => self.compare_if(*predicate, width, (left, right), None).is_none(),
                }
            }
            Op::FloatCompare { width, operands, .. } => {
                let width = u32::from(*width);
                let (left, right) = (settled(operands.0, width), settled(operands.1, width));
                match (left.as_number(), right.as_number()) {
                    (None, Some(number)) => self.may_split_float(left, width, number),
                    (Some(number), None) => self.may_split_float(right, width, number),
                    _ => true,
                }
            }
            _ => true,
        }
    }
}

/// A number of so many bits, signed or not.
fn number(bits: u64, width: u32, is_signed: bool) -> i128 {
    if is_signed { signed(bits, width).into() } else { bits.into() }
}

/// Where comparisons with a number may change, signed ones or not.
fn changes(width: u32, number: u64) -> [u64; 4] {
    let sign = 1u64 << (width - 1);
    [0, sign, number, number.wrapping_add(1) & mask(width)]
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
