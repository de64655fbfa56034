//! C programs for any number of threads against all runs of few: random programs whose `main`
//! creates as many threads as an input says, and the same with 1, 2, 3 and 4 of them.
//!
//! `THREADPROOF_SEEDS` is the number of files, `THREADPROOF_FIRST_SEED` the first of them. A
//! shrunken failure is saved as a program, in the folder that `THREADPROOF_KEEP` names. Without
//! clang the test says that it is skipped.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod ask;
mod judge;
mod tally;
#[path = "../c_differential/toolchain.rs"]
#[allow(dead_code, reason = "native programs are not asked here")]
mod toolchain;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tally::Tally;
use testkit::environment::number_from_environment;
use toolchain::Toolchain;

const N_WORKERS: usize = 2;
/// More would only repeat the first in other words.
const MAX_FAILURES: usize = 3;
/// Files, where the environment does not say how many.
const N_SEEDS: u64 = 12;

#[test]
fn what_holds_of_any_number_holds_of_few() {
    let Some(toolchain) = Toolchain::find() else {
        println!("SKIPPED: clang is not installed, so nothing was compared");
        return;
    };
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", N_SEEDS);
    let next = AtomicU64::new(first);
    let (tally, failures) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let n_failures = failures.lock().expect("no worker panics").len();
                    if seed >= first + n_seeds || n_failures >= MAX_FAILURES {
                        break;
                    }
                    match judge::judge(&toolchain, seed) {
                        Ok(found) => tally.lock().expect("no worker panics").add(&found),
                        Err(failure) => failures.lock().expect("no worker panics").push(failure),
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no worker panics");
    println!("{n_seeds} files, {tally:?}");
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    tally.check(n_seeds).expect("much was compared");
}
