//! Memory that was never set, where nobody asks about that: it has any value, as an input has.
//!
//! The first read settles it: the location gets a symbol, and whoever reads it again gets the
//! same. **Sound for** searches that leave out interleavings: settling is no write that others
//! could notice. Two threads that read one location come to the same state, up to the
//! symbol's name, whoever is first, and whoever writes to it is in the way of the read already.
//! What looks at the symbol, however, chooses among its values, and others may look at it as
//! well. So where others can reach it, settling is a step of its own: in the next one the
//! symbol is an object that all know by the same name.
//!
//! A copy of what was never set cannot be read: it would have to have the value that the
//! original gets. A pointer that was never set leads nowhere.

use super::Machine;
use super::run::Flow;
use super::stop::{Result, Stop};
use crate::code::{Op, ScalarAccess, Src};
use crate::value::{Origin, Value, mask};

impl Machine<'_> {
    /// Settles what an operation is about to read, if that was never set and has any value.
    /// The step ends with it where others can reach it.
    ///
    /// # Errors
    /// The memory may not be read, or it is shared and the step must not end.
    pub(super) fn settle_before(&mut self, op: &Op) -> Result<Option<Flow>> {
        let (pointer, access): (Src, ScalarAccess) = match op {
            Op::Load { pointer, access, .. }
            | Op::ReadModifyWrite { pointer, access, .. }
            | Op::CompareExchange { pointer, access, .. } => (*pointer, *access),
            _ => return Ok(None),
        };
        let pointer = self.value(pointer);
        let Some(origin) = self.memory.unset_at(pointer, access) else { return Ok(None) };
        let is_shared = matches!(origin, Origin::Shared(_));
        if is_shared && self.memory.is_in_section() {
            let why = "shared memory that was never set is read in an atomic section";
            return Err(Stop::refused(why));
        }
        let value = self.any_value(u32::from(access.width));
        self.memory.settle(pointer, access, value)?;
        Ok(is_shared.then_some(Flow::Pause))
    }

    /// A value of `width` bits that was never set.
    pub(super) fn any_value(&mut self, width: u32) -> Value {
        if width <= 1 {
            return Value::number(u64::from(self.choose(2)));
        }
        let number = self.new_input_number();
        self.memory.add_unset(number, mask(width))
    }

    /// A value as it goes to a register: one that was never set gets any now.
    pub(super) fn set_somehow(&mut self, value: Value, width: u32) -> Value {
        match self.options.unset_is_any && value == Value::undefined(width) {
            true => self.any_value(width),
            false => value,
        }
    }
}
