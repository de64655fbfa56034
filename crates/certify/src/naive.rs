//! Fires rules from explicit configurations, for the tests of the modules that
//! reason about whole sets of them.

use std::collections::BTreeSet;

use model::{Bounds, ControlId, CounterId, LabelId, Move, Zone};

use crate::rule::{Origin, Rule};

pub(crate) const N_COUNTERS: u32 = 3;

/// SplitMix64.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(n)) as u32
    }

    pub(crate) fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn counters(&mut self) -> Vec<CounterId> {
        (0..N_COUNTERS).filter(|_| self.chance(2)).map(CounterId).collect()
    }

    pub(crate) fn bounds(&mut self) -> Vec<(CounterId, Bounds)> {
        let mut list = Vec::new();
        for counter in self.counters() {
            let min = self.below(3);
            let max = self.chance(2).then(|| min + self.below(3));
            list.push((counter, Bounds { min, max }));
        }
        list
    }

    pub(crate) fn zone(&mut self, control: ControlId) -> Zone {
        Zone { control, bounds: self.bounds() }
    }

    pub(crate) fn rule(&mut self) -> Rule {
        let moved = if self.chance(3) { Vec::new() } else { self.counters() };
        let moves: Vec<Move> =
            moved.into_iter().map(|from| Move { from, to: self.counters() }).collect();
        let mut guard = self.bounds();
        let held = moves.first().map(|entry| entry.from).filter(|_| self.chance(2));
        if let Some(held) = held {
            guard.retain(|entry| entry.0 != held);
            guard.push((held, Bounds { min: 1, max: self.chance(3).then_some(2) }));
            guard.sort();
        }
        let mut delta = Vec::new();
        for counter in self.counters() {
            delta.push((counter, i64::from(self.below(5)) - 2));
        }
        delta.retain(|entry| entry.1 != 0);
        let to = ControlId(self.below(2));
        let origin = Origin::Step(LabelId(0));
        Rule { origin, from: ControlId(0), to, guard, held, moves, delta }
    }
}

/// All lists of counts up to `most`.
pub(crate) fn boxed(most: u32) -> Vec<Vec<u32>> {
    let all = (0..=most).flat_map(|a| (0..=most).map(move |b| (a, b)));
    all.flat_map(|(a, b)| (0..=most).map(move |c| vec![a, b, c])).collect()
}

/// Does the list lie within these bounds?
pub(crate) fn is_in(counts: &[u32], bounds: &[(CounterId, Bounds)]) -> bool {
    bounds.iter().all(|(counter, bounds)| bounds.contains(counts[counter.idx()]))
}

/// All results of firing `rule`, token by token.
pub(crate) fn fire(rule: &Rule, counts: &[u32]) -> BTreeSet<Vec<u32>> {
    if !is_in(counts, &rule.guard) {
        return BTreeSet::new();
    }
    let mut emptied = counts.to_vec();
    rule.moves.iter().for_each(|entry| emptied[entry.from.idx()] = 0);
    let mut all = BTreeSet::from([emptied]);
    for entry in &rule.moves {
        let n_held = u32::from(rule.held == Some(entry.from));
        for _ in n_held..counts[entry.from.idx()] {
            if !entry.to.is_empty() {
                all = all.iter().flat_map(|after| one_each(after, &entry.to)).collect();
            }
        }
    }
    let add = |mut after: Vec<u32>| {
        for &(counter, change) in &rule.delta {
            let sum = i64::from(after[counter.idx()]) + change;
            after[counter.idx()] = u32::try_from(sum).ok()?;
        }
        Some(after)
    };
    all.into_iter().filter_map(add).collect()
}

fn one_each(counts: &[u32], to: &[CounterId]) -> Vec<Vec<u32>> {
    let add = |counter: &CounterId| {
        let mut counts = counts.to_vec();
        counts[counter.idx()] += 1;
        counts
    };
    to.iter().map(add).collect()
}
