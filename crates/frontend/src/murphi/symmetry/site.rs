//! Which multiset is meant: a place, written so that equal ones are the same place.

use crate::murphi::typed::{LocalId, Root};

/// A place without aliases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    /// Where it starts.
    pub(super) root: Root,
    /// How it goes on.
    pub(super) steps: Vec<SiteStep>,
}

/// One step into a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SiteStep {
    /// A field.
    Field(u32),
    /// An element of an array.
    Index(SiteIndex),
    /// What lies in the slot that this name stands for.
    Slot(LocalId),
}

/// Which element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SiteIndex {
    /// A constant one.
    Constant(i64),
    /// The one that this name stands for as long as it is bound.
    Name(LocalId),
    /// The one that another place names at the time, which lies in no multiset.
    Read(Site),
}

impl Site {
    /// Is it the same place whatever is assigned?
    pub(super) fn is_fixed(&self) -> bool {
        !self.steps.iter().any(|step| matches!(step, SiteStep::Index(SiteIndex::Read(_))))
    }
}
