//! Zones that the state equation excludes need not be explored.

use model::{Limits, LinearLemma, StopReason};

use crate::coverability::equation::StateEquation;
use crate::coverability::rules::precede;
use crate::coverability::slice::Slice;
use crate::kernel::sparse::{idx_of, value_of};

/// What a backward search asks before it keeps or expands a zone.
pub trait Prune {
    /// Does a fact found before exclude the zone? Cheap.
    fn is_known(&self, control: u32, vector: &[u64]) -> bool;

    /// Can the zone be excluded? May solve a linear program.
    ///
    /// # Errors
    /// When a limit is reached.
    fn ask(&mut self, control: u32, vector: &[u64], limits: &Limits) -> Result<bool, StopReason>;

    /// The facts found, in the original's indices.
    fn lemmas(&self) -> Vec<LinearLemma>;
}

/// Excludes nothing: for short searches that linear programs would hold up.
pub struct NoPruning;

impl Prune for NoPruning {
    fn is_known(&self, _control: u32, _vector: &[u64]) -> bool {
        false
    }

    fn ask(&mut self, _: u32, _: &[u64], _: &Limits) -> Result<bool, StopReason> {
        Ok(false)
    }

    fn lemmas(&self) -> Vec<LinearLemma> {
        Vec::new()
    }
}

/// Excludes by linear facts. Those come from the slice that keeps every
/// transition that may fire, because a fact must survive all of them.
pub struct ByEquation<'a> {
    equation: StateEquation<'a>,
    /// The slice that the search works on.
    searched: &'a Slice<'a>,
    /// The slice that `equation` is of.
    closed: &'a Slice<'a>,
    facts: Facts,
}

/// The facts found so far, and how many questions they took.
#[derive(Default)]
pub struct Facts {
    facts: Vec<Fact>,
    n_asked: u32,
}

/// A fact in the indices of the system that is searched, and as it goes into the proof.
pub struct Fact {
    /// Weights by control state.
    pub controls: Vec<i64>,
    /// Weights by counter.
    pub counters: Vec<i64>,
    /// The fact.
    pub lemma: LinearLemma,
}

/// The first so many questions are asked in any case; after that, only while at
/// least one in eight was answered with a fact. A solve costs thousands of
/// predecessors; chosen on the mist and soter nets.
const QUESTIONS_BEFORE_DOUBT: u32 = 64;

impl Facts {
    /// Does one of them exclude the zone?
    pub fn exclude(&self, control: u32, vector: &[u64]) -> bool {
        self.facts.iter().any(|fact| fact.excludes(control, vector))
    }

    /// Have questions paid so far?
    pub fn are_worth_asking(&self) -> bool {
        let n_facts = self.facts.len() as u32;
        self.n_asked < QUESTIONS_BEFORE_DOUBT || n_facts * 8 >= self.n_asked
    }

    /// A question is asked, which may give no fact.
    pub fn note_question(&mut self) {
        self.n_asked += 1;
    }

    /// Keeps a fact; does it exclude the zone?
    pub fn keep(&mut self, fact: Fact, control: u32, vector: &[u64]) -> bool {
        let excludes = fact.excludes(control, vector);
        self.facts.push(fact);
        excludes
    }

    /// All of them.
    pub fn lemmas(&self) -> Vec<LinearLemma> {
        self.facts.iter().map(|fact| fact.lemma.clone()).collect()
    }
}

impl<'a> ByEquation<'a> {
    /// Facts about the original of both slices.
    pub fn new(closed: &'a Slice<'a>, searched: &'a Slice<'a>) -> ByEquation<'a> {
        ByEquation {
            equation: StateEquation::new(&closed.system),
            searched,
            closed,
            facts: Facts::default(),
        }
    }

    fn compile(&self, lemma: LinearLemma) -> Fact {
        let system = &self.searched.system;
        let mut controls = vec![0; system.control_names.len()];
        let mut counters = vec![0; system.counter_names.len()];
        for (control, weight) in &lemma.controls {
            if let Some(id) = self.searched.sliced_control(*control) {
                controls[id.idx()] = *weight;
            }
        }
        for (counter, weight) in &lemma.counters {
            if let Some(id) = self.searched.sliced_counter(*counter) {
                counters[id.idx()] += *weight;
            }
        }
        Fact { controls, counters, lemma }
    }
}

impl Fact {
    /// Is all of the zone excluded?
    fn excludes(&self, control: u32, vector: &[u64]) -> bool {
        let mut total = i128::from(self.controls[control as usize]);
        for &e in vector {
            // Ceilings come after all lower bounds, and facts do not use them.
            let Some(weight) = self.counters.get(idx_of(e) as usize) else { break };
            total += i128::from(*weight) * i128::from(value_of(e));
        }
        total > i128::from(self.lemma.bound)
    }
}

impl Prune for ByEquation<'_> {
    fn is_known(&self, control: u32, vector: &[u64]) -> bool {
        self.facts.exclude(control, vector)
    }

    fn ask(&mut self, control: u32, vector: &[u64], limits: &Limits) -> Result<bool, StopReason> {
        if self.is_known(control, vector) {
            return Ok(true);
        }
        if !self.facts.are_worth_asking() {
            return Ok(false);
        }
        self.facts.note_question();
        let n_counters = self.searched.system.counter_names.len() as u32;
        let zone = precede::decode(control, vector, n_counters);
        let original = self.searched.lift_zone(&zone);
        let Some(zone) = self.closed.slice_zone(&original) else { return Ok(false) };
        let Some(lemma) = self.equation.exclude(&zone, limits)? else { return Ok(false) };
        let fact = self.compile(self.closed.lift_lemma(&lemma));
        Ok(self.facts.keep(fact, control, vector))
    }

    fn lemmas(&self) -> Vec<LinearLemma> {
        self.facts.lemmas()
    }
}
