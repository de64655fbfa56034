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

use serde::{Deserialize, Serialize};

use crate::plan::Variant;
use crate::store::Store;
use crate::transition_system::TransitionSystem;

/// A system with any number of elements of one kind, seen through views.
pub trait ParameterizedSystem: Sync {
    /// Which meaning of the input it is: with views of how many elements of what.
    fn variant(&self) -> Variant {
        let (n, parameter) = (self.n_visible(), self.parameter());
        Variant::called(format!("any number of `{parameter}`, views of {n}"))
    }

    /// The type of the elements, by its name.
    fn parameter(&self) -> &str;

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
    /// matter, and may be left undefined.
    pub reads: &'a [u64],
}

/// What belongs to whom in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Slots of elements.
    pub n_slots: u32,
    /// The parts of a state, none of which overlap.
    pub cells: Vec<Cell>,
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
