//! Packed stores: the value of all shared variables, or of one thread's locals.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A packed store. Equal bytes mean the same store; the layout is the front
/// end's secret, and only its `describe_*` functions read it for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Store(pub Box<[u8]>);

impl Store {
    /// The store with these bytes.
    pub fn new(bytes: &[u8]) -> Store {
        Store(bytes.into())
    }

    /// The bytes, as `ThreadProgram::steps` takes them.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The store with the bytes of these words, least significant first.
    pub fn of_words(words: &[u64]) -> Store {
        Store(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// The words that [`Store::of_words`] took; `None` when the length does not fit.
    pub fn to_words(&self) -> Option<Vec<u64>> {
        let (chunks, rest) = self.0.as_chunks::<8>();
        rest.is_empty().then(|| chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect())
    }

    /// Lower-case hexadecimal, as results are saved.
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The store that [`Store::to_hex`] wrote.
    pub fn from_hex(text: &str) -> Option<Store> {
        let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
        let digits = digits?;
        if digits.len() % 2 != 0 {
            return None;
        }
        Some(Store(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()))
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.to_hex())
    }
}

impl Serialize for Store {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Store {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Store, D::Error> {
        let text = String::deserialize(deserializer)?;
        Store::from_hex(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a hexadecimal store")))
    }
}

#[cfg(test)]
mod tests {
    use super::Store;

    #[test]
    fn hexadecimal_text_round_trips_and_nonsense_is_refused() {
        let store = Store::new(&[0, 15, 255]);
        assert_eq!(store.to_hex(), "000fff");
        assert_eq!(Store::from_hex("000fff"), Some(store));
        assert_eq!(Store::from_hex("0"), None);
        assert_eq!(Store::from_hex("zz"), None);
    }
}
