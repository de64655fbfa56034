//! Computes the successors of threads: whose turn it is, what the step does to
//! others, and where spawned threads go.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use model::{
    Access, BroadcastId, Choice, Fault, FaultKind, FaultPlace, Judgement, LabelId, Limits,
    Omission, StepError, Stepper, Steps, StopReason, Store, Stuck, Successors, TransitionSystem,
};
use rustc_hash::FxHashMap;

use super::super::Reduction;
use super::asked::Asked;
use super::known::{Known, Present, PresentThread, StepTable};
use super::rename::HeapRenaming;
use super::stores::{Cache, number_at, put_number};
use super::superstep::Superstep;
use super::{Composition, population, targets};

/// Ways of one broadcast between two looks at the limits.
const WAYS_BETWEEN_LOOKS: usize = 4096;

/// Bits of a choice below the mover: the label, and above it the mover.
const LABEL_BITS: u32 = 32;

/// Bits of a choice below the number of steps.
const MOVER_BITS: u32 = 48;

/// The bit of a choice that says that nobody can rely on the step.
const SPURIOUS: u64 = 1 << 63;

/// The choice that nobody goes on, where nobody need to.
pub(super) const REST: Choice = Choice(SPURIOUS | u32::MAX as u64);

/// The choice of so many steps of a thread, the first of which has this label.
pub(super) fn pack(mover: Option<u32>, label: LabelId, n_steps: usize) -> Choice {
    let mover = mover.map_or(0, |slot| u64::from(slot) + 1);
    let n_more = n_steps as u64 - 1;
    Choice(n_more << MOVER_BITS | mover << LABEL_BITS | u64::from(label.0))
}

/// What a choice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnpackedChoice {
    /// Who moves; `None` for the environment.
    pub(super) mover: Option<u32>,
    /// The label of its first step.
    pub(super) label: LabelId,
    /// How many steps it takes.
    pub(super) n_steps: usize,
    /// May it as well never happen?
    pub(super) is_spurious: bool,
}

pub(super) fn unpack(choice: Choice) -> UnpackedChoice {
    let mover = (choice.0 >> LABEL_BITS) as u32 & ((1 << (MOVER_BITS - LABEL_BITS)) - 1);
    let is_spurious = choice.0 & SPURIOUS != 0;
    let n_steps = ((choice.0 & !SPURIOUS) >> MOVER_BITS) as usize + 1;
    UnpackedChoice {
        mover: mover.checked_sub(1),
        label: LabelId(choice.0 as u32),
        n_steps,
        is_spurious,
    }
}

/// A store.
type Bytes = Arc<[u8]>;

/// Computes successors of a composition.
pub(super) struct ThreadStepper<'a> {
    pub(super) composition: &'a Composition<'a>,
    limits: Limits,
    pub(super) cache: Cache<'a>,
    steps: Steps,
    remembered: StepTable,
    /// The state that was looked at last, and the steps of its threads.
    present: Present,
    /// The objects that targets and propositions depend on, by the number of the shared
    /// store.
    pub(super) visible: FxHashMap<u64, Arc<[u32]>>,
    renaming: HeapRenaming,
    pub(super) next: Vec<u64>,
    /// Whose turn it is in the successors that are being made.
    pub(super) turn: u64,
}

