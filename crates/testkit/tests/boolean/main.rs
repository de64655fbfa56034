//! Random Boolean programs: what the reference finds when it runs them as they are written,
//! against every engine, with and without reductions, and after printing.
//!
//! `THREADPROOF_SEEDS` is the number of programs, `THREADPROOF_FIRST_SEED` the first of
//! them. A failing program is made small, shown, and saved in the folder that
//! `THREADPROOF_KEEP` names.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod judge;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use judge::{Judge, Tally};
use testkit::environment::number_from_environment;
use testkit::keep::FailingCase;
use testkit::random::boolean_program::{RandomText, random};

const DEFAULT_SEEDS: u64 = 250;
const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
const TIME_TO_SHRINK: Duration = Duration::from_secs(20);
/// A program that takes longer is told.
const LONG: Duration = Duration::from_secs(20);
/// In a long run, a line after so many programs.
const SEEDS_PER_LINE: u64 = 500;

#[test]
fn every_engine_agrees_with_programs_run_as_they_are_written() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let (next, started) = (AtomicU64::new(first), Instant::now());
    let tally = Mutex::new(Tally::default());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                let mut own = Tally::default();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let n_failures = failures.lock().expect("no worker panics").len();
                    if seed >= first + n_seeds || n_failures >= MAX_FAILURES {
                        break;
                    }
                    if (seed - first).is_multiple_of(SEEDS_PER_LINE) && seed > first {
                        println!("{} programs, {:.0?}", seed - first, started.elapsed());
                    }
                    if let Err(failure) = judge_seed(seed, &mut own) {
                        println!("{failure}");
                        failures.lock().expect("no worker panics").push(failure);
                    }
                }
                tally.lock().expect("no worker panics").add(&own);
            });
        }
    });
    let tally = tally.into_inner().expect("no worker panics");
    println!("{tally}");
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    tally.check_cut();
    if n_seeds >= DEFAULT_SEEDS {
        tally.check_mix();
    }
}

fn judge_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let program = random(seed);
    let judge = Judge { seed };
    let started = Instant::now();
    let judged = judge.judge(&program, tally);
    if started.elapsed() > LONG {
        println!("seed {seed} takes {:.0?}", started.elapsed());
    }
    let Err(failure) = judged else { return Ok(()) };
    let small = shrink(&judge, &program);
    let again = judge.judge(&small, &mut Tally::default());
    let message = format!("seed {seed}: {}", again.err().unwrap_or(failure));
    let kept = FailingCase {
        name: &format!("boolean-seed-{seed}"),
        extension: "bp",
        comment: "//",
        message: &message,
        arguments: "",
        text: &small.text(),
    }
    .keep();
    Err(format!("{message}\nsmallest:\n{}\n{kept}", small.text()))
}

/// A smaller program that fails in some way as well, and is one still.
fn shrink(judge: &Judge, program: &RandomText) -> RandomText {
    let started = Instant::now();
    let mut current = program.clone();
    let fails = |program: &RandomText| {
        started.elapsed() < TIME_TO_SHRINK
            && judge::is_program(&program.text())
            && judge.judge(program, &mut Tally::default()).is_err()
    };
    while let Some(smaller) = current.smaller().into_iter().find(&fails) {
        current = smaller;
    }
    current
}
