//! Minimal coverability set: everything that can be covered, as finitely many
//! configurations with `*`.
//!
//! Beacon's algorithm (Fig. 1): configurations are explored; one that another
//! covers is dropped; one that strictly dominates an ancestor is accelerated, its
//! grown counts becoming `*`.
//!
//! **Answers.** `Holds` carries the active configurations, an inductive
//! downward-closed set that `certify` checks without this module. `Violated`
//! carries a schedule in which the accelerations are unrolled as often as needed.
//! **Sound for** all counter systems: only stretches of plain transitions are
//! accelerated. With upper bounds in guards the set over-approximates, so a
//! covered target is then inconclusive.
//! **Ends** always for plain systems; with transfers or resets perhaps not.
//! **Source** Ball, Chaki, Rajamani 2000, section 4, after Finkel 1993, whose
//! algorithm deletes too much and is incomplete. We prune as the monotone pruning
//! algorithm of Reynier and Servais (2011) does, which is proven complete: nodes
//! are deactivated instead of deleted, acceleration looks at inactive ancestors
//! too, and a node is deactivated only below a dominated node that is active or
//! not an ancestor of the newcomer.
//! **Read first** `tree.rs`, then `unroll.rs`.

mod distance;
mod tree;
mod unroll;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use model::{Proof, StopReason};

pub use self::distance::Distance;
use self::tree::{NodeId, Tree};
use super::finding::{Advance, Finding};
use super::rules::fire::{CapReading, successors};
use super::rules::source::RuleSource;
use crate::kernel::antichain::{Antichain, Keeps};
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::sparse::{OMEGA, entry, to_configuration};

/// In which order configurations are explored.
#[expect(clippy::enum_variant_names, reason = "the names that search orders have")]
pub enum ExplorationOrder {
    /// Newest first, as Beacon does.
    DepthFirst,
    /// Oldest first: short counterexamples.
    BreadthFirst,
    /// The ones that look nearest to a target first: deep counterexamples.
    BestFirst(Distance),
}

/// A resumable construction of the coverability set. Its rules come from the same source in
/// every call.
pub struct Cover {
    tree: Tree,
    /// Active nodes' vectors, by control state.
    active: Vec<Antichain>,
    waiting: Worklist,
    /// The node whose expansion the last round's end put off.
    paused_at: Option<NodeId>,
    distance: Distance,
    n_fired: u64,
    started: bool,
}

impl Cover {
    /// A construction that has not started.
    pub fn new(order: ExplorationOrder) -> Cover {
        let waiting = Worklist::new(&order);
        let distance = match order {
            ExplorationOrder::BestFirst(distance) => distance,
            ExplorationOrder::DepthFirst | ExplorationOrder::BreadthFirst => Distance::none(),
        };
        Cover {
            tree: Tree::new(),
            active: Vec::new(),
            waiting,
            paused_at: None,
            distance,
            n_fired: 0,
            started: false,
        }
    }

    /// Goes on until there is a finding or the budget is spent.
    ///
    /// # Errors
    /// Why there is no finding so far.
    pub fn advance(&mut self, source: &mut impl RuleSource, budget: &mut Budget<'_>) -> Advance {
        if !self.started {
            self.started = true;
            if let Some(finding) = self.add_roots(source)? {
                return Ok(finding);
            }
        }
        loop {
            let Some(node) = self.paused_at.take().or_else(|| self.waiting.pop()) else {
                return Ok(Finding::Holds(self.proof()));
            };
            match self.expand(source, node, budget) {
                Ok(None) => {}
                Ok(Some(finding)) => return Ok(finding),
                Err(pause) => {
                    self.paused_at = Some(node);
                    return Err(pause);
                }
            }
        }
    }

    /// Named figures for reports.
    pub fn figures(&self) -> Vec<(&'static str, u64)> {
        let n_active: usize = self.active.iter().map(Antichain::len).sum();
        vec![
            ("configurations", n_active as u64),
            ("nodes", self.tree.len() as u64),
            ("firings", self.n_fired),
        ]
    }

