//! Replaces variables that always have one value at a place by that value.
//!
//! A shared variable has one if it begins with it and nothing else is ever assigned to
//! it. A local has one at a location if it has it on all ways there; what other threads
//! assign to locals has none.

use model::{Bit, BitExpr, BooleanFlow, FlowEdge, LocationId};

use super::rewrite;

/// What is known of the locals at a location: `None`, no thread is known to come there;
/// then per local, its only value if it has one.
type Known = Option<Vec<Option<bool>>>;

/// Puts in the values that are known.
pub(super) fn propagate(flow: &mut BooleanFlow) {
    let shared = shared_constants(flow);
    let known = local_constants(flow, &shared);
    for edge in &mut flow.edges {
        let Some(locals) = &known[edge.from.0 as usize] else {
            edge.guard = BitExpr::FALSE;
            continue;
        };
        substitute(edge, &shared, locals);
    }
}

fn shared_constants(flow: &BooleanFlow) -> Vec<Option<bool>> {
    let mut constants: Vec<Option<bool>> =
        flow.shared.iter().map(|variable| variable.initial).collect();
    for (bit, value) in flow.edges.iter().flat_map(|edge| &edge.assigns) {
        if let Bit::Shared(idx) = bit {
            let constant = &mut constants[*idx as usize];
            if constant.map(BitExpr::Const).as_ref() != Some(value) {
                *constant = None;
            }
        }
    }
    constants
}

fn local_constants(flow: &BooleanFlow, shared: &[Option<bool>]) -> Vec<Known> {
    let mut known: Vec<Known> = vec![None; flow.locations.len()];
    let mut pending: Vec<LocationId> = Vec::new();
    let mut is_disturbed = vec![false; flow.locals.len()];
    for (idx, _) in flow.edges.iter().flat_map(|edge| &edge.passive) {
        is_disturbed[*idx as usize] = true;
    }
    let meet = |known: &mut Vec<Known>, at: LocationId, mut values: Vec<Option<bool>>| {
        for (value, _) in values.iter_mut().zip(&is_disturbed).filter(|(_, is)| **is) {
            *value = None;
        }
        join(&mut known[at.0 as usize], values)
    };
    for thread in &flow.threads {
        if meet(&mut known, thread.entry, thread.locals.clone()) {
            pending.push(thread.entry);
        }
    }
    while let Some(at) = pending.pop() {
        let Some(locals) = known[at.0 as usize].clone() else { continue };
        for (_, edge) in flow.edges_from(at) {
            if value_of(&edge.guard, shared, &locals) == BitExpr::FALSE {
                continue;
            }
            let after = assigned(&locals, edge.assigns.iter().filter_map(local), shared);
            if let Some(to) = edge.to.filter(|&to| meet(&mut known, to, after)) {
                pending.push(to);
            }
            let Some(spawn) = &edge.spawn else { continue };
            let changes = spawn.assigns.iter().map(|(idx, value)| (*idx, value));
            if meet(&mut known, spawn.to, assigned(&locals, changes, shared)) {
                pending.push(spawn.to);
            }
        }
    }
    known
}

fn local((bit, value): &(Bit, BitExpr)) -> Option<(u32, &BitExpr)> {
    match bit {
        Bit::Local(idx) => Some((*idx, value)),
        Bit::Shared(_) => None,
    }
}

fn assigned<'e>(
    locals: &[Option<bool>],
    changes: impl Iterator<Item = (u32, &'e BitExpr)>,
    shared: &[Option<bool>],
) -> Vec<Option<bool>> {
    let mut after = locals.to_vec();
    for (idx, value) in changes {
        after[idx as usize] = match value_of(value, shared, locals) {
            BitExpr::Const(value) => Some(value),
            _ => None,
        };
    }
    after
}

/// Adds one more way to what is known; true if that changes it.
fn join(known: &mut Known, values: Vec<Option<bool>>) -> bool {
    let Some(known) = known else {
        *known = Some(values);
        return true;
    };
    let mut changed = false;
    for (known, value) in known.iter_mut().zip(values) {
        if known.is_some() && *known != value {
            *known = None;
            changed = true;
        }
    }
    changed
}

fn value_of(expr: &BitExpr, shared: &[Option<bool>], locals: &[Option<bool>]) -> BitExpr {
    expr.map_leaves(&mut |leaf| constant(leaf, shared, locals).unwrap_or_else(|| leaf.clone()))
}

fn constant(leaf: &BitExpr, shared: &[Option<bool>], locals: &[Option<bool>]) -> Option<BitExpr> {
    let value = match leaf {
        BitExpr::Before(Bit::Shared(idx)) | BitExpr::After(Bit::Shared(idx)) => {
            shared[*idx as usize]
        }
        BitExpr::Before(Bit::Local(idx)) => locals[*idx as usize],
        _ => None,
    };
    value.map(BitExpr::Const)
}

fn substitute(edge: &mut FlowEdge, shared: &[Option<bool>], locals: &[Option<bool>]) {
    rewrite(edge, &mut |leaf| constant(leaf, shared, locals).unwrap_or_else(|| leaf.clone()));
    // What is known after the edge is known in its constraint as well.
    let after: Vec<(Bit, BitExpr)> = edge.assigns.clone();
    edge.constraint = edge.constraint.map_leaves(&mut |leaf| match leaf {
        BitExpr::After(bit) => match after.iter().find(|(assigned, _)| assigned == bit) {
            Some((_, BitExpr::Const(value))) => BitExpr::Const(*value),
            Some(_) => leaf.clone(),
            None => BitExpr::Before(*bit),
        },
        other => other.clone(),
    });
}
