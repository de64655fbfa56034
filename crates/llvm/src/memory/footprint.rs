//! What a step accessed of the shared store: for reductions, for data races, and for
//! happens-before. Parts of objects are bytes.

use model::Access;

use crate::code::MemoryOrder;

/// What an atomic access orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessOrder {
    /// What it acquires and releases.
    pub order: MemoryOrder,
    /// Is the old value read, in one with what is written?
    pub reads: bool,
}

impl AccessOrder {
    /// Orders all that an access can order.
    pub const ALL: AccessOrder = AccessOrder { order: MemoryOrder::SEQ_CST, reads: true };
}

/// Accesses in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub struct StepFootprint {
    accesses: Vec<Access>,
    orders: Vec<AccessOrder>,
    /// Which operation of which function made each.
    origins: Vec<(u32, u32)>,
}

impl StepFootprint {
    /// The accesses.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.accesses.len()
    }

    /// Has the step accessed nothing that others can see?
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }

    /// Has the step written to the shared store?
    pub fn has_writes(&self) -> bool {
        self.accesses.iter().any(|access| access.is_write)
    }

    /// Has it accessed something atomically?
    pub fn has_atomics(&self) -> bool {
        self.accesses.iter().any(|access| access.is_atomic)
    }

    /// The function and the operation that made the first access like this one.
    pub fn origin_of(&self, access: Access) -> Option<(u32, u32)> {
        let idx = self.accesses.iter().position(|other| *other == access)?;
        self.origins.get(idx).copied()
    }

    /// The function and the operation that made the last access.
    pub fn last_origin(&self) -> Option<(u32, u32)> {
        self.origins.last().copied()
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Forgets all but the first `n` accesses.
    pub(super) fn truncate(&mut self, n: usize) {
        self.accesses.truncate(n);
        self.orders.truncate(n);
        self.origins.truncate(n);
    }

    /// Adds an access; one that is atomic orders all there is to order.
    pub(super) fn add(&mut self, access: Access) {
        self.add_ordered(access, AccessOrder::ALL);
    }

    /// Adds an access that orders so much, if it is atomic.
    pub(super) fn add_ordered(&mut self, access: Access, order: AccessOrder) {
        let last = self.accesses.last().zip(self.orders.last());
        if last != Some((&access, &order)) {
            self.accesses.push(access);
            self.orders.push(order);
        }
    }

    /// Says that the accesses since the last call were made by this operation of this
    /// function.
    pub(super) fn made_by(&mut self, (function, pc): (u32, u32)) {
        self.origins.resize(self.accesses.len(), (function, pc));
    }

    /// The accesses from the one with this number on, with what they order.
    pub(super) fn ordered_from(&self, n: usize) -> impl Iterator<Item = (Access, AccessOrder)> {
        let ordered = self.accesses.iter().copied().zip(self.orders.iter().copied());
        ordered.skip(n)
    }
}
