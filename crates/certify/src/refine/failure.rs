//! Is a failing run one of the implementation's thread, and can the specification's thread
//! really not match its end?

use std::collections::BTreeSet;

use model::{Interaction, NotAllowed, RefinementFailure, StepError, Store};

use super::{Check, States, fills};
use crate::rejection::Rejection;

impl Check<'_> {
    pub(super) fn failure(&mut self, failure: &RefinementFailure) -> Result<(), Rejection> {
        let not_initial = |why: &str| Rejection::NotInitial { why: why.to_owned() };
        if !self.question.implementation.initial_shared().contains(&failure.shared) {
            return Err(not_initial("the shared store is another one"));
        }
        if !self.implementation.initial().any(|local| *local == failure.local) {
            return Err(not_initial("the local store is another one"));
        }
        if failure.not_allowed == NotAllowed::Start {
            return self.start_is_not_allowed(failure);
        }
        let (last, before) = match (&failure.not_allowed, failure.steps.split_last()) {
            (NotAllowed::Target { .. }, _) => (None, &failure.steps[..]),
            (_, Some((last, before))) => (Some(last), before),
            (_, None) => return Err(Rejection::malformed("there is no last step")),
        };
        let mut states: States = self.specification.initial().cloned().map(Some).collect();
        let mut local = failure.local.clone();
        for (idx, step) in before.iter().enumerate() {
            self.can_take(idx, &local, step, None)?;
            let at = self.stands_for(&step.before)?;
            let settled = self.settled(&states, at)?;
            states = self.matched(&settled, at, self.stands_for(&step.after)?)?;
            local = step.local.clone().ok_or_else(|| not_enabled(idx, "the thread has ended"))?;
        }
        let shared = match (&failure.not_allowed, last) {
            (NotAllowed::Target { shared, .. }, _) => shared,
            (_, Some(last)) => &last.before,
            (_, None) => return Err(Rejection::malformed("there is no last step")),
        };
        let at = self.stands_for(shared)?;
        let settled = self.settled(&states, at)?;
        self.is_told(failure, &settled, at)?;
        match (&failure.not_allowed, last) {
            (NotAllowed::Target { target, slot, shared }, _) => {
                self.target_is_not_filled((*target, *slot), (shared, &local), &settled)
            }
            (reason, Some(last)) => {
                let error = match reason {
                    NotAllowed::Error(error) => Some(error),
                    _ => None,
                };
                self.can_take(before.len(), &local, last, error)?;
                self.last_is_not_matched(last, error, &settled)
            }
            (_, None) => Err(Rejection::malformed("there is no last step")),
        }
    }

    /// Can the implementation's thread take this step?
    fn can_take(
        &mut self,
        idx: usize,
        local: &Store,
        step: &Interaction,
        error: Option<&StepError>,
    ) -> Result<(), Rejection> {
        self.stands_for(&step.before)?;
        let program = self.question.implementation;
        let steps = self.implementation.steps(&step.before, local)?;
        let is_it = steps.iter().any(|taken| {
            let has_effect = error.is_some() || taken.shared == step.after;
            has_effect
                && taken.local == step.local
                && taken.violation.as_ref() == error
                && program.narrator().label(taken.label).text == step.label
        });
        match is_it {
            true => Ok(()),
            false => Err(not_enabled(idx, "the implementation's thread has no such step")),
        }
    }

    fn start_is_not_allowed(&self, failure: &RefinementFailure) -> Result<(), Rejection> {
        let allowed: BTreeSet<Store> =
            self.question.specification.initial_shared().into_iter().collect();
        let is_told = failure.allowed.iter().eq(allowed.iter());
        let is_alone = failure.steps.is_empty() && failure.specification.is_empty();
        if !is_told || !is_alone {
            return Err(Rejection::malformed(
                "the trace does not say what the specification allows",
            ));
        }
        match allowed.contains(self.stands_for(&failure.shared)?) {
            true => Err(no_violation("the specification starts in that shared store")),
            false => Ok(()),
        }
    }

    fn target_is_not_filled(
        &self,
        (target, slot): (usize, usize),
        (shared, local): (&Store, &Store),
        settled: &States,
    ) -> Result<(), Rejection> {
        let requirements = self.question.implementation.requirements();
        let others: Vec<usize> =
            self.question.targets.iter().filter(|pair| pair.0 == target).map(|p| p.1).collect();
        if others.is_empty() {
            return Err(Rejection::malformed("the target is not one that is matched"));
        }
        if slot >= requirements.targets()[target].slots.len()
            || !fills(requirements, std::iter::once(local), shared, (target, slot))
        {
            return Err(no_violation("the implementation's thread does not fill the slot"));
        }
        let at = self.stands_for(shared)?;
        match others.iter().all(|&other| self.can_fill(settled, at, (other, slot))) {
            true => Err(no_violation("the specification's thread can fill the slot")),
            false => Ok(()),
        }
    }

    fn last_is_not_matched(
        &mut self,
        last: &Interaction,
        error: Option<&StepError>,
        settled: &States,
    ) -> Result<(), Rejection> {
        let at = self.stands_for(&last.before)?;
        let is_matched = match error {
            Some(_) => self.can_fail(settled, at)?,
            None => !self.matched(settled, at, self.stands_for(&last.after)?)?.is_empty(),
        };
        match is_matched {
            true => Err(no_violation("the specification's thread can match the last step")),
            false => Ok(()),
        }
    }

    /// Does the trace say correctly where the specification's thread may be, and what it may
    /// do there?
    fn is_told(
        &mut self,
        failure: &RefinementFailure,
        settled: &States,
        at: &Store,
    ) -> Result<(), Rejection> {
        let known: BTreeSet<&Store> = self.question.shared.pairs.iter().map(|p| &p.1).collect();
        let mut allowed = BTreeSet::from([at.clone()]);
        for local in settled.iter().flatten() {
            let steps = self.specification.steps(at, local)?;
            let left = steps.iter().filter(|s| s.violation.is_none()).map(|s| s.shared.clone());
            allowed.extend(left.filter(|shared| known.contains(shared)));
        }
        let is_told = failure.specification.iter().eq(settled.iter())
            && failure.allowed.iter().eq(allowed.iter());
        match is_told {
            true => Ok(()),
            false => {
                Err(Rejection::malformed("the trace does not say what the specification allows"))
            }
        }
    }
}

fn not_enabled(step: usize, why: &str) -> Rejection {
    Rejection::StepNotEnabled { step, why: why.to_owned() }
}

fn no_violation(why: &str) -> Rejection {
    Rejection::NoViolation { why: why.to_owned() }
}
