//! Counters that always have the same value: they start equal and every
//! transition that may fire adds the same to both.

use std::collections::BTreeMap;

use model::{CounterId, CounterSystem, TransitionId};

use super::{Selection, SupportClosure};

/// What determines a counter's value: its initial counts and all its changes.
type CounterBehaviour = (Vec<(usize, u32)>, Vec<(TransitionId, i64)>);

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
    let mut starts = exact_starts(system);
    let mut kept: BTreeMap<CounterBehaviour, CounterId> = BTreeMap::new();
    let mut equal = Vec::new();
    for counter in selection.counters.iter().copied().filter(|c| !moved[c.idx()]) {
        let Some(start) = starts[counter.idx()].take() else { continue };
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

/// The initial count of each counter in the zones where it is not zero, if each is a
/// single number.
fn exact_starts(system: &CounterSystem) -> Vec<Option<Vec<(usize, u32)>>> {
    let mut starts = vec![Some(Vec::new()); system.counter_names.len()];
    for (idx, zone) in system.initial.iter().enumerate() {
        for (counter, bounds) in zone.bounds.iter().filter(|(_, bounds)| bounds.max != Some(0)) {
            let start = &mut starts[counter.idx()];
            match start {
                Some(all) if bounds.max == Some(bounds.min) => all.push((idx, bounds.min)),
                _ => *start = None,
            }
        }
    }
    starts
}
