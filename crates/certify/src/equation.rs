//! Decides whether linear facts and traps exclude every target (`Proof::Equation`).
//!
//! Each fact and each trap is an invariant by itself, so their combinations hold
//! in every reachable configuration.

use model::Refutation;

use crate::budget::Budget;
use crate::lemma::Weights;
use crate::rejection::Rejection;
use crate::system::System;
use crate::trap;

/// Do the refutations exclude every forbidden zone of `system`?
pub(crate) fn check(
    system: &System<'_>,
    refutations: &[Refutation],
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let mut facts = Vec::with_capacity(refutations.len());
    for refutation in refutations {
        let mut fact = Weights::new(&refutation.lemma);
        fact.check_inductive(system, budget)?;
        for (trap, multiplier) in &refutation.traps {
            trap::check(trap, system, budget)?;
            fact.subtract(trap, *multiplier);
        }
        facts.push(fact);
    }
    for forbidden in &system.forbidden {
        budget.tick()?;
        if !facts.iter().any(|fact| fact.excludes(&forbidden.zone, &system.reach)) {
            return Err(system.not_excluded(forbidden));
        }
    }
    Ok(())
}
