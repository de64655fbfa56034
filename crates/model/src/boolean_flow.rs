//! A thread's program as a graph over Boolean variables: what engines read that work on
//! sets of states instead of states.
//!
//! A front end that has such a graph also steps through it as a
//! [`ThreadProgram`](crate::ThreadProgram); both say the same. A state of n threads is a
//! value of each shared variable and, for each thread, a location and a value of each
//! local variable.
//!
//! **Atomic sections.** While a thread is at an atomic location, no other thread steps. A
//! thread never starts at one.

use crate::narrator::LabelId;
use crate::rule::StepError;
use crate::source::Span;
use crate::store::Store;
use crate::thread_program::Multiplicity;

/// The program that each thread runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BooleanFlow {
    /// The variables that all threads see.
    pub shared: Vec<BitVariable>,
    /// The variables that each thread has for itself.
    pub locals: Vec<BitVariable>,
    /// Where a thread can be.
    pub locations: Vec<FlowLocation>,
    /// Its steps, sorted by where they start.
    pub edges: Vec<FlowEdge>,
    /// The threads that exist at the start.
    pub threads: Vec<FlowThread>,
}

/// A Boolean variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitVariable {
    /// Name for reports.
    pub name: String,
    /// The value at the start; `None`: any. Of locals, the threads say it.
    pub initial: Option<bool>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowLocation {
    /// Name for reports.
    pub name: String,
    /// Where it is in the input.
    pub span: Option<Span>,
    /// Does nobody else step while a thread is here?
    pub is_atomic: bool,
}

/// Names a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bit {
    /// Of all threads.
    Shared(u32),
    /// Of the thread that steps.
    Local(u32),
}

/// A step from one location to another. For each value of its choices for which `guard`
/// is true, and `constraint` is true of the values before and after, it can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowEdge {
    /// Where it starts.
    pub from: LocationId,
    /// Where it ends; `None`: the thread ends.
    pub to: Option<LocationId>,
    /// When it can be taken: about the values before it, and its choices.
    pub guard: BitExpr,
    /// New values, all computed from the values before it, and its choices. No variable
    /// occurs twice; others keep their values.
    pub assigns: Vec<(Bit, BitExpr)>,
    /// What must be true of the values before and after it.
    pub constraint: BitExpr,
    /// The number of its choices, each a Boolean value that nobody controls.
    pub n_choices: u32,
    /// The thread that it creates.
    pub spawn: Option<FlowSpawn>,
    /// What it does to the locals of every other thread, each on its own: new values, from
    /// the values before it. Here [`BitExpr::Passive`] is a local of that other thread, and
    /// choices are made by each of these threads for itself.
    pub passive: Vec<(u32, BitExpr)>,
    /// The error that the step itself is.
    pub violation: Option<StepError>,
    /// Why it is not known what happens here. Such an edge is never taken; where it could
    /// be, nothing is proven.
    pub incomplete: Option<String>,
    /// What it is called.
    pub label: LabelId,
}

/// A new thread. Its locals are those of its creator before the step, but for `assigns`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowSpawn {
    /// Where it starts.
    pub to: LocationId,
    /// Its locals that differ: computed from what its creator sees before the step, and the
    /// choices of the step.
    pub assigns: Vec<(u32, BitExpr)>,
}

/// Threads that exist at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowThread {
    /// Name for reports.
    pub name: String,
    /// Where they start.
    pub entry: LocationId,
    /// The values of their locals; `None`: any.
    pub locals: Vec<Option<bool>>,
    /// How many there are.
    pub multiplicity: Multiplicity,
}

/// A condition, or a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BitExpr {
    /// A constant.
    Const(bool),
    /// The value of a variable before the step.
    Before(Bit),
    /// The value of a variable after the step; in constraints only.
    After(Bit),
    /// A local of another thread before the step; in passive assignments only.
    Passive(u32),
    /// A choice of the step.
    Choice(u32),
    /// The opposite.
    Not(Box<BitExpr>),
    /// Both.
    And(Box<BitExpr>, Box<BitExpr>),
    /// One or both.
    Or(Box<BitExpr>, Box<BitExpr>),
    /// One, not both.
    Xor(Box<BitExpr>, Box<BitExpr>),
}

impl BooleanFlow {
    /// The shared store with these values of the shared variables. `in_atomic`: is some
    /// thread at an atomic location? Programs whose steps take whole atomic sections never
    /// are in the middle of one.
    pub fn shared_store(&self, values: &[bool], in_atomic: bool) -> Store {
        debug_assert_eq!(values.len(), self.shared.len());
        let mut bytes = vec![0; (self.shared.len() + 1).div_ceil(8)];
        for (idx, _) in values.iter().chain([&in_atomic]).enumerate().filter(|(_, set)| **set) {
            bytes[idx / 8] |= 1 << (idx % 8);
        }
        Store(bytes.into())
    }

    /// The local store of a thread at a location with these values of its variables.
    pub fn local_store(&self, location: LocationId, values: &[bool]) -> Store {
        debug_assert_eq!(values.len(), self.locals.len());
        let mut bytes = location.0.to_le_bytes().to_vec();
        bytes.resize(LOCATION_BYTES + self.locals.len().div_ceil(8), 0);
        for (idx, _) in values.iter().enumerate().filter(|(_, set)| **set) {
            bytes[LOCATION_BYTES + idx / 8] |= 1 << (idx % 8);
        }
        Store(bytes.into())
    }

    /// The value of shared variable `idx` in a shared store; `idx` one past the last: is
    /// some thread at an atomic location?
    pub fn shared_value(&self, shared: &[u8], idx: usize) -> bool {
        shared.get(idx / 8).is_some_and(|byte| byte >> (idx % 8) & 1 == 1)
    }

