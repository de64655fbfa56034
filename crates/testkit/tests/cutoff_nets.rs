//! Nets as threads: the translation covers what the net covers, and its runs are
//! runs of the net, on random nets with and without transfers.
//!
//! `THREADPROOF_SEEDS` is the number of nets, `THREADPROOF_FIRST_SEED` the first.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::time::{Duration, Instant};

use engine::Engine;
use engine::cutoff::net::NetThreads;
use model::{Context, CounterSystem, Limits, Problem, StopReason, ThreadCount, Trace, Verdict};
use testkit::environment::number_from_environment;
use testkit::keep::keep_system;
use testkit::random::System;
use testkit::random::counters::{Features, random};
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 300;
/// Far more than these nets need.
const TIME_PER_RUN: Duration = Duration::from_secs(3);

/// What came of the nets.
#[derive(Debug, Default)]
struct Tally {
    n_covered: u64,
    n_safe: u64,
    n_refused: u64,
    n_undecided: u64,
}

#[test]
fn nets_and_their_threads_have_the_same_answers() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let mut tally = Tally::default();
    for seed in first..first + n_seeds {
        let features = match seed % 8 {
            0..3 => Features::PLAIN,
            3..5 => Features::NET,
            5..7 => Features::TRANSFERS,
            _ => Features::ALL,
        };
        let net = random(&mut Rng::new(seed), features);
        if let Err(failure) = judge(&net, &mut tally) {
            let message = format!("seed {seed}: {failure}");
            let system = System::Counters(net.clone());
            let kept = keep_system(&format!("cutoff-nets-seed-{seed}"), &message, &system);
            panic!("{message}\n{net:#?}\n{kept}");
        }
    }
    println!("{tally:?}");
    let n_decided = tally.n_covered + tally.n_safe;
    assert!(tally.n_undecided * 50 <= n_decided, "{tally:?}");
    assert!(tally.n_covered * 4 > n_decided && tally.n_safe * 4 > n_decided, "{tally:?}");
}

fn judge(net: &CounterSystem, tally: &mut Tally) -> Result<(), String> {
    let is_bounded = net.transitions.iter().any(|transition| transition.has_upper_bounds())
        || net.targets.iter().any(|target| !target.zone.is_upward_closed());
    let threads = match NetThreads::new(net) {
        Ok(threads) if !is_bounded => threads,
        Err(StopReason::Unsupported { .. }) if is_bounded => {
            tally.n_refused += 1;
            return Ok(());
        }
        Ok(_) => return Err("upper bounds are translated".to_owned()),
        Err(reason) => return Err(format!("refused: {reason:?}")),
    };
    let of_net = believed(Problem::Counters(net))?;
    let of_threads = believed(Problem::Threads(&threads))?;
    match (&of_net, &of_threads) {
        (Verdict::Violated(_), Verdict::Violated(Trace::Threads(trace))) => {
            tally.n_covered += 1;
            let run = threads.counter_trace(trace);
            let run = run.ok_or_else(|| format!("no run of the net: {trace:#?}"))?;
            let retold = Verdict::Violated(Trace::Counters(run));
            certified(Problem::Counters(net), &retold)
        }
        (Verdict::Holds(_), Verdict::Holds(_)) => {
            tally.n_safe += 1;
            Ok(())
        }
        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => {
            tally.n_undecided += 1;
            Ok(())
        }
        _ => Err(format!("the net: {of_net:#?}\nits threads: {of_threads:#?}")),
    }
}

/// The answer for any number of threads, re-checked.
fn believed(problem: Problem<'_>) -> Result<Verdict, String> {
    let verdict = engine::coverability::check(
        problem,
        ThreadCount::Any,
        Engine::Auto,
        Context::silent(&limits()),
    )
    .verdict;
    certified(problem, &verdict)?;
    Ok(verdict)
}

fn certified(problem: Problem<'_>, verdict: &Verdict) -> Result<(), String> {
    let checked = certify::check(problem, ThreadCount::Any, verdict, &limits());
    checked.map(|_| ()).map_err(|rejection| format!("rejected: {rejection}\n{verdict:#?}"))
}

fn limits() -> Limits {
    Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() }
}
