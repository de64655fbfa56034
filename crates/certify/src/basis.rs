//! Decides whether a backward basis proves its targets unreachable (`Proof::Basis`).
//!
//! The proven set is what is within reach, satisfies the equalities and lemmas, and
//! is in no zone of the basis. No single one of these need be an invariant: it is shown
//! that a step from a configuration that has them all leads to one that has each.
//! Equalities and lemmas are kept by every step within reach; whatever leads into a zone
//! of the basis, or out of reach, is in a zone already or excluded by a lemma.

use std::collections::BTreeMap;

use model::{Bounds, ControlId, CounterId, InitialZone, LinearLemma, Zone};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::classes::{Classes, intersect};
use crate::lemma::Weights;
use crate::predecessor::predecessors;
use crate::rejection::Rejection;
use crate::rule::Rule;
use crate::system::System;
use crate::zone_set::{ZoneBounds, ZoneSet};

/// What a basis proof claims, apart from its support.
pub(crate) struct Claim<'a> {
    pub equal: &'a [(CounterId, CounterId)],
    pub lemmas: &'a [LinearLemma],
    pub zones: &'a [Zone],
}

/// Does the claim exclude every forbidden zone of `system`?
pub(crate) fn check(
    system: System<'_>,
    claim: &Claim<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let facts: Vec<Weights> = claim.lemmas.iter().map(Weights::new).collect();
    facts.iter().try_for_each(|fact| fact.check_inductive(&system, budget))?;
    let classes = Classes::prove(claim.equal, &system, budget)?;
    let ways_out = system.ways_out(budget)?;
    let system = classes.merge(system);
    let facts = facts.iter().map(|fact| fact.rename(|counter| classes.name(counter))).collect();
    let zones = claim.zones.iter().map(|zone| classes.merge_zone(zone));
    let zones: Vec<Zone> = zones.filter_map(|zone| system.reach.restrict(zone)).collect();
    let mut by_control: BTreeMap<ControlId, Vec<ZoneBounds>> = BTreeMap::new();
    for zone in &zones {
        by_control.entry(zone.control).or_default().push(zone.bounds.clone());
    }
    let sets = by_control.into_iter().map(|(control, zones)| (control, ZoneSet::new(zones)));
    let excluded = Excluded { system: &system, facts, zones: sets.collect() };
    for forbidden in &system.forbidden {
        budget.tick()?;
        if !excluded.contains(forbidden.zone.clone()) {
            return Err(system.not_excluded(forbidden));
        }
    }
    for way in &ways_out {
        budget.tick()?;
        if !excluded.contains(classes.merge_zone(&way.zone)) {
            return Err(system.leads_out(way));
        }
    }
    check_initial(&system, &zones, budget)?;
    check_predecessors(&excluded, &zones, budget)
}

/// Everything that is not in the proven set.
struct Excluded<'a> {
    system: &'a System<'a>,
    facts: Vec<Weights>,
    zones: BTreeMap<ControlId, ZoneSet>,
}

impl Excluded<'_> {
    /// Is all of `zone` surely excluded?
    fn contains(&self, zone: Zone) -> bool {
        let reach = &self.system.reach;
        let Some(zone) = reach.restrict(zone) else { return true };
        self.zones.get(&zone.control).is_some_and(|set| set.contains(&zone.bounds))
            || self.facts.iter().any(|fact| fact.excludes(&zone, reach))
    }
}

fn check_initial(
    system: &System<'_>,
    zones: &[Zone],
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    for initial in &system.initial {
        for zone in zones {
            budget.tick()?;
            if zone.control == initial.control && meets(initial, zone) {
                let why = "it is in a zone of the basis".to_owned();
                return Err(Rejection::InitialNotCovered { why });
            }
        }
    }
    Ok(())
}

/// Is there a configuration in both?
fn meets(initial: &InitialZone, zone: &Zone) -> bool {
    let starts = |counter: CounterId| {
        let at = initial.bounds.binary_search_by_key(&counter, |entry| entry.0);
        at.map_or(Bounds::exactly(0), |idx| initial.bounds[idx].1)
    };
    zone.bounds.iter().all(|&(counter, bounds)| !intersect(bounds, starts(counter)).is_empty())
}

fn check_predecessors(
    excluded: &Excluded<'_>,
    zones: &[Zone],
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let system = excluded.system;
    let index = RulesIntoZone::new(&system.rules);
    for zone in zones {
        for rule_idx in index.leading_into(zone) {
            budget.tick()?;
            let rule = &system.rules[rule_idx];
            for before in predecessors(rule, zone)? {
                budget.tick()?;
                if !excluded.contains(before) {
                    return Err(system.broken(rule, "it leads into a zone of the basis"));
                }
            }
        }
    }
    Ok(())
}

/// Finds the rules that may lead into a zone from outside of it.
///
/// A rule that stays in its control state and neither adds to a counter that the
/// zone bounds from below, nor takes from one that it bounds from above, enters
/// the zone only from the zone.
#[derive(Default)]
struct RulesIntoZone {
    into: BTreeMap<ControlId, RulesInto>,
}

#[derive(Default)]
struct RulesInto {
    /// From another control state.
    crossing: Vec<usize>,
    /// By counters that tokens may be added to. For lookup only.
    adding: FxHashMap<CounterId, Vec<usize>>,
    /// By counters that tokens may be taken from. For lookup only.
    taking: FxHashMap<CounterId, Vec<usize>>,
}

impl RulesIntoZone {
    fn new(rules: &[Rule]) -> RulesIntoZone {
        let mut index = RulesIntoZone::default();
        for (idx, rule) in rules.iter().enumerate() {
            let into = index.into.entry(rule.to).or_default();
            if rule.from != rule.to {
                into.crossing.push(idx);
                continue;
            }
            for &(counter, change) in &rule.delta {
                let side = if change > 0 { &mut into.adding } else { &mut into.taking };
                side.entry(counter).or_default().push(idx);
            }
            for entry in &rule.moves {
                into.taking.entry(entry.from).or_default().push(idx);
                for &counter in &entry.to {
                    into.adding.entry(counter).or_default().push(idx);
                }
            }
        }
        index
    }

    fn leading_into(&self, zone: &Zone) -> Vec<usize> {
        let Some(into) = self.into.get(&zone.control) else { return Vec::new() };
        let mut rules = into.crossing.clone();
        for (counter, bounds) in &zone.bounds {
            if bounds.min > 0 {
                rules.extend(into.adding.get(counter).into_iter().flatten());
            }
            if bounds.max.is_some() {
                rules.extend(into.taking.get(counter).into_iter().flatten());
            }
        }
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::RulesIntoZone;
    use crate::naive::{Random, boxed, fire, is_in};

    #[test]
    fn a_rule_that_is_skipped_enters_the_zone_only_from_the_zone() {
        let mut random = Random(1);
        let mut n_skipped = 0;
        for _ in 0..5000 {
            let rules = [random.rule()];
            let zone = random.zone(rules[0].to);
            if !RulesIntoZone::new(&rules).leading_into(&zone).is_empty() {
                continue;
            }
            n_skipped += 1;
            assert_eq!(rules[0].from, zone.control);
            for counts in boxed(4) {
                let leads = fire(&rules[0], &counts).iter().any(|after| is_in(after, &zone.bounds));
                assert!(!leads || is_in(&counts, &zone.bounds), "{counts:?} {rules:?} {zone:?}");
            }
        }
        assert!(n_skipped > 100, "{n_skipped}");
    }
}
