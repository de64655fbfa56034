//! Decides with a small chance of error whether a state was seen before: keeps 64
//! bits of hash of each state, and nothing else.
//!
//! Two states with equal signatures are taken for one, so that states may be
//! missed. With n states, n²/2⁶⁵ omissions are expected.

use std::sync::atomic::{AtomicU64, Ordering};

use model::{Limits, StopReason};

use super::arena::NotStored;
use super::hash::{prefetch, seeded_hash};
use super::room_for;
use super::zeroed::Zeroed;

const LOG2_FIRST_SLOTS: u32 = 14;

/// States per hundred slots before the table grows.
const MAX_LOAD_PERCENT: u64 = 84;

/// Seed of signatures; any number but the one of the exact table's hash.
const SEED: u64 = 0x5851_f42d_4c95_7f2d;

/// Signatures of states, for several threads.
pub struct SignatureTable {
    slots: Zeroed<AtomicU64>,
    log2_slots: u32,
    n_stored: AtomicU64,
}

/// The signature of a state; never zero.
#[inline]
pub fn signature(words: &[u64]) -> u64 {
    seeded_hash(words, SEED).max(1)
}

impl SignatureTable {
    /// An empty table; `None` without memory.
    pub fn new() -> Option<SignatureTable> {
        SignatureTable::of_size(LOG2_FIRST_SLOTS)
    }

    fn of_size(log2_slots: u32) -> Option<SignatureTable> {
        let slots = Zeroed::new(1usize.checked_shl(log2_slots)?)?;
        Some(SignatureTable { slots, log2_slots, n_stored: AtomicU64::new(0) })
    }

    /// Number of signatures stored.
    pub fn n_stored(&self) -> u64 {
        self.n_stored.load(Ordering::Relaxed)
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.slots.len() as u64 * 8
    }

    /// Asks for the slot of `signature`.
    #[inline]
    pub fn prefetch(&self, signature: u64) {
        prefetch(&raw const self.slots[self.home(signature)]);
    }

    /// Inserts a signature; says whether it is new.
    ///
    /// # Errors
    /// The table must grow first.
    #[inline]
    pub fn insert(&self, signature: u64) -> Result<bool, NotStored> {
        let mut at = self.home(signature);
        let relaxed = Ordering::Relaxed;
        loop {
            let mut slot = self.slots[at].load(relaxed);
            if slot == 0 {
                if self.n_stored.load(relaxed) >= self.max_stored() {
                    return Err(NotStored::Full);
                }
                match self.slots[at].compare_exchange(0, signature, relaxed, relaxed) {
                    Ok(_) => {
                        self.n_stored.fetch_add(1, relaxed);
                        return Ok(true);
                    }
                    Err(now) => slot = now,
                }
            }
            if slot == signature {
                return Ok(false);
            }
            at = self.after(at);
        }
    }

    /// Threads may overshoot by one state each; the free slots are many more.
    fn max_stored(&self) -> u64 {
        (1u64 << self.log2_slots) * MAX_LOAD_PERCENT / 100
    }

    /// Doubles the table.
    ///
    /// # Errors
    /// There is no memory for it within `limits`.
    pub fn grow(&mut self, limits: &Limits) -> Result<(), StopReason> {
        let log2_slots = self.log2_slots + 1;
        room_for(8u64.saturating_mul(1 << log2_slots), limits)?;
        let grown = SignatureTable::of_size(log2_slots).ok_or(StopReason::MemoryLimit)?;
        for slot in self.slots.iter() {
            match slot.load(Ordering::Relaxed) {
                0 => {}
                signature => {
                    grown.insert(signature).expect("twice the room");
                }
            }
        }
        *self = grown;
        Ok(())
    }

    /// Expected number of states missed because their signature was taken.
    pub fn expected_omissions(&self) -> f64 {
        let n = self.n_stored() as f64;
        n * n / 2f64.powi(65)
    }

    #[inline]
    fn home(&self, signature: u64) -> usize {
        (signature >> (64 - self.log2_slots)) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use model::Limits;

    use super::{SignatureTable, signature};

    #[test]
    fn signatures_survive_growth() {
        let mut table = SignatureTable::new().expect("memory is there");
        for value in 0..100_000u64 {
            while table.insert(signature(&[value])).is_err() {
                table.grow(&Limits::none()).expect("no limit");
            }
        }
        assert_eq!(table.n_stored(), 100_000);
        assert!((0..100_000u64).all(|value| table.insert(signature(&[value])) == Ok(false)));
        assert!(table.expected_omissions() < 1e-8);
    }
}
