//! Proofs about Boolean flows: which values some threads can have at the same time, as a
//! decision diagram.

use serde::{Deserialize, Serialize};

/// A set of views: values of the shared variables, and where some threads are with the
/// values of their locals.
///
/// A thread that does not exist is at the location whose number is the number of locations
/// of the flow, and all its locals are false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Views {
    /// The number of threads in a view.
    pub size: u32,
    /// Are the threads of a view all that there are? Otherwise some of them: then each
    /// choice of up to `size` threads of a reachable state, in each order, and filled up
    /// with threads that do not exist, is a view in the set.
    pub is_whole: bool,
    /// The variables, from the top of the diagram. Those that are not listed may have any
    /// value.
    pub variables: Vec<ViewBit>,
    /// The nodes, each after those below it.
    pub nodes: Vec<ViewNode>,
    /// The node that stands for the set, as in [`ViewNode`].
    pub root: u32,
}

/// What a variable of a view says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewBit {
    /// The value of a shared variable.
    Shared(u32),
    /// Is a thread at an atomic location?
    InAtomic,
    /// A bit of the number of a thread's location.
    Location {
        /// The thread.
        member: u32,
        /// The bit, 0 for the lowest.
        bit: u32,
    },
    /// The value of a local variable.
    Local {
        /// The thread.
        member: u32,
        /// The variable.
        local: u32,
    },
}

/// A node: the index of its variable, the node where that is false, and the node where it
/// is true. Node 0 is the empty set, node 1 the full one, and `nodes[i]` is node i + 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ViewNode(pub u32, pub u32, pub u32);
