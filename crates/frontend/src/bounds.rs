//! Several constraints on one counter, taken together.

use std::collections::BTreeMap;

use model::{Bounds, CounterId};

/// Constraints by counter; several on one counter intersect.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoundsMap(BTreeMap<CounterId, Bounds>);

impl BoundsMap {
    /// Adds a constraint; `false` when nothing satisfies all of them any more.
    pub fn constrain(&mut self, counter: CounterId, bounds: Bounds) -> bool {
        let merged = match self.0.get(&counter) {
            Some(&known) => intersect(known, bounds),
            None => bounds,
        };
        self.0.insert(counter, merged);
        !merged.is_empty()
    }

    /// What is known of a counter.
    pub fn get(&self, counter: CounterId) -> Option<Bounds> {
        self.0.get(&counter).copied()
    }

    /// The constraints, without those that say nothing.
    pub fn into_sorted(self) -> Vec<(CounterId, Bounds)> {
        self.0.into_iter().filter(|(_, bounds)| *bounds != Bounds::at_least(0)).collect()
    }
}

fn intersect(left: Bounds, right: Bounds) -> Bounds {
    let max = match (left.max, right.max) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (max, None) | (None, max) => max,
    };
    Bounds { min: left.min.max(right.min), max }
}

/// A constraint as the nets' languages write it.
pub(crate) fn describe(name: &str, bounds: Bounds) -> String {
    match bounds.max {
        None => format!("{name} >= {}", bounds.min),
        Some(max) if max == bounds.min => format!("{name} = {max}"),
        Some(max) => format!("{name} in [{},{max}]", bounds.min),
    }
}

/// A conjunction of constraints; `true` when there is none.
pub(crate) fn describe_all<'a>(
    bounds: &[(CounterId, Bounds)],
    name: impl Fn(CounterId) -> &'a str,
) -> String {
    if bounds.is_empty() {
        return "true".to_owned();
    }
    let parts: Vec<String> = bounds.iter().map(|&(id, b)| describe(name(id), b)).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{BoundsMap, describe};
    use model::{Bounds, CounterId};

    #[test]
    fn constraints_intersect_until_nothing_is_left() {
        let mut map = BoundsMap::default();
        let x = CounterId(0);
        assert!(map.constrain(x, Bounds::at_least(2)));
        assert!(map.constrain(x, Bounds { min: 0, max: Some(3) }));
        assert_eq!(map.get(x), Some(Bounds { min: 2, max: Some(3) }));
        assert!(!map.constrain(x, Bounds::exactly(4)));
    }

    #[test]
    fn constraints_read_as_they_are_written() {
        assert_eq!(describe("x", Bounds::at_least(1)), "x >= 1");
        assert_eq!(describe("x", Bounds::exactly(0)), "x = 0");
        assert_eq!(describe("x", Bounds { min: 1, max: Some(2) }), "x in [1,2]");
    }
}
