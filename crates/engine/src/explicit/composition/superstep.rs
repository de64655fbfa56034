//! Superstep reduction: a thread runs on within one step of the search for as long as
//! nobody could tell.
//!
//! In a state, each thread has a *superstep*: a path of its own steps, of which the
//! search sees the first and the last state only. They are chosen together, so that
//!
//! 1. **size**: each has at least one step and at most [`MAX_STEPS`];
//! 2. **independence**: a step conflicts (a common location, and one writes it) with a
//!    step in another thread's superstep only if both are the last of theirs;
//! 3. **visibility**: a step that writes what targets or propositions look at is the
//!    last of its superstep.
//!
//! **Sound for** formulas without `X`, targets, deadlocks and errors in steps, depth
//! first and breadth first, with and without fairness. Of any run from the state look
//! at the thread that is first to complete its superstep. What the others did before
//! that lies strictly within theirs, so it conflicts with nothing of it, can as well
//! come after it, and changes nothing that anybody looks at. Every thread is gone on
//! with in every state, so nobody is forgotten in a cycle.
//! **Source** Zaks and Joshi, SPIN 2008 (pancam), their Claim 1 and Figures 6 and 7. We
//! differ where the claim takes something for granted:
//! a thread that *waits* has no superstep there, and what it waits for could happen in
//! the middle of one; here what it looks at in vain counts as its superstep. A step that
//! creates or ends a thread is the last, since the claim is for a fixed set of threads.
//! A thread with several ways to go on has a superstep of one step. Ending the program
//! conflicts with everything, and so does a step that does not say what it touches.
//! **Races** are seen where both accesses come next. So an access that races with a step
//! in another superstep is not taken unless it is the first: then some state has both
//! next, if any run has.
//! **Names** of objects that become shared depend on the order of steps; states are
//! equal once they are renamed, or behave alike where they are not.

use model::{Access, StopReason};

use super::known::{Known, Numbered, Present};
use super::stepper::ThreadStepper;

/// Steps in one superstep: enough for loops over small arrays. One that comes by the
/// same place again ends there.
pub(super) const MAX_STEPS: usize = 64;

/// A thread's superstep, as far as it is known.
struct PartialSuperstep {
    /// What each step touches.
    touched: Vec<Vec<Access>>,
    /// Is nothing to be added any more?
    is_closed: bool,
    /// The shared store and the thread's own after its steps, if there was but one way.
    end: Option<(u64, u64)>,
    /// Where it came by.
    passed: Vec<(u64, u64)>,
    /// Threads that its last step creates.
    spawned: Vec<u64>,
}

/// How a thread goes on after its superstep so far.
enum Going {
    /// The step is not a part of it.
    Stop,
    /// The step is its last.
    Last,
    /// The step is a part of it.
    On,
}

/// Where a thread is after a superstep of several steps.
pub(super) struct Superstep {
    /// The shared store.
    pub(super) shared: u64,
    /// The thread's own store; zero when it has ended.
    pub(super) local: u64,
    /// Threads that were created.
    pub(super) spawned: Vec<u64>,
    /// How many steps.
    pub(super) n_steps: usize,
}

