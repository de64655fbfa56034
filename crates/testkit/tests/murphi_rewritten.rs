//! A model means the same when results of calls are put into variables before they are
//! used: random Murphi models in both spellings, state by state.
//!
//! Machine code and interpreter share the front end, so that comparing them does not
//! show what the front end gets wrong. This does. `THREADPROOF_SEEDS` is the number of
//! models.
#![allow(clippy::print_stdout, reason = "how much was compared belongs in the log")]

use std::collections::{BTreeSet, VecDeque};

use frontend::murphi::{MurphiModel, ReadOptions, read};
use model::{Limits, Stepper, Successors, TransitionSystem};
use testkit::environment::number_from_environment;
use testkit::random::murphi::{MurphiText, random_pair};

const DEFAULT_SEEDS: u64 = 1500;

/// States of each model that are compared.
const MAX_STATES: usize = 200;

#[test]
fn results_in_variables_change_nothing() {
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let (mut n_models, mut n_states) = (0, 0);
    for seed in 0..n_seeds {
        let (direct, spelled_out) = random_pair(seed);
        if direct.text == spelled_out.text {
            continue;
        }
        n_models += 1;
        n_states += compare(&load(&direct), &load(&spelled_out))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", direct.text));
    }
    println!("{n_models} models, {n_states} states compared");
    assert!(n_seeds < DEFAULT_SEEDS || n_models > 100, "only {n_models} models differ in text");
}

fn load(model: &MurphiText) -> MurphiModel {
    let (reader, diagnostics) = read(&model.text, 0, &ReadOptions::default());
    let reader = reader.unwrap_or_else(|| panic!("{diagnostics:#?}\n{}", model.text));
    MurphiModel::new(reader.program).expect("the model is small")
}

/// Explores both; says how many states were compared.
fn compare(left: &MurphiModel, right: &MurphiModel) -> Result<usize, String> {
    let limits = Limits::none();
    let (mut one, mut two) = (left.stepper(&limits), right.stepper(&limits));
    let n_words = left.state_words();
    let mut seen = BTreeSet::new();
    let mut waiting = VecDeque::from([None]);
    let mut n_states = 0;
    while let Some(state) = waiting.pop_front() {
        let found = step(one.as_mut(), state.as_deref(), n_words);
        let other = step(two.as_mut(), state.as_deref(), n_words);
        if found.facts != other.facts {
            return Err(format!("from {state:x?}: {:x?} is not {:x?}", found.facts, other.facts));
        }
        n_states += 1;
        for state in found.states {
            if seen.len() < MAX_STATES && seen.insert(state.clone()) {
                waiting.push_back(Some(state));
            }
        }
    }
    Ok(n_states)
}

struct Step {
    states: Vec<Vec<u64>>,
    /// What must be the same. Faults are at other places of the text.
    facts: Vec<String>,
}

fn step(stepper: &mut dyn Stepper, state: Option<&[u64]>, n_words: usize) -> Step {
    let mut out = Successors::new(n_words);
    match state {
        None => stepper.initial(&mut out).expect("no limit"),
        Some(state) => stepper.expand(state, &mut out).expect("no limit"),
    }
    let states: Vec<Vec<u64>> = (0..out.len()).map(|idx| out.state(idx).to_vec()).collect();
    let choices = (0..out.len()).map(|idx| format!("{:?} {:x?}", out.choice(idx), states[idx]));
    let faults = out.faults.iter().map(|(place, fault)| format!("{place:?} {:?}", fault.kind));
    let facts = choices.chain(faults).chain([format!("{} enabled", out.n_enabled)]).collect();
    Step { states, facts }
}
