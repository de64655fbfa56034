//! Cutoffs of small random programs: the sets of thread states are those of a naive
//! search for each number of threads, up to well past the cutoff, and no thread state
//! beyond them can be covered by any number of threads.
//!
//! `THREADPROOF_SEEDS` is the number of programs, `THREADPROOF_FIRST_SEED` the first.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use engine::Engine;
use engine::coverability::{Gaps, lower};
use engine::cutoff::{CutoffOptions, detect};
use model::{
    Bounds, Certificate, Context, ControlId, CounterId, Cutoff, CutoffEnd, Limits, Problem, Proof,
    Store, Target, ThreadCount, ThreadProgram, ThreadState, Verdict, Vocabulary, Zone,
};
use testkit::environment::number_from_environment;
use testkit::keep::keep_system;
use testkit::random::System;
use testkit::random::program::{RandomProgram, TableStep, plain, rich};
use testkit::reference::thread_states::{fewest_steps, thread_states};
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 400;
/// Far more than these programs need.
const TIME_PER_RUN: Duration = Duration::from_secs(5);
/// Numbers of threads past the cutoff that are tried.
const BEYOND: u32 = 2;
/// States of the naive search; more threads are not tried then.
const MAX_STATES: usize = 4000;

/// What came of the programs.
#[derive(Debug, Default)]
struct Tally {
    n_cutoffs: u64,
    n_above_two: u64,
    n_plateaus: u64,
    n_open: u64,
    n_compared: u64,
    n_thread_states: u64,
    n_shortest: u64,
}

#[test]
fn cutoffs_are_those_of_a_naive_search() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let mut tally = Tally::default();
    for seed in first..first + n_seeds {
        let mut rng = Rng::new(seed);
        let program = if seed.is_multiple_of(2) { plain(&mut rng) } else { rich(&mut rng) };
        let started = Instant::now();
        let judged = judge(&program, &mut tally);
        if started.elapsed() > TIME_PER_RUN {
            println!("seed {seed} takes {:.1?}", started.elapsed());
        }
        if let Err(failure) = judged {
            let message = format!("seed {seed}: {failure}");
            let system = System::Threads(program.clone());
            let kept = keep_system(&format!("cutoff-seed-{seed}"), &message, &system);
            panic!("{message}\n{program:#?}\n{kept}");
        }
    }
    println!("{tally:?}");
    assert!(tally.n_open * 20 <= tally.n_cutoffs, "{tally:?}");
    assert!(tally.n_above_two * 10 > tally.n_cutoffs, "{tally:?}");
    assert!(tally.n_shortest > tally.n_cutoffs, "{tally:?}");
}

/// The counter program of section 4: each thread adds one to a counter that runs modulo
/// c + 1, then fails if it finds c, and stays where it is otherwise.
fn counter(c: u8) -> RandomProgram {
    let step = |shared, local, to_shared, to_local| TableStep {
        shared,
        local: Some(local),
        to_shared,
        to_local: Some(to_local),
        spawned: Vec::new(),
        broadcast: None,
        is_violation: false,
    };
    let mut steps: Vec<TableStep> = (0..=c).map(|s| step(s, 0, (s + 1) % (c + 1), 1)).collect();
    steps.push(step(c, 1, c, 2));
    RandomProgram { steps, ..plain(&mut Rng::new(0)) }
}

/// The paper says that the cutoff is c: so many threads reach the error. Each further
/// thread moves the counter on while the error stays where it is, and the last thread
/// state is the error with the counter at c - 1 once more.
#[test]
fn the_counter_needs_c_threads_for_the_error_and_twice_as_many_for_all() {
    for c in 1..=40u8 {
        let program = counter(c);
        let cutoff = detect(
            &program,
            &CutoffOptions::default(),
            Context::silent(&Limits::none()),
            &mut |_| {},
        );
        certify::check_cutoff(&program, &cutoff, &Limits::none()).expect("it stands up");
        let CutoffEnd::Found(_) = cutoff.end else { panic!("no cutoff for {c}") };
        let c = u32::from(c);
        assert_eq!(cutoff.rounds.last().map(|round| round.n_threads), Some(2 * c));
        assert_eq!(cutoff.reached.len() as u32, 3 * (c + 1));
        let error = cutoff.reached.iter().find(|state| state.local.bytes() == [2]);
        assert_eq!(error.map(|state| state.n_threads), Some(c));
        if c <= 4 {
            let naive = |n| thread_states(&program, n, 100_000).expect("few states").len() as u32;
            assert_eq!((naive(2 * c), naive(2 * c + 2)), (3 * (c + 1), 3 * (c + 1)));
            assert!(naive(2 * c - 1) < 3 * (c + 1));
        }
    }
}

