//! Backward coverability: from which zones can a target be reached?
//!
//! Starts with the targets and adds predecessors of zones, keeping the minimal
//! ones, until nothing new appears or a zone contains an initial configuration.
//!
//! **Answers.** `Holds` carries the final basis and the linear facts that pruned
//! it; the rest is an inductive invariant, which `certify` checks without this
//! module. `Violated` carries the schedule that leads back to the target.
//! **Sound for** all counter systems, **complete for** those without upper bounds,
//! transfers, resets and broadcasts included. With upper bounds (zero tests) zones
//! have ceilings; the search may then run forever, and a schedule may turn out not
//! to execute, which ends it without an answer.
//! **Ends** always without upper bounds (Dickson's lemma); memory can grow without
//! useful bound, see `Limits`.
//! **Source** Abdulla, Cerans, Jonsson, Tsay, LICS 1996. We differ: (1) one
//! antichain per control state; (2) smallest zones first; (3) zones that need what
//! the forward closure excludes are dropped; (4) zones that the state equation
//! excludes are dropped (as QCover and ICover do), each by a linear fact that is
//! kept for the certificate.

pub mod prune;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use model::{CounterSystem, Proof, Support, TransitionId};

use self::prune::Prune;
use super::execute;
use super::finding::{Advance, Finding};
use super::rules::Rules;
use super::rules::precede::{self, Preceding};
use super::slice::{Schedule, SupportClosure};
use crate::kernel::antichain::{Antichain, Keeps};
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::sparse::{VectorId, VectorStore, idx_of, sum};

/// A resumable backward search.
pub struct Backward<'a> {
    system: &'a CounterSystem,
    rules: &'a Rules,
    closure: SupportClosure,
    prune: Box<dyn Prune + Send + 'a>,
    /// Zones, by index; their vectors have the same index in `vectors`.
    zones: Vec<ZoneNode>,
    vectors: VectorStore,
    basis: Vec<Antichain>,
    waiting: BinaryHeap<Reverse<(u32, VectorId)>>,
    /// Is the schedule wanted that starts with the fewest tokens?
    wants_fewest: bool,
    /// Zones that initial configurations are in: tokens of the smallest, the zone, and
    /// the initial zone.
    goals: BinaryHeap<Reverse<(u32, VectorId, usize)>>,
    n_predecessors: u64,
    started: bool,
}

struct ZoneNode {
    control: u32,
    origin: ZoneOrigin,
    is_minimal: bool,
}

#[derive(Clone, Copy)]
enum ZoneOrigin {
    Target(usize),
    Before { rule: u32, zone: VectorId },
}

