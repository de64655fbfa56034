//! Produces the configurations from which a rule leads into a zone, as zones that
//! together contain all of them.
//!
//! Exact for rules without moves. Where tokens move, a lower bound on a counter is
//! met by tokens from several sources: each way to supply them is a zone of its
//! own. Upper bounds that speak of sums of sources are loosened to bounds on each.

use std::collections::{BTreeMap, BTreeSet};

use model::{Bounds, CounterId, Zone};

use crate::choose::{ways, within};
use crate::rejection::Rejection;
use crate::rule::Rule;

/// Zones that contain every configuration from which `rule` leads into `zone`.
pub(crate) fn predecessors(rule: &Rule, zone: &Zone) -> Result<Vec<Zone>, Rejection> {
    let mut before = Before { bounds: rule.guard.clone() };
    if rule.moves.is_empty() {
        let is_possible = before.require_plain(rule, zone)?;
        let bounds = before.bounds;
        return Ok(if is_possible {
            vec![Zone { control: rule.from, bounds }]
        } else {
            Vec::new()
        });
    }
    let Some(needs) = before.require_moved(rule, zone)? else { return Ok(Vec::new()) };
    let mut zones = Vec::new();
    for supply in supplies(&needs)? {
        let mut before = before.clone();
        let mut is_possible = true;
        for (counter, n_tokens) in supply {
            let least = n_tokens + i128::from(rule.held_of(counter));
            is_possible &= before.require(counter, least, None)?;
        }
        if is_possible {
            zones.push(Zone { control: rule.from, bounds: before.bounds });
        }
    }
    Ok(zones)
}

/// Some counter must receive so many tokens from these sources together.
struct Demand {
    n_tokens: u32,
    sources: Vec<CounterId>,
}

/// Bounds on the counters before the rule, sorted.
#[derive(Clone)]
struct Before {
    bounds: Vec<(CounterId, Bounds)>,
}

