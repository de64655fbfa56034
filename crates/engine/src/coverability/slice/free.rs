//! Counters that are free: before anything else happens they can be made as
//! large as anyone likes.
//!
//! A counter is free when every initial zone leaves it unbounded, or when in
//! each initial control state some plain transition that needs and takes only
//! free counters increases it and can be repeated there. In a monotone system
//! having more of it never hurts, so it can be dropped.

use std::collections::{BTreeMap, BTreeSet};

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
    let mut pumps: Vec<TransitionId> = selection.transitions.iter().copied().collect();
    pumps.retain(|id| may_pump(&system.transitions[id.idx()], &starts));
    loop {
        let found = newly_free(system, &pumps, &starts, &is_free, &candidates);
        if found.is_empty() {
            return free;
        }
        for counter in found {
            candidates.remove(&counter.counter);
            is_free.insert(counter.counter);
            free.push(counter);
        }
    }
}

/// The candidates that some transition pumps in each initial control state.
fn newly_free(
    system: &CounterSystem,
    pumps: &[TransitionId],
    starts: &BTreeSet<ControlId>,
    is_free: &BTreeSet<CounterId>,
    candidates: &BTreeSet<CounterId>,
) -> Vec<FreeCounter> {
    let mut pumped: BTreeMap<CounterId, BTreeMap<ControlId, TransitionId>> = BTreeMap::new();
    for id in pumps {
        let transition = &system.transitions[id.idx()];
        if !needs(transition).all(|counter| is_free.contains(&counter)) {
            continue;
        }
        let increased = transition.delta.iter().filter(|(_, delta)| *delta > 0);
        for (counter, _) in increased.filter(|(counter, _)| candidates.contains(counter)) {
            pumped.entry(*counter).or_default().entry(transition.from).or_insert(*id);
        }
    }
    let everywhere = pumped.into_iter().filter(|(_, by_start)| by_start.len() == starts.len());
    everywhere
        .map(|(counter, by_start)| FreeCounter { counter, pumps: by_start.into_iter().collect() })
        .collect()
}

fn unbounded_at_start(system: &CounterSystem, counter: CounterId) -> bool {
    system.initial.iter().all(|zone| {
        zone.bounds.iter().any(|(listed, bounds)| *listed == counter && bounds.max.is_none())
    })
}

/// Is it a plain transition that can be repeated in an initial control state?
fn may_pump(transition: &CounterTransition, starts: &BTreeSet<ControlId>) -> bool {
    transition.from == transition.to && starts.contains(&transition.from) && transition.is_plain()
}

/// The counters that a transition needs or takes from.
fn needs(transition: &CounterTransition) -> impl Iterator<Item = CounterId> + '_ {
    let guarded = transition.guard.iter().filter(|(_, bounds)| bounds.min > 0).map(|(c, _)| *c);
    let taken = transition.delta.iter().filter(|(_, delta)| *delta < 0).map(|(c, _)| *c);
    guarded.chain(taken)
}
