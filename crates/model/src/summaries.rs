//! Proofs about threads with stacks: which tops a thread can have in which shared stores
//! since its innermost procedure was called, and what a thread may do to the shared store.
//!
//! The relations P and G of thread-modular checking (Flanagan and Qadeer). A *world* is a
//! shared store with, for each exposed class of threads, whether nobody, one thread or several
//! belong to it.

use serde::{Deserialize, Serialize};

use crate::store::Store;

/// Summaries of calls, closed under the steps of their thread and of all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summaries {
    /// The classes of threads that are counted.
    pub exposed: Vec<ExposedClass>,
    /// Shared stores.
    pub shared: Vec<Store>,
    /// Tops of stacks.
    pub tops: Vec<Store>,
    /// Shared stores with the counts of the classes.
    pub worlds: Vec<World>,
    /// What a thread knows of itself.
    pub views: Vec<StackView>,
    /// P: a procedure that was entered in the first world with the first view can come to the
    /// second world with the second view, by steps of all threads.
    pub edges: Vec<SummaryEdge>,
    /// G: what a thread may do to the world.
    pub guarantee: Vec<GuaranteePair>,
}

/// A class of threads, known from what each has done or where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "class")]
pub enum ExposedClass {
    /// Whose last change of this shared variable made it true: who took it as a lock.
    Took {
        /// The variable.
        variable: u32,
    },
    /// Who started with this procedure.
    Started {
        /// Its number.
        root: u32,
    },
    /// Who is at this place, in the innermost procedure.
    At {
        /// Its number.
        location: u32,
    },
}

/// A shared store, and how many threads are in each exposed class: 0, 1, or 2 for several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct World {
    /// The shared store, as an index.
    pub shared: u32,
    /// The counts, one for each class.
    pub counts: Vec<u8>,
}

/// The top of a thread's stack, and what the thread has done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StackView {
    /// The top, as an index.
    pub top: u32,
    /// Per class of those who took a variable, whether the thread belongs to it; false for
    /// other classes.
    pub took: Vec<bool>,
    /// Where its atomic section began, if it is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionStart>,
}

/// The beginning of an atomic section: others see nothing of what is in between.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SectionStart {
    /// The world before it.
    pub world: u32,
    /// The classes that the thread belonged to.
    pub members: Vec<bool>,
}

/// A path within one call, other threads' steps included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SummaryEdge {
    /// The world in which the procedure was entered.
    pub entry_world: u32,
    /// The view with which it was entered.
    pub entry_view: u32,
    /// A world that it comes to.
    pub world: u32,
    /// The view in it.
    pub view: u32,
}

/// A change of the world by one thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GuaranteePair {
    /// The world before.
    pub from: u32,
    /// The classes that the thread belonged to.
    pub members: Vec<bool>,
    /// The world after.
    pub to: u32,
}
