//! Gives stores numbers of 48 bits, and finds stores by number.
//!
//! A number is a hash of the bytes, so it does not depend on who asks first. Two
//! stores with one number end the search; with a million stores the chance of that
//! is below two in a thousand.

use std::sync::{Arc, PoisonError, RwLock};

use model::StopReason;
use rustc_hash::FxHashMap;

use crate::kernel::state_table::seeded_hash;

/// Bits of a number.
pub(super) const NUMBER_BITS: u32 = 48;

const MASK: u64 = (1 << NUMBER_BITS) - 1;

/// Stores by number, for all threads of a search.
#[derive(Default)]
pub(super) struct Stores {
    known: RwLock<FxHashMap<u64, Arc<[u8]>>>,
}

impl Stores {
    /// The store with a number that [`Cache::number`] gave.
    pub(super) fn get(&self, number: u64) -> Option<Arc<[u8]>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&number).cloned()
    }

    fn intern(&self, number: u64, bytes: &[u8]) -> Arc<[u8]> {
        if let Some(stored) = self.get(number) {
            return stored;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(number).or_insert_with(|| bytes.into()))
    }
}

/// One thread's view of the stores, without locks for those it has met.
pub(super) struct Cache<'a> {
    stores: &'a Stores,
    met: FxHashMap<u64, Arc<[u8]>>,
}

impl<'a> Cache<'a> {
    /// Nothing met yet.
    pub(super) fn new(stores: &'a Stores) -> Cache<'a> {
        Cache { stores, met: FxHashMap::default() }
    }

    /// The number of a store; never zero.
    ///
    /// # Errors
    /// Another store has it.
    pub(super) fn number(&mut self, bytes: &[u8]) -> Result<u64, StopReason> {
        let number = number(bytes);
        let stored = self.met.entry(number).or_insert_with(|| self.stores.intern(number, bytes));
        if **stored == *bytes {
            return Ok(number);
        }
        let why = "two stores of threads have the same hash".into();
        Err(StopReason::Incomplete { why })
    }

    /// The store with a number that some thread's cache gave.
    pub(super) fn bytes(&mut self, number: u64) -> Option<Arc<[u8]>> {
        if let Some(stored) = self.met.get(&number) {
            return Some(Arc::clone(stored));
        }
        let stored = self.stores.get(number)?;
        self.met.insert(number, Arc::clone(&stored));
        Some(stored)
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = seeded_hash(&[u64::from_le_bytes(word), hash], 1);
    }
    (seeded_hash(&[hash], 2) & MASK).max(1)
}

/// The number at place `place` of a state.
pub(super) fn number_at(state: &[u64], place: u32) -> u64 {
    let bit = place as usize * NUMBER_BITS as usize;
    let (word, shift) = (bit / 64, bit % 64);
    let low = state[word] >> shift;
    let high = if shift > 16 { state[word + 1] << (64 - shift) } else { 0 };
    (low | high) & MASK
}

/// Puts `number` at place `place` of a state.
pub(super) fn put_number(state: &mut [u64], place: u32, number: u64) {
    let bit = place as usize * NUMBER_BITS as usize;
    let (word, shift) = (bit / 64, bit % 64);
    state[word] = state[word] & !(MASK << shift) | number << shift;
    if shift > 16 {
        state[word + 1] = state[word + 1] & !(MASK >> (64 - shift)) | number >> (64 - shift);
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, MASK, Stores, number_at, put_number};

    #[test]
    fn numbers_stand_beside_each_other_in_a_state() {
        let mut state = [u64::MAX; 4];
        for place in 0..5 {
            put_number(&mut state, place, u64::from(place) * 0x1111_2222_3333 + 7);
        }
        for place in 0..5 {
            assert_eq!(number_at(&state, place), u64::from(place) * 0x1111_2222_3333 + 7);
        }
        put_number(&mut state, 2, MASK);
        assert_eq!(number_at(&state, 1), 0x1111_2222_3333 + 7);
        assert_eq!(number_at(&state, 3), 3 * 0x1111_2222_3333 + 7);
    }

    #[test]
    fn a_store_has_the_same_number_for_everyone() {
        let stores = Stores::default();
        let (mut one, mut two) = (Cache::new(&stores), Cache::new(&stores));
        let number = one.number(b"store").expect("no collision");
        assert_eq!(two.number(b"store"), Ok(number));
        assert_ne!(two.number(b"store\0"), Ok(number));
        assert_eq!(two.bytes(number).as_deref(), Some(&b"store"[..]));
        assert_eq!(one.bytes(number + 1), None);
    }
}
