//! Models with a heap for any number of threads: what is proved is compared with instances, state
//! by state. The abstraction to views is trusted by the engine and the re-check alike, so that
//! nothing but this finds its mistakes.
//!
//! `THREADPROOF_SEEDS` is the number of random models, `THREADPROOF_FIRST_SEED` the first of
//! them. With many of them, larger lists are looked at too.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod instance;
mod judge;
mod programs;
mod seen;

use std::path::{Path, PathBuf};
use std::time::Duration;

use judge::{Answer, Size, Tally, ask, compare};
use testkit::environment::number_from_environment;
use testkit::keep::FailingCase;
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 60;
/// As many seeds as this are a long run.
const MANY_SEEDS: u64 = 1_000;
const TIME: Duration = Duration::from_secs(120);
const TIME_OF_PROGRAMS: Duration = Duration::from_secs(2);
const MAX_STATES_OF_PROGRAMS: usize = 3_000;

fn n_seeds() -> u64 {
    number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn list(name: &str) -> String {
    let path = root().join("models/lists").join(format!("{name}.m"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A list with so many keys, and the threads and nodes of its instances.
fn compare_list(name: &str, n_keys: i64, sizes: &[Size]) {
    let (text, constants) = (list(name), [("KEYS", n_keys)]);
    let answer = ask(&text, &constants, TIME);
    let proved = match &answer {
        Answer::Holds { views, .. } => views.len(),
        Answer::Unknown(why) | Answer::Refused(why) => panic!("{name} is not proved: {why}"),
    };
    let mut tally = Tally::default();
    let compared = compare((&text, &constants), &answer, sizes, 2_000_000, &mut tally);
    compared.unwrap_or_else(|error| panic!("{name}, {n_keys} keys, {error}"));
    println!("{name}, {n_keys} keys: {proved} views are proved, {tally:?}");
}

#[test]
fn what_threads_see_of_lists_with_one_key_is_in_the_proof() {
    compare_list("fine_grained", 1, &[(1, 1), (2, 2), (3, 3)]);
    for name in ["optimistic", "lazy", "lock_free"] {
        compare_list(name, 1, &[(1, 1), (2, 2)]);
    }
}

#[test]
fn what_threads_see_of_a_list_with_two_keys_is_in_the_proof() {
    compare_list("fine_grained", 2, &[(1, 2), (2, 4)]);
}

#[test]
fn what_threads_see_of_larger_lists_is_in_the_proof_in_long_runs() {
    if n_seeds() < MANY_SEEDS {
        return;
    }
    for name in ["optimistic", "lazy", "lock_free"] {
        compare_list(name, 1, &[(3, 3)]);
    }
    compare_list("fine_grained", 2, &[(3, 6)]);
}

#[test]
fn what_threads_see_of_small_models_is_in_the_proof() {
    let mut tally = Tally::default();
    let mut n_models = 0;
    for folder in ["cases/murphi/memory", "cases/murphi/rejected"] {
        for path in testkit::case::files(&root().join(folder)) {
            let text = std::fs::read_to_string(&path).expect("a file that was listed is there");
            if !text.contains("THREADS: 2; NODES: 20;") {
                continue;
            }
            n_models += 1;
            // Three threads can do whatever these models are about.
            let sizes = [(1, 3), (2, 4), (3, 5)];
            let answer = ask(&text, &[], TIME);
            let compared = compare((&text, &[]), &answer, &sizes, 5_000, &mut tally);
            compared.unwrap_or_else(|error| panic!("{}, {error}", path.display()));
        }
    }
    println!("{n_models} models: {tally:?}");
    assert!(tally.n_holding >= 4 && tally.n_failing >= 4, "{tally:?}");
}

#[test]
fn what_threads_see_of_random_programs_is_in_the_proof() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + n_seeds() {
        let text = programs::random(&mut Rng::new(seed));
        let answer = ask(&text, &[], TIME_OF_PROGRAMS);
        let sizes = [(1, 3), (2, 4), (3, 6)];
        let compared = compare((&text, &[]), &answer, &sizes, MAX_STATES_OF_PROGRAMS, &mut tally);
        if let Err(error) = compared {
            let name = format!("memory-seed-{seed}");
            let message = format!("seed {seed}: {error}");
            let kept = FailingCase {
                name: &name,
                extension: "m",
                comment: "--",
                message: &message,
                arguments: "--threads any",
                text: &text,
            };
            panic!("{message}\n{text}\n{}", kept.keep());
        }
    }
    println!("{} programs: {tally:?}", n_seeds());
    if n_seeds() >= DEFAULT_SEEDS {
        let n = n_seeds() as usize;
        assert!(tally.n_holding * 20 > n && tally.n_failing * 20 > n, "{tally:?}");
    }
}
