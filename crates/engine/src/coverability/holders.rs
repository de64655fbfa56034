//! Which counters can hold a token before each step of a schedule, whatever it starts
//! with: zones that need others are out of reach, and among the choices of a transfer
//! they are many.
//!
//! Only the changes are written down, so a schedule of n steps that each fill one more
//! counter costs n and not n².

use model::{InitialZone, TransitionId};
use rustc_hash::FxHashMap;

use super::rules::{Effect, Rule, Rules};

/// When each counter can hold a token.
pub struct Holders {
    /// Per counter that ever can, the steps before which that changes, in order: from
    /// the first on it can, from the second on it cannot, and so on.
    changes: FxHashMap<u32, Vec<usize>>,
}

impl Holders {
    /// The holders along `schedule`, from a configuration in `initial`.
    pub fn of(initial: &InitialZone, rules: &Rules, schedule: &[TransitionId]) -> Holders {
        let mut holders = Holders { changes: FxHashMap::default() };
        for (counter, _) in &initial.bounds {
            holders.set(counter.0, true, 0);
        }
        for (step_idx, id) in schedule.iter().enumerate() {
            holders.fire(&rules.rules[id.idx()], step_idx + 1);
        }
        holders
    }

    /// Can the counter hold a token before step `step_idx`?
    pub fn can_hold(&self, counter: u32, step_idx: usize) -> bool {
        let changes = self.changes.get(&counter);
        changes.is_some_and(|all| all.partition_point(|at| *at <= step_idx) % 2 == 1)
    }

    /// Notes what is different before step `next` because `rule` has fired.
    fn fire(&mut self, rule: &Rule, next: usize) {
        let mut filled: Vec<u32> =
            rule.effects.iter().chain(&rule.moved).filter_map(gained).collect();
        let held = |holders: &Holders, counter: u32| {
            holders.changes.get(&counter).is_some_and(|all| all.len() % 2 == 1)
        };
        for (_, to) in rule.moves.iter().filter(|(from, _)| held(self, *from)) {
            filled.extend(to);
        }
        for (from, _) in rule.moves.iter().filter(|(from, _)| !filled.contains(from)) {
            self.set(*from, false, next);
        }
        filled.into_iter().for_each(|counter| self.set(counter, true, next));
    }

    fn set(&mut self, counter: u32, can: bool, from_step: usize) {
        let changes = self.changes.entry(counter).or_default();
        if (changes.len() % 2 == 1) != can {
            changes.push(from_step);
        }
    }
}

fn gained(effect: &Effect) -> Option<u32> {
    (effect.delta > 0).then_some(effect.counter)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::{
        Bounds, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Move,
        TransitionId,
    };

    use super::Holders;
    use crate::coverability::rules::Rules;

    const N_COUNTERS: u32 = 4;

    fn transition(moves: &[(u32, &[u32])], delta: &[(u32, i64)]) -> CounterTransition {
        let moves = moves.iter().map(|(from, to)| Move {
            from: CounterId(*from),
            to: to.iter().map(|to| CounterId(*to)).collect(),
        });
        CounterTransition {
            name: String::new(),
            span: None,
            from: ControlId(0),
            to: ControlId(0),
            guard: Vec::new(),
            moves: moves.collect(),
            delta: delta.iter().map(|(counter, n)| (CounterId(*counter), *n)).collect(),
        }
    }

    fn system() -> CounterSystem {
        CounterSystem {
            control_names: vec![String::new()],
            counter_names: (0..N_COUNTERS).map(|idx| idx.to_string()).collect(),
            transitions: vec![
                transition(&[], &[(0, -1), (1, 1)]),
                transition(&[(0, &[1, 2])], &[]),
                transition(&[(1, &[]), (2, &[2])], &[(3, 1)]),
                transition(&[(1, &[2]), (2, &[1])], &[]),
                transition(&[(3, &[0])], &[(3, 2)]),
                transition(&[(3, &[]), (0, &[])], &[]),
            ],
            initial: vec![InitialZone {
                control: ControlId(0),
                bounds: vec![(CounterId(0), Bounds::at_least(0))],
            }],
            targets: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// The sets themselves, step by step.
    fn naive(system: &CounterSystem, schedule: &[TransitionId]) -> Vec<BTreeSet<u32>> {
        let mut all = vec![BTreeSet::from([0])];
        for id in schedule {
            let transition = &system.transitions[id.idx()];
            let mut after = BTreeSet::new();
            for counter in all.last().expect("a first one") {
                match transition.moves.iter().find(|step| step.from.0 == *counter) {
                    Some(step) => after.extend(step.to.iter().map(|to| to.0)),
                    None => after.extend([*counter]),
                }
            }
            let gains = transition.delta.iter().filter(|(_, delta)| *delta > 0);
            after.extend(gains.map(|(counter, _)| counter.0));
            all.push(after);
        }
        all
    }

    #[test]
    fn changes_say_what_the_sets_before_each_step_say() {
        let system = system();
        let rules = Rules::new(&system);
        let n_rules = system.transitions.len() as u32;
        for code in 0..n_rules.pow(5) {
            let schedule: Vec<TransitionId> =
                (0..5).map(|place| TransitionId(code / n_rules.pow(place) % n_rules)).collect();
            let holders = Holders::of(&system.initial[0], &rules, &schedule);
            for (step_idx, held) in naive(&system, &schedule).iter().enumerate() {
                for counter in 0..N_COUNTERS {
                    let can = holders.can_hold(counter, step_idx);
                    assert_eq!(can, held.contains(&counter), "{schedule:?} {step_idx} {counter}");
                }
            }
        }
    }
}
