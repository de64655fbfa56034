//! What library functions ask of the machine: their arguments as they are now, who
//! runs, and the end of all frames.

use super::Machine;
use super::stop::Result;
use crate::code::Op;
use crate::ir::IntPredicate;
use crate::value::{Origin, Value};

impl Machine<'_> {
    /// An argument of the call that comes next, as it is now: publishing may have
    /// renamed it since the call began.
    pub fn argument(&self, idx: usize) -> Option<Value> {
        let Op::Call(call) = &self.instr().op else { return None };
        call.arguments.get(idx).map(|&src| self.value(src))
    }

    /// Is an argument of the call an address that other threads may know?
    pub fn has_shared_argument(&self) -> bool {
        let Op::Call(call) = &self.instr().op else { return false };
        let is_shared = |value: Value| matches!(value.base.origin(), Origin::Shared(_));
        call.arguments.iter().any(|&src| is_shared(self.value(src)))
    }

    /// Is a value not zero? `None` where that depends on bits that mean nothing.
    ///
    /// # Errors
    /// It cannot be told.
    pub fn is_nonzero(&mut self, value: Value, width: u32) -> Result<Option<bool>> {
        let truth = self.compare(IntPredicate::Ne, width, (value, Value::ZERO))?;
        Ok(truth.as_number().map(|truth| truth != 0))
    }

    /// Ends all functions that run, with their local variables.
    pub fn end_frames(&mut self) {
        while self.memory.pop_frame().is_some() {}
    }
}
