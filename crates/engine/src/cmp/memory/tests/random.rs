//! Normal forms and compositions of random states.

use std::collections::BTreeSet;

use model::parameterized::{Cell, Cells, Memory};

use super::super::compose::{Composer, Seen};
use super::super::layout::Layout;
use super::super::shape::{Flaw, Walk, shared_part};

/// Nodes that random states use; there are more.
const N_USED: usize = 4;
const N_NODES: usize = 12;
const N_STATES: u64 = 3000;

/// What cells there are of what is shared, of a slot, and of a node: plain ones, values that
/// name nodes, and values that name elements.
const FORMS: [(u32, u32, u32); 3] = [(1, 2, 1), (1, 2, 1), (1, 2, 1)];

/// First codes of nodes and elements.
const NODE: u64 = 2;
const ELEMENT: u64 = 1;
const REST: u64 = ELEMENT + 2;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn cells() -> Cells {
    let mut cells: Vec<Cell> = Vec::new();
    let mut add = |form: usize, slots: Vec<u32>, node: Option<u32>| {
        let (n_plain, n_pointers, n_elements) = FORMS[form];
        for idx in 0..n_plain + n_pointers + n_elements {
            let names_node = (n_plain..n_plain + n_pointers).contains(&idx);
            let names_element = idx >= n_plain + n_pointers;
            cells.push(Cell {
                bit: cells.len() as u32 * 5,
                bits: 5,
                slots: slots.clone(),
                family: form as u32 * 100 + idx,
                first_code: names_element.then_some(ELEMENT),
                node,
                first_node_code: names_node.then_some(NODE),
            });
        }
    };
    add(0, vec![], None);
    (0..2).for_each(|slot| add(1, vec![slot], None));
    (0..N_NODES as u32).for_each(|node| add(2, vec![], Some(node)));
    let fresh = vec![0; cells.len()];
    let memory = Memory { n_nodes: N_NODES as u32, n_spare: 1, fresh, doubts: Vec::new() };
    Cells { n_slots: 2, cells, memory: Some(memory) }
}

fn layout() -> Layout {
    let cells = cells();
    let bits = cells.cells.len() * 5;
    Layout::new(&cells, bits.div_ceil(64)).expect("the layout is supported")
}

/// A random state of two elements; what they do not reach is fresh.
fn random_values(layout: &Layout, dice: &mut Dice) -> Vec<u64> {
    let mut values = vec![0; layout.places.len()];
    let used = values.iter_mut().zip(&layout.places).take(layout.node(N_USED));
    for (value, place) in used {
        *value = match place.first {
            NODE => match dice.below(3) {
                0 => dice.below(2),
                _ => NODE + dice.below(N_USED as u64),
            },
            ELEMENT => dice.below(4),
            _ => dice.below(2),
        };
    }
    let mut walk = Walk::new(layout);
    walk.go(layout, &values, 2);
    while let Some(Flaw::Lost) = walk.flaw(layout, &values, 0..N_NODES) {
        let reached = reached(layout, &values);
        for node in (0..N_NODES).filter(|node| !reached.contains(node)) {
            values[layout.node(node)..layout.node(node + 1)].fill(0);
        }
    }
    values
}

/// Nodes that are reached from anywhere, in the order in which they are found.
fn reached(layout: &Layout, values: &[u64]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut stretches = vec![0..layout.slot(0), layout.slot(0)..layout.slot(2)];
    while !stretches.is_empty() {
        for at in stretches.remove(0) {
            let node = layout.node_named(at, values[at]).filter(|node| !found.contains(node));
            if let Some(node) = node {
                found.push(node);
                stretches.push(layout.node(node)..layout.node(node + 1));
            }
        }
    }
    found
}

/// The state with other names of nodes.
fn renamed(layout: &Layout, values: &[u64], names: &[usize]) -> Vec<u64> {
    let mut renamed = values.to_vec();
    for (old, new) in names.iter().enumerate() {
        let node = &values[layout.node(old)..layout.node(old + 1)];
        renamed[layout.node(*new)..layout.node(new + 1)].copy_from_slice(node);
    }
    for (at, value) in renamed.iter_mut().enumerate() {
        if let Some(node) = layout.node_named(at, *value) {
            *value = NODE + names[node] as u64;
        }
    }
    renamed
}

