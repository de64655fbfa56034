//! Parts of the shared store that steps touch: accesses, and locks.

/// An access to a part of the shared store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The object that is accessed.
    pub object: u32,
    /// Its first part that is.
    pub at: u32,
    /// How many parts.
    pub len: u32,
    /// Is it written?
    pub is_write: bool,
    /// Can it not be half of a race?
    pub is_atomic: bool,
}

impl Access {
    /// Do two accesses depend on each other: a common part, and one writes it?
    pub fn conflicts(&self, other: &Access) -> bool {
        let overlaps = self.object == other.object
            && u64::from(self.at) < u64::from(other.at) + u64::from(other.len)
            && u64::from(other.at) < u64::from(self.at) + u64::from(self.len);
        overlaps && (self.is_write || other.is_write)
    }

    /// Are two accesses by different threads a race?
    pub fn races(&self, other: &Access) -> bool {
        self.conflicts(other) && !(self.is_atomic && other.is_atomic)
    }
}

/// A lock: some parts of the shared store that only lock operations write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    /// The object that it lies in.
    pub object: u32,
    /// Its first part.
    pub at: u32,
    /// How many parts it has.
    pub len: u32,
}

impl Lock {
    /// Does an access change it?
    pub fn is_written_by(&self, access: &Access) -> bool {
        access.is_write && access.conflicts(&self.as_access())
    }

    /// A look at the whole of it.
    pub fn as_access(&self) -> Access {
        let Lock { object, at, len } = *self;
        Access { object, at, len, is_write: false, is_atomic: true }
    }
}
