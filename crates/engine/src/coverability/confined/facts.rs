//! Linear facts that spare the backward search what no run can reach.
//!
//! As `coverability/backward/prune.rs` has them, but for a system that is not sliced, and
//! only from some size of the search on: most questions are answered before a linear
//! program would be.

use model::{CounterSystem, Limits, LinearLemma, StopReason};

use crate::coverability::backward::prune::{Fact, Facts, Prune};
use crate::coverability::equation::StateEquation;
use crate::coverability::rules::precede;

/// Zones that are expanded before facts are looked for.
const ZONES_BEFORE_FACTS: u32 = 3000;

/// Facts of the state equation of a system.
pub struct LateFacts<'a> {
    system: &'a CounterSystem,
    equation: Option<StateEquation<'a>>,
    facts: Facts,
    n_expanded: u32,
}

impl<'a> LateFacts<'a> {
    /// No facts so far.
    pub fn new(system: &'a CounterSystem) -> LateFacts<'a> {
        LateFacts { system, equation: None, facts: Facts::default(), n_expanded: 0 }
    }

    fn is_worth_asking(&mut self) -> bool {
        self.n_expanded += 1;
        self.n_expanded > ZONES_BEFORE_FACTS && self.facts.are_worth_asking()
    }

    fn compiled(&self, lemma: LinearLemma) -> Fact {
        let mut controls = vec![0; self.system.control_names.len()];
        let mut counters = vec![0; self.system.counter_names.len()];
        lemma.controls.iter().for_each(|(id, weight)| controls[id.idx()] = *weight);
        lemma.counters.iter().for_each(|(id, weight)| counters[id.idx()] = *weight);
        Fact { controls, counters, lemma }
    }
}

impl Prune for LateFacts<'_> {
    fn is_known(&self, control: u32, vector: &[u64]) -> bool {
        self.facts.exclude(control, vector)
    }

    fn ask(&mut self, control: u32, vector: &[u64], limits: &Limits) -> Result<bool, StopReason> {
        if self.is_known(control, vector) {
            return Ok(true);
        }
        if !self.is_worth_asking() {
            return Ok(false);
        }
        self.facts.note_question();
        let system = self.system;
        let zone = precede::decode(control, vector, system.counter_names.len() as u32);
        let equation = self.equation.get_or_insert_with(|| StateEquation::new(system));
        let Some(lemma) = equation.exclude(&zone, limits)? else { return Ok(false) };
        let fact = self.compiled(lemma);
        Ok(self.facts.keep(fact, control, vector))
    }

    fn lemmas(&self) -> Vec<LinearLemma> {
        self.facts.lemmas()
    }
}
