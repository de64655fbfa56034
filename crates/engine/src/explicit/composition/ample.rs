//! Partial-order reduction by ample sets: in some states it is enough to expand the steps
//! of one thread.
//!
//! The *ample set* of a state is either the set of all enabled steps of one thread, or all
//! enabled steps. One thread is enough where the conditions of Clarke, Grumberg and Peled
//! hold:
//!
//! - **C0, emptiness**: it has a step.
//! - **C1, dependence**: its steps are a *persistent set*. Nobody else can ever touch an
//!   object that they touch, as long as the thread itself does not move
//!   ([`model::Independence::future_objects`]); ways on which it is blocked count as touched.
//!   All its steps are known, and none is a broadcast.
//! - **C2, invisibility**: none of its steps writes what a target or proposition depends on
//!   ([`model::Independence::visible_objects`]); where these look at local stores, every step
//!   is visible.
//! - **C3, cycle proviso**: every cycle of the reduced state space has a state that is fully
//!   expanded, so that no step is ignored for ever. A step that goes back in the thread's
//!   code is never in an ample set of one thread, and on every cycle some thread goes back.
//!   (A cycle with a step that creates a thread also has one that ends a thread. That touches
//!   an object in everybody's future, so it is never expanded alone either; hence a step that
//!   goes back may be in an ample set if it creates a thread.) This is a static proviso: it
//!   needs no search stack, so it serves breadth-first search on several threads as well.
//!
//! *Several steps of an ample thread* are taken as one, as long as the thread has one way to go
//! on after each and C0 to C3 hold for it: others do not move meanwhile, so what they may touch
//! is what it was ([`ThreadStepper::ample_superstep`]).
//!
//! *Where no thread is enough*, each goes on by a superstep (`superstep.rs`) in place of a
//! single step. Together they are right for the same reason as alone: take a shortest run to an
//! error from a state of the reduced search. Where one thread is enough, C1 moves its first step
//! of that run to the front, or adds one, and by C3 only finitely many are added before a state
//! is expanded with all threads. There the thread that is first to complete its superstep comes
//! first, and what is left of the run is shorter.
//!
//! A step that *ends the program* depends on everything: it touches an object in everybody's
//! future, so it is expanded with all others. The other way round, one thread is expanded
//! alone though another may end the program first: then the runs that end before are left
//! out, and with them nothing but the end, since all that comes before it can still happen.
//!
//! **Sound for** deadlocks, errors of steps, data races and targets, with any search order,
//! with and without symmetry. **Not for** questions about the number of steps or of context
//! switches, so it is switched off where these are bounded; counterexamples may be longer
//! than the shortest ones. **Not used for** formulas: C0 to C3 preserve LTL without `X`,
//! but not fairness, which supersteps do (`superstep.rs`).
//! **Source** Clarke, Grumberg, Peled, *Model Checking*, 1999, chapter 10; persistent sets:
//! Godefroid, LNCS 1032, 1996; one process at a time: Holzmann and Peled, FORTE 1994; steps
//! that close cycles of the code ("sticky"): Kurshan, Levin, Minea, Peled, Yenigün, TACAS
//! 1998. We differ: C1 is decided in each state by the objects that threads can still reach,
//! not once for each statement of the program.

use std::sync::Arc;

use model::StopReason;

use super::super::Reduction;
use super::known::{Known, MAX_REMEMBERED, Numbered, Present, PresentThread};
use super::stepper::ThreadStepper;
use super::superstep::{MAX_STEPS, Superstep, only_step};

