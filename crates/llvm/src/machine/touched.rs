//! What a step touched of the shared store: for reductions and for data races. Parts
//! of objects are bytes.

pub use model::Access as Touch;

/// Accesses in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    touches: Vec<Touch>,
    /// Which operation of which function made each.
    origins: Vec<(u32, u32)>,
}

impl Touched {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.origins.clear();
    }

    /// Adds an access.
    pub fn add(&mut self, touch: Touch) {
        if self.touches.last() != Some(&touch) {
            self.touches.push(touch);
        }
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

    /// The accesses.
    pub fn as_slice(&self) -> &[Touch] {
        &self.touches
    }
}