    /// The location in a local store.
    pub fn location(&self, local: &[u8]) -> Option<LocationId> {
        let bytes = local.first_chunk::<LOCATION_BYTES>()?;
        let location = u32::from_le_bytes(*bytes);
        ((location as usize) < self.locations.len()).then_some(LocationId(location))
    }

    /// The value of local variable `idx` in a local store.
    pub fn local_value(&self, local: &[u8], idx: usize) -> bool {
        local.get(LOCATION_BYTES + idx / 8).is_some_and(|byte| byte >> (idx % 8) & 1 == 1)
    }

    /// Is there an edge by which other threads choose new values of their locals?
    pub fn lets_others_choose(&self) -> bool {
        let mut chooses = false;
        for (_, value) in self.edges.iter().flat_map(|edge| &edge.passive) {
            value.each_leaf(&mut |leaf| chooses |= matches!(leaf, BitExpr::Choice(_)));
        }
        chooses
    }

    /// The edges that start at a location, with their positions in `edges`.
    pub fn edges_from(&self, from: LocationId) -> impl Iterator<Item = (usize, &FlowEdge)> {
        let start = self.edges.partition_point(|edge| edge.from < from);
        let edges = self.edges[start..].iter().take_while(move |edge| edge.from == from);
        edges.enumerate().map(move |(idx, edge)| (start + idx, edge))
    }
}

/// Bytes of a local store before its variables.
pub const LOCATION_BYTES: usize = 4;

impl BitExpr {
    /// Always true.
    pub const TRUE: BitExpr = BitExpr::Const(true);
    /// Always false.
    pub const FALSE: BitExpr = BitExpr::Const(false);

    /// The opposite, with constants folded.
    pub fn negated(self) -> BitExpr {
        match self {
            BitExpr::Const(value) => BitExpr::Const(!value),
            BitExpr::Not(inner) => *inner,
            other => BitExpr::Not(Box::new(other)),
        }
    }

    /// Both, with constants folded.
    pub fn and(self, other: BitExpr) -> BitExpr {
        match (self, other) {
            (BitExpr::Const(true), expr) | (expr, BitExpr::Const(true)) => expr,
            (BitExpr::Const(false), _) | (_, BitExpr::Const(false)) => BitExpr::FALSE,
            (left, right) => BitExpr::And(Box::new(left), Box::new(right)),
        }
    }

    /// One or both, with constants folded.
    pub fn or(self, other: BitExpr) -> BitExpr {
        match (self, other) {
            (BitExpr::Const(false), expr) | (expr, BitExpr::Const(false)) => expr,
            (BitExpr::Const(true), _) | (_, BitExpr::Const(true)) => BitExpr::TRUE,
            (left, right) => BitExpr::Or(Box::new(left), Box::new(right)),
        }
    }

    /// One, not both, with constants folded.
    pub fn xor(self, other: BitExpr) -> BitExpr {
        match (self, other) {
            (BitExpr::Const(false), expr) | (expr, BitExpr::Const(false)) => expr,
            (BitExpr::Const(true), expr) | (expr, BitExpr::Const(true)) => expr.negated(),
            (left, right) => BitExpr::Xor(Box::new(left), Box::new(right)),
        }
    }

    /// Calls `visit` with each leaf.
    pub fn each_leaf(&self, visit: &mut dyn FnMut(&BitExpr)) {
        match self {
            BitExpr::Not(inner) => inner.each_leaf(visit),
            BitExpr::And(left, right) | BitExpr::Or(left, right) | BitExpr::Xor(left, right) => {
                left.each_leaf(visit);
                right.each_leaf(visit);
            }
            leaf => visit(leaf),
        }
    }

    /// The expression with each leaf replaced, and constants folded.
    pub fn map_leaves(&self, replace: &mut dyn FnMut(&BitExpr) -> BitExpr) -> BitExpr {
        match self {
            BitExpr::Not(inner) => inner.map_leaves(replace).negated(),
            BitExpr::And(left, right) => left.map_leaves(replace).and(right.map_leaves(replace)),
            BitExpr::Or(left, right) => left.map_leaves(replace).or(right.map_leaves(replace)),
            BitExpr::Xor(left, right) => left.map_leaves(replace).xor(right.map_leaves(replace)),
            leaf => replace(leaf),
        }
    }

    /// Its value, where `leaf` tells the values of variables and choices.
    pub fn eval(&self, leaf: &dyn Fn(&BitExpr) -> bool) -> bool {
        match self {
            BitExpr::Const(value) => *value,
            BitExpr::Not(inner) => !inner.eval(leaf),
            BitExpr::And(left, right) => left.eval(leaf) && right.eval(leaf),
            BitExpr::Or(left, right) => left.eval(leaf) || right.eval(leaf),
            BitExpr::Xor(left, right) => left.eval(leaf) != right.eval(leaf),
            other => leaf(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bit, BitExpr};

    #[test]
    fn constants_are_folded_and_values_follow_the_leaves() {
        let x = BitExpr::Before(Bit::Shared(0));
        assert_eq!(x.clone().and(BitExpr::TRUE), x);
        assert_eq!(x.clone().xor(BitExpr::TRUE).negated(), x);
        let expr = x.clone().xor(BitExpr::Choice(0)).or(x.negated());
        let value = |x, choice| {
            expr.eval(&|leaf| match leaf {
                BitExpr::Choice(_) => choice,
                _ => x,
            })
        };
        assert!(value(false, false) && value(true, false) && !value(true, true));
    }
}
