//! Refinement between small thread programs: by hand, and random pairs against naive searches.

mod boolean;
mod by_hand;
mod conclusion;
mod corruption;
mod differential;
mod side_by_side;

use engine::refine::refine;
use model::{Context, Limits, Refinement, RefinementQuestion};
use testkit::random::refinement::RandomPair;

/// A number from the environment.
pub use testkit::environment::number_from_environment;

/// The seeds of a test.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    first..first + number_from_environment("THREADPROOF_SEEDS", default)
}

/// The question about a random pair.
pub fn question(pair: &RandomPair) -> RefinementQuestion<'_> {
    RefinementQuestion {
        implementation: &pair.implementation,
        specification: &pair.specification,
        shared: &pair.shared,
        targets: &pair.targets,
    }
}

/// The answer, which must stand up.
pub fn answer(question: &RefinementQuestion<'_>) -> Refinement {
    let answer = refine(question, Context::silent(&Limits::none())).answer;
    if let Err(rejection) = certify::check_refinement(question, &answer, &Limits::none()) {
        panic!("rejected: {rejection}\n{answer:#?}");
    }
    answer
}
