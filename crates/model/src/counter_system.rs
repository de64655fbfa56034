//! Counter systems: finite control and counters that count threads or tokens.
//!
//! A Petri net is one with a single control state; a thread system is one with
//! the shared stores as control states and a counter per local store. Transfers,
//! resets, zero tests and bounded guards are included; engines say which of
//! these they are complete for.

use serde::{Deserialize, Serialize};

use crate::configuration::{Bounds, Zone};
use crate::source::Span;

/// Index of a control state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ControlId(pub u32);

/// Index of a counter (a place of a net, a local store of a thread).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CounterId(pub u32);

/// Index of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TransitionId(pub u32);

impl ControlId {
    /// As an index into a table of control states.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

impl CounterId {
    /// As an index into a table of counters.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// As an index into a table of transitions.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A counter system with its coverability question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterSystem {
    /// Names of the control states; a net has one, named by the empty string.
    pub control_names: Vec<String>,
    /// Names of the counters.
    pub counter_names: Vec<String>,
    /// The transitions.
    pub transitions: Vec<CounterTransition>,
    /// A run starts in any configuration of any of these.
    pub initial: Vec<InitialZone>,
    /// The property is that no configuration of any of these is reachable.
    pub targets: Vec<Target>,
    /// Weight vectors that the input claims to be place invariants: a hint that
    /// engines may try and must prove before they use it.
    pub hints: Vec<Vec<(CounterId, i64)>>,
}

/// One transition.
///
/// It is enabled in control state `from` when every guarded counter lies within
/// its bounds. Then, at once, the tokens of each moved counter leave it, each for
/// one of the move's destinations; then `delta` is added. A firing whose result
/// would be negative anywhere does not exist, so `delta` is a guard as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterTransition {
    /// Name in the terms of the input.
    pub name: String,
    /// Where it stands in the input.
    pub span: Option<Span>,
    /// Control state before.
    pub from: ControlId,
    /// Control state after.
    pub to: ControlId,
    /// Bounds on counters before; sorted, each counter at most once.
    pub guard: Vec<(CounterId, Bounds)>,
    /// Transfers and resets; sorted by `from`, each counter at most once.
    pub moves: Vec<Move>,
    /// Added after the moves; sorted, each counter at most once, no zeros.
    pub delta: Vec<(CounterId, i64)>,
}

impl CounterTransition {
    /// Has it neither transfers, resets nor upper bounds in its guard? Such
    /// transitions are those of a plain Petri net.
    pub fn is_plain(&self) -> bool {
        self.moves.is_empty() && !self.has_upper_bounds()
    }

    /// Does its guard bound a counter from above (a zero test, for instance)?
    pub fn has_upper_bounds(&self) -> bool {
        self.guard.iter().any(|(_, bounds)| bounds.max.is_some())
    }
}

/// All tokens of a counter leave it, each for one of the destinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The counter that is emptied.
    pub from: CounterId,
    /// Where each token may go, of its own choice; sorted. `from` itself may be
    /// among them. Empty: the tokens vanish (a reset).
    pub to: Vec<CounterId>,
}

/// Initial configurations: one control state and bounds on the counters.
/// Counters that are not listed are **zero**.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialZone {
    /// The control state.
    pub control: ControlId,
    /// The counters that may be non-zero; sorted.
    pub bounds: Vec<(CounterId, Bounds)>,
}

/// Configurations that must not be reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Name for reports.
    pub name: String,
    /// Where it stands in the input.
    pub span: Option<Span>,
    /// The configurations; counters that are not listed are **unbounded**.
    pub zone: Zone,
}
