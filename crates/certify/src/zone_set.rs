//! Decides whether a zone lies inside one of many zones of the same control state.
//!
//! A prefix tree over the sorted bounds. A stored zone can contain the asked one
//! only if every counter that it bounds is bounded there too, at least as tightly,
//! so a search follows few branches and enters each at most once.

use model::{Bounds, CounterId};

/// Sorted bounds of a zone.
pub(crate) type ZoneBounds = Vec<(CounterId, Bounds)>;

/// A set of zones of one control state.
#[derive(Debug)]
pub(crate) struct ZoneSet {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Does a stored zone end here?
    is_end: bool,
    /// Sorted. In one block of memory: most of a check is spent looking here.
    children: Vec<(CounterId, Bounds, usize)>,
}

impl ZoneSet {
    /// The set of the zones with these sorted bounds.
    pub(crate) fn new(mut zones: Vec<ZoneBounds>) -> ZoneSet {
        zones.sort_unstable();
        let mut set = ZoneSet { nodes: vec![Node::default()] };
        zones.iter().for_each(|bounds| set.append(bounds));
        set
    }

    /// Adds a zone that is not below those added before, so that children only
    /// grow at the end.
    fn append(&mut self, bounds: &[(CounterId, Bounds)]) {
        let mut node = 0;
        for &(counter, bounds) in bounds {
            node = match self.nodes[node].children.last() {
                Some(last) if (last.0, last.1) == (counter, bounds) => last.2,
                _ => {
                    let next = self.nodes.len();
                    self.nodes[node].children.push((counter, bounds, next));
                    self.nodes.push(Node::default());
                    next
                }
            };
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
                for &(counter, outer, child) in children {
                    let at = asked.partition_point(|entry| entry.0 < counter);
                    if asked.get(at).is_some_and(|e| e.0 == counter && is_within(e.1, outer)) {
                        open.push((child, &asked[at + 1..]));
                    }
                }
            } else {
                for (at, &(counter, inner)) in asked.iter().enumerate() {
                    let first = children.partition_point(|child| child.0 < counter);
                    let same = children[first..].iter().take_while(|child| child.0 == counter);
                    for &(_, outer, child) in same {
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
            let set = ZoneSet::new(stored.clone());
            for asked in (0..125).map(zone) {
                let inside = |outer: &Vec<(CounterId, Bounds)>| {
                    outer.iter().all(|o| asked.iter().any(|i| i.0 == o.0 && is_within(i.1, o.1)))
                };
                assert_eq!(set.contains(&asked), stored.iter().any(inside), "{stored:?} {asked:?}");
            }
        }
    }
}
