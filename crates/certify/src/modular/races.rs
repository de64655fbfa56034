//! Decides whether no two threads that the views leave together at a place race there.

use model::{Access, Steps, ThreadProgram, ViewMember};

use super::claim::{Claim, Place};
use super::targets::joined;
use crate::budget::Budget;
use crate::rejection::Rejection;
use crate::replay::{do_race, touched};
use crate::threads::Names;

/// Is no data race possible at any place, where that is asked?
pub(super) fn are_excluded(
    program: &dyn ThreadProgram,
    claim: &Claim<'_>,
    names: &Names<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    if !program.requirements().forbids_races() {
        return Ok(());
    }
    for place in &claim.places {
        are_excluded_at(program, (claim, place), names, budget)?;
    }
    Ok(())
}

fn are_excluded_at(
    program: &dyn ThreadProgram,
    (claim, place): (&Claim<'_>, &Place),
    names: &Names<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let shared = names.shared(place.shared);
    let mut touching: Vec<(ViewMember, Vec<Access>)> = Vec::new();
    for &member in &place.members {
        budget.tick()?;
        let mut steps = Steps::new();
        program.steps(shared, names.local(member.1), &mut steps);
        let accesses = touched(&steps);
        if !accesses.is_empty() {
            touching.push((member, accesses));
        }
    }
    for (idx, (left, accesses)) in touching.iter().enumerate() {
        // Two threads may be alike, so each is compared with itself as well.
        for (right, others) in &touching[idx..] {
            budget.tick()?;
            let stores =
                [(names.local(left.1), &accesses[..]), (names.local(right.1), &others[..])];
            if do_race(program, shared, stores)
                && !joined(claim, place, &[vec![*left]], &[*right], budget)?.is_empty()
            {
                return Err(Rejection::TargetNotExcluded { target: "no data race".to_owned() });
            }
        }
    }
    Ok(())
}
