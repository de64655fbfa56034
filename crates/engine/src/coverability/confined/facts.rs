//! Linear facts that spare the backward search what no run can reach.
//!
//! As `coverability/backward/prune.rs` has them, but for a system that is not sliced, and
//! only from some size of the search on: most questions are answered before a linear
//! program would be.

use model::{CounterSystem, Limits, LinearLemma, StopReason};

use crate::coverability::backward::prune::{Fact, Prune, QUESTIONS_BEFORE_DOUBT};
use crate::coverability::equation::StateEquation;
use crate::coverability::rules::precede;

/// Zones that are expanded before facts are looked for.
const ZONES_BEFORE_FACTS: u32 = 3000;

/// Facts of the state equation of a system.
pub struct LateFacts<'a> {
    system: &'a CounterSystem,
    equation: Option<StateEquation<'a>>,
    facts: Vec<Fact>,
    n_expanded: u32,
    n_asked: u32,
}

impl<'a> LateFacts<'a> {
    /// No facts so far.
    pub fn new(system: &'a CounterSystem) -> LateFacts<'a> {
        LateFacts { system, equation: None, facts: Vec::new(), n_expanded: 0, n_asked: 0 }
    }

    fn is_worth_asking(&mut self) -> bool {
        self.n_expanded += 1;
        let n_facts = self.facts.len() as u32;
        self.n_expanded > ZONES_BEFORE_FACTS
            && (self.n_asked < QUESTIONS_BEFORE_DOUBT || n_facts * 8 >= self.n_asked)
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
        self.facts.iter().any(|fact| fact.excludes(control, vector))
    }

    fn ask(&mut self, control: u32, vector: &[u64], limits: &Limits) -> Result<bool, StopReason> {
        if self.is_known(control, vector) {
            return Ok(true);
        }
        if !self.is_worth_asking() {
            return Ok(false);
        }
        self.n_asked += 1;
        let system = self.system;
        let zone = precede::decode(control, vector, system.counter_names.len() as u32);
        let equation = self.equation.get_or_insert_with(|| StateEquation::new(system));
        let Some(lemma) = equation.exclude(&zone, limits)? else { return Ok(false) };
        let fact = self.compiled(lemma);
        let excludes = fact.excludes(control, vector);
        self.facts.push(fact);
        Ok(excludes)
    }

    fn lemmas(&self) -> Vec<LinearLemma> {
        self.facts.iter().map(|fact| fact.lemma.clone()).collect()
    }
}
