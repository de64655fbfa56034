//! Sets of pairwise incomparable vectors, asked for domination in both
//! directions.
//!
//! Every member is *watched* by one of its own indices, the one with the fewest
//! watchers when it came. What is below a vector is watched by one of that
//! vector's indices, so questions downward look only there. Questions upward look
//! through the members that *contain* the query's rarest index.
//! Members carry a signature and a sum, so most comparisons never touch the
//! vectors themselves.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::kernel::sparse::{self, VectorId, VectorStore};

/// A member with what rejects most comparisons.
#[derive(Clone, Copy, Debug)]
struct Member {
    signature: u64,
    sum: u32,
    id: VectorId,
}

/// Which questions an antichain is asked, hence which index it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Minimal elements of an upward-closed set: is something below?
    Minimal,
    /// Maximal elements of a downward-closed set: is something above?
    Maximal,
}

/// An antichain of vectors of one [`VectorStore`].
pub struct Antichain {
    keeps: Keeps,
    /// Each member once, by its watched index.
    watched: FxHashMap<u32, Vec<Member>>,
    /// Each member by all of its indices.
    containing: FxHashMap<u32, Vec<Member>>,
    /// The zero vector has no index to be found by.
    zero: Option<Member>,
    n_members: usize,
}

impl Antichain {
    /// An empty antichain.
    pub fn new(keeps: Keeps) -> Antichain {
        Antichain {
            keeps,
            watched: FxHashMap::default(),
            containing: FxHashMap::default(),
            zero: None,
            n_members: 0,
        }
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.n_members
    }

    /// Has it no member?
    pub fn is_empty(&self) -> bool {
        self.n_members == 0
    }

    /// A member at most `vector`.
    pub fn some_below(&self, vector: &[u64], store: &VectorStore) -> Option<VectorId> {
        let mut found = None;
        self.below(vector, store, &mut |id| {
            found = Some(id);
            ControlFlow::Break(())
        });
        found
    }

    /// A member at least `vector`.
    pub fn some_above(&self, vector: &[u64], store: &VectorStore) -> Option<VectorId> {
        let mut found = None;
        self.above(vector, store, &mut |id| {
            found = Some(id);
            ControlFlow::Break(())
        });
        found
    }

    /// Adds a vector, which no member dominates, and removes the members it
    /// dominates; their ids go to `removed`.
    pub fn insert(&mut self, id: VectorId, store: &VectorStore, removed: &mut Vec<VectorId>) {
        removed.clear();
        let collect = &mut |id| {
            removed.push(id);
            ControlFlow::Continue(())
        };
        match self.keeps {
            Keeps::Minimal => self.above(store.get(id), store, collect),
            Keeps::Maximal => self.below(store.get(id), store, collect),
        }
        removed.sort_unstable();
        for &gone in removed.iter() {
            self.remove(gone, store);
        }
        self.add(id, store);
    }

    /// Removes a member; does nothing if it is none.
    pub fn remove(&mut self, id: VectorId, store: &VectorStore) {
        let mut found = false;
        if self.zero.is_some_and(|zero| zero.id == id) {
            self.zero = None;
            found = true;
        }
        for &e in store.get(id) {
            for lists in [&mut self.watched, &mut self.containing] {
                let Some(members) = lists.get_mut(&sparse::idx_of(e)) else { continue };
                store.note_compared(members.len());
                if let Some(at) = members.iter().position(|member| member.id == id) {
                    members.swap_remove(at);
                    found = true;
                }
            }
        }
        self.n_members -= usize::from(found);
    }

    /// The members, sorted by id.
    pub fn members(&self) -> Vec<VectorId> {
        let in_lists = self.watched.values().flatten().map(|member| member.id);
        let mut ids: Vec<_> = in_lists.chain(self.zero.map(|zero| zero.id)).collect();
        ids.sort_unstable();
        ids
    }

    fn add(&mut self, id: VectorId, store: &VectorStore) {
        let vector = store.get(id);
        let member = Member { signature: sparse::signature(vector), sum: sparse::sum(vector), id };
        self.n_members += 1;
        if vector.is_empty() {
            self.zero = Some(member);
            return;
        }
        let n_watchers = |e: &u64| self.watched.get(&sparse::idx_of(*e)).map_or(0, Vec::len);
        let rarest = vector.iter().min_by_key(|e| n_watchers(e)).expect("not empty");
        self.watched.entry(sparse::idx_of(*rarest)).or_default().push(member);
        for &e in vector {
            self.containing.entry(sparse::idx_of(e)).or_default().push(member);
        }
    }

