//! Puts states into a form in which the names of shared objects do not matter, and
//! finds the run with the real names again.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use model::{Judgement, LabelId, Limits, Renaming, StateStep, Stepper, Steps, StopReason, Store};
use rustc_hash::FxHashMap;

use super::super::Reduction;
use super::stepper::{ThreadStepper, UnpackedChoice};
use super::stores::{Cache, number_at, put_number};
use super::{Composition, stepper};

/// Renames states; one per thread of the search.
#[derive(Default)]
pub(super) struct HeapRenaming {
    /// May the shared store with this number have something to rename?
    may_rename: FxHashMap<u64, bool>,
    /// The threads of a state by number, with their places; used over and over.
    threads: Vec<(u64, u32, Arc<[u8]>)>,
}

impl HeapRenaming {
    /// Renames what can be renamed in `state`.
    ///
    /// # Errors
    /// Two stores have the same number.
    pub(super) fn apply(
        &mut self,
        composition: &Composition<'_>,
        cache: &mut Cache<'_>,
        state: &mut [u64],
    ) -> Result<(), StopReason> {
        let Some(symmetry) = composition.heap_symmetry else { return Ok(()) };
        let shared_number = number_at(state, 0);
        let Some(shared) = cache.bytes(shared_number) else { return Ok(()) };
        let may_rename =
            *self.may_rename.entry(shared_number).or_insert_with(|| symmetry.may_rename(&shared));
        if !may_rename {
            return Ok(());
        }
        self.threads.clear();
        for place in 1..=composition.n_slots {
            let number = number_at(state, place);
            if let Some(bytes) = cache.bytes(number) {
                self.threads.push((number, place, bytes));
            }
        }
        // In an order that does not depend on slots, so that names do not either.
        self.threads.sort_unstable_by_key(|(number, place, _)| (*number, *place));
        let locals: Vec<&[u8]> = self.threads.iter().map(|(_, _, bytes)| &**bytes).collect();
        let renaming = composition.renaming();
        let Some((shared, locals)) = symmetry.canonicalize(&shared, &locals, renaming) else {
            return Ok(());
        };
        composition.renamed.store(true, Ordering::Relaxed);
        put_number(state, 0, cache.number(shared.bytes())?);
        for ((_, place, _), local) in self.threads.iter().zip(&locals) {
            put_number(state, *place, cache.number(local.bytes())?);
        }
        Ok(())
    }
}

/// Steps that a thread takes to join another one, at most.
const STEPS_PER_JOIN: u32 = 4;

/// A step of a run, and the state after it.
pub(super) struct RealStep {
    pub(super) label: LabelId,
    pub(super) state: Vec<u64>,
}