impl Before {
    /// What `zone` asks where nothing moves; `false` if that is impossible.
    fn require_plain(&mut self, rule: &Rule, zone: &Zone) -> Result<bool, Rejection> {
        for &(counter, after) in &zone.bounds {
            let delta = rule.delta_of(counter);
            let (least, most) = shift(after, delta);
            if !self.require(counter, least, most)? {
                return Ok(false);
            }
        }
        for &(counter, change) in &rule.delta {
            if change < 0 && !self.require(counter, -i128::from(change), None)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What `zone` asks apart from needs with a choice of source, which are
    /// returned; `None` if it is impossible.
    fn require_moved(
        &mut self,
        rule: &Rule,
        zone: &Zone,
    ) -> Result<Option<Vec<Demand>>, Rejection> {
        let mut touched: BTreeSet<CounterId> = zone.bounds.iter().map(|entry| entry.0).collect();
        touched.extend(rule.delta.iter().map(|entry| entry.0));
        let mut needs = Vec::new();
        for counter in touched {
            let (least, most) = shift(zone.bounds_of(counter), rule.delta_of(counter));
            let sources = sources(rule, counter);
            if most.is_some_and(|most| most < 0) || least > 0 && sources.is_empty() {
                return Ok(None);
            }
            for &source in &sources {
                let is_sure = rule.destinations(source).is_none_or(|to| to.len() == 1);
                let most = most.map(|most| most + i128::from(rule.held_of(source)));
                if is_sure && !self.require(source, 0, most)? {
                    return Ok(None);
                }
            }
            if least > 0 {
                needs.push(Demand { n_tokens: to_count(least)?, sources });
            }
        }
        Ok(Some(needs))
    }

    /// Intersects the bounds of `counter`; `false` if nothing is left.
    fn require(
        &mut self,
        counter: CounterId,
        least: i128,
        most: Option<i128>,
    ) -> Result<bool, Rejection> {
        let at = match self.bounds.binary_search_by_key(&counter, |entry| entry.0) {
            Ok(at) => at,
            Err(at) => {
                self.bounds.insert(at, (counter, Bounds::at_least(0)));
                at
            }
        };
        let bounds = &mut self.bounds[at].1;
        if let Some(most) = most {
            if most < 0 {
                return Ok(false);
            }
            // A bound beyond 32 bits is dropped, which only makes the zone larger.
            if let Ok(most) = u32::try_from(most) {
                bounds.max = Some(bounds.max.map_or(most, |max| max.min(most)));
            }
        }
        if bounds.max.is_some_and(|max| i128::from(max) < least) {
            return Ok(false);
        }
        bounds.min = bounds.min.max(to_count(least.max(0))?);
        Ok(!bounds.is_empty())
    }
}

/// The bounds before `delta` is added. The lower one is not below zero.
fn shift(after: Bounds, delta: i64) -> (i128, Option<i128>) {
    let least = (i128::from(after.min) - i128::from(delta)).max(0);
    (least, after.max.map(|max| i128::from(max) - i128::from(delta)))
}

/// The counters whose tokens may be in `counter` after the moves.
fn sources(rule: &Rule, counter: CounterId) -> Vec<CounterId> {
    let stays = rule.destinations(counter).is_none().then_some(counter);
    let moved = rule.moves.iter().filter(|entry| entry.to.binary_search(&counter).is_ok());
    stays.into_iter().chain(moved.map(|entry| entry.from)).collect()
}

/// All ways to meet the needs: how many tokens each source supplies.
fn supplies(needs: &[Demand]) -> Result<BTreeSet<BTreeMap<CounterId, i128>>, Rejection> {
    let mut supplies = BTreeSet::from([BTreeMap::new()]);
    for need in needs {
        let ways = ways(need.n_tokens, need.sources.len())?;
        let mut longer = BTreeSet::new();
        for supply in &supplies {
            for way in &ways {
                let mut sum: BTreeMap<CounterId, i128> = supply.clone();
                for &(choice, n_tokens) in way {
                    *sum.entry(need.sources[choice]).or_default() += i128::from(n_tokens);
                }
                longer.insert(sum);
                within(longer.len(), "ways to supply tokens to a zone")?;
            }
        }
        supplies = longer;
    }
    Ok(supplies)
}

fn to_count(n: i128) -> Result<u32, Rejection> {
    u32::try_from(n).map_err(|_| Rejection::TooLarge { what: "a count beyond 32 bits" })
}

#[cfg(test)]
mod tests {
    use super::predecessors;
    use crate::naive::{Random, boxed, fire, is_in};

    #[test]
    fn predecessors_contain_all_that_leads_into_the_zone_and_only_that_without_moves() {
        let mut random = Random(1);
        for _ in 0..3000 {
            let rule = random.rule();
            let zone = random.zone(rule.to);
            let before = predecessors(&rule, &zone).expect("small numbers");
            for counts in boxed(4) {
                let leads = fire(&rule, &counts).iter().any(|after| is_in(after, &zone.bounds));
                let is_listed = before.iter().any(|before| is_in(&counts, &before.bounds));
                assert!(is_listed || !leads, "{counts:?} {rule:?} {zone:?}");
                assert!(
                    leads || !is_listed || !rule.moves.is_empty(),
                    "{counts:?} {rule:?} {zone:?}"
                );
            }
        }
    }

    #[test]
    fn predecessors_of_upward_closed_zones_are_exact() {
        let mut random = Random(2);
        for _ in 0..3000 {
            let rule = random.rule();
            let mut zone = random.zone(rule.to);
            zone.bounds.iter_mut().for_each(|entry| entry.1.max = None);
            let before = predecessors(&rule, &zone).expect("small numbers");
            for counts in boxed(4) {
                let leads = fire(&rule, &counts).iter().any(|after| is_in(after, &zone.bounds));
                let is_listed = before.iter().any(|before| is_in(&counts, &before.bounds));
                assert_eq!(leads, is_listed, "{counts:?} {rule:?} {zone:?}");
            }
        }
    }
}