impl<'a> Backward<'a> {
    /// A search in `system`, compiled as `rules`.
    pub fn new(
        system: &'a CounterSystem,
        rules: &'a Rules,
        prune: Box<dyn Prune + Send + 'a>,
    ) -> Backward<'a> {
        Backward {
            system,
            rules,
            closure: SupportClosure::of(system),
            prune,
            zones: Vec::new(),
            vectors: VectorStore::default(),
            basis: (0..rules.n_controls).map(|_| Antichain::new(Keeps::Minimal)).collect(),
            waiting: BinaryHeap::new(),
            wants_fewest: false,
            goals: BinaryHeap::new(),
            n_predecessors: 0,
            started: false,
        }
    }

    /// Drops zones that need more than `support` has. What is proven then is that no
    /// target is reached before something outside of the support is.
    pub fn within(mut self, support: &Support) -> Backward<'a> {
        self.closure = SupportClosure::of_support(self.system, support);
        self
    }

    /// Looks for the schedules that start with the fewest tokens. Those are found where
    /// no transition adds tokens.
    pub fn fewest_tokens(mut self) -> Backward<'a> {
        self.wants_fewest = true;
        self
    }

    /// Goes on until there is a finding or the budget is spent.
    ///
    /// # Errors
    /// Why there is no finding so far.
    pub fn advance(&mut self, budget: &mut Budget<'_>) -> Advance {
        if !self.started {
            self.started = true;
            for (idx, target) in self.system.targets.iter().enumerate() {
                let vector = precede::encode(&target.zone, self.rules.n_counters)?;
                let control = target.zone.control.0;
                if let Some(finding) = self.add(control, &vector, ZoneOrigin::Target(idx)) {
                    return Ok(finding);
                }
            }
        }
        while let Some(Reverse((key, zone))) = self.waiting.pop() {
            if let Some(finding) = self.best_goal(key) {
                self.waiting.push(Reverse((key, zone)));
                return Ok(finding);
            }
            match self.expand(zone, budget) {
                Ok(None) => {}
                Ok(Some(finding)) => return Ok(finding),
                Err(pause) => {
                    self.waiting.push(Reverse((key, zone)));
                    return Err(pause);
                }
            }
        }
        Ok(self.best_goal(u32::MAX).unwrap_or_else(|| Finding::Holds(self.proof())))
    }

    /// The goal with the fewest tokens, if all that wait have more.
    fn best_goal(&self, fewest_waiting: u32) -> Option<Finding> {
        let &Reverse((n_tokens, zone, initial)) = self.goals.peek()?;
        let schedule = || Finding::Violated(self.schedule(zone, initial));
        (n_tokens < fewest_waiting).then(schedule)
    }

    /// Schedules that start with the fewest tokens, one for each target that was met:
    /// there may be more targets that can be reached with as few.
    pub fn with_fewest_tokens(&self) -> Vec<Schedule> {
        let Some(Reverse((fewest, _, _))) = self.goals.peek() else { return Vec::new() };
        let goals = self.goals.iter().filter(|goal| goal.0.0 == *fewest);
        let schedules = goals.map(|Reverse((_, zone, initial))| self.schedule(*zone, *initial));
        let mut schedules: Vec<Schedule> = schedules.collect();
        schedules.sort_by_key(|schedule| (schedule.target, schedule.transitions.len()));
        schedules.dedup_by_key(|schedule| schedule.target);
        schedules
    }

    /// Named figures for reports.
    pub fn figures(&self) -> Vec<(&'static str, u64)> {
        let n_basis: usize = self.basis.iter().map(Antichain::len).sum();
        vec![
            ("basis zones", n_basis as u64),
            ("zones", self.zones.len() as u64),
            ("predecessors", self.n_predecessors),
            ("linear facts", self.prune.lemmas().len() as u64),
        ]
    }

    fn expand(
        &mut self,
        zone: VectorId,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Finding>, Pause> {
        if !self.zones[zone as usize].is_minimal {
            return Ok(None);
        }
        let control = self.zones[zone as usize].control;
        let vector = self.vectors.get(zone).to_vec();
        if self.prune.ask(control, &vector, budget.limits())? {
            self.zones[zone as usize].is_minimal = false;
            self.basis[control as usize].remove(zone, &self.vectors);
            return Ok(None);
        }
        let mut entering = Vec::new();
        self.rules.entering(control, &vector, &mut entering);
        let figures = [("zones", self.zones.len() as u64), ("waiting", self.waiting.len() as u64)];
        let compared = self.vectors.take_work();
        budget.spend(1 + entering.len() as u64 + compared, &figures)?;
        let mut buffer = Vec::new();
        let mut found: Vec<Vec<u64>> = Vec::new();
        for rule_idx in entering {
            let rule = &self.rules.rules[rule_idx as usize];
            let keep = &mut |before: &[u64]| {
                found.push(before.to_vec());
                budget.look_at_times(found.len())
            };
            let can_hold = |counter| self.closure.is_live(rule.from, counter);
            let preceding =
                Preceding { rule, n_counters: self.rules.n_counters, can_hold: &can_hold };
            preceding.for_each(&vector, &mut buffer, keep)?;
            for before in found.drain(..) {
                self.n_predecessors += 1;
                let origin = ZoneOrigin::Before { rule: rule_idx, zone };
                if let Some(finding) = self.add(rule.from, &before, origin) {
                    return Ok(Some(finding));
                }
            }
        }
        Ok(None)
    }

    /// Adds a zone, unless another contains it or nothing in it is reachable.
    fn add(&mut self, control: u32, vector: &[u64], origin: ZoneOrigin) -> Option<Finding> {
        let antichain = &self.basis[control as usize];
        if antichain.some_below(vector, &self.vectors).is_some()
            || self.is_outside_closure(control, vector)
            || self.prune.is_known(control, vector)
        {
            return None;
        }
        let id = self.vectors.push(vector);
        self.zones.push(ZoneNode { control, origin, is_minimal: true });
        if let Some((n_tokens, initial)) = self.meets_initial(control, vector) {
            if !self.wants_fewest {
                return Some(Finding::Violated(self.schedule(id, initial)));
            }
            self.goals.push(Reverse((n_tokens, id, initial)));
        }
        let mut removed = Vec::new();
        self.basis[control as usize].insert(id, &self.vectors, &mut removed);
        for gone in removed {
            self.zones[gone as usize].is_minimal = false;
        }
        self.waiting.push(Reverse((sum(vector), id)));
        None
    }

    fn is_outside_closure(&self, control: u32, vector: &[u64]) -> bool {
        let mut needed =
            vector.iter().map(|&e| idx_of(e)).take_while(|idx| *idx < self.rules.n_counters);
        !self.closure.is_reached(model::ControlId(control))
            || needed.any(|counter| !self.closure.is_live(control, counter))
    }

    /// The first initial zone that has configurations of a zone, and how many tokens the
    /// smallest of those has; of all, the one with the fewest where they are wanted.
    fn meets_initial(&self, control: u32, vector: &[u64]) -> Option<(u32, usize)> {
        let zones = self.system.initial.iter().enumerate();
        let mut met =
            zones.filter(|(_, zone)| zone.control.0 == control).filter_map(|(idx, zone)| {
                let start = execute::start(zone, vector, self.rules.n_counters)?;
                Some((sum(&start), idx))
            });
        if self.wants_fewest { met.min() } else { met.next() }
    }

    fn schedule(&self, zone: VectorId, initial: usize) -> Schedule {
        let mut transitions = Vec::new();
        let mut at = zone;
        loop {
            match self.zones[at as usize].origin {
                ZoneOrigin::Target(target) => {
                    return Schedule { initial, transitions, target };
                }
                ZoneOrigin::Before { rule, zone } => {
                    transitions.push(TransitionId(rule));
                    at = zone;
                }
            }
        }
    }

    /// The proof; its support is filled in when it is lifted to the original.
    fn proof(&self) -> Proof {
        let mut basis = Vec::new();
        for (control, antichain) in self.basis.iter().enumerate() {
            for id in antichain.members() {
                let vector = self.vectors.get(id);
                basis.push(precede::decode(control as u32, vector, self.rules.n_counters));
            }
        }
        let lemmas = self.prune.lemmas();
        Proof::Basis { support: Support::default(), equal: Vec::new(), lemmas, basis }
    }
}
