//! All states of two elements of which one sees this view and the other that one.
//!
//! Both see the shared part, which must be the same. Of what is private to each, some nodes may
//! be the same ones (`matching.rs`), and an element that one of them cannot tell from the rest
//! may be the other one. All possibilities are gone through.

use super::layout::Layout;
use super::matching::{Matching, joined, matchings};
use super::sight::View;
use super::values::Value;
use crate::rejection::Rejection;

/// So many values that may name the other element or not, at the most: all combinations are
/// gone through.
pub(crate) const MAX_OPEN: usize = 8;

/// A state of two elements, in slots 0 and 1.
pub(crate) struct Composition {
    pub values: Vec<Value>,
    /// The first nodes are those that somebody reaches.
    pub n_reached: usize,
}

/// What a view says of the part that all elements see, but for the elements it names. Only views
/// that agree in this can be of elements of one state.
pub(crate) fn common_part(layout: &Layout, view: &View) -> Box<[u64]> {
    let mut part = vec![Value::Code(0); view.values.len()];
    for idx in common_cells(layout, view) {
        part[idx] = match view.values[idx] {
            Value::Element(_) => Value::Rest,
            value => value,
        };
    }
    layout.packed(&part)
}

/// The cells that belong to nobody, and those of nodes that these reach.
fn common_cells<'a>(layout: &'a Layout, view: &View) -> impl Iterator<Item = usize> + 'a {
    let nodes = layout.nodes[..view.n_shared].iter().flatten();
    layout.shared.iter().chain(nodes).copied()
}

/// Calls `act` with each composition of `v` in slot 0 and `w` in slot 1. Their common parts are
/// the same.
pub(crate) fn compositions(
    layout: &Layout,
    (v, w): (&View, &View),
    mut act: impl FnMut(&Composition) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let mut base = v.values.clone();
    for idx in common_cells(layout, v) {
        match joined(v.values[idx], w.values[idx]) {
            Some(value) => base[idx] = value,
            None => return Ok(()),
        }
    }
    let mut all = Vec::new();
    matchings(layout, (v, w), &mut Matching::new(), &mut all)?;
    for matching in &all {
        let (mut composition, open) = united(layout, (v, w), base.clone(), matching)?;
        if open.len() > MAX_OPEN {
            return Err(Rejection::TooLarge { what: "elements that values of a view may name" });
        }
        for choice in 0..1_u32 << open.len() {
            for (place, (cell, element)) in open.iter().enumerate() {
                let is_other = choice >> place & 1 == 1;
                composition.values[*cell] =
                    if is_other { Value::Element(*element) } else { Value::Rest };
            }
            act(&composition)?;
        }
    }
    Ok(())
}

/// Cells that hold the rest and may as well hold the element that is given.
type Open = Vec<(usize, u32)>;

/// Puts what `w` knows beside what `v` knows, which is in `values` already.
fn united(
    layout: &Layout,
    (v, w): (&View, &View),
    values: Vec<Value>,
    matching: &Matching,
) -> Result<(Composition, Open), Rejection> {
    let (numbers, n_reached) = numbers(layout, (v, w), matching)?;
    let mut united = Composition { values, n_reached };
    let mut open = Open::new();
    for idx in &layout.owned[0] {
        note_if_open(&mut open, *idx, united.values[*idx], 1);
    }
    for (place, same) in matching.iter().enumerate() {
        let node = v.n_shared + place;
        let Some(same) = same else {
            layout.nodes[node].iter().for_each(|idx| {
                note_if_open(&mut open, *idx, united.values[*idx], 1);
            });
            continue;
        };
        for (idx, other) in layout.nodes[node].iter().zip(&layout.nodes[*same as usize]) {
            // Nodes that it names are the same by the matching, and have the numbers of `v`.
            if let Some(value) = joined(v.values[*idx], w.values[*other]) {
                united.values[*idx] = value;
            }
        }
    }
    let mut put = |to: &[usize], from: &[usize]| {
        for (to, from) in to.iter().zip(from) {
            let value = seen_from_second(w.values[*from], &numbers);
            united.values[*to] = value;
            note_if_open(&mut open, *to, value, 0);
        }
    };
    put(&layout.owned[1], &layout.owned[0]);
    for (node, number) in numbers.iter().enumerate() {
        if *number as usize >= v.n_reached {
            put(&layout.nodes[*number as usize], &layout.nodes[node]);
        }
    }
    Ok((united, open))
}

/// The numbers that the nodes of `w` get, and the number of all nodes. Those that are no nodes
/// of `v` come behind its nodes.
fn numbers(
    layout: &Layout,
    (v, w): (&View, &View),
    matching: &Matching,
) -> Result<(Vec<u32>, usize), Rejection> {
    let mut n_reached = v.n_reached;
    let mut numbers = Vec::with_capacity(w.n_reached);
    for node in 0..w.n_reached {
        let is_it = |same: &Option<u32>| *same == Some(node as u32);
        let number = match matching.iter().position(is_it) {
            _ if node < w.n_shared => node,
            Some(private) => v.n_shared + private,
            None => {
                n_reached += 1;
                n_reached - 1
            }
        };
        numbers.push(number as u32);
    }
    match n_reached <= layout.n_nodes {
        true => Ok((numbers, n_reached)),
        false => Err(too_few(layout)),
    }
}

/// What the element in slot 1 sees as its value.
pub(crate) fn seen_from_second(value: Value, numbers: &[u32]) -> Value {
    match value {
        Value::Element(_) => Value::Element(1),
        Value::Node(node) => Value::Node(numbers[node as usize]),
        value => value,
    }
}

fn note_if_open(open: &mut Open, cell: usize, value: Value, element: u32) {
    if value == Value::Rest {
        open.push((cell, element));
    }
}

/// Why a state is left out that has no room for the nodes it needs.
pub(crate) fn too_few(layout: &Layout) -> Rejection {
    Rejection::LeftOut { what: format!("{} nodes are too few", layout.n_nodes) }
}
