//! Rule (4): where two implementations refine specifications that have no error side by side, a
//! naive search with one thread of each implementation finds none.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use engine::Engine;
use model::{
    Context, Limits, Problem, Refinement, SideBySide, ThreadCount, ThreadProgram, Verdict,
};
use testkit::random::refinement::{RandomPair, two_pairs};
use testkit::reference::ReferenceAnswer;
use testkit::reference::explicit::{Caps, with_threads};
use testkit::reference::side_by_side::nearest_error;
use testkit::rng::Rng;

use crate::{answer, question, seeds};

const DEFAULT_SEEDS: u64 = 2500;
const CAPS: Caps = Caps { states: 20_000, counts: 8, initial: 2 };

#[derive(Debug, Default)]
struct Tally {
    /// Specifications side by side that have an error, and that have none.
    n_violated: u64,
    n_safe: u64,
    /// All four lines of the rule.
    n_concluded: u64,
    /// And there is something in the implementations that might go wrong.
    n_worth_it: u64,
    /// And it does go wrong with two threads of one of them: the other rule says nothing.
    n_beyond_one_program: u64,
    /// The implementations fail although the specifications do not: only where one of them
    /// does not refine.
    n_errors_without_refinement: u64,
    /// Only where targets do not carry over.
    n_errors_not_carried: u64,
    /// They start together in a store that is not the first of all.
    n_other_starts: u64,
}

#[test]
fn what_is_concluded_is_true_of_one_thread_of_each() {
    let mut tally = Tally::default();
    for seed in seeds(DEFAULT_SEEDS) {
        let pairs = two_pairs(&mut Rng::new(seed));
        if let Err(failure) = judge(&pairs, &mut tally) {
            panic!("seed {seed}: {failure}\n{pairs:#?}");
        }
    }
    println!("{tally:?}");
    assert!(tally.n_worth_it > 20 && tally.n_beyond_one_program > 5, "{tally:?}");
    assert!(tally.n_violated > 20 && tally.n_errors_without_refinement > 20, "{tally:?}");
    assert!(tally.n_errors_not_carried > 0 && tally.n_other_starts > 5, "{tally:?}");
}

fn judge(pairs: &[RandomPair; 2], tally: &mut Tally) -> Result<(), String> {
    let is_safe = is_safe(pairs)?;
    tally.n_safe += u64::from(is_safe);
    tally.n_violated += u64::from(!is_safe);
    if !is_safe {
        return Ok(());
    }
    let questions = [question(&pairs[0]), question(&pairs[1])];
    let refine = questions.iter().all(|q| matches!(answer(q), Refinement::Refines(_)));
    let carries_over = certify::carries_over_side_by_side(&questions).is_ok();
    let [first, second] = questions.map(|question| question.implementation);
    let fails = nearest_error([first, second]).is_some();
    match (refine, carries_over, fails) {
        (true, true, true) => return Err("concluded, and wrong".to_owned()),
        (true, true, false) => count_conclusion(pairs, tally),
        (false, _, fails) => tally.n_errors_without_refinement += u64::from(fails),
        (true, false, fails) => tally.n_errors_not_carried += u64::from(fails),
    }
    Ok(())
}

fn count_conclusion(pairs: &[RandomPair; 2], tally: &mut Tally) {
    tally.n_concluded += 1;
    let may_fail = pairs.iter().any(|pair| {
        !pair.implementation.shapes.is_empty()
            || pair.implementation.steps.iter().any(|step| step.is_violation)
    });
    tally.n_worth_it += u64::from(may_fail);
    let is_wrong_alone = pairs.iter().any(|pair| {
        let found = with_threads(&pair.implementation, 2, CAPS);
        matches!(found, ReferenceAnswer::Reachable { .. })
    });
    tally.n_beyond_one_program += u64::from(is_wrong_alone);
    let starts = |pair: &RandomPair| pair.implementation.initial_shared.contains(&1);
    tally.n_other_starts += u64::from(pairs.iter().all(starts));
}

/// Have the specifications side by side no error? Engine, re-check and naive search must say
/// the same.
fn is_safe(pairs: &[RandomPair; 2]) -> Result<bool, String> {
    let programs: [&dyn ThreadProgram; 2] = [&pairs[0].specification, &pairs[1].specification];
    let side_by_side = SideBySide::new(programs, ["F1", "F2"])?;
    let problem = Problem::Threads(&side_by_side);
    let asked = ThreadCount::Any;
    let expected = nearest_error(programs);
    for engine in [Engine::Backward, Engine::Auto] {
        let outcome = verify::check(problem, asked, engine, Context::silent(&Limits::none()));
        certify::check(problem, asked, &outcome.verdict, &Limits::none())
            .map_err(|rejection| format!("rejected: {rejection}"))?;
        let is_error = match &outcome.verdict {
            Verdict::Holds(_) => false,
            Verdict::Violated(_) => true,
            Verdict::Unknown(reason) => return Err(format!("unknown: {reason:?}")),
        };
        if is_error != expected.is_some() {
            return Err(format!("{} is not naive {expected:?}", outcome.engine));
        }
    }
    Ok(expected.is_none())
}
