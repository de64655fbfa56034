//! Compositions, against random states of two elements and the rest.

use std::collections::BTreeSet;

use model::parameterized::{Cell, Cells, Memory};

use super::super::composition::{Composition, compositions};
use super::super::layout::Layout;
use super::super::sight::{Reached, View};
use super::super::values::Value;
use crate::rejection::Rejection;

const N_NODES: u32 = 8;

/// Cells of 4 bits: a shared node and element, the same for each slot, and for each node.
fn layout() -> Layout {
    let mut cells = Vec::new();
    let mut add = |slot: Option<u32>, node: Option<u32>, family: u32| {
        for (family, names_node) in [(family, true), (family + 1, false)] {
            let first = |is_it: bool| is_it.then_some(1);
            cells.push(Cell {
                bit: cells.len() as u32 * 4,
                bits: 4,
                slots: slot.into_iter().collect(),
                family,
                first_code: first(!names_node),
                node,
                first_node_code: first(names_node),
            });
        }
    };
    add(None, None, 0);
    (0..2).for_each(|slot| add(Some(slot), None, 2));
    (0..N_NODES).for_each(|node| add(None, Some(node), 4));
    let fresh = vec![0; cells.len()];
    let memory = Memory { n_nodes: N_NODES, n_spare: 0, fresh, doubts: Vec::new() };
    let cells = Cells { n_slots: 2, cells, memory: Some(memory) };
    Layout::new(&cells, 22 * 4).expect("the cells make sense")
}

/// The next of some numbers that look random (Knuth's linear congruential generator).
fn next(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) % below
}

/// A state in which four nodes may be in use.
fn random_state(layout: &Layout, seed: &mut u64) -> Vec<Value> {
    let mut values = vec![Value::Code(0); layout.cells.len()];
    for (idx, cell) in layout.cells.iter().enumerate() {
        if cell.node.is_some_and(|node| node >= 4) {
            continue;
        }
        values[idx] = match cell.first_code {
            None => match next(seed, 5) {
                0 => Value::Code(0),
                node => Value::Node(node as u32 - 1),
            },
            Some(_) => match next(seed, 8) {
                slot @ 0..=1 => Value::Element(slot as u32),
                2..=3 => Value::Rest,
                _ => Value::Code(0),
            },
        };
    }
    values
}

/// The state with elements 0 and 1 in each other's slots.
fn exchanged(values: &[Value]) -> Vec<Value> {
    let mut values = values.to_vec();
    values.swap(2, 4);
    values.swap(3, 5);
    for value in &mut values {
        if let Value::Element(slot) = value {
            *slot = 1 - *slot;
        }
    }
    values
}

fn view(layout: &Layout, values: &[Value]) -> View {
    Reached::new(layout, values, 2).view_of_first(layout, values)
}

/// What can be told of a state without numbers of nodes: for each way through it to some depth,
/// what is at its end, and the ways that end in the same node.
fn told(values: &[Value]) -> String {
    let mut numbers: Vec<u32> = Vec::new();
    let mut text = String::new();
    let mut open: Vec<usize> = vec![4, 2, 0];
    while let Some(pair) = open.pop() {
        let node = match values[pair] {
            Value::Node(node) => node,
            _ => {
                text.push_str(&format!("nil {:?}; ", values[pair + 1]));
                continue;
            }
        };
        let known = numbers.iter().position(|number| *number == node);
        let number = known.unwrap_or(numbers.len());
        text.push_str(&format!("{number} {:?}; ", values[pair + 1]));
        if known.is_none() {
            numbers.push(node);
            open.push(6 + 2 * node as usize);
        }
    }
    text
}

#[test]
fn each_state_is_among_the_compositions_of_what_two_see() {
    let layout = layout();
    let mut seed = 1;
    let (mut n_all, mut n_most, mut n_too_large) = (0, 0, 0);
    for _ in 0..5000 {
        let state = random_state(&layout, &mut seed);
        let (v, w) = (view(&layout, &state), view(&layout, &exchanged(&state)));
        let mut all = BTreeSet::new();
        let mut n = 0;
        let composed = compositions(&layout, (&v, &w), |Composition { values, .. }| {
            assert_eq!(view(&layout, values).values, v.values, "{state:?}");
            assert_eq!(view(&layout, &exchanged(values)).values, w.values, "{state:?}");
            n += 1;
            all.insert(told(values));
            Ok(())
        });
        if matches!(composed, Err(Rejection::TooLarge { .. })) {
            n_too_large += 1;
            continue;
        }
        composed.expect("there is room");
        assert!(all.contains(&told(&state)), "{state:?}");
        assert_eq!(all.len(), n, "some composition is there twice: {state:?}");
        n_all += n;
        n_most = n_most.max(n);
    }
    assert!(n_all > 10_000 && n_most > 10 && n_too_large < 100, "{n_all} {n_most} {n_too_large}");
}

/// All states with two nodes, few enough to go through: whichever two see the same as in one
/// state are a composition of it.
#[test]
fn compositions_are_as_many_as_there_are_states() {
    let layout = layout();
    let mut by_views = std::collections::BTreeMap::<_, BTreeSet<String>>::new();
    let mut views = std::collections::BTreeMap::new();
    let nodes = [Value::Code(0), Value::Node(0), Value::Node(1)];
    let names = [Value::Element(0), Value::Element(1), Value::Rest];
    let domain = |idx: usize| if idx.is_multiple_of(2) { &nodes } else { &names };
    // The shared element and that of slot 1 are undefined.
    let cells = [0, 2, 3, 4, 6, 7, 8, 9];
    for number in 0..3_usize.pow(cells.len() as u32) {
        let mut state = vec![Value::Code(0); layout.cells.len()];
        for (place, idx) in cells.iter().enumerate() {
            state[*idx] = domain(*idx)[number / 3_usize.pow(place as u32) % 3];
        }
        let (v, w) = (view(&layout, &state), view(&layout, &exchanged(&state)));
        let key = (layout.packed(&v.values), layout.packed(&w.values));
        by_views.entry(key.clone()).or_default().insert(told(&state));
        views.insert(key, (v, w));
    }
    for (key, states) in &by_views {
        let (v, w) = &views[key];
        let mut all = BTreeSet::new();
        let composed = compositions(&layout, (v, w), |composition| {
            // Those with more nodes are not among the states above.
            if composition.n_reached <= 2 {
                all.insert(told(&composition.values));
            }
            Ok(())
        });
        composed.expect("there is room");
        assert_eq!(&all, states);
    }
}
