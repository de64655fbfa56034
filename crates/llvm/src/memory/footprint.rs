//! What a step accessed of the shared store: for reductions and for data races. Parts of
//! objects are bytes.

use model::Access;

use crate::code::MemoryOrder;

/// The byte of the first thread's object that stands for all addresses; it lies behind
/// whatever an object has.
pub(super) const ADDRESSES: u32 = u32::MAX - 1;

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
    /// Which operation of which function made each.
    origins: Vec<(u32, u32)>,
    /// How many of them are deaths of objects whose address may come again.
    n_deaths: usize,
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

    /// Has it accessed something atomically? A birth is no such access: nobody learns of it.
    pub fn has_atomics(&self) -> bool {
        let is_birth = |access: &Access| access.at == ADDRESSES && !access.is_write;
        self.accesses.iter().any(|access| access.is_atomic && !is_birth(access))
    }

    /// Has an object died whose address may come again?
    pub fn has_deaths(&self) -> bool {
        self.n_deaths > 0
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
        self.n_deaths = self.accesses.iter().filter(|access| is_death(access)).count();
        self.origins.truncate(n);
    }

    /// Adds an access.
    pub(super) fn add(&mut self, access: Access) {
        if self.accesses.last() != Some(&access) {
            self.n_deaths += usize::from(is_death(&access));
            self.accesses.push(access);
        }
    }

    /// Says that the accesses since the last call were made by this operation of this
    /// function.
    pub(super) fn made_by(&mut self, (function, pc): (u32, u32)) {
        self.origins.resize(self.accesses.len(), (function, pc));
    }
}

fn is_death(access: &Access) -> bool {
    access.at == ADDRESSES && access.is_write
}
