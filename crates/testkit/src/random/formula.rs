//! Random formulas whose answers reductions must keep.

use model::Formula;

use crate::rng::Rng;

/// A formula over two propositions, without `X`, of at most so many operators in a row.
pub fn random(rng: &mut Rng, depth: u32) -> Formula {
    let proposition = Formula::Proposition(rng.below(2));
    if depth == 0 {
        return proposition;
    }
    let mut inner = || Box::new(random(rng, depth - 1));
    let (one, other) = (inner(), inner());
    match rng.below(7) {
        0 => Formula::Not(one),
        1 => Formula::And(one, other),
        2 => Formula::Or(one, other),
        3 => Formula::Until(one, other),
        4 => Formula::Until(Box::new(Formula::True), one),
        5 => Formula::Release(Box::new(Formula::False), one),
        _ => proposition,
    }
}
