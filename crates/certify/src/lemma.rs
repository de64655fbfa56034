//! Decides whether a linear fact is an invariant, and which zones it excludes.

use model::{ControlId, CounterId, InitialZone, LinearLemma, Trap, Zone};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::reach::Reach;
use crate::rejection::Rejection;
use crate::rule::Rule;
use crate::system::System;

/// A linear fact: the weight of the control state plus the sum of weight times
/// count is at most `bound`. 128 bits hold every sum of 32-bit many products of
/// 64-bit weights with 32-bit counts.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// For lookup only.
    controls: FxHashMap<ControlId, i128>,
    /// For lookup only.
    counters: FxHashMap<CounterId, i128>,
    /// The counters whose weight is negative, sorted.
    negative: Vec<CounterId>,
    bound: i128,
}

impl Weights {
    pub(crate) fn new(lemma: &LinearLemma) -> Weights {
        let controls = lemma.controls.iter().map(|&(id, weight)| (id, i128::from(weight)));
        let counters = lemma.counters.iter().map(|&(id, weight)| (id, i128::from(weight)));
        let negative = lemma.counters.iter().filter(|entry| entry.1 < 0).map(|entry| entry.0);
        Weights {
            controls: controls.collect(),
            counters: counters.collect(),
            negative: negative.collect(),
            bound: i128::from(lemma.bound),
        }
    }

    /// Combines the fact with `multiplier` times the fact that `trap` is marked.
    pub(crate) fn subtract(&mut self, trap: &Trap, multiplier: i64) {
        let multiplier = i128::from(multiplier);
        for &control in &trap.controls {
            *self.controls.entry(control).or_default() -= multiplier;
        }
        for &counter in &trap.counters {
            let weight = self.counters.entry(counter).or_default();
            *weight -= multiplier;
            if *weight < 0
                && let Err(at) = self.negative.binary_search(&counter)
            {
                self.negative.insert(at, counter);
            }
        }
        self.bound -= multiplier;
    }

    /// The same fact where each counter is replaced by one of the same value.
    pub(crate) fn rename(&self, name: impl Fn(CounterId) -> CounterId) -> Weights {
        let mut counters = FxHashMap::default();
        for (&counter, &weight) in &self.counters {
            *counters.entry(name(counter)).or_default() += weight;
        }
        let below_zero = counters.iter().filter(|entry| *entry.1 < 0).map(|entry| *entry.0);
        let mut negative: Vec<CounterId> = below_zero.collect();
        negative.sort_unstable();
        Weights { controls: self.controls.clone(), counters, negative, bound: self.bound }
    }

    /// Does the fact contradict every configuration of `zone` within `reach`?
    pub(crate) fn excludes(&self, zone: &Zone, reach: &Reach) -> bool {
        let mut least = self.control(zone.control);
        for &(counter, bounds) in &zone.bounds {
            least += self.counter(counter).max(0) * i128::from(bounds.min);
        }
        for &counter in &self.negative {
            if reach.contains(zone.control, counter) {
                let Some(max) = zone.bounds_of(counter).max else { return false };
                least += self.counter(counter) * i128::from(max);
            }
        }
        least > self.bound
    }

    /// Is the fact true initially and kept by every rule?
    pub(crate) fn check_inductive(
        &self,
        system: &System<'_>,
        budget: &Budget<'_>,
    ) -> Result<(), Rejection> {
        if !system.initial.iter().all(|zone| self.holds_initially(zone)) {
            let why = "a lemma does not hold in it".to_owned();
            return Err(Rejection::InitialNotCovered { why });
        }
        for rule in &system.rules {
            budget.tick()?;
            if !self.is_kept_by(rule) {
                return Err(system.broken(rule, "it breaks a lemma"));
            }
        }
        Ok(())
    }

    fn holds_initially(&self, zone: &InitialZone) -> bool {
        let mut most = self.control(zone.control);
        for &(counter, bounds) in &zone.bounds {
            let weight = self.counter(counter);
            let extreme = if weight < 0 { Some(bounds.min) } else { bounds.max };
            match extreme {
                Some(count) => most += weight * i128::from(count),
                None if weight == 0 => {}
                None => return false,
            }
        }
        most <= self.bound
    }

    /// Does firing `rule` never increase the weighted sum?
    fn is_kept_by(&self, rule: &Rule) -> bool {
        let mut change = self.control(rule.to) - self.control(rule.from);
        change -= rule.held.map_or(0, |held| self.counter(held));
        for &(counter, added) in &rule.delta {
            // Both factors may be any 64-bit number: the product fits, a sum may not.
            let Some(sum) = change.checked_add(self.counter(counter) * i128::from(added)) else {
                return false;
            };
            change = sum;
        }
        for entry in &rule.moves {
            // The worst case: each token goes where it weighs most.
            let best = entry.to.iter().map(|&to| self.counter(to)).max().unwrap_or(0);
            let gain = best - self.counter(entry.from);
            let moving = rule.moving(entry.from);
            let n_tokens = if gain <= 0 { Some(moving.min) } else { moving.max };
            match n_tokens.and_then(|n| change.checked_add(gain * i128::from(n))) {
                Some(sum) => change = sum,
                None => return false,
            }
        }
        change <= 0
    }

    fn control(&self, control: ControlId) -> i128 {
        self.controls.get(&control).copied().unwrap_or(0)
    }

    fn counter(&self, counter: CounterId) -> i128 {
        self.counters.get(&counter).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use model::{ControlId, CounterId, LinearLemma};

    use super::Weights;
    use crate::naive::{N_COUNTERS, Random, boxed, fire};

    #[test]
    fn no_firing_increases_the_sum_of_a_fact_that_is_kept() {
        let mut random = Random(1);
        let mut n_kept = 0;
        for _ in 0..5000 {
            let rule = random.rule();
            let weights: Vec<i64> =
                (0..N_COUNTERS).map(|_| i64::from(random.below(5)) - 2).collect();
            let counters = (0..).map(CounterId).zip(weights.iter().copied()).collect();
            let control = i64::from(random.below(5)) - 2;
            let controls = vec![(ControlId(1), control)];
            let is_kept =
                Weights::new(&LinearLemma { controls, counters, bound: 0 }).is_kept_by(&rule);
            n_kept += usize::from(is_kept);
            let weigh = |counts: &[u32]| -> i64 {
                counts.iter().zip(&weights).map(|(n, weight)| i64::from(*n) * weight).sum()
            };
            let gain = control * i64::from(rule.to.0);
            for counts in boxed(4).into_iter().filter(|_| is_kept) {
                let before = weigh(&counts);
                let grows = fire(&rule, &counts).iter().any(|after| weigh(after) + gain > before);
                assert!(!grows, "{counts:?} {rule:?} {weights:?}");
            }
        }
        assert!(n_kept > 500, "{n_kept}");
    }
}
