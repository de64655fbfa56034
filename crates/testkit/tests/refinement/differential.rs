//! Random pairs: the answer is that of two naive searches, and failing runs are shortest.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use model::{NotAllowed, Refinement};
use testkit::random::refinement::{RandomPair, pair};
use testkit::reference::refinement::{failure_within, shortest_failure};
use testkit::rng::Rng;

use crate::{answer, question, seeds};

const DEFAULT_SEEDS: u64 = 3000;
/// Runs up to this length are listed one by one.
const MAX_LISTED: usize = 2;

/// What came of the pairs.
#[derive(Debug, Default)]
struct Tally {
    n_refined: u64,
    n_with_larger_sets: u64,
    n_failed: u64,
    n_starts: u64,
    n_errors: u64,
    n_targets: u64,
    n_longer_than_two: u64,
}

#[test]
fn refinement_is_what_naive_searches_say() {
    let mut tally = Tally::default();
    for seed in seeds(DEFAULT_SEEDS) {
        let pair = pair(&mut Rng::new(seed));
        if let Err(failure) = judge(&pair, &mut tally) {
            panic!("seed {seed}: {failure}\n{pair:#?}");
        }
    }
    println!("{tally:?}");
    let n_all = tally.n_refined + tally.n_failed;
    assert!(tally.n_refined * 5 > n_all && tally.n_failed * 5 > n_all, "{tally:?}");
    assert!(tally.n_with_larger_sets * 10 > tally.n_refined, "{tally:?}");
    let kinds = [tally.n_starts, tally.n_errors, tally.n_targets, tally.n_longer_than_two];
    assert!(kinds.iter().all(|n| n * 100 > tally.n_failed), "{tally:?}");
}

fn judge(pair: &RandomPair, tally: &mut Tally) -> Result<(), String> {
    let question = question(pair);
    let answer = answer(&question);
    let text = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
    if serde_json::from_str::<Refinement>(&text).ok().as_ref() != Some(&answer) {
        return Err(format!("read back as something else: {text}"));
    }
    let found = match &answer {
        Refinement::Unknown { reason } => return Err(format!("unknown: {reason:?}")),
        Refinement::Refines(relation) => {
            tally.n_refined += 1;
            let is_larger = relation.pairs.iter().any(|pair| pair.specification.len() > 1);
            tally.n_with_larger_sets += u64::from(is_larger);
            None
        }
        Refinement::Fails(failure) => {
            tally.n_failed += 1;
            tally.n_longer_than_two += u64::from(failure.steps.len() > 2);
            match failure.not_allowed {
                NotAllowed::Start => tally.n_starts += 1,
                NotAllowed::Error(_) => tally.n_errors += 1,
                NotAllowed::Target { .. } => tally.n_targets += 1,
                NotAllowed::Interaction => {}
            }
            Some(failure.steps.len())
        }
    };
    let expected = shortest_failure(&question);
    if found != expected {
        return Err(format!("{found:?}, but by sets {expected:?}: {answer:#?}"));
    }
    let listed = failure_within(&question, MAX_LISTED);
    if listed != expected.filter(|&n_steps| n_steps <= MAX_LISTED) {
        return Err(format!("{found:?}, but run by run {listed:?}: {answer:#?}"));
    }
    Ok(())
}
