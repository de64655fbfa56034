//! What a step touched of the shared store: for reductions and for data races. Parts
//! of objects are bytes.

pub use model::Access as Touch;

/// Accesses in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    touches: Vec<Touch>,
}

impl Touched {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.touches.clear();
    }

    /// Adds an access.
    pub fn add(&mut self, touch: Touch) {
        if self.touches.last() != Some(&touch) {
            self.touches.push(touch);
        }
    }

    /// The accesses.
    pub fn as_slice(&self) -> &[Touch] {
        &self.touches
    }
}
