//! The machine against the processor: random C, compiled and run both ways.
//!
//! `THREADPROOF_SEEDS` is the number of files of each kind, `THREADPROOF_FIRST_SEED`
//! the first of them. With `THREADPROOF_KEEP` set to a folder, a shrunken failure is
//! saved there as well as shown. Without clang the tests say that they are skipped.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod batch;
mod concurrent;
mod explore;
mod questions;
mod reductions;
mod sequential;
mod toolchain;
mod verdict;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use testkit::environment::number_from_environment;
use toolchain::Toolchain;

const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
const TIME_TO_SHRINK: Duration = Duration::from_secs(60);

type Judge = fn(&Toolchain, u64) -> Result<u64, String>;

/// Judges all seeds; says how many comparisons were made of what.
fn all_seeds(what: &str, default: u64, judge: Judge) {
    let Some(toolchain) = Toolchain::find() else {
        println!("SKIPPED: clang is not installed, so nothing was compared");
        return;
    };
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", default);
    let (next, n_compared) = (AtomicU64::new(first), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let n_failures = failures.lock().expect("no worker panics").len();
                    if seed >= first + n_seeds || n_failures >= MAX_FAILURES {
                        break;
                    }
                    match judge(&toolchain, seed) {
                        Ok(n) => drop(n_compared.fetch_add(n, Ordering::Relaxed)),
                        Err(failure) => failures.lock().expect("no worker panics").push(failure),
                    }
                }
            });
        }
    });
    println!("{n_seeds} files, {} {what}", n_compared.into_inner());
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn functions_compute_what_the_processor_computes() {
    all_seeds("functions compared with the processor", 3, sequential::judge);
}

#[test]
fn outcomes_seen_natively_are_outcomes_of_the_machine() {
    all_seeds("outcomes seen natively and found", 2, concurrent::judge);
}

#[test]
fn reductions_orders_and_jobs_change_no_verdict() {
    all_seeds("verdicts compared", 1, reductions::judge);
}

#[test]
fn invariants_and_formulas_have_one_answer_however_steps_are_joined() {
    all_seeds("answers compared", 1, questions::judge);
}

#[test]
fn races_seen_natively_are_races_of_the_machine() {
    all_seeds("races seen natively and found", 1, reductions::judge_races);
}

/// Do two failures begin in the same way?
fn is_alike(one: &str, other: &str) -> bool {
    let start = |text: &str| text.chars().take(18).collect::<String>();
    start(one) == start(other)
}

/// Leaves out stretches of lines, long ones first, while the failure persists.
fn shrink(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let started = Instant::now();
    let mut lines: Vec<&str> = text.lines().collect();
    let mut length = lines.len() / 2;
    while length > 0 && started.elapsed() < TIME_TO_SHRINK {
        let mut start = 0;
        let mut is_smaller = false;
        while start + length <= lines.len() && started.elapsed() < TIME_TO_SHRINK {
            let shorter = [&lines[..start], &lines[start + length..]].concat();
            if fails(&shorter.join("\n")) {
                lines = shorter;
                is_smaller = true;
            } else {
                start += length.div_ceil(2);
            }
        }
        length = if is_smaller { length.min(lines.len()) } else { length / 2 };
    }
    lines.join("\n")
}

/// A failure with its program, saved where the environment says.
fn told(message: &str, text: &str) -> String {
    if let Some(folder) = std::env::var_os("THREADPROOF_KEEP") {
        let name: String = message
            .chars()
            .take_while(|&c| c != ':')
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let path = Path::new(&folder).join(format!("c-{name}.c"));
        if let Err(error) = std::fs::write(&path, format!("// {message}\n{text}\n")) {
            println!("{} was not written: {error}", path.display());
        }
    }
    format!("{message}\n{text}")
}
