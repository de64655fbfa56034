//! Systems of any number of interchangeable elements, as a view of a few of them shows them.
//!
//! A *view* is what is left of a state when all but a few elements are forgotten: the shared
//! part, and what belongs to the elements in the view. Values that name a forgotten element
//! become *the rest*. A front end gives the steps that such views can take (data type
//! reduction): those of elements in the view, and those of others, the *actors beside it*,
//! which get slots of their own while they act. All over-approximate what the elements do in a
//! state of any size.
//!
//! **States.** All systems of an abstraction lay out states alike. There are
//! [`Cells::n_slots`] slots: first those of the view, then those of actors beside it. What
//! belongs to a slot that nobody has is undefined.
//!
//! **Memory.** Elements may share [`Memory`], of which there is always enough: nodes that they
//! allocate and that nobody keeps for ever. A view shows the nodes that can be reached from its
//! shared part and its elements. All others are forgotten, as elements outside the view are.

use serde::{Deserialize, Serialize};

use crate::plan::Variant;
use crate::store::Store;
use crate::transition_system::TransitionSystem;

/// A system with any number of elements of one kind, seen through views.
pub trait ParameterizedSystem: Sync {
    /// Which meaning of the input it is: with views of how many elements of what.
    fn variant(&self) -> Variant {
        let (n, parameter) = (self.n_visible(), self.parameter());
        Variant::called(match (self.nodes(), &self.cells().memory) {
            (Some(nodes), Some(memory)) => format!(
                "any number of `{parameter}`, views of {n} with up to {} of `{nodes}`",
                memory.n_nodes
            ),
            _ => format!("any number of `{parameter}`, views of {n}"),
        })
    }

    /// The type of the elements, by its name.
    fn parameter(&self) -> &str;

    /// The type of the nodes that elements share, by its name, where there is memory.
    fn nodes(&self) -> Option<&str> {
        None
    }

    /// Elements in a view.
    fn n_visible(&self) -> u32;

    /// The steps of elements in the view, with the start and the properties: those that are
    /// invariants are true in a view only if they are true whatever the rest is like.
    fn own(&self) -> &dyn TransitionSystem;

    /// The number of kinds of steps with actors beside the view.
    fn n_beside(&self) -> usize;

    /// The steps of one kind with actors beside the view.
    fn beside(&self, idx: usize) -> StepsBeside<'_>;

    /// What belongs to whom in a state.
    fn cells(&self) -> &Cells;

    /// The systems with fewer elements than a view shows, which views say nothing about.
    fn n_smaller(&self) -> usize;

    /// The system with `idx` + 1 elements.
    fn smaller(&self, idx: usize) -> &dyn TransitionSystem;
}

/// Steps of one rule with actors beside the view.
pub struct StepsBeside<'a> {
    /// The rule's name.
    pub name: &'a str,
    /// The steps.
    pub system: &'a dyn TransitionSystem,
    /// Slots behind the view that its actors take.
    pub n_actors: u32,
    /// Does its guard look at nothing that belongs to other elements than its actors? Then the
    /// rest of a view does not matter for whether it can be taken.
    pub guarded_by_actors: bool,
    /// The bits of a state that it looks at, of any slot. What else belongs to actors does not
    /// matter, and may be left undefined. Where there is memory, it looks at no nodes and changes
    /// none but those that are named by what it looks at, and fresh ones; and what else belongs
    /// to the view matters as little, though it stays what it is unless it is written.
    pub reads: &'a [u64],
}

/// What belongs to whom in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Slots of elements.
    pub n_slots: u32,
    /// The parts of a state, none of which overlap.
    pub cells: Vec<Cell>,
    /// Nodes that elements share, if there are any.
    pub memory: Option<Memory>,
}

/// Nodes that elements share. Those of a state stand for as many as are needed.
///
/// A node is *reached* from a set of slots if a value names it that is shared, belongs to these
/// slots, or belongs to these slots (or is shared) within a node that is reached. What else there
/// is of nodes in a view is fresh.
///
/// A step may treat a node as one that nobody beside reaches. It says so by a *doubt*: what it
/// did to the node is believed only if none of the elements that the state shows reaches it
/// afterwards. After a step, each node that they do not reach must be fresh, but for its doubt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Nodes of a state. They are interchangeable.
    pub n_nodes: u32,
    /// Fresh nodes that must be left in each state from which a step is taken.
    pub n_spare: u32,
    /// For each cell, by its number, what it holds in a fresh node.
    pub fresh: Vec<u64>,
    /// The cells that hold doubts: 0 where there is none.
    pub doubts: Vec<u32>,
}

/// A stretch of bits that belongs to the same elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// First bit.
    pub bit: u32,
    /// How many, at most 48.
    pub bits: u32,
    /// The slots of the elements to which it belongs; none where it is shared.
    pub slots: Vec<u32>,
    /// What it is: cells of the same family differ in slots alone.
    pub family: u32,
    /// Where it is one value that may name an element: the code of the element in slot 0. That
    /// of the rest comes after those of all slots.
    pub first_code: Option<u64>,
    /// The node of the memory to which it belongs, if it does.
    pub node: Option<u32>,
    /// Where it is one value that may name a node: the code of node 0. Those of all nodes follow
    /// each other. No value may name nodes and elements.
    pub first_node_code: Option<u64>,
}

/// A proof by views: a set that contains all views of initial states, that no step leads out
/// of, and in which no property fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementViews {
    /// Elements in a view.
    pub n_visible: u32,
    /// One of each orbit of views under permutations of the elements in them, as states.
    pub views: Vec<Store>,
}