    fn add_roots(&mut self, source: &impl RuleSource) -> Result<Option<Finding>, Pause> {
        for (idx, zone) in source.initial().iter().enumerate() {
            let count = |max: Option<u32>| max.unwrap_or(OMEGA);
            let bounds = zone.bounds.iter().filter(|(_, bounds)| bounds.max != Some(0));
            let vector: Vec<u64> =
                bounds.map(|(counter, bounds)| entry(counter.0, count(bounds.max))).collect();
            let node = self.tree.root(zone.control.0, &vector, idx);
            if let Some(finding) = self.admit(source, node)? {
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    /// Fires everything that is enabled in `node`, as long as it is active.
    fn expand(
        &mut self,
        source: &mut impl RuleSource,
        node: NodeId,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Finding>, Pause> {
        if !self.tree.is_active(node) {
            return Ok(None);
        }
        let control = self.tree.control(node);
        let mut enabled: Vec<u32> = Vec::new();
        let asked = source.leaving(control, self.tree.vector(node), &mut enabled);
        let n_stored = self.tree.len() as u64;
        let figures = [("configurations", n_stored), ("waiting", self.waiting.len() as u64)];
        let compared = self.tree.vectors().take_work();
        budget.spend(1 + enabled.len() as u64 + compared + asked, &figures)?;
        let source = &*source;
        let mut found: Vec<(u32, Vec<u64>)> = Vec::new();
        let mut buffer = Vec::new();
        for rule in enabled {
            let keep = &mut |vector: &[u64], _: &Vec<(u32, u32, u32)>| {
                found.push((rule, vector.to_vec()));
                budget.look_at_times(found.len())
            };
            let reading = CapReading::DownwardClosed;
            successors(source.rule(rule), self.tree.vector(node), reading, &mut buffer, keep)?;
        }
        for (rule, vector) in found {
            self.n_fired += 1;
            if !self.tree.is_active(node) {
                break;
            }
            if let Some(finding) = self.add_child(source, node, (rule, &vector))? {
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    fn add_child(
        &mut self,
        source: &impl RuleSource,
        parent: NodeId,
        (rule, vector): (u32, &[u64]),
    ) -> Result<Option<Finding>, Pause> {
        let compiled = source.rule(rule);
        let there = self.active.get(compiled.to as usize);
        if there.is_some_and(|active| active.some_above(vector, self.tree.vectors()).is_some()) {
            return Ok(None);
        }
        let node = self.tree.child(parent, rule, compiled, vector);
        self.tree.accelerate(node);
        self.admit(source, node)
    }

    /// Makes a new node active, unless an active one covers it, and deactivates
    /// what it makes superfluous.
    fn admit(&mut self, source: &impl RuleSource, node: NodeId) -> Result<Option<Finding>, Pause> {
        let control = self.tree.control(node) as usize;
        if let Some(finding) = self.target_covered(source, node)? {
            return Ok(Some(finding));
        }
        if self.active.len() <= control {
            self.active.resize_with(control + 1, || Antichain::new(Keeps::Maximal));
        }
        let antichain = &self.active[control];
        if antichain.some_above(self.tree.vector(node), self.tree.vectors()).is_some() {
            return Ok(None);
        }
        for gone in self.tree.deactivate_below(node) {
            let (control, vector) = (self.tree.control(gone) as usize, self.tree.vector_id(gone));
            self.active[control].remove(vector, self.tree.vectors());
        }
        self.tree.activate(node);
        let mut removed = Vec::new();
        self.active[control].insert(self.tree.vector_id(node), self.tree.vectors(), &mut removed);
        debug_assert!(removed.is_empty(), "dominated active nodes were deactivated");
        let priority = self.distance.estimate(control, self.tree.vector(node));
        self.waiting.push(node, priority);
        Ok(None)
    }

    fn target_covered(
        &self,
        source: &impl RuleSource,
        node: NodeId,
    ) -> Result<Option<Finding>, Pause> {
        let vector = self.tree.vector(node);
        let hit = source.target(self.tree.control(node), vector, CapReading::DownwardClosed);
        let Some(hit) = hit else { return Ok(None) };
        if !source.is_monotone() {
            let why = "guards or targets with upper bounds: the coverability set \
                       over-approximates them, and it covers a target";
            return Ok(Some(Finding::Inconclusive(StopReason::Incomplete { why: why.into() })));
        }
        let schedule = unroll::schedule(&self.tree, source, node, hit)?;
        Ok(Some(Finding::Violated(schedule)))
    }

    fn proof(&self) -> Proof {
        let mut configurations = Vec::new();
        for (control, antichain) in self.active.iter().enumerate() {
            let vectors = antichain.members().into_iter().map(|id| self.tree.vectors().get(id));
            configurations.extend(vectors.map(|vector| to_configuration(control as u32, vector)));
        }
        Proof::Cover { configurations }
    }
}

/// Nodes still to be expanded.
enum Worklist {
    Stack(Vec<NodeId>),
    Queue(VecDeque<NodeId>),
    Heap(BinaryHeap<Reverse<(u32, NodeId)>>),
}

impl Worklist {
    fn new(order: &ExplorationOrder) -> Worklist {
        match order {
            ExplorationOrder::DepthFirst => Worklist::Stack(Vec::new()),
            ExplorationOrder::BreadthFirst => Worklist::Queue(VecDeque::new()),
            ExplorationOrder::BestFirst(_) => Worklist::Heap(BinaryHeap::new()),
        }
    }

    fn push(&mut self, node: NodeId, priority: u32) {
        match self {
            Worklist::Stack(stack) => stack.push(node),
            Worklist::Queue(queue) => queue.push_back(node),
            Worklist::Heap(heap) => heap.push(Reverse((priority, node))),
        }
    }

    fn pop(&mut self) -> Option<NodeId> {
        match self {
            Worklist::Stack(stack) => stack.pop(),
            Worklist::Queue(queue) => queue.pop_front(),
            Worklist::Heap(heap) => heap.pop().map(|Reverse((_, node))| node),
        }
    }

    fn len(&self) -> usize {
        match self {
            Worklist::Stack(stack) => stack.len(),
            Worklist::Queue(queue) => queue.len(),
            Worklist::Heap(heap) => heap.len(),
        }
    }
}
