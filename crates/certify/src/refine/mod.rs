//! Decides whether an answer about refinement may be believed, and what follows from it for
//! any number of threads.
//!
//! The definition is that of the header of `engine::refine`; the code here is another one, and
//! works on stores as the programs tell them. A relation is believed if it has the start in it
//! and is closed (`relation.rs`): each step of the implementation's thread in each environment
//! is matched, and leads to a pair whose set lies within what the specification's thread may
//! have become. A failing run is replayed on both sides (`failure.rs`): the implementation's
//! thread can take each step, and the specification's thread, wherever it may be, cannot match
//! the last. `conclusion.rs` says which properties of the specification's threads carry over.

mod conclusion;
mod failure;
mod relation;
mod thread;

use std::collections::{BTreeMap, BTreeSet};

use model::{Limits, Refinement, RefinementQuestion, Store};

use self::thread::Thread;
use crate::budget::Budget;
use crate::rejection::Rejection;

pub use self::conclusion::{carries_over, carries_over_side_by_side};

/// Where a thread may be; `None` is one that has ended.
type States = BTreeSet<Option<Store>>;

/// May `answer` be believed of `question`? `Unknown` claims nothing and always passes.
///
/// # Errors
/// What is wrong with it, or that `limits` ran out.
pub fn check_refinement(
    question: &RefinementQuestion<'_>,
    answer: &Refinement,
    limits: &Limits,
) -> Result<(), Rejection> {
    let budget = Budget::new(limits);
    limits.check().map_err(Rejection::Stopped)?;
    match answer {
        Refinement::Unknown { .. } => Ok(()),
        Refinement::Refines(relation) => Check::new(question, &budget)?.relation(relation),
        Refinement::Fails(failure) => Check::new(question, &budget)?.failure(failure),
    }
}

/// A check of one answer.
struct Check<'q> {
    question: RefinementQuestion<'q>,
    stands_for: BTreeMap<&'q Store, &'q Store>,
    implementation: Thread<'q>,
    specification: Thread<'q>,
    budget: &'q Budget<'q>,
}

impl<'q> Check<'q> {
    fn new(
        question: &RefinementQuestion<'q>,
        budget: &'q Budget<'q>,
    ) -> Result<Check<'q>, Rejection> {
        let pairs = &question.shared.pairs;
        let stands_for: BTreeMap<&Store, &Store> =
            pairs.iter().map(|pair| (&pair.0, &pair.1)).collect();
        if stands_for.len() != pairs.len() {
            return Err(Rejection::malformed("a shared store stands for two"));
        }
        for (own, other) in pairs {
            thread::refuse_environment_steps(question.implementation, own)?;
            thread::refuse_environment_steps(question.specification, other)?;
        }
        for &(own, other) in question.targets {
            let own = question.implementation.requirements().targets().get(own);
            let other = question.specification.requirements().targets().get(other);
            if own.is_none() || own.map(|shape| &shape.slots) != other.map(|shape| &shape.slots) {
                return Err(Rejection::malformed("targets with other slots are to be matched"));
            }
        }
        Ok(Check {
            question: *question,
            stands_for,
            implementation: Thread::new(question.implementation)?,
            specification: Thread::new(question.specification)?,
            budget,
        })
    }

    /// The store of the specification that one of the implementation stands for.
    fn stands_for(&self, shared: &Store) -> Result<&'q Store, Rejection> {
        let found = self.stands_for.get(shared).copied();
        found.ok_or_else(|| Rejection::malformed("a shared store is none of the environment's"))
    }

    /// Where the specification's thread may be after steps that leave `shared` unchanged.
    fn settled(&mut self, states: &States, shared: &Store) -> Result<States, Rejection> {
        let mut settled = states.clone();
        let mut left: Vec<Option<Store>> = states.iter().cloned().collect();
        while let Some(state) = left.pop() {
            self.budget.tick()?;
            let Some(local) = state else { continue };
            for step in self.specification.steps(shared, &local)?.iter() {
                if step.violation.is_none()
                    && step.shared == *shared
                    && settled.insert(step.local.clone())
                {
                    left.push(step.local.clone());
                }
            }
        }
        Ok(settled)
    }

    /// Where it may be after the shared store went from `before`, where it has settled, to
    /// `after`.
    fn matched(
        &mut self,
        settled: &States,
        before: &Store,
        after: &Store,
    ) -> Result<States, Rejection> {
        if before == after {
            return Ok(settled.clone());
        }
        let mut arrived = States::new();
        for local in settled.iter().flatten() {
            self.budget.tick()?;
            let steps = self.specification.steps(before, local)?;
            let fitting = steps.iter().filter(|s| s.violation.is_none() && s.shared == *after);
            arrived.extend(fitting.map(|step| step.local.clone()));
        }
        self.settled(&arrived, after)
    }

    /// Can one that has settled take a step that is an error?
    fn can_fail(&mut self, settled: &States, shared: &Store) -> Result<bool, Rejection> {
        for local in settled.iter().flatten() {
            if self.specification.steps(shared, local)?.iter().any(|s| s.violation.is_some()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Can one that has settled fill a slot?
    fn can_fill(&self, settled: &States, shared: &Store, (target, slot): (usize, usize)) -> bool {
        fills(
            self.question.specification.requirements(),
            settled.iter().flatten(),
            shared,
            (target, slot),
        )
    }
}

/// Does some thread in one of `locals` fill the slot?
fn fills<'a>(
    requirements: &dyn model::Requirements,
    mut locals: impl Iterator<Item = &'a Store>,
    shared: &Store,
    (target, slot): (usize, usize),
) -> bool {
    let fits =
        |local: &Store| requirements.target_local(target, slot, shared.bytes(), local.bytes());
    requirements.target_shared(target, shared.bytes()) && locals.any(fits)
}