impl ThreadStepper<'_> {
    /// The supersteps of threads, in their order; `None` for one step, in whatever way.
    pub(super) fn supersteps(
        &mut self,
        shared: u64,
        present: &Present,
    ) -> Result<Vec<Option<Superstep>>, StopReason> {
        let threads = &present.threads;
        let mut paths: Vec<PartialSuperstep> =
            threads.iter().map(|thread| self.first_step(shared, &thread.steps)).collect();
        // A step that may touch anything conflicts with all others: nobody goes on then.
        let touches_anything =
            threads.iter().flat_map(|thread| &*thread.steps.steps).any(|step| !step.is_local);
        if !touches_anything {
            // In an order that does not depend on slots, so that the choice does not either.
            let mut order: Vec<usize> = (0..paths.len()).collect();
            order.sort_by_key(|&idx| threads[idx].local);
            for idx in order {
                if !paths[idx].is_closed && !conflicts(&paths, idx, &paths[idx].touched[0]) {
                    self.extend(shared, &mut paths, idx)?;
                }
            }
        }
        Ok(paths.into_iter().map(PartialSuperstep::superstep).collect())
    }

    fn first_step(&mut self, shared: u64, known: &Known) -> PartialSuperstep {
        let touched = vec![known.accesses().copied().collect()];
        let mut path = PartialSuperstep {
            touched,
            is_closed: true,
            end: None,
            passed: Vec::new(),
            spawned: Vec::new(),
        };
        if let Some(step) = only_step(known)
            && step.local != 0
            && step.spawned.is_empty()
            && !self.is_visible(shared, known)
        {
            path.end = Some((step.shared, step.local));
            path.is_closed = false;
        }
        path
    }

    /// Adds steps to path `idx` for as long as they may be hidden.
    fn extend(
        &mut self,
        start: u64,
        paths: &mut [PartialSuperstep],
        idx: usize,
    ) -> Result<(), StopReason> {
        while paths[idx].touched.len() < MAX_STEPS {
            let Some((shared, local)) = paths[idx].end else { break };
            let known = self.numbered_steps(shared, local)?;
            let Some(step) = only_step(&known) else { break };
            let accesses: Vec<Access> = known.accesses().copied().collect();
            let mut going = self.going(paths, idx, &accesses);
            if step.local == 0 && self.is_over(step.shared) {
                going = Going::Stop;
            }
            if matches!(going, Going::Stop) {
                break;
            }
            let path = &mut paths[idx];
            path.touched.push(accesses);
            path.passed.push((shared, local));
            path.end = Some((step.shared, step.local));
            path.spawned.extend_from_slice(&step.spawned);
            let is_round = path.passed.contains(&(step.shared, step.local));
            let is_last = step.local == 0 || !step.spawned.is_empty() || is_round;
            if is_last || matches!(going, Going::Last) || self.is_visible(start, &known) {
                break;
            }
        }
        paths[idx].is_closed = true;
        Ok(())
    }

    /// May path `idx` go on with a step that touches this?
    fn going(&self, paths: &[PartialSuperstep], idx: usize, accesses: &[Access]) -> Going {
        let forbids_races = self.composition.program.requirements().forbids_races();
        let mut going = Going::On;
        for other in others(paths, idx) {
            let last = other.touched.len() - 1;
            for (step, touched) in other.touched.iter().enumerate() {
                if !conflict(accesses, touched) {
                    continue;
                }
                let races = forbids_races
                    && accesses.iter().any(|one| touched.iter().any(|two| one.races(two)));
                // If the other path is not closed yet, it will be, since its first step
                // conflicts with this one.
                if step != last || races {
                    return Going::Stop;
                }
                going = Going::Last;
            }
        }
        going
    }

    fn is_over(&mut self, shared: u64) -> bool {
        let program = self.composition.program;
        self.cache.bytes(shared).is_some_and(|shared| program.is_over(&shared))
    }
}

impl PartialSuperstep {
    fn superstep(self) -> Option<Superstep> {
        let n_steps = self.touched.len();
        let (shared, local) = self.end.filter(|_| n_steps > 1)?;
        Some(Superstep { shared, local, spawned: self.spawned, n_steps })
    }
}

/// The step that is the only way for a thread to go on, if it may be in a superstep.
pub(super) fn only_step(known: &Known) -> Option<&Numbered> {
    let [step] = &*known.steps else { return None };
    let is_plain =
        step.is_local && !step.is_spurious && step.violation.is_none() && step.broadcast.is_none();
    (known.unknown.is_none() && known.in_vain.is_empty() && is_plain).then_some(step)
}

fn others(paths: &[PartialSuperstep], idx: usize) -> impl Iterator<Item = &PartialSuperstep> {
    paths.iter().enumerate().filter(move |(other, _)| *other != idx).map(|(_, path)| path)
}

/// Does a step of path `idx` that touches this conflict with some other path?
fn conflicts(paths: &[PartialSuperstep], idx: usize, accesses: &[Access]) -> bool {
    others(paths, idx).flat_map(|path| &path.touched).any(|touched| conflict(accesses, touched))
}

fn conflict(one: &[Access], two: &[Access]) -> bool {
    one.iter().any(|access| two.iter().any(|other| access.conflicts(other)))
}

#[cfg(test)]
mod tests;
