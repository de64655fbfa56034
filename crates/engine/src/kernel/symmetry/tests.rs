//! Canonical forms against brute force: whole orbits of random states, exhaustive
//! small state spaces, counts known from the literature, and regular structures.

mod random;

use std::collections::BTreeSet;

use model::Symmetry;
use model::symmetry::{CodeSegment, IndexSegment, Placed, Scalarset, ScalarsetId, Shape};

use super::Canonicalizer;
use super::permute::permute;
use random::Random;

fn scalarset(n_elements: u32) -> Scalarset {
    Scalarset { name: "S".to_owned(), n_elements, not_symmetric: None }
}

fn plain(bits: u32) -> Shape {
    Shape::Plain { bits }
}

/// Codes from `first` on name the elements of scalarset `id`.
fn value(bits: u32, first: u64, id: u32) -> Shape {
    Shape::Value { bits, segments: vec![CodeSegment { first, scalarset: ScalarsetId(id) }] }
}

fn array(n_elements: u32, stride: u32, id: u32, element: Shape) -> Shape {
    let segments = vec![IndexSegment { first: 0, scalarset: ScalarsetId(id) }];
    Shape::Array { stride, n_elements, segments, element: Box::new(element) }
}

/// Shapes side by side, given with their sizes.
fn system(scalarsets: Vec<Scalarset>, shapes: Vec<(u32, Shape)>) -> (Symmetry, u32) {
    let mut bit = 0;
    let mut state = Vec::new();
    for (bits, shape) in shapes {
        state.push(Placed { bit, shape });
        bit += bits;
    }
    (Symmetry { scalarsets, state }, bit)
}

/// Calls `visit` with every permutation of all scalarsets, or with about `limit` of
/// them. Says whether it was every one.
fn for_each_permutation(
    symmetry: &Symmetry,
    limit: usize,
    visit: &mut dyn FnMut(&[Vec<u32>]),
) -> bool {
    let identity = |s: &Scalarset| (0..s.n_elements).collect::<Vec<u32>>();
    let mut all: Vec<Vec<Vec<u32>>> = vec![vec![]];
    for scalarset in &symmetry.scalarsets {
        let own = if scalarset.is_permuted() {
            permutations(scalarset.n_elements)
        } else {
            vec![identity(scalarset)]
        };
        let extend = |prefix: &Vec<Vec<u32>>| -> Vec<Vec<Vec<u32>>> {
            let with = |last: &Vec<u32>| prefix.iter().chain([last]).cloned().collect();
            own.iter().map(with).collect()
        };
        all = all.iter().flat_map(extend).collect();
    }
    let step = all.len().div_ceil(limit);
    all.iter().step_by(step).for_each(|permutations| visit(permutations));
    step == 1
}

