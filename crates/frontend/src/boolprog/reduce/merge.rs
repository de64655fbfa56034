//! Takes steps that no other thread can notice together with the step before them.
//!
//! A location is *quiet* if all its edges look at locals alone and change locals alone.
//! Such a step commutes with the steps of all other threads, so it may as well be taken at
//! once: each edge to the location is continued by each edge from it, and the location is
//! gone. Where a thread can get stuck there, after a step that others have noticed, it ends
//! instead. A quiet step never begins an atomic section, since others may step before.

mod compose;

use model::{Bit, BitExpr, BooleanFlow, FlowEdge, LocationId};
use rustc_hash::FxHashSet;

use compose::{compose, possible};

/// Ways to a location, or on from it, that are looked at: looking costs time for each of
/// them whenever one changes, and the condition for getting stuck is as high a tree as there
/// are ways.
const MAX_WAYS: usize = 1024;

/// Removes all quiet locations that make the flow no larger.
pub(super) fn merge(flow: &mut BooleanFlow) {
    let mut graph = Graph::new(flow);
    let mut pending: Vec<usize> = (0..flow.locations.len()).rev().collect();
    while let Some(at) = pending.pop() {
        if let Some(neighbours) = graph.remove(flow, at) {
            pending.extend(neighbours);
        }
    }
    graph.finish(flow);
}

/// May the edge be taken at once, as far as other threads go?
pub(crate) fn is_quiet(flow: &BooleanFlow, is_watched: &[bool], edge: &FlowEdge) -> bool {
    let begins_section = |to: LocationId| {
        flow.locations[to.0 as usize].is_atomic && !flow.locations[edge.from.0 as usize].is_atomic
    };
    let is_plain = edge.spawn.is_none()
        && edge.passive.is_empty()
        && edge.violation.is_none()
        && edge.incomplete.is_none()
        && edge.constraint == BitExpr::TRUE
        && !edge.to.is_some_and(begins_section);
    let is_local = |bit: &Bit| match bit {
        Bit::Local(idx) => !is_watched[*idx as usize],
        Bit::Shared(_) => false,
    };
    let mut looks_at_locals = true;
    let mut look = |leaf: &BitExpr| match leaf {
        BitExpr::Before(bit) | BitExpr::After(bit) => looks_at_locals &= is_local(bit),
        BitExpr::Passive(_) => looks_at_locals = false,
        BitExpr::Const(_) | BitExpr::Choice(_) => {}
        _ => looks_at_locals = false,
    };
    edge.guard.each_leaf(&mut look);
    edge.assigns.iter().for_each(|(_, value)| value.each_leaf(&mut look));
    is_plain && looks_at_locals && edge.assigns.iter().all(|(bit, _)| is_local(bit))
}

/// The locals that other threads assign or look at.
pub(crate) fn watched(flow: &BooleanFlow) -> Vec<bool> {
    super::liveness::watched(flow)
}

/// A flow whose edges come and go.
struct Graph {
    edges: Vec<Option<FlowEdge>>,
    /// Per location, the edges to it and from it; some may be gone.
    ins: Vec<Vec<usize>>,
    outs: Vec<Vec<usize>>,
    /// Locations that stay: threads start there.
    is_start: Vec<bool>,
    is_watched: Vec<bool>,
}

impl Graph {
    fn new(flow: &mut BooleanFlow) -> Graph {
        let n_locations = flow.locations.len();
        let mut graph = Graph {
            edges: Vec::new(),
            ins: vec![Vec::new(); n_locations],
            outs: vec![Vec::new(); n_locations],
            is_start: vec![false; n_locations],
            is_watched: watched(flow),
        };
        let spawned = flow.edges.iter().filter_map(|edge| edge.spawn.as_ref());
        let starts = flow.threads.iter().map(|thread| thread.entry);
        for start in starts.chain(spawned.map(|spawn| spawn.to)) {
            graph.is_start[start.0 as usize] = true;
        }
        for edge in std::mem::take(&mut flow.edges) {
            graph.add(edge);
        }
        graph
    }

