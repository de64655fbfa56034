//! All states of a model with so many threads and nodes, found in the plainest way.

use std::collections::BTreeSet;

use engine::kernel::symmetry::Canonicalizer;
use frontend::murphi::{MurphiModel, ReadOptions, read};
use model::{Judgement, Limits, Stepper, Successors, TransitionSystem};

use super::seen::{Kinds, Layout};

/// The words of a state.
type State = Vec<u64>;

/// What all runs show.
pub enum Explored {
    /// There is an error, so far as the order of the search shows it.
    Fails(String),
    /// All states, one of those that differ by names.
    Holds(Vec<State>),
    /// There are too many.
    TooMany,
}

/// The text with so many threads and nodes.
///
/// # Panics
/// It is not a model.
pub fn instance(
    text: &str,
    constants: &[(&str, i64)],
    n_threads: u32,
    n_nodes: u32,
) -> MurphiModel {
    let sizes = [("THREADS", i64::from(n_threads)), ("NODES", i64::from(n_nodes))];
    let constants = constants.iter().chain(&sizes);
    let constants = constants.map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let options = ReadOptions { constants, ..ReadOptions::default() };
    let (reader, diagnostics) = read(text, 0, &options);
    let reader = reader.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"));
    MurphiModel::new(reader.program).expect("small models are not too large")
}

/// Looks at all states, up to the names of threads and nodes.
pub fn explore(model: &MurphiModel, max_states: usize) -> Explored {
    let canonicalizer = Canonicalizer::new(model.symmetry(), model.state_words());
    let mut worker = canonicalizer.as_ref().map(Canonicalizer::worker);
    let mut stepper = model.stepper(&Limits::none());
    let mut next = Successors::new(model.state_words());
    stepper.initial(&mut next).expect("no limit is set");
    let (mut states, mut seen) = (Vec::new(), BTreeSet::new());
    let mut n_done = 0;
    loop {
        if let Some((_, fault)) = next.faults.first() {
            return Explored::Fails(fault.message.clone());
        }
        for idx in 0..next.len() {
            let mut state: State = next.state(idx).to_vec();
            if let Some(worker) = &mut worker {
                worker.canonicalize(&mut state);
            }
            if seen.insert(state.clone()) {
                if let Some(error) = error_in(model, &mut *stepper, &state) {
                    return Explored::Fails(error);
                }
                states.push(state);
            }
        }
        if n_done == states.len() {
            return Explored::Holds(states);
        }
        if states.len() > max_states {
            return Explored::TooMany;
        }
        next.clear();
        stepper.expand(&states[n_done], &mut next).expect("no limit is set");
        n_done += 1;
    }
}

fn error_in(model: &MurphiModel, stepper: &mut dyn Stepper, state: &[u64]) -> Option<String> {
    let mut judgement = Judgement::default();
    stepper.judge(state, &mut judgement).expect("no limit is set");
    let violated = judgement.violated.first().map(|idx| &model.properties()[*idx as usize].name);
    violated.cloned().or(judgement.faults.first().map(|(_, fault)| fault.message.clone()))
}

/// What threads see in these states, each text once.
pub fn views(model: &MurphiModel, states: &[State], kinds: &Kinds) -> BTreeSet<String> {
    let Some(first) = states.first() else { return BTreeSet::new() };
    let layout = Layout::of(&model.describe(first), kinds);
    let mut views = BTreeSet::new();
    for state in states {
        let described = model.describe(state);
        views.extend(layout.threads.iter().map(|thread| layout.seen(&described, thread)));
    }
    views
}
