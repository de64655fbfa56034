//! Runs the beginning of a step alone: where what comes next stops it, and what came before
//! has happened all the same.

use super::Machine;
use super::run::Ran;
use super::stop::Result;

impl Machine<'_> {
    /// How many operations the step came to before the one that stopped it, if others can
    /// see what they did and the step may end behind them.
    pub fn n_before_stop(&self) -> Option<u32> {
        let is_seen = !self.spawned.is_empty() || self.memory.footprint().has_writes();
        // The end of a thread is no operation.
        let n_stopped = u32::from(!self.memory.frames().is_empty());
        let n_before = self.n_executed.saturating_sub(n_stopped);
        (is_seen && !self.memory.is_in_section() && n_before > 0).then_some(n_before)
    }

    /// Runs the thread for the first `n` operations of a step, on the way that the tape
    /// has come.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn run_operations(&mut self, n: u32) -> Result<Ran> {
        self.tape.rewind();
        self.max_executed = n;
        self.run()
    }

    /// Has the step come to its end, though more would be a part of it?
    pub(super) fn has_run_enough(&self) -> bool {
        self.n_executed >= self.max_executed && !self.memory.is_in_section()
    }
}
