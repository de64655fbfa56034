//! Leaves out what no thread comes to, and numbers what is left anew.

use model::{BitExpr, BooleanFlow, FlowEdge, LocationId};

use super::super::flow::Built;
use super::{exprs, rewrite};

/// Leaves out edges that are never taken, locations that no thread comes to, and choices
/// that nothing depends on.
pub(super) fn unreachable(built: &mut Built) {
    let flow = &mut built.flow;
    flow.edges.retain(|edge| edge.guard != BitExpr::FALSE && edge.constraint != BitExpr::FALSE);
    flow.edges.iter_mut().for_each(renumber_choices);
    drop_repeated(flow);
    let is_reached = reached(flow);
    let mut new_ids = vec![LocationId(u32::MAX); flow.locations.len()];
    let kept = new_ids.iter_mut().zip(&is_reached).filter(|(_, reached)| **reached);
    for (new, (id, _)) in kept.enumerate() {
        *id = LocationId(new as u32);
    }
    let new = |id: LocationId| new_ids[id.0 as usize];
    flow.edges.retain(|edge| is_reached[edge.from.0 as usize]);
    for edge in &mut flow.edges {
        edge.from = new(edge.from);
        edge.to = edge.to.map(new);
        if let Some(spawn) = &mut edge.spawn {
            spawn.to = new(spawn.to);
        }
    }
    for thread in &mut flow.threads {
        thread.entry = new(thread.entry);
    }
    let mut kept = is_reached.iter();
    flow.locations.retain(|_| *kept.next().expect("one for each location"));
    let mut kept = is_reached.iter();
    built.names.retain(|_| *kept.next().expect("one for each location"));
}

fn reached(flow: &BooleanFlow) -> Vec<bool> {
    let mut is_reached = vec![false; flow.locations.len()];
    let mut pending: Vec<LocationId> = flow.threads.iter().map(|thread| thread.entry).collect();
    while let Some(location) = pending.pop() {
        if std::mem::replace(&mut is_reached[location.0 as usize], true) {
            continue;
        }
        for (_, edge) in flow.edges_from(location) {
            pending.extend(edge.to);
            pending.extend(edge.spawn.as_ref().map(|spawn| spawn.to));
        }
    }
    is_reached
}

/// Of edges that do the same, one is enough.
fn drop_repeated(flow: &mut BooleanFlow) {
    let mut start = 0;
    let edges = std::mem::take(&mut flow.edges);
    for edge in edges {
        if flow.edges.last().is_some_and(|last| last.from != edge.from) {
            start = flow.edges.len();
        }
        let is_same = |known: &FlowEdge| FlowEdge { label: known.label, ..edge.clone() } == *known;
        if !flow.edges[start..].iter().any(is_same) {
            flow.edges.push(edge);
        }
    }
}

fn renumber_choices(edge: &mut FlowEdge) {
    let mut used: Vec<u32> = Vec::new();
    for expr in exprs(edge) {
        expr.each_leaf(&mut |leaf| {
            if let BitExpr::Choice(idx) = leaf {
                used.push(*idx);
            }
        });
    }
    used.sort_unstable();
    used.dedup();
    if used.len() as u32 == edge.n_choices {
        return;
    }
    edge.n_choices = used.len() as u32;
    rewrite(edge, &mut |leaf| match leaf {
        BitExpr::Choice(idx) => {
            let new = used.binary_search(idx).expect("all that are used are listed");
            BitExpr::Choice(new as u32)
        }
        other => other.clone(),
    });
}
