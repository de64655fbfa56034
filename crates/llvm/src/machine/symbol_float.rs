//! Inputs as floats: an integer that was converted is compared with numbers exactly.
//!
//! Larger integers are no smaller floats, whatever is rounded. So a comparison splits the
//! integers where the order changes, in one place or two. Other operations on such floats
//! concretise the input.

use std::cmp::Ordering;

use super::Machine;
use super::arith::float_of;
use super::stop::Result;
use super::symbol::not_followed;
use crate::memory::{Map, View};
use crate::value::{Value, mask};

impl Machine<'_> {
    /// An input as a float.
    ///
    /// # Errors
    /// As [`Machine::concrete`].
    pub(super) fn float_of_symbol(
        &mut self,
        input: Value,
        widths: (u32, u32),
        is_signed: bool,
    ) -> Result<Value> {
        let map = if widths.1 == 32 { Map::Single(is_signed) } else { Map::Double(is_signed) };
        let cuts = [0, if is_signed { 1 << (widths.0 - 1) } else { 0 }];
        let input = match self.unwrapped(input, widths.0, &cuts)? {
            Some(input) => input,
            None => self.concrete(input, widths.0)?,
        };
        if let Some(number) = input.as_number() {
            return Ok(Value::number(map.apply(number, widths.0)));
        }
        match self.memory.add_view(View { parent: input, width: widths.0, map }) {
            Some(float) => Ok(float),
            None => {
                let number = self.concrete(input, widths.0)?;
                let number = number.as_number().ok_or_else(not_followed)?;
                Ok(Value::number(map.apply(number, widths.0)))
            }
        }
    }

    /// How a float compares with another one, a number; `None` if they do not compare.
    ///
    /// # Errors
    /// It is an address.
    pub(super) fn order_of_float(
        &mut self,
        float: Value,
        width: u32,
        number: u64,
    ) -> Result<Option<Ordering>> {
        let number = float_of(number, width);
        let Some(view) = self.as_float(float, width).filter(|_| !number.is_nan()) else {
            let float = self.concrete(float, width)?.as_number().ok_or_else(not_followed)?;
            return Ok(float_of(float, width).partial_cmp(&number));
        };
        let order = order_with(view, width, number);
        let cuts = self.changes(view, &order);
        let answer = |bits| order(bits) as i8 as u64 & mask(8);
        Ok(Some(match self.split(view.parent, view.width, &cuts, answer)? {
            0 => Ordering::Equal,
            1 => Ordering::Greater,
            _ => Ordering::Less,
        }))
    }

    /// May comparing a float with a number split the integers that it comes from?
    pub(super) fn may_split_float(&self, float: Value, width: u32, number: u64) -> bool {
        let number = float_of(number, width);
        let Some(view) = self.as_float(float, width).filter(|_| !number.is_nan()) else {
            return true;
        };
        let order = order_with(view, width, number);
        let ends = self.memory.values(view.parent.base).map(|values| view.shown(values));
        ends.is_none_or(|ends| order(ends.first) != order(ends.last))
    }

    /// The view that a value is, if it is an integer as a float of this width.
    fn as_float(&self, float: Value, width: u32) -> Option<View> {
        let view = self.memory.view(float.base).filter(|_| float.bits == 0)?;
        match view.map {
            Map::Single(_) if width == 32 => Some(view),
            Map::Double(_) if width == 64 => Some(view),
            _ => None,
        }
    }

    /// The integers from which on an order is another one; it rises with them.
    fn changes(&self, view: View, order: &dyn Fn(u64) -> Ordering) -> Vec<u64> {
        let Some(values) = self.memory.values(view.parent.base) else { return Vec::new() };
        let shown = view.shown(values);
        let member = |n: u64| shown.first + n * shown.step;
        let first = |is_there: &dyn Fn(Ordering) -> bool| {
            let (mut from, mut to) = (0, shown.n_behind());
            while from < to {
                let middle = from + (to - from) / 2;
                if is_there(order(member(middle))) { to = middle } else { from = middle + 1 }
            }
            member(from)
        };
        vec![first(&|it| it != Ordering::Less), first(&|it| it == Ordering::Greater)]
    }
}

/// How an integer as a float compares with a number.
fn order_with(view: View, width: u32, number: f64) -> impl Fn(u64) -> Ordering {
    move |bits: u64| {
        let float = float_of(view.map.apply(bits, view.width), width);
        float.partial_cmp(&number).unwrap_or(Ordering::Equal)
    }
}
