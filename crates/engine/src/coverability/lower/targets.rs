//! The targets of a lowered program: which counts are an error in which control state.

use std::collections::BTreeMap;

use model::{Bounds, ControlId, CounterId, Target, Zone};
use rustc_hash::FxHashSet;

use super::build::control;
use crate::kernel::step_table::{LocalId, SharedId};
use crate::kernel::thread_states::ThreadStates;

/// The targets, each with that of the program behind it; `error` is where steps lead that
/// are errors themselves.
pub(super) fn targets(
    states: &ThreadStates<'_>,
    error: Option<ControlId>,
) -> (Vec<Target>, Vec<Option<usize>>) {
    let requirements = states.table.program().requirements();
    let mut targets = Vec::new();
    let mut origins = Vec::new();
    for (target_idx, shape) in requirements.targets().iter().enumerate() {
        for shared in states.all_shared() {
            if !requirements.target_shared(target_idx, states.table.shared(shared).bytes()) {
                continue;
            }
            for bounds in fillings(states, target_idx, shared) {
                let zone = Zone { control: control(states, shared), bounds };
                targets.push(Target { name: shape.name.clone(), span: None, zone });
                origins.push(Some(target_idx));
            }
        }
    }
    if let Some(control) = error {
        let zone = Zone { control, bounds: Vec::new() };
        targets.push(Target { name: "a step that is an error".to_string(), span: None, zone });
        origins.push(None);
    }
    (targets, origins)
}

/// The minimal ways to fill the slots of a target with visited locals.
fn fillings(
    states: &ThreadStates<'_>,
    target: usize,
    shared: SharedId,
) -> Vec<Vec<(CounterId, Bounds)>> {
    let requirements = states.table.program().requirements();
    let store = states.table.shared(shared).bytes();
    let mut fillings: FxHashSet<BTreeMap<u32, u32>> = FxHashSet::default();
    fillings.insert(BTreeMap::new());
    for (slot, &count) in requirements.targets()[target].slots.iter().enumerate() {
        let fits = |local: &&LocalId| {
            let local = states.table.local(**local).bytes();
            requirements.target_local(target, slot, store, local)
        };
        let fitting = states.together(shared).iter().filter(fits);
        let locals: Vec<u32> = fitting.map(|&local| states.local_place(local)).collect();
        if let [only] = locals[..] {
            let filled = fillings.into_iter().map(|filling| with(filling, only, count));
            fillings = filled.collect();
            continue;
        }
        for _ in 0..count {
            let mut next = FxHashSet::default();
            for filling in &fillings {
                for &local in &locals {
                    next.insert(with(filling.clone(), local, 1));
                }
            }
            fillings = next;
        }
    }
    let mut sorted: Vec<_> = fillings.into_iter().collect();
    sorted.sort();
    let bounds = |filling: BTreeMap<u32, u32>| {
        filling.into_iter().map(|(local, n)| (CounterId(local), Bounds::at_least(n))).collect()
    };
    sorted.into_iter().map(bounds).collect()
}

fn with(mut filling: BTreeMap<u32, u32>, local: u32, count: u32) -> BTreeMap<u32, u32> {
    *filling.entry(local).or_default() += count;
    filling
}