/// A cutoff with something changed; the numbers of the rounds are made to fit the list.
fn tampered(told: &Cutoff, edit: impl Fn(&mut Cutoff)) -> Cutoff {
    let mut cutoff = told.clone();
    edit(&mut cutoff);
    for round in &mut cutoff.rounds {
        let known = cutoff.reached.iter().filter(|state| state.n_threads <= round.n_threads);
        round.n_reached = known.count() as u64;
    }
    cutoff
}

/// Leaves a thread state out of what a certificate says is reachable.
fn forget(certificate: &mut Certificate, shared: &Store, local: &Store) {
    let Vocabulary::Threads { shared: all_shared, local: all_local } = &certificate.vocabulary
    else {
        panic!("a cutoff is about threads")
    };
    let Proof::Basis { support, .. } = &mut certificate.proof else { panic!("no basis") };
    for (control, counters) in &mut support.controls {
        counters.retain(|counter| {
            (&all_shared[control.idx()], &all_local[counter.idx()]) != (shared, local)
        });
    }
}

#[test]
fn a_cutoff_that_was_tampered_with_is_rejected() {
    let program = counter(3);
    let told =
        detect(&program, &CutoffOptions::default(), Context::silent(&Limits::none()), &mut |_| {});
    let is_believed =
        |cutoff: &Cutoff| certify::check_cutoff(&program, cutoff, &Limits::none()).is_ok();
    assert!(is_believed(&told) && is_believed(&tampered(&told, |_| {})));
    let last = told.reached.len() - 1;
    let state = &told.reached[last];
    let same_shared = told.reached.iter().find(|other| {
        (&other.shared, other.n_threads <= state.n_threads) == (&state.shared, true)
            && other.local != state.local
            && !is_reached_by(other, &state.local)
    });
    let other = same_shared.expect("other threads are there with the same counter").run.clone();
    assert!(!is_believed(&tampered(&told, |cutoff| cutoff.reached[last].run = other.clone())));
    assert!(!is_believed(&tampered(&told, |cutoff| cutoff.reached[last].n_threads -= 1)));
    assert!(!is_believed(&tampered(&told, |cutoff| _ = cutoff.reached.pop())));
    assert!(!is_believed(&tampered(&told, |cutoff| {
        cutoff.reached.pop();
        let CutoffEnd::Found(certificate) = &mut cutoff.end else { panic!("no cutoff") };
        forget(certificate, &state.shared, &state.local);
    })));
    let mut miscounted = told.clone();
    miscounted.rounds[0].n_reached += 1;
    assert!(!is_believed(&miscounted));
}

/// Does the run to a thread state also leave a thread in `local`?
fn is_reached_by(state: &ThreadState, local: &Store) -> bool {
    let Some(run) = &state.run else { return false };
    let mut threads = run.threads.clone();
    for step in &run.steps {
        if let (Some(thread), Some(after)) = (step.thread, &step.local) {
            threads[thread as usize] = after.clone();
        }
    }
    threads.contains(local)
}

/// The program of section 5.2: its candidate never goes away, and is never realized.
#[test]
fn the_cutoff_test_alone_may_never_succeed() {
    let step = |shared, local, to_shared, to_local| TableStep {
        shared,
        local: Some(local),
        to_shared,
        to_local: Some(to_local),
        spawned: Vec::new(),
        broadcast: None,
        is_violation: false,
    };
    let program = RandomProgram {
        steps: vec![step(0, 0, 1, 1), step(1, 1, 2, 0)],
        ..plain(&mut Rng::new(0))
    };
    let options =
        CutoffOptions { test_only: true, max_threads: Some(50), ..CutoffOptions::default() };
    let tested = detect(&program, &options, Context::silent(&Limits::none()), &mut |_| {});
    assert!(matches!(tested.end, CutoffEnd::Open(_)));
    assert!(tested.rounds.iter().all(|round| round.n_candidates > 0));
    let cutoff =
        detect(&program, &CutoffOptions::default(), Context::silent(&Limits::none()), &mut |_| {});
    assert!(matches!(cutoff.end, CutoffEnd::Found(_)));
    assert_eq!(cutoff.rounds.last().map(|round| round.n_threads), Some(2));
}