impl<'a> ThreadStepper<'a> {
    pub(super) fn new(composition: &'a Composition<'a>, limits: &Limits) -> ThreadStepper<'a> {
        ThreadStepper {
            composition,
            limits: limits.clone(),
            cache: Cache::new(&composition.stores),
            steps: Steps::new(),
            remembered: StepTable::default(),
            present: Present::default(),
            visible: FxHashMap::default(),
            renaming: HeapRenaming::default(),
            next: vec![0; composition.state_words()],
            turn: 0,
        }
    }

    /// The steps of a thread in `local`, or of the environment where it is zero.
    pub(super) fn numbered_steps(
        &mut self,
        shared: u64,
        local: u64,
    ) -> Result<Arc<Known>, StopReason> {
        if let Some(known) = self.remembered.get(shared, local) {
            return Ok(Arc::clone(known));
        }
        let known = Arc::new(self.computed_steps(shared, local)?);
        self.remembered.insert(shared, local, Arc::clone(&known));
        Ok(known)
    }

    fn computed_steps(&mut self, shared: u64, local: u64) -> Result<Known, StopReason> {
        let program = self.composition.program;
        let (shared, local) = (self.cache.bytes(shared), self.cache.bytes(local));
        self.steps.clear();
        match (&shared, &local) {
            (Some(shared), Some(local)) => program.steps(shared, local, &mut self.steps),
            (Some(shared), None) => program.environment_steps(shared, &mut self.steps),
            _ => {}
        }
        let mut known = Known::of(&self.steps, &mut self.cache)?;
        if let (Some(shared), Some(local)) = (shared, local)
            && known.unknown.is_none()
            && known.steps.is_empty()
        {
            let blocking = program.blocking();
            known.waits_for = blocking.and_then(|blocking| blocking.waits_for(&shared, &local));
        }
        Ok(known)
    }

    /// The threads of `state` with their steps, in the order of slots. Whoever takes them
    /// gives them back ([`ThreadStepper::put_back`]), so that they are looked up once.
    pub(super) fn take_present(&mut self, state: &[u64]) -> Result<Present, StopReason> {
        let mut present = std::mem::take(&mut self.present);
        if present.is_of(state) {
            return Ok(present);
        }
        let shared = number_at(state, 0);
        present.start(state);
        for slot in 0..self.composition.n_slots {
            let local = number_at(state, slot + 1);
            if local != 0 {
                let steps = self.numbered_steps(shared, local)?;
                present.threads.push(PresentThread { slot, local, steps });
            }
        }
        Ok(present)
    }

    pub(super) fn put_back(&mut self, present: Present) {
        self.present = present;
    }

    /// All steps of a thread, or of the environment.
    fn expand_mover(
        &mut self,
        state: &[u64],
        mover: Option<u32>,
        known: &Known,
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        // A thread that may have a step has not terminated. The label does not matter.
        if let Some(unknown) = &known.unknown {
            out.cut(pack(mover, LabelId(0), 1), unknown);
        } else if known.is_assumed_away {
            out.hide(pack(mover, LabelId(0), 1));
        }
        for step in known.steps.iter() {
            let mut choice = pack(mover, step.label, 1);
            if step.is_spurious {
                choice.0 |= SPURIOUS;
            }
            if let Some(error) = &step.violation {
                out.n_enabled += 1;
                out.faults.push((FaultPlace::Step(choice), self.fault(step.label, error)));
                continue;
            }
            self.next.copy_from_slice(state);
            put_number(&mut self.next, 0, step.shared);
            if let Some(slot) = mover {
                put_number(&mut self.next, slot + 1, step.local);
            }
            if step.local == 0 {
                self.note_end(step.shared);
            }
            if !self.finds_room(state, choice, &step.spawned, out)? {
                continue;
            }
            out.n_enabled += 1;
            match step.broadcast {
                None => self.push_next(choice, out)?,
                Some(broadcast) => self.push_ways(state, mover, (choice, broadcast), out)?,
            }
        }
        Ok(())
    }

    /// Makes `self.next` a successor.
    fn push_next(&mut self, choice: Choice, out: &mut Successors) -> Result<(), StopReason> {
        self.renaming.apply(self.composition, &mut self.cache, &mut self.next)?;
        self.put_turn()?;
        if self.is_first_alike(out) {
            out.push(choice, &self.next);
        }
        Ok(())
    }

    /// All threads go on, each as far as nobody can tell.
    fn expand_supersteps(
        &mut self,
        state: &[u64],
        present: &Present,
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        let supersteps = self.supersteps(number_at(state, 0), present)?;
        for (thread, superstep) in present.threads.iter().zip(supersteps) {
            let (slot, known) = (thread.slot, &*thread.steps);
            if !self.takes_turn(state, slot, out)? {
                continue;
            }
            match superstep {
                Some(superstep) => self.push_superstep(state, thread, &superstep, out)?,
                None => self.expand_mover(state, Some(slot), known, out)?,
            }
        }
        Ok(())
    }

    /// Makes the end of a thread's superstep a successor.
    fn push_superstep(
        &mut self,
        state: &[u64],
        thread: &PresentThread,
        superstep: &Superstep,
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        let Some(first) = thread.steps.steps.first() else { return Ok(()) };
        let choice = pack(Some(thread.slot), first.label, superstep.n_steps);
        self.next.copy_from_slice(state);
        put_number(&mut self.next, 0, superstep.shared);
        put_number(&mut self.next, thread.slot + 1, superstep.local);
        if superstep.local == 0 {
            self.note_end(superstep.shared);
        }
        if self.finds_room(state, choice, &superstep.spawned, out)? {
            out.n_enabled += 1;
            self.push_next(choice, out)?;
        }
        Ok(())
    }

    /// Puts new threads into free slots; false, and the step is cut, if there are too few.
    fn finds_room(
        &mut self,
        state: &[u64],
        choice: Choice,
        spawned: &[u64],
        out: &mut Successors,
    ) -> Result<bool, StopReason> {
        if self.place_spawned(state, spawned) {
            return Ok(true);
        }
        let omission = Omission::Threads { room: self.composition.n_slots };
        if self.composition.ends_when_cut {
            return Err(StopReason::UnderApproximated { omitted: omission.into() });
        }
        out.cut(choice, &omission);
        Ok(false)
    }

    /// The steps of an ample set: those of all threads, or of one.
    fn expand_threads(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        let present = self.take_present(state)?;
        let expanded = self.expand_present(state, &present, out);
        self.put_back(present);
        expanded
    }

    fn expand_present(
        &mut self,
        state: &[u64],
        present: &Present,
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        let shared = number_at(state, 0);
        if let Some(thread) = self.ample_thread(shared, present) {
            return match self.ample_superstep(shared, present, thread)? {
                Some(superstep) => self.push_superstep(state, thread, &superstep, out),
                None => self.expand_mover(state, Some(thread.slot), &thread.steps, out),
            };
        }
        self.turn = match self.composition.max_switches {
            Some(_) => number_at(state, self.composition.turn_place()),
            None => 0,
        };
        let n_before = out.n_enabled;
        let environment = self.numbered_steps(shared, 0)?;
        self.expand_mover(state, None, &environment, out)?;
        let is_still = out.n_enabled == n_before;
        if self.composition.reduction != Reduction::Off && is_still {
            return self.expand_supersteps(state, present, out);
        }
        for thread in &present.threads {
            if self.takes_turn(state, thread.slot, out)? {
                self.expand_mover(state, Some(thread.slot), &thread.steps, out)?;
            }
        }
        Ok(())
    }

    /// Notes that a run comes to its end, if it does in `self.next`.
    fn note_end(&mut self, shared: u64) {
        let composition = self.composition;
        if composition.completed.load(Ordering::Relaxed) {
            return;
        }
        let is_empty = (1..=composition.n_slots).all(|place| number_at(&self.next, place) == 0);
        let mut is_over = || {
            let shared = self.cache.bytes(shared);
            shared.is_some_and(|shared| composition.program.is_over(&shared))
        };
        if is_empty || is_over() {
            composition.completed.store(true, Ordering::Relaxed);
        }
    }

    /// The shared store of `state`, and the threads' own.
    fn stores_of(&mut self, state: &[u64]) -> Option<(Bytes, Vec<Bytes>)> {
        let shared = self.cache.bytes(number_at(state, 0))?;
        let places = 1..=self.composition.n_slots;
        let locals = places.filter_map(|place| self.cache.bytes(number_at(state, place)));
        Some((shared, locals.collect()))
    }

    fn is_reached(&mut self, target: usize, state: &[u64]) -> bool {
        let requirements = self.composition.program.requirements();
        let Some((shared, stores)) = self.stores_of(state) else { return false };
        let locals: Vec<&[u8]> = stores.iter().map(|store| &**store).collect();
        targets::fits(requirements, target, &shared, &locals)
    }

    /// What `judge` says of the shared store of `state` and of its threads.
    fn judge_present(
        &mut self,
        state: &[u64],
        judge: impl FnOnce(&mut Self, u64, &Present) -> bool,
    ) -> Result<bool, StopReason> {
        let present = self.take_present(state)?;
        let judged = judge(self, number_at(state, 0), &present);
        self.put_back(present);
        Ok(judged)
    }

    fn is_deadlock(&mut self, shared: u64, present: &Present) -> bool {
        let threads = &present.threads;
        let waits: Vec<(u32, u32)> =
            threads.iter().filter_map(|thread| thread.steps.waits_for).collect();
        if has_circle(&waits) {
            return true;
        }
        if threads.is_empty() || threads.iter().any(|thread| thread.steps.goes_on()) {
            return false;
        }
        let Some(blocking) = self.composition.program.blocking() else { return false };
        let Some(shared) = self.cache.bytes(shared) else { return false };
        threads.iter().all(|thread| {
            let local = self.cache.bytes(thread.local);
            local.is_some_and(|local| blocking.blocked(&shared, &local).is_some())
        })
    }

    fn is_race(&mut self, shared: u64, present: &Present) -> bool {
        let threads = &present.threads;
        if threads.iter().all(|thread| !thread.steps.has_plain_access) {
            return false;
        }
        let Some(shared) = self.cache.bytes(shared) else { return false };
        let program = self.composition.program;
        let mut is_reported = |[left, right]: [u64; 2], (one, other): (Access, Access)| {
            let stores = (self.cache.bytes(left), self.cache.bytes(right));
            let (Some(left), Some(right)) = stores else { return true };
            !program.requirements().accepts_race(&shared, [(&left, one), (&right, other)])
        };
        threads.iter().enumerate().any(|(idx, left)| {
            threads[idx + 1..].iter().any(|right| {
                left.steps.racing(program, &shared, &right.steps).any(|accesses| {
                    // What an engine that has both stores asks by `race::is_race`.
                    is_reported([left.local, right.local], accesses)
                })
            })
        })
    }

    fn fault(&self, label: LabelId, error: &StepError) -> Fault {
        let span = self.composition.program.narrator().label(label).span;
        Fault { kind: FaultKind::Step(error.rule), message: error.message.clone(), span }
    }

    /// Puts new threads into slots that are free in `state`, in order.
    fn place_spawned(&mut self, state: &[u64], spawned: &[u64]) -> bool {
        let free = (1..=self.composition.n_slots).filter(|&place| number_at(state, place) == 0);
        let mut n_placed = 0;
        for (place, &local) in free.zip(spawned) {
            put_number(&mut self.next, place, local);
            n_placed += 1;
        }
        n_placed == spawned.len()
    }

    /// Pushes a successor for every way in which the other threads of `state` may
    /// follow a broadcast.
    fn push_ways(
        &mut self,
        state: &[u64],
        mover: Option<u32>,
        (choice, broadcast): (Choice, BroadcastId),
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        let mut movable: Vec<(u32, Vec<u64>)> = Vec::new();
        for slot in (0..self.composition.n_slots).filter(|&slot| Some(slot) != mover) {
            let local = number_at(state, slot + 1);
            let becomes = self.passive(broadcast, local)?;
            if !becomes.is_empty() {
                movable.push((slot, becomes));
            }
        }
        let mut picked = vec![0usize; movable.len()];
        for n_done in 0usize.. {
            if n_done.is_multiple_of(WAYS_BETWEEN_LOOKS) && n_done > 0 {
                self.limits.check()?;
            }
            for ((slot, becomes), &idx) in movable.iter().zip(&picked) {
                put_number(&mut self.next, slot + 1, becomes[idx]);
            }
            self.put_turn()?;
            if self.is_first_alike(out) {
                out.push(choice, &self.next);
            }
            let last = (0..picked.len()).rev().find(|&i| picked[i] + 1 < movable[i].1.len());
            let Some(last) = last else { break };
            picked[last] += 1;
            picked[last + 1..].fill(0);
        }
        Ok(())
    }

    /// What a thread may become in a broadcast; nothing when it stays as it is.
    fn passive(&mut self, broadcast: BroadcastId, local: u64) -> Result<Vec<u64>, StopReason> {
        let Some(bytes) = self.cache.bytes(local) else { return Ok(Vec::new()) };
        let mut becomes: Vec<Store> = Vec::new();
        self.composition.program.passive(broadcast, &bytes, &mut becomes);
        becomes.iter().map(|store| self.cache.number(store.bytes())).collect()
    }
}

