//! Random programs that call themselves and touch what is shared: what is proved thread by
//! thread, and what is found, against runs of the program as it is written.
//!
//! The reference works on the syntax tree with stacks of bounded depth and few threads, so it
//! can refute a proof and confirm an error, and decides only where recursion ends.
//! `THREADPROOF_SEEDS` is the number of programs, `THREADPROOF_FIRST_SEED` the first.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

mod corruption;
mod judge;

use judge::{Tally, judge};
use testkit::environment::number_from_environment;
use testkit::keep::FailingCase;
use testkit::random::boolean_program::{RandomText, random_recursive};

const DEFAULT_SEEDS: u64 = 150;
/// Programs that are tried to make one smaller.
const MAX_SHRINKS: usize = 300;

#[test]
fn nothing_is_proved_that_runs_refute() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let mut tally = Tally::default();
    for seed in first..first + n_seeds {
        let program = random_recursive(seed);
        if let Err(failure) = judge(&program.text(), seed, &mut tally) {
            panic!("{}", told(seed, &program, &failure));
        }
    }
    println!("{tally}");
    if n_seeds >= DEFAULT_SEEDS {
        tally.check_mix();
    }
}

/// A failure with the smallest program that shows one.
fn told(seed: u64, program: &RandomText, failure: &str) -> String {
    let mut current = program.clone();
    let mut n_tried = 0;
    let mut fails = |program: &RandomText| {
        n_tried += 1;
        n_tried < MAX_SHRINKS
            && judge::is_program(&program.text())
            && judge(&program.text(), seed, &mut Tally::default()).is_err()
    };
    while let Some(smaller) = current.smaller().into_iter().find(&mut fails) {
        current = smaller;
    }
    let again = judge(&current.text(), seed, &mut Tally::default());
    let message = format!("seed {seed}: {}", again.err().unwrap_or_else(|| failure.to_owned()));
    let kept = FailingCase {
        name: &format!("recursion-seed-{seed}"),
        extension: "bp",
        comment: "//",
        message: &message,
        arguments: "",
        text: &current.text(),
    }
    .keep();
    format!("{message}\nsmallest:\n{}\n{kept}", current.text())
}
