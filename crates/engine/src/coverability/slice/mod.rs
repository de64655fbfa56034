//! Slicing: the smaller system that has the same answer.
//!
//! In this order, each step on what the one before left:
//! 1. `closure.rs`: what can ever be non-zero, and fire, at all;
//! 2. `free.rs`: counters that can be made as large as anyone likes before
//!    anything else happens; they never hold anything up and are dropped;
//! 3. `relevance.rs`: control states and counters from which no target can be
//!    reached or helped are dropped;
//! 4. `merge.rs`: counters that always have the same value become one.
//!
//! **Sound and complete**: the slice has a reachable target exactly when the
//! original has one. `lift.rs` turns a trace or a proof of the slice into one of
//! the original, which is what `certify` sees; nothing here is trusted.

mod closure;
mod free;
mod lift;
mod merge;
mod relevance;

use std::collections::BTreeSet;

use model::{
    Bounds, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Move, Support,
    Target, TransitionId, Zone,
};

pub use closure::SupportClosure;
pub use free::FreeCounter;
pub use lift::Schedule;

/// Which steps to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only what cannot happen at all is dropped: for engines whose proofs speak of
    /// every transition.
    Closure,
    /// All of it.
    Full,
}

/// A slice with what leads back to the original.
pub struct Slice<'a> {
    /// The original.
    pub original: &'a CounterSystem,
    /// The slice.
    pub system: CounterSystem,
    /// The support of the original.
    pub support: Support,
    /// Original control state of each one of the slice.
    controls: Vec<ControlId>,
    /// Original counter of each one of the slice.
    counters: Vec<CounterId>,
    /// Original transition of each one of the slice.
    transitions: Vec<TransitionId>,
    /// Original target of each one of the slice.
    targets: Vec<usize>,
    /// Merged counters: the one dropped, the one kept.
    equal: Vec<(CounterId, CounterId)>,
    /// Free counters, in the order in which they were found to be free.
    free: Vec<FreeCounter>,
}

/// Slices `system`.
pub fn slice(system: &CounterSystem, depth: Depth) -> Slice<'_> {
    let closure = SupportClosure::of(system);
    let support = closure.support();
    let mut selection = Selection::of_closure(system, &closure);
    let mut free = Vec::new();
    let mut equal = Vec::new();
    if depth == Depth::Full {
        free = free::find(system, &selection);
        for counter in &free {
            selection.counters.remove(&counter.counter);
        }
        relevance::restrict(system, &mut selection);
        equal = merge::find(system, &closure, &selection);
        for (dropped, _) in &equal {
            selection.counters.remove(dropped);
        }
    }
    Builder::new(system, &selection, &equal).build(support, free)
}

/// What is kept of the original, by its indices.
pub(crate) struct Selection {
    controls: BTreeSet<ControlId>,
    counters: BTreeSet<CounterId>,
    transitions: BTreeSet<TransitionId>,
    targets: BTreeSet<usize>,
}

impl Selection {
    fn of_closure(system: &CounterSystem, closure: &SupportClosure) -> Selection {
        let transitions = (0..system.transitions.len() as u32).map(TransitionId);
        let targets = (0..system.targets.len())
            .filter(|idx| closure.may_intersect(&system.targets[*idx].zone));
        Selection {
            controls: closure.controls().collect(),
            counters: closure.counters(),
            transitions: transitions.filter(|id| closure.may_fire(*id)).collect(),
            targets: targets.collect(),
        }
    }
}

/// Writes the slice down.
struct Builder<'a, 'b> {
    original: &'a CounterSystem,
    selection: &'b Selection,
    equal: &'b [(CounterId, CounterId)],
    /// The slice's index of each original control state.
    controls: Vec<Option<ControlId>>,
    /// The slice's index of each original counter, or of the one it was merged
    /// into.
    counters: Vec<Option<CounterId>>,
}

impl<'a, 'b> Builder<'a, 'b> {
    fn new(
        original: &'a CounterSystem,
        selection: &'b Selection,
        equal: &'b [(CounterId, CounterId)],
    ) -> Builder<'a, 'b> {
        let mut controls = vec![None; original.control_names.len()];
        for (idx, id) in selection.controls.iter().enumerate() {
            controls[id.idx()] = Some(ControlId(idx as u32));
        }
        let mut counters = vec![None; original.counter_names.len()];
        for (idx, id) in selection.counters.iter().enumerate() {
            counters[id.idx()] = Some(CounterId(idx as u32));
        }
        for (dropped, kept) in equal {
            counters[dropped.idx()] = counters[kept.idx()];
        }
        Builder { original, selection, equal, controls, counters }
    }

