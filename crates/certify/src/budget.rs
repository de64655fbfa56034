//! Decides when checking must stop: asks the limits every few thousand ticks.

use std::cell::Cell;

use model::Limits;

use crate::rejection::Rejection;

/// Asking the clock on each tick would dominate the cheapest checks.
const TICKS_BETWEEN_LOOKS: u32 = 4096;

/// Limits that are cheap to ask in an inner loop.
pub(crate) struct Budget<'a> {
    limits: &'a Limits,
    ticks: Cell<u32>,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Budget<'a> {
        Budget { limits, ticks: Cell::new(0) }
    }

    /// Counts one small piece of work.
    pub(crate) fn tick(&self) -> Result<(), Rejection> {
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS_BETWEEN_LOOKS) {
            self.limits.check().map_err(Rejection::Stopped)?;
        }
        Ok(())
    }
}
