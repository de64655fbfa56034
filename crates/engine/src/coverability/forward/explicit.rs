//! Breadth-first search over real configurations, for a bounded number of
//! threads at the start.
//!
//! Each counter that the initial zones leave open starts with at most n tokens.
//! In a monotone system a configuration below one seen before is dropped: it can
//! do no more, and not sooner, so the first counterexample found has the fewest
//! steps. Otherwise only equal configurations are.

use model::{CounterSystem, Proof, StopReason, TransitionId};
use rustc_hash::FxHashSet;

use crate::coverability::execute::contains;
use crate::coverability::finding::Finding;
use crate::coverability::rules::fire::{CapReading, successors};
use crate::coverability::rules::{Rules, precede};
use crate::coverability::slice::Schedule;
use crate::kernel::antichain::{Antichain, Keeps};
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::sparse::{VectorStore, entry, to_configuration};

/// How a search ends.
pub enum SearchEnd {
    /// It has an answer.
    Found(Finding),
    /// Everything was explored and no target found, for this many threads.
    Exhausted,
    /// It explored as much as it was allowed to.
    Full,
}

/// A resumable search.
pub struct Explicit<'a> {
    system: &'a CounterSystem,
    rules: &'a Rules,
    /// Configurations in order of discovery; their vectors have the same index.
    nodes: Vec<ExploredNode>,
    vectors: VectorStore,
    next: usize,
    seen: Seen,
    targets: Vec<Vec<(usize, Vec<u64>)>>,
    /// Was an initial count cut off at the bound on threads?
    is_cut: bool,
    found: Option<Finding>,
    n_fired: u64,
}

struct ExploredNode {
    control: u32,
    birth: Parent,
}

#[derive(Clone, Copy)]
enum Parent {
    Root(usize),
    Child { parent: u32, rule: u32 },
}

enum Seen {
    Dominated(Vec<Antichain>),
    Equal(FxHashSet<(u32, Vec<u64>)>),
}

/// More initial configurations than this are not tried; matters only for systems
/// with upper bounds, where smaller ones are not subsumed.
const MAX_ROOTS: usize = 20_000;

