//! The set R: thread states that were reached, each with the number of threads that
//! first did.

use super::states::RowId;
use super::table::{Local, Shared};

/// A thread state, and how it was reached first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// The shared store.
    pub shared: Shared,
    /// The local store.
    pub local: Local,
    /// The number of threads.
    pub n_threads: u32,
    /// How it is reached.
    pub how: How,
}

/// How a thread state is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A thread of this state is there.
    In(RowId),
    /// One more thread than this state has is there, which did nothing so far.
    Idle(RowId),
    /// A run with this number leads there.
    Run(u32),
}

/// The set.
#[derive(Clone, Default)]
pub struct Reached {
    /// By shared store, one bit for each local store.
    bits: Vec<Vec<u64>>,
    all: Vec<First>,
}

impl Reached {
    /// Adds a thread state; false if it was there.
    pub fn add(&mut self, first: First) -> bool {
        let is_new = self.mark(first.shared, first.local);
        if is_new {
            self.all.push(first);
        }
        is_new
    }

    /// Notes that a thread state is there, and not how; false if it was.
    pub fn mark(&mut self, shared: Shared, local: Local) -> bool {
        let (shared, local) = (shared as usize, local as usize);
        if self.bits.len() <= shared {
            self.bits.resize_with(shared + 1, Vec::new);
        }
        let bits = &mut self.bits[shared];
        if bits.len() <= local / 64 {
            bits.resize(local / 64 + 1, 0);
        }
        let bit = 1 << (local % 64);
        if bits[local / 64] & bit != 0 {
            return false;
        }
        bits[local / 64] |= bit;
        true
    }

    /// Is a thread state in it?
    pub fn contains(&self, shared: Shared, local: Local) -> bool {
        let bits = self.bits.get(shared as usize).and_then(|bits| bits.get(local as usize / 64));
        bits.is_some_and(|bits| bits & 1 << (local % 64) != 0)
    }

    /// All of them, in the order in which they were reached.
    pub fn all(&self) -> &[First] {
        &self.all
    }

    /// How many there are.
    pub fn n_reached(&self) -> usize {
        self.all.len()
    }

    /// The local stores that are reached with `shared`, ascending.
    pub fn locals(&self, shared: Shared) -> Vec<Local> {
        self.missing(shared, None)
    }

    /// The local stores that are reached with `shared` but not with `other`, ascending.
    pub fn lost(&self, shared: Shared, other: Shared) -> Vec<Local> {
        self.missing(shared, Some(other))
    }

    fn missing(&self, shared: Shared, other: Option<Shared>) -> Vec<Local> {
        let none: &[u64] = &[];
        let of = |shared: Shared| self.bits.get(shared as usize).map_or(none, Vec::as_slice);
        let without = other.map_or(none, of);
        let mut locals = Vec::new();
        for (idx, &word) in of(shared).iter().enumerate() {
            let mut left = word & !without.get(idx).copied().unwrap_or(0);
            while left != 0 {
                locals.push(idx as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        locals
    }
}
