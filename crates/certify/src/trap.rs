//! Decides whether a trap is marked at the start and stays marked.

use model::{CounterId, InitialZone, Trap};

use crate::budget::Budget;
use crate::rejection::Rejection;
use crate::rule::Rule;
use crate::system::System;

/// Is `trap` marked in every reachable configuration?
pub(crate) fn check(
    trap: &Trap,
    system: &System<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    if !system.initial.iter().all(|zone| is_marked_initially(trap, zone)) {
        let why = "a trap is not marked in it".to_owned();
        return Err(Rejection::InitialNotCovered { why });
    }
    for rule in &system.rules {
        budget.tick()?;
        if !puts(trap, rule) && takes(trap, rule) {
            return Err(system.broken(rule, "it may empty a trap"));
        }
    }
    Ok(())
}

fn is_marked_initially(trap: &Trap, zone: &InitialZone) -> bool {
    trap.controls.binary_search(&zone.control).is_ok()
        || zone.bounds.iter().any(|&(c, bounds)| bounds.min > 0 && has(trap, c))
}

/// Is the trap marked after every firing of the rule?
fn puts(trap: &Trap, rule: &Rule) -> bool {
    trap.controls.binary_search(&rule.to).is_ok()
        || rule.delta.iter().any(|&(c, change)| change > 0 && has(trap, c))
        || rule.guard.iter().any(|&(c, bounds)| match rule.destinations(c) {
            // A counter that is not moved keeps what the guard asked for.
            None => has(trap, c) && i128::from(bounds.min) + i128::from(rule.delta_of(c)) > 0,
            Some(to) => rule.moving(c).min > 0 && all_stay(trap, rule, to),
        })
}

/// May the rule take a token out of the trap?
fn takes(trap: &Trap, rule: &Rule) -> bool {
    trap.controls.binary_search(&rule.from).is_ok()
        || rule.held.is_some_and(|held| has(trap, held))
        || rule.delta.iter().any(|&(c, change)| change < 0 && has(trap, c))
        || rule.moves.iter().any(|entry| has(trap, entry.from) && !all_stay(trap, rule, &entry.to))
}

/// Does a token that moves to one of these counters surely mark the trap?
fn all_stay(trap: &Trap, rule: &Rule, to: &[CounterId]) -> bool {
    !to.is_empty() && to.iter().all(|&c| has(trap, c) && rule.delta_of(c) >= 0)
}

fn has(trap: &Trap, counter: CounterId) -> bool {
    trap.counters.binary_search(&counter).is_ok()
}

#[cfg(test)]
mod tests {
    use model::{ControlId, Trap};

    use super::{has, puts, takes};
    use crate::naive::{Random, boxed, fire};

    #[test]
    fn a_trap_that_a_rule_keeps_stays_marked_in_every_firing() {
        let mut random = Random(1);
        let mut n_kept = 0;
        for _ in 0..5000 {
            let rule = random.rule();
            let controls = (0..2).filter(|_| random.chance(4)).map(ControlId).collect();
            let trap = Trap { controls, counters: random.counters() };
            if !puts(&trap, &rule) && takes(&trap, &rule) {
                continue;
            }
            n_kept += 1;
            let is_marked = |control: ControlId, counts: &[u32]| {
                let mut set = (0..).zip(counts).filter(|entry| *entry.1 > 0);
                trap.controls.contains(&control)
                    || set.any(|entry| has(&trap, model::CounterId(entry.0)))
            };
            for counts in boxed(4).into_iter().filter(|counts| is_marked(rule.from, counts)) {
                let is_kept = fire(&rule, &counts).iter().all(|after| is_marked(rule.to, after));
                assert!(is_kept, "{counts:?} {rule:?} {trap:?}");
            }
        }
        assert!(n_kept > 500, "{n_kept}");
    }
}
