//! One edge, taken in one thread state.

use model::{Bit, BitExpr, BroadcastId, FlowEdge, StepEnd, Store};

use super::BooleanProgram;
use super::choices::choose;

/// Choices of an edge that are tried one by one.
pub(super) const MAX_CHOICES: u32 = 16;

/// Values that what is done to other threads may depend on.
const MAX_SEEN_BY_PASSIVE: usize = 12;

/// What an edge makes of a thread state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Taken {
    pub shared: Vec<u8>,
    pub local: Option<Vec<u8>>,
    pub spawned: Option<Store>,
    pub broadcast: Option<BroadcastId>,
}

/// The stores and choices that expressions look at.
struct Values<'v> {
    shared: &'v [u8],
    local: &'v [u8],
    choices: Chosen<'v>,
    after: Option<(&'v [u8], &'v [u8])>,
}

/// The choices of a step: as the digits of a number, or one by one where they are many.
#[derive(Clone, Copy)]
enum Chosen<'v> {
    Digits(u32),
    Listed(&'v [bool]),
}

impl Chosen<'_> {
    fn value(self, idx: u32) -> bool {
        match self {
            Chosen::Digits(number) => number >> idx & 1 == 1,
            Chosen::Listed(values) => values.get(idx as usize).is_some_and(|value| *value),
        }
    }
}

impl BooleanProgram {
    /// All that an edge can make of a thread state, each once.
    ///
    /// # Errors
    /// Why that cannot be said.
    pub(super) fn take(
        &self,
        edge_idx: usize,
        shared: &[u8],
        local: &[u8],
    ) -> Result<Vec<Taken>, String> {
        let flow = self.graph();
        let edge = &flow.edges[edge_idx];
        if edge.n_choices > MAX_CHOICES {
            return Err(format!(
                "a statement chooses {} values: too many to try all of them one by one",
                edge.n_choices
            ));
        }
        let broadcast = self.broadcast(edge_idx, shared, local)?;
        let mut all: Vec<Taken> = Vec::new();
        for choices in 0..1_u32 << edge.n_choices {
            let before = Values { shared, local, choices: Chosen::Digits(choices), after: None };
            if !self.value(&edge.guard, &before) {
                continue;
            }
            let taken = self.taken(edge, &before, broadcast);
            if self.satisfies(edge, &before, &taken) && !all.contains(&taken) {
                all.push(taken);
            }
        }
        Ok(all)
    }

    /// What an edge makes of a thread state if its choices are those that lead to `end`;
    /// `None` if there are none.
    ///
    /// # Errors
    /// Why that cannot be said.
    pub(super) fn take_to(
        &self,
        edge_idx: usize,
        (shared, local): (&[u8], &[u8]),
        end: StepEnd<'_>,
    ) -> Result<Option<Taken>, String> {
        let edge = &self.graph().edges[edge_idx];
        let broadcast = self.broadcast(edge_idx, shared, local)?;
        let conditions = self.conditions(edge, (shared, local), end);
        let Some(choices) = choose(edge.n_choices as usize, conditions) else { return Ok(None) };
        let choices = Chosen::Listed(&choices);
        let before = Values { shared, local, choices, after: None };
        let taken = self.taken(edge, &before, broadcast);
        let is_step = self.value(&edge.guard, &before) && self.satisfies(edge, &before, &taken);
        Ok(is_step.then_some(taken))
    }

    /// What the choices of an edge must fulfil so that it leads to `end`.
    fn conditions(
        &self,
        edge: &FlowEdge,
        (shared, local): (&[u8], &[u8]),
        end: StepEnd<'_>,
    ) -> Vec<BitExpr> {
        let flow = self.graph();
        let assigned_to = |bit: &Bit| edge.assigns.iter().find(|(assigned, _)| assigned == bit);
        let before = |leaf: &BitExpr| match leaf {
            BitExpr::Before(Bit::Shared(idx)) => {
                BitExpr::Const(flow.shared_value(shared, *idx as usize))
            }
            BitExpr::Before(Bit::Local(idx)) => {
                BitExpr::Const(flow.local_value(local, *idx as usize))
            }
            other => other.clone(),
        };
        let known = |expr: &BitExpr| expr.map_leaves(&mut |leaf| before(leaf));
        let constraint = edge.constraint.map_leaves(&mut |leaf| match leaf {
            BitExpr::After(bit) => match assigned_to(bit) {
                Some((_, value)) => known(value),
                None => before(&BitExpr::Before(*bit)),
            },
            other => before(other),
        });
        let mut conditions = vec![known(&edge.guard), constraint];
        let mut must_be = |value: &BitExpr, wanted: bool| {
            conditions.push(known(value).xor(BitExpr::Const(!wanted)));
        };
        for (bit, value) in &edge.assigns {
            match (bit, end.local) {
                (Bit::Shared(idx), _) => {
                    must_be(value, flow.shared_value(end.shared, *idx as usize));
                }
                (Bit::Local(idx), Some(local)) => {
                    must_be(value, flow.local_value(local, *idx as usize));
                }
                (Bit::Local(_), None) => {}
            }
        }
        for (spawn, new) in edge.spawn.iter().zip(end.spawned) {
            for (idx, value) in &spawn.assigns {
                must_be(value, flow.local_value(new.bytes(), *idx as usize));
            }
        }
        conditions
    }

