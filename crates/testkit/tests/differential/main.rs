//! Every engine against the naive references and against the other engines, on
//! thousands of small random systems.
//!
//! `THREADPROOF_SEEDS` is the number of systems, `THREADPROOF_FIRST_SEED` the
//! first of them. With `THREADPROOF_KEEP` set to a folder, a shrunken failure is
//! saved there as well as shown.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod judge;
mod tally;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use frontend::{Language, Model};
use judge::Judge;
use model::Problem;
use tally::Tally;
use testkit::environment::number_from_environment;
use testkit::random::{System, system, tts};
use testkit::rng::Rng;
use testkit::shrink::shrink;
use testkit::texts::Texts;

const DEFAULT_SEEDS: u64 = 3_000;
const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
const TIME_TO_SHRINK: Duration = Duration::from_secs(10);

#[test]
fn every_engine_agrees_with_the_references_on_random_systems() {
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
                tally.lock().expect("no worker panics").add(&own);
            });
        }
    });
    let tally = tally.into_inner().expect("no worker panics");
    println!("{tally}");
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    if n_seeds >= 1_000 {
        tally.check_mix();
    }
}

/// One seed in eight is a `.tts` text, so that the front end is judged as well.
fn judge_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    if seed % 8 == 7 {
        return judge_text(seed, tally);
    }
    let system = system(seed);
    let Err(failure) = Judge::new(seed).judge(system.problem(), tally) else { return Ok(()) };
    let mut scratch = Tally::default();
    let started = Instant::now();
    let small = shrink(&system, &mut |s| {
        started.elapsed() < TIME_TO_SHRINK
            && Judge::new(seed).judge(s.problem(), &mut scratch).is_err()
    });
    let again = Judge::new(seed).judge(small.problem(), &mut scratch);
    let message = again.err().unwrap_or(failure);
    keep(seed, &small, &message);
    Err(format!("seed {seed}: {message}\nsmallest: {small:#?}{}", as_spec(&small)))
}

fn judge_text(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let text = tts::random(&mut Rng::new(seed));
    let texts = Texts::new(Language::Tts, "random.tts", &text.text);
    let model = texts.with_property(&text.property).with_init(&text.init).load()?;
    Judge::new(seed)
        .judge(model.problem(), tally)
        .map_err(|failure| format!("seed {seed}: {failure}\n{text:#?}"))
}

fn as_spec(system: &System) -> String {
    let System::Counters(counters) = system else { return String::new() };
    match frontend::convert(&Model::Counters(counters.clone()), Language::Spec) {
        Ok(converted) => format!("\nas .spec:\n{}", converted.text),
        Err(_) => String::new(),
    }
}

fn keep(seed: u64, system: &System, message: &str) {
    let Some(folder) = std::env::var_os("THREADPROOF_KEEP") else { return };
    let reachable = match system.problem() {
        Problem::Counters(_) => as_spec(system),
        _ => String::new(),
    };
    let text = format!("seed {seed}: {message}\n{system:#?}{reachable}\n");
    let path = Path::new(&folder).join(format!("seed-{seed}.txt"));
    if let Err(error) = std::fs::write(&path, text) {
        println!("{} was not written: {error}", path.display());
    }
}
