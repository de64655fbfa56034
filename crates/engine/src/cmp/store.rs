//! Bit vectors of one width by number, each once.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Distinct vectors, numbered from 0 in the order in which they came.
#[derive(Default)]
pub(super) struct Numbered {
    words: usize,
    all: Vec<u64>,
    numbers: HashTable<u32>,
}

impl Numbered {
    /// None yet; each has `words` words.
    pub(super) fn new(words: usize) -> Numbered {
        Numbered { words, all: Vec::new(), numbers: HashTable::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn get(&self, number: u32) -> &[u64] {
        let start = number as usize * self.words;
        &self.all[start..start + self.words]
    }

    /// The number of a vector, and whether it is new.
    pub(super) fn insert(&mut self, vector: &[u64]) -> (u32, bool) {
        let Numbered { words, all, numbers } = self;
        let hasher = FxBuildHasher;
        let hash = hasher.hash_one(vector);
        let at = |number: &u32| &all[*number as usize * *words..][..*words];
        if let Some(number) = numbers.find(hash, |number| at(number) == vector) {
            return (*number, false);
        }
        let number = numbers.len() as u32;
        numbers.insert_unique(hash, number, |other| hasher.hash_one(at(other)));
        all.extend_from_slice(vector);
        (number, true)
    }
}
