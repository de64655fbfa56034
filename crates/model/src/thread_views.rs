//! Thread-modular proofs: what each few threads of a program can be in together.

use serde::{Deserialize, Serialize};

use crate::counter_system::{ControlId, CounterId};

/// A set of views. A view is a shared store, for each exposed class how many threads are in
/// it (counted as 0, 1, or more), and up to `level` threads.
///
/// The set is what `stores` lists, and whatever is left of a listed view without some of its
/// threads. It stands for all states of which each choice of up to `level` threads is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadViews {
    /// The number of threads in a view, at most.
    pub level: u32,
    /// The exposed classes: sets of local stores, each sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exposed: Vec<Vec<CounterId>>,
    /// The views, by what they say of the shared store and of the classes.
    pub stores: Vec<StoreViews>,
}

/// The views with one shared store and the same counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreViews {
    /// The shared store.
    pub shared: ControlId,
    /// For each exposed class how many threads are in it; 2 stands for two and more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<u8>,
    /// The threads of each view. That of no thread need not be listed.
    pub views: Vec<Vec<ViewMember>>,
}

/// A thread in a view: of which kind it is, and where.
///
/// A kind is a set of templates with a bounded number of threads, no more than `level`; it
/// is named by the first of them. A template with a fixed number is a kind of its own; where
/// the number of all threads is given, those with any number are one together. All other
/// threads, and those that were created, are of no kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ViewMember(pub Option<u32>, pub CounterId);

impl ThreadViews {
    /// How many views are listed.
    pub fn n_views(&self) -> usize {
        self.stores.iter().map(|store| store.views.len()).sum()
    }
}
