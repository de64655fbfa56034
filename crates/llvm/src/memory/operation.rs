//! The border between operations: which one made which accesses, and what they order.

use super::Memory;
use crate::machine::Result;

/// An operation that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its function and its number in it.
    by: (u32, u32),
}

impl Memory<'_> {
    /// The operation at hand begins.
    pub fn begin_operation(&mut self) -> Operation {
        self.is_unordered = false;
        self.history.clear();
        Operation { by: self.position() }
    }

    /// The operation did what it could, whether it came to its end or not.
    pub fn attribute_accesses(&mut self, operation: Operation) {
        self.footprint.made_by(operation.by);
    }

    /// The operation came to its end; `site` is where it stands in the source.
    ///
    /// # Errors
    /// An access races with an earlier one.
    pub fn end_operation(&mut self, site: u32) -> Result<()> {
        self.order_history(site)
    }

    /// Says that the operation failed to get what it tried for: it orders nothing.
    pub fn order_nothing(&mut self) {
        self.is_unordered = true;
    }

    /// Does the operation order nothing, having failed?
    pub fn orders_nothing(&self) -> bool {
        self.is_unordered
    }

    /// The function that runs, and the operation at hand.
    pub(super) fn position(&self) -> (u32, u32) {
        self.thread.frames.last().map_or((0, 0), |frame| (frame.function, frame.pc))
    }
}
