//! Produces 64-bit hashes of packed states, and asks for memory ahead of its use.
//!
//! Two words are folded by one full 64 by 64 bit multiplication whose halves are
//! joined, the step of the wyhash family. One to three multiplications hash a
//! state of up to four words.

/// Odd constants without pattern: the first digits of pi and of e, in hexadecimal.
const PI: u64 = 0x243f_6a88_85a3_08d3;
const PI_NEXT: u64 = 0x1319_8a2e_0370_7345;
const E: u64 = 0xb7e1_5162_8aed_2a6b;

/// The hash of a state.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    seeded_hash(words, E)
}

/// The hash of a state in the family member `seed`.
#[inline]
pub fn seeded_hash(words: &[u64], seed: u64) -> u64 {
    let mut mixed = seed;
    let (pairs, rest) = words.as_chunks::<2>();
    for &[first, second] in pairs {
        mixed = fold(first ^ PI ^ mixed, second ^ PI_NEXT);
    }
    if let [last] = rest {
        mixed = fold(last ^ PI ^ mixed, PI_NEXT);
    }
    fold(mixed ^ E, PI)
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Asks for the cache line of `place`.
#[inline]
#[allow(unsafe_code)] // The prefetch instruction.
pub(super) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the cache, whatever the address.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{hash, seeded_hash};

    #[test]
    fn near_states_have_different_hashes_in_both_halves() {
        for n_words in 1..6 {
            let mut states = BTreeSet::new();
            let mut high = BTreeSet::new();
            let mut low = BTreeSet::new();
            for value in 0..4096u64 {
                let mut words = vec![0u64; n_words];
                words[(value % n_words as u64) as usize] = value << (value % 50);
                words[0] ^= value << 7;
                let hashed = hash(&words);
                states.insert(words.clone());
                high.insert(hashed >> 32);
                low.insert(hashed as u32);
                assert_ne!(hashed, seeded_hash(&words, 1));
            }
            assert!(high.len() + 2 >= states.len() && low.len() + 2 >= states.len());
        }
    }
}