/// Do some threads wait for each other in a circle?
fn has_circle(waits: &[(u32, u32)]) -> bool {
    let next = |thread: u32| waits.iter().find(|(me, _)| *me == thread).map(|(_, other)| *other);
    waits.iter().any(|&(start, first)| {
        let mut at = Some(first);
        for _ in 0..waits.len() {
            match at {
                Some(thread) if thread == start => return true,
                Some(thread) => at = next(thread),
                None => return false,
            }
        }
        false
    })
}

impl Stepper for ThreadStepper<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        let Composition { program, n_threads, .. } = *self.composition;
        let mut n_starts = 0;
        for shared in program.initial_shared() {
            let shared = self.cache.number(shared.bytes())?;
            let (cache, next) = (&mut self.cache, &mut self.next);
            population::each(program, n_threads, &self.limits, &mut |locals| {
                next.fill(0);
                put_number(next, 0, shared);
                for (slot, local) in (0u32..).zip(locals) {
                    put_number(next, slot + 1, cache.number(local.bytes())?);
                }
                out.push(Choice(n_starts), next);
                n_starts += 1;
                Ok(())
            })?;
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        if !self.composition.rests {
            return self.expand_threads(state, out);
        }
        let place = self.composition.turn_place();
        if number_at(state, place) != 0 {
            return Ok(());
        }
        let (n_steps, n_enabled) = (out.len(), out.n_enabled);
        self.expand_threads(state, out)?;
        let is_optional = (n_steps..out.len()).all(|idx| unpack(out.choice(idx)).is_spurious);
        let n_pushed = (out.len() - n_steps) as u64;
        if n_pushed > 0 && is_optional && out.n_enabled - n_enabled == n_pushed {
            // It may as well be that nobody wakes up for no reason any more.
            self.next.copy_from_slice(state);
            put_number(&mut self.next, place, 1);
            out.push(REST, &self.next);
        }
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        for (idx, asked) in (0u32..).zip(&self.composition.asked) {
            let is_violated = match asked {
                Asked::Target(target) => self.is_reached(*target, state),
                Asked::Deadlock => self.judge_present(state, Self::is_deadlock)?,
                Asked::Race => self.judge_present(state, Self::is_race)?,
            };
            if is_violated {
                out.violated.push(idx);
            }
        }
        Ok(())
    }

    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        let requirements = self.composition.program.requirements();
        let Some((shared, stores)) = self.stores_of(state) else { return Ok(0) };
        let locals: Vec<&[u8]> = stores.iter().map(|store| &**store).collect();
        let n_propositions = requirements.propositions().len().min(64);
        let holds = |idx: &usize| targets::holds(requirements, *idx, &shared, &locals);
        Ok((0..n_propositions).filter(holds).fold(0, |letter, idx| letter | 1 << idx))
    }
}
