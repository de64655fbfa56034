//! Values of counters: exact counts, `*` for "any number", bounds and zones.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::counter_system::{ControlId, CounterId};

/// A natural number, or `*` (Beacon's symbol; ω elsewhere): any number.
///
/// Ordered as in the papers: `*` is above every number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(u32);

impl Count {
    /// Any number.
    pub const OMEGA: Count = Count(u32::MAX);
    /// Zero.
    pub const ZERO: Count = Count(0);
    /// The largest finite count.
    pub const MAX_FINITE: u32 = u32::MAX - 1;

    /// The finite count `n`; `None` for `u32::MAX`, which means `*` inside.
    pub fn finite(n: u32) -> Option<Count> {
        (n <= Count::MAX_FINITE).then_some(Count(n))
    }

    /// The number, unless it is `*`.
    pub fn as_finite(self) -> Option<u32> {
        (self != Count::OMEGA).then_some(self.0)
    }

    /// Is it `*`?
    pub fn is_omega(self) -> bool {
        self == Count::OMEGA
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_finite() {
            Some(n) => serializer.serialize_u32(n),
            None => serializer.serialize_str("*"),
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Number(u32),
            Text(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Number(n) => {
                Count::finite(n).ok_or_else(|| D::Error::custom("count out of range"))
            }
            Raw::Text(text) if text == "*" => Ok(Count::OMEGA),
            Raw::Text(text) => {
                Err(D::Error::custom(format!("`{text}` is neither a count nor `*`")))
            }
        }
    }
}

/// A control state and a count for each counter. Counters not listed are zero.
/// With `*` in it, it stands for the set of all configurations below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Configuration {
    /// The control state.
    pub control: ControlId,
    /// The non-zero counts, sorted by counter.
    pub counts: Vec<(CounterId, Count)>,
}

impl Configuration {
    /// The count of `counter`.
    pub fn count(&self, counter: CounterId) -> Count {
        match self.counts.binary_search_by_key(&counter, |entry| entry.0) {
            Ok(idx) => self.counts[idx].1,
            Err(_) => Count::ZERO,
        }
    }
}

/// An interval of natural numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bounds {
    /// The smallest number in it.
    pub min: u32,
    /// The largest, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
}

impl Bounds {
    /// `n` and everything above.
    pub fn at_least(n: u32) -> Bounds {
        Bounds { min: n, max: None }
    }

    /// `n` alone.
    pub fn exactly(n: u32) -> Bounds {
        Bounds { min: n, max: Some(n) }
    }

    /// Does it contain `n`?
    pub fn contains(self, n: u32) -> bool {
        self.min <= n && self.max.is_none_or(|max| n <= max)
    }

    /// Is there no number in it?
    pub fn is_empty(self) -> bool {
        self.max.is_some_and(|max| max < self.min)
    }
}

/// A control state and bounds on counters. Counters not listed are **unbounded**.
/// Without upper bounds it is upward closed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Zone {
    /// The control state.
    pub control: ControlId,
    /// Bounds, sorted by counter.
    pub bounds: Vec<(CounterId, Bounds)>,
}

impl Zone {
    /// Has no counter an upper bound?
    pub fn is_upward_closed(&self) -> bool {
        self.bounds.iter().all(|(_, bounds)| bounds.max.is_none())
    }

    /// The bounds of `counter`.
    pub fn bounds_of(&self, counter: CounterId) -> Bounds {
        match self.bounds.binary_search_by_key(&counter, |entry| entry.0) {
            Ok(idx) => self.bounds[idx].1,
            Err(_) => Bounds::at_least(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Count};

    #[test]
    fn omega_is_above_every_number() {
        assert!(Count::OMEGA > Count::finite(Count::MAX_FINITE).expect("finite"));
        assert_eq!(Count::finite(u32::MAX), None);
        assert_eq!(Count::OMEGA.as_finite(), None);
    }

    #[test]
    fn bounds_contain_their_ends() {
        let bounds = Bounds { min: 1, max: Some(3) };
        assert!(bounds.contains(1) && bounds.contains(3));
        assert!(!bounds.contains(0) && !bounds.contains(4));
        assert!(Bounds { min: 2, max: Some(1) }.is_empty());
    }
}
