//! Decides whether steps of one more thread, which a view does not show, lead to views.
//!
//! Of that thread it may be assumed that each view is in the set that shows it in place of
//! one member. What it does to the shared variables is gathered from all edges that change
//! the same ones, as a relation between old and new values, so that the whole set is gone
//! through once for each such group; edges that change the locals of others are few, and
//! each is looked at on its own.

use std::collections::BTreeMap;

use model::FlowEdge;

use super::closed::Members;
use super::diagrams::{Set, Variable};
use super::effect::Reader;
use crate::rejection::Rejection;

/// Do the steps of one more thread lead to views?
pub(super) fn keep(reader: &Reader<'_>, members: &mut Members<'_>) -> Result<(), Rejection> {
    let mut groups: BTreeMap<Vec<Variable>, (Set, Vec<&FlowEdge>)> = BTreeMap::new();
    let mut known: Option<(usize, Set)> = None;
    let calm = calm(reader, &members.set)?;
    for edge in &reader.flow.edges {
        let from = edge.from.0 as usize;
        let among = match known.take() {
            Some((location, among)) if location == from => among,
            _ => among_members(reader, members, from)?,
        };
        let before = reader.diagrams.and(&among, &reader.enabled(edge, reader.places.size)?)?;
        known = Some((from, among));
        if !reader.diagrams.is_inhabited(&before) {
            continue;
        }
        if !edge.passive.is_empty() {
            keeps(reader, members, edge, &reader.diagrams.and(&calm, &before)?)?;
            continue;
        }
        let (touched, deed) = deed(reader, edge, &before)?;
        match groups.get_mut(&touched) {
            None => {
                groups.insert(touched, (deed, vec![edge]));
            }
            Some((deeds, edges)) => {
                *deeds = reader.diagrams.or(deeds, &deed)?;
                edges.push(edge);
            }
        }
    }
    for (touched, (deeds, edges)) in &groups {
        let renewed = touched.iter().map(|&variable| {
            Ok((variable, reader.diagrams.variable(reader.places.renewed(variable))?))
        });
        let renewed = renewed.collect::<Result<Vec<_>, Rejection>>()?;
        let after = reader.diagrams.replaced(&members.set, renewed)?;
        let before = reader.diagrams.and(&calm, deeds)?;
        if !reader.diagrams.is_within(&before, &after)? {
            return Err(members.left(edges[0], "one like it gives a view that is not in the set"));
        }
    }
    Ok(())
}

/// The views with one more thread at a location: it may stand in for each member.
fn among_members(
    reader: &Reader<'_>,
    members: &mut Members<'_>,
    location: usize,
) -> Result<Set, Rejection> {
    let stranger = reader.places.size;
    let mut among = reader.diagrams.constant(true);
    for member in 0..reader.places.size {
        let views = members.at(member, location)?;
        let names = reader.places.locals(member).into_iter().zip(reader.places.locals(stranger));
        let names = names.map(|(own, other)| Ok((own, reader.diagrams.variable(other)?)));
        let names = names.collect::<Result<Vec<_>, Rejection>>()?;
        let replaced = reader.diagrams.replaced(&views, names)?;
        among = reader.diagrams.and(&among, &replaced)?;
    }
    Ok(among)
}

/// The views without a member at an atomic location. While there is one, nobody else steps
/// but from another atomic location, and there is never a thread at one as well: a thread
/// starts outside of atomic sections and enters one only if nobody is in one.
fn calm(reader: &Reader<'_>, views: &Set) -> Result<Set, Rejection> {
    let diagrams = reader.diagrams;
    let locations = reader.flow.locations.iter().enumerate();
    let mut calm = views.clone();
    for (location, _) in locations.filter(|(_, location)| location.is_atomic) {
        for member in 0..reader.places.size {
            let there = diagrams.values(&reader.places.at(member, location))?;
            calm = diagrams.and(&calm, &diagrams.not(&there)?)?;
        }
    }
    Ok(calm)
}

/// What an edge does to the shared variables, as a relation, and which it changes.
fn deed(
    reader: &Reader<'_>,
    edge: &FlowEdge,
    before: &Set,
) -> Result<(Vec<Variable>, Set), Rejection> {
    let diagrams = reader.diagrams;
    let effect = reader.shared(edge, reader.places.size)?;
    let constants =
        effect.constants.iter().map(|&(variable, value)| (variable, diagrams.constant(value)));
    let mut new_values: Vec<(Variable, Set)> =
        constants.chain(effect.functions.iter().cloned()).collect();
    new_values.sort_by_key(|(variable, _)| *variable);
    let mut relation = before.clone();
    for (variable, value) in &new_values {
        let renewed = diagrams.variable(reader.places.renewed(*variable))?;
        let differs = diagrams.xor(&renewed, value)?;
        relation = diagrams.and(&relation, &diagrams.not(&differs)?)?;
    }
    let stranger = reader.places.size;
    let mut hidden = reader.places.locals(stranger);
    hidden.extend((0..edge.n_choices as usize).map(|idx| reader.places.choice(stranger, idx)));
    let relation = diagrams.some_in_both(&relation, &diagrams.constant(true), &hidden)?;
    Ok((new_values.into_iter().map(|(variable, _)| variable).collect(), relation))
}

/// The same for an edge that changes the locals of others.
fn keeps(
    reader: &Reader<'_>,
    members: &Members<'_>,
    edge: &FlowEdge,
    before: &Set,
) -> Result<(), Rejection> {
    let stranger = reader.places.size;
    let mut effect = reader.shared(edge, stranger)?;
    for other in 0..reader.places.size {
        reader.others(edge, (stranger, other), &mut effect)?;
    }
    let good = effect.before(reader.diagrams, &members.set)?;
    match reader.diagrams.is_within(before, &good)? {
        true => Ok(()),
        false => Err(members.left(edge, "it gives a view that is not in the set")),
    }
}