fn permutations(n: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for element in 0..n {
        let insert = |short: &Vec<u32>| -> Vec<Vec<u32>> {
            let at = |position| {
                let mut long = short.clone();
                long.insert(position, element);
                long
            };
            (0..=short.len()).map(at).collect()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

fn canonical(canonicalizer: &Canonicalizer, state: &[u64]) -> Vec<u64> {
    let mut canonical = state.to_vec();
    canonicalizer.worker().canonicalize(&mut canonical);
    canonical
}

/// Checks one state against its orbit.
fn check_orbit(symmetry: &Symmetry, state: &[u64], seed: u64) {
    let canonicalizer = Canonicalizer::new(symmetry, state.len());
    let Some(canonicalizer) = canonicalizer else {
        for_each_permutation(symmetry, 100, &mut |permutations| {
            assert_eq!(permute(symmetry, permutations, state), state, "seed {seed}");
        });
        return;
    };
    let mut worker = canonicalizer.worker();
    let form = canonical(&canonicalizer, state);
    let mut is_in_orbit = false;
    let saw_all = for_each_permutation(symmetry, 1200, &mut |permutations| {
        let mut other = permute(symmetry, permutations, state);
        is_in_orbit |= other == form;
        worker.canonicalize(&mut other);
        assert_eq!(other, form, "seed {seed}: {permutations:?} of {state:x?} in {symmetry:?}");
    });
    assert!(is_in_orbit || !saw_all, "seed {seed}: {form:x?} of {state:x?} in {symmetry:?}");
}

#[test]
fn canonical_forms_are_equal_within_orbits_of_random_states() {
    let n_seeds = 1500;
    for seed in 0..n_seeds {
        let mut random = Random::new(seed);
        let (symmetry, n_bits) = random.symmetry();
        for _ in 0..2 {
            let state = random.state(&symmetry, n_bits);
            check_orbit(&symmetry, &state, seed);
        }
    }
}

/// The number of canonical forms and of orbits among all states of `n_bits` bits.
fn count(symmetry: &Symmetry, n_bits: u32) -> (usize, usize) {
    let canonicalizer = Canonicalizer::new(symmetry, 1).expect("something is permuted");
    let mut worker = canonicalizer.worker();
    let (mut forms, mut seen, mut n_orbits) = (BTreeSet::new(), BTreeSet::new(), 0);
    for bits in 0..1u64 << n_bits {
        // Puts multisets in order, which not all numbers have.
        let state = permute(symmetry, &[], &[bits]);
        let mut form = state.clone();
        worker.canonicalize(&mut form);
        forms.insert(form);
        if seen.contains(&state) {
            continue;
        }
        n_orbits += 1;
        for_each_permutation(symmetry, usize::MAX, &mut |permutations| {
            seen.insert(permute(symmetry, permutations, &state));
        });
    }
    (forms.len(), n_orbits)
}

#[test]
fn forms_are_as_many_as_orbits_in_random_small_state_spaces() {
    let (mut n_spaces, mut seed) = (0, 0);
    while n_spaces < 100 {
        seed += 1;
        let (symmetry, n_bits) = Random::new(seed).symmetry();
        let group_size: u32 =
            symmetry.scalarsets.iter().map(|s| (1..=s.n_elements).product::<u32>()).product();
        if n_bits > 10 || group_size > 150 || Canonicalizer::new(&symmetry, 1).is_none() {
            continue;
        }
        let (n_forms, n_orbits) = count(&symmetry, n_bits);
        assert_eq!(n_forms, n_orbits, "seed {seed}: {symmetry:?}");
        n_spaces += 1;
    }
}

#[test]
fn relations_on_four_elements_have_3044_forms() {
    let (symmetry, _) =
        system(vec![scalarset(4)], vec![(16, array(4, 4, 0, array(4, 1, 0, plain(1))))]);
    let canonicalizer = Canonicalizer::new(&symmetry, 1).expect("something is permuted");
    let mut worker = canonicalizer.worker();
    let mut forms = BTreeSet::new();
    for bits in 0..1u64 << 16 {
        let mut state = [bits];
        worker.canonicalize(&mut state);
        forms.insert(state);
    }
    assert_eq!(forms.len(), 3044);
}

#[test]
fn functions_on_seven_elements_have_343_forms() {
    let (symmetry, _) = system(vec![scalarset(7)], vec![(21, array(7, 3, 0, value(3, 0, 0)))]);
    let canonicalizer = Canonicalizer::new(&symmetry, 1).expect("something is permuted");
    let mut worker = canonicalizer.worker();
    let mut forms = BTreeSet::new();
    for number in 0..7u64.pow(7) {
        let digit = |position: u32| (number / 7u64.pow(position) % 7) << (3 * position);
        let mut state = [(0..7).map(digit).sum()];
        worker.canonicalize(&mut state);
        forms.insert(state);
    }
    assert_eq!(forms.len(), 343);
}

#[test]
fn bags_of_pairs_are_graphs_with_repeated_edges() {
    // Slots of two elements each: directed multigraphs on 3 nodes with up to 3 edges.
    let pair = Shape::Record {
        parts: vec![
            Placed { bit: 0, shape: value(2, 0, 0) },
            Placed { bit: 2, shape: value(2, 0, 0) },
        ],
    };
    let bag = Shape::Multiset { stride: 5, n_slots: 3, element: Box::new(pair) };
    let (symmetry, n_bits) = system(vec![scalarset(3)], vec![(15, bag)]);
    let (n_forms, n_orbits) = count(&symmetry, n_bits);
    assert_eq!(n_forms, n_orbits);
}

/// Cells with a bit and a pointer each, a pointer to the first, and two processes that point
/// to cells: lists, with cells that nothing points to.
#[test]
fn random_lists_have_one_form_for_each_orbit() {
    let record = |fields: &[(u32, Shape)]| {
        let mut bit = 0;
        let place = |(bits, shape): &(u32, Shape)| {
            bit += bits;
            Placed { bit: bit - bits, shape: shape.clone() }
        };
        Shape::Record { parts: fields.iter().map(place).collect() }
    };
    let pointer = (3, value(3, 1, 0));
    let cell = record(&[(1, plain(1)), pointer.clone()]);
    let process = record(&[(1, plain(1)), pointer.clone(), pointer.clone()]);
    let (symmetry, n_bits) = system(
        vec![scalarset(5), scalarset(2)],
        vec![pointer, (20, array(5, 4, 0, cell)), (14, array(2, 7, 1, process))],
    );
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut state = random.state(&symmetry, n_bits);
        // Fewer pointers leave more cells alike.
        for _ in 0..random.below(5) {
            let cell = 3 + 4 * random.below(5);
            state[0] &= !(0xF << cell);
        }
        check_orbit(&symmetry, &state, seed);
    }
}

/// A state that holds a graph as an array over pairs of elements.
fn graph(n: u32, edges: &[(u32, u32)]) -> (Symmetry, Vec<u64>) {
    let (symmetry, n_bits) =
        system(vec![scalarset(n)], vec![(n * n, array(n, n, 0, array(n, 1, 0, plain(1))))]);
    let mut state = vec![0u64; n_bits.div_ceil(64) as usize];
    for &(from, to) in edges {
        for bit in [from * n + to, to * n + from] {
            state[bit as usize / 64] |= 1 << (bit % 64);
        }
    }
    (symmetry, state)
}

/// Checks that shuffled copies of a state have the form of the state.
fn check_shuffled(symmetry: &Symmetry, state: &[u64], n_copies: usize) -> Vec<u64> {
    let canonicalizer = Canonicalizer::new(symmetry, state.len()).expect("something is permuted");
    let form = canonical(&canonicalizer, state);
    let mut random = Random::new(1);
    for _ in 0..n_copies {
        let shuffle = |s: &Scalarset| random.shuffled(s.n_elements);
        let permutations: Vec<_> = symmetry.scalarsets.iter().map(shuffle).collect();
        let copy = permute(symmetry, &permutations, state);
        assert_eq!(canonical(&canonicalizer, &copy), form);
    }
    form
}

#[test]
fn regular_graphs_on_64_elements_are_canonical_quickly() {
    let cycle: Vec<_> = (0..64).map(|node| (node, (node + 1) % 64)).collect();
    let matching: Vec<_> = (0..32).map(|node| (2 * node, 2 * node + 1)).collect();
    let cube: Vec<_> =
        (0..64).flat_map(|node| (0..6).map(move |axis| (node, node ^ (1 << axis)))).collect();
    for edges in [cycle, matching, cube] {
        let (symmetry, state) = graph(64, &edges);
        check_shuffled(&symmetry, &state, 2);
    }
}

#[test]
fn two_triangles_are_no_hexagon() {
    let hexagon: Vec<_> = (0..6).map(|node| (node, (node + 1) % 6)).collect();
    let triangles = [(0, 2), (2, 4), (4, 0), (1, 3), (3, 5), (5, 1)];
    let (symmetry, one) = graph(6, &hexagon);
    let (_, other) = graph(6, &triangles);
    assert_ne!(check_shuffled(&symmetry, &one, 50), check_shuffled(&symmetry, &other, 50));
}

#[test]
fn pointers_in_pairs_on_64_elements_are_canonical_quickly() {
    let (symmetry, n_bits) =
        system(vec![scalarset(64)], vec![(7 * 64, array(64, 7, 0, value(7, 1, 0)))]);
    let mut state = vec![0u64; n_bits.div_ceil(64) as usize];
    for element in 0..64u32 {
        let (bit, code) = (7 * element, 1 + u64::from((element + 32) % 64));
        state[bit as usize / 64] |= code << (bit % 64);
        if bit % 64 > 57 {
            state[bit as usize / 64 + 1] |= code >> (64 - bit % 64);
        }
    }
    check_shuffled(&symmetry, &state, 3);
}

#[test]
fn wide_contents_and_a_thousand_elements_are_sorted() {
    let n = 1000;
    let (symmetry, n_bits) =
        system(vec![scalarset(n)], vec![(130 * n, array(n, 130, 0, plain(130)))]);
    let mut random = Random::new(7);
    let state: Vec<u64> =
        (0..n_bits.div_ceil(64)).map(|_| random.below(2) << random.below(64)).collect();
    let mut state = state;
    let unused = state.len() as u32 * 64 - n_bits;
    *state.last_mut().expect("not empty") &= u64::MAX >> unused;
    check_shuffled(&symmetry, &state, 3);
}

#[test]
fn nothing_is_permuted_where_the_model_forbids_it() {
    let mut forbidden = scalarset(3);
    forbidden.not_symmetric = Some("it is not".to_owned());
    let (symmetry, _) = system(vec![forbidden], vec![(3, array(3, 1, 0, plain(1)))]);
    assert!(Canonicalizer::new(&symmetry, 1).is_none());
    let (symmetry, _) = system(vec![scalarset(3)], vec![(3, plain(3))]);
    assert!(Canonicalizer::new(&symmetry, 1).is_none());
}

#[test]
fn descriptions_that_do_not_fit_are_refused() {
    let too_long = array(40, 2, 0, plain(2));
    let misplaced = Shape::Array {
        stride: 1,
        n_elements: 10,
        segments: vec![IndexSegment { first: 8, scalarset: ScalarsetId(0) }],
        element: Box::new(plain(1)),
    };
    let huge = array(u32::MAX, u32::MAX, 0, value(64, 0, 0));
    let narrow = value(1, 0, 0);
    let endless = Shape::Array {
        stride: 0,
        n_elements: u32::MAX,
        segments: vec![],
        element: Box::new(value(6, 0, 0)),
    };
    let deep = (0..1000)
        .fold(value(6, 0, 0), |shape, _| Shape::Record { parts: vec![Placed { bit: 0, shape }] });
    for shape in [too_long, misplaced, huge, narrow, endless, deep] {
        let (symmetry, _) = system(vec![scalarset(40)], vec![(0, shape)]);
        assert!(Canonicalizer::new(&symmetry, 1).is_none());
    }
}
