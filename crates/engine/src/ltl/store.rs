//! Numbers packed states: equal words, equal number. States are kept in chunks,
//! so that growing copies only the index.

use model::{Limits, MemoryLimit};

use crate::kernel::state_table::room_for;

/// States of a chunk.
const CHUNK_STATES: usize = 1 << 12;

const FREE: u32 = u32::MAX;

/// A set of packed states, numbered in the order of arrival.
pub(super) struct StateStore {
    words: usize,
    chunks: Vec<Box<[u64]>>,
    /// Numbers of states, by hash, with linear probing; at most three quarters full.
    index: Vec<u32>,
    n_states: usize,
    memory: Option<MemoryLimit>,
}

/// Why a state was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotAdded {
    /// There are as many states as 32 bits can number.
    TooMany,
    /// The index may not become larger.
    MemoryLimit,
}

impl StateStore {
    /// An empty store for states of `words` words, which grows within `limits`.
    pub fn new(words: usize, limits: &Limits) -> StateStore {
        let index = vec![FREE; 64];
        StateStore { words, chunks: Vec::new(), index, n_states: 0, memory: limits.memory }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.n_states
    }

    /// The state with this number.
    pub fn get(&self, number: u32) -> &[u64] {
        let number = number as usize;
        let start = number % CHUNK_STATES * self.words;
        &self.chunks[number / CHUNK_STATES][start..start + self.words]
    }

    /// The number of `state`, which is added if it is new, and whether it is.
    ///
    /// # Errors
    /// It is new, and there is no room for it.
    pub fn insert(&mut self, state: &[u64]) -> Result<(u32, bool), NotAdded> {
        let mut slot = self.slot(state);
        if self.index[slot] != FREE {
            return Ok((self.index[slot], false));
        }
        let number = u32::try_from(self.n_states).ok().filter(|&n| n < FREE);
        let number = number.ok_or(NotAdded::TooMany)?;
        if (self.n_states + 1) * 4 > self.index.len() * 3 {
            self.grow()?;
            slot = self.slot(state);
        }
        if self.n_states.is_multiple_of(CHUNK_STATES) {
            self.chunks.push(vec![0; CHUNK_STATES * self.words].into_boxed_slice());
        }
        let start = self.n_states % CHUNK_STATES * self.words;
        let chunk = self.chunks.last_mut().expect("there is room in the last chunk");
        chunk[start..start + self.words].copy_from_slice(state);
        self.index[slot] = number;
        self.n_states += 1;
        Ok((number, true))
    }

    /// The number of `state`, if it is there.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        let number = self.index[self.slot(state)];
        (number != FREE).then_some(number)
    }

    fn slot(&self, state: &[u64]) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash(state) as usize & mask;
        while self.index[slot] != FREE && self.get(self.index[slot]) != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) -> Result<(), NotAdded> {
        let mask = self.index.len() * 2 - 1;
        let limits = Limits { memory: self.memory, ..Limits::none() };
        room_for((mask as u64 + 1) * 4, &limits).map_err(|_| NotAdded::MemoryLimit)?;
        let mut index = vec![FREE; mask + 1];
        for number in 0..self.n_states as u32 {
            let mut slot = hash(self.get(number)) as usize & mask;
            while index[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            index[slot] = number;
        }
        self.index = index;
        Ok(())
    }
}

/// Mixes all words into all bits: a multiplication folded onto itself per word.
pub(super) fn hash(state: &[u64]) -> u64 {
    let mut mixed = 0x243f_6a88_85a3_08d3_u64;
    for word in state {
        let product = u128::from(mixed ^ word) * 0x9e37_79b9_7f4a_7c15;
        mixed = (product >> 64) as u64 ^ product as u64 ^ word.rotate_left(23);
    }
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use model::{Limits, MemoryLimit};

    use super::{NotAdded, StateStore};

    #[test]
    fn each_state_keeps_its_number_while_the_store_grows() {
        let mut store = StateStore::new(2, &Limits::none());
        let state = |n: u64| [n << 40, n * n];
        for n in 0..20_000 {
            assert!(
                matches!(store.insert(&state(n)), Ok((number, true)) if u64::from(number) == n)
            );
        }
        for n in 0..20_000 {
            assert!(
                matches!(store.insert(&state(n)), Ok((number, false)) if u64::from(number) == n)
            );
            assert_eq!(store.get(n as u32), state(n));
        }
        assert_eq!(store.find(&[1, 2]), None);
        assert_eq!(store.len(), 20_000);
    }

    #[test]
    fn a_store_that_may_not_grow_keeps_what_it_has() {
        let memory = Some(MemoryLimit { bytes: 1000, gauge: || 900 });
        let mut store = StateStore::new(1, &Limits { memory, ..Limits::none() });
        let refused = (0..100).find(|&n| store.insert(&[n]) == Err(NotAdded::MemoryLimit));
        assert_eq!(refused, Some(48));
        assert_eq!((store.len(), store.insert(&[47])), (48, Ok((47, false))));
    }
}