impl ThreadStepper<'_> {
    /// A thread whose steps are an ample set, if there is one.
    pub(super) fn ample_thread<'p>(
        &mut self,
        shared: u64,
        present: &'p Present,
    ) -> Option<&'p PresentThread> {
        let threads = &present.threads;
        if self.composition.reduction != Reduction::AmpleSets || threads.len() < 2 {
            return None;
        }
        // In an order that does not depend on slots, so that the choice does not either.
        let n_free = self.composition.n_slots as usize - threads.len();
        let mut eligible: Vec<&PresentThread> =
            threads.iter().filter(|thread| is_eligible(&thread.steps, n_free)).collect();
        eligible.sort_unstable_by_key(|thread| thread.local);
        eligible.into_iter().find(|thread| {
            !self.is_visible(shared, &thread.steps)
                && self.is_independent_of_others(shared, present, (thread.slot, &thread.steps))
        })
    }

    /// The steps that a thread whose steps are an ample set takes alone, as long as they are
    /// one again after each; `None` for one step, in whatever way.
    pub(super) fn ample_superstep(
        &mut self,
        shared: u64,
        present: &Present,
        thread: &PresentThread,
    ) -> Result<Option<Superstep>, StopReason> {
        let mut at = (shared, thread.local);
        let mut n_steps = 0;
        while n_steps < MAX_STEPS {
            let known = self.numbered_steps(at.0, at.1)?;
            let Some(step) = only_step(&known) else { break };
            let is_inner = step.local != 0 && step.spawned.is_empty() && !step.goes_back;
            let is_ample = is_inner
                && !self.is_visible(at.0, &known)
                && self.is_independent_of_others(shared, present, (thread.slot, &known));
            if !is_ample {
                break;
            }
            at = (step.shared, step.local);
            n_steps += 1;
        }
        let (shared, local) = at;
        let superstep = Superstep { shared, local, spawned: Vec::new(), n_steps };
        Ok((n_steps > 1).then_some(superstep))
    }

    /// Do the steps of the thread in `slot` touch nothing that another one may touch in the
    /// future?
    fn is_independent_of_others(
        &mut self,
        shared: u64,
        present: &Present,
        (slot, known): (u32, &Known),
    ) -> bool {
        present.threads.iter().filter(|other| other.slot != slot).all(|other| {
            let future = self.future(shared, other);
            future.is_some_and(|future| is_independent(known, future))
        })
    }

    /// May a step change whether a target or proposition holds? Any may if the program
    /// does not say what they depend on.
    pub(super) fn is_visible(&mut self, shared: u64, known: &Known) -> bool {
        let Some(independence) = self.composition.program.independence() else { return true };
        if self.composition.sees_locals {
            return true;
        }
        let visible = match self.visible.get(&shared) {
            Some(visible) => Arc::clone(visible),
            None => {
                let mut objects = Vec::new();
                if let Some(bytes) = self.cache.bytes(shared) {
                    independence.visible_objects(&bytes, &mut objects);
                }
                if self.visible.len() >= MAX_REMEMBERED {
                    self.visible.clear();
                }
                let visible: Arc<[u32]> = objects.into();
                self.visible.insert(shared, Arc::clone(&visible));
                visible
            }
        };
        let mut written = known.accesses().filter(|access| access.is_write);
        written.any(|access| visible.binary_search(&access.object).is_ok())
    }

    /// The objects that a thread may touch; `None` if the program cannot say.
    fn future<'p>(&mut self, shared: u64, thread: &'p PresentThread) -> Option<&'p [u32]> {
        let computed = || {
            let independence = self.composition.program.independence()?;
            let (shared, local) = (self.cache.bytes(shared)?, self.cache.bytes(thread.local)?);
            let mut objects = Vec::new();
            independence.future_objects(&shared, &local, &mut objects);
            Some(objects.into())
        };
        thread.steps.future.get_or_init(computed).as_deref()
    }
}

/// Has the thread steps (C0), are all known with what they touch (C1), and does none of
/// them close a cycle of the code (C3)? A step that finds no slot for a new thread is none.
fn is_eligible(known: &Known, n_free: usize) -> bool {
    let is_fit = |step: &Numbered| {
        let goes_on = !step.goes_back || !step.spawned.is_empty();
        let has_room = step.spawned.len() <= n_free;
        step.is_local && goes_on && has_room && !step.is_spurious && step.broadcast.is_none()
    };
    known.unknown.is_none() && !known.steps.is_empty() && known.steps.iter().all(is_fit)
}

/// Do the steps touch nothing that another thread may touch in the future?
fn is_independent(known: &Known, future: &[u32]) -> bool {
    known.accesses().all(|access| future.binary_search(&access.object).is_err())
}
