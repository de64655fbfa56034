//! Produces the rules of a thread program: every step that a thread can take
//! within the proof's reach, with stores replaced by indices.
//!
//! A step that leads to a store without an index shows that the proof's set is not
//! closed. A step that is itself an error becomes a forbidden zone, not a rule:
//! when the zone is excluded, the step is never taken.

use std::collections::BTreeMap;

use model::{
    Bounds, BroadcastId, ControlId, CounterId, Move, StepRef, Steps, Store, ThreadProgram, Zone,
};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::reach::Reach;
use crate::rejection::Rejection;
use crate::rule::{Origin, Rule};
use crate::system::{Blame, Forbidden};

/// The vocabulary of a certificate, both ways.
pub(crate) struct Names<'a> {
    shared: &'a [Store],
    local: &'a [Store],
    control_of: FxHashMap<&'a [u8], ControlId>,
    counter_of: FxHashMap<&'a [u8], CounterId>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(shared: &'a [Store], local: &'a [Store]) -> Names<'a> {
        let control_of = (0..).map(ControlId).zip(shared).map(|(id, store)| (store.bytes(), id));
        let counter_of = (0..).map(CounterId).zip(local).map(|(id, store)| (store.bytes(), id));
        Names { shared, local, control_of: control_of.collect(), counter_of: counter_of.collect() }
    }

    pub(crate) fn control(&self, shared: &[u8]) -> Option<ControlId> {
        self.control_of.get(shared).copied()
    }

    pub(crate) fn counter(&self, local: &[u8]) -> Option<CounterId> {
        self.counter_of.get(local).copied()
    }

    pub(crate) fn shared(&self, control: ControlId) -> &'a [u8] {
        self.shared[control.idx()].bytes()
    }

    pub(crate) fn local(&self, counter: CounterId) -> &'a [u8] {
        self.local[counter.idx()].bytes()
    }
}

/// Asks for the steps of every thread state within reach.
pub(crate) struct Steppers<'a> {
    program: &'a dyn ThreadProgram,
    names: &'a Names<'a>,
    reach: &'a Reach,
    /// Where a broadcast may move a thread; empty: it stays. For lookup only.
    passive: FxHashMap<(BroadcastId, CounterId), Vec<CounterId>>,
    rules: Vec<Rule>,
    errors: Vec<Forbidden>,
}

impl<'a> Steppers<'a> {
    pub(crate) fn new(
        program: &'a dyn ThreadProgram,
        names: &'a Names<'a>,
        reach: &'a Reach,
    ) -> Steppers<'a> {
        let passive = FxHashMap::default();
        Steppers { program, names, reach, passive, rules: Vec::new(), errors: Vec::new() }
    }

    /// Collects all rules, or finds that some step leaves the vocabulary.
    pub(crate) fn gather(&mut self, budget: &Budget<'_>) -> Result<(), Rejection> {
        let mut steps = Steps::new();
        for control in self.reach.controls() {
            let shared = self.names.shared(control);
            steps.clear();
            self.program.environment_steps(shared, &mut steps);
            for step in steps.iter() {
                budget.tick()?;
                self.add(control, None, step)?;
            }
            self.exclude_gap(&steps, Zone { control, bounds: Vec::new() });
            for &counter in self.reach.counters(control) {
                steps.clear();
                self.program.steps(shared, self.names.local(counter), &mut steps);
                for step in steps.iter() {
                    budget.tick()?;
                    self.add(control, Some(counter), step)?;
                }
                let bounds = vec![(counter, Bounds::at_least(1))];
                self.exclude_gap(&steps, Zone { control, bounds });
            }
        }
        Ok(())
    }

    /// Forbids the zone of these steps, if there may be more of them.
    fn exclude_gap(&mut self, steps: &Steps, zone: Zone) {
        if steps.incomplete().is_some() {
            self.errors.push(Forbidden { blame: Blame::Gap, zone });
        }
    }

    /// The rules, and the zones in which a step is an error.
    pub(crate) fn finish(self) -> (Vec<Rule>, Vec<Forbidden>) {
        (self.rules, self.errors)
    }

    fn add(
        &mut self,
        from: ControlId,
        active: Option<CounterId>,
        step: StepRef<'_>,
    ) -> Result<(), Rejection> {
        let guard: Vec<_> =
            active.map(|counter| (counter, Bounds::at_least(1))).into_iter().collect();
        if step.violation().is_some() {
            let zone = Zone { control: from, bounds: guard };
            self.errors.push(Forbidden { blame: Blame::Step(step.label()), zone });
            return Ok(());
        }
        if active.is_none() && step.local().is_some() {
            return Err(Rejection::malformed("a step of the environment has a local store"));
        }
        let to = self.names.control(step.shared()).ok_or_else(|| self.leaves(step))?;
        let moves = self.moves(from, step)?;
        let held = active.filter(|active| moves.iter().any(|entry| entry.from == *active));
        let mut delta: BTreeMap<CounterId, i64> = BTreeMap::new();
        if let Some(active) = active.filter(|_| held.is_none()) {
            delta.insert(active, -1);
        }
        for local in step.local().into_iter().chain(step.spawned()) {
            let counter = self.names.counter(local).ok_or_else(|| self.leaves(step))?;
            *delta.entry(counter).or_default() += 1;
        }
        let delta: Vec<_> = delta.into_iter().filter(|entry| entry.1 != 0).collect();
        if from != to || !moves.is_empty() || !delta.is_empty() {
            let origin = Origin::Step(step.label());
            self.rules.push(Rule { origin, from, to, guard, held, moves, delta });
        }
        Ok(())
    }

    fn moves(&mut self, from: ControlId, step: StepRef<'_>) -> Result<Vec<Move>, Rejection> {
        let Some(broadcast) = step.broadcast() else { return Ok(Vec::new()) };
        let mut moves = Vec::new();
        for &counter in self.reach.counters(from) {
            if !self.passive.contains_key(&(broadcast, counter)) {
                let destinations = self.destinations(broadcast, counter, step)?;
                self.passive.insert((broadcast, counter), destinations);
            }
            let to = &self.passive[&(broadcast, counter)];
            if !to.is_empty() {
                moves.push(Move { from: counter, to: to.clone() });
            }
        }
        Ok(moves)
    }

    fn destinations(
        &self,
        broadcast: BroadcastId,
        counter: CounterId,
        step: StepRef<'_>,
    ) -> Result<Vec<CounterId>, Rejection> {
        let mut stores = Vec::new();
        self.program.passive(broadcast, self.names.local(counter), &mut stores);
        let ids = stores.iter().map(|store| self.names.counter(store.bytes()));
        let ids: Option<Vec<CounterId>> = ids.collect();
        let mut ids = ids.ok_or_else(|| self.leaves(step))?;
        ids.sort_unstable();
        ids.dedup();
        // Moving to where one is, without a choice, is staying.
        Ok(if ids == [counter] { Vec::new() } else { ids })
    }

    fn leaves(&self, step: StepRef<'_>) -> Rejection {
        Rejection::NotInductive {
            step: self.program.narrator().label(step.label()).text,
            why: "it leads to a store that the certificate does not name".to_owned(),
        }
    }
}
