//! What one turn of a loop reads and writes, as far as the text shows.
//!
//! A place becomes a root and steps; an index is the turn's own value, a value that
//! is the same in all turns, or unknown. Calls are looked through, with parameters
//! replaced by what they stand for.

use model::Span;

use crate::murphi::typed::{LocalId, TypeId};

/// What is known of a value within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The value of the loop's own variable in this turn.
    Turn,
    /// A constant.
    Constant(i64),
    /// What a name that is bound outside of the loop stands for.
    Fixed(LocalId),
    /// Anything.
    Unknown,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// A state variable.
    Variable(u32),
    /// A variable of the rule or function that the loop is in.
    Local(LocalId),
    /// A parameter of the function that the loop is in: some place that the caller
    /// knows.
    Parameter(LocalId),
    /// A variable of a call, new in each turn.
    Fresh,
}

/// One step into a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A field.
    Field(u32),
    /// An element of an array.
    Index(Value),
    /// Some slot of a multiset.
    Slot,
}

/// A place as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// Where it starts.
    pub(super) base: Base,
    /// How it goes on.
    pub(super) steps: Vec<Step>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A value.
    Value(Value),
    /// A place.
    Place(Region),
}

/// What a turn does to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It depends on what was there.
    Read,
    /// It becomes a value that may differ from turn to turn.
    Write,
    /// It becomes a constant.
    Constant(i64),
    /// It becomes what the statement at this place makes of values that are the
    /// same in all turns.
    Stable(Span),
    /// Something is added that is never negative.
    Increase,
    /// Something is added that is never positive.
    Decrease,
    /// An element is added to a multiset.
    Insert,
}

/// One access of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The place.
    pub(super) region: Region,
    /// Its type.
    pub(super) ty: TypeId,
    /// What is done to it.
    pub(super) effect: Effect,
    /// What is known of the turn here.
    pub(super) turn: TurnFacts,
    /// The place as it is written.
    pub(super) text: String,
}

/// What conditions say of the turns in which a statement is executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnFacts {
    /// Only the turn of this value.
    pub(super) equal: Option<Value>,
    /// Not the turns of these values.
    pub(super) different: Vec<Value>,
}

/// All that one turn does.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    /// Reads and writes.
    pub(super) accesses: Vec<Access>,
    /// Why it cannot be looked through, where that is so.
    pub(super) opaque: Option<&'static str>,
}

impl Value {
    /// Is it the same in all turns?
    pub(super) fn is_stable(self) -> bool {
        matches!(self, Value::Constant(_) | Value::Fixed(_))
    }
}

impl Region {
    /// Is it the same place in all turns?
    pub(super) fn is_stable(&self) -> bool {
        let stable = |step: &Step| match step {
            Step::Field(_) => true,
            Step::Index(value) => value.is_stable(),
            Step::Slot => false,
        };
        self.base != Base::Fresh && self.steps.iter().all(stable)
    }
}

impl Effect {
    /// Does it change the place?
    pub(super) fn writes(self) -> bool {
        self != Effect::Read
    }
}
