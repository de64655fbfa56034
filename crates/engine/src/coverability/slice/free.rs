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
    for counter in unbounded_at_start(system) {
        if candidates.remove(&counter) {
            free.push(FreeCounter { counter, pumps: Vec::new() });
        }
    }
    let starts: BTreeSet<ControlId> = system.initial.iter().map(|zone| zone.control).collect();
    let mut pumps: Vec<TransitionId> = selection.transitions.iter().copied().collect();
    pumps.retain(|id| may_pump(&system.transitions[id.idx()], &starts));
    let mut pumping = Pumping::new(system, &pumps);
    let mut n_known = 0;
    loop {
        pumping.fill(&free[n_known..]);
        n_known = free.len();
        for (counter, pumps) in pumping.take_pumped(starts.len(), &candidates) {
            candidates.remove(&counter);
            free.push(FreeCounter { counter, pumps });
        }
        if free.len() == n_known {
            return free;
        }
    }
}

/// The transitions that pump, while the free counters become more.
struct Pumping<'a> {
    system: &'a CounterSystem,
    /// Per transition that may pump, the needs that are not known to be free.
    n_missing: BTreeMap<TransitionId, usize>,
    /// Per counter, the transitions that need it.
    needing: BTreeMap<CounterId, Vec<TransitionId>>,
    /// Transitions that need no more, not yet looked at.
    ready: Vec<TransitionId>,
    /// Who pumps a counter, in which control state; the first one that can.
    pumped: BTreeMap<CounterId, BTreeMap<ControlId, TransitionId>>,
}

impl<'a> Pumping<'a> {
    fn new(system: &'a CounterSystem, pumps: &[TransitionId]) -> Pumping<'a> {
        let mut pumping = Pumping {
            system,
            n_missing: BTreeMap::new(),
            needing: BTreeMap::new(),
            ready: Vec::new(),
            pumped: BTreeMap::new(),
        };
        for id in pumps {
            let needs: BTreeSet<CounterId> = needs(&system.transitions[id.idx()]).collect();
            pumping.n_missing.insert(*id, needs.len());
            if needs.is_empty() {
                pumping.ready.push(*id);
            }
            for counter in needs {
                pumping.needing.entry(counter).or_default().push(*id);
            }
        }
        pumping
    }

    /// These counters are free now.
    fn fill(&mut self, free: &[FreeCounter]) {
        for counter in free {
            for id in self.needing.remove(&counter.counter).unwrap_or_default() {
                let n_missing = self.n_missing.entry(id).or_default();
                *n_missing -= 1;
                if *n_missing == 0 {
                    self.ready.push(id);
                }
            }
        }
    }

    /// The candidates that are pumped in each initial control state now, and were not
    /// before.
    fn take_pumped(
        &mut self,
        n_starts: usize,
        candidates: &BTreeSet<CounterId>,
    ) -> Vec<(CounterId, Vec<(ControlId, TransitionId)>)> {
        let mut touched = BTreeSet::new();
        for id in std::mem::take(&mut self.ready) {
            let transition = &self.system.transitions[id.idx()];
            let increased = transition.delta.iter().filter(|(_, delta)| *delta > 0);
            for (counter, _) in increased.filter(|(counter, _)| candidates.contains(counter)) {
                let by_start = self.pumped.entry(*counter).or_default();
                let first = by_start.entry(transition.from).or_insert(id);
                *first = id.min(*first);
                touched.insert(*counter);
            }
        }
        touched.retain(|counter| self.pumped[counter].len() == n_starts);
        let pumps = |counter: CounterId| {
            (counter, self.pumped[&counter].iter().map(|(at, id)| (*at, *id)).collect())
        };
        touched.into_iter().map(pumps).collect()
    }
}

/// The counters that every initial zone leaves unbounded, sorted.
fn unbounded_at_start(system: &CounterSystem) -> Vec<CounterId> {
    let mut n_zones: BTreeMap<CounterId, usize> = BTreeMap::new();
    for zone in &system.initial {
        for (counter, _) in zone.bounds.iter().filter(|(_, bounds)| bounds.max.is_none()) {
            *n_zones.entry(*counter).or_default() += 1;
        }
    }
    n_zones.retain(|_, n| *n == system.initial.len());
    n_zones.into_keys().collect()
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
