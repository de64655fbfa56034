//! The transitions of a lowered program: what a step does to the counters.

use model::{
    Bounds, BroadcastId, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Move,
    StepLabel, Store,
};

use super::effect::StepEffect;
use super::targets::targets;
use super::{Gaps, Lowered, TransitionOrigin};
use crate::kernel::step_table::{LocalId, SharedId, Taken};
use crate::kernel::thread_states::{Expanded, ThreadStates};

/// The counter of a local store.
pub(super) fn counter(states: &ThreadStates<'_>, local: LocalId) -> CounterId {
    CounterId(states.local_place(local))
}

/// The control state of a shared store.
pub(super) fn control(states: &ThreadStates<'_>, shared: SharedId) -> ControlId {
    ControlId(states.shared_place(shared))
}

/// The counter system of all thread states that were expanded.
pub(super) fn build(
    mut states: ThreadStates<'_>,
    initial: Vec<InitialZone>,
    gaps: Gaps,
) -> Lowered {
    let narrator = states.table.program().narrator();
    let shared: Vec<Store> =
        states.all_shared().map(|shared| states.table.shared(shared).clone()).collect();
    let mut built = Built {
        control_names: shared.iter().map(|s| narrator.describe_shared(s.bytes())).collect(),
        error: None,
        transitions: Vec::new(),
        origins: Vec::new(),
        n_created: Vec::new(),
    };
    if has_errors(&states, gaps) {
        built.error = Some(built.pseudo_control("error"));
    }
    let mut gap = None;
    for idx in 0..states.expanded().len() {
        let expanded = states.expanded()[idx];
        built.add(&mut states, expanded);
        if let Some(why) = states.table.incomplete(expanded.answer) {
            gap.get_or_insert_with(|| why.to_owned());
            if gaps == Gaps::Forbidden {
                let label = StepLabel { text: why.to_owned(), span: None };
                built.add_error(&states, expanded, label, usize::MAX);
            }
        }
    }
    let (targets, target_origins) = targets(&states, built.error);
    let local: Vec<Store> =
        states.all_local().map(|local| states.table.local(local).clone()).collect();
    let system = CounterSystem {
        control_names: built.control_names,
        counter_names: local.iter().map(|l| narrator.describe_local(l.bytes())).collect(),
        transitions: built.transitions,
        initial,
        targets,
        hints: Vec::new(),
    };
    let Built { origins, n_created, .. } = built;
    Lowered { system, shared, local, origins, n_created, target_origins, gap }
}

fn has_errors(states: &ThreadStates<'_>, gaps: Gaps) -> bool {
    states.expanded().iter().any(|expanded| {
        let is_gap = || states.table.incomplete(expanded.answer).is_some();
        !states.table.errors(expanded.answer).is_empty() || (gaps == Gaps::Forbidden && is_gap())
    })
}

/// The counter system while it is put together.
struct Built {
    control_names: Vec<String>,
    /// Where steps lead that are errors, if there are any.
    error: Option<ControlId>,
    transitions: Vec<CounterTransition>,
    origins: Vec<TransitionOrigin>,
    n_created: Vec<u32>,
}

impl Built {
    fn pseudo_control(&mut self, name: &str) -> ControlId {
        self.control_names.push(name.to_string());
        ControlId((self.control_names.len() - 1) as u32)
    }

    /// Adds the steps of one thread state.
    fn add(&mut self, states: &mut ThreadStates<'_>, expanded: Expanded) {
        let narrator = states.table.program().narrator();
        let all: Vec<Taken> = states.table.taken(expanded.answer).collect();
        for taken in all {
            let label = match taken {
                Taken::Step(step) => narrator.label(step.label),
                Taken::Error(error) => narrator.label(error.label),
            };
            match taken {
                Taken::Error(error) => {
                    self.add_error(states, expanded, label, error.idx as usize);
                }
                Taken::Step(step) => {
                    let to = control(states, step.to);
                    let mut transition = guarded(states, expanded, label, to);
                    if let Some(broadcast) = step.broadcast {
                        transition.moves = moves(states, expanded.shared, broadcast);
                    }
                    let active = expanded.actor.map(|local| counter(states, local));
                    let spawned = states.table.spawned(&step);
                    let arrives = step.after.iter().chain(spawned);
                    let arrives = arrives.map(|&local| counter(states, local));
                    let effect = StepEffect::of(active, arrives, &transition.moves);
                    let transition = self.without_sender(transition, active, effect);
                    self.push(transition, (active, step.idx as usize), spawned.len() as u32);
                }
            }
        }
    }

    /// Adds a step that is an error.
    fn add_error(
        &mut self,
        states: &ThreadStates<'_>,
        expanded: Expanded,
        label: StepLabel,
        step_idx: usize,
    ) {
        let active = expanded.actor.map(|local| counter(states, local));
        let error = self.error.expect("made before the first of them is added");
        let mut transition = guarded(states, expanded, label, error);
        transition.delta = active.into_iter().map(|active| (active, -1)).collect();
        self.push(transition, (active, step_idx), 0);
    }

    /// Gives a transition its effect; one that takes the sender first, if need be, comes
    /// before it.
    fn without_sender(
        &mut self,
        mut transition: CounterTransition,
        active: Option<CounterId>,
        effect: StepEffect,
    ) -> CounterTransition {
        if effect.takes_sender_first {
            let halfway = self.pseudo_control("halfway");
            let mut first = CounterTransition { moves: Vec::new(), ..transition.clone() };
            first.to = halfway;
            first.delta = active.into_iter().map(|active| (active, -1)).collect();
            self.transitions.push(first);
            self.origins.push(TransitionOrigin::FirstHalf);
            self.n_created.push(0);
            transition.from = halfway;
            transition.guard.clear();
        }
        transition.delta = effect.delta;
        transition
    }

    fn push(
        &mut self,
        transition: CounterTransition,
        (active, step_idx): (Option<CounterId>, usize),
        n_created: u32,
    ) {
        self.transitions.push(transition);
        self.origins.push(TransitionOrigin::Step { active, step_idx });
        self.n_created.push(n_created);
    }
}

/// A transition that a thread which is there can take, without its effects.
fn guarded(
    states: &ThreadStates<'_>,
    expanded: Expanded,
    label: StepLabel,
    to: ControlId,
) -> CounterTransition {
    let actor = expanded.actor.map(|local| counter(states, local));
    CounterTransition {
        name: label.text,
        span: label.span,
        from: control(states, expanded.shared),
        to,
        guard: actor.into_iter().map(|counter| (counter, Bounds::at_least(1))).collect(),
        moves: Vec::new(),
        delta: Vec::new(),
    }
}

/// Where a broadcast moves the local stores that may be there.
fn moves(states: &mut ThreadStates<'_>, from: SharedId, broadcast: BroadcastId) -> Vec<Move> {
    let mut moves = Vec::new();
    for local in states.together(from).to_vec() {
        let becomes = states.passive(broadcast, local);
        if becomes != [local] {
            let mut to: Vec<CounterId> =
                becomes.into_iter().map(|local| counter(states, local)).collect();
            to.sort_unstable();
            moves.push(Move { from: counter(states, local), to });
        }
    }
    moves.sort_by_key(|step: &Move| step.from);
    moves
}
