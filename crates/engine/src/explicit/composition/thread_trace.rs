//! Turns a run of packed states into a run of threads, which can be replayed on the
//! program itself.

use std::sync::atomic::Ordering;

use model::{
    BroadcastId, Choice, Ending, FaultPlace, LabelId, PassiveMove, StateStep, StateTrace,
    StepError, Steps, Store, ThreadStep, ThreadTrace, Variant, Violation,
};

use super::asked::Asked;
use super::rename::RealStep;
use super::stepper::UnpackedChoice;
use super::stores::number_at;
use super::{Composition, population, stepper};

/// Rounds that a run goes before it repeats with the names of its objects. Names are
/// permuted from round to round, and few objects are in a loop.
const MAX_ROUNDS: usize = 32;

/// A run that repeats with the names of its objects.
struct Unrolled {
    steps: Vec<StateStep>,
    loop_start: usize,
}

impl Composition<'_> {
    /// The same run in terms of threads; `None` when it is not a run of this
    /// composition, or when what it ends in is nothing that threads can show.
    pub fn thread_trace(&self, trace: &StateTrace) -> Option<ThreadTrace> {
        let mut state = trace.start.as_ref()?.state.to_words()?;
        let locals: Option<Vec<Store>> =
            (1..=self.n_threads).map(|place| self.store(&state, place)).collect();
        let threads = locals?;
        let shared = self.store(&state, 0)?;
        let templates = population::templates(self.program, &threads)?;
        let mut seating = Seating {
            thread_in: (0..self.n_slots)
                .map(|slot| (slot < self.n_threads).then_some(slot))
                .collect(),
            n_threads: self.n_threads,
        };
        let mut steps = Vec::new();
        // Where each step of the search begins among the steps of the program.
        let mut begins = vec![0];
        let told = self.unrolled(&state, trace)?;
        let paths = self.with_real_names(&state, &told.steps)?;
        for (step, path) in told.steps.iter().zip(paths) {
            let mover = stepper::unpack(step.choice).mover;
            for RealStep { label, state: after } in path {
                steps.push(self.thread_step((&state, &after), (mover, label), &mut seating)?);
                state = after;
            }
            begins.push(steps.len());
        }
        if let Ending::Invariant(asked) = trace.ending
            && matches!(self.asked.get(asked as usize)?, Asked::Deadlock)
        {
            for (mover, step) in self.joins_before_deadlock(&state, asked)? {
                let RealStep { label, state: after } = step;
                let taken = (Some(mover), label);
                steps.push(self.thread_step((&state, &after), taken, &mut seating)?);
                state = after;
            }
        }
        let violation = match &trace.ending {
            Ending::Invariant(asked) => match self.asked.get(*asked as usize)? {
                Asked::Target(target) => Violation::Target(*target),
                Asked::Deadlock => Violation::Deadlock,
                Asked::Race => Violation::Race,
            },
            Ending::Fault { place: FaultPlace::Step(choice), fault } => {
                let error = StepError::new(fault.kind.rule(), &*fault.message);
                steps.push(self.failing_step(&state, *choice, &error, &seating)?);
                Violation::Step(error)
            }
            Ending::Lasso { .. } => Violation::Lasso { loop_start: *begins.get(told.loop_start)? },
            _ => return None,
        };
        Some(ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared,
            threads,
            templates,
            bystanders: Vec::new(),
            steps,
            violation,
        })
    }

    /// The steps of a run. One that repeats up to the names of objects goes round until
    /// it repeats with their names as well, unless that takes too long.
    fn unrolled(&self, first: &[u64], trace: &StateTrace) -> Option<Unrolled> {
        let mut steps = trace.steps.clone();
        let Ending::Lasso { loop_start } = trace.ending else {
            return Some(Unrolled { steps, loop_start: 0 });
        };
        if steps.last().is_some_and(|step| step.choice == stepper::REST) {
            steps.pop();
            let loop_start = steps.len();
            return Some(Unrolled { steps, loop_start });
        }
        let round = trace.steps.get(loop_start..)?.to_vec();
        if round.is_empty() || !self.renamed.load(Ordering::Relaxed) {
            return Some(Unrolled { steps, loop_start });
        }
        let end = |from: &[u64], steps: &[StateStep]| -> Option<Vec<u64>> {
            let mut paths = self.with_real_names(from, steps)?;
            Some(paths.pop().map_or_else(
                || from.to_vec(),
                |mut path| path.pop().map_or_else(Vec::new, |step| step.state),
            ))
        };
        let mut turns = vec![end(first, &steps[..loop_start])?];
        for _ in 0..MAX_ROUNDS {
            let next = end(turns.last()?, &round)?;
            if let Some(turn) = turns.iter().position(|turn| *turn == next) {
                return Some(Unrolled { steps, loop_start: loop_start + turn * round.len() });
            }
            turns.push(next);
            steps.extend(round.iter().cloned());
        }
        // Each round may leave something behind, and new names are taken for ever.
        Some(Unrolled { steps: trace.steps.clone(), loop_start })
    }

    fn thread_step(
        &self,
        (before, after): (&[u64], &[u64]),
        (mover, label): (Option<u32>, LabelId),
        seating: &mut Seating,
    ) -> Option<ThreadStep> {
        let label = self.program.narrator().label(label);
        let mut step = ThreadStep {
            thread: None,
            label: label.text,
            span: label.span,
            shared: self.store(after, 0)?,
            local: None,
            spawned: Vec::new(),
            passive: Vec::new(),
        };
        for slot in 0..self.n_slots {
            let (old, new) = (number_at(before, slot + 1), number_at(after, slot + 1));
            if Some(slot) == mover {
                step.thread = Some(seating.thread_in[slot as usize]?);
                step.local = self.store(after, slot + 1);
            } else if old == 0 && new != 0 {
                step.spawned.push(self.store(after, slot + 1)?);
                seating.take(slot);
            } else if old != new {
                let thread = seating.thread_in[slot as usize]?;
                step.passive.push(PassiveMove { thread, local: self.store(after, slot + 1)? });
            }
        }
        Some(step)
    }

    /// The step out of `state` that is itself the error.
    fn failing_step(
        &self,
        state: &[u64],
        choice: Choice,
        error: &StepError,
        seating: &Seating,
    ) -> Option<ThreadStep> {
        let UnpackedChoice { mover, label, .. } = stepper::unpack(choice);
        let shared = self.store(state, 0)?;
        let mut steps = Steps::new();
        match mover {
            Some(slot) => {
                let local = self.store(state, slot + 1)?;
                self.program.steps(shared.bytes(), local.bytes(), &mut steps);
            }
            None => self.program.environment_steps(shared.bytes(), &mut steps),
        }
        let error = Some(error.borrowed());
        let failing =
            steps.iter().find(|step| step.label() == label && step.violation() == error)?;
        let named = self.program.narrator().label(failing.label());
        Some(ThreadStep {
            thread: match mover {
                Some(slot) => Some(seating.thread_in[slot as usize]?),
                None => None,
            },
            label: named.text,
            span: named.span,
            shared: Store::new(failing.shared()),
            local: failing.local().map(Store::new),
            spawned: failing.spawned().map(Store::new).collect(),
            passive: match failing.broadcast() {
                Some(broadcast) => self.first_moves(state, mover, broadcast, seating)?,
                None => Vec::new(),
            },
        })
    }

    /// One way in which the other threads follow a broadcast.
    fn first_moves(
        &self,
        state: &[u64],
        mover: Option<u32>,
        broadcast: BroadcastId,
        seating: &Seating,
    ) -> Option<Vec<PassiveMove>> {
        let mut moves = Vec::new();
        for slot in (0..self.n_slots).filter(|&slot| Some(slot) != mover) {
            let Some(local) = self.store(state, slot + 1) else { continue };
            let mut becomes = Vec::new();
            self.program.passive(broadcast, local.bytes(), &mut becomes);
            if !becomes.is_empty() && !becomes.contains(&local) {
                let thread = seating.thread_in[slot as usize]?;
                moves.push(PassiveMove { thread, local: becomes.swap_remove(0) });
            }
        }
        Some(moves)
    }
}

/// Which thread is in which slot.
struct Seating {
    thread_in: Vec<Option<u32>>,
    n_threads: u32,
}

impl Seating {
    fn take(&mut self, slot: u32) {
        self.thread_in[slot as usize] = Some(self.n_threads);
        self.n_threads += 1;
    }
}
