//! What a step touched of the shared store: for reductions and for data races. Parts
//! of objects are bytes.

use crate::code::Order;

pub use model::Access as Touch;

/// What an atomic access orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// What it acquires and releases.
    pub order: Order,
    /// Is the old value read, in one with what is written?
    pub reads: bool,
}

/// Accesses in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    touches: Vec<Touch>,
    strengths: Vec<Strength>,
    /// Which operation of which function made each.
    origins: Vec<(u32, u32)>,
}

impl Touched {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.strengths.clear();
        self.origins.clear();
    }

    /// Adds an access; one that is atomic orders all there is to order.
    pub fn add(&mut self, touch: Touch) {
        self.add_with(touch, Strength { order: Order::TOTAL, reads: true });
    }

    /// Adds an access of this strength.
    pub fn add_with(&mut self, touch: Touch, strength: Strength) {
        let last = self.touches.last().zip(self.strengths.last());
        if last != Some((&touch, &strength)) {
            self.touches.push(touch);
            self.strengths.push(strength);
        }
    }

    /// Forgets all but the first `n` accesses.
    pub fn truncate(&mut self, n: usize) {
        self.touches.truncate(n);
        self.strengths.truncate(n);
        self.origins.truncate(n);
    }

    /// Says that the accesses since the last call were made by this operation of this
    /// function.
    pub fn made_by(&mut self, function: u32, pc: u32) {
        self.origins.resize(self.touches.len(), (function, pc));
    }

    /// The function and the operation that made the first access like this one.
    pub fn origin_of(&self, touch: Touch) -> Option<(u32, u32)> {
        let idx = self.touches.iter().position(|other| *other == touch)?;
        self.origins.get(idx).copied()
    }

    /// The function and the operation that made the last access.
    pub fn last_origin(&self) -> Option<(u32, u32)> {
        self.origins.last().copied()
    }

    /// An access by its number, with what it orders.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn with_strength(&self, idx: usize) -> (Touch, Strength) {
        (self.touches[idx], self.strengths[idx])
    }

    /// The accesses.
    pub fn as_slice(&self) -> &[Touch] {
        &self.touches
    }
}
