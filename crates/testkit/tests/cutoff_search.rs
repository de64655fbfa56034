//! The search through states alone, without the other side of the detection of cutoffs:
//! for each number of threads it reaches the thread states that a naive search does, and
//! knows a run to each of them. Random programs, and the threads of random nets, whose
//! steps halfway through a firing are states that the search does not store.
//!
//! `THREADPROOF_SEEDS` is the number of each, `THREADPROOF_FIRST_SEED` the first.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use engine::cutoff::net::NetThreads;
use engine::cutoff::{CutoffOptions, detect};
use model::{Context, Cutoff, Limits, Store, ThreadProgram};
use testkit::environment::number_from_environment;
use testkit::keep::keep_system;
use testkit::random::System;
use testkit::random::counters::{Features, random};
use testkit::random::program::{RandomProgram, TableStep, plain, rich};
use testkit::reference::thread_states::thread_states;
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 300;
/// Far more than the search needs.
const TIME_PER_RUN: Duration = Duration::from_secs(5);
/// Numbers of threads that are tried.
const MAX_THREADS: u32 = 6;
/// States of the naive search; more threads are not tried then.
const MAX_STATES: usize = 4000;

fn seeds() -> std::ops::Range<u64> {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    first..first + number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS)
}

#[test]
fn programs_reach_what_a_naive_search_does() {
    let mut n_compared = 0;
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let program = if seed.is_multiple_of(2) { plain(&mut rng) } else { rich(&mut rng) };
        match judge(&program) {
            Ok(n_numbers) => n_compared += n_numbers,
            Err(failure) => {
                let message = format!("seed {seed}: {failure}");
                let system = System::Threads(program.clone());
                let kept = keep_system(&format!("cutoff-search-seed-{seed}"), &message, &system);
                panic!("{message}\n{program:#?}\n{kept}")
            }
        }
    }
    println!("{n_compared} numbers of threads compared");
}

#[test]
fn threads_of_nets_reach_what_a_naive_search_does() {
    let mut n_compared = 0;
    for seed in seeds() {
        let features = if seed % 4 < 3 { Features::PLAIN } else { Features::TRANSFERS };
        let net = random(&mut Rng::new(seed), features);
        let Ok(threads) = NetThreads::new(&net) else { continue };
        match judge(&threads) {
            Ok(n_numbers) => n_compared += n_numbers,
            Err(failure) => {
                let message = format!("seed {seed}: {failure}");
                let system = System::Counters(net.clone());
                let kept = keep_system(&format!("cutoff-search-seed-{seed}"), &message, &system);
                panic!("{message}\n{net:#?}\n{kept}")
            }
        }
    }
    println!("{n_compared} numbers of threads compared");
}

/// More local stores than have a bit of their own in the search. Only one step leads to
/// the shared store 2, so its states are not stored.
#[test]
fn programs_with_many_local_stores_reach_what_a_naive_search_does() {
    let step = |shared, local, to_shared, to_local| TableStep {
        shared,
        local: Some(local),
        to_shared,
        to_local: Some(to_local),
        spawned: Vec::new(),
        broadcast: None,
        is_violation: false,
    };
    let mut steps: Vec<TableStep> = (0..150u8)
        .map(|local| step(0, local, u8::from(local.is_multiple_of(10)), local + 1))
        .collect();
    steps.extend((0..15).map(|tens| step(1, tens * 10 + 1, 0, tens * 10 + 1)));
    steps.extend([step(1, 135, 2, 140), step(2, 141, 0, 0), step(2, 128, 2, 129)]);
    let program = RandomProgram { steps, ..plain(&mut Rng::new(0)) };
    let options =
        CutoffOptions { test_only: true, max_threads: Some(2), ..CutoffOptions::default() };
    let cutoff = detect(&program, &options, Context::silent(&Limits::none()), &mut |_| {});
    certify::check_cutoff(&program, &cutoff, &Limits::none()).expect("it stands up");
    assert!(cutoff.reached.iter().all(|state| state.run.is_some()));
    for n in 0..=2 {
        let expected = thread_states(&program, n, 100_000).expect("few states");
        assert_eq!(with_at_most(&cutoff, n), expected);
    }
    assert!(cutoff.reached.iter().any(|state| state.shared.bytes() == [2]));
}

fn judge(program: &dyn ThreadProgram) -> Result<u32, String> {
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let options = CutoffOptions {
        test_only: true,
        max_threads: Some(MAX_THREADS),
        ..CutoffOptions::default()
    };
    let cutoff = detect(program, &options, Context::silent(&limits), &mut |_| {});
    certify::check_cutoff(program, &cutoff, &Limits::none())
        .map_err(|rejection| format!("rejected: {rejection}"))?;
    if cutoff.reached.iter().any(|state| state.run.is_none()) {
        return Err("a thread state has no run".to_owned());
    }
    let last = cutoff.rounds.last().map_or(0, |round| round.n_threads);
    let mut n_compared = 0;
    for n in 0..=last {
        let Some(expected) = thread_states(program, n, MAX_STATES) else { break };
        let found = with_at_most(&cutoff, n);
        if found != expected {
            return Err(format!("{n} threads of {last}: {found:#?}\nbut {expected:#?}"));
        }
        n_compared += 1;
    }
    Ok(n_compared)
}

fn with_at_most(cutoff: &Cutoff, n: u32) -> BTreeSet<(Store, Store)> {
    let reached = cutoff.reached.iter().filter(|state| state.n_threads <= n);
    reached.map(|state| (state.shared.clone(), state.local.clone())).collect()
}
