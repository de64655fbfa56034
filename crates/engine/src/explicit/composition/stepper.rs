//! Computes the successors of threads: whose turn it is, what the step does to
//! others, and where spawned threads go.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use model::{
    Access, BroadcastId, Choice, Fault, FaultKind, FaultPlace, Footprint, Judgement, LabelId,
    Limits, Omission, StepError, StepErrorRef, StepRef, Stepper, Steps, StopReason, Store, Stuck,
    Successors, TransitionSystem,
};
use rustc_hash::FxHashMap;

use super::super::Reduction;
use super::asked::Asked;
use super::rename::HeapRenaming;
use super::stores::{Cache, number_at, put_number};
use super::{Composition, population, targets};

/// Pairs of stores whose steps are remembered, before all are forgotten.
pub(super) const MAX_REMEMBERED: usize = 1 << 18;

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

/// A step with numbers instead of stores.
pub(super) struct Numbered {
    pub(super) shared: u64,
    /// Zero when the thread has ended.
    pub(super) local: u64,
    pub(super) spawned: Vec<u64>,
    pub(super) broadcast: Option<BroadcastId>,
    label: LabelId,
    pub(super) violation: Option<StepError>,
    pub(super) is_spurious: bool,
    pub(super) goes_back: bool,
    /// Is all that it touches in `accesses`?
    pub(super) is_local: bool,
    pub(super) accesses: Box<[Access]>,
}

/// The steps of a thread, as far as its program knows them.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) steps: Arc<[Numbered]>,
    /// What is left out because the program does not know all steps.
    pub(super) unknown: Option<Arc<Omission>>,
    /// Does it not go on because an assumption of the program is false?
    is_assumed_away: bool,
    /// What the thread touches on ways that come to nothing.
    pub(super) in_vain: Arc<[Access]>,
    /// Who the thread is and whom it waits for, if it has no step.
    waits_for: Option<(u32, u32)>,
}

impl Known {
    /// All that the thread can touch next.
    pub(super) fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.steps.iter().flat_map(|step| &*step.accesses).chain(&*self.in_vain)
    }
}