/// The state with nodes named in the order in which they are found.
fn in_order(layout: &Layout, values: &[u64]) -> Vec<u64> {
    let mut order = reached(layout, values);
    order.extend((0..N_NODES).filter(|node| !order.contains(node)).collect::<Vec<_>>());
    let mut names = vec![0; N_NODES];
    order.iter().enumerate().for_each(|(new, old)| names[*old] = new);
    renamed(layout, values, &names)
}

/// The state with the elements in the other order.
fn swapped(layout: &Layout, values: &[u64]) -> Vec<u64> {
    let mut swapped = values.to_vec();
    let [first, second, end] = [layout.slot(0), layout.slot(1), layout.slot(2)];
    swapped[first..second].copy_from_slice(&values[second..end]);
    swapped[second..end].copy_from_slice(&values[first..second]);
    for (at, value) in swapped.iter_mut().enumerate() {
        if layout.slot_named(at, *value).is_some_and(|slot| slot < 2) {
            *value = 2 * ELEMENT + 1 - *value;
        }
    }
    swapped
}

fn view(layout: &Layout, values: &[u64]) -> Seen {
    let mut walk = Walk::new(layout);
    let reached = walk.go(layout, values, 2);
    let mut view = vec![0; values.len()];
    walk.view(layout, values, reached, &mut view);
    Seen { values: view, reached }
}

fn shuffled(dice: &mut Dice) -> Vec<usize> {
    let mut names: Vec<usize> = (0..N_NODES).collect();
    for at in 1..N_NODES {
        names.swap(at, dice.below(at as u64 + 1) as usize);
    }
    names
}

#[test]
fn views_do_not_depend_on_the_names_of_nodes() {
    let (layout, mut dice) = (layout(), Dice(1));
    for _ in 0..N_STATES {
        let values = random_values(&layout, &mut dice);
        let other = renamed(&layout, &values, &shuffled(&mut dice));
        let (one, other) = (view(&layout, &values), view(&layout, &other));
        assert_eq!((&one.values, one.reached), (&other.values, other.reached));
        let again = view(&layout, &one.values);
        assert_eq!((&one.values, one.reached), (&again.values, again.reached));
    }
}

#[test]
fn what_two_elements_see_is_a_composition_of_what_each_sees() {
    let (layout, mut dice) = (layout(), Dice(2));
    let mut composer = Composer::new(&layout);
    let mut n_paired = 0;
    for _ in 0..N_STATES {
        let state = in_order(&layout, &random_values(&layout, &mut dice));
        let [one, two] = [state.clone(), swapped(&layout, &state)].map(|seen| view(&layout, &seen));
        let [part, other] = [&one, &two].map(|seen| {
            let mut part = vec![0; state.len()];
            shared_part(&layout, &seen.values, seen.reached, &mut part);
            part
        });
        assert_eq!(part, other, "views of a state share the same");
        let mut packed = Vec::new();
        if composer.compose(&one, &two, &mut packed).is_err() {
            // Too much is open: the engine gives up.
            continue;
        }
        let mut all = BTreeSet::new();
        for packed in packed.chunks_exact(layout.state_words) {
            let mut values = vec![0; state.len()];
            assert!(layout.read(packed, &mut values));
            assert_eq!(view(&layout, &values).values, one.values);
            assert_eq!(view(&layout, &swapped(&layout, &values)).values, two.values);
            assert!(all.insert(in_order(&layout, &values)), "compositions differ");
        }
        assert!(all.contains(&state));
        n_paired += usize::from(
            reached(&layout, &state).len()
                < one.reached.seen + two.reached.seen - one.reached.shared,
        );
    }
    assert!(n_paired > 100, "{n_paired} states have nodes that both see and that are not shared");
}

#[test]
fn random_states_name_the_rest() {
    let (layout, mut dice) = (layout(), Dice(3));
    let values = random_values(&layout, &mut dice);
    assert!(
        values
            .iter()
            .enumerate()
            .any(|(at, value)| { layout.slot_named(at, *value).is_some() && *value == REST })
    );
}
