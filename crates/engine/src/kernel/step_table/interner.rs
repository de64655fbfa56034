//! Stores by dense numbers, in the order in which they were met.

use hashbrown::HashTable;
use model::Store;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Stores, each once.
#[derive(Clone, Default)]
pub struct Interner {
    stores: Vec<Store>,
    /// Numbers by the hash of their store's bytes.
    numbers: HashTable<u32>,
}

impl Interner {
    /// The number of a store, which it gets if it has none.
    pub fn number(&mut self, bytes: &[u8]) -> u32 {
        let stores = &mut self.stores;
        let hash = hash_of(bytes);
        let found = self.numbers.find(hash, |&number| stores[number as usize].bytes() == bytes);
        if let Some(&number) = found {
            return number;
        }
        let number = u32::try_from(stores.len()).expect("memory holds fewer stores");
        stores.push(Store::new(bytes));
        self.numbers.insert_unique(hash, number, |&other| hash_of(stores[other as usize].bytes()));
        number
    }

    /// The number of a store, if it has one.
    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        let is_it = |&number: &u32| self.stores[number as usize].bytes() == bytes;
        self.numbers.find(hash_of(bytes), is_it).copied()
    }

    /// The store with a number that [`Interner::number`] gave.
    pub fn store(&self, number: u32) -> &Store {
        &self.stores[number as usize]
    }

    /// All stores, by number.
    pub fn stores(&self) -> &[Store] {
        &self.stores
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    FxBuildHasher.hash_one(bytes)
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn equal_stores_have_one_number_and_numbers_are_dense() {
        let mut interner = Interner::default();
        let store = |n: u32| n.to_le_bytes()[..(1 + n % 4) as usize].to_vec();
        let mut met: Vec<Vec<u8>> = Vec::new();
        for n in 0..5000u32 {
            let bytes = store(n % 3000);
            let expected = met.iter().position(|known| *known == bytes);
            assert_eq!(interner.find(&bytes).map(|number| number as usize), expected);
            let number = interner.number(&bytes) as usize;
            assert_eq!(number, expected.unwrap_or(met.len()));
            assert_eq!(interner.store(number as u32).bytes(), &bytes[..]);
            if expected.is_none() {
                met.push(bytes);
            }
        }
        assert_eq!(interner.stores().len(), met.len());
    }
}
