//! Forward and backward must be the same relation: a configuration has a
//! successor in a zone exactly when it lies in a predecessor of that zone.

use std::ops::ControlFlow;

use model::{Bounds, ControlId, CounterId, CounterSystem, CounterTransition, Move, Zone};

use super::fire::{CapReading, successors};
use super::precede::{Preceding, encode};
use super::{Rule, Rules};
use crate::coverability::execute::contains;
use crate::kernel::sparse::entry;

const N_COUNTERS: u32 = 3;

/// A small generator with a pinned sequence.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn counters(&mut self) -> Vec<CounterId> {
        let picked = (0..N_COUNTERS).filter(|_| self.below(2) == 0);
        picked.map(CounterId).collect()
    }

    fn bounds(&mut self, with_max: bool) -> Vec<(CounterId, Bounds)> {
        let counters = self.counters();
        let bounds = |counter| {
            let min = self.below(3) as u32;
            let max = (with_max && self.below(3) == 0).then(|| min + self.below(2) as u32);
            (counter, Bounds { min, max })
        };
        counters.into_iter().map(bounds).collect()
    }

    fn transition(&mut self, with_max: bool, with_moves: bool) -> CounterTransition {
        let movers = if with_moves { self.counters() } else { Vec::new() };
        let moves = movers.into_iter().map(|from| Move { from, to: self.counters() }).collect();
        let changed = self.counters();
        let delta = changed.into_iter().map(|counter| (counter, self.below(5) as i64 - 2));
        let delta: Vec<_> = delta.filter(|(_, delta)| *delta != 0).collect();
        CounterTransition {
            name: "t".to_string(),
            span: None,
            from: ControlId(0),
            to: ControlId(0),
            guard: self.bounds(with_max),
            moves,
            delta,
        }
    }
}

fn compile(transition: CounterTransition) -> Rule {
    let system = CounterSystem {
        control_names: vec![String::new()],
        counter_names: vec![String::new(); N_COUNTERS as usize],
        transitions: vec![transition],
        ..CounterSystem::default()
    };
    Rules::new(&system).rules.remove(0)
}

fn all_configurations() -> Vec<Vec<u64>> {
    let dense = (0..4u32.pow(N_COUNTERS)).map(|n| [n % 4, n / 4 % 4, n / 16]);
    let sparse = |values: [u32; 3]| {
        let nonzero = values.into_iter().enumerate().filter(|(_, value)| *value > 0);
        nonzero.map(|(idx, value)| entry(idx as u32, value)).collect()
    };
    dense.map(sparse).collect()
}

fn has_successor_in(rule: &Rule, configuration: &[u64], zone: &[u64]) -> bool {
    let mut found = false;
    let visit = &mut |after: &[u64], _: &Vec<(u32, u32, u32)>| {
        found |= contains(zone, after, N_COUNTERS);
        ControlFlow::Continue(())
    };
    successors(rule, configuration, CapReading::Exact, &mut Vec::new(), visit)
        .expect("counts are small");
    found
}

fn lies_in_predecessor(rule: &Rule, configuration: &[u64], zone: &[u64]) -> bool {
    let mut found = false;
    let visit = &mut |before: &[u64]| {
        found |= contains(before, configuration, N_COUNTERS);
        ControlFlow::Continue(())
    };
    Preceding { rule, n_counters: N_COUNTERS, can_hold: &|_| true }
        .for_each(zone, &mut Vec::new(), visit)
        .expect("bounds are small");
    found
}

fn check(with_max: bool, with_moves: bool) {
    let mut dice = Dice(11);
    let configurations = all_configurations();
    for _ in 0..1500 {
        let rule = compile(dice.transition(with_max, with_moves));
        let zone = Zone { control: ControlId(0), bounds: dice.bounds(with_max) };
        let zone = encode(&zone, N_COUNTERS).expect("bounds are small");
        for configuration in &configurations {
            let forward = has_successor_in(&rule, configuration, &zone);
            let backward = lies_in_predecessor(&rule, configuration, &zone);
            // With ceilings and moves predecessors may be too large, never too small.
            let may_be_larger = with_max && with_moves;
            assert!(
                forward == backward || (may_be_larger && backward),
                "{rule:?}\nzone {zone:?}\nconfiguration {configuration:?}: {forward} {backward}"
            );
        }
    }
}

#[test]
fn plain_rules_are_the_same_relation_both_ways() {
    check(false, false);
}

#[test]
fn transfers_and_resets_are_the_same_relation_both_ways() {
    check(false, true);
}

#[test]
fn upper_bounds_are_the_same_relation_both_ways() {
    check(true, false);
}

#[test]
fn predecessors_with_transfers_and_upper_bounds_miss_nothing() {
    check(true, true);
}