    fn build(&self, support: Support, free: Vec<FreeCounter>) -> Slice<'a> {
        let controls: Vec<ControlId> = self.selection.controls.iter().copied().collect();
        let counters: Vec<CounterId> = self.selection.counters.iter().copied().collect();
        let mut transitions: Vec<TransitionId> = Vec::new();
        let mut built: Vec<CounterTransition> = Vec::new();
        let mut seen: BTreeSet<TransitionShape> = BTreeSet::new();
        for id in &self.selection.transitions {
            let transition = self.transition(&self.original.transitions[id.idx()]);
            if seen.insert(shape(&transition)) {
                transitions.push(*id);
                built.push(transition);
            }
        }
        let targets: Vec<usize> = self.selection.targets.iter().copied().collect();
        let initial = self.original.initial.iter().filter_map(|zone| self.initial(zone)).collect();
        let hints = self.original.hints.iter().map(|hint| self.hint(hint)).collect();
        let system = CounterSystem {
            control_names: controls
                .iter()
                .map(|id| self.original.control_names[id.idx()].clone())
                .collect(),
            counter_names: counters
                .iter()
                .map(|id| self.original.counter_names[id.idx()].clone())
                .collect(),
            transitions: built,
            initial,
            targets: targets.iter().map(|idx| self.target(*idx)).collect(),
            hints,
        };
        Slice {
            original: self.original,
            system,
            support,
            controls,
            counters,
            transitions,
            targets,
            equal: self.equal.to_vec(),
            free,
        }
    }

    fn control(&self, id: ControlId) -> Option<ControlId> {
        self.controls[id.idx()]
    }

    fn counter(&self, id: CounterId) -> Option<CounterId> {
        self.counters[id.idx()]
    }

    fn bounds(&self, all: &[(CounterId, Bounds)]) -> Vec<(CounterId, Bounds)> {
        let mut kept: Vec<(CounterId, Bounds)> = Vec::new();
        for (counter, bounds) in all {
            let Some(counter) = self.counter(*counter) else { continue };
            match kept.iter_mut().find(|entry| entry.0 == counter) {
                None => kept.push((counter, *bounds)),
                Some((_, both)) => {
                    both.min = both.min.max(bounds.min);
                    both.max = [both.max, bounds.max].into_iter().flatten().min();
                }
            }
        }
        kept.sort_by_key(|entry| entry.0);
        kept
    }

    fn transition(&self, original: &CounterTransition) -> CounterTransition {
        let control = |id| self.control(id).expect("kept with its transitions");
        let is_dropped = |id: &CounterId| !self.selection.counters.contains(id);
        let moves = original.moves.iter().filter_map(|step| {
            let to = step.to.iter().filter_map(|to| self.counter(*to)).collect();
            Some(Move { from: self.counter(step.from)?, to })
        });
        let delta = original.delta.iter().filter(|(counter, _)| !is_dropped(counter));
        CounterTransition {
            name: original.name.clone(),
            span: original.span,
            from: control(original.from),
            to: control(original.to),
            guard: self.bounds(&original.guard),
            moves: moves.collect(),
            delta: delta.filter_map(|(counter, d)| Some((self.counter(*counter)?, *d))).collect(),
        }
    }

    fn initial(&self, zone: &InitialZone) -> Option<InitialZone> {
        let control = self.control(zone.control)?;
        Some(InitialZone { control, bounds: self.bounds(&zone.bounds) })
    }

    fn target(&self, idx: usize) -> Target {
        let target = &self.original.targets[idx];
        let control = self.control(target.zone.control).expect("kept with its targets");
        let zone = Zone { control, bounds: self.bounds(&target.zone.bounds) };
        Target { name: target.name.clone(), span: target.span, zone }
    }

    fn hint(&self, hint: &[(CounterId, i64)]) -> Vec<(CounterId, i64)> {
        let kept = hint.iter().filter(|(id, _)| self.selection.counters.contains(id));
        kept.filter_map(|(id, weight)| Some((self.counter(*id)?, *weight))).collect()
    }
}

/// All of a transition but its name: what makes two of them the same.
type TransitionShape = (
    ControlId,
    ControlId,
    Vec<(CounterId, Bounds)>,
    Vec<(CounterId, Vec<CounterId>)>,
    Vec<(CounterId, i64)>,
);

fn shape(transition: &CounterTransition) -> TransitionShape {
    (
        transition.from,
        transition.to,
        transition.guard.clone(),
        transition.moves.iter().map(|step| (step.from, step.to.clone())).collect(),
        transition.delta.clone(),
    )
}
