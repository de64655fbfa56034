//! Answers that were tampered with do not stand up.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use model::{Limits, NotAllowed, Refinement, RefinementQuestion, StepError, Store};
use testkit::random::refinement::pair;
use testkit::reference::refinement::shortest_failure;
use testkit::rng::Rng;

use crate::{answer, question, seeds};

const DEFAULT_SEEDS: u64 = 600;

#[derive(Debug, Default)]
struct Tally {
    n_relations: u64,
    n_relations_rejected: u64,
    n_failures: u64,
    n_failures_rejected: u64,
}

fn is_believed(question: &RefinementQuestion<'_>, answer: &Refinement) -> bool {
    certify::check_refinement(question, answer, &Limits::none()).is_ok()
}

#[test]
fn changed_answers_are_rejected_unless_they_are_true() {
    let mut tally = Tally::default();
    for seed in seeds(DEFAULT_SEEDS) {
        let mut rng = Rng::new(seed);
        let pair = pair(&mut rng);
        let question = question(&pair);
        let refines = shortest_failure(&question).is_none();
        let told = answer(&question);
        for _ in 0..8 {
            let changed = corrupted(&mut rng, &told);
            let is_believed = is_believed(&question, &changed);
            match &changed {
                Refinement::Refines(_) => {
                    assert!(refines || !is_believed, "seed {seed}: {changed:#?}\n{pair:#?}");
                    tally.n_relations += 1;
                    tally.n_relations_rejected += u64::from(!is_believed);
                }
                Refinement::Fails(_) => {
                    assert!(!refines || !is_believed, "seed {seed}: {changed:#?}\n{pair:#?}");
                    assert!(!is_believed || changed == told || is_another_run(&changed, &told));
                    tally.n_failures += 1;
                    tally.n_failures_rejected += u64::from(!is_believed);
                }
                Refinement::Unknown { .. } => {}
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.n_relations_rejected * 3 > tally.n_relations, "{tally:?}");
    assert!(tally.n_failures_rejected * 3 > tally.n_failures * 2, "{tally:?}");
}

/// A change may give another run that fails as well: then what it says differs.
fn is_another_run(changed: &Refinement, told: &Refinement) -> bool {
    let (Refinement::Fails(changed), Refinement::Fails(told)) = (changed, told) else {
        return false;
    };
    (&changed.shared, &changed.local, &changed.steps, &changed.not_allowed)
        != (&told.shared, &told.local, &told.steps, &told.not_allowed)
}

/// An answer of the other kind can never be believed; here one of the same kind is changed.
fn corrupted(rng: &mut Rng, told: &Refinement) -> Refinement {
    let mut changed = told.clone();
    match &mut changed {
        Refinement::Refines(relation) => match rng.below(3) {
            0 if !relation.pairs.is_empty() => {
                relation.pairs.remove(rng.below(relation.pairs.len() as u32) as usize);
            }
            1 => {
                if let Some(pair) = relation.pairs.first_mut() {
                    pair.specification.push(Some(Store::new(&[9])));
                }
            }
            _ => {
                let n_pairs = relation.pairs.len() as u32;
                if let Some(pair) = relation.pairs.get_mut(rng.below(n_pairs) as usize) {
                    pair.specification.pop();
                }
            }
        },
        Refinement::Fails(failure) => match rng.below(5) {
            0 => {
                failure.steps.pop();
            }
            1 => failure.specification.push(None),
            2 => {
                failure.allowed.pop();
            }
            3 => failure.not_allowed = NotAllowed::Error(StepError::assertion("made up")),
            _ => {
                let n_steps = failure.steps.len() as u32;
                if let Some(step) = failure.steps.get_mut(rng.below(n_steps) as usize) {
                    step.after = Store::new(&[rng.below(3) as u8]);
                    step.before = Store::new(&[rng.below(3) as u8]);
                }
            }
        },
        Refinement::Unknown { .. } => {}
    }
    changed
}
