//! Decides whether all that runs start with is in the set.

use model::{CounterId, Store, ThreadProgram, ViewMember};

use super::claim::Claim;
use super::counts::abstracted;
use super::kinds::Crowd;
use crate::budget::Budget;
use crate::choose::within;
use crate::rejection::Rejection;
use crate::threads::Names;

fn missing(why: &str) -> Rejection {
    Rejection::InitialNotCovered { why: why.to_owned() }
}

/// Is every choice of threads of each start a view?
pub(super) fn is_within(
    program: &dyn ThreadProgram,
    claim: &Claim<'_>,
    names: &Names<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let crowds = &claim.kinds.crowds;
    let mut roles: Vec<Role> = Vec::new();
    for (crowd, Crowd { kind, initial, .. }) in crowds.iter().enumerate() {
        let number = |store: &Store| names.counter(store.bytes());
        for store in initial.iter().filter(|_| crowds[crowd].n_threads != Some(0)) {
            let local = number(store).ok_or_else(|| missing("a store of a thread has no name"))?;
            roles.push(Role { crowd, member: ViewMember(*kind, local) });
        }
    }
    let first_counts = counts_at_start(claim, &roles);
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..claim.level {
        let mut longer = Vec::new();
        for choice in &choices {
            let first = choice.last().copied().unwrap_or(0);
            longer.extend((first..roles.len()).map(|role| [&choice[..], &[role]].concat()));
            within(longer.len(), "views of starts")?;
        }
        longer.retain(|choice| exists(claim, &roles, choice));
        choices.extend(longer);
        choices.sort();
        choices.dedup();
    }
    for shared in program.initial_shared() {
        let control = names.control(shared.bytes());
        let control = control.ok_or_else(|| missing("a shared store has no name"))?;
        for counts in &first_counts {
            for choice in &choices {
                budget.tick()?;
                let mut view: Vec<ViewMember> = choice.iter().map(|&r| roles[r].member).collect();
                view.sort_unstable();
                let is_view = claim.place(control, counts).is_some_and(|place| place.has(&view));
                if claim.has_room(counts, &view) && !is_view {
                    return Err(missing("a start of threads is no view of the proof"));
                }
            }
        }
    }
    Ok(())
}

/// A thread of a crowd that starts in a store.
struct Role {
    crowd: usize,
    member: ViewMember,
}

/// Are there as many threads in each crowd as were chosen?
fn exists(claim: &Claim<'_>, roles: &[Role], choice: &[usize]) -> bool {
    claim.kinds.crowds.iter().enumerate().all(|(idx, crowd)| {
        let n_chosen = choice.iter().filter(|&&role| roles[role].crowd == idx).count();
        crowd.n_threads.is_none_or(|n| n_chosen as u64 <= u64::from(n))
    })
}

/// The counts that may hold at the start: those who can only start in a class are in it, and
/// whoever may start there may be.
fn counts_at_start(claim: &Claim<'_>, roles: &[Role]) -> Vec<Vec<u8>> {
    let crowds = &claim.kinds.crowds;
    let mut all: Vec<Vec<u8>> = vec![Vec::new()];
    for class in 0..claim.n_classes {
        let (mut least, mut most) = (0u64, 0u64);
        for (idx, crowd) in crowds.iter().enumerate() {
            let locals = roles.iter().filter(|role| role.crowd == idx).map(|role| role.member.1);
            let locals: Vec<CounterId> = locals.collect();
            let n_in = claim.n_in(class, &locals);
            if n_in > 0 {
                most += crowd.n_threads.map_or(u64::from(u32::MAX), u64::from);
            }
            if n_in > 0 && n_in == locals.len() {
                least += crowd.n_threads.map_or(0, u64::from);
            }
        }
        let counts = abstracted(least)..=abstracted(most);
        all = all
            .iter()
            .flat_map(|begun| counts.clone().map(move |count| [&begun[..], &[count]].concat()))
            .collect();
    }
    all
}