impl Composition<'_> {
    /// What states may differ in and count as equal. Joins that come later make no difference
    /// to what is asked of states; searches without reductions take every step as it comes.
    fn renaming(&self) -> Renaming {
        let sees_joins = self.sees_locals || self.rests || self.abstraction.is_some();
        match self.reduction {
            Reduction::AmpleSets | Reduction::Supersteps if !sees_joins => Renaming::UpToJoins,
            _ => Renaming::Exact,
        }
    }

    /// A run with the names that the program itself gives, from `first` on: for each of
    /// `steps` the steps of the program that it is made of. `None` when the run is not
    /// one of this composition.
    pub(super) fn with_real_names(
        &self,
        first: &[u64],
        steps: &[StateStep],
    ) -> Option<Vec<Vec<RealStep>>> {
        let mut state = first.to_vec();
        let mut before = first.to_vec();
        let mut all = Vec::new();
        for step in steps {
            let after = step.state.to_words()?;
            let taken = stepper::unpack(step.choice);
            let path = match self.renamed.load(Ordering::Relaxed) || taken.n_steps > 1 {
                false => vec![RealStep { label: taken.label, state: after.clone() }],
                true => self.real_path(&state, taken, (&before, &after))?,
            };
            state.clone_from(&path.last()?.state);
            before = after;
            all.push(path);
        }
        Some(all)
    }

    /// The steps on from `state` until it has the deadlock that the search has found in what
    /// is the same state up to names, with who takes them: joins that the search puts off
    /// ([`Renaming::UpToJoins`]) and that are possible.
    pub(super) fn joins_before_deadlock(
        &self,
        state: &[u64],
        property: u32,
    ) -> Option<Vec<(u32, RealStep)>> {
        let mut stepper = ThreadStepper::new(self, &Limits::none());
        let mut state = state.to_vec();
        let mut steps = Vec::new();
        for _ in 0..self.n_slots * STEPS_PER_JOIN {
            let mut judgement = Judgement::default();
            stepper.judge(&state, &mut judgement).ok()?;
            if judgement.violated.contains(&property) {
                break;
            }
            let slots = (0..self.n_slots).filter(|&slot| number_at(&state, slot + 1) != 0);
            let mut ways = slots.map(|slot| (slot, self.real_successors(&state, slot)));
            let only = ways.find_map(|(slot, ways)| {
                let [way] = <[RealStep; 1]>::try_from(ways?).ok()?;
                Some((slot, way))
            });
            let Some((slot, way)) = only else { break };
            state.clone_from(&way.state);
            steps.push((slot, way));
        }
        Some(steps)
    }

    /// The way from `state`, which is `before` up to names, to what is `after` up to names.
    ///
    /// Which of several threads that look alike gets the first name depends on the names that
    /// they have, so the canonical forms of equivalent states may differ. Their places are
    /// the same, though: names that are given by these are.
    fn real_path(
        &self,
        state: &[u64],
        taken: UnpackedChoice,
        (before, after): (&[u64], &[u64]),
    ) -> Option<Vec<RealStep>> {
        let mut paths = self.paths(state, taken)?;
        for path in &mut paths {
            let last = path.last_mut()?;
            if self.max_switches.is_some() {
                let turn = self.turn_place();
                put_number(&mut last.state, turn, number_at(after, turn));
            }
        }
        let wanted = self.named_by_places(after)?;
        let ends = paths.iter().map(|path| self.named_by_places(&path.last()?.state));
        let alike = ends.collect::<Option<Vec<_>>>()?.iter().position(|end| *end == wanted);
        let chosen = match alike {
            Some(idx) => idx,
            // Memory that is lost has no place. Ways are told apart by their order then.
            None => self.which_path(before, taken, after)?,
        };
        (chosen < paths.len()).then(|| paths.swap_remove(chosen))
    }

    /// The ways on from `state` that a choice may mean.
    fn paths(&self, state: &[u64], taken: UnpackedChoice) -> Option<Vec<Vec<RealStep>>> {
        let mover = taken.mover?;
        let mut paths = Vec::new();
        for first in self.real_successors(state, mover)? {
            if first.label != taken.label {
                continue;
            }
            let mut path = vec![first];
            while path.len() < taken.n_steps {
                let mut ways = self.real_successors(&path.last()?.state, mover)?;
                let way = ways.pop().filter(|_| ways.is_empty())?;
                path.push(way);
            }
            paths.push(path);
        }
        Some(paths)
    }

    /// Which of the ways on from `before` has `after` for its canonical form.
    fn which_path(&self, before: &[u64], taken: UnpackedChoice, after: &[u64]) -> Option<usize> {
        let mut cache = Cache::new(&self.stores);
        let mut renaming = HeapRenaming::default();
        self.paths(before, taken)?.into_iter().position(|mut path| {
            path.pop().is_some_and(|RealStep { mut state, .. }| {
                let turn = self.turn_place();
                if self.max_switches.is_some() {
                    put_number(&mut state, turn, number_at(after, turn));
                }
                renaming.apply(self, &mut cache, &mut state).is_ok() && state == after
            })
        })
    }

    /// The stores of a state with names that its threads' places decide, and the places.
    fn named_by_places(&self, state: &[u64]) -> Option<(Vec<Store>, Vec<u32>)> {
        let places: Vec<u32> =
            (1..=self.n_slots).filter(|&place| number_at(state, place) != 0).collect();
        let shared = self.store(state, 0)?;
        let locals: Option<Vec<Store>> =
            places.iter().map(|&place| self.store(state, place)).collect();
        let locals = locals?;
        let Some(symmetry) = self.heap_symmetry else {
            return Some((std::iter::once(shared).chain(locals).collect(), places));
        };
        let bytes: Vec<&[u8]> = locals.iter().map(Store::bytes).collect();
        let (shared, locals) = symmetry.rename_in_order(shared.bytes(), &bytes);
        Some((std::iter::once(shared).chain(locals).collect(), places))
    }

    /// The successors of `state` by steps of the thread in slot `mover` that are no
    /// errors.
    fn real_successors(&self, state: &[u64], mover: u32) -> Option<Vec<RealStep>> {
        let (shared, local) = (self.store(state, 0)?, self.store(state, mover + 1)?);
        let mut steps = Steps::new();
        self.program.steps(shared.bytes(), local.bytes(), &mut steps);
        let mut cache = Cache::new(&self.stores);
        let mut all = Vec::new();
        for own in steps.iter().filter(|own| own.violation().is_none()) {
            let mut real = state.to_vec();
            put_number(&mut real, 0, cache.number(own.shared()).ok()?);
            let local = own.local().map_or(Some(0), |local| cache.number(local).ok())?;
            put_number(&mut real, mover + 1, local);
            let free = (1..=self.n_slots).filter(|&place| number_at(state, place) == 0);
            for (place, spawned) in free.zip(own.spawned()) {
                put_number(&mut real, place, cache.number(spawned).ok()?);
            }
            all.push(RealStep { label: own.label(), state: real });
        }
        Some(all)
    }
}
