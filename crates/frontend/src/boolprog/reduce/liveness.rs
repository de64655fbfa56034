//! Sets locals to false where their value no longer matters, so that thread states that
//! behave alike are equal.
//!
//! A local matters at a location if some way from there looks at it before it is assigned.
//! Locals that other threads assign, or look at, matter everywhere.

use model::{Bit, BitExpr, BooleanFlow, FlowEdge};

/// Per location, whether each local matters.
struct Liveness {
    is_live: Vec<Vec<bool>>,
    /// The locals that other threads have to do with.
    is_watched: Vec<bool>,
}

/// Per location, the locals that matter there.
pub(crate) fn live(flow: &BooleanFlow) -> Vec<Vec<bool>> {
    Liveness::of(flow).is_live
}

/// Sets locals to false where they do not matter.
pub(super) fn forget(flow: &mut BooleanFlow) {
    let liveness = Liveness::of(flow);
    for thread in &mut flow.threads {
        let live = &liveness.is_live[thread.entry.0 as usize];
        for (value, _) in thread.locals.iter_mut().zip(live).filter(|(_, live)| !**live) {
            *value = Some(false);
        }
    }
    for edge in &mut flow.edges {
        liveness.clear(edge);
    }
}

impl Liveness {
    fn of(flow: &BooleanFlow) -> Liveness {
        let is_watched = watched(flow);
        let mut liveness =
            Liveness { is_live: vec![is_watched.clone(); flow.locations.len()], is_watched };
        let mut changed = true;
        while changed {
            changed = false;
            for edge in flow.edges.iter().rev() {
                changed |= liveness.add(edge);
            }
        }
        liveness
    }

    /// Adds what an edge looks at to where it starts; true if that is more than before.
    fn add(&mut self, edge: &FlowEdge) -> bool {
        let mut used = vec![false; self.is_watched.len()];
        if let Some(to) = edge.to {
            used.copy_from_slice(&self.is_live[to.0 as usize]);
        }
        let mut constrained = after_locals(edge, used.len());
        let mut seen = vec![false; used.len()];
        for (bit, value) in &edge.assigns {
            if local(bit).is_none_or(|idx| used[idx] || constrained[idx]) {
                look(value, &mut seen);
            }
        }
        for idx in edge.assigns.iter().filter_map(|(bit, _)| local(bit)) {
            used[idx] = false;
            constrained[idx] = false;
        }
        // What is not assigned is after the edge what it was before.
        union(&mut seen, &constrained);
        if let Some(spawn) = &edge.spawn {
            let mut needed = self.is_live[spawn.to.0 as usize].clone();
            for (idx, value) in &spawn.assigns {
                if std::mem::take(&mut needed[*idx as usize]) {
                    look(value, &mut seen);
                }
            }
            union(&mut used, &needed);
        }
        look(&edge.guard, &mut seen);
        look(&edge.constraint, &mut seen);
        edge.passive.iter().for_each(|(_, value)| look(value, &mut seen));
        union(&mut used, &seen);
        union(&mut self.is_live[edge.from.0 as usize], &used)
    }

    /// Leaves out assignments that do not matter, and clears what no longer does.
    fn clear(&self, edge: &mut FlowEdge) {
        let from = self.is_live[edge.from.0 as usize].clone();
        if let Some(spawn) = &mut edge.spawn {
            let live = &self.is_live[spawn.to.0 as usize];
            spawn.assigns.retain(|(idx, _)| live[*idx as usize] || from[*idx as usize]);
            for (idx, value) in &mut spawn.assigns {
                if !live[*idx as usize] {
                    *value = BitExpr::FALSE;
                }
            }
            for idx in 0..live.len() {
                let is_assigned = spawn.assigns.iter().any(|(known, _)| *known as usize == idx);
                if from[idx] && !live[idx] && !is_assigned {
                    spawn.assigns.push((idx as u32, BitExpr::FALSE));
                }
            }
        }
        let Some(to) = edge.to else {
            edge.assigns.retain(|(bit, _)| matches!(bit, Bit::Shared(_)));
            return;
        };
        let live = &self.is_live[to.0 as usize];
        let constrained = after_locals(edge, live.len());
        edge.assigns.retain(|(bit, _)| {
            local(bit).is_none_or(|idx| live[idx] || from[idx] || constrained[idx])
        });
        for (bit, value) in &mut edge.assigns {
            if local(bit).is_some_and(|idx| !live[idx] && !constrained[idx]) {
                *value = BitExpr::FALSE;
            }
        }
        for idx in 0..live.len() {
            let bit = Bit::Local(idx as u32);
            let is_assigned = edge.assigns.iter().any(|(known, _)| *known == bit);
            if from[idx] && !live[idx] && !is_assigned && !constrained[idx] {
                edge.assigns.push((bit, BitExpr::FALSE));
            }
        }
    }
}

fn local(bit: &Bit) -> Option<usize> {
    match bit {
        Bit::Local(idx) => Some(*idx as usize),
        Bit::Shared(_) => None,
    }
}

/// The locals that other threads assign or look at.
pub(super) fn watched(flow: &BooleanFlow) -> Vec<bool> {
    let mut is_watched = vec![false; flow.locals.len()];
    for (idx, value) in flow.edges.iter().flat_map(|edge| &edge.passive) {
        is_watched[*idx as usize] = true;
        value.each_leaf(&mut |leaf| {
            if let BitExpr::Passive(idx) = leaf {
                is_watched[*idx as usize] = true;
            }
        });
    }
    is_watched
}

/// The locals whose values after the edge its constraint speaks of. They are as they are
/// after the edge, even where they matter to nobody else.
fn after_locals(edge: &FlowEdge, n_locals: usize) -> Vec<bool> {
    let mut is_mentioned = vec![false; n_locals];
    edge.constraint.each_leaf(&mut |leaf| {
        if let BitExpr::After(Bit::Local(idx)) = leaf {
            is_mentioned[*idx as usize] = true;
        }
    });
    is_mentioned
}

/// Adds the locals that an expression looks at before the edge.
fn look(expr: &BitExpr, seen: &mut [bool]) {
    expr.each_leaf(&mut |leaf| {
        if let BitExpr::Before(Bit::Local(idx)) = leaf {
            seen[*idx as usize] = true;
        }
    });
}

fn union(into: &mut [bool], other: &[bool]) -> bool {
    let mut changed = false;
    for (into, _) in into.iter_mut().zip(other).filter(|(into, other)| !**into && **other) {
        *into = true;
        changed = true;
    }
    changed
}
