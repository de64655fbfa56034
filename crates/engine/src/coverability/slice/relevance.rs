//! Backward relevance: what can help to reach a target.
//!
//! A control state matters when a target's can be reached from it. A counter
//! matters when a target bounds it, or when a transition that matters needs it. A
//! transition matters when it changes the control state, or increases a counter
//! that matters (in a system with upper bounds: changes one in any way).

use std::collections::BTreeSet;

use model::{ControlId, CounterId, CounterSystem, TransitionId};

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

/// The counters and transitions that matter.
fn mattering(
    system: &CounterSystem,
    selection: &Selection,
    is_monotone: bool,
) -> (BTreeSet<CounterId>, BTreeSet<TransitionId>) {
    let mut search = Search::new(system, selection, is_monotone);
    for target in &selection.targets {
        let bounds = &system.targets[*target].zone.bounds;
        bounds.iter().for_each(|(counter, _)| search.need(*counter));
    }
    for id in &selection.transitions {
        let transition = &system.transitions[id.idx()];
        if transition.from != transition.to {
            search.fire(*id);
        }
    }
    while let Some(counter) = search.pending.pop() {
        search.spread(counter);
    }
    let counters = (0..search.is_needed.len() as u32).map(CounterId);
    let transitions = selection.transitions.iter().copied();
    (
        counters.filter(|counter| search.is_needed[counter.idx()]).collect(),
        transitions.filter(|id| search.is_fired[id.idx()]).collect(),
    )
}

/// What is known to matter so far; each counter and each transition is passed once.
struct Search<'a> {
    system: &'a CounterSystem,
    is_monotone: bool,
    is_selected: Vec<bool>,
    /// Per counter, the transitions that matter if it does.
    changing: Vec<Vec<TransitionId>>,
    /// Per counter, the others whose tokens are moved to it by transitions that matter if
    /// it does.
    feeding: Vec<Vec<CounterId>>,
    is_needed: Vec<bool>,
    is_fired: Vec<bool>,
    /// Counters that matter and were not passed yet.
    pending: Vec<CounterId>,
}

impl<'a> Search<'a> {
    fn new(system: &'a CounterSystem, selection: &Selection, is_monotone: bool) -> Search<'a> {
        let n_counters = system.counter_names.len();
        let mut search = Search {
            system,
            is_monotone,
            is_selected: vec![false; n_counters],
            changing: vec![Vec::new(); n_counters],
            feeding: vec![Vec::new(); n_counters],
            is_needed: vec![false; n_counters],
            is_fired: vec![false; system.transitions.len()],
            pending: Vec::new(),
        };
        selection.counters.iter().for_each(|counter| search.is_selected[counter.idx()] = true);
        selection.transitions.iter().for_each(|id| search.index(*id));
        search
    }

    /// Files a transition under the counters that it can help.
    fn index(&mut self, id: TransitionId) {
        let transition = &self.system.transitions[id.idx()];
        for (counter, delta) in &transition.delta {
            if *delta > 0 || !self.is_monotone {
                self.changing[counter.idx()].push(id);
            }
        }
        for step in &transition.moves {
            if !self.is_monotone {
                self.changing[step.from.idx()].push(id);
            }
            for to in step.to.iter().filter(|to| **to != step.from) {
                self.changing[to.idx()].push(id);
                self.feeding[to.idx()].push(step.from);
            }
        }
    }

    fn need(&mut self, counter: CounterId) {
        if self.is_selected[counter.idx()] && !self.is_needed[counter.idx()] {
            self.is_needed[counter.idx()] = true;
            self.pending.push(counter);
        }
    }

    /// A transition matters: so does what it needs.
    fn fire(&mut self, id: TransitionId) {
        if std::mem::replace(&mut self.is_fired[id.idx()], true) {
            return;
        }
        let transition = &self.system.transitions[id.idx()];
        transition.guard.iter().for_each(|(counter, _)| self.need(*counter));
        let taken = transition.delta.iter().filter(|(_, delta)| *delta < 0);
        taken.for_each(|(counter, _)| self.need(*counter));
        if !self.is_monotone {
            transition.moves.iter().for_each(|step| self.need(step.from));
        }
    }

    /// A counter matters: so do the transitions that help it.
    fn spread(&mut self, counter: CounterId) {
        for id in std::mem::take(&mut self.changing[counter.idx()]) {
            self.fire(id);
        }
        for source in std::mem::take(&mut self.feeding[counter.idx()]) {
            self.need(source);
        }
    }
}
