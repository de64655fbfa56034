//! What is said of any number of elements, against instances with one to five of them: on
//! random Murphi models, and on those below `cases/murphi/any`.
//!
//! `THREADPROOF_SEEDS` is the number of models, `THREADPROOF_FIRST_SEED` the first
//! of them. A shrunken failure is saved as a model, in the folder that `THREADPROOF_KEEP`
//! names.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod borrowed;
mod forge;
mod instances;
mod judge;
mod tally;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use forge::Forged;
use frontend::Language;
use judge::judge;
use tally::Tally;
use testkit::environment::number_from_environment;
use testkit::keep::FailingCase;
use testkit::random::murphi_any::{AnyModel, random};
use testkit::rng::Rng;
use testkit::texts::Texts;

const DEFAULT_SEEDS: u64 = 150;
const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
const TIME_TO_SHRINK: Duration = Duration::from_secs(60);
/// States of the instances that claims are chosen by.
const MAX_STATES_TO_CHOOSE: usize = 1_000;

#[test]
fn no_instance_refutes_what_is_proved_of_any_number() {
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
    if n_seeds >= 100 {
        tally.check_mix();
    }
}

/// How many models proofs are forged of.
const DEFAULT_SEEDS_TO_FORGE: u64 = 60;

#[test]
fn forged_proofs_about_any_number_are_rejected() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS_TO_FORGE);
    let mut forged = Forged::default();
    for seed in first..first + n_seeds {
        let mut rng = Rng::new(seed);
        let model = random(&mut rng);
        let failed = forge_seed(&model, &mut rng, &mut forged);
        failed.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    println!("{forged:?}");
    let Forged { n_lacking, n_changed, n_misplaced, .. } = forged;
    let least = n_seeds * 3 / 4;
    assert!(n_lacking >= least && n_changed >= least && n_misplaced >= least, "{forged:?}");
}

fn forge_seed(model: &AnyModel, rng: &mut Rng, forged: &mut Forged) -> Result<(), String> {
    let bundles = bundles(model, rng)?;
    let Some(right) = bundles.right.first() else { return Ok(()) };
    let text = model.with(right);
    let Some(family) = judge::family(&text)? else { return Ok(()) };
    for (system, proof) in forge::proofs(&family)? {
        forge::forge((system, &proof), rng, forged).map_err(|error| format!("{error}\n{text}"))?;
        let Some(wrong) = &bundles.wrong else { continue };
        let text = model.with(wrong);
        if let Some(wrong) = judge::family(&text)? {
            forge::misplace(&proof, &wrong, forged).map_err(|error| format!("{error}\n{text}"))?;
        }
    }
    Ok(())
}

/// Each of these is true, or false of some number of elements, for a reason of its own.
#[test]
fn no_instance_refutes_what_is_proved_of_the_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/murphi/any");
    let folder = std::env::var_os("THREADPROOF_FOLDER").map_or(root, PathBuf::from);
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for path in testkit::case::files(&folder) {
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        if let Err(failure) = judge(&text, &mut tally) {
            failures.push(format!("{}: {failure}", path.display()));
        }
    }
    println!("{tally}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(tally.n_refused == 0 && tally.n_models > 0, "cases are accepted: {tally}");
}

/// Claims are judged in two bundles: those that small instances do not refute, and one that
/// they do.
fn judge_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let model = random(&mut rng);
    let bundles = bundles(&model, &mut rng).map_err(|error| format!("seed {seed}: {error}"))?;
    for claims in bundles.right.iter().chain(&bundles.wrong) {
        judge_text(seed, &model.with(claims), tally)?;
    }
    Ok(())
}

/// Claims by what one and two elements say of them.
struct Bundles {
    right: Vec<Vec<usize>>,
    wrong: Option<Vec<usize>>,
}

fn bundles(model: &AnyModel, rng: &mut Rng) -> Result<Bundles, String> {
    let all: Vec<usize> = (0..model.claims.len()).collect();
    let texts = Texts::new(Language::Murphi, "random.m", &model.with(&all));
    let mut refuted = BTreeSet::new();
    for n in 1..=2 {
        let instance = instances::instance(&texts, n)?;
        if let Some(errors) = instances::errors(&instance, MAX_STATES_TO_CHOOSE) {
            // Properties are numbered as they are written.
            refuted.extend(errors.invariants.into_iter().map(|idx| idx as usize));
        }
    }
    let (wrong, open): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|claim| refuted.contains(claim));
    let right = match rng.chance(50) {
        true => vec![open],
        false => open.chunks(3).map(<[usize]>::to_vec).take(2).collect(),
    };
    let one = rng.below(wrong.len() as u32) as usize;
    Ok(Bundles { right, wrong: wrong.get(one).map(|claim| vec![*claim]) })
}

fn judge_text(seed: u64, text: &str, tally: &mut Tally) -> Result<(), String> {
    let Err(failure) = judge(text, tally) else { return Ok(()) };
    if failure.starts_with("mistaken") {
        return Err(format!("seed {seed}: {failure}"));
    }
    let started = Instant::now();
    let mut scratch = Tally::default();
    let small = shrink(text, &mut |smaller| {
        let again = judge(smaller, &mut scratch);
        started.elapsed() < TIME_TO_SHRINK && again.is_err_and(|error| is_alike(&error, &failure))
    });
    let again = judge(&small, &mut scratch);
    let message = format!("seed {seed}: {}", again.err().unwrap_or(failure));
    let name = format!("any-number-seed-{seed}");
    let kept = FailingCase {
        name: &name,
        extension: "m",
        comment: "--",
        message: &message,
        arguments: "--threads any --param P",
        text: &small,
    };
    Err(format!("{message}\n{small}\n{}", kept.keep()))
}

/// Do two failures begin in the same way? A text that is no model any more does not.
fn is_alike(one: &str, other: &str) -> bool {
    let start = |text: &str| text.chars().take(12).collect::<String>();
    start(one) == start(other)
}

/// Leaves out stretches of lines, long ones first, while the failure persists.
fn shrink(text: &str, fails: &mut dyn FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut length = lines.len() / 2;
    while length > 0 {
        let mut start = 0;
        let mut is_smaller = false;
        while start + length <= lines.len() {
            let shorter = [&lines[..start], &lines[start + length..]].concat();
            if fails(&shorter.join("\n")) {
                lines = shorter;
                is_smaller = true;
            } else {
                start += 1;
            }
        }
        length = if is_smaller { length } else { length - 1 }.min(lines.len());
    }
    lines.join("\n")
}
