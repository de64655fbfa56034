//! Leaves out variables that nothing depends on: shared ones that no guard and no
//! constraint looks at, directly or through other variables, and locals that never matter.

use model::{Bit, BitExpr, BooleanFlow, FlowEdge};

use super::super::flow::Built;
use super::rewrite;

/// Leaves them out, and numbers the others anew.
pub(super) fn leave_out(built: &mut Built) {
    let flow = &mut built.flow;
    let mut needed = Needed::of(flow);
    needed.grow(flow);
    if needed.shared.iter().chain(&needed.locals).all(|needed| *needed) {
        return;
    }
    let shared = numbers(&needed.shared);
    let locals = numbers(&needed.locals);
    for edge in &mut flow.edges {
        edge.assigns.retain(|(bit, _)| needed.has(*bit));
        edge.passive.retain(|(idx, _)| needed.locals[*idx as usize]);
        if let Some(spawn) = &mut edge.spawn {
            spawn.assigns.retain(|(idx, _)| needed.locals[*idx as usize]);
        }
        renumber(edge, &shared, &locals);
    }
    keep(&mut flow.shared, &needed.shared);
    keep(&mut flow.locals, &needed.locals);
    keep(&mut built.slots, &needed.locals);
    for thread in &mut flow.threads {
        keep(&mut thread.locals, &needed.locals);
    }
}

/// What something depends on.
struct Needed {
    shared: Vec<bool>,
    locals: Vec<bool>,
}

impl Needed {
    /// What guards and constraints look at.
    fn of(flow: &BooleanFlow) -> Needed {
        let mut needed = Needed {
            shared: vec![false; flow.shared.len()],
            locals: vec![false; flow.locals.len()],
        };
        for edge in &flow.edges {
            needed.look(&edge.guard);
            needed.look(&edge.constraint);
        }
        needed
    }

    /// Adds what is needed for what is needed.
    fn grow(&mut self, flow: &BooleanFlow) {
        loop {
            let before = self.count();
            for edge in &flow.edges {
                for (bit, value) in &edge.assigns {
                    if self.has(*bit) {
                        self.look(value);
                    }
                }
                let spawned = edge.spawn.iter().flat_map(|spawn| &spawn.assigns);
                for (idx, value) in spawned.chain(&edge.passive) {
                    if self.locals[*idx as usize] {
                        self.look(value);
                    }
                }
            }
            if self.count() == before {
                return;
            }
        }
    }

    fn count(&self) -> usize {
        self.shared.iter().chain(&self.locals).filter(|needed| **needed).count()
    }

    fn has(&self, bit: Bit) -> bool {
        match bit {
            Bit::Shared(idx) => self.shared[idx as usize],
            Bit::Local(idx) => self.locals[idx as usize],
        }
    }

    fn look(&mut self, expr: &BitExpr) {
        expr.each_leaf(&mut |leaf| match leaf {
            BitExpr::Before(Bit::Shared(idx)) | BitExpr::After(Bit::Shared(idx)) => {
                self.shared[*idx as usize] = true;
            }
            BitExpr::Before(Bit::Local(idx))
            | BitExpr::After(Bit::Local(idx))
            | BitExpr::Passive(idx) => self.locals[*idx as usize] = true,
            _ => {}
        });
    }
}

/// The new number of each variable that is kept.
fn numbers(needed: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let number = |needed: &bool| {
        next += u32::from(*needed);
        next.wrapping_sub(1)
    };
    needed.iter().map(number).collect()
}

fn keep<T>(variables: &mut Vec<T>, needed: &[bool]) {
    let mut kept = needed.iter();
    variables.retain(|_| *kept.next().expect("one for each variable"));
}

fn renumber(edge: &mut FlowEdge, shared: &[u32], locals: &[u32]) {
    let bit = |bit: &Bit| match bit {
        Bit::Shared(idx) => Bit::Shared(shared[*idx as usize]),
        Bit::Local(idx) => Bit::Local(locals[*idx as usize]),
    };
    rewrite(edge, &mut |leaf| match leaf {
        BitExpr::Before(known) => BitExpr::Before(bit(known)),
        BitExpr::After(known) => BitExpr::After(bit(known)),
        BitExpr::Passive(idx) => BitExpr::Passive(locals[*idx as usize]),
        other => other.clone(),
    });
    for (known, _) in &mut edge.assigns {
        *known = bit(known);
    }
    let spawned = edge.spawn.iter_mut().flat_map(|spawn| &mut spawn.assigns);
    for (idx, _) in spawned.chain(&mut edge.passive) {
        *idx = locals[*idx as usize];
    }
}
