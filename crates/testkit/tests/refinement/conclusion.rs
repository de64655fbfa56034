//! Rule (7): where the implementation refines a specification whose threads have no error, a
//! naive search with few threads of the implementation finds none.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use engine::Engine;
use model::{Context, Limits, Problem, Refinement, ThreadCount, Verdict};
use testkit::random::refinement::{RandomPair, pair};
use testkit::reference::ReferenceAnswer;
use testkit::reference::explicit::{Caps, with_threads};
use testkit::rng::Rng;

use crate::{answer, question, seeds};

const DEFAULT_SEEDS: u64 = 1500;
const MAX_THREADS: u32 = 3;
const CAPS: Caps = Caps { states: 20_000, counts: 8, initial: MAX_THREADS };

#[derive(Debug, Default)]
struct Tally {
    /// All three lines of the rule.
    n_concluded: u64,
    /// And there is something in the implementation that might go wrong.
    n_worth_it: u64,
    /// The implementation's threads fail although the specification's do not: only where it
    /// does not refine.
    n_errors_without_refinement: u64,
    /// Only where targets do not carry over.
    n_errors_not_carried: u64,
}

#[test]
fn what_is_concluded_is_true_of_few_threads() {
    let mut tally = Tally::default();
    for seed in seeds(DEFAULT_SEEDS) {
        let pair = pair(&mut Rng::new(seed));
        if let Err(failure) = judge(&pair, &mut tally) {
            panic!("seed {seed}: {failure}\n{pair:#?}");
        }
    }
    println!("{tally:?}");
    assert!(tally.n_worth_it > 20 && tally.n_errors_without_refinement > 20, "{tally:?}");
    assert!(tally.n_errors_not_carried > 0, "{tally:?}");
}

fn judge(pair: &RandomPair, tally: &mut Tally) -> Result<(), String> {
    if !is_safe(pair)? {
        return Ok(());
    }
    let question = question(pair);
    let refines = matches!(answer(&question), Refinement::Refines(_));
    let carries_over = certify::carries_over(&question).is_ok();
    let fails = (1..=MAX_THREADS).any(|n| {
        let found = with_threads(&pair.implementation, n, CAPS);
        matches!(found, ReferenceAnswer::Reachable { .. })
    });
    match (refines, carries_over, fails) {
        (true, true, true) => Err("concluded, and wrong".to_owned()),
        (true, true, false) => {
            tally.n_concluded += 1;
            let may_fail = !pair.implementation.shapes.is_empty()
                || pair.implementation.steps.iter().any(|step| step.is_violation);
            tally.n_worth_it += u64::from(may_fail);
            Ok(())
        }
        (false, _, fails) => {
            tally.n_errors_without_refinement += u64::from(fails);
            Ok(())
        }
        (true, false, fails) => {
            tally.n_errors_not_carried += u64::from(fails);
            Ok(())
        }
    }
}

/// Have the specification's threads no error, however many there are?
fn is_safe(pair: &RandomPair) -> Result<bool, String> {
    let problem = Problem::Threads(&pair.specification);
    let asked = ThreadCount::Any;
    let outcome = verify::check(problem, asked, Engine::Backward, Context::silent(&Limits::none()));
    certify::check(problem, asked, &outcome.verdict, &Limits::none())
        .map_err(|rejection| format!("rejected: {rejection}"))?;
    Ok(matches!(outcome.verdict, Verdict::Holds(_)))
}
