//! Counters that are free: before anything else happens they can be made as
//! large as anyone likes.
//!
//! A counter is free when every initial zone leaves it unbounded, or when in
//! each initial control state some plain transition that needs and takes only
//! free counters increases it and can be repeated there. In a monotone system
//! having more of it never hurts, so it can be dropped.

use std::collections::BTreeSet;

use model::{ControlId, CounterId, CounterSystem, CounterTransition, TransitionId};

use super::Selection;

/// A free counter, and how it is filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeCounter {
    /// The counter.
    pub counter: CounterId,
    /// For each initial control state the transition that pumps it; none if the
    /// initial zones leave it unbounded.
    pub pumps: Vec<(ControlId, TransitionId)>,
}

/// Finds the free counters among those selected.
pub(crate) fn find(system: &CounterSystem, selection: &Selection) -> Vec<FreeCounter> {
    let bounded_above = |t: &CounterTransition| t.has_upper_bounds();
    let transitions = || selection.transitions.iter().map(|id| &system.transitions[id.idx()]);
    if transitions().any(bounded_above)
        || system.targets.iter().any(|target| !target.zone.is_upward_closed())
    {
        return Vec::new();
    }
    // A transfer empties its source, which a dropped counter could not express.
    let moved: BTreeSet<CounterId> =
        transitions().flat_map(|t| t.moves.iter().map(|step| step.from)).collect();
    let eligible = selection.counters.iter().copied().filter(|counter| !moved.contains(counter));
    let mut candidates: BTreeSet<CounterId> = eligible.collect();
    let mut free: Vec<FreeCounter> = Vec::new();
    let mut is_free: BTreeSet<CounterId> = BTreeSet::new();
    for counter in candidates.clone() {
        if unbounded_at_start(system, counter) {
            is_free.insert(counter);
            free.push(FreeCounter { counter, pumps: Vec::new() });
        }
    }
    candidates.retain(|counter| !is_free.contains(counter));
    let starts: BTreeSet<ControlId> = system.initial.iter().map(|zone| zone.control).collect();
    loop {
        let found = candidates.iter().copied().find_map(|counter| {
            let pump = |start: &ControlId| {
                let pumps = |id: &&TransitionId| {
                    is_pump(&system.transitions[id.idx()], *start, counter, &is_free)
                };
                Some((*start, *selection.transitions.iter().find(pumps)?))
            };
            let pumps: Option<Vec<_>> = starts.iter().map(pump).collect();
            Some(FreeCounter { counter, pumps: pumps? })
        });
        let Some(found) = found else { return free };
        candidates.remove(&found.counter);
        is_free.insert(found.counter);
        free.push(found);
    }
}

fn unbounded_at_start(system: &CounterSystem, counter: CounterId) -> bool {
    system.initial.iter().all(|zone| {
        zone.bounds.iter().any(|(listed, bounds)| *listed == counter && bounds.max.is_none())
    })
}

fn is_pump(
    transition: &CounterTransition,
    start: ControlId,
    counter: CounterId,
    is_free: &BTreeSet<CounterId>,
) -> bool {
    let increases = transition.delta.iter().any(|(c, delta)| *c == counter && *delta > 0);
    let mut needs = transition
        .guard
        .iter()
        .filter(|(_, bounds)| bounds.min > 0)
        .map(|(c, _)| c)
        .chain(transition.delta.iter().filter(|(_, delta)| *delta < 0).map(|(c, _)| c));
    increases
        && transition.from == start
        && transition.to == start
        && transition.is_plain()
        && needs.all(|c| is_free.contains(c))
}
