//! Which locals of a thread still matter, by where it is.
//!
//! A local that no step reads before it is written again is dead. Sets then say nothing of
//! it: states that differ in dead locals alone have the same steps and the same errors, so
//! that nothing is lost, and diagrams are smaller.

use model::{Bit, BitExpr, BooleanFlow, FlowEdge};

/// For each location and local: is it dead there?
pub(super) struct Liveness {
    is_live: Vec<Vec<bool>>,
}

impl Liveness {
    /// What is dead in a flow.
    pub(super) fn new(flow: &BooleanFlow) -> Liveness {
        let mut is_live = vec![vec![false; flow.locals.len()]; flow.locations.len()];
        // What steps read of other threads matters wherever those are.
        for (_, value) in flow.edges.iter().flat_map(|edge| &edge.passive) {
            value.each_leaf(&mut |leaf| {
                if let BitExpr::Passive(idx) = leaf {
                    is_live.iter_mut().for_each(|locals| locals[*idx as usize] = true);
                }
            });
        }
        let mut liveness = Liveness { is_live };
        loop {
            let mut has_grown = false;
            for edge in flow.edges.iter().rev() {
                for local in liveness.read_by(edge) {
                    let known = &mut liveness.is_live[edge.from.0 as usize][local as usize];
                    has_grown |= !std::mem::replace(known, true);
                }
            }
            if !has_grown {
                return liveness;
            }
        }
    }

    /// Nothing is dead.
    pub(super) fn everything(flow: &BooleanFlow) -> Liveness {
        Liveness { is_live: vec![vec![true; flow.locals.len()]; flow.locations.len()] }
    }

    /// Is a local dead at a location? Those of nobody are not: they are false.
    pub(super) fn is_dead(&self, location: usize, local: usize) -> bool {
        self.is_live.get(location).is_some_and(|locals| !locals[local])
    }

    /// The number of dead locals at a location.
    pub(super) fn n_dead(&self, location: usize) -> u32 {
        let locals = self.is_live.get(location).into_iter().flatten();
        locals.filter(|is_live| !**is_live).count() as u32
    }

    /// The locals that matter before an edge.
    fn read_by(&self, edge: &FlowEdge) -> Vec<u32> {
        let mut read = Vec::new();
        collect(&edge.guard, edge, &mut read);
        collect(&edge.constraint, edge, &mut read);
        edge.passive.iter().for_each(|(_, value)| collect(value, edge, &mut read));
        for (bit, value) in &edge.assigns {
            let matters = match (bit, edge.to) {
                (Bit::Shared(_), _) => true,
                (Bit::Local(idx), Some(to)) => !self.is_dead(to.0 as usize, *idx as usize),
                (Bit::Local(_), None) => false,
            };
            if matters {
                collect(value, edge, &mut read);
            }
        }
        let n_locals = self.is_live.first().map_or(0, Vec::len) as u32;
        let is_assigned = |idx: u32| edge.assigns.iter().any(|(bit, _)| *bit == Bit::Local(idx));
        if let Some(to) = edge.to {
            let kept = (0..n_locals).filter(|&idx| !is_assigned(idx));
            read.extend(kept.filter(|&idx| !self.is_dead(to.0 as usize, idx as usize)));
        }
        if let Some(spawn) = &edge.spawn {
            spawn.assigns.iter().for_each(|(_, value)| collect(value, edge, &mut read));
            let is_own = |idx: u32| spawn.assigns.iter().any(|(own, _)| *own == idx);
            let copied = (0..n_locals).filter(|&idx| !is_own(idx));
            read.extend(copied.filter(|&idx| !self.is_dead(spawn.to.0 as usize, idx as usize)));
        }
        read
    }
}

/// The locals whose values before an edge an expression of it speaks of.
fn collect(expr: &BitExpr, edge: &FlowEdge, read: &mut Vec<u32>) {
    expr.each_leaf(&mut |leaf| match leaf {
        BitExpr::Before(Bit::Local(idx)) => read.push(*idx),
        BitExpr::After(bit) => {
            let assigned = edge.assigns.iter().find(|(own, _)| own == bit);
            match (assigned, bit) {
                (Some((_, value)), _) => collect(value, edge, read),
                (None, Bit::Local(idx)) => read.push(*idx),
                (None, Bit::Shared(_)) => {}
            }
        }
        _ => {}
    });
}
