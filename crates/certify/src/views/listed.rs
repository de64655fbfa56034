//! The set that a certificate lists, as a diagram of the check's own.

use std::collections::BTreeSet;

use model::{ViewNode, Views};

use super::diagrams::{Diagrams, Set};
use super::places::VariableOrder;
use crate::rejection::Rejection;

/// The set of views. Nodes must stand after those below them, and variables must come in
/// the order that the certificate itself gives.
pub(super) fn read(
    views: &Views,
    places: &VariableOrder,
    diagrams: &Diagrams<'_>,
) -> Result<Set, Rejection> {
    let mut variables = Vec::new();
    let mut seen = BTreeSet::new();
    for &bit in &views.variables {
        if !seen.insert(bit) {
            return Err(Rejection::malformed("a variable of a view is listed twice"));
        }
        variables.push(diagrams.variable(places.of(bit)?)?);
    }
    // For each node its set, and its variable; terminals come after all variables.
    let last = variables.len() as u32;
    let mut sets = vec![(diagrams.constant(false), last), (diagrams.constant(true), last)];
    for &ViewNode(variable, low, high) in &views.nodes {
        let own = variables.get(variable as usize);
        let own = own.ok_or_else(|| Rejection::malformed("a node has an unknown variable"))?;
        let below = |node: u32| match sets.get(node as usize) {
            Some((set, below)) if *below > variable => Ok(set),
            Some(_) => Err(Rejection::malformed("the variables of nodes are out of order")),
            None => Err(Rejection::malformed("a node stands before one below it")),
        };
        let set = diagrams.if_else(own, below(high)?, below(low)?)?;
        sets.push((set, variable));
    }
    let root = sets.get(views.root as usize);
    root.map(|(set, _)| set.clone()).ok_or_else(|| Rejection::malformed("the root is no node"))
}