fn judge(program: &RandomProgram, tally: &mut Tally) -> Result<(), String> {
    let started = Instant::now();
    let limits = Limits { deadline: Some(started + TIME_PER_RUN), jobs: 2, ..Limits::none() };
    let cutoff = detect(program, &CutoffOptions::default(), Context::silent(&limits), &mut |_| {});
    certify::check_cutoff(program, &cutoff, &Limits::none())
        .map_err(|rejection| format!("rejected: {rejection}"))?;
    let CutoffEnd::Found(_) = cutoff.end else {
        tally.n_open += 1;
        return Ok(());
    };
    if cutoff.reached.iter().any(|state| state.run.is_none()) {
        return Err("a thread state has no run".to_owned());
    }
    let last = cutoff.rounds.last().map_or(0, |round| round.n_threads);
    tally.n_cutoffs += 1;
    tally.n_above_two += u64::from(last > 2);
    let plateau = |pair: &[model::Round]| pair[0].n_reached == pair[1].n_reached;
    tally.n_plateaus += u64::from(cutoff.rounds.windows(2).any(plateau));
    for n in 0..=last + BEYOND {
        let Some(fewest) = fewest_steps(program, n, MAX_STATES) else { break };
        tally.n_compared += 1;
        check_shortest(&cutoff, n, &fewest, tally)?;
        let expected: BTreeSet<(Store, Store)> = fewest.into_keys().collect();
        let found = with_at_most(&cutoff, n);
        if found != expected {
            return Err(format!("{n} threads of {last}: {found:#?}\nbut {expected:#?}"));
        }
    }
    check_coverable(program, &with_at_most(&cutoff, last), tally)
}

/// Are runs that are said to be shortest so?
fn check_shortest(
    cutoff: &Cutoff,
    n: u32,
    fewest: &BTreeMap<(Store, Store), usize>,
    tally: &mut Tally,
) -> Result<(), String> {
    for state in cutoff.reached.iter().filter(|state| state.n_threads == n && state.is_shortest) {
        tally.n_shortest += 1;
        let n_steps = state.run.as_ref().map(|run| run.steps.len());
        let expected = fewest.get(&(state.shared.clone(), state.local.clone())).copied();
        if n_steps != expected {
            return Err(format!("{n} threads: {n_steps:?} steps, not {expected:?}: {state:?}"));
        }
    }
    Ok(())
}

fn with_at_most(cutoff: &Cutoff, n: u32) -> BTreeSet<(Store, Store)> {
    let reached = cutoff.reached.iter().filter(|state| state.n_threads <= n);
    reached.map(|state| (state.shared.clone(), state.local.clone())).collect()
}

/// Asks the coverability engine about every thread state that it can name.
fn check_coverable(
    program: &dyn ThreadProgram,
    reached: &BTreeSet<(Store, Store)>,
    tally: &mut Tally,
) -> Result<(), String> {
    let lowered = lower(program, ThreadCount::Any, Gaps::Passed, &Limits::none())
        .map_err(|reason| format!("not lowered: {reason:?}"))?;
    for (control, shared) in (0..).map(ControlId).zip(&lowered.shared) {
        for (counter, local) in (0..).map(CounterId).zip(&lowered.local) {
            tally.n_thread_states += 1;
            let mut system = lowered.system.clone();
            let zone = Zone { control, bounds: vec![(counter, Bounds::at_least(1))] };
            system.targets = vec![Target { name: String::new(), span: None, zone }];
            let problem = Problem::Counters(&system);
            let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
            let asked = ThreadCount::Any;
            let engine = Engine::Backward;
            let answer =
                engine::coverability::check(problem, asked, engine, Context::silent(&limits))
                    .verdict;
            let is_reached = reached.contains(&(shared.clone(), local.clone()));
            match (&answer, is_reached) {
                (Verdict::Violated(_), true) | (Verdict::Holds(_), false) => {}
                _ => return Err(format!("({shared:?}, {local:?}): {is_reached}, but {answer:?}")),
            }
        }
    }
    Ok(())
}
