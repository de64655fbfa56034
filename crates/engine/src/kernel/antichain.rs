//! Sets of pairwise incomparable vectors, asked for domination in both
//! directions.
//!
//! Every member is *watched* by one of its own indices, the one with the fewest
//! watchers when it came. Something below a vector is watched by one of that
//! vector's indices, so [`Antichain::some_below`] looks only there. The other
//! direction, [`Antichain::some_above`], looks through the members that contain
//! the query's rarest index.
//! Members carry a signature and a sum, so most comparisons never touch the
//! vectors themselves.

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
    /// For `Minimal`: members by their watched index. For `Maximal`: members by
    /// each of their indices.
    by_idx: FxHashMap<u32, Vec<Member>>,
    /// The zero vector has no index to be found by.
    zero: Option<Member>,
    n_members: usize,
}

impl Antichain {
    /// An empty antichain.
    pub fn new(keeps: Keeps) -> Antichain {
        Antichain { keeps, by_idx: FxHashMap::default(), zero: None, n_members: 0 }
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.n_members
    }

    /// Has it no member?
    pub fn is_empty(&self) -> bool {
        self.n_members == 0
    }

    /// A member at most `vector`. For `Keeps::Minimal`.
    pub fn some_below(&self, vector: &[u64], store: &VectorStore) -> Option<VectorId> {
        debug_assert_eq!(self.keeps, Keeps::Minimal);
        if let Some(zero) = self.zero {
            return Some(zero.id);
        }
        let (signature, sum) = (sparse::signature(vector), sparse::sum(vector));
        let fits = |member: &&Member| {
            member.signature & !signature == 0
                && member.sum <= sum
                && sparse::le(store.get(member.id), vector)
        };
        vector
            .iter()
            .filter_map(|&e| self.by_idx.get(&sparse::idx_of(e)))
            .find_map(|watched| watched.iter().find(fits))
            .map(|member| member.id)
    }

    /// A member at least `vector`. For `Keeps::Maximal`.
    pub fn some_above(&self, vector: &[u64], store: &VectorStore) -> Option<VectorId> {
        debug_assert_eq!(self.keeps, Keeps::Maximal);
        let (signature, sum) = (sparse::signature(vector), sparse::sum(vector));
        let fits = |member: &&Member| {
            signature & !member.signature == 0
                && sum <= member.sum
                && sparse::le(vector, store.get(member.id))
        };
        match self.rarest(vector) {
            Rarest::Absent => None,
            Rarest::Found(members) => members.iter().find(fits).map(|member| member.id),
            // The zero vector is below any member.
            Rarest::NoIndex => {
                let any = self.by_idx.values().find_map(|members| members.first());
                any.copied().or(self.zero).map(|member| member.id)
            }
        }
    }

    /// Adds `vector`, which no member dominates, and removes the members it
    /// dominates; passes their ids to `removed`.
    pub fn insert(&mut self, id: VectorId, store: &VectorStore, removed: &mut Vec<VectorId>) {
        removed.clear();
        self.dominated_by(store.get(id), store, removed);
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
            let Some(members) = self.by_idx.get_mut(&sparse::idx_of(e)) else { continue };
            if let Some(at) = members.iter().position(|member| member.id == id) {
                members.swap_remove(at);
                found = true;
            }
        }
        self.n_members -= usize::from(found);
    }

    /// The members, sorted by id.
    pub fn members(&self) -> Vec<VectorId> {
        let in_lists = self.by_idx.values().flatten().map(|member| member.id);
        let mut ids: Vec<_> = in_lists.chain(self.zero.map(|zero| zero.id)).collect();
        ids.sort_unstable();
        ids.dedup();
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
        match self.keeps {
            Keeps::Minimal => {
                let watchers = |e: &u64| self.by_idx.get(&sparse::idx_of(*e)).map_or(0, Vec::len);
                let watched = vector.iter().min_by_key(|e| watchers(e)).expect("not empty");
                self.by_idx.entry(sparse::idx_of(*watched)).or_default().push(member);
            }
            Keeps::Maximal => {
                for &e in vector {
                    self.by_idx.entry(sparse::idx_of(e)).or_default().push(member);
                }
            }
        }
    }

    /// Members that `vector` makes superfluous: those above it for `Minimal`,
    /// those below it for `Maximal`.
    fn dominated_by(&self, vector: &[u64], store: &VectorStore, found: &mut Vec<VectorId>) {
        let (signature, sum) = (sparse::signature(vector), sparse::sum(vector));
        let is_dominated = |member: &&Member| match self.keeps {
            Keeps::Minimal => {
                signature & !member.signature == 0
                    && sum <= member.sum
                    && sparse::le(vector, store.get(member.id))
            }
            Keeps::Maximal => {
                member.signature & !signature == 0
                    && member.sum <= sum
                    && sparse::le(store.get(member.id), vector)
            }
        };
        let lists: Vec<&Vec<Member>> = match self.keeps {
            // The watched index of a member above may be any of its own.
            Keeps::Minimal => self.by_idx.values().collect(),
            Keeps::Maximal => {
                vector.iter().filter_map(|&e| self.by_idx.get(&sparse::idx_of(e))).collect()
            }
        };
        let members = lists.into_iter().flatten().chain(self.zero.as_ref());
        found.extend(members.filter(is_dominated).map(|member| member.id));
        found.sort_unstable();
        found.dedup();
    }

    fn rarest(&self, vector: &[u64]) -> Rarest<'_> {
        let mut best: Option<&Vec<Member>> = None;
        for &e in vector {
            match self.by_idx.get(&sparse::idx_of(e)) {
                None => return Rarest::Absent,
                Some(members) if best.is_none_or(|b| members.len() < b.len()) => {
                    best = Some(members);
                }
                Some(_) => {}
            }
        }
        best.map_or(Rarest::NoIndex, |members| Rarest::Found(members))
    }
}

enum Rarest<'a> {
    Absent,
    NoIndex,
    Found(&'a [Member]),
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
