//! Drivers that are made to have a known verdict have it: small ones, so that all their
//! states can be gone through. The engine that keeps sets of states agrees, for any number
//! of threads.

use std::time::{Duration, Instant};

use engine::Engine;
use engine::cutoff::{CutoffOptions, detect};
use frontend::Language;
use model::{Context, CutoffEnd, Limits, Problem, ThreadCount, Verdict};
use testkit::random::driver::{Driver, Size, driver};
use testkit::texts::Texts;

const SIZE: Size = Size { statements: 110, functions: 2, predicates: 2 };
/// Every fault twice, and as many programs without one.
const N_SEEDS: u64 = 28;
/// None needs a tenth of this.
const TIME_PER_RUN: Duration = Duration::from_secs(60);

#[test]
fn drivers_fail_with_as_many_threads_as_they_say_and_no_fewer() {
    for seed in 0..N_SEEDS {
        let driver = driver(seed, Some(SIZE));
        let any = (ThreadCount::Any, Engine::Symbolic);
        assert_eq!(decided(&driver, any), driver.fault.is_some(), "seed {seed}:\n{}", driver.text);
        match driver.fault {
            None => {
                // Threads are told apart by what they took, if at all.
                let one_by_one = (ThreadCount::Any, Engine::ThreadModular);
                assert!(!decided(&driver, one_by_one), "seed {seed}");
                let cutoff = cutoff(&driver);
                assert!(cutoff <= driver.kit.cutoff(), "seed {seed}: {cutoff}\n{}", driver.text);
                assert!(!fails(&driver, cutoff), "seed {seed}:\n{}", driver.text);
            }
            Some(fault) => {
                let n = fault.n_threads();
                assert!(fails(&driver, n), "seed {seed}: {fault:?}\n{}", driver.text);
                let fewer = n == 1 || !fails(&driver, n - 1);
                assert!(fewer, "seed {seed}: {fault:?}\n{}", driver.text);
            }
        }
    }
}

/// So many threads reach all thread states, and so all errors.
fn cutoff(driver: &Driver) -> u32 {
    let texts = Texts::new(Language::BooleanProgram, "driver.bp", &driver.text);
    let model = texts.load().expect("drivers are programs");
    let Problem::Threads(program) = model.problem() else { panic!("not a program of threads") };
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let cutoff = detect(program, &CutoffOptions::default(), Context::silent(&limits), &mut |_| {});
    certify::check_cutoff(program, &cutoff, &limits).expect("it stands up");
    assert!(matches!(cutoff.end, CutoffEnd::Found(_)), "no cutoff:\n{}", driver.text);
    cutoff.rounds.last().expect("there was a round").n_threads
}

fn fails(driver: &Driver, n_threads: u32) -> bool {
    decided(driver, (ThreadCount::Exactly(n_threads), Engine::Explicit))
}

/// Can an assertion fail? The answer is re-checked.
fn decided(driver: &Driver, (threads, engine): (ThreadCount, Engine)) -> bool {
    let texts = Texts::new(Language::BooleanProgram, "driver.bp", &driver.text);
    let model = texts.load().expect("drivers are programs");
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let outcome = verify::check(model.problem(), threads, engine, Context::silent(&limits));
    certify::check(model.problem(), threads, &outcome.verdict, &Limits::none())
        .unwrap_or_else(|rejection| panic!("rejected: {rejection}\n{}", driver.text));
    match outcome.verdict {
        Verdict::Holds(_) => false,
        Verdict::Violated(_) => true,
        Verdict::Unknown(reason) => panic!("unknown: {reason:?}\n{}", driver.text),
    }
}
