//! Makes automata smaller without changing the words they accept.
//!
//! In order: states that cannot lie on an accepting run go; where every cycle of
//! a component accepts, all its states do (so that more automata are weak, and
//! those need no nested search); states with the same future become one
//! (bisimulation, by refining a partition); arcs that another arc makes
//! superfluous go.

use model::Limits;
use rustc_hash::FxHashMap;

use crate::ltl::automaton::{Arc, Automaton, AutomatonState};
use crate::ltl::components::{Components, components};
use crate::ltl::tableau::{GeneralArc, Generalised, TableauError};

/// `general` with states of equal future merged.
pub(super) fn merge(general: Generalised, limits: &Limits) -> Result<Generalised, TableauError> {
    let states = &general.states;
    let class_of = refine(vec![0; states.len()], limits, |state, class_of| {
        let arcs = states[state].iter();
        sorted(arcs.map(|arc| GeneralArc { target: class_of[arc.target as usize], ..*arc }))
    })?;
    let mut merged: Vec<Vec<GeneralArc>> = Vec::new();
    for (state, &class) in class_of.iter().enumerate() {
        // Classes are numbered by their first member.
        if class as usize == merged.len() {
            let arcs = states[state].iter();
            let target = |arc: &GeneralArc| class_of[arc.target as usize];
            merged.push(sorted(arcs.map(|arc| GeneralArc { target: target(arc), ..*arc })));
        }
    }
    Ok(Generalised { states: merged, promises: general.promises })
}

/// The automaton with these states, made small.
pub(super) fn reduce(
    states: Vec<AutomatonState>,
    limits: &Limits,
) -> Result<Automaton, TableauError> {
    let mut states = live(states);
    settle_acceptance(&mut states);
    let colours = states.iter().map(|state| u32::from(state.is_accepting)).collect();
    let class_of = refine(colours, limits, |state, class_of| {
        let arcs = states[state].arcs.iter();
        sorted(arcs.map(|arc| Arc { target: class_of[arc.target as usize], ..*arc }))
    })?;
    let mut merged: Vec<AutomatonState> = Vec::new();
    for (state, &class) in class_of.iter().enumerate() {
        if class as usize == merged.len() {
            let arcs = states[state].arcs.iter();
            let arcs = arcs.map(|arc| Arc { target: class_of[arc.target as usize], ..*arc });
            let is_accepting = states[state].is_accepting;
            merged.push(AutomatonState { is_accepting, arcs: without_superfluous(sorted(arcs)) });
        }
    }
    let states = live(merged);
    let is_weak = is_weak(&states);
    Ok(Automaton { states, is_weak })
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// Splits classes until states of one class have equal signatures. Classes are
/// numbered in the order of their first members, so state 0 is in class 0.
fn refine<S: Eq + std::hash::Hash>(
    mut class_of: Vec<u32>,
    limits: &Limits,
    signature: impl Fn(usize, &[u32]) -> S,
) -> Result<Vec<u32>, TableauError> {
    let mut n_classes = 0;
    loop {
        limits.check().map_err(TableauError::Stopped)?;
        let mut numbers: FxHashMap<(u32, S), u32> = FxHashMap::default();
        let mut finer = Vec::with_capacity(class_of.len());
        for (state, &class) in class_of.iter().enumerate() {
            let fresh = numbers.len() as u32;
            finer.push(*numbers.entry((class, signature(state, &class_of))).or_insert(fresh));
        }
        let is_stable = numbers.len() == n_classes;
        n_classes = numbers.len();
        class_of = finer;
        if is_stable {
            return Ok(class_of);
        }
    }
}

/// Only the states that lie on an accepting run, in the order of a breadth-first
/// walk from the initial one; none if there is no such run.
fn live(states: Vec<AutomatonState>) -> Vec<AutomatonState> {
    let found = components(&adjacency(&states));
    let is_live = live_states(&states, &found);
    if !is_live.first().is_some_and(|&is_live| is_live) {
        return Vec::new();
    }
    let mut order = vec![0u32];
    let mut number = vec![u32::MAX; states.len()];
    number[0] = 0;
    let mut n_done = 0;
    while let Some(&state) = order.get(n_done) {
        n_done += 1;
        for arc in &states[state as usize].arcs {
            let target = arc.target as usize;
            if is_live[target] && number[target] == u32::MAX {
                number[target] = order.len() as u32;
                order.push(arc.target);
            }
        }
    }
    let kept = |state: &u32| {
        let state = &states[*state as usize];
        let arcs = state.arcs.iter().filter(|arc| number[arc.target as usize] != u32::MAX);
        let arcs = arcs.map(|arc| Arc { target: number[arc.target as usize], ..*arc });
        AutomatonState { is_accepting: state.is_accepting, arcs: sorted(arcs) }
    };
    order.iter().map(kept).collect()
}

/// Which states reach a cycle with an accepting state.
fn live_states(states: &[AutomatonState], found: &Components) -> Vec<bool> {
    let mut is_live = vec![false; found.members.len()];
    // Components come in reverse topological order: successors first.
    for (component, members) in found.members.iter().enumerate() {
        let accepts = found.is_cyclic[component]
            && members.iter().any(|&state| states[state as usize].is_accepting);
        let leads = members
            .iter()
            .flat_map(|&state| &states[state as usize].arcs)
            .any(|arc| is_live[found.component_of[arc.target as usize] as usize]);
        is_live[component] = accepts || leads;
    }
    found.component_of.iter().map(|&component| is_live[component as usize]).collect()
}

/// Makes acceptance as uniform as the language allows: none outside of cycles, all
/// in components where every cycle accepts.
fn settle_acceptance(states: &mut [AutomatonState]) {
    let found = components(&adjacency(states));
    // What is left without the accepting states: its cycles do not accept.
    let rejecting: Vec<Vec<u32>> = states
        .iter()
        .map(|state| match state.is_accepting {
            true => Vec::new(),
            false => state.arcs.iter().map(|arc| arc.target).collect(),
        })
        .collect();
    let without = components(&rejecting);
    let rejects = |state: u32| without.is_cyclic[without.component_of[state as usize] as usize];
    for (component, members) in found.members.iter().enumerate() {
        let is_cyclic = found.is_cyclic[component];
        let accepts = members.iter().any(|&state| states[state as usize].is_accepting);
        if !is_cyclic || (accepts && !members.iter().any(|&state| rejects(state))) {
            for &state in members {
                states[state as usize].is_accepting = is_cyclic;
            }
        }
    }
}

fn is_weak(states: &[AutomatonState]) -> bool {
    let found = components(&adjacency(states));
    found.members.iter().all(|members| {
        let first = states[members[0] as usize].is_accepting;
        members.iter().all(|&state| states[state as usize].is_accepting == first)
    })
}

fn adjacency(states: &[AutomatonState]) -> Vec<Vec<u32>> {
    states.iter().map(|state| state.arcs.iter().map(|arc| arc.target).collect()).collect()
}

/// Leaves out arcs whose letters another arc to the same state admits as well.
fn without_superfluous(arcs: Vec<Arc>) -> Vec<Arc> {
    let is_beaten = |arc: &Arc| {
        arcs.iter().any(|other| {
            other.target == arc.target && *other != *arc && arc.guard.implies(other.guard)
        })
    };
    arcs.iter().filter(|arc| !is_beaten(arc)).copied().collect()
}
