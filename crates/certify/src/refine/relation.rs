//! Does a relation have the start in it, and is it closed?

use std::collections::BTreeMap;

use model::{RefinementRelation, Store};

use super::thread::ThreadMove;
use super::{Check, States, fills};
use crate::rejection::Rejection;

/// The sets of each local store of the implementation.
type Related<'r> = BTreeMap<&'r Store, Vec<States>>;

impl Check<'_> {
    pub(super) fn relation(&mut self, relation: &RefinementRelation) -> Result<(), Rejection> {
        let mut related = Related::new();
        for pair in &relation.pairs {
            let states: States = pair.specification.iter().cloned().collect();
            if states.is_empty() {
                return Err(Rejection::malformed("nothing stands for a thread"));
            }
            related.entry(&pair.implementation).or_default().push(states);
        }
        self.contains_start(&related)?;
        for (local, sets) in &related {
            for states in sets {
                self.is_closed_at(&related, local, states)?;
            }
        }
        Ok(())
    }

    fn contains_start(&self, related: &Related<'_>) -> Result<(), Rejection> {
        let not_covered = |why: &str| Rejection::InitialNotCovered { why: why.to_owned() };
        let allowed = self.question.specification.initial_shared();
        for shared in self.question.implementation.initial_shared() {
            if !allowed.contains(self.stands_for(&shared)?) {
                return Err(not_covered("the specification does not start in the shared store"));
            }
        }
        let initial: States = self.specification.initial().cloned().map(Some).collect();
        for local in self.implementation.initial() {
            let sets = related.get(local).map_or(&[][..], Vec::as_slice);
            if !sets.iter().any(|states| states.is_subset(&initial)) {
                return Err(not_covered("no pair has the local store of a thread that starts"));
            }
        }
        Ok(())
    }

    /// Is all that a thread in `local` can do matched from `states`?
    fn is_closed_at(
        &mut self,
        related: &Related<'_>,
        local: &Store,
        states: &States,
    ) -> Result<(), Rejection> {
        for (before, at) in &self.question.shared.pairs {
            self.budget.tick()?;
            let steps = self.implementation.steps(before, local)?;
            let slots = self.filled_slots(before, local);
            if steps.is_empty() && slots.is_empty() {
                continue;
            }
            let settled = self.settled(states, at)?;
            for (own, other, slot) in slots {
                if !self.can_fill(&settled, at, (other, slot)) {
                    let target =
                        self.question.implementation.requirements().targets()[own].name.clone();
                    return Err(Rejection::TargetNotExcluded { target });
                }
            }
            for step in steps.iter() {
                self.is_matched(related, (&settled, at), step)?;
            }
        }
        Ok(())
    }

    /// Is a step matched by a thread that has settled, and does it lead to a pair?
    fn is_matched(
        &mut self,
        related: &Related<'_>,
        (settled, at): (&States, &Store),
        step: &ThreadMove,
    ) -> Result<(), Rejection> {
        let program = self.question.implementation;
        let not_inductive = |why: &str| Rejection::NotInductive {
            step: program.narrator().label(step.label).text,
            why: why.to_owned(),
        };
        if step.violation.is_some() {
            return match self.can_fail(settled, at)? {
                true => Ok(()),
                false => Err(not_inductive("the specification has no error there")),
            };
        }
        let states = self.matched(settled, at, self.stands_for(&step.shared)?)?;
        if states.is_empty() {
            return Err(not_inductive("the specification does not allow it"));
        }
        let Some(local) = &step.local else { return Ok(()) };
        let sets = related.get(local).map_or(&[][..], Vec::as_slice);
        match sets.iter().any(|set| set.is_subset(&states)) {
            true => Ok(()),
            false => Err(not_inductive("no pair is as it is then")),
        }
    }

    /// The slots that the implementation's thread fills, of the targets that are matched: its
    /// target, that of the specification, and the slot.
    fn filled_slots(&self, shared: &Store, local: &Store) -> Vec<(usize, usize, usize)> {
        let requirements = self.question.implementation.requirements();
        let all = self.question.targets.iter().flat_map(|&(own, other)| {
            (0..requirements.targets()[own].slots.len()).map(move |slot| (own, other, slot))
        });
        let is_filled = |&(own, _, slot): &(usize, usize, usize)| {
            fills(requirements, std::iter::once(local), shared, (own, slot))
        };
        all.filter(is_filled).collect()
    }
}
