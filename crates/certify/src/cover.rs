//! Decides whether a set of maximal configurations is closed (`Proof::Cover`).
//!
//! The proven set is everything below one of them. Rules are monotone apart from
//! upper bounds in guards, so it is enough to fire each rule from the largest
//! configuration below each maximal one that meets those bounds.

use std::collections::BTreeMap;

use model::{Bounds, Configuration, ControlId, Count, CounterId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::Budget;
use crate::rejection::Rejection;
use crate::rule::Rule;
use crate::successor::{Level, Levels, MANY, successors};
use crate::system::{Forbidden, System};
use crate::zone_set::{ZoneBounds, ZoneSet};

/// Is the set below `configurations` closed, and does it exclude every forbidden
/// zone of `system`?
pub(crate) fn check(
    system: &System<'_>,
    configurations: &[Configuration],
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let cover = Cover::new(configurations);
    check_initial(system, &cover, budget)?;
    check_forbidden(system, &cover, budget)?;
    let rules = EnabledRules::new(&system.rules);
    for (source, maximal) in cover.maximal.iter().enumerate() {
        for &rule_idx in rules.leaving(maximal) {
            budget.tick()?;
            let rule = &system.rules[rule_idx];
            for after in successors(rule, &maximal.levels)? {
                if !cover.contains(rule.to, &after, Some(source), budget)? {
                    return Err(system.broken(rule, "no configuration is above its result"));
                }
            }
        }
    }
    Ok(())
}

fn check_initial(system: &System<'_>, cover: &Cover, budget: &Budget<'_>) -> Result<(), Rejection> {
    for zone in &system.initial {
        let largest =
            zone.bounds.iter().map(|&(c, bounds)| (c, bounds.max.map_or(MANY, i64::from)));
        let largest: Levels = largest.filter(|entry| entry.1 > 0).collect();
        if !cover.contains(zone.control, &largest, None, budget)? {
            let why = "no configuration is above it".to_owned();
            return Err(Rejection::InitialNotCovered { why });
        }
    }
    Ok(())
}

/// A downward-closed set meets a zone if and only if it contains the zone's least
/// configuration, so upper bounds do not matter.
fn check_forbidden(
    system: &System<'_>,
    cover: &Cover,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let mut by_control: BTreeMap<ControlId, Vec<ZoneBounds>> = BTreeMap::new();
    for entry in &system.forbidden {
        let least = entry.zone.bounds.iter().filter(|bound| bound.1.min > 0);
        let least: Vec<_> = least.map(|bound| (bound.0, Bounds::at_least(bound.1.min))).collect();
        by_control.entry(entry.zone.control).or_default().push(least);
    }
    let sets = by_control.into_iter().map(|(control, zones)| (control, ZoneSet::new(zones)));
    let forbidden: BTreeMap<ControlId, ZoneSet> = sets.collect();
    for maximal in &cover.maximal {
        budget.tick()?;
        let Some(set) = forbidden.get(&maximal.control) else { continue };
        let above = maximal.levels.iter().map(|&(counter, level)| {
            (counter, Bounds::at_least(u32::try_from(level).unwrap_or(u32::MAX)))
        });
        if set.contains(&above.collect::<Vec<_>>()) {
            return Err(system.not_excluded(blamed(system, maximal)));
        }
    }
    Ok(())
}

/// The forbidden zone that the set below `maximal` meets.
fn blamed<'a>(system: &'a System<'_>, maximal: &Maximal) -> &'a Forbidden {
    let meets = |entry: &&Forbidden| {
        let bounds = &entry.zone.bounds;
        entry.zone.control == maximal.control
            && bounds.iter().all(|&(c, bound)| i64::from(bound.min) <= level(&maximal.levels, c))
    };
    system.forbidden.iter().find(meets).expect("the zone set found that one is met")
}

/// A configuration of the certificate.
struct Maximal {
    control: ControlId,
    levels: Levels,
    /// One bit for each counter, several counters sharing one: a quick way to see
    /// that one configuration is not above another.
    mask: u64,
}

/// All configurations of the certificate, found by what they are above.
struct Cover {
    maximal: Vec<Maximal>,
    of_control: BTreeMap<ControlId, Vec<usize>>,
    /// Each configuration as it is: most results are configurations themselves.
    /// For lookup only.
    exact: FxHashSet<(ControlId, Levels)>,
    /// By counter that is non-zero, and whether it is `*`. For lookup only.
    with: FxHashMap<(ControlId, CounterId, bool), Vec<usize>>,
}

impl Cover {
    fn new(configurations: &[Configuration]) -> Cover {
        let mut of_control: BTreeMap<ControlId, Vec<usize>> = BTreeMap::new();
        let mut with: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        let mut exact = FxHashSet::default();
        let mut maximal = Vec::with_capacity(configurations.len());
        for (idx, configuration) in configurations.iter().enumerate() {
            let control = configuration.control;
            let non_zero = configuration.counts.iter().filter(|entry| entry.1 > Count::ZERO);
            let levels = non_zero.map(|&(c, count)| (c, count.as_finite().map_or(MANY, i64::from)));
            let levels: Levels = levels.collect();
            of_control.entry(control).or_default().push(idx);
            for &(counter, level) in &levels {
                with.entry((control, counter, false)).or_default().push(idx);
                if level == MANY {
                    with.entry((control, counter, true)).or_default().push(idx);
                }
            }
            exact.insert((control, levels.clone()));
            maximal.push(Maximal { control, mask: mask(&levels), levels });
        }
        Cover { maximal, of_control, exact, with }
    }

    /// Is some configuration above this one? `hint` is tried first.
    fn contains(
        &self,
        control: ControlId,
        levels: &Levels,
        hint: Option<usize>,
        budget: &Budget<'_>,
    ) -> Result<bool, Rejection> {
        let asked = Maximal { control, mask: mask(levels), levels: levels.clone() };
        if hint.is_some_and(|idx| is_below(&asked, &self.maximal[idx]))
            || self.exact.contains(&(control, levels.clone()))
        {
            return Ok(true);
        }
        let key = |&(counter, level): &(CounterId, Level)| (control, counter, level == MANY);
        let mut candidates = self.of_control.get(&control).map_or(&[][..], Vec::as_slice);
        for entry in levels {
            let list = self.with.get(&key(entry)).map_or(&[][..], Vec::as_slice);
            if list.len() < candidates.len() {
                candidates = list;
            }
        }
        for &idx in candidates {
            budget.tick()?;
            if is_below(&asked, &self.maximal[idx]) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn is_below(lower: &Maximal, upper: &Maximal) -> bool {
    lower.control == upper.control
        && lower.mask & !upper.mask == 0
        && lower.levels.iter().all(|&(counter, n)| n <= level(&upper.levels, counter))
}

fn mask(levels: &Levels) -> u64 {
    levels.iter().fold(0, |mask, entry| mask | 1 << (entry.0.0 % 64))
}

fn level(levels: &Levels, counter: CounterId) -> Level {
    match levels.binary_search_by_key(&counter, |entry| entry.0) {
        Ok(idx) => levels[idx].1,
        Err(_) => 0,
    }
}

/// The rules that may fire below a configuration, by a counter that they need.
struct EnabledRules {
    /// For lookup only.
    needing: FxHashMap<(ControlId, Option<CounterId>), Vec<usize>>,
}

impl EnabledRules {
    fn new(rules: &[Rule]) -> EnabledRules {
        let mut needing: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (idx, rule) in rules.iter().enumerate() {
            let needed = rule.guard.iter().find(|entry| entry.1.min > 0).map(|entry| entry.0);
            needing.entry((rule.from, needed)).or_default().push(idx);
        }
        EnabledRules { needing }
    }

    fn leaving(&self, maximal: &Maximal) -> impl Iterator<Item = &usize> {
        let counters = maximal.levels.iter().map(|entry| Some(entry.0));
        let keys = std::iter::once(None).chain(counters);
        keys.filter_map(|needed| self.needing.get(&(maximal.control, needed))).flatten()
    }
}
