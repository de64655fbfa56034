//! Atomic updates: reading and writing one location in one action.
//!
//! An update is begun by reading, computed by the caller, who may have to settle inputs
//! for that, and completed by writing; or it is dropped, and then it was a read. Between
//! the two no other thread acts, so a memory model sees one action that reads the newest
//! value and writes next to it.

use super::Memory;
use super::access::{AccessMode, Location};
use super::footprint::AccessOrder;
use crate::code::{MemoryOrder, ScalarAccess};
use crate::machine::Result;
use crate::value::Value;

/// An atomic update that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Update {
    location: Location,
    old: Value,
    /// What is still to be recorded when it is completed.
    mode: Option<AccessMode>,
}

impl Update {
    /// The value that was read.
    pub fn old(&self) -> Value {
        self.old
    }
}

impl Memory<'_> {
    /// Begins an update that is sure to be completed.
    ///
    /// # Errors
    /// The location may not be accessed.
    pub fn begin_update(&mut self, pointer: Value, access: ScalarAccess) -> Result<Update> {
        self.read_for_update(pointer, access, (update_mode(true, access.order), None))
    }

    /// Begins an update that writes only if the value read is the expected one; if it is
    /// dropped, it was a read of the order `on_failure`.
    ///
    /// # Errors
    /// The location may not be accessed.
    pub fn begin_exchange(
        &mut self,
        pointer: Value,
        access: ScalarAccess,
        on_failure: MemoryOrder,
    ) -> Result<Update> {
        let success = update_mode(true, access.order);
        self.read_for_update(pointer, access, (update_mode(false, on_failure), Some(success)))
    }

    fn read_for_update(
        &mut self,
        pointer: Value,
        access: ScalarAccess,
        (first, then): (AccessMode, Option<AccessMode>),
    ) -> Result<Update> {
        let location = self.locate(pointer, u64::from(access.bytes), first)?;
        let old = self.read_at(location, u32::from(access.width))?;
        Ok(Update { location, old, mode: then })
    }

    /// Writes the new value. The old one may have been an input that computing the new one
    /// has settled.
    pub fn complete(&mut self, update: Update, new: Value) {
        if let Some(mode) = update.mode {
            self.record(update.location, mode);
        }
        self.write_at(update.location, new);
    }
}

fn update_mode(is_write: bool, order: MemoryOrder) -> AccessMode {
    let order = AccessOrder { order, reads: true };
    AccessMode { is_write, is_atomic: true, order }
}
