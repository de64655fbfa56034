//! Decides whether pairs of counters are always equal, and merges those that are.
//!
//! Equal counters form classes. Once each pair is shown to be equal, every zone,
//! rule and fact can be rewritten to speak of one counter per class, its name; a
//! bound on any member is a bound on the name.

use std::collections::BTreeMap;

use model::{Bounds, CounterId, InitialZone, Zone};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::rejection::Rejection;
use crate::rule::Rule;
use crate::system::System;

/// The classes of equal counters. Counters without an entry stand for themselves.
pub(crate) struct Classes {
    /// The least member of each member's class. For lookup only.
    name_of: FxHashMap<CounterId, CounterId>,
    /// How many members a class has. For lookup only.
    size_of: FxHashMap<CounterId, usize>,
}

impl Classes {
    /// The classes of `pairs`, after checking that each pair is always equal.
    pub(crate) fn prove(
        pairs: &[(CounterId, CounterId)],
        system: &System<'_>,
        budget: &Budget<'_>,
    ) -> Result<Classes, Rejection> {
        for &(left, right) in pairs {
            if !system.initial.iter().all(|zone| starts_equal(zone, left, right)) {
                let why = "two counters claimed equal may differ in it".to_owned();
                return Err(Rejection::InitialNotCovered { why });
            }
            for rule in &system.rules {
                budget.tick()?;
                if !keeps_equal(rule, left, right) {
                    return Err(system.broken(rule, "it may change one of two equal counters"));
                }
            }
        }
        Ok(Classes::closure(pairs))
    }

    fn closure(pairs: &[(CounterId, CounterId)]) -> Classes {
        let mut members: BTreeMap<CounterId, Vec<CounterId>> = BTreeMap::new();
        let mut name_of: FxHashMap<CounterId, CounterId> = FxHashMap::default();
        for &(left, right) in pairs {
            let name = |counter| name_of.get(&counter).copied().unwrap_or(counter);
            let (first, second) = (name(left), name(right));
            let (kept, gone) = (first.min(second), first.max(second));
            let mut merged = members.remove(&gone).unwrap_or_else(|| vec![gone]);
            if kept != gone {
                merged.extend(members.remove(&kept).unwrap_or_else(|| vec![kept]));
            }
            name_of.extend(merged.iter().map(|&member| (member, kept)));
            members.insert(kept, merged);
        }
        let size_of = members.into_iter().map(|(name, list)| (name, list.len())).collect();
        Classes { name_of, size_of }
    }

    /// The counter that stands for `counter`.
    pub(crate) fn name(&self, counter: CounterId) -> CounterId {
        self.name_of.get(&counter).copied().unwrap_or(counter)
    }

    /// The system in terms of names.
    pub(crate) fn merge<'a>(&self, mut system: System<'a>) -> System<'a> {
        if self.name_of.is_empty() {
            return system;
        }
        system.reach = system.reach.map_counters(|counters| self.merge_reach(counters));
        let rules = std::mem::take(&mut system.rules).into_iter();
        let merged = rules.filter_map(|rule| self.merge_rule(rule)?.fit(&system.reach));
        system.rules = merged.collect();
        for zone in &mut system.initial {
            zone.bounds.retain(|entry| self.name(entry.0) == entry.0);
        }
        let forbidden = std::mem::take(&mut system.forbidden).into_iter();
        let merged = forbidden.filter_map(|mut forbidden| {
            forbidden.zone = system.reach.restrict(self.merge_zone(&forbidden.zone))?;
            Some(forbidden)
        });
        system.forbidden = merged.collect();
        system
    }

    /// The zone in terms of names. It may be empty.
    pub(crate) fn merge_zone(&self, zone: &Zone) -> Zone {
        Zone { control: zone.control, bounds: self.merge_bounds(&zone.bounds) }
    }

    fn merge_bounds(&self, bounds: &[(CounterId, Bounds)]) -> Vec<(CounterId, Bounds)> {
        let mut merged: BTreeMap<CounterId, Bounds> = BTreeMap::new();
        for &(counter, more) in bounds {
            let bounds = merged.entry(self.name(counter)).or_insert(Bounds::at_least(0));
            *bounds = intersect(*bounds, more);
        }
        merged.into_iter().collect()
    }

    fn merge_rule(&self, mut rule: Rule) -> Option<Rule> {
        rule.guard = self.merge_bounds(&rule.guard);
        // All members change alike, and none is moved.
        rule.delta.retain(|entry| self.name(entry.0) == entry.0);
        rule.guard.iter().all(|entry| !entry.1.is_empty()).then_some(rule)
    }

    /// A class can be non-zero only where all of its members can.
    fn merge_reach(&self, counters: &[CounterId]) -> Vec<CounterId> {
        let mut n_present: BTreeMap<CounterId, usize> = BTreeMap::new();
        for &counter in counters {
            *n_present.entry(self.name(counter)).or_default() += 1;
        }
        n_present.retain(|name, n| *n == self.size_of.get(name).copied().unwrap_or(1));
        n_present.into_keys().collect()
    }
}

/// The numbers in both; possibly none.
pub(crate) fn intersect(left: Bounds, right: Bounds) -> Bounds {
    let max = match (left.max, right.max) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (left, right) => left.or(right),
    };
    Bounds { min: left.min.max(right.min), max }
}

/// Ranges that look alike do not make two counters equal; single values do.
fn starts_equal(zone: &InitialZone, left: CounterId, right: CounterId) -> bool {
    let bounds_of = |counter| {
        let at = zone.bounds.binary_search_by_key(&counter, |entry| entry.0);
        at.map_or(Bounds::exactly(0), |idx| zone.bounds[idx].1)
    };
    let (first, second) = (bounds_of(left), bounds_of(right));
    left == right || first == second && first.max == Some(first.min)
}

fn keeps_equal(rule: &Rule, left: CounterId, right: CounterId) -> bool {
    let moves = |c| rule.destinations(c).is_some() || rule.is_destination(c);
    rule.delta_of(left) == rule.delta_of(right) && !moves(left) && !moves(right)
}
