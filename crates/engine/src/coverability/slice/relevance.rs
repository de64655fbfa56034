//! Backward relevance: what can help to reach a target.
//!
//! A control state matters when a target's can be reached from it. A counter
//! matters when a target bounds it, or when a transition that matters needs it. A
//! transition matters when it changes the control state, or increases a counter
//! that matters (in a system with upper bounds: changes one in any way).

use std::collections::BTreeSet;

use model::{ControlId, CounterId, CounterSystem, CounterTransition, TransitionId};

use super::Selection;

/// Restricts the selection to what matters.
pub(crate) fn restrict(system: &CounterSystem, selection: &mut Selection) {
    let controls = leading_to_targets(system, selection);
    selection.controls.retain(|control| controls.contains(control));
    selection.transitions.retain(|id| controls.contains(&system.transitions[id.idx()].to));
    let is_monotone =
        selection.transitions.iter().all(|id| !system.transitions[id.idx()].has_upper_bounds())
            && selection.targets.iter().all(|idx| system.targets[*idx].zone.is_upward_closed());
    let (counters, transitions) = mattering(system, selection, is_monotone);
    selection.counters.retain(|counter| counters.contains(counter));
    selection.transitions = transitions;
}

fn leading_to_targets(system: &CounterSystem, selection: &Selection) -> BTreeSet<ControlId> {
    let mut entering: Vec<Vec<ControlId>> = vec![Vec::new(); system.control_names.len()];
    for id in &selection.transitions {
        let transition = &system.transitions[id.idx()];
        entering[transition.to.idx()].push(transition.from);
    }
    let targets = selection.targets.iter().map(|idx| system.targets[*idx].zone.control);
    let mut pending: Vec<ControlId> = targets.collect();
    let mut found: BTreeSet<ControlId> = pending.iter().copied().collect();
    while let Some(control) = pending.pop() {
        for from in std::mem::take(&mut entering[control.idx()]) {
            if found.insert(from) {
                pending.push(from);
            }
        }
    }
    found
}

/// The counters and transitions that matter, by iteration to a fixed point.
fn mattering(
    system: &CounterSystem,
    selection: &Selection,
    is_monotone: bool,
) -> (BTreeSet<CounterId>, BTreeSet<TransitionId>) {
    let target_zones = selection.targets.iter().map(|idx| &system.targets[*idx].zone);
    let bounded = target_zones.flat_map(|zone| zone.bounds.iter().map(|(counter, _)| *counter));
    let mut counters: BTreeSet<CounterId> =
        bounded.filter(|counter| selection.counters.contains(counter)).collect();
    let mut rest: Vec<TransitionId> = selection.transitions.iter().copied().collect();
    let mut transitions: BTreeSet<TransitionId> = BTreeSet::new();
    loop {
        let before = (counters.len(), transitions.len());
        rest.retain(|id| {
            let is_needed = matters(&system.transitions[id.idx()], &counters, is_monotone);
            if is_needed {
                transitions.insert(*id);
            }
            !is_needed
        });
        for id in &transitions {
            let transition = &system.transitions[id.idx()];
            let bounded = transition.guard.iter().map(|(counter, _)| *counter);
            let taken = transition.delta.iter().filter(|(_, delta)| *delta < 0).map(|(c, _)| *c);
            let feeding = transition
                .moves
                .iter()
                .filter(|step| !is_monotone || step.to.iter().any(|to| counters.contains(to)));
            let feeding: Vec<CounterId> = feeding.map(|step| step.from).collect();
            let all = bounded.chain(taken).chain(feeding);
            counters.extend(all.filter(|counter| selection.counters.contains(counter)));
        }
        if before == (counters.len(), transitions.len()) {
            return (counters, transitions);
        }
    }
}

fn matters(
    transition: &CounterTransition,
    counters: &BTreeSet<CounterId>,
    is_monotone: bool,
) -> bool {
    if transition.from != transition.to {
        return true;
    }
    let by_delta = transition
        .delta
        .iter()
        .any(|(counter, delta)| (*delta > 0 || !is_monotone) && counters.contains(counter));
    let by_move = transition.moves.iter().any(|step| {
        let feeds = step.to.iter().any(|to| *to != step.from && counters.contains(to));
        feeds || (!is_monotone && counters.contains(&step.from))
    });
    by_delta || by_move
}
