//! The machine against the processor: random C, compiled and run both ways.
//!
//! `THREADPROOF_SEEDS` is the number of files of each kind, `THREADPROOF_FIRST_SEED`
//! the first of them. A shrunken failure is saved as a program, in the folder that
//! `THREADPROOF_KEEP` names. Without clang the tests say that they are skipped.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod addresses;
mod batch;
mod concurrent;
mod endings;
mod explore;
mod handed;
mod inputs;
mod questions;
mod reductions;
mod sequential;
mod sharing;
mod sharing_natively;
mod toolchain;
mod verdict;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use testkit::environment::number_from_environment;
use testkit::keep::FailingCase;
use toolchain::Toolchain;

const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
const TIME_TO_SHRINK: Duration = Duration::from_secs(60);

type Judge = fn(&Toolchain, u64) -> Result<u64, String>;

/// How much a test compares.
#[derive(Clone, Copy)]
struct Amount {
    /// Files, where the environment does not say how many.
    n_seeds: u64,
    /// Comparisons for each file, at the least and on average. About half of what was
    /// measured: a test that compares nothing, or little, is broken.
    floor: u64,
}

/// Few files may have fewer comparisons than the average.
const N_SEEDS_FOR_FLOOR: u64 = 4;

/// Judges all seeds; says how many comparisons were made of what.
fn all_seeds(what: &str, amount: Amount, judge: Judge) {
    let Some(toolchain) = Toolchain::find() else {
        println!("SKIPPED: clang is not installed, so nothing was compared");
        return;
    };
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", amount.n_seeds);
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
    let n_compared = n_compared.into_inner();
    println!("{n_seeds} files, {n_compared} {what}");
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    let floor = amount.floor * n_seeds;
    assert!(
        n_compared >= floor || n_seeds < N_SEEDS_FOR_FLOOR,
        "only {n_compared} {what} in {n_seeds} files, less than {floor}"
    );
}

#[test]
fn functions_compute_what_the_processor_computes() {
    all_seeds(
        "functions compared with the processor",
        Amount { n_seeds: 30, floor: 40 },
        sequential::judge,
    );
}

#[test]
fn outcomes_seen_natively_are_outcomes_of_the_machine() {
    all_seeds(
        "outcomes seen natively and found",
        Amount { n_seeds: 24, floor: 8 },
        concurrent::judge,
    );
}

#[test]
fn reductions_orders_and_jobs_change_no_verdict() {
    all_seeds("verdicts compared", Amount { n_seeds: 8, floor: 100 }, reductions::judge);
}

#[test]
fn invariants_and_formulas_have_one_answer_however_steps_are_joined() {
    all_seeds("answers compared", Amount { n_seeds: 6, floor: 80 }, questions::judge);
}

#[test]
fn races_seen_natively_are_races_of_the_machine() {
    if Toolchain::find().is_some_and(|toolchain| !toolchain.watches_races()) {
        println!("SKIPPED: there is no race detector, so nothing was compared");
        return;
    }
    all_seeds(
        "races seen natively and found",
        Amount { n_seeds: 24, floor: 1 },
        reductions::judge_races,
    );
}

#[test]
fn remembered_addresses_compare_as_an_allocator_lets_them() {
    all_seeds("outcomes compared", Amount { n_seeds: 12, floor: 40 }, addresses::judge);
}

#[test]
fn an_early_end_hides_nothing_in_any_reduction() {
    all_seeds("verdicts compared", Amount { n_seeds: 18, floor: 100 }, endings::judge);
}

#[test]
fn an_error_that_is_found_is_told() {
    all_seeds("verdicts compared", Amount { n_seeds: 4, floor: 8 }, handed::judge);
}

#[test]
fn memory_that_is_shared_and_freed_is_judged_as_by_the_oracle() {
    all_seeds("answers compared", Amount { n_seeds: 4, floor: 200 }, sharing::judge);
    let tally = sharing::TALLY.lock().expect("no worker panics");
    println!("{tally:?}");
    tally.check().expect("all kinds are there");
}

#[test]
fn races_on_memory_that_is_shared_are_races_of_the_oracle() {
    if Toolchain::find().is_some_and(|toolchain| !toolchain.watches_races()) {
        println!("SKIPPED: there is no race detector, so nothing was compared");
        return;
    }
    all_seeds(
        "programs watched natively",
        Amount { n_seeds: 2, floor: 3 },
        sharing_natively::judge,
    );
}

#[test]
fn inputs_lead_to_what_trying_all_of_them_shows() {
    all_seeds("verdicts compared", Amount { n_seeds: 8, floor: 80 }, inputs::judge);
}

/// Do two failures begin in the same way, up to the first number?
fn is_alike(one: &str, other: &str) -> bool {
    let start =
        |text: &str| text.chars().take_while(|c| !c.is_ascii_digit()).take(40).collect::<String>();
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

/// A failure with its program, saved where the environment says. A failure that begins with
/// a property and a way to search has the command that shows it.
fn told(message: &str, text: &str) -> String {
    let (origin, why) = message.split_once(": ").unwrap_or((message, ""));
    let mut words = why.split(' ');
    let property = words.next().filter(|word| word.contains('-'));
    let way = (words.next() == Some("with")).then(|| words.next()).flatten();
    let way = way.filter(|way| ["none", "global", "superstep", "auto"].contains(way));
    let asked = property.map(|name| format!("--property {name} ")).unwrap_or_default();
    let joined = way.map(|way| format!("--reduction {way}")).unwrap_or_default();
    let kept = FailingCase {
        name: &format!("c-{}", origin.replace(' ', "-")),
        extension: "c",
        comment: "//",
        message,
        arguments: &format!("{asked}{joined}"),
        text,
    }
    .keep();
    format!("{message}\n{text}\n{kept}")
}
