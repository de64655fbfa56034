//! Proofs by views that list every view: what forged claims are made of.

use std::collections::BTreeSet;

use model::{
    BooleanFlow, Certificate, Proof, ThreadCount, Variant, ViewBit, ViewNode, Views, Vocabulary,
};

/// Bits of a location; nobody's is the largest number.
pub fn n_location_bits(flow: &BooleanFlow) -> u32 {
    usize::BITS - flow.locations.len().leading_zeros()
}

/// The claim that these views of `size` threads, or of all if they are whole, are a proof.
/// A view is the shared variables, whether somebody is in an atomic section, and for each
/// member the bits of its location, the lowest first, and its locals.
pub fn certificate(
    flow: &BooleanFlow,
    (size, is_whole): (u32, bool),
    scope: ThreadCount,
    seen: &BTreeSet<Vec<bool>>,
) -> Certificate {
    let mut variables: Vec<ViewBit> = (0..flow.shared.len() as u32).map(ViewBit::Shared).collect();
    variables.push(ViewBit::InAtomic);
    for member in 0..size {
        variables.extend((0..n_location_bits(flow)).map(|bit| ViewBit::Location { member, bit }));
        let locals = 0..flow.locals.len() as u32;
        variables.extend(locals.map(|local| ViewBit::Local { member, local }));
    }
    let seen: Vec<&[bool]> = seen.iter().map(Vec::as_slice).collect();
    let mut nodes = Vec::new();
    let root = diagram(&seen, 0, &mut nodes);
    Certificate {
        variant: Variant::AS_WRITTEN,
        scope,
        vocabulary: Vocabulary::None,
        proof: Proof::Views(Views { size, is_whole, variables, nodes, root }),
    }
}

/// The node for values that agree up to a variable, which are in order.
fn diagram(seen: &[&[bool]], variable: usize, nodes: &mut Vec<ViewNode>) -> u32 {
    match seen.first() {
        None => return 0,
        Some(first) if first.len() == variable => return 1,
        Some(_) => {}
    }
    let n_low = seen.partition_point(|values| !values[variable]);
    let low = diagram(&seen[..n_low], variable + 1, nodes);
    let high = diagram(&seen[n_low..], variable + 1, nodes);
    nodes.push(ViewNode(variable as u32, low, high));
    nodes.len() as u32 + 1
}