    fn taken(&self, edge: &FlowEdge, before: &Values<'_>, broadcast: Option<BroadcastId>) -> Taken {
        let flow = self.graph();
        let mut shared = before.shared.to_vec();
        let mut local = before.local.to_vec();
        for (bit, value) in &edge.assigns {
            let value = self.value(value, before);
            match bit {
                Bit::Shared(idx) => set(&mut shared, *idx as usize, value),
                Bit::Local(idx) => {
                    set(&mut local[model::boolean_flow::LOCATION_BYTES..], *idx as usize, value);
                }
            }
        }
        let in_atomic = edge.to.is_some_and(|to| flow.locations[to.0 as usize].is_atomic);
        set(&mut shared, flow.shared.len(), in_atomic);
        if let Some(to) = edge.to {
            local[..model::boolean_flow::LOCATION_BYTES].copy_from_slice(&to.0.to_le_bytes());
        }
        let spawned = edge.spawn.as_ref().map(|spawn| {
            let mut new = before.local.to_vec();
            for (idx, value) in &spawn.assigns {
                let value = self.value(value, before);
                set(&mut new[model::boolean_flow::LOCATION_BYTES..], *idx as usize, value);
            }
            new[..model::boolean_flow::LOCATION_BYTES].copy_from_slice(&spawn.to.0.to_le_bytes());
            Store(new.into())
        });
        // Constraints speak of locals also where the thread ends.
        Taken { shared, local: Some(local), spawned, broadcast }
    }

    fn satisfies(&self, edge: &FlowEdge, before: &Values<'_>, taken: &Taken) -> bool {
        let after = taken.local.as_deref().map(|local| (&taken.shared[..], local));
        self.value(&edge.constraint, &Values { after, ..*before })
    }

    fn value(&self, expr: &BitExpr, values: &Values<'_>) -> bool {
        let flow = self.graph();
        let bit = |shared: &[u8], local: &[u8], bit: &Bit| match bit {
            Bit::Shared(idx) => flow.shared_value(shared, *idx as usize),
            Bit::Local(idx) => flow.local_value(local, *idx as usize),
        };
        expr.eval(&|leaf| match leaf {
            BitExpr::Before(variable) => bit(values.shared, values.local, variable),
            BitExpr::After(variable) => {
                let (shared, local) = values.after.unwrap_or((values.shared, values.local));
                bit(shared, local, variable)
            }
            BitExpr::Choice(idx) => values.choices.value(*idx),
            _ => false,
        })
    }

    /// Names what an edge does to other threads: the edge, and the values that it uses.
    fn broadcast(
        &self,
        edge_idx: usize,
        shared: &[u8],
        local: &[u8],
    ) -> Result<Option<BroadcastId>, String> {
        let edge = &self.graph().edges[edge_idx];
        if edge.passive.is_empty() {
            return Ok(None);
        }
        let seen = seen_by_passive(edge);
        if seen.len() > MAX_SEEN_BY_PASSIVE || edge_idx >> (32 - MAX_SEEN_BY_PASSIVE) != 0 {
            return Err("what is assigned to other threads depends on too much".to_owned());
        }
        let values = Values { shared, local, choices: Chosen::Digits(0), after: None };
        let mut id = (edge_idx as u32) << MAX_SEEN_BY_PASSIVE;
        for (position, bit) in seen.iter().enumerate() {
            id |= u32::from(self.value(&BitExpr::Before(*bit), &values)) << position;
        }
        Ok(Some(BroadcastId(id)))
    }

    /// What becomes of another thread.
    pub(super) fn move_passively(
        &self,
        broadcast: BroadcastId,
        local: &[u8],
        out: &mut Vec<Store>,
    ) {
        let flow = self.graph();
        let Some(edge) = flow.edges.get((broadcast.0 >> MAX_SEEN_BY_PASSIVE) as usize) else {
            return;
        };
        let seen = seen_by_passive(edge);
        let choices = own_choices(edge);
        for number in 0..1_u32 << choices.len().min(MAX_CHOICES as usize) {
            let leaf = |leaf: &BitExpr| match leaf {
                BitExpr::Passive(idx) => flow.local_value(local, *idx as usize),
                BitExpr::Before(bit) => {
                    let position = seen.iter().position(|known| known == bit);
                    position.is_some_and(|position| broadcast.0 >> position & 1 == 1)
                }
                BitExpr::Choice(idx) => {
                    let position = choices.iter().position(|known| known == idx);
                    position.is_some_and(|position| number >> position & 1 == 1)
                }
                _ => false,
            };
            let mut moved = local.to_vec();
            for (idx, value) in &edge.passive {
                let value = value.eval(&leaf);
                set(&mut moved[model::boolean_flow::LOCATION_BYTES..], *idx as usize, value);
            }
            let moved = Store(moved.into());
            if !out.contains(&moved) {
                out.push(moved);
            }
        }
    }
}

/// The values of the thread that steps which matter to what it does to others.
fn seen_by_passive(edge: &FlowEdge) -> Vec<Bit> {
    let mut seen = Vec::new();
    for (_, value) in &edge.passive {
        value.each_leaf(&mut |leaf| {
            if let BitExpr::Before(bit) = leaf {
                seen.push(*bit);
            }
        });
    }
    seen.sort_unstable();
    seen.dedup();
    seen
}

/// The choices that each other thread makes for itself.
fn own_choices(edge: &FlowEdge) -> Vec<u32> {
    let mut choices = Vec::new();
    for (_, value) in &edge.passive {
        value.each_leaf(&mut |leaf| {
            if let BitExpr::Choice(idx) = leaf {
                choices.push(*idx);
            }
        });
    }
    choices.sort_unstable();
    choices.dedup();
    choices
}

fn set(bytes: &mut [u8], idx: usize, value: bool) {
    let mask = 1 << (idx % 8);
    match value {
        true => bytes[idx / 8] |= mask,
        false => bytes[idx / 8] &= !mask,
    }
}
