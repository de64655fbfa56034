//! Every engine against the naive references and against the other engines, on
//! thousands of small random systems.
//!
//! `THREADPROOF_SEEDS` is the number of systems, `THREADPROOF_FIRST_SEED` the
//! first of them. A shrunken failure is saved as a file that the command reads, in the
//! folder that `THREADPROOF_KEEP` names.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod judge;
mod tally;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use frontend::Language;
use judge::Judge;
use tally::Tally;
use testkit::environment::number_from_environment;
use testkit::keep::{FailingCase, keep_system};
use testkit::random::{system, tts};
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
    tally.check_cut();
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
    let message = format!("seed {seed}: {}", again.err().unwrap_or(failure));
    let kept = keep_system(&format!("seed-{seed}"), &message, &small);
    Err(format!("{message}\nsmallest: {small:#?}\n{kept}"))
}

fn judge_text(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let text = tts::random(&mut Rng::new(seed));
    let texts = Texts::new(Language::Tts, "random.tts", &text.text);
    let model = texts.with_property(&text.property).with_init(&text.init).load()?;
    Judge::new(seed).judge(model.problem(), tally).map_err(|failure| {
        let message = format!("seed {seed}: {failure}");
        let kept = FailingCase {
            name: &format!("seed-{seed}"),
            extension: "tts",
            comment: "#",
            message: &message,
            arguments: "",
            text: &format!("{}# init: {}\n{}\n", text.text, text.init, text.property),
        }
        .keep();
        format!("{message}\n{text:#?}\n{kept}")
    })
}
