//! What a step touched of the shared store: for reductions and for data races.

/// Accesses in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    touches: Vec<Touch>,
}

/// One access to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Number of the object.
    pub object: u32,
    /// The first byte.
    pub at: u32,
    /// How many bytes.
    pub len: u32,
    /// Is something written?
    pub is_write: bool,
    /// Can it not be half of a data race? So for atomics, and for what library
    /// functions do to locks and threads.
    pub is_atomic: bool,
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
    pub fn iter(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter()
    }
}

impl Touch {
    /// Do two accesses touch a common byte, one of them writing it?
    pub fn conflicts(&self, other: &Touch) -> bool {
        let overlap = self.object == other.object
            && self.at < other.at + other.len
            && other.at < self.at + self.len;
        overlap && (self.is_write || other.is_write)
    }
}
