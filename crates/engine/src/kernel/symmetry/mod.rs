//! Canonical forms: one state to stand for all that scalarset permutations make
//! of it.
//!
//! Two states have the same canonical form if and only if some permutation of the
//! scalarsets, applied to indices and stored values alike, makes one of the other.
//! That is exact: hash values decide only in which order elements are looked at.
//!
//! The elements of all scalarsets form an ordered partition. It starts with what
//! each element has by itself (`keys`), and is refined by what relates elements
//! to each other: by pointers alone first (`chase`), then by everything (`refine`). Elements that are still alike but may be swapped
//! without a change of the state (`twins`) take any order; for others every order
//! is tried, with pruning by automorphisms (`search`). A partition into single
//! elements is a permutation, which `apply` carries out.
//!
//! **Expects** states as [`model::Symmetry`] describes them: multisets sorted,
//! unused slots and gaps within arrays and multisets zero.
//! **Cost.** Most states need a key per element and one sort. The search can be
//! exponential in theory, for states that are regular without being symmetric.
//! **Source.** The search is McKay's (Practical graph isomorphism, 1981): node
//! invariants and automorphisms from equal leaves, without stored orbits.
//! **Read first** `plan.rs`, then this file, then `search.rs`.

mod apply;
mod assemble;
mod bits;
mod chase;
mod compile;
mod keys;
mod partition;
mod plan;
mod refine;
mod search;
mod twins;

pub mod permute;

#[cfg(test)]
mod tests;

use model::Symmetry;

use chase::Chase;
use partition::Partition;
use plan::SymmetryPlan;
use refine::Refiner;
use search::CanonicalSearch;

/// Computes canonical forms for one system.
#[derive(Debug)]
pub struct Canonicalizer {
    plan: SymmetryPlan,
}

impl Canonicalizer {
    /// Nothing, when no permutation can change a state. Also nothing, so that
    /// states are left as they are, for descriptions that do not fit states of
    /// `state_words` words, nest too deeply or have millions of related places.
    pub fn new(symmetry: &Symmetry, state_words: usize) -> Option<Canonicalizer> {
        compile::compile(symmetry, state_words).map(|plan| Canonicalizer { plan })
    }

    /// Whoever computes canonical forms, with its own working memory.
    pub fn worker(&self) -> CanonicalWorker<'_> {
        CanonicalWorker::new(&self.plan)
    }
}

/// Computes canonical forms; one per thread. Its memory grows with the hardest
/// state met and is used again, so that calls do not allocate.
#[derive(Debug)]
pub struct CanonicalWorker<'a> {
    plan: &'a SymmetryPlan,
    /// The state, with one more word so that fields are read without branches.
    state: Vec<u64>,
    /// A permuted state, likewise.
    permuted: Vec<u64>,
    keys: Vec<u64>,
    partition: Partition,
    /// Where each element goes, counted within its scalarset.
    places: Vec<u32>,
    sorter: apply::SlotSorter,
    chase: Chase,
    refiner: Refiner,
    search: CanonicalSearch,
}

impl<'a> CanonicalWorker<'a> {
    fn new(plan: &'a SymmetryPlan) -> CanonicalWorker<'a> {
        CanonicalWorker {
            plan,
            state: vec![0; plan.state_words + 1],
            permuted: vec![0; plan.state_words + 1],
            keys: vec![0; plan.n_elements],
            partition: Partition::new(plan),
            places: vec![0; plan.n_elements],
            sorter: apply::SlotSorter::default(),
            chase: Chase::new(plan),
            refiner: Refiner::new(plan),
            search: CanonicalSearch::default(),
        }
    }

    /// Puts `state` into its canonical form. A slice of another length than the
    /// states of the system is left alone.
    pub fn canonicalize(&mut self, state: &mut [u64]) {
        let n_words = self.plan.state_words;
        if state.len() != n_words {
            return;
        }
        self.state[..n_words].copy_from_slice(state);
        keys::fill(self.plan, &self.state, &mut self.keys);
        let n_tied = self.partition.start(self.plan, &mut self.keys);
        if n_tied > 0 && !self.chase_pointers(n_tied) && !self.resolve_ties() {
            self.search();
            state.copy_from_slice(&self.search.best[..n_words]);
        } else if !self.partition.is_identity() {
            self.apply_partition();
            state.copy_from_slice(&self.permuted[..n_words]);
        }
    }

    /// Tells apart elements with equal keys as far as no choice is needed. Says
    /// whether all of them are.
    fn resolve_ties(&mut self) -> bool {
        self.refiner.read(self.plan, &self.state);
        if self.separate_twins() {
            return true;
        }
        self.refiner.refine(self.plan, &mut self.partition);
        self.separate_twins()
    }

    /// Makes `permuted` what the partition makes of the state.
    fn apply_partition(&mut self) {
        self.partition.places(self.plan, &mut self.places);
        self.apply_places();
    }

    /// Makes `permuted` what `places` makes of the state.
    fn apply_places(&mut self) {
        apply::apply(self.plan, &self.state, &self.places, &mut self.permuted);
        self.sorter.sort_multisets(self.plan, &mut self.permuted);
    }
}
