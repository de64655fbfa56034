//! Atomic updates: what `atomicrmw` and `cmpxchg` compute.

use super::Machine;
use super::stop::{Result, Rule, Stop};
use crate::code::{Binary, IntOp, MemoryOrder, ScalarAccess, Src};
use crate::ir::{IntPredicate, RmwOp};
use crate::value::{Value, mask};

impl Machine<'_> {
    /// Reads, computes and writes at once; gives the old value.
    ///
    /// # Errors
    /// The memory may not be accessed, or the new value is not known.
    pub(crate) fn read_modify_write(
        &mut self,
        op: RmwOp,
        pointer: Value,
        operand: Value,
        access: ScalarAccess,
    ) -> Result<Value> {
        let update = self.memory.begin_update(pointer, access)?;
        let old = update.old();
        let new = match op {
            RmwOp::Xchg => operand,
            _ => self.modified(op, u32::from(access.width), old, operand)?,
        };
        self.memory.complete(update, new);
        Ok(old)
    }

    fn modified(&mut self, op: RmwOp, width: u32, old: Value, operand: Value) -> Result<Value> {
        let arithmetic = |op| Binary {
            op,
            width: width as u8,
            to: 0,
            operands: (Src::Reg(0), Src::Reg(0)),
            no_signed_wrap: false,
            no_unsigned_wrap: false,
        };
        let greater = |machine: &mut Self, predicate| {
            let is_left = machine.compare(predicate, width, (old, operand))?;
            machine.select(is_left, (old, operand))
        };
        match op {
            RmwOp::Add => self.binary(&arithmetic(IntOp::Add), old, operand),
            RmwOp::Sub => self.binary(&arithmetic(IntOp::Sub), old, operand),
            RmwOp::And => self.binary(&arithmetic(IntOp::And), old, operand),
            RmwOp::Or => self.binary(&arithmetic(IntOp::Or), old, operand),
            RmwOp::Xor => self.binary(&arithmetic(IntOp::Xor), old, operand),
            RmwOp::Nand => {
                let both = self.binary(&arithmetic(IntOp::And), old, operand)?;
                self.binary(&arithmetic(IntOp::Xor), both, Value::number(mask(width)))
            }
            RmwOp::Max => greater(self, IntPredicate::Sgt),
            RmwOp::Min => greater(self, IntPredicate::Slt),
            RmwOp::UMax => greater(self, IntPredicate::Ugt),
            RmwOp::UMin => greater(self, IntPredicate::Ult),
            _ => Err(Stop::refused(format!("`atomicrmw` with {op:?}"))),
        }
    }

    /// Compares and writes at once; gives the old value and whether it was equal. If it
    /// was not, the read is one of the order `on_failure`.
    ///
    /// # Errors
    /// The memory may not be accessed, or the values cannot be compared.
    pub(crate) fn compare_exchange(
        &mut self,
        pointer: Value,
        values: (Value, Value),
        (access, on_failure): (ScalarAccess, MemoryOrder),
    ) -> Result<(Value, bool)> {
        let update = self.memory.begin_exchange(pointer, access, on_failure)?;
        let old = update.old();
        let equal = self.compare(IntPredicate::Eq, u32::from(access.width), (old, values.0))?;
        let is_open = self.options.over_approximates && !equal.is_defined();
        let equal = if is_open { Value::number(u64::from(self.choose(2))) } else { equal };
        let Some(equal) = equal.as_number() else {
            let message = "a value that was never set is compared";
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        };
        if equal != 0 {
            self.memory.complete(update, values.1);
        }
        Ok((old, equal != 0))
    }
}