/// Computes successors of a composition.
pub(super) struct ThreadStepper<'a> {
    pub(super) composition: &'a Composition<'a>,
    limits: Limits,
    pub(super) cache: Cache<'a>,
    steps: Steps,
    /// Steps by the numbers of the shared and the local store; a local of zero
    /// stands for the environment.
    remembered: FxHashMap<(u64, u64), Known>,
    /// What threads may touch, by the same numbers.
    pub(super) futures: FxHashMap<(u64, u64), Arc<[u32]>>,
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
            remembered: FxHashMap::default(),
            futures: FxHashMap::default(),
            visible: FxHashMap::default(),
            renaming: HeapRenaming::default(),
            next: vec![0; composition.state_words()],
            turn: 0,
        }
    }

    /// The steps of a thread in `local`, or of the environment where it is zero.
    pub(super) fn numbered_steps(&mut self, shared: u64, local: u64) -> Result<Known, StopReason> {
        if let Some(known) = self.remembered.get(&(shared, local)) {
            return Ok(known.clone());
        }
        let program = self.composition.program;
        self.steps.clear();
        if let Some(shared_bytes) = self.cache.bytes(shared) {
            match self.cache.bytes(local) {
                Some(local_bytes) => program.steps(&shared_bytes, &local_bytes, &mut self.steps),
                None => program.environment_steps(&shared_bytes, &mut self.steps),
            }
        }
        let steps: Result<Arc<[Numbered]>, StopReason> =
            self.steps.iter().map(|step| numbered(&mut self.cache, step)).collect();
        let steps = steps?;
        let unknown = self.steps.incomplete();
        let unknown = unknown.map(|why| Arc::new(Omission::UnknownSteps { why: why.to_owned() }));
        let waits_for = match (self.cache.bytes(shared), self.cache.bytes(local)) {
            (Some(shared), Some(local)) if unknown.is_none() && steps.is_empty() => {
                program.blocking().and_then(|blocking| blocking.waits_for(&shared, &local))
            }
            _ => None,
        };
        let in_vain = self.steps.in_vain().into();
        let is_assumed_away = self.steps.is_assumed_away();
        let known = Known { steps, unknown, is_assumed_away, in_vain, waits_for };
        if self.remembered.len() >= MAX_REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert((shared, local), known.clone());
        Ok(known)
    }

    fn expand_mover(
        &mut self,
        state: &[u64],
        mover: Option<u32>,
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        let local = mover.map_or(0, |slot| number_at(state, slot + 1));
        if mover.is_some() && local == 0 {
            return Ok(());
        }
        let known = self.numbered_steps(number_at(state, 0), local)?;
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
    fn expand_supersteps(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        for (slot, superstep) in self.supersteps(state)? {
            if !self.takes_turn(state, slot, out)? {
                continue;
            }
            let Some(superstep) = superstep else {
                self.expand_mover(state, Some(slot), out)?;
                continue;
            };
            let known = self.numbered_steps(number_at(state, 0), number_at(state, slot + 1))?;
            let Some(first) = known.steps.first() else { continue };
            let choice = pack(Some(slot), first.label, superstep.n_steps);
            self.next.copy_from_slice(state);
            put_number(&mut self.next, 0, superstep.shared);
            put_number(&mut self.next, slot + 1, superstep.local);
            if superstep.local == 0 {
                self.note_end(superstep.shared);
            }
            if self.finds_room(state, choice, &superstep.spawned, out)? {
                out.n_enabled += 1;
                self.push_next(choice, out)?;
            }
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
        if let Some(slot) = self.ample_thread(state)? {
            return self.expand_mover(state, Some(slot), out);
        }
        self.turn = match self.composition.max_switches {
            Some(_) => number_at(state, self.composition.turn_place()),
            None => 0,
        };
        let n_before = out.n_enabled;
        self.expand_mover(state, None, out)?;
        let is_still = out.n_enabled == n_before;
        if self.composition.reduction == Reduction::Supersteps && is_still {
            return self.expand_supersteps(state, out);
        }
        for slot in 0..self.composition.n_slots {
            if self.takes_turn(state, slot, out)? {
                self.expand_mover(state, Some(slot), out)?;
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

    /// The steps of each thread of `state`.
    fn steps_of_all(&mut self, state: &[u64]) -> Result<Vec<Known>, StopReason> {
        let mut all = Vec::new();
        for place in 1..=self.composition.n_slots {
            let local = number_at(state, place);
            if local != 0 {
                all.push(self.numbered_steps(number_at(state, 0), local)?);
            }
        }
        Ok(all)
    }

    fn is_deadlock(
        &mut self,
        state: &[u64],
        shared: &[u8],
        locals: &[&[u8]],
    ) -> Result<bool, StopReason> {
        let all = self.steps_of_all(state)?;
        let goes_on = all.iter().any(|known| {
            known.unknown.is_some() || known.steps.iter().any(|step| !step.is_spurious)
        });
        let waits: Vec<(u32, u32)> = all.iter().filter_map(|known| known.waits_for).collect();
        if has_circle(&waits) {
            return Ok(true);
        }
        let Some(blocking) = self.composition.program.blocking() else { return Ok(false) };
        let is_blocked = |local: &&[u8]| blocking.blocked(shared, local).is_some();
        Ok(!goes_on && !locals.is_empty() && locals.iter().all(is_blocked))
    }

    fn is_race(&mut self, state: &[u64]) -> Result<bool, StopReason> {
        let all = self.steps_of_all(state)?;
        let Some(shared) = self.cache.bytes(number_at(state, 0)) else { return Ok(false) };
        let program = self.composition.program;
        Ok(all.iter().enumerate().any(|(idx, left)| {
            left.accesses().any(|access| {
                let mut others = all[idx + 1..].iter().flat_map(Known::accesses);
                // What a step has just made, no other thread can access next.
                others.any(|other| access.races(other))
                    && program.has_object(&shared, access.object)
            })
        }))
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

fn numbered(cache: &mut Cache<'_>, step: StepRef<'_>) -> Result<Numbered, StopReason> {
    let local = step.local().map_or(Ok(0), |local| cache.number(local))?;
    let spawned: Result<Vec<u64>, StopReason> =
        step.spawned().map(|local| cache.number(local)).collect();
    Ok(Numbered {
        shared: cache.number(step.shared())?,
        local,
        spawned: spawned?,
        broadcast: step.broadcast(),
        label: step.label(),
        violation: step.violation().map(StepErrorRef::owned),
        is_spurious: step.is_spurious(),
        goes_back: step.goes_back(),
        is_local: matches!(step.footprint(), Footprint::Known(_)),
        accesses: match step.footprint() {
            Footprint::Everything => Box::default(),
            Footprint::Known(accesses) => accesses.into(),
        },
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
        let requirements = self.composition.program.requirements();
        let Some(shared) = self.cache.bytes(number_at(state, 0)) else { return Ok(()) };
        let mut stores: Vec<Arc<[u8]>> = Vec::new();
        for place in 1..=self.composition.n_slots {
            stores.extend(self.cache.bytes(number_at(state, place)));
        }
        let locals: Vec<&[u8]> = stores.iter().map(|store| &**store).collect();
        for (idx, asked) in (0u32..).zip(&self.composition.asked) {
            let is_violated = match asked {
                Asked::Target(target) => targets::fits(requirements, *target, &shared, &locals),
                Asked::Deadlock => self.is_deadlock(state, &shared, &locals)?,
                Asked::Race => self.is_race(state)?,
            };
            if is_violated {
                out.violated.push(idx);
            }
        }
        Ok(())
    }

    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        let requirements = self.composition.program.requirements();
        let Some(shared) = self.cache.bytes(number_at(state, 0)) else { return Ok(0) };
        let mut stores: Vec<Arc<[u8]>> = Vec::new();
        for place in 1..=self.composition.n_slots {
            stores.extend(self.cache.bytes(number_at(state, place)));
        }
        let locals: Vec<&[u8]> = stores.iter().map(|store| &**store).collect();
        let n_propositions = requirements.propositions().len().min(64);
        let holds = |idx: &usize| targets::holds(requirements, *idx, &shared, &locals);
        Ok((0..n_propositions).filter(holds).fold(0, |letter, idx| letter | 1 << idx))
    }
}
