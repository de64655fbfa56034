//! New threads take the steps that nobody can see as soon as they exist.
//!
//! Without that, a thread that has just been made and one that is back at the beginning
//! of its loop would be two states, for each thread: five philosophers had five times the
//! states.
//!
//! **Sound**, since what runs here touches registers and private memory of the new thread
//! alone: it commutes with all that others do, and it ends where any step would. What is
//! more than that (a choice, an error, a call of the library, a fence, a way too long) is
//! left to the thread's first own step: then the thread stays at its beginning.

use super::stop::Result;
use super::{Granularity, Machine};
use crate::code::{Instr, Op};

impl Machine<'_> {
    /// Brings the threads that the step has made to just before what others can see.
    pub(super) fn start_spawned(&mut self) {
        if self.options.granularity == Granularity::Operations {
            return;
        }
        for idx in 0..self.spawned.len() {
            let first = self.spawned[idx].clone();
            let before = (self.tape.n_chosen(), self.memory.footprint().len());
            let known = self.memory.known_accesses();
            let (goes_back, n_executed) = (self.goes_back, self.n_executed);
            self.n_executed = 0;
            self.memory.swap_thread(&mut self.spawned[idx]);
            let is_quiet = self.run_quietly().unwrap_or(false);
            self.memory.swap_thread(&mut self.spawned[idx]);
            (self.goes_back, self.n_executed) = (goes_back, n_executed);
            let after = (self.tape.n_chosen(), self.memory.footprint().len());
            if !is_quiet || before != after {
                self.tape.forget_from(before.0);
                self.memory.forget_accesses_from(before.1);
                self.memory.restore_known_accesses(known);
                self.spawned[idx] = first;
            }
        }
    }

    /// Up to just before the next operation that others can see, or that is more than
    /// computing; false if that takes too long.
    fn run_quietly(&mut self) -> Result<bool> {
        while !self.memory.frames().is_empty() {
            let instr = self.instr();
            if self.is_visible(instr) || !self.is_computing(instr) {
                break;
            }
            if !self.run_one(instr)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_computing(&self, instr: &Instr) -> bool {
        match &instr.op {
            Op::Fence(_) => false,
            Op::Call(call) => self.called(call).is_some_and(|function| function.body.is_some()),
            _ => true,
        }
    }
}
