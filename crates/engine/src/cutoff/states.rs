//! Global states with threads counted instead of named: a shared store, and for each
//! local store how many threads are in it.
//!
//! A state is a row of words: the shared store, then one word for each local store with
//! threads in it, ascending, the count in its low bits.
//!
//! Rows lie one after the other in one vector, each behind its parent and its length, so
//! that a state is found with two looks at memory: at its slot and at its row. A slot has
//! half of the hash, whose first bits say where the slot is: growing asks for no row, and
//! scans both tables in order.

use super::rows::PendingRows;
use super::table::{Local, Shared};

/// A stored state: where its row lies. Later states have larger numbers.
pub type RowId = u32;

/// No state: what the first ones come from.
pub const NOBODY: RowId = RowId::MAX;

/// Bits of a count.
const COUNT_BITS: u32 = 12;

/// Threads in one local store, at most.
pub const MAX_COUNT: u32 = (1 << COUNT_BITS) - 1;

/// Words in front of a row: its parent and its length.
const HEADER: usize = 2;

/// Slots at the start.
const FIRST_SLOTS: usize = 1 << 10;

/// Words of all rows, at most: a row more still has a number.
const MAX_WORDS: usize = (u32::MAX - (1 << 21)) as usize;

/// Threads in a local store, as one word.
#[inline]
pub fn entry(local: Local, count: u32) -> u32 {
    local << COUNT_BITS | count
}

/// The local store of an entry.
#[inline]
pub fn local_of(entry: u32) -> Local {
    entry >> COUNT_BITS
}

/// How many threads are in it.
#[inline]
pub fn count_of(entry: u32) -> u32 {
    entry & MAX_COUNT
}

