//! Sets of pairwise incomparable vectors, asked for domination in both
//! directions.
//!
//! Every member is *watched* by one of its own indices, the one with the fewest
//! watchers when it came. What is below a vector is watched by one of that
//! vector's indices, so questions downward look only there. Questions upward look
//! through the members that *contain* the query's rarest index.
//! Lists are kept by weight, a measure that grows strictly with the order: only
//! lighter members can be below and only heavier ones above, and an equal one is
//! found by its hash. In a system whose steps keep the number of tokens, where
//! domination is rare, hardly anything is ever compared.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::{Bound, ControlFlow};

use rustc_hash::{FxHashMap, FxHasher};

use crate::kernel::sparse::{self, VectorId, VectorStore};

/// A member with what rejects most comparisons.
#[derive(Clone, Copy, Debug)]
struct Member {
    signature: u64,
    id: VectorId,
}

/// Which elements of a set an antichain keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Minimal elements of an upward-closed set.
    Minimal,
    /// Maximal elements of a downward-closed set.
    Maximal,
}

/// Members by weight.
#[derive(Default)]
struct List {
    by_weight: BTreeMap<u64, Vec<Member>>,
    len: usize,
}

/// An antichain of vectors of one [`VectorStore`].
pub struct Antichain {
    keeps: Keeps,
    /// Each member once, by its watched index.
    watched: FxHashMap<u32, List>,
    /// Each member by all of its indices.
    containing: FxHashMap<u32, List>,
    /// Members by hash; one that shares its hash with another is in `homonyms`.
    by_hash: FxHashMap<u64, VectorId>,
    homonyms: Vec<VectorId>,
    /// The zero vector has no index to be found by.
    zero: Option<VectorId>,
    n_members: usize,
}

impl Antichain {
    /// An empty antichain.
    pub fn new(keeps: Keeps) -> Antichain {
        Antichain {
            keeps,
            watched: FxHashMap::default(),
            containing: FxHashMap::default(),
            by_hash: FxHashMap::default(),
            homonyms: Vec::new(),
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
        let mut found = self.equal(vector, store);
        if found.is_none() {
            self.below(vector, store, &mut |id| {
                found = Some(id);
                ControlFlow::Break(())
            });
        }
        found
    }

    /// A member at least `vector`.
    pub fn some_above(&self, vector: &[u64], store: &VectorStore) -> Option<VectorId> {
        let mut found = self.equal(vector, store);
        if found.is_none() {
            self.above(vector, store, &mut |id| {
                found = Some(id);
                ControlFlow::Break(())
            });
        }
        found
    }

    /// Adds a vector, which no member dominates or equals, and removes the members
    /// it dominates; their ids go to `removed`.
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
        let vector = store.get(id);
        let hash = hash_of(vector);
        if self.by_hash.get(&hash) == Some(&id) {
            self.by_hash.remove(&hash);
        } else if let Some(at) = self.homonyms.iter().position(|known| *known == id) {
            self.homonyms.swap_remove(at);
        } else {
            return;
        }
        self.n_members -= 1;
        if vector.is_empty() {
            self.zero = None;
            return;
        }
        let weight = sparse::weight(vector);
        for &e in vector {
            for lists in [&mut self.watched, &mut self.containing] {
                if let Some(list) = lists.get_mut(&sparse::idx_of(e)) {
                    store.note_compared(list.remove(weight, id));
                }
            }
        }
    }

    /// The members, sorted by id.
    pub fn members(&self) -> Vec<VectorId> {
        let named = self.by_hash.values().copied();
        let mut ids: Vec<_> = named.chain(self.homonyms.iter().copied()).collect();
        ids.sort_unstable();
        ids
    }

