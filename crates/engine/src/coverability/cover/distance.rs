//! A guess how far a configuration is from a target, for best-first search.
//!
//! For each token that a target lacks: the number of transitions that lead a
//! token there from the nearest counter that has one, as if nothing else were
//! needed; plus the distance between control states. Guides, never prunes.

use std::collections::{BTreeMap, VecDeque};

use model::CounterSystem;

use crate::coverability::rules::Rules;
use crate::kernel::sparse::{idx_of, value_at};

/// More targets than this are ignored: the guess must stay cheap.
const MAX_TARGETS: usize = 32;
/// Stands for "no way known"; large, but sums of it do not overflow.
const FAR: u32 = 1 << 20;

/// Distances to the targets of one system.
pub struct Distance {
    goals: Vec<DistanceGoal>,
}

struct DistanceGoal {
    /// Per control state, transitions to the target's.
    by_control: Vec<u32>,
    wanted: Vec<Wanted>,
}

struct Wanted {
    counter: u32,
    count: u32,
    /// Per counter, transitions that lead a token from it.
    by_counter: Vec<u32>,
    /// Transitions that lead a token there from nothing.
    from_nothing: u32,
}

impl Distance {
    /// No guess: everything is equally near.
    pub fn none() -> Distance {
        Distance { goals: Vec::new() }
    }

    /// Distances to the targets of `system`.
    pub fn new(system: &CounterSystem, rules: &Rules) -> Distance {
        let mut flows: BTreeMap<u32, Wanted> = BTreeMap::new();
        let sources = flow_sources(rules);
        let mut goals = Vec::new();
        for target in system.targets.iter().take(MAX_TARGETS) {
            let mut wanted = Vec::new();
            for (counter, bounds) in target.zone.bounds.iter().filter(|(_, b)| b.min > 0) {
                let flow = flows
                    .entry(counter.0)
                    .or_insert_with(|| Wanted::new(counter.0, &sources, rules));
                wanted.push(Wanted {
                    counter: flow.counter,
                    count: bounds.min,
                    by_counter: flow.by_counter.clone(),
                    from_nothing: flow.from_nothing,
                });
            }
            goals.push(DistanceGoal {
                by_control: control_distances(rules, target.zone.control.0),
                wanted,
            });
        }
        Distance { goals }
    }

    /// The guess for a configuration.
    pub fn estimate(&self, control: usize, vector: &[u64]) -> u32 {
        self.goals.iter().map(|goal| goal.estimate(control, vector)).min().unwrap_or(0)
    }
}

impl DistanceGoal {
    fn estimate(&self, control: usize, vector: &[u64]) -> u32 {
        let tokens = self.wanted.iter().map(|wanted| wanted.estimate(vector));
        tokens.fold(self.by_control[control], u32::saturating_add)
    }
}

impl Wanted {
    fn new(counter: u32, sources: &[Vec<Option<u32>>], rules: &Rules) -> Wanted {
        let mut by_counter = vec![FAR; rules.n_counters as usize];
        let mut from_nothing = FAR;
        by_counter[counter as usize] = 0;
        let mut pending = VecDeque::from([counter]);
        while let Some(at) = pending.pop_front() {
            let next = by_counter[at as usize] + 1;
            for source in &sources[at as usize] {
                match source {
                    None => from_nothing = from_nothing.min(next),
                    Some(source) if by_counter[*source as usize] == FAR => {
                        by_counter[*source as usize] = next;
                        pending.push_back(*source);
                    }
                    Some(_) => {}
                }
            }
        }
        Wanted { counter, count: 0, by_counter, from_nothing }
    }

    fn estimate(&self, vector: &[u64]) -> u32 {
        let lacking = self.count.saturating_sub(value_at(vector, self.counter));
        if lacking == 0 {
            return 0;
        }
        let others = vector.iter().map(|&e| idx_of(e)).filter(|idx| *idx != self.counter);
        let nearest = others.map(|idx| self.by_counter[idx as usize]).min().unwrap_or(FAR);
        nearest.min(self.from_nothing).saturating_mul(lacking)
    }
}

/// For each counter, the counters that a rule takes or moves from when it adds to
/// this one; `None` for a rule that needs nothing.
fn flow_sources(rules: &Rules) -> Vec<Vec<Option<u32>>> {
    let mut sources: Vec<Vec<Option<u32>>> = vec![Vec::new(); rules.n_counters as usize];
    for rule in &rules.rules {
        let all = || rule.effects.iter().chain(&rule.moved);
        let needs: Vec<Option<u32>> =
            all().filter(|e| e.need > 0).map(|e| Some(e.counter)).collect();
        for effect in all().filter(|effect| effect.delta > 0) {
            let from = &mut sources[effect.counter as usize];
            from.extend_from_slice(&needs);
            if needs.is_empty() {
                from.push(None);
            }
        }
        for (from, to) in &rule.moves {
            to.iter().for_each(|to| sources[*to as usize].push(Some(*from)));
        }
    }
    for list in &mut sources {
        list.sort_unstable();
        list.dedup();
    }
    sources
}

fn control_distances(rules: &Rules, target: u32) -> Vec<u32> {
    let mut entering: Vec<Vec<u32>> = vec![Vec::new(); rules.n_controls];
    for rule in rules.rules.iter().filter(|rule| rule.from != rule.to) {
        entering[rule.to as usize].push(rule.from);
    }
    let mut distances = vec![FAR; rules.n_controls];
    distances[target as usize] = 0;
    let mut pending = VecDeque::from([target]);
    while let Some(at) = pending.pop_front() {
        for from in std::mem::take(&mut entering[at as usize]) {
            if distances[from as usize] == FAR {
                distances[from as usize] = distances[at as usize] + 1;
                pending.push_back(from);
            }
        }
    }
    distances
}