/// Adds a thread in `local` to a row, which must have room for it.
pub fn add(row: &mut Vec<u32>, local: Local) {
    let found = row[1..].iter().position(|&entry| local_of(entry) >= local);
    match found.map(|at| at + 1) {
        Some(at) if local_of(row[at]) == local => row[at] += 1,
        Some(at) => row.insert(at, entry(local, 1)),
        None => row.push(entry(local, 1)),
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
pub struct States {
    /// For each state its parent, the length of its row, and its row.
    words: Vec<u32>,
    /// Half of the hash and the number of a state, from one on; 0 where there is none.
    slots: Vec<u64>,
    n_states: u32,
    /// Hashes of rows that are to be stored, each with what memory said of it.
    hashes: Vec<(u64, u64)>,
}

impl Default for States {
    fn default() -> States {
        States { words: Vec::new(), slots: vec![0; FIRST_SLOTS], n_states: 0, hashes: Vec::new() }
    }
}

impl States {
    /// How many there are.
    pub fn n_states(&self) -> u32 {
        self.n_states
    }

    /// The number that the next state gets.
    pub fn end(&self) -> RowId {
        self.words.len() as RowId
    }

    /// Is there no room for another one?
    pub fn is_full(&self) -> bool {
        self.words.len() > MAX_WORDS
    }

    /// The row of a state.
    pub fn row(&self, id: RowId) -> &[u32] {
        row_at(&self.words, id)
    }

    /// The state that was stored after this one, if there is any: else [`States::end`].
    pub fn next(&self, id: RowId) -> RowId {
        id + HEADER as u32 + self.words[id as usize + 1]
    }

    /// The shared store of a state.
    pub fn shared(&self, id: RowId) -> Shared {
        self.row(id)[0]
    }

    /// The state that a state was met from.
    pub fn parent(&self, id: RowId) -> RowId {
        self.words[id as usize]
    }

    /// Stores all rows that are not known.
    pub fn insert_all(&mut self, found: &PendingRows) {
        // Memory takes its time, and answers many questions in the time of one: so all
        // slots are asked for before the first is needed, and then all rows.
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.clear();
        hashes.extend((0..found.len()).map(|idx| (hash(found.get(idx).0), 0)));
        for (hash, slot) in &mut hashes {
            *slot = self.slots[home(*hash, self.slots.len())];
        }
        for (hash, slot) in &mut hashes {
            let is_alike = *slot & TAG == *hash & TAG && *slot != 0;
            *slot = u64::from(is_alike && self.words[*slot as u32 as usize - 1] == 0);
        }
        for (idx, &(hash, _)) in hashes.iter().enumerate() {
            let (row, parent) = found.get(idx);
            self.insert_hashed(row, parent, hash);
        }
        self.hashes = hashes;
    }

    /// Stores a state, unless it is known.
    pub fn insert(&mut self, row: &[u32], parent: RowId) -> Option<RowId> {
        self.insert_hashed(row, parent, hash(row))
    }

    fn insert_hashed(&mut self, row: &[u32], parent: RowId, hash: u64) -> Option<RowId> {
        if self.n_states as usize * 2 >= self.slots.len() {
            self.grow();
        }
        let tag = hash & TAG;
        let mut at = home(tag, self.slots.len());
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            if slot & TAG == tag && row_at(&self.words, slot as u32 - 1) == row {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let id = self.end();
        self.slots[at] = tag | u64::from(id + 1);
        self.words.extend_from_slice(&[parent, row.len() as u32]);
        self.words.extend_from_slice(row);
        self.n_states += 1;
        Some(id)
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![0; n_slots]);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut at = home(slot & TAG, n_slots);
            while self.slots[at] != 0 {
                at = (at + 1) & (n_slots - 1);
            }
            self.slots[at] = slot;
        }
    }
}

#[inline]
fn row_at(words: &[u32], id: RowId) -> &[u32] {
    let at = id as usize;
    let len = words[at + 1] as usize;
    &words[at + HEADER..at + HEADER + len]
}

/// The half of a hash that slots have.
const TAG: u64 = 0xffff_ffff_0000_0000;

/// Where a state is looked for first: `n_slots` is a power of two.
#[inline]
fn home(tag: u64, n_slots: usize) -> usize {
    (tag >> (64 - n_slots.trailing_zeros())) as usize
}

/// An odd number without pattern: the first digits of e, in hexadecimal.
const E: u64 = 0xb7e1_5162_8aed_2a6b;

fn hash(row: &[u32]) -> u64 {
    let mut mixed = row.len() as u64;
    let (pairs, rest) = row.as_chunks::<2>();
    for &[low, high] in pairs {
        let word = u64::from(low) | u64::from(high) << 32;
        mixed = (mixed.rotate_left(23) ^ word).wrapping_mul(E);
    }
    if let [last] = rest {
        mixed = (mixed.rotate_left(23) ^ u64::from(*last)).wrapping_mul(E);
    }
    (mixed ^ mixed >> 32).wrapping_mul(E)
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
        remove(&mut row, 4);
        assert_eq!((count_in(&row, 3), count_in(&row, 5)), (1, 1));
        remove(&mut row, 3);
        assert_eq!(row.len(), 2);
    }

    #[test]
    fn a_state_is_stored_once() {
        let mut states = States::default();
        let first = states.insert(&[1, 2], NOBODY).expect("it is new");
        let second = states.insert(&[1], first).expect("it is new");
        assert_eq!(states.insert(&[1, 2], second), None);
        assert_eq!((states.next(first), states.next(second)), (second, states.end()));
        assert_eq!((states.row(second), states.parent(second)), (&[1][..], first));
        assert_eq!(states.n_states(), 2);
    }

    #[test]
    fn states_are_found_again_after_the_table_has_grown() {
        let mut states = States::default();
        let rows = || (0..5000u32).map(|n| [n % 7, n << 12 | 1, n << 13 | 2]);
        let ids: Vec<_> = rows().filter_map(|row| states.insert(&row, NOBODY)).collect();
        assert_eq!(ids.len(), 5000);
        assert!(rows().all(|row| states.insert(&row, NOBODY).is_none()));
        assert!(rows().zip(ids).all(|(row, id)| states.row(id) == row));
    }
}
