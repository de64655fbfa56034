//! What must not matter does not: the portfolio's answer, its evidence and all
//! its figures are the same with one, two and four threads of its own.

use std::time::{Duration, Instant};

use engine::Engine;
use model::{Context, Limits, Outcome, StopReason, ThreadCount, Verdict};
use testkit::random::{System, system};

const N_SEEDS: u64 = 400;
/// Far above what any of these needs; a run that takes longer is cut off by time,
/// and then may differ.
const TIME: Duration = Duration::from_secs(5);

fn run(system: &System, jobs: usize) -> Outcome {
    let limits = Limits { deadline: Some(Instant::now() + TIME), jobs, ..Limits::none() };
    verify::check(system.problem(), ThreadCount::Any, Engine::Auto, Context::silent(&limits))
}

fn was_cut(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown(StopReason::TimeLimit))
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let mut n_compared = 0;
    for seed in 0..N_SEEDS {
        let system = system(seed);
        let one = run(&system, 1);
        for jobs in [2, 4] {
            let other = run(&system, jobs);
            if !was_cut(&one) && !was_cut(&other) {
                assert_eq!(one, other, "seed {seed}, {jobs} jobs");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > N_SEEDS, "only {n_compared} comparisons");
}
