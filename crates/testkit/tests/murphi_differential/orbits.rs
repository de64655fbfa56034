//! Counts orbits by trying every permutation on every state.

use std::collections::BTreeSet;

use engine::kernel::symmetry::permute::permute;
use model::Symmetry;

use crate::graph::State;

/// The number of classes of states that differ by permutations only.
///
/// # Errors
/// A state whose permuted form is not among the states: the system treats elements
/// differently, although its description says that it does not.
pub fn count(symmetry: &Symmetry, states: &[State]) -> Result<usize, String> {
    let all: BTreeSet<&State> = states.iter().collect();
    let permutations = all_permutations(symmetry);
    let mut smallest = BTreeSet::new();
    for state in states {
        let images: Vec<State> =
            permutations.iter().map(|one| permute(symmetry, one, state)).collect();
        if let Some(image) = images.iter().find(|image| !all.contains(image)) {
            return Err(format!("{state:x?} is reachable, {image:x?} is not"));
        }
        smallest.insert(images.into_iter().min());
    }
    Ok(smallest.len())
}

/// One permutation for each scalarset, in all combinations.
fn all_permutations(symmetry: &Symmetry) -> Vec<Vec<Vec<u32>>> {
    let mut all: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for scalarset in &symmetry.scalarsets {
        let own = match scalarset.is_permuted() {
            true => permutations_of(scalarset.n_elements),
            false => vec![(0..scalarset.n_elements).collect()],
        };
        all = all
            .iter()
            .flat_map(|before| {
                own.iter().map(|one| [before.as_slice(), std::slice::from_ref(one)].concat())
            })
            .collect();
    }
    all
}

fn permutations_of(n: u32) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in permutations_of(n - 1) {
        for position in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(position, n - 1);
            all.push(longer);
        }
    }
    all
}