    fn add(&mut self, id: VectorId, store: &VectorStore) {
        let vector = store.get(id);
        let member = Member { signature: sparse::signature(vector), id };
        self.n_members += 1;
        match self.by_hash.entry(hash_of(vector)) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(id);
            }
            std::collections::hash_map::Entry::Occupied(_) => self.homonyms.push(id),
        }
        if vector.is_empty() {
            self.zero = Some(id);
            return;
        }
        let weight = sparse::weight(vector);
        let n_watchers = |e: &u64| self.watched.get(&sparse::idx_of(*e)).map_or(0, |l| l.len);
        let rarest = vector.iter().min_by_key(|e| n_watchers(e)).expect("not empty");
        self.watched.entry(sparse::idx_of(*rarest)).or_default().push(weight, member);
        for &e in vector {
            self.containing.entry(sparse::idx_of(e)).or_default().push(weight, member);
        }
    }

    fn equal(&self, vector: &[u64], store: &VectorStore) -> Option<VectorId> {
        let is_equal = |id: &&VectorId| store.get(**id) == vector;
        let named = self.by_hash.get(&hash_of(vector)).filter(|id| is_equal(id));
        named.or_else(|| self.homonyms.iter().find(is_equal)).copied()
    }

    /// Visits the members strictly below `vector`.
    fn below(
        &self,
        vector: &[u64],
        store: &VectorStore,
        visit: &mut dyn FnMut(VectorId) -> ControlFlow<()>,
    ) {
        let (signature, weight) = (sparse::signature(vector), sparse::weight(vector));
        if let Some(zero) = self.zero.filter(|_| !vector.is_empty())
            && visit(zero).is_break()
        {
            return;
        }
        for &e in vector {
            let Some(list) = self.watched.get(&sparse::idx_of(e)) else { continue };
            for members in list.by_weight.range(..weight).map(|(_, members)| members) {
                store.note_compared(members.len());
                for member in members {
                    if member.signature & !signature == 0
                        && sparse::le(store.get(member.id), vector)
                        && visit(member.id).is_break()
                    {
                        return;
                    }
                }
            }
        }
    }

    /// Visits the members strictly above `vector`.
    fn above(
        &self,
        vector: &[u64],
        store: &VectorStore,
        visit: &mut dyn FnMut(VectorId) -> ControlFlow<()>,
    ) {
        if vector.is_empty() {
            return self.all_but_zero(visit);
        }
        let (signature, weight) = (sparse::signature(vector), sparse::weight(vector));
        let Some(list) = self.rarest(vector) else { return };
        let heavier = (Bound::Excluded(weight), Bound::Unbounded);
        for members in list.by_weight.range(heavier).map(|(_, members)| members) {
            store.note_compared(members.len());
            for member in members {
                if signature & !member.signature == 0
                    && sparse::le(vector, store.get(member.id))
                    && visit(member.id).is_break()
                {
                    return;
                }
            }
        }
    }

    /// Visits what is strictly above the zero vector.
    fn all_but_zero(&self, visit: &mut dyn FnMut(VectorId) -> ControlFlow<()>) {
        for id in self.members().into_iter().filter(|id| Some(*id) != self.zero) {
            if visit(id).is_break() {
                return;
            }
        }
    }

    /// The shortest list of members that contain one of the vector's indices;
    /// `None` if no member contains one of them.
    fn rarest(&self, vector: &[u64]) -> Option<&List> {
        let mut best: Option<&List> = None;
        for &e in vector {
            let list = self.containing.get(&sparse::idx_of(e))?;
            if best.is_none_or(|best| list.len < best.len) {
                best = Some(list);
            }
        }
        best
    }
}

impl List {
    fn push(&mut self, weight: u64, member: Member) {
        self.by_weight.entry(weight).or_default().push(member);
        self.len += 1;
    }

    /// Removes a member, if it is there; tells how many were looked at.
    fn remove(&mut self, weight: u64, id: VectorId) -> usize {
        let Some(members) = self.by_weight.get_mut(&weight) else { return 0 };
        let n_members = members.len();
        if let Some(at) = members.iter().position(|member| member.id == id) {
            members.swap_remove(at);
            self.len -= 1;
            if members.is_empty() {
                self.by_weight.remove(&weight);
            }
        }
        n_members
    }
}

fn hash_of(vector: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    vector.hash(&mut hasher);
    hasher.finish()
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
