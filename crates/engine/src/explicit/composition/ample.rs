//! Partial-order reduction: in some states it is enough to let one thread go on.
//!
//! A thread may go alone if nobody else can ever touch what its next steps touch
//! before it has moved: all other orders then lead to the same states. Sound for
//! errors in steps, deadlocks and races, since the steps of the others stay as they
//! are; for targets, since a thread that writes what these look at never goes alone;
//! not for questions about the number of steps.
//!
//! **Nobody is forgotten.** In a cycle of states some thread goes back in its code, and
//! a step that goes back never goes alone, so each cycle has a state in which all go.
//! (A cycle with a step that creates a thread also has one that ends a thread, which
//! touches an object that is in everybody's future.)

use std::sync::Arc;

use model::StopReason;

use super::super::Reduction;
use super::stepper::{Known, ThreadStepper};
use super::stores::number_at;

impl ThreadStepper<'_> {
    /// A slot whose thread may go alone in `state`, if there is one.
    pub(super) fn lone_mover(&mut self, state: &[u64]) -> Result<Option<u32>, StopReason> {
        if self.composition.reduction != Reduction::LoneThreads {
            return Ok(None);
        }
        let slots = 0..self.composition.n_slots;
        let mut alive: Vec<u32> = slots.filter(|&slot| number_at(state, slot + 1) != 0).collect();
        if alive.len() < 2 {
            return Ok(None);
        }
        // In an order that does not depend on slots, so that the choice does not either.
        alive.sort_unstable_by_key(|&slot| number_at(state, slot + 1));
        let shared = number_at(state, 0);
        for &slot in &alive {
            let known = self.numbered_steps(shared, number_at(state, slot + 1))?;
            if !may_go_alone(&known) || self.is_watched(shared, &known) {
                continue;
            }
            let mut is_alone = true;
            for &other in alive.iter().filter(|&&other| other != slot) {
                let future = self.future(shared, number_at(state, other + 1));
                is_alone = future.is_some_and(|future| is_apart(&known, &future));
                if !is_alone {
                    break;
                }
            }
            if is_alone {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Does a thread write what targets or propositions look at?
    pub(super) fn is_watched(&mut self, shared: u64, known: &Known) -> bool {
        let watched = match self.watched.get(&shared) {
            Some(watched) => Arc::clone(watched),
            None => {
                let mut objects = Vec::new();
                let program = self.composition.program;
                if let (Some(bytes), Some(independence)) =
                    (self.cache.bytes(shared), program.independence())
                {
                    independence.visible_objects(&bytes, &mut objects);
                }
                if self.watched.len() >= super::stepper::MAX_REMEMBERED {
                    self.watched.clear();
                }
                let watched: Arc<[u32]> = objects.into();
                self.watched.insert(shared, Arc::clone(&watched));
                watched
            }
        };
        let mut written = known.accesses().filter(|access| access.is_write);
        written.any(|access| watched.binary_search(&access.object).is_ok())
    }

    /// The objects that a thread may touch; `None` if the program cannot say.
    fn future(&mut self, shared: u64, local: u64) -> Option<Arc<[u32]>> {
        if let Some(known) = self.futures.get(&(shared, local)) {
            return Some(Arc::clone(known));
        }
        let independence = self.composition.program.independence()?;
        let mut objects = Vec::new();
        let (shared_bytes, local_bytes) = (self.cache.bytes(shared)?, self.cache.bytes(local)?);
        independence.future_objects(&shared_bytes, &local_bytes, &mut objects);
        let future: Arc<[u32]> = objects.into();
        if self.futures.len() >= super::stepper::MAX_REMEMBERED {
            self.futures.clear();
        }
        self.futures.insert((shared, local), Arc::clone(&future));
        Some(future)
    }
}

/// Has the thread steps that all may be taken before those of others?
fn may_go_alone(known: &Known) -> bool {
    let is_fit = |step: &super::stepper::Numbered| {
        let goes_on = !step.goes_back || !step.spawned.is_empty();
        step.is_local && goes_on && !step.is_spurious && step.broadcast.is_none()
    };
    known.is_complete && !known.steps.is_empty() && known.steps.iter().all(is_fit)
}

/// Do the steps touch nothing of a future?
fn is_apart(known: &Known, future: &[u32]) -> bool {
    known.accesses().all(|access| future.binary_search(&access.object).is_err())
}
