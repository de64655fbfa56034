//! Global states with threads counted instead of named: a shared store, and for each
//! local store how many threads are in it.
//!
//! A state is a row of words: the shared store, then one word for each local store with
//! threads in it, ascending, the count in its low bits. Rows lie one after the other in
//! one vector and are found by their hash.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::table::{Local, Shared};

/// Number of a stored state.
pub type StateId = u32;

/// No state: what the first ones come from.
pub const NOBODY: StateId = StateId::MAX;

/// Bits of a count.
const COUNT_BITS: u32 = 12;

/// Threads in one local store, at most.
pub const MAX_COUNT: u32 = (1 << COUNT_BITS) - 1;

/// Threads in a local store, as one word.
pub fn entry(local: Local, count: u32) -> u32 {
    local << COUNT_BITS | count
}

/// The local store of an entry.
pub fn local_of(entry: u32) -> Local {
    entry >> COUNT_BITS
}

/// How many threads are in it.
pub fn count_of(entry: u32) -> u32 {
    entry & MAX_COUNT
}

/// Adds a thread in `local` to a row, which must have room for it.
pub fn add(row: &mut Vec<u32>, local: Local) {
    match row[1..].binary_search_by_key(&local, |&entry| local_of(entry)) {
        Ok(at) => row[at + 1] += 1,
        Err(at) => row.insert(at + 1, entry(local, 1)),
    }
}

/// Takes a thread in `local` away, if there is one.
pub fn remove(row: &mut Vec<u32>, local: Local) {
    if let Ok(at) = row[1..].binary_search_by_key(&local, |&entry| local_of(entry)) {
        match count_of(row[at + 1]) {
            1 => {
                row.remove(at + 1);
            }
            _ => row[at + 1] -= 1,
        }
    }
}

/// How many threads are in `local`.
pub fn count_in(row: &[u32], local: Local) -> u32 {
    let found = row[1..].binary_search_by_key(&local, |&entry| local_of(entry));
    found.map_or(0, |at| count_of(row[at + 1]))
}

/// All states met so far.
#[derive(Default)]
pub struct States {
    words: Vec<u32>,
    /// Where each row ends.
    ends: Vec<usize>,
    parents: Vec<StateId>,
    table: HashTable<StateId>,
}

impl States {
    /// How many there are.
    pub fn n_states(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The row of a state.
    pub fn row(&self, id: StateId) -> &[u32] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.words[start..self.ends[id]]
    }

    /// The shared store of a state.
    pub fn shared(&self, id: StateId) -> Shared {
        self.row(id)[0]
    }

    /// The state that a state was met from.
    pub fn parent(&self, id: StateId) -> StateId {
        self.parents[id as usize]
    }

    /// Stores a state, unless it is known.
    pub fn insert(&mut self, row: &[u32], parent: StateId) -> Option<StateId> {
        let hash = hash(row);
        let (words, ends) = (&self.words, &self.ends);
        let row_of = |id: StateId| {
            let id = id as usize;
            let start = if id == 0 { 0 } else { ends[id - 1] };
            &words[start..ends[id]]
        };
        if self.table.find(hash, |&id| row_of(id) == row).is_some() {
            return None;
        }
        let id = ends.len() as StateId;
        self.words.extend_from_slice(row);
        self.ends.push(self.words.len());
        self.parents.push(parent);
        let (words, ends) = (&self.words, &self.ends);
        self.table.insert_unique(hash, id, |&id| {
            let id = id as usize;
            let start = if id == 0 { 0 } else { ends[id - 1] };
            self::hash(&words[start..ends[id]])
        });
        Some(id)
    }
}

fn hash(row: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for pair in row.chunks(2) {
        let high = pair.get(1).copied().unwrap_or(0);
        hasher.write_u64(u64::from(pair[0]) | u64::from(high) << 32);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{NOBODY, States, add, count_in, remove};

    #[test]
    fn threads_are_added_and_removed() {
        let mut row = vec![7];
        for local in [5, 3, 5] {
            add(&mut row, local);
        }
        assert_eq!((count_in(&row, 3), count_in(&row, 5), count_in(&row, 4)), (1, 2, 0));
        remove(&mut row, 5);
        remove(&mut row, 3);
        assert_eq!((row.len(), count_in(&row, 5)), (2, 1));
    }

    #[test]
    fn a_state_is_stored_once() {
        let mut states = States::default();
        assert_eq!(states.insert(&[1, 2], NOBODY), Some(0));
        assert_eq!(states.insert(&[1], 0), Some(1));
        assert_eq!(states.insert(&[1, 2], 1), None);
        assert_eq!((states.row(1), states.parent(1), states.n_states()), (&[1][..], 0, 2));
    }
}
