//! The naive search that accepted proofs are compared with: explicit
//! configurations of a counter system with small counts.

use std::collections::BTreeSet;

use model::{Bounds, ControlId, CounterSystem, CounterTransition};

/// Counts above this are not explored.
pub const MOST: u32 = 6;

/// A control state and the count of each counter.
pub type State = (ControlId, Vec<u32>);

/// Everything that is reachable without a count above `MOST`.
pub fn reachable(system: &CounterSystem) -> BTreeSet<State> {
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut open = initial(system);
    while let Some(state) = open.pop() {
        if seen.insert(state.clone()) {
            open.extend(successors(system, &state));
        }
    }
    seen
}

pub fn initial(system: &CounterSystem) -> Vec<State> {
    let all = all_states(system.control_names.len() as u32, system.counter_names.len());
    let is_initial = |(control, counts): &State| {
        system.initial.iter().any(|zone| {
            let bounds_of = |idx: usize| {
                let listed = zone.bounds.iter().find(|entry| entry.0.idx() == idx);
                listed.map_or(Bounds::exactly(0), |entry| entry.1)
            };
            zone.control == *control
                && counts.iter().enumerate().all(|(idx, n)| bounds_of(idx).contains(*n))
        })
    };
    all.into_iter().filter(is_initial).collect()
}

pub fn is_target(system: &CounterSystem, (control, counts): &State) -> bool {
    system.targets.iter().any(|target| {
        target.zone.control == *control
            && target.zone.bounds.iter().all(|&(c, bounds)| bounds.contains(counts[c.idx()]))
    })
}

pub fn successors(system: &CounterSystem, state: &State) -> Vec<State> {
    system.transitions.iter().flat_map(|transition| fire(transition, state)).collect()
}

fn fire(transition: &CounterTransition, (control, counts): &State) -> Vec<State> {
    let guard = &transition.guard;
    if *control != transition.from || !guard.iter().all(|(c, b)| b.contains(counts[c.idx()])) {
        return Vec::new();
    }
    let mut emptied = counts.clone();
    for entry in &transition.moves {
        emptied[entry.from.idx()] = 0;
    }
    let mut all = BTreeSet::from([emptied]);
    for entry in &transition.moves {
        // One token after the other chooses.
        for _ in 0..counts[entry.from.idx()] {
            if entry.to.is_empty() {
                continue;
            }
            let moved = all.iter().flat_map(|after| {
                entry.to.iter().map(|to| {
                    let mut after = after.clone();
                    after[to.idx()] += 1;
                    after
                })
            });
            all = moved.collect();
        }
    }
    let added = all.into_iter().filter_map(|mut after| {
        for &(counter, change) in &transition.delta {
            let n = i64::from(after[counter.idx()]) + change;
            after[counter.idx()] = u32::try_from(n).ok()?;
        }
        after.iter().all(|n| *n <= MOST).then_some((transition.to, after))
    });
    added.collect()
}

pub fn all_states(n_controls: u32, n_counters: usize) -> Vec<State> {
    let mut counts = vec![Vec::new()];
    for _ in 0..n_counters {
        let longer = counts.iter().flat_map(|list: &Vec<u32>| {
            (0..=MOST).map(|n| list.iter().copied().chain([n]).collect())
        });
        counts = longer.collect();
    }
    let controls = (0..n_controls).map(ControlId);
    controls.flat_map(|control| counts.iter().map(move |list| (control, list.clone()))).collect()
}
