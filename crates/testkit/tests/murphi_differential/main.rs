//! Machine code against the interpreter, one search against another, symmetry
//! against brute force, formulas against the textbook: on random Murphi models.
//!
//! `THREADPROOF_SEEDS` is the number of models, `THREADPROOF_FIRST_SEED` the first
//! of them. A shrunken failure is saved as a model, in the folder that `THREADPROOF_KEEP`
//! names.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod formulas;
mod graph;
mod judge;
mod lockstep;
mod orbits;
mod tally;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use judge::Subject;
use tally::Tally;
use testkit::environment::number_from_environment;
use testkit::keep::FailingCase;
use testkit::random::murphi::{MurphiText, Style, random};
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 300;
const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
const TIME_TO_SHRINK: Duration = Duration::from_secs(30);

#[test]
fn everything_agrees_on_random_murphi_models() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let next = AtomicU64::new(first);
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
                    if let Err(failure) = judge_seed(seed, &mut own) {
                        failures.lock().expect("no worker panics").push(failure);
                    }
                }
                tally.lock().expect("no worker panics").merge(&own);
            });
        }
    });
    let tally = tally.into_inner().expect("no worker panics");
    println!("{tally}");
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    tally.check_cut();
    if n_seeds >= 200 {
        tally.check_mix();
    }
}

/// Every other model is symmetric in all of its loops.
fn judge_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let style = if seed.is_multiple_of(2) { Style::Any } else { Style::Symmetric };
    let model = random(&mut Rng::new(seed), style);
    let Err(failure) = judge(seed, &model, tally) else { return Ok(()) };
    if failure.starts_with("refused") {
        return Err(format!("seed {seed}: {failure}"));
    }
    let started = Instant::now();
    let mut scratch = Tally::default();
    let small = shrink(&model, &mut |smaller| {
        let again = judge(seed, smaller, &mut scratch);
        started.elapsed() < TIME_TO_SHRINK && again.is_err_and(|error| is_alike(&error, &failure))
    });
    let again = judge(seed, &small, &mut scratch);
    let message = format!("seed {seed}: {}", again.err().unwrap_or(failure));
    Err(format!("{message}\n{}\n{}", small.text, kept(seed, &message, &small.text)))
}

fn judge(seed: u64, model: &MurphiText, tally: &mut Tally) -> Result<(), String> {
    Subject { text: &model.text, propositions: &model.propositions, seed }.judge(tally)
}

/// Do two failures begin in the same way? A text that is no model any more does not.
fn is_alike(one: &str, other: &str) -> bool {
    let start = |text: &str| text.chars().take(14).collect::<String>();
    start(one) == start(other)
}

/// Leaves out stretches of lines, long ones first, while the failure persists.
fn shrink(model: &MurphiText, fails: &mut dyn FnMut(&MurphiText) -> bool) -> MurphiText {
    let mut lines: Vec<String> = model.text.lines().map(str::to_owned).collect();
    let mut length = lines.len() / 2;
    while length > 0 {
        let mut start = 0;
        let mut is_smaller = false;
        while start + length <= lines.len() {
            let shorter = [&lines[..start], &lines[start + length..]].concat();
            let candidate = MurphiText { text: shorter.join("\n"), ..model.clone() };
            if fails(&candidate) {
                lines = shorter;
                is_smaller = true;
            } else {
                start += 1;
            }
        }
        length = if is_smaller { length } else { length - 1 }.min(lines.len());
    }
    MurphiText { text: lines.join("\n"), ..model.clone() }
}

fn kept(seed: u64, message: &str, text: &str) -> String {
    let name = format!("murphi-seed-{seed}");
    let (extension, comment, arguments) = ("m", "--", "");
    FailingCase { name: &name, extension, comment, message, arguments, text }.keep()
}
