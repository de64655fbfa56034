//! Makes a flow smaller with the same errors.
//!
//! Each reduction can be switched off by itself; `program.rs` adds one more, steps that
//! take whole atomic sections. All keep, for every number of threads, which errors can
//! happen and in which values of the shared variables that are left, and whether something
//! incomplete can be reached. They do not keep deadlocks.

mod constants;
mod dead;
pub(crate) mod liveness;
pub(crate) mod merge;
mod sweep;

use model::{BitExpr, FlowEdge};

use super::flow::Built;

/// Which reductions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Variables that always have one value at a place are replaced by it.
    pub constants: bool,
    /// Locals whose value no longer matters are false.
    pub liveness: bool,
    /// Variables that nothing depends on are left out.
    pub unused: bool,
    /// Steps that no other thread can notice are taken together with the one before.
    pub merging: bool,
    /// An atomic section is one step.
    pub sections: bool,
    /// Calls of procedures that touch nothing shared are one step each, and not only where
    /// recursion makes it necessary. Runs tell less then.
    pub summaries: bool,
}

impl Reductions {
    /// All that make programs smaller and leave runs readable.
    pub const ALL: Reductions = Reductions {
        constants: true,
        liveness: true,
        unused: true,
        merging: true,
        sections: true,
        summaries: false,
    };
    /// None of them: each statement is a step.
    pub const NONE: Reductions = Reductions {
        constants: false,
        liveness: false,
        unused: false,
        merging: false,
        sections: false,
        summaries: false,
    };
}

/// Rounds of all reductions: each can make room for the others.
const MAX_ROUNDS: usize = 4;

/// The flow with the same errors that `reductions` make of it.
pub(crate) fn reduce(mut built: Built, reductions: Reductions) -> Built {
    for _ in 0..MAX_ROUNDS {
        let before = (built.flow.locations.len(), built.flow.edges.len());
        if reductions.constants {
            constants::propagate(&mut built.flow);
        }
        if reductions.liveness {
            liveness::forget(&mut built.flow);
        }
        if reductions.unused {
            dead::leave_out(&mut built);
        }
        if reductions.merging {
            merge::merge(&mut built.flow);
        }
        sweep::unreachable(&mut built);
        if before == (built.flow.locations.len(), built.flow.edges.len()) {
            break;
        }
    }
    built
}

/// Replaces the leaves of all expressions that look at the values before an edge; `After`
/// in its constraint is left alone.
fn rewrite(edge: &mut FlowEdge, replace: &mut dyn FnMut(&BitExpr) -> BitExpr) {
    edge.guard = edge.guard.map_leaves(replace);
    edge.constraint = edge.constraint.map_leaves(replace);
    for (_, value) in &mut edge.assigns {
        *value = value.map_leaves(replace);
    }
    for (_, value) in &mut edge.passive {
        *value = value.map_leaves(replace);
    }
    for (_, value) in edge.spawn.iter_mut().flat_map(|spawn| &mut spawn.assigns) {
        *value = value.map_leaves(replace);
    }
}

/// All expressions of an edge.
pub(super) fn exprs(edge: &FlowEdge) -> impl Iterator<Item = &BitExpr> {
    let spawned = edge.spawn.iter().flat_map(|spawn| &spawn.assigns);
    [&edge.guard, &edge.constraint]
        .into_iter()
        .chain(edge.assigns.iter().map(|(_, value)| value))
        .chain(edge.passive.iter().map(|(_, value)| value))
        .chain(spawned.map(|(_, value)| value))
}
