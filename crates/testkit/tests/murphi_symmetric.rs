//! Where a random Murphi model is said to be symmetric, to permute a state and to take
//! a step is to take the step and to permute what comes out.
//!
//! `THREADPROOF_SEEDS` is the number of models, `THREADPROOF_FIRST_SEED` the first
//! of them.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::collections::BTreeSet;

use engine::kernel::symmetry::permute::permute;
use frontend::murphi::{MurphiModel, ReadOptions, read};
use model::{Limits, Stepper, Successors, TransitionSystem};
use testkit::environment::number_from_environment;
use testkit::random::murphi_symmetric::random;
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 4_000;
/// States to look at in each model.
const MAX_STATES: usize = 200;

type State = Vec<u64>;

#[test]
fn steps_of_symmetric_models_do_not_tell_elements_apart() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let mut n_symmetric = 0;
    for seed in first..first + n_seeds {
        let text = random(&mut Rng::new(seed));
        let (reader, diagnostics) = read(&text, 0, &ReadOptions::default());
        let reader = reader.unwrap_or_else(|| panic!("seed {seed}: {diagnostics:?}\n{text}"));
        let model = MurphiModel::new(reader.program).expect("small models are not too large");
        if model.symmetry().scalarsets[0].is_permuted() {
            n_symmetric += 1;
            compare(&model).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        }
    }
    println!("{n_symmetric} of {n_seeds} models are symmetric");
    if n_seeds >= 200 {
        assert!(n_symmetric * 10 >= n_seeds, "only {n_symmetric} models are symmetric");
        assert!(n_symmetric * 10 <= n_seeds * 9, "only few models are refused");
    }
}

/// Takes all steps from each state, and from what a rotation and an exchange make of
/// it: together they make all permutations.
fn compare(model: &MurphiModel) -> Result<(), String> {
    let symmetry = model.symmetry();
    let (mut rotation, mut exchange): (Vec<u32>, Vec<u32>) =
        (0..symmetry.scalarsets[0].n_elements).map(|idx| (idx, idx)).unzip();
    rotation.rotate_left(1);
    exchange.swap(0, 1);
    let permutations = [vec![rotation], vec![exchange]];
    let mut stepper = model.stepper(&Limits::none());
    let mut start = Successors::new(model.state_words());
    stepper.initial(&mut start).expect("no limit is set");
    let mut states: Vec<State> = vec![start.state(0).to_vec()];
    let mut seen: BTreeSet<State> = states.iter().cloned().collect();
    let mut n_done = 0;
    while n_done < states.len().min(MAX_STATES) {
        let state = states[n_done].clone();
        n_done += 1;
        let here = expand(&mut *stepper, model, &state);
        for permutation in &permutations {
            let image = permute(symmetry, permutation, &state);
            let there = expand(&mut *stepper, model, &image);
            // What comes after a fault is left out.
            let expected = here.as_ref().map(|next| {
                next.iter().map(|one| permute(symmetry, permutation, one)).collect::<BTreeSet<_>>()
            });
            if expected != there {
                let (one, other) = (model.describe(&state), model.describe(&image));
                return Err(format!("steps differ in {one:?} and {other:?}"));
            }
        }
        let next = here.into_iter().flatten();
        states.extend(next.filter(|one| seen.insert(one.clone())));
    }
    Ok(())
}

/// All successors; `None` where there is a fault.
fn expand(
    stepper: &mut dyn Stepper,
    model: &MurphiModel,
    state: &[u64],
) -> Option<BTreeSet<State>> {
    let mut out = Successors::new(model.state_words());
    stepper.expand(state, &mut out).expect("no limit is set");
    let states = (0..out.len()).map(|idx| out.state(idx).to_vec());
    out.faults.is_empty().then(|| states.collect())
}