impl<'a> Explicit<'a> {
    /// A search from initial configurations with at most `n_threads` tokens on each
    /// counter that may have more.
    ///
    /// # Errors
    /// When a bound of a target is out of range.
    pub fn new(
        system: &'a CounterSystem,
        rules: &'a Rules,
        n_threads: u32,
    ) -> Result<Explicit<'a>, StopReason> {
        let mut targets = vec![Vec::new(); rules.n_controls];
        for (idx, target) in system.targets.iter().enumerate() {
            let zone = precede::encode(&target.zone, rules.n_counters)?;
            targets[target.zone.control.idx()].push((idx, zone));
        }
        let seen = if rules.is_monotone {
            let antichains = (0..rules.n_controls).map(|_| Antichain::new(Keeps::Maximal));
            Seen::Dominated(antichains.collect())
        } else {
            Seen::Equal(FxHashSet::default())
        };
        let mut search = Explicit {
            system,
            rules,
            nodes: Vec::new(),
            vectors: VectorStore::default(),
            next: 0,
            seen,
            targets,
            is_cut: false,
            found: None,
            n_fired: 0,
        };
        search.add_roots(n_threads);
        Ok(search)
    }

    /// Goes on until it ends, the budget is spent, or more than `allowed`
    /// successors were explored in all.
    ///
    /// # Errors
    /// Why it has not ended.
    pub fn advance(&mut self, budget: &mut Budget<'_>, allowed: u64) -> Result<SearchEnd, Pause> {
        let mut buffer = Vec::new();
        loop {
            if let Some(finding) = self.found.clone() {
                return Ok(SearchEnd::Found(finding));
            }
            if self.next == self.nodes.len() {
                return Ok(self.exhausted());
            }
            if self.n_fired > allowed {
                return Ok(SearchEnd::Full);
            }
            self.expand(budget, &mut buffer)?;
            self.next += 1;
        }
    }

    /// Named figures for reports.
    pub fn figures(&self) -> Vec<(&'static str, u64)> {
        vec![("explicit configurations", self.nodes.len() as u64)]
    }

    fn exhausted(&self) -> SearchEnd {
        let Seen::Dominated(antichains) = &self.seen else { return SearchEnd::Exhausted };
        if self.is_cut {
            return SearchEnd::Exhausted;
        }
        let mut configurations = Vec::new();
        for (control, antichain) in antichains.iter().enumerate() {
            let vectors = antichain.members().into_iter().map(|id| self.vectors.get(id));
            configurations.extend(vectors.map(|v| to_configuration(control as u32, v)));
        }
        SearchEnd::Found(Finding::Holds(Proof::Cover { configurations }))
    }

    fn add_roots(&mut self, n_threads: u32) {
        for (idx, zone) in self.system.initial.iter().enumerate() {
            let mut roots: Vec<Vec<u64>> = vec![Vec::new()];
            for (counter, bounds) in &zone.bounds {
                let most = bounds.max.unwrap_or(u32::MAX).min(bounds.min.max(n_threads));
                self.is_cut |= bounds.max != Some(most);
                let fewest = if self.rules.is_monotone { most } else { bounds.min };
                let with = |root: &Vec<u64>, count: u32| {
                    let mut root = root.clone();
                    root.extend((count > 0).then(|| entry(counter.0, count)));
                    root
                };
                let all = (fewest..=most).flat_map(|n| roots.iter().map(move |r| with(r, n)));
                roots = all.take(MAX_ROOTS + 1).collect();
                self.is_cut |= roots.len() > MAX_ROOTS;
            }
            for root in roots {
                self.add(zone.control.0, &root, Parent::Root(idx));
            }
        }
    }

    fn expand(&mut self, budget: &mut Budget<'_>, buffer: &mut Vec<u64>) -> Result<(), Pause> {
        let control = self.nodes[self.next].control;
        let mut enabled: Vec<u32> = Vec::new();
        let vector = self.vectors.get(self.next as u32).to_vec();
        self.rules.for_each_leaving(control, &vector, |rule| enabled.push(rule));
        let n_left = (self.nodes.len() - self.next) as u64;
        let figures = [("configurations", self.nodes.len() as u64), ("waiting", n_left)];
        let compared = self.vectors.take_work();
        budget.spend(1 + enabled.len() as u64 + compared, &figures)?;
        for rule_idx in enabled {
            let rule = &self.rules.rules[rule_idx as usize];
            let birth = Parent::Child { parent: self.next as u32, rule: rule_idx };
            let mut n_splits = 0u64;
            let add = &mut |after: &[u64], _: &Vec<(u32, u32, u32)>| {
                self.add(rule.to, after, birth);
                n_splits += 1;
                budget.look_at_times(n_splits as usize)
            };
            successors(rule, &vector, CapReading::Exact, buffer, add)?;
            self.n_fired += n_splits;
        }
        Ok(())
    }

    fn add(&mut self, control: u32, vector: &[u64], birth: Parent) {
        let id = self.nodes.len() as u32;
        match &mut self.seen {
            Seen::Dominated(antichains) => {
                let antichain = &mut antichains[control as usize];
                if antichain.some_above(vector, &self.vectors).is_some() {
                    return;
                }
                self.vectors.push(vector);
                antichain.insert(id, &self.vectors, &mut Vec::new());
            }
            Seen::Equal(set) => {
                if !set.insert((control, vector.to_vec())) {
                    return;
                }
                self.vectors.push(vector);
            }
        }
        self.nodes.push(ExploredNode { control, birth });
        let n_counters = self.rules.n_counters;
        let here = &self.targets[control as usize];
        let hit = here.iter().find(|(_, zone)| contains(zone, vector, n_counters));
        if let Some((target, _)) = hit.filter(|_| self.found.is_none()) {
            self.found = Some(Finding::Violated(self.schedule(id, *target)));
        }
    }

    fn schedule(&self, node: u32, target: usize) -> Schedule {
        let mut transitions = Vec::new();
        let mut at = node;
        loop {
            match self.nodes[at as usize].birth {
                Parent::Root(initial) => {
                    transitions.reverse();
                    return Schedule { initial, transitions, target };
                }
                Parent::Child { parent, rule } => {
                    transitions.push(TransitionId(rule));
                    at = parent;
                }
            }
        }
    }
}
