//! Counters that always have the same value: they start equal and every
//! transition that may fire adds the same to both.

use std::collections::BTreeMap;

use model::{Bounds, CounterId, CounterSystem, TransitionId};

use super::{Selection, SupportClosure};

/// What determines a counter's value: its initial bounds and all its changes.
type CounterBehaviour = (Vec<Option<Bounds>>, Vec<(TransitionId, i64)>);

/// Pairs of selected counters, the one to drop first, that are always equal.
pub(crate) fn find(
    system: &CounterSystem,
    closure: &SupportClosure,
    selection: &Selection,
) -> Vec<(CounterId, CounterId)> {
    let n_counters = system.counter_names.len();
    let mut changes: Vec<Vec<(TransitionId, i64)>> = vec![Vec::new(); n_counters];
    let mut moved = vec![false; n_counters];
    for (idx, transition) in system.transitions.iter().enumerate() {
        let id = TransitionId(idx as u32);
        if !closure.may_fire(id) {
            continue;
        }
        for (counter, delta) in &transition.delta {
            changes[counter.idx()].push((id, *delta));
        }
        for step in &transition.moves {
            moved[step.from.idx()] = true;
            step.to.iter().for_each(|to| moved[to.idx()] = true);
        }
    }
    let mut kept: BTreeMap<CounterBehaviour, CounterId> = BTreeMap::new();
    let mut equal = Vec::new();
    for counter in selection.counters.iter().copied().filter(|c| !moved[c.idx()]) {
        let Some(start) = exact_start(system, counter) else { continue };
        let column = (start, std::mem::take(&mut changes[counter.idx()]));
        match kept.get(&column) {
            Some(same) => equal.push((counter, *same)),
            None => {
                kept.insert(column, counter);
            }
        }
    }
    equal
}

/// The initial bounds of a counter per zone, if each is a single number.
fn exact_start(system: &CounterSystem, counter: CounterId) -> Option<Vec<Option<Bounds>>> {
    let per_zone = system.initial.iter().map(|zone| {
        let listed = zone.bounds.iter().find(|(listed, _)| *listed == counter);
        let bounds = listed.map_or(Bounds::exactly(0), |(_, bounds)| *bounds);
        (bounds.max == Some(bounds.min)).then_some(Some(bounds))
    });
    per_zone.collect()
}
