//! Inputs that nobody looks at again: what is computed from one is all that is left of it.
//!
//! Where an operation is the last that reads an input, its result is an input of its own,
//! which may be anything that the operation makes of the other: `x % 10` is any digit, and
//! `x < y` says of `y` only that something is less. That is exact, since nothing else depends
//! on what the input was. So inputs that live shortly leave few states behind.
//!
//! **Sound for** symbols that only this thread can reach, where no live register, no object
//! and nothing else of the thread holds them; views count as holders of what they are of.

use super::Machine;
use super::arith::{is_equality, swapped};
use super::stop::Result;
use crate::code::{Binary, IntOp, Op, Reg};
use crate::ir::IntPredicate;
use crate::memory::{Object, Progression};
use crate::value::{Base, Value, mask};

impl Machine<'_> {
    /// Does the present operation read a symbol that nothing else will look at?
    pub(super) fn is_looked_at_here_only(&self, input: Value) -> bool {
        let Some(to) = self.result_register() else { return false };
        self.spawned.is_empty() && self.memory.is_held_by_operands_only(input.base, to)
    }

    /// Where the result of an operation on registers goes.
    fn result_register(&self) -> Option<Reg> {
        if self.memory.frames().is_empty() {
            return None;
        }
        match &self.instr().op {
            Op::Binary(op) => Some(op.to),
            Op::Compare { to, .. } | Op::Convert { to, .. } => Some(*to),
            _ => None,
        }
    }

    /// An input in place of one that nobody looks at again.
    pub(super) fn replace_input(&mut self, base: Base, image: Progression) -> Value {
        self.forget_input(base);
        if image.is_single() {
            return Value::number(image.first);
        }
        let number = self.new_input_number();
        let is_input = self.memory.object(base.origin()).is_some_and(Object::is_input);
        match is_input {
            true => self.memory.add_symbol_of(number, image),
            false => self.memory.add_unset_of(number, image),
        }
    }

    /// Notes that what happens later does not say which value an input had.
    fn forget_input(&mut self, base: Base) {
        if let Some(log) = &mut self.log {
            let root = self.memory.object(self.memory.root(base).origin());
            log.forgotten.extend(root.and_then(Object::input_number));
        }
    }

    /// An operation on two inputs of which one, or both, are not looked at again; `None`
    /// where that says nothing.
    pub(super) fn forgetful_operation(
        &mut self,
        op: IntOp,
        width: u32,
        operands: (Value, Value),
    ) -> Option<Value> {
        let (left, right) = operands;
        if !matches!(op, IntOp::Add | IntOp::Sub | IntOp::Xor) || self.are_related(left, right) {
            return None;
        }
        let any = Progression::all(0, mask(width));
        let forgotten = [left, right].map(|value| self.is_looked_at_here_only(value));
        for (value, is_forgotten) in [left, right].into_iter().zip(forgotten) {
            // Whatever the other one is, each number is a result of it.
            if is_forgotten && self.memory.values(value.base) == Some(any) {
                return Some(self.replace_input(value.base, any));
            }
        }
        if forgotten != [true, true] || op == IntOp::Xor {
            return None;
        }
        let ((left, n), (right, m)) = (self.interval(left, width)?, self.interval(right, width)?);
        let n_behind = n.checked_add(m).map_or(mask(width), |n| n.min(mask(width)));
        let first = match op {
            IntOp::Add => left.wrapping_add(right),
            _ => left.wrapping_sub(right).wrapping_sub(m),
        };
        self.forget_input(operands.0.base);
        let sum = self.replace_input(operands.1.base, Progression::all(0, n_behind));
        Some(Value { bits: sum.bits.wrapping_add(first) & mask(width), ..sum })
    }

    /// A sum or difference of two inputs that are not looked at again, where overflow is asked
    /// about: there is one that overflows, unless none can, and all others do not.
    ///
    /// # Errors
    /// It overflows.
    pub(super) fn checked_forgetful_sum(
        &mut self,
        op: &Binary,
        left: Value,
        right: Value,
    ) -> Result<Option<Value>> {
        let width = u32::from(op.width);
        let can_follow = matches!(op.op, IntOp::Add | IntOp::Sub)
            && !self.are_related(left, right)
            && self.is_looked_at_here_only(left)
            && self.is_looked_at_here_only(right);
        if !can_follow {
            return Ok(None);
        }
        let cuts = [0, 1 << (width - 1)];
        let Some(left) = self.unwrapped(left, width, &cuts)? else { return Ok(None) };
        let Some(right) = self.unwrapped(right, width, &cuts)? else { return Ok(None) };
        if left.as_number().is_some() || right.as_number().is_some() {
            return self.binary(op, left, right).map(Some);
        }
        let Some((a, b)) = self.shown_range(left, width, true) else { return Ok(None) };
        let Some((c, d)) = self.shown_range(right, width, true) else { return Ok(None) };
        let (least, greatest) = if op.op == IntOp::Add { (a + c, b + d) } else { (a - d, b - c) };
        let (low, high) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        let is_safe = least >= low && greatest <= high;
        if !is_safe && (least > high || greatest < low || self.choose(2) == 1) {
            let (one, other) = if least < low { (a, c) } else { (b, d) };
            let other = if op.op == IntOp::Add { other } else { c + d - other };
            let bits = |number: i128| number as u64 & mask(width);
            return self.on_numbers(op, bits(one), bits(other)).map(|it| Some(Value::number(it)));
        }
        if self.interval(left, width).is_none() || self.interval(right, width).is_none() {
            return Ok(None);
        }
        let (first, last) = (least.max(low), greatest.min(high));
        self.forget_input(left.base);
        let sum = self.replace_input(right.base, Progression::all(0, (last - first) as u64));
        Ok(Some(Value { bits: sum.bits.wrapping_add(first as u64) & mask(width), ..sum }))
    }

    /// Are two values computed from one input?
    pub(super) fn are_related(&self, left: Value, right: Value) -> bool {
        self.memory.root(left.base) == self.memory.root(right.base)
    }

    /// The first number that a value shows, and how many come behind it, modulo two to the
    /// width; `None` if it leaves out some of them.
    fn interval(&self, value: Value, width: u32) -> Option<(u64, u64)> {
        let set = self.memory.values(value.base)?;
        let is_whole = set.step == 1 && self.memory.is_regular(value.base);
        let first = set.first.wrapping_add(value.bits) & mask(width);
        (is_whole && set.length() <= mask(width)).then_some((first, set.length()))
    }

    /// Compares two inputs of which one is not looked at again: splits the other one by what
    /// it may be where the comparison holds, and where it does not. `None` where that
    /// cannot be said.
    ///
    /// # Errors
    /// As [`Machine::compare`].
    pub(super) fn compare_with_forgotten(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        (left, right): (Value, Value),
    ) -> Result<Option<bool>> {
        if self.are_related(left, right) {
            return Ok(None);
        }
        let (predicate, kept, other) = if self.is_looked_at_here_only(right) {
            (predicate, left, right)
        } else if self.is_looked_at_here_only(left) {
            (swapped(predicate), right, left)
        } else {
            return Ok(None);
        };
        let sign = 1u64 << (width - 1);
        let cuts = if is_signed(predicate) { [0, sign] } else { [0, 0] };
        let Some(kept) = self.unwrapped(kept, width, &cuts)? else { return Ok(None) };
        let Some(other) = self.unwrapped(other, width, &cuts)? else { return Ok(None) };
        if kept.as_number().is_some() || other.as_number().is_some() {
            let truth = self.compare(predicate, width, (kept, other))?;
            return Ok(truth.as_number().map(|truth| truth != 0));
        }
        Ok(self.split_by_forgotten(predicate, width, (kept, other)))
    }

    /// Splits `kept` where `other` may be anything that it shows; neither wraps around.
    fn split_by_forgotten(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        (kept, other): (Value, Value),
    ) -> Option<bool> {
        let is_signed = is_signed(predicate);
        if is_equality(predicate) && self.interval(other, width).is_none() {
            return None;
        }
        let (least, greatest) = self.shown_range(kept, width, is_signed)?;
        let range = self.shown_range(other, width, is_signed)?;
        let set = self.memory.values(kept.base)?;
        let part = |(from, to): (i128, i128)| {
            let (from, to) = (from.max(least) - least, to.min(greatest) - least);
            let part =
                (from <= to).then(|| set.within(set.first + from as u64, set.first + to as u64));
            part.flatten().filter(|&part| self.memory.root_part(kept.base, part).is_some())
        };
        let (if_true, if_false) = solutions(predicate, range);
        let ways = [(part(if_true), true), (part(if_false), false)];
        let ways: Vec<(Progression, bool)> =
            ways.into_iter().filter_map(|(part, truth)| Some((part?, truth))).collect();
        self.memory.depend_on_symbol(kept.base);
        self.forget_input(other.base);
        let (part, truth) = ways[self.choose(ways.len() as u32) as usize];
        if part != set {
            self.memory.narrow(kept.base, part);
        }
        Some(truth)
    }
}

/// Which numbers compare so with some number of a range that has more than one, and which
/// do not compare so with some number of it.
fn solutions(predicate: IntPredicate, range: (i128, i128)) -> ((i128, i128), (i128, i128)) {
    use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let (least, greatest) = range;
    let (low, high) = (i128::MIN / 2, i128::MAX / 2);
    match predicate {
        Eq => (range, (low, high)),
        Ne => ((low, high), range),
        Ult | Slt => ((low, greatest - 1), (least, high)),
        Ule | Sle => ((low, greatest), (least + 1, high)),
        Ugt | Sgt => ((least + 1, high), (low, greatest)),
        Uge | Sge => ((least, high), (low, greatest - 1)),
    }
}

fn is_signed(predicate: IntPredicate) -> bool {
    use IntPredicate::{Sge, Sgt, Sle, Slt};
    matches!(predicate, Sgt | Sge | Slt | Sle)
}
