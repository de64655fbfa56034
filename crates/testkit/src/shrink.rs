//! Makes a failing random system small: drops and lowers what can go while the
//! failure persists, greedily, until nothing can.

use model::{CounterSystem, Multiplicity};

use crate::random::System;
use crate::random::program::RandomProgram;

/// The smallest system that greedy steps lead to and that still fails.
pub fn shrink(system: &System, fails: &mut dyn FnMut(&System) -> bool) -> System {
    let mut current = system.clone();
    while let Some(smaller) = candidates(&current).into_iter().find(|system| fails(system)) {
        current = smaller;
    }
    current
}

/// Systems that are smaller in one respect.
fn candidates(system: &System) -> Vec<System> {
    match system {
        System::Counters(counters) => {
            smaller_counters(counters).into_iter().map(System::Counters).collect()
        }
        System::Threads(program) => {
            smaller_programs(program).into_iter().map(System::Threads).collect()
        }
    }
}

fn smaller_counters(system: &CounterSystem) -> Vec<CounterSystem> {
    let mut smaller = Changes::new(system);
    smaller.drop_each(|s| &mut s.transitions, 0);
    smaller.drop_each(|s| &mut s.targets, 1);
    smaller.drop_each(|s| &mut s.initial, 1);
    for idx in 0..system.transitions.len() {
        smaller.drop_each(|s| &mut s.transitions[idx].moves, 0);
        smaller.drop_each(|s| &mut s.transitions[idx].guard, 0);
        smaller.drop_each(|s| &mut s.transitions[idx].delta, 0);
        for entry in 0..system.transitions[idx].moves.len() {
            smaller.drop_each(|s| &mut s.transitions[idx].moves[entry].to, 0);
        }
        for entry in 0..system.transitions[idx].delta.len() {
            smaller.change(|s| {
                let delta = &mut s.transitions[idx].delta[entry].1;
                let lowered = *delta - delta.signum();
                let lower = lowered != 0;
                *delta = if lower { lowered } else { *delta };
                lower
            });
        }
    }
    for idx in 0..system.initial.len() {
        smaller.drop_each(|s| &mut s.initial[idx].bounds, 0);
        for entry in 0..system.initial[idx].bounds.len() {
            smaller.change(|s| {
                let bounds = &mut s.initial[idx].bounds[entry].1;
                let lower = bounds.min > 0;
                bounds.min = bounds.min.saturating_sub(1);
                bounds.max = bounds.max.map(|max| max.saturating_sub(1));
                lower
            });
        }
    }
    for idx in 0..system.targets.len() {
        smaller.drop_each(|s| &mut s.targets[idx].zone.bounds, 0);
        for entry in 0..system.targets[idx].zone.bounds.len() {
            smaller.lower(|s| &mut s.targets[idx].zone.bounds[entry].1.min, 1);
        }
    }
    smaller.systems
}

fn smaller_programs(program: &RandomProgram) -> Vec<RandomProgram> {
    let mut smaller = Changes::new(program);
    smaller.drop_each(|p| &mut p.steps, 0);
    smaller.drop_each(|p| &mut p.templates, 1);
    smaller.drop_each(|p| &mut p.initial_shared, 1);
    for idx in 0..program.shapes.len() {
        smaller.change(|p| {
            p.shapes.remove(idx);
            p.fits.remove(idx);
            true
        });
        for slot in 0..program.shapes[idx].slots.len() {
            smaller.lower(|p| &mut p.shapes[idx].slots[slot], 1);
            smaller.drop_each(|p| &mut p.fits[idx].1[slot], 1);
        }
        smaller.drop_each(|p| &mut p.fits[idx].0, 1);
    }
    for idx in 0..program.steps.len() {
        smaller.drop_each(|p| &mut p.steps[idx].spawned, 0);
        smaller.change(|p| p.steps[idx].broadcast.take().is_some());
        smaller.change(|p| std::mem::take(&mut p.steps[idx].is_violation));
    }
    for broadcast in 0..program.broadcasts.len() {
        smaller.drop_each(|p| &mut p.broadcasts[broadcast], 0);
        for entry in 0..program.broadcasts[broadcast].len() {
            smaller.drop_each(|p| &mut p.broadcasts[broadcast][entry].1, 1);
        }
    }
    for idx in 0..program.templates.len() {
        smaller.drop_each(|p| &mut p.templates[idx].initial, 1);
        smaller.change(|p| match &mut p.templates[idx].multiplicity {
            Multiplicity::Exactly(n) if *n > 0 => {
                *n -= 1;
                true
            }
            _ => false,
        });
    }
    smaller.systems
}

/// Collects changed copies of one system.
struct Changes<'a, S> {
    original: &'a S,
    systems: Vec<S>,
}

impl<'a, S: Clone> Changes<'a, S> {
    fn new(original: &'a S) -> Changes<'a, S> {
        Changes { original, systems: Vec::new() }
    }

    /// Adds a copy if `change` says that it changed something.
    fn change(&mut self, change: impl FnOnce(&mut S) -> bool) {
        let mut copy = self.original.clone();
        if change(&mut copy) {
            self.systems.push(copy);
        }
    }

    /// Adds a copy without each of the elements, unless fewer than `keep` stay.
    fn drop_each<T>(&mut self, list: impl Fn(&mut S) -> &mut Vec<T>, keep: usize) {
        let n_elements = list(&mut self.original.clone()).len();
        for idx in (0..n_elements).filter(|_| n_elements > keep) {
            self.change(|system| {
                list(system).remove(idx);
                true
            });
        }
    }

    /// Adds a copy with a smaller number, unless it is at `least` already.
    fn lower(&mut self, number: impl Fn(&mut S) -> &mut u32, least: u32) {
        self.change(|system| {
            let number = number(system);
            let can_lower = *number > least;
            *number -= u32::from(can_lower);
            can_lower
        });
    }
}

#[cfg(test)]
mod tests {
    use super::shrink;
    use crate::random::{System, system};

    #[test]
    fn what_does_not_matter_goes_away() {
        let large = system(3);
        let small = shrink(&large, &mut |system| match system {
            System::Counters(counters) => counters.transitions.len() >= 2,
            System::Threads(_) => false,
        });
        let System::Counters(counters) = small else { panic!("seed 3 is a counter system") };
        assert_eq!(counters.transitions.len(), 2);
        assert!(counters.transitions.iter().all(|t| t.delta.is_empty() && t.guard.is_empty()));
        assert!(counters.initial.iter().all(|zone| zone.bounds.is_empty()));
    }
}
