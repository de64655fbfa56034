//! Breadth-first search over real configurations, for a bounded number of
//! threads at the start.
//!
//! Each counter that the initial zones leave open starts with at most n tokens.
//! In a monotone system a configuration below one seen before is dropped: it can
//! do no more, and not sooner, so the first counterexample found has the fewest
//! steps. Otherwise only equal configurations are.

use model::{Proof, TransitionId};
use rustc_hash::FxHashSet;

use crate::coverability::finding::Finding;
use crate::coverability::rules::fire::{CapReading, successors};
use crate::coverability::rules::source::RuleSource;
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

/// A resumable search. Its rules come from the same source in every call.
pub struct Explicit {
    /// Configurations in order of discovery; their vectors have the same index.
    nodes: Vec<ExploredNode>,
    vectors: VectorStore,
    next: usize,
    seen: Seen,
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
    /// By control state.
    Dominated(Vec<Antichain>),
    Equal(FxHashSet<(u32, Vec<u64>)>),
}

/// More initial configurations than this are not tried; matters only for systems
/// with upper bounds, where smaller ones are not subsumed.
const MAX_ROOTS: usize = 20_000;

impl Explicit {
    /// A search from initial configurations with at most `n_threads` tokens on each
    /// counter that may have more.
    pub fn new(source: &impl RuleSource, n_threads: u32) -> Explicit {
        let seen = if source.is_monotone() {
            Seen::Dominated(Vec::new())
        } else {
            Seen::Equal(FxHashSet::default())
        };
        let mut search = Explicit {
            nodes: Vec::new(),
            vectors: VectorStore::default(),
            next: 0,
            seen,
            is_cut: false,
            found: None,
            n_fired: 0,
        };
        search.add_roots(source, n_threads);
        search
    }

    /// Goes on until it ends, the budget is spent, or more than `allowed`
    /// successors were explored in all.
    ///
    /// # Errors
    /// Why it has not ended.
    pub fn advance(
        &mut self,
        source: &mut impl RuleSource,
        budget: &mut Budget<'_>,
        allowed: u64,
    ) -> Result<SearchEnd, Pause> {
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
            self.expand(source, budget, &mut buffer)?;
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

    fn add_roots(&mut self, source: &impl RuleSource, n_threads: u32) {
        for (idx, zone) in source.initial().iter().enumerate() {
            let mut roots: Vec<Vec<u64>> = vec![Vec::new()];
            for (counter, bounds) in &zone.bounds {
                let most = bounds.max.unwrap_or(u32::MAX).min(bounds.min.max(n_threads));
                self.is_cut |= bounds.max != Some(most);
                let fewest = if source.is_monotone() { most } else { bounds.min };
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
                self.add(source, (zone.control.0, &root), Parent::Root(idx));
            }
        }
    }

    fn expand(
        &mut self,
        source: &mut impl RuleSource,
        budget: &mut Budget<'_>,
        buffer: &mut Vec<u64>,
    ) -> Result<(), Pause> {
        let control = self.nodes[self.next].control;
        let mut enabled: Vec<u32> = Vec::new();
        let vector = self.vectors.get(self.next as u32).to_vec();
        let asked = source.leaving(control, &vector, &mut enabled);
        let n_left = (self.nodes.len() - self.next) as u64;
        let figures = [("configurations", self.nodes.len() as u64), ("waiting", n_left)];
        let compared = self.vectors.take_work();
        budget.spend(1 + enabled.len() as u64 + compared + asked, &figures)?;
        let source = &*source;
        for rule_idx in enabled {
            let rule = source.rule(rule_idx);
            let birth = Parent::Child { parent: self.next as u32, rule: rule_idx };
            let mut n_splits = 0u64;
            let add = &mut |after: &[u64], _: &Vec<(u32, u32, u32)>| {
                self.add(source, (rule.to, after), birth);
                n_splits += 1;
                budget.look_at_times(n_splits as usize)
            };
            successors(rule, &vector, CapReading::Exact, buffer, add)?;
            self.n_fired += n_splits;
        }
        Ok(())
    }

    fn add(&mut self, source: &impl RuleSource, (control, vector): (u32, &[u64]), birth: Parent) {
        let id = self.nodes.len() as u32;
        match &mut self.seen {
            Seen::Dominated(antichains) => {
                if antichains.len() <= control as usize {
                    antichains.resize_with(control as usize + 1, || Antichain::new(Keeps::Maximal));
                }
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
        if self.found.is_none()
            && let Some(hit) = source.target(control, vector, CapReading::Exact)
        {
            self.found = Some(Finding::Violated(self.schedule(id, hit.target)));
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
