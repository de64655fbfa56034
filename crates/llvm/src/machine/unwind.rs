//! Unwinding: an exception ends functions up to one that catches it.
//!
//! Nothing in C raises one. In C++ and Rust it is runtime functions that do, whose bodies
//! are not in the program; calling one is refused by its name. So exceptions come from
//! `resume` alone.

use super::Machine;
use super::run::Flow;
use super::stop::{Result, Stop};
use crate::code::Op;
use crate::memory::Ending;
use crate::value::Value;

/// Runtime functions that raise an exception, of C++ and of the Itanium interface.
const RAISING: [&str; 5] = [
    "__cxa_throw",
    "__cxa_rethrow",
    "_Unwind_RaiseException",
    "_Unwind_ForcedUnwind",
    "_Unwind_Resume",
];

/// Parts of the mangled names of Rust's functions that panic.
const PANICKING: [&str; 3] = ["9panicking", "rust_begin_unwind", "rust_start_panic"];

/// Does a function that has no body raise an exception?
pub(super) fn raises(name: &str) -> bool {
    RAISING.contains(&name) || PANICKING.iter().any(|part| name.contains(part))
}

impl Machine<'_> {
    /// Ends functions up to one that was called with a landing pad. One that nobody
    /// catches ends the program.
    ///
    /// # Errors
    /// It comes to a function that the library called.
    pub(super) fn unwind(&mut self, exception: Value) -> Result<Flow> {
        while let Some(frame) = self.memory.pop_frame() {
            if self.body(frame.function).is_atomic {
                self.memory.leave_section();
            }
            let Some(caller) = self.memory.frames().last() else { break };
            let ops = &self.body(caller.function).ops;
            let Op::Call(call) = &ops[caller.pc as usize].op else {
                unreachable!("a frame below another one is at a call");
            };
            if self.called(call).is_none_or(|function| function.body.is_none()) {
                let why = "an exception leaves a function that a library function called";
                return Err(Stop::refused(why));
            }
            let Some(pad) = call.unwind else { continue };
            if crate::code::jump_back::is_pad(&ops[pad as usize].op) {
                return Err(Stop::refused("an exception leaves a function that calls `setjmp`"));
            }
            self.memory.frame_mut().pc = pad;
            // What else is there refuses the exception.
            if let Op::LandingPad { to, selector } = ops[pad as usize].op {
                self.set(to, exception);
                self.set(to + 1, Value::number(u64::from(selector)));
                self.memory.frame_mut().pc = pad + 1;
            }
            return Ok(Flow::Jumped);
        }
        self.abort();
        Ok(Flow::Jumped)
    }

    /// Ends the program at once; that is no error.
    pub fn abort(&mut self) {
        self.memory.end_program();
        self.memory.forget_at_exit();
        self.memory.set_ending(Ending::Program);
        self.exits = true;
        self.memory.abandon_frames();
    }
}
