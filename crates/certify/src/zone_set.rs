//! Decides whether a zone lies inside one of many zones of the same control state.
//!
//! A prefix tree over the sorted bounds. A stored zone can contain the asked one
//! only if every counter that it bounds is bounded there too, at least as tightly,
//! so a search follows few branches and enters each at most once.

use std::collections::BTreeMap;

use model::{Bounds, CounterId};

/// A set of zones of one control state.
#[derive(Debug)]
pub(crate) struct ZoneSet {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Does a stored zone end here?
    is_end: bool,
    children: BTreeMap<(CounterId, Bounds), usize>,
}

impl Default for ZoneSet {
    fn default() -> ZoneSet {
        ZoneSet { nodes: vec![Node::default()] }
    }
}

impl ZoneSet {
    /// Adds the zone with these sorted bounds.
    pub(crate) fn insert(&mut self, bounds: &[(CounterId, Bounds)]) {
        let mut node = 0;
        for &key in bounds {
            let next = self.nodes.len();
            node = *self.nodes[node].children.entry(key).or_insert(next);
            if node == next {
                self.nodes.push(Node::default());
            }
        }
        self.nodes[node].is_end = true;
    }

    /// Does one stored zone contain the zone with these sorted bounds?
    pub(crate) fn contains(&self, asked: &[(CounterId, Bounds)]) -> bool {
        let mut open = vec![(0, asked)];
        while let Some((node, asked)) = open.pop() {
            let Node { is_end, children } = &self.nodes[node];
            if *is_end {
                return true;
            }
            if children.len() <= asked.len() {
                for (&(counter, outer), &child) in children {
                    let at = asked.partition_point(|entry| entry.0 < counter);
                    if asked.get(at).is_some_and(|e| e.0 == counter && is_within(e.1, outer)) {
                        open.push((child, &asked[at + 1..]));
                    }
                }
            } else {
                for (at, &(counter, inner)) in asked.iter().enumerate() {
                    for (&(_, outer), &child) in children.range(bounds_on(counter)) {
                        if is_within(inner, outer) {
                            open.push((child, &asked[at + 1..]));
                        }
                    }
                }
            }
        }
        false
    }
}

/// The range of all keys that speak of `counter`.
fn bounds_on(counter: CounterId) -> std::ops::RangeInclusive<(CounterId, Bounds)> {
    let first = (counter, Bounds { min: 0, max: None });
    let last = (counter, Bounds { min: u32::MAX, max: Some(u32::MAX) });
    first..=last
}

/// Is every number in `inner` also in `outer`?
pub(crate) fn is_within(inner: Bounds, outer: Bounds) -> bool {
    outer.min <= inner.min
        && match (inner.max, outer.max) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(inner), Some(outer)) => inner <= outer,
        }
}

#[cfg(test)]
mod tests {
    use model::{Bounds, CounterId};

    use super::{ZoneSet, is_within};

    #[test]
    fn the_tree_answers_as_comparing_each_pair_does() {
        let options = [
            None,
            Some(Bounds::at_least(1)),
            Some(Bounds::at_least(2)),
            Some(Bounds { min: 0, max: Some(1) }),
            Some(Bounds::exactly(1)),
        ];
        let zone = |code: usize| -> Vec<(CounterId, Bounds)> {
            let digits = [code % 5, code / 5 % 5, code / 25 % 5];
            let bounds = (0..).zip(digits).filter_map(|(c, d)| Some((CounterId(c), options[d]?)));
            bounds.collect()
        };
        for seed in 0..60 {
            let stored: Vec<_> = (0..6).map(|k| zone((seed * 31 + k * k * 17 + k) % 125)).collect();
            let mut set = ZoneSet::default();
            stored.iter().for_each(|bounds| set.insert(bounds));
            for asked in (0..125).map(zone) {
                let inside = |outer: &Vec<(CounterId, Bounds)>| {
                    outer.iter().all(|o| asked.iter().any(|i| i.0 == o.0 && is_within(i.1, o.1)))
                };
                assert_eq!(set.contains(&asked), stored.iter().any(inside), "{stored:?} {asked:?}");
            }
        }
    }
}
