//! Decides whether distinct threads fill the slots of a target or of a proposition:
//! bipartite matching.

use model::Requirements;

/// Do the stores fit target number `target`?
pub(super) fn fits(
    requirements: &dyn Requirements,
    target: usize,
    shared: &[u8],
    locals: &[&[u8]],
) -> bool {
    if !requirements.target_shared(target, shared) {
        return false;
    }
    fill(&requirements.targets()[target].slots, locals, |slot, local| {
        requirements.target_local(target, slot, shared, local)
    })
}

/// Do the stores fit proposition number `proposition`?
pub(super) fn holds(
    requirements: &dyn Requirements,
    proposition: usize,
    shared: &[u8],
    locals: &[&[u8]],
) -> bool {
    requirements.proposition_shared(proposition, shared)
        && fill(&requirements.propositions()[proposition].slots, locals, |slot, local| {
            requirements.proposition_local(proposition, slot, local)
        })
}

/// Do distinct threads fill all slots, each as often as it says?
fn fill(slots: &[u32], locals: &[&[u8]], fits: impl Fn(usize, &[u8]) -> bool) -> bool {
    let n_wanted: u64 = slots.iter().map(|&n| u64::from(n)).sum();
    if n_wanted > locals.len() as u64 {
        return false;
    }
    let mut matching = Matching { may_fill: Vec::new(), filler_of: vec![None; locals.len()] };
    for (slot, &n) in slots.iter().enumerate() {
        let may_fill: Vec<bool> = locals.iter().map(|local| fits(slot, local)).collect();
        matching.may_fill.extend((0..n).map(|_| may_fill.clone()));
    }
    (0..matching.may_fill.len()).all(|wanted| {
        let mut is_seen = vec![false; locals.len()];
        matching.place(wanted, &mut is_seen)
    })
}

/// Wanted threads on one side, threads on the other.
struct Matching {
    may_fill: Vec<Vec<bool>>,
    /// What each thread fills.
    filler_of: Vec<Option<usize>>,
}

impl Matching {
    /// Finds a thread for `wanted`, moving others where need be. Recursion is as
    /// deep as there are wanted threads at most, as each thread is seen once.
    fn place(&mut self, wanted: usize, is_seen: &mut [bool]) -> bool {
        for thread in 0..is_seen.len() {
            if !self.may_fill[wanted][thread] || std::mem::replace(&mut is_seen[thread], true) {
                continue;
            }
            let is_free = match self.filler_of[thread] {
                None => true,
                Some(other) => self.place(other, is_seen),
            };
            if is_free {
                self.filler_of[thread] = Some(wanted);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn a_thread_makes_room_for_a_slot_with_fewer_choices() {
        // The first thread may fill both slots, the others the first slot alone.
        let fits = |slot: usize, local: &[u8]| slot == 0 || local == [0];
        let locals: [&[u8]; 3] = [&[0], &[1], &[1]];
        assert!(fill(&[1, 1], &locals, fits));
        assert!(fill(&[2, 1], &locals, fits));
        assert!(!fill(&[1, 2], &locals, fits));
        assert!(!fill(&[2, 1], &locals[..2], fits));
        assert!(!fill(&[0, 1], &locals[1..], fits));
    }
}