    /// Visits the members at most `vector`.
    fn below(
        &self,
        vector: &[u64],
        store: &VectorStore,
        visit: &mut dyn FnMut(VectorId) -> ControlFlow<()>,
    ) {
        let (signature, sum) = (sparse::signature(vector), sparse::sum(vector));
        if let Some(zero) = self.zero {
            if visit(zero.id).is_break() {
                return;
            }
        }
        for &e in vector {
            let Some(members) = self.watched.get(&sparse::idx_of(e)) else { continue };
            store.note_compared(members.len());
            for member in members {
                if member.signature & !signature == 0
                    && member.sum <= sum
                    && sparse::le(store.get(member.id), vector)
                    && visit(member.id).is_break()
                {
                    return;
                }
            }
        }
    }

    /// Visits the members at least `vector`.
    fn above(
        &self,
        vector: &[u64],
        store: &VectorStore,
        visit: &mut dyn FnMut(VectorId) -> ControlFlow<()>,
    ) {
        let (signature, sum) = (sparse::signature(vector), sparse::sum(vector));
        let Some(members) = self.rarest(vector) else {
            if vector.is_empty() {
                self.all(visit);
            }
            return;
        };
        store.note_compared(members.len());
        for member in members {
            if signature & !member.signature == 0
                && sum <= member.sum
                && sparse::le(vector, store.get(member.id))
                && visit(member.id).is_break()
            {
                return;
            }
        }
    }

    /// Visits all members, which is what is above the zero vector.
    fn all(&self, visit: &mut dyn FnMut(VectorId) -> ControlFlow<()>) {
        for id in self.members() {
            if visit(id).is_break() {
                return;
            }
        }
    }

    /// The shortest list of members that contain one of the vector's indices;
    /// `None` if the vector is zero or no member contains one of them.
    fn rarest(&self, vector: &[u64]) -> Option<&[Member]> {
        let mut best: Option<&Vec<Member>> = None;
        for &e in vector {
            let members = self.containing.get(&sparse::idx_of(e))?;
            if best.is_none_or(|best| members.len() < best.len()) {
                best = Some(members);
            }
        }
        best.map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::{Antichain, Keeps};
    use crate::kernel::sparse::{self, VectorStore, entry};

    /// A small linear congruential generator: tests must not depend on a seed
    /// from outside.
    fn random_vectors(n: usize) -> Vec<Vec<u64>> {
        let mut state = 7u64;
        let mut next = move |bound: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        let mut vector = move || {
            let dense: Vec<u32> = (0..6).map(|_| next(4).saturating_sub(1) as u32).collect();
            let nonzero = dense.into_iter().enumerate().filter(|(_, v)| *v > 0);
            nonzero.map(|(idx, v)| entry(idx as u32 * 31, v)).collect()
        };
        (0..n).map(|_| vector()).collect()
    }

    fn check(keeps: Keeps) {
        let mut store = VectorStore::default();
        let mut antichain = Antichain::new(keeps);
        let mut naive: Vec<Vec<u64>> = Vec::new();
        let mut removed = Vec::new();
        let dominates = |a: &[u64], b: &[u64]| match keeps {
            Keeps::Minimal => sparse::le(a, b),
            Keeps::Maximal => sparse::le(b, a),
        };
        for vector in random_vectors(4000) {
            let expected = naive.iter().any(|member| dominates(member, &vector));
            let found = match keeps {
                Keeps::Minimal => antichain.some_below(&vector, &store),
                Keeps::Maximal => antichain.some_above(&vector, &store),
            };
            assert_eq!(found.is_some(), expected);
            if !expected {
                naive.retain(|member| !dominates(&vector, member));
                naive.push(vector.clone());
                let id = store.push(&vector);
                antichain.insert(id, &store, &mut removed);
            }
            assert_eq!(antichain.len(), naive.len());
            assert_eq!(antichain.members().len(), naive.len());
        }
    }

    #[test]
    fn minimal_antichains_agree_with_a_plain_list() {
        check(Keeps::Minimal);
    }

    #[test]
    fn maximal_antichains_agree_with_a_plain_list() {
        check(Keeps::Maximal);
    }
}
