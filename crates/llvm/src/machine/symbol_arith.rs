//! Arithmetic on inputs: an operation with a number makes a value of its own.
//!
//! A sum is the input with another offset. A product, a quotient and a complement are *views*
//! (`crate::memory::Map`), as long as they do not wrap around within the set: where they do, the
//! set is split there. A remainder, and bits that are taken out, split a set so that each part
//! has one answer, or one distance from the input.
//!
//! **Exact** wherever a value is given; `None` says that an input must be concretised.

use super::Machine;
use super::arith::overflows;
use super::stop::Result;
use super::symbol::FEW;
use crate::code::{Binary, IntOp};
use crate::memory::{Map, Progression, View};
use crate::value::{Value, mask, signed};

impl Machine<'_> {
    /// An operation on two values of which one is an input at least; `None` where that must
    /// be concretised.
    ///
    /// # Errors
    /// The operation breaks a rule for some of the inputs.
    pub(super) fn symbol_operation(
        &mut self,
        op: &Binary,
        left: Value,
        right: Value,
    ) -> Result<Option<Value>> {
        if let Some(sum) = self.symbol_sum(op, left, right)? {
            return Ok(Some(sum));
        }
        let is_symbol = |value: Value| self.memory.range(value.base).is_some();
        match (left.as_number(), right.as_number()) {
            (None, Some(number)) if is_symbol(left) => self.symbol_and_number(op, left, number),
            (Some(number), None) if is_symbol(right) => match op.op {
                IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor => {
                    self.symbol_and_number(op, right, number)
                }
                IntOp::Sub => self.number_minus_symbol(op, number, right),
                _ => Ok(None),
            },
            (None, None) if is_symbol(left) && is_symbol(right) => {
                self.symbols_operation(op, left, right)
            }
            _ => Ok(None),
        }
    }

    /// An operation on two inputs.
    fn symbols_operation(
        &mut self,
        op: &Binary,
        left: Value,
        right: Value,
    ) -> Result<Option<Value>> {
        let width = u32::from(op.width);
        let is_checked = self.options.checks_overflow && op.no_signed_wrap;
        if left == right {
            match op.op {
                IntOp::Sub | IntOp::Xor => return Ok(Some(Value::ZERO)),
                IntOp::And | IntOp::Or => return Ok(Some(left)),
                IntOp::Add if !is_checked => return self.times(left, width, 2),
                _ => {}
            }
        }
        if left.base == right.base && op.op == IntOp::Sub && !is_checked {
            let bits = left.bits.wrapping_sub(right.bits) & mask(width);
            return Ok(Some(Value::number(bits)));
        }
        if is_checked {
            return self.checked_forgetful_sum(op, left, right);
        }
        Ok(self.forgetful_operation(op.op, width, (left, right)))
    }

    /// An operation on an input and a number; `None` where it cannot be followed.
    pub(super) fn symbol_and_number(
        &mut self,
        op: &Binary,
        input: Value,
        number: u64,
    ) -> Result<Option<Value>> {
        let width = u32::from(op.width);
        let is_shift = matches!(op.op, IntOp::Shl | IntOp::LShr | IntOp::AShr);
        if is_shift && (number == 0 || number >= u64::from(width)) {
            return Ok((number == 0).then_some(input));
        }
        if number == 0 && !matches!(op.op, IntOp::Or | IntOp::Xor) {
            let is_zero = matches!(op.op, IntOp::And | IntOp::Mul);
            return Ok(is_zero.then_some(Value::ZERO));
        }
        match op.op {
            IntOp::Mul => self.product(op, input, (number, signed(number, width).into())),
            IntOp::Shl => self.product(op, input, (1 << number, 1 << number)),
            IntOp::UDiv => self.computed(input, width, Map::Over(number)),
            IntOp::LShr => self.computed(input, width, Map::Over(1 << number)),
            IntOp::AShr => self.arithmetic_shift(input, width, number),
            IntOp::URem => self.remainder(input, width, number),
            IntOp::SDiv | IntOp::SRem => self.signed_division(op, input, number),
            IntOp::And => self.bits_in(input, width, number),
            IntOp::Or => self.bits_set(input, width, number),
            IntOp::Xor if number == mask(width) => self.computed(input, width, Map::Complement),
            IntOp::Xor => {
                let fixed = self.fixed_bits(input, width, number)?;
                Ok(fixed.map(|(input, set)| {
                    moved(input, width, number.wrapping_sub(set.wrapping_mul(2)))
                }))
            }
            IntOp::Add | IntOp::Sub => Ok(None),
        }
    }

    /// A number minus an input.
    pub(super) fn number_minus_symbol(
        &mut self,
        op: &Binary,
        number: u64,
        input: Value,
    ) -> Result<Option<Value>> {
        let (width, all) = (u32::from(op.width), mask(op.width.into()));
        if self.options.checks_overflow && op.no_signed_wrap {
            let sign = 1u64 << (width - 1);
            let cuts = [sign, number.wrapping_add(sign).wrapping_add(1) & all];
            let answer = |bits| u64::from(overflows(op.op, width, number, bits));
            if self.split(input, width, &cuts, answer)? != 0 {
                let bits = self.some_number(input, width);
                return self.on_numbers(op, number, bits).map(|bits| Some(Value::number(bits)));
            }
        }
        let turned = self.computed(input, width, Map::Complement)?;
        Ok(turned.map(|turned| moved(turned, width, number.wrapping_add(1))))
    }

    /// What a map makes of an input, which is split where it wraps around at this width.
    fn computed(&mut self, input: Value, width: u32, map: Map) -> Result<Option<Value>> {
        let Some(input) = self.unwrapped(input, width, &[0])? else { return Ok(None) };
        let Some(shown) = self.shown(input, width) else {
            return Ok(input.as_number().map(|bits| Value::number(map.apply(bits, width))));
        };
        if shown.is_single() {
            return Ok(Some(Value::number(map.apply(shown.first, width))));
        }
        self.memory.depend_on_symbol(input.base);
        let is_regular = map.is_regular_on(shown) && self.memory.is_regular(input.base);
        if is_regular && self.is_looked_at_here_only(input) {
            return Ok(Some(self.replace_input(input.base, map.image(shown, width))));
        }
        Ok(self.memory.add_view(View { parent: input, width, map }))
    }

    /// The same value where its symbol does not wrap around, nor pass another of `cuts`;
    /// a number, where only one is left. `None` for some bits of a wide input.
    pub(super) fn unwrapped(
        &mut self,
        input: Value,
        width: u32,
        cuts: &[u64],
    ) -> Result<Option<Value>> {
        let input = self.memory.settled(input, width);
        let Some(set) = self.memory.values(input.base) else { return Ok(Some(input)) };
        if set.length() > mask(width) {
            return self.lowest_bits(input, width);
        }
        let place = |bits: u64| cuts.iter().filter(|&&cut| cut <= bits).count() as u64;
        self.split(input, width, cuts, place)?;
        Ok(Some(self.memory.settled(input, width)))
    }

    /// A value that shows the lowest bits of a wide input: what they are, as far as that
    /// has an answer.
    fn lowest_bits(&mut self, input: Value, width: u32) -> Result<Option<Value>> {
        Ok(match self.any_lowest_bits(input, width) {
            None if mask(width) < FEW => Some(self.concrete(input, width)?),
            bits => bits,
        })
    }

    /// The same for a value that nobody looks at again, and that is wide enough to have any
    /// lowest bits.
    pub(super) fn any_lowest_bits(&mut self, input: Value, width: u32) -> Option<Value> {
        let set = self.memory.values(input.base)?;
        let is_wide = set.step % 2 == 1 && set.n_behind() >= mask(width);
        let has_all = is_wide && self.memory.is_regular(input.base);
        (has_all && self.is_looked_at_here_only(input))
            .then(|| self.replace_input(input.base, Progression::all(0, mask(width))))
    }

    /// The numbers that a value shows; it does not wrap around.
    fn shown(&self, input: Value, width: u32) -> Option<Progression> {
        let view = View { parent: input, width, map: Map::Complement };
        self.memory.values(input.base).map(|values| view.shown(values))
    }

    /// One of the numbers that a value may be.
    pub(super) fn some_number(&self, input: Value, width: u32) -> u64 {
        let first = self.memory.range(input.base).map_or(0, |(first, _)| first);
        first.wrapping_add(input.bits) & mask(width)
    }

    /// The opposite of an input.
    fn opposite(&mut self, input: Value, width: u32) -> Result<Option<Value>> {
        let turned = self.computed(input, width, Map::Complement)?;
        Ok(turned.map(|turned| moved(turned, width, 1)))
    }

    /// An input times a number, which is also given as a signed one.
    fn product(
        &mut self,
        op: &Binary,
        input: Value,
        (number, factor): (u64, i128),
    ) -> Result<Option<Value>> {
        let width = u32::from(op.width);
        if self.options.checks_overflow && op.no_signed_wrap && number > 1 {
            let (cuts, fits) = fitting(factor, width);
            let answer = |bits| u64::from(!fits.contains(&i128::from(signed(bits, width))));
            if self.split(input, width, &cuts, answer)? != 0 {
                let bits = self.some_number(input, width);
                let by = if op.op == IntOp::Shl { number.ilog2().into() } else { number };
                return self.on_numbers(op, bits, by).map(|bits| Some(Value::number(bits)));
            }
        }
        let opposite = 0u64.wrapping_sub(number) & mask(width);
        match opposite < number {
            true => match self.times(input, width, opposite)? {
                Some(product) if product.as_number().is_none() => self.opposite(product, width),
                product => {
                    Ok(product.map(|it| Value::number(0u64.wrapping_sub(it.bits) & mask(width))))
                }
            },
            false => self.times(input, width, number),
        }
    }

    /// An input times a number, split where that wraps around.
    fn times(&mut self, input: Value, width: u32, factor: u64) -> Result<Option<Value>> {
        let Some(input) = self.unwrapped(input, width, &[0])? else { return Ok(None) };
        let Some(shown) = self.shown(input, width) else {
            return Ok(input
                .as_number()
                .map(|bits| Value::number(bits.wrapping_mul(factor) & mask(width))));
        };
        if factor == 1 {
            return Ok(Some(input));
        }
        let turns = |bits: u64| (u128::from(bits) * u128::from(factor)) >> width;
        let n_turns = turns(shown.last) - turns(shown.first);
        if n_turns >= u128::from(FEW) {
            return Ok(self.times_anything(input, width, (shown, factor)));
        }
        let start = |turn: u128| ((turn << width).div_ceil(factor.into())) as u64;
        let cuts: Vec<u64> = (1..=n_turns).map(|n| start(turns(shown.first) + n)).collect();
        self.split(input, width, &cuts, |bits| (turns(bits) - turns(shown.first)) as u64)?;
        self.computed(input, width, Map::Times(factor))
    }

    /// A product of an input that is any number and that nobody looks at again: any
    /// multiple of what is even in the factor.
    fn times_anything(
        &mut self,
        input: Value,
        width: u32,
        (shown, factor): (Progression, u64),
    ) -> Option<Value> {
        let is_anything = shown == Progression::all(0, mask(width));
        let step = 1 << factor.trailing_zeros();
        let multiples = Progression { first: 0, last: mask(width) - (step - 1), step };
        (is_anything && self.is_looked_at_here_only(input))
            .then(|| self.replace_input(input.base, multiples))
    }

    /// A shift to the right that keeps the sign.
    fn arithmetic_shift(&mut self, input: Value, width: u32, by: u64) -> Result<Option<Value>> {
        let sign = 1u64 << (width - 1);
        let Some(input) = self.unwrapped(input, width, &[0, sign])? else { return Ok(None) };
        let is_negative = self.some_number(input, width) >= sign;
        let upper = if is_negative { mask(width) & !(mask(width) >> by) } else { 0 };
        let quotient = self.computed(input, width, Map::Over(1 << by))?;
        Ok(quotient.map(|quotient| moved(quotient, width, upper)))
    }

    /// The remainder of an unsigned division.
    fn remainder(&mut self, input: Value, width: u32, by: u64) -> Result<Option<Value>> {
        let Some(input) = self.unwrapped(input, width, &[0])? else { return Ok(None) };
        let Some(shown) = self.shown(input, width) else {
            return Ok(input.as_number().map(|bits| Value::number(bits % by)));
        };
        let is_whole = shown.step == 1 && self.memory.is_regular(input.base);
        let has_all = is_whole && shown.length() >= by - 1 && shown.last >= by;
        if has_all && self.is_looked_at_here_only(input) {
            self.memory.depend_on_symbol(input.base);
            return Ok(Some(self.replace_input(input.base, Progression::all(0, by - 1))));
        }
        let turns = shown.last / by - shown.first / by;
        let n_classes = by / greatest_divisor(by, shown.step);
        let has_classes = n_classes <= FEW && self.memory.keeps_distances(input.base);
        if has_classes && n_classes <= turns {
            let class = self.choose_shown(input, (width, shown), n_classes);
            return Ok(class.map(|class| Value::number(class.first % by)));
        }
        if turns >= FEW {
            return Ok(None);
        }
        let from = shown.first / by;
        let cuts: Vec<u64> = (1..=turns).map(|n| (from + n) * by).collect();
        let turn = from + self.split(input, width, &cuts, |bits| bits / by - from)?;
        Ok(Some(self.memory.settled(moved(input, width, 0u64.wrapping_sub(turn * by)), width)))
    }

    /// Goes on with every `n`-th of the numbers that a value shows, if that can be followed.
    fn choose_shown(
        &mut self,
        input: Value,
        (width, shown): (u32, Progression),
        n: u64,
    ) -> Option<Progression> {
        if !self.memory.keeps_distances(input.base) {
            return None;
        }
        let set = self.memory.values(input.base)?;
        self.memory.depend_on_symbol(input.base);
        let class = self.choose_remainder(input.base, set, n)?;
        let first = class.first.wrapping_add(input.bits) & mask(width);
        Some(Progression { first, ..shown })
    }

    /// A signed quotient or remainder.
    fn signed_division(&mut self, op: &Binary, input: Value, by: u64) -> Result<Option<Value>> {
        let width = u32::from(op.width);
        let sign = 1u64 << (width - 1);
        let is_by_negative = by >= sign;
        let size = if is_by_negative { 0u64.wrapping_sub(by) & mask(width) } else { by };
        let cuts = [0, sign, sign.wrapping_add(1) & mask(width)];
        let Some(input) = self.unwrapped(input, width, &cuts)? else { return Ok(None) };
        let first = self.some_number(input, width);
        if first == sign || input.as_number().is_some() {
            // The least number has no opposite.
            return self
                .on_numbers(op, input.as_number().unwrap_or(first), by)
                .map(|bits| Some(Value::number(bits)));
        }
        let is_negative = first > sign;
        let magnitude = if is_negative { self.opposite(input, width)? } else { Some(input) };
        let Some(magnitude) = magnitude else { return Ok(None) };
        let result = match op.op {
            IntOp::SDiv => self.computed(magnitude, width, Map::Over(size))?,
            _ => self.remainder(magnitude, width, size)?,
        };
        let turns = is_negative ^ (op.op == IntOp::SDiv && is_by_negative);
        match result {
            Some(result) if turns && result.as_number().is_none() => self.opposite(result, width),
            Some(result) if turns => {
                Ok(Some(Value::number(0u64.wrapping_sub(result.bits) & mask(width))))
            }
            result => Ok(result),
        }
    }

    /// The bits of an input that are set in a number.
    fn bits_in(&mut self, input: Value, width: u32, number: u64) -> Result<Option<Value>> {
        let (low, n_bits) = (number.trailing_zeros(), 64 - number.leading_zeros());
        if (number >> low) != mask(n_bits - low) {
            let fixed = self.fixed_bits(input, width, number)?;
            return Ok(fixed.map(|(_, set)| Value::number(set)));
        }
        let lower = match n_bits < width {
            true => self.remainder(input, width, 1 << n_bits)?,
            false => Some(input),
        };
        let Some(lower) = lower.filter(|_| low > 0) else { return Ok(lower) };
        let Some(part) = self.computed(lower, width, Map::Over(1 << low))? else { return Ok(None) };
        self.computed(part, width, Map::Times(1 << low))
    }

    /// An input with the bits of a number set.
    fn bits_set(&mut self, input: Value, width: u32, number: u64) -> Result<Option<Value>> {
        let others = mask(width) & !number;
        let is_one_end =
            number & number.wrapping_add(1) == 0 || others & others.wrapping_add(1) == 0;
        if others == 0 {
            return Ok(Some(Value::number(number)));
        }
        if is_one_end && number != 0 {
            let rest = self.bits_in(input, width, others)?;
            return Ok(rest.map(|rest| moved(rest, width, number)));
        }
        let fixed = self.fixed_bits(input, width, number)?;
        Ok(fixed.map(|(input, set)| moved(input, width, number - set)))
    }

    /// Splits an input until those of its bits are known that are set in a number; gives what
    /// is left of it, and these bits.
    fn fixed_bits(
        &mut self,
        input: Value,
        width: u32,
        number: u64,
    ) -> Result<Option<(Value, u64)>> {
        if number == 0 {
            return Ok(Some((input, 0)));
        }
        let Some(input) = self.unwrapped(input, width, &[0])? else { return Ok(None) };
        let Some(shown) = self.shown(input, width) else {
            return Ok(input.as_number().map(|bits| (input, bits & number)));
        };
        let (low, n_bits) = (number.trailing_zeros(), 64 - number.leading_zeros());
        let n_turns = (shown.last >> low) - (shown.first >> low);
        if n_turns < FEW {
            let from = shown.first >> low;
            let cuts: Vec<u64> = (1..=n_turns).map(|n| (from + n) << low).collect();
            let turn = from + self.split(input, width, &cuts, |bits| (bits >> low) - from)?;
            return Ok(Some((self.memory.settled(input, width), turn << low & number)));
        }
        if n_bits > FEW.ilog2() {
            return Ok(None);
        }
        let n_classes = (1u64 << n_bits) >> shown.step.trailing_zeros().min(n_bits);
        let class = self.choose_shown(input, (width, shown), n_classes);
        Ok(class.map(|class| (self.memory.settled(input, width), class.first & number)))
    }
}

/// A value with a number added to it.
fn moved(value: Value, width: u32, by: u64) -> Value {
    Value { bits: value.bits.wrapping_add(by) & mask(width), ..value }
}

/// Where signed numbers times a factor begin or cease to overflow, and which do not.
fn fitting(factor: i128, width: u32) -> ([u64; 4], std::ops::RangeInclusive<i128>) {
    let (least, greatest) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let (low, high) = if factor > 0 { (least, greatest) } else { (greatest, least) };
    // Rounded towards zero, where the numbers are that fit.
    let fits = low / factor..=high / factor;
    let all = mask(width);
    let cuts = [0, 1 << (width - 1), *fits.start() as u64 & all, (*fits.end() + 1) as u64 & all];
    (cuts, fits)
}

fn greatest_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
