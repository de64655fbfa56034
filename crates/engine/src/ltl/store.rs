//! Numbers packed states: equal words, equal number. States are kept in chunks,
//! so that growing copies only the index.

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
}

/// There are as many states as 32 bits can number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Full;

impl StateStore {
    /// An empty store for states of `words` words.
    pub fn new(words: usize) -> StateStore {
        StateStore { words, chunks: Vec::new(), index: vec![FREE; 64], n_states: 0 }
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
    pub fn insert(&mut self, state: &[u64]) -> Result<(u32, bool), Full> {
        let slot = self.slot(state);
        if self.index[slot] != FREE {
            return Ok((self.index[slot], false));
        }
        let number = u32::try_from(self.n_states).ok().filter(|&n| n < FREE).ok_or(Full)?;
        if self.n_states.is_multiple_of(CHUNK_STATES) {
            self.chunks.push(vec![0; CHUNK_STATES * self.words].into_boxed_slice());
        }
        let start = self.n_states % CHUNK_STATES * self.words;
        let chunk = self.chunks.last_mut().expect("there is room in the last chunk");
        chunk[start..start + self.words].copy_from_slice(state);
        self.index[slot] = number;
        self.n_states += 1;
        if self.n_states * 4 > self.index.len() * 3 {
            self.grow();
        }
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

    fn grow(&mut self) {
        let mask = self.index.len() * 2 - 1;
        let mut index = vec![FREE; mask + 1];
        for number in 0..self.n_states as u32 {
            let mut slot = hash(self.get(number)) as usize & mask;
            while index[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            index[slot] = number;
        }
        self.index = index;
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
    use super::StateStore;

    #[test]
    fn each_state_keeps_its_number_while_the_store_grows() {
        let mut store = StateStore::new(2);
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
}
