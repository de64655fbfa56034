//! Decides with a chance of error whether a state was seen before: sets a few bits
//! of a large array for each state (Holzmann's supertrace with several hash
//! functions, a Bloom filter).
//!
//! A state whose bits were all set by others is missed. The array never grows.

use std::sync::atomic::{AtomicU64, Ordering};

use model::{Limits, StopReason};

use super::hash::prefetch;
use super::room_for;
use super::zeroed::Zeroed;

/// Bits set per state: three is near the best for arrays of some bits a state,
/// which is when this storage is used at all.
const N_BITS: u32 = 3;

/// Sizes that make sense: from one word to 2^42 bits, half a terabyte.
const LOG2_BITS: std::ops::RangeInclusive<u32> = 6..=42;

/// Bits for states, for several threads.
pub struct BitTable {
    words: Zeroed<AtomicU64>,
    log2_bits: u32,
}

impl BitTable {
    /// An empty array of 2^`log2_bits` bits.
    ///
    /// # Errors
    /// There is no memory for it within `limits`, or the size makes no sense.
    pub fn new(log2_bits: u32, limits: &Limits) -> Result<BitTable, StopReason> {
        if !LOG2_BITS.contains(&log2_bits) {
            let why = format!("a bitstate array has 2^6 to 2^42 bits, not 2^{log2_bits}");
            return Err(StopReason::Incomplete { why });
        }
        room_for(1u64 << (log2_bits - 3), limits)?;
        let words = Zeroed::new(1 << (log2_bits - 6)).ok_or(StopReason::MemoryLimit)?;
        Ok(BitTable { words, log2_bits })
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// Asks for the first word of a state with this signature.
    #[inline]
    pub fn prefetch(&self, signature: u64) {
        for nth in 0..N_BITS {
            prefetch(&raw const self.words[self.place(signature, nth).0]);
        }
    }

    /// Sets the bits of a state; says whether one of them was not set before.
    #[inline]
    pub fn insert(&self, signature: u64) -> bool {
        let mut is_new = false;
        for nth in 0..N_BITS {
            let (word_idx, bit) = self.place(signature, nth);
            let word = &self.words[word_idx];
            if word.load(Ordering::Relaxed) & bit == 0 {
                is_new |= word.fetch_or(bit, Ordering::Relaxed) & bit == 0;
            }
        }
        is_new
    }

    /// Expected number of states missed, when `n_stored` were stored: the chance
    /// that a new state finds its bits set grows with each one before it.
    pub fn expected_omissions(&self, n_stored: u64) -> f64 {
        let n_bits = 2f64.powi(self.log2_bits as i32);
        let k = f64::from(N_BITS);
        // The integral of (1 - e^(-kx/m))^k over x from 0 to n, in a hundred steps.
        let n = n_stored as f64;
        let chance = |x: f64| (1.0 - (-k * x / n_bits).exp()).powf(k);
        (0..100).map(|step| chance(n * (f64::from(step) + 0.5) / 100.0) * n / 100.0).sum()
    }

    /// Double hashing: the nth bit lies at first + n * second.
    #[inline]
    fn place(&self, signature: u64, nth: u32) -> (usize, u64) {
        let second = signature.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mixed = signature.wrapping_add(second.wrapping_mul(u64::from(nth)));
        let at = mixed >> (64 - self.log2_bits);
        ((at >> 6) as usize, 1 << (at & 63))
    }
}

#[cfg(test)]
mod tests {
    use model::Limits;

    use super::BitTable;
    use crate::kernel::state_table::signatures::signature;

    #[test]
    fn what_is_missed_is_about_what_is_expected() {
        let table = BitTable::new(20, &Limits::none()).expect("small");
        let n_states = 200_000u64;
        let n_stored = (0..n_states).filter(|&value| table.insert(signature(&[value]))).count();
        let missed = n_states as f64 - n_stored as f64;
        let expected = table.expected_omissions(n_states);
        assert!(missed > expected * 0.8 && missed < expected * 1.2, "{missed} {expected}");
        assert!((0..n_states).all(|value| !table.insert(signature(&[value]))));
    }

    #[test]
    fn sizes_without_sense_are_refused() {
        assert!(BitTable::new(5, &Limits::none()).is_err());
        assert!(BitTable::new(64, &Limits::none()).is_err());
    }
}
