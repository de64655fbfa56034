//! `setjmp` and `longjmp`: functions end at once, up to one that said where to go on.
//!
//! What says that is a variable without a name in the function that called `setjmp`: its
//! address is all that the program's buffer holds, with the place to go on at as an offset,
//! and it ends with the function. So a
//! jump to a function that has returned, or of another thread, is seen as such.

use super::Machine;
use super::stop::{Result, Rule, Stop};
use crate::code::{Op, jump_back};
use crate::memory::{Kind, Object};
use crate::value::Value;

/// What stands for the place to go on at where a function has none.
const NO_PAD: u64 = u32::MAX as u64;

impl Machine<'_> {
    /// The address that names the running call of a function, for a jump back to it.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn jump_point(&mut self) -> Result<Value> {
        let known = self.memory.jump_point_of(self.memory.frames().len() - 1);
        let name = match known {
            Some(known) => known,
            None => {
                let place = self.instr().place;
                self.memory.allocate_in_frame(Object::jump_point(place))?
            }
        };
        let pad = match &self.instr().op {
            Op::Call(call) => call.unwind,
            _ => None,
        };
        Ok(Value { bits: pad.map_or(NO_PAD, u64::from), ..name })
    }

    /// Ends functions up to the one that this address names, which goes on where its call of
    /// `setjmp` ends, with this result.
    ///
    /// # Errors
    /// No function of this thread has the name, or it cannot be followed.
    pub fn jump_back(&mut self, point: Value, result: u64) -> Result<()> {
        if self.options.over_approximates && !point.is_defined() {
            return Err(Stop::refused("a jump goes to a place of which nothing is known"));
        }
        let frames = 0..self.memory.frames().len();
        let is_target = |idx: &usize| {
            self.memory.jump_point_of(*idx).is_some_and(|known| known.base == point.base)
        };
        let target = frames.rev().find(is_target);
        let Some(target) = target else {
            let message = "a jump goes to a call of `setjmp` whose function does not run any more";
            return Err(Stop::error(Rule::MemorySafety, message));
        };
        while self.memory.frames().len() > target + 1 {
            let Some(frame) = self.memory.pop_frame() else { break };
            if self.body(frame.function).is_atomic {
                self.memory.leave_section();
            }
            let is_called_by_us = match &self.instr().op {
                Op::Call(call) => self.called(call).is_some_and(|it| it.body.is_some()),
                _ => false,
            };
            if !is_called_by_us {
                let why = "a jump leaves a function that a library function called";
                return Err(Stop::refused(why));
            }
        }
        let function = self.frame().function;
        let pad = u32::try_from(point.bits).ok();
        let pad = pad.filter(|pad| jump_back::has_pad(&self.body(function).ops, *pad));
        let Some(pad) = pad else {
            let why = "a jump goes back to a function that `setjmp` is not followed in";
            return Err(Stop::refused(why));
        };
        self.goes_back = true;
        let frame = self.frame();
        (frame.pc, frame.phase) = (pad, 0);
        if let Some(to) = jump_back::result_at(&self.instr().op) {
            self.set(to, Value::number(result));
            self.frame().pc = pad + 1;
        }
        Ok(())
    }
}

impl Object {
    fn jump_point(place: u32) -> Object {
        Object::zeroed(Kind::Stack, 1, Object::JUMP_POINT, place)
    }
}
