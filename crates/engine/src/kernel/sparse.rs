//! Sparse vectors of counts, packed one entry to a machine word.
//!
//! Most counts of most configurations are zero (Beacon's section 4.2 observes
//! the same), so a vector lists its non-zero entries: the index in the upper
//! half of a `u64`, the value in the lower, sorted by index. `u32::MAX` is `*`.

use std::cell::Cell;

use model::{Configuration, ControlId, Count, CounterId};

/// The value that stands for any number.
pub const OMEGA: u32 = u32::MAX;

/// The packed entry for `value` at `idx`.
pub fn entry(idx: u32, value: u32) -> u64 {
    (u64::from(idx) << 32) | u64::from(value)
}

/// The index of a packed entry.
pub fn idx_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// The value of a packed entry.
pub fn value_of(entry: u64) -> u32 {
    entry as u32
}

/// The value at `idx`.
pub fn value_at(vector: &[u64], idx: u32) -> u32 {
    match vector.binary_search_by_key(&idx, |&e| idx_of(e)) {
        Ok(at) => value_of(vector[at]),
        Err(_) => 0,
    }
}

/// Is `small` at most `large` everywhere?
pub fn le(small: &[u64], large: &[u64]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    'entries: for &wanted in small {
        for &have in rest.by_ref() {
            // Entries of the same index compare as their values do; an entry of a
            // larger index means that the wanted one is absent.
            if have >= wanted {
                if idx_of(have) == idx_of(wanted) {
                    continue 'entries;
                }
                return false;
            }
            if idx_of(have) == idx_of(wanted) {
                return false;
            }
        }
        return false;
    }
    true
}

/// One bit per non-zero index, folded: if `small <= large`, the signature of
/// `small` is a subset of that of `large`.
pub fn signature(vector: &[u64]) -> u64 {
    vector.iter().fold(0, |bits, &e| bits | 1 << (idx_of(e) % 64))
}

/// The sum of all values, `*` and large sums saturating.
pub fn sum(vector: &[u64]) -> u32 {
    vector.iter().fold(0, |total: u32, &e| total.saturating_add(value_of(e)))
}

/// A measure that grows strictly with the order: the number of `*`, then the sum
/// of the finite values. Vectors of the same weight are equal or incomparable.
pub fn weight(vector: &[u64]) -> u64 {
    const OMEGA_WEIGHT: u64 = 1 << 48;
    let weight = |&e: &u64| match value_of(e) {
        OMEGA => OMEGA_WEIGHT,
        value => u64::from(value),
    };
    vector.iter().map(weight).sum()
}

/// A packed vector as a configuration of `model`.
pub fn to_configuration(control: u32, vector: &[u64]) -> Configuration {
    let count = |value| Count::finite(value).unwrap_or(Count::OMEGA);
    Configuration {
        control: ControlId(control),
        counts: vector.iter().map(|&e| (CounterId(idx_of(e)), count(value_of(e)))).collect(),
    }
}

/// Many vectors, stored without an allocation for each and without ever moving:
/// memory grows by a chunk at a time, so a memory limit is not overrun by one
/// doubling.
#[derive(Default)]
pub struct VectorStore {
    chunks: Vec<Vec<u64>>,
    places: Vec<Extent>,
    n_compared: Cell<u64>,
}

/// Index of a vector in a [`VectorStore`].
pub type VectorId = u32;

struct Extent {
    chunk: u32,
    start: u32,
    len: u32,
}

/// Half a megabyte: large enough to amortise, small beside any memory limit.
const ENTRIES_PER_CHUNK: usize = 1 << 16;

/// Most comparisons end at the signature: so many take as long as one successor.
const COMPARISONS_PER_WORK: u64 = 64;

impl VectorStore {
    /// Stores a copy of `vector`.
    pub fn push(&mut self, vector: &[u64]) -> VectorId {
        let fits = |chunk: &Vec<u64>| chunk.capacity() - chunk.len() >= vector.len();
        if !self.chunks.last().is_some_and(fits) {
            self.chunks.push(Vec::with_capacity(ENTRIES_PER_CHUNK.max(vector.len())));
        }
        let chunk_idx = self.chunks.len() - 1;
        let chunk = &mut self.chunks[chunk_idx];
        let start = chunk.len() as u32;
        chunk.extend_from_slice(vector);
        self.places.push(Extent { chunk: chunk_idx as u32, start, len: vector.len() as u32 });
        (self.places.len() - 1) as VectorId
    }

    /// The vector with this index.
    pub fn get(&self, id: VectorId) -> &[u64] {
        let place = &self.places[id as usize];
        &self.chunks[place.chunk as usize][place.start as usize..][..place.len as usize]
    }

    /// Notes that `n` stored vectors were looked at, for [`VectorStore::take_work`].
    pub fn note_compared(&self, n: usize) {
        self.n_compared.set(self.n_compared.get() + n as u64);
    }

    /// What the comparisons since the last call cost, in units of a search's work.
    pub fn take_work(&self) -> u64 {
        self.n_compared.replace(0) / COMPARISONS_PER_WORK
    }

    /// Number of vectors stored.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Is nothing stored?
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{OMEGA, VectorStore, entry, le, signature, value_at, weight};

    fn vector(dense: &[u32]) -> Vec<u64> {
        let nonzero = dense.iter().enumerate().filter(|(_, value)| **value > 0);
        nonzero.map(|(idx, value)| entry(idx as u32, *value)).collect()
    }

    #[test]
    fn the_order_is_that_of_dense_vectors() {
        let values = [0, 1, 2, OMEGA];
        let all: Vec<[u32; 3]> = values
            .iter()
            .flat_map(|&a| values.iter().flat_map(move |&b| values.map(|c| [a, b, c])))
            .collect();
        for x in &all {
            for y in &all {
                let dense = x.iter().zip(y).all(|(a, b)| a <= b);
                let (sx, sy) = (vector(x), vector(y));
                assert_eq!(le(&sx, &sy), dense, "{x:?} <= {y:?}");
                assert!(!dense || signature(&sx) & !signature(&sy) == 0);
                assert!(!dense || x == y || weight(&sx) < weight(&sy));
            }
        }
    }

    #[test]
    fn stored_vectors_come_back() {
        let mut store = VectorStore::default();
        let ids: Vec<_> = (0..100_000u32).map(|i| store.push(&vector(&[i, 0, i % 7]))).collect();
        for (i, id) in ids.into_iter().enumerate() {
            assert_eq!(value_at(store.get(id), 0), i as u32);
            assert_eq!(value_at(store.get(id), 2), i as u32 % 7);
        }
    }
}
