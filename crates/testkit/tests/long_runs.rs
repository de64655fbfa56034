//! Counterexamples of many thousand steps are found, told, re-checked and shortened in
//! a time that grows with their length, and no limit takes away what was found.

use std::time::{Duration, Instant};

use engine::Engine;
use frontend::Language;
use model::{Context, Limits, Problem, ThreadCount, Trace, Verdict};
use testkit::texts::Texts;

/// A thread walks through `n` local states, one step each, to the error.
fn chain(n: u32) -> String {
    let steps: String = (0..n).map(|at| format!("0 {at} -> 0 {}\n", at + 1)).collect();
    format!("2 {}\n{steps}0 {n} -> 1 0\n1|0\n", n + 1)
}

fn n_steps(text: &str, threads: ThreadCount, time: Duration) -> Result<usize, Box<Verdict>> {
    let model = Texts::new(Language::Tts, "chain.tts", text).load().expect("a model");
    let problem: Problem<'_> = model.problem();
    let limits = Limits { deadline: Some(Instant::now() + time), ..Limits::none() };
    let outcome = verify::check(problem, threads, Engine::Auto, Context::silent(&limits));
    certify::check(problem, threads, &outcome.verdict, &limits).expect("it is accepted");
    match outcome.verdict {
        Verdict::Violated(Trace::Threads(trace)) => Ok(trace.steps.len()),
        verdict => Err(Box::new(verdict)),
    }
}

/// It took many minutes, and then the limit took it away; now it takes seconds.
#[test]
fn a_run_of_twenty_thousand_steps_is_not_given_up() {
    let time = Duration::from_secs(300);
    assert_eq!(n_steps(&chain(20_000), ThreadCount::Any, time), Ok(20_001));
}