    fn add(&mut self, edge: FlowEdge) {
        let idx = self.edges.len();
        self.outs[edge.from.0 as usize].push(idx);
        if let Some(to) = edge.to {
            self.ins[to.0 as usize].push(idx);
        }
        self.edges.push(Some(edge));
    }

    /// Removes a location, if it is quiet and that makes nothing larger; gives the
    /// locations whose edges changed.
    fn remove(&mut self, flow: &BooleanFlow, at: usize) -> Option<Vec<usize>> {
        if self.is_start[at] || self.ins[at].len().max(self.outs[at].len()) > MAX_WAYS {
            return None;
        }
        self.ins[at].retain(|&idx| self.edges[idx].is_some());
        self.outs[at].retain(|&idx| self.edges[idx].is_some());
        let (ins, outs) = (self.taken(&self.ins[at]), self.taken(&self.outs[at]));
        let grows =
            ins.len() > 1 && outs.len() > 1 && ins.len() * outs.len() > ins.len() + outs.len();
        let is_quiet = |edge: &FlowEdge| {
            is_quiet(flow, &self.is_watched, edge) && edge.to != Some(LocationId(at as u32))
        };
        if ins.is_empty() || outs.is_empty() || grows || !outs.iter().all(is_quiet) {
            return None;
        }
        let is_atomic = flow.locations[at].is_atomic;
        let mut continued = Vec::new();
        for first in &ins {
            // Nobody steps any more when a thread is stuck in an atomic section.
            let may_get_stuck = !is_atomic && is_noticed(flow, first);
            continued.extend(continuations(first, &outs, may_get_stuck)?);
        }
        let gone: Vec<usize> = self.ins[at].iter().chain(&self.outs[at]).copied().collect();
        gone.into_iter().for_each(|idx| self.edges[idx] = None);
        let neighbours = continued.iter().flat_map(|edge| [Some(edge.from), edge.to]).flatten();
        let neighbours = each_once(neighbours.map(|id| id.0 as usize).collect());
        continued.into_iter().for_each(|edge| self.add(edge));
        Some(neighbours)
    }

    fn taken(&self, edges: &[usize]) -> Vec<FlowEdge> {
        edges.iter().filter_map(|&idx| self.edges[idx].clone()).collect()
    }

    fn finish(self, flow: &mut BooleanFlow) {
        flow.edges = self.edges.into_iter().flatten().collect();
        flow.edges.sort_by_key(|edge| edge.from);
    }
}

/// The same numbers, each where it comes last.
fn each_once(mut numbers: Vec<usize>) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    numbers.reverse();
    numbers.retain(|&number| seen.insert(number));
    numbers.reverse();
    numbers
}

/// Do other threads notice the edge, which ends outside of atomic sections?
fn is_noticed(flow: &BooleanFlow, edge: &FlowEdge) -> bool {
    edge.spawn.is_some()
        || !edge.passive.is_empty()
        || edge.assigns.iter().any(|(bit, _)| matches!(bit, Bit::Shared(_)))
        || flow.locations[edge.from.0 as usize].is_atomic
}

/// An edge continued by each of the edges from where it ends; `None` if that cannot be
/// said in few words. `may_get_stuck`: does it matter when none of them can be taken?
fn continuations(
    first: &FlowEdge,
    outs: &[FlowEdge],
    may_get_stuck: bool,
) -> Option<Vec<FlowEdge>> {
    let mut continued: Vec<FlowEdge> =
        outs.iter().map(|second| compose(first, second)).collect::<Option<_>>()?;
    if !may_get_stuck {
        return Some(continued);
    }
    let mut stuck = BitExpr::TRUE;
    for out in outs {
        stuck = stuck.and(possible(out)?.negated());
    }
    if compose::is_satisfiable(&stuck)? {
        let ending = FlowEdge { guard: stuck, ..super::super::flow::plain(first.from, None, 0) };
        continued.push(compose(first, &ending)?);
    }
    Some(continued)
}
