//! The stores that a search of a thread program comes to first: what a front end looks at
//! when it chooses what its stores had better not hold.

use crate::store::Store;

/// Stores, each once, in the order in which they were met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstStores {
    /// The shared ones.
    pub shared: Vec<Store>,
    /// Those of threads.
    pub local: Vec<Store>,
    /// Are these all that there are?
    pub is_complete: bool,
    /// May threads have more steps than the program says?
    pub has_gaps: bool,
}
