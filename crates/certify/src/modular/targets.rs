//! Decides whether the views leave no target possible: threads that fill its slots, of which
//! each few are a view.

use model::{ThreadProgram, ViewMember};

use super::claim::{Claim, Place, choices};
use crate::budget::Budget;
use crate::choose::within;
use crate::rejection::Rejection;
use crate::threads::Names;

/// A slot that needs more threads needs these as well.
const MAX_PER_SLOT: u32 = 8;

/// Is no target possible at any place?
pub(super) fn are_excluded(
    program: &dyn ThreadProgram,
    claim: &Claim<'_>,
    names: &Names<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let requirements = program.requirements();
    for (target, shape) in requirements.targets().iter().enumerate() {
        for place in &claim.places {
            budget.tick()?;
            let shared = names.shared(place.shared);
            if !requirements.target_shared(target, shared) {
                continue;
            }
            let mut together: Vec<Vec<ViewMember>> = vec![Vec::new()];
            for (slot, &n_threads) in shape.slots.iter().enumerate() {
                let fits = |member: &ViewMember| {
                    requirements.target_local(target, slot, shared, names.local(member.1))
                };
                let fitting: Vec<ViewMember> = place.members.iter().copied().filter(fits).collect();
                for _ in 0..n_threads.min(MAX_PER_SLOT) {
                    together = joined(claim, place, &together, &fitting, budget)?;
                }
            }
            if !together.is_empty() {
                return Err(Rejection::TargetNotExcluded { target: shape.name.clone() });
            }
        }
    }
    Ok(())
}

/// Adds one of the fitting threads to those that can be together, in every way.
pub(super) fn joined(
    claim: &Claim<'_>,
    place: &Place,
    together: &[Vec<ViewMember>],
    fitting: &[ViewMember],
    budget: &Budget<'_>,
) -> Result<Vec<Vec<ViewMember>>, Rejection> {
    let mut longer = Vec::new();
    for threads in together {
        for &member in fitting {
            budget.tick()?;
            let mut all = threads.clone();
            all.push(member);
            all.sort_unstable();
            let n_seen = all.len().min(claim.level);
            let can_be = claim.has_room(&place.counts, &all)
                && choices(&all, n_seen).iter().all(|choice| place.has(choice));
            if can_be {
                longer.push(all);
                within(longer.len(), "ways to fill the slots of a target")?;
            }
        }
    }
    longer.sort_unstable();
    longer.dedup();
    Ok(longer)
}
