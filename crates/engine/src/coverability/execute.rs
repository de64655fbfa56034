//! A schedule executed with as few tokens as it can do with.
//!
//! Walking the schedule backward from its target gives, before each step, the
//! zones from which the rest of the schedule reaches the target. The smallest of
//! those at the start tells the initial counts; walking forward then, each split
//! of moved tokens is chosen so that the next configuration lies in such a zone.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use model::{
    Configuration, CounterId, CounterStep, CounterSystem, CounterTrace, InitialZone, StopReason,
    TransitionId,
};

use super::flow::TokenFlow;
use super::holders::Holders;
use super::rules::precede::{self, CEILING_BASE, Preceding};
use super::rules::{Effect, Rule, Rules};
use super::slice::Schedule;
use crate::kernel::sparse::{entry, idx_of, le, sum, to_configuration, value_at, value_of};

/// Zones kept before each step. Choices multiply only where transfers join
/// several counters.
pub const FEW_ZONES: usize = 64;
/// Zones kept when few were not enough, and the schedule must not be given up.
pub const MANY_ZONES: usize = 20_000;

/// Executes `schedule`; `None` if it cannot be (a step is not enabled, or the
/// target is missed), or if that takes more than `max_zones` zones at a step. Adds to
/// `work` what it took: steps, and bounds of zones.
pub fn execute(
    system: &CounterSystem,
    rules: &Rules,
    schedule: &Schedule,
    max_zones: usize,
    work: &mut u64,
) -> Result<Option<CounterTrace>, StopReason> {
    let initial = &system.initial[schedule.initial];
    *work += 1 + schedule.transitions.len() as u64;
    if !is_connected(system, rules, schedule) {
        return Ok(None);
    }
    let Some(zones) = zones_before(system, rules, schedule, max_zones, work)? else {
        return Ok(None);
    };
    let starts = zones[0].iter().filter_map(|zone| start(initial, zone, rules.n_counters));
    let Some(mut vector) = starts.min_by_key(|vector| (sum(vector), vector.clone())) else {
        return Ok(None);
    };
    let mut control = initial.control.0;
    let mut trace = CounterTrace {
        initial: to_configuration(control, &vector),
        steps: Vec::new(),
        target: schedule.target,
    };
    for (idx, id) in schedule.transitions.iter().enumerate() {
        let rule = &rules.rules[id.idx()];
        let next = zones[idx + 1].iter().find_map(|goal| fire_into(rules, id.idx(), &vector, goal));
        let Some((after, split)) = next else { return Ok(None) };
        control = rule.to;
        vector = after;
        let choices = split.into_iter().filter(|(_, _, amount)| *amount > 0);
        trace.steps.push(CounterStep {
            transition: *id,
            choices: choices.map(|(f, t, n)| (CounterId(f), CounterId(t), n)).collect(),
            after: to_configuration(control, &vector),
        });
    }
    Ok(Some(trace))
}

/// Do the control states along the schedule fit together?
fn is_connected(system: &CounterSystem, rules: &Rules, schedule: &Schedule) -> bool {
    let mut control = system.initial[schedule.initial].control.0;
    let mut fits = |id: &TransitionId| {
        let rule = &rules.rules[id.idx()];
        std::mem::replace(&mut control, rule.to) == rule.from
    };
    schedule.transitions.iter().all(&mut fits)
        && control == system.targets[schedule.target].zone.control.0
}

/// Number of tokens a configuration holds.
pub fn n_tokens(configuration: &Configuration) -> u64 {
    configuration.counts.iter().filter_map(|(_, count)| count.as_finite()).map(u64::from).sum()
}

type Zones = BTreeSet<(u32, Vec<u64>)>;

/// For each step, and for the end, zones from which the rest of the schedule
/// leads to the target, smallest first.
fn zones_before(
    system: &CounterSystem,
    rules: &Rules,
    schedule: &Schedule,
    max_zones: usize,
    work: &mut u64,
) -> Result<Option<Vec<Vec<Vec<u64>>>>, StopReason> {
    let target = &system.targets[schedule.target].zone;
    let mut all = vec![vec![precede::encode(target, rules.n_counters)?]];
    let mut buffer = Vec::new();
    // Without moves there is one zone before each step, and no choice to make.
    let has_moves = schedule.transitions.iter().any(|id| !rules.rules[id.idx()].moves.is_empty());
    let initial = &system.initial[schedule.initial];
    let holders = has_moves.then(|| Holders::of(initial, rules, &schedule.transitions));
    for (step_idx, id) in schedule.transitions.iter().enumerate().rev() {
        let can_hold = |counter: u32| {
            holders.as_ref().is_none_or(|holders| holders.can_hold(counter, step_idx))
        };
        let mut before: Zones = BTreeSet::new();
        for zone in all.last().expect("starts with the target") {
            let rule = &rules.rules[id.idx()];
            let keep = &mut |zone: &[u64]| {
                *work += 1 + zone.len() as u64;
                let mut needed = zone.iter().map(|&e| idx_of(e)).filter(|&c| c < rules.n_counters);
                if !needed.all(can_hold) {
                    return ControlFlow::Continue(());
                }
                before.insert((sum(zone), zone.to_vec()));
                if before.len() > max_zones {
                    before.pop_last();
                }
                ControlFlow::Continue(())
            };
            let preceding = Preceding { rule, n_counters: rules.n_counters, can_hold: &can_hold };
            preceding.for_each(zone, &mut buffer, keep)?;
        }
        if before.is_empty() {
            return Ok(None);
        }
        all.push(minimal(before));
    }
    all.reverse();
    Ok(Some(all))
}

fn minimal(zones: Zones) -> Vec<Vec<u64>> {
    let mut kept: Vec<Vec<u64>> = Vec::new();
    for (_, zone) in zones {
        if !kept.iter().any(|small| le(small, &zone)) {
            kept.push(zone);
        }
    }
    kept
}

/// The smallest initial configuration inside of `zone`.
pub fn start(initial: &InitialZone, zone: &[u64], n_counters: u32) -> Option<Vec<u64>> {
    let mut vector: Vec<u64> = Vec::new();
    for (counter, bounds) in &initial.bounds {
        let wanted = bounds.min.max(value_at(zone, counter.0));
        if bounds.max.is_some_and(|max| max < wanted) {
            return None;
        }
        if wanted > 0 {
            vector.push(entry(counter.0, wanted));
        }
    }
    contains(zone, &vector, n_counters).then_some(vector)
}

/// Is the configuration `vector` inside of `zone`?
pub fn contains(zone: &[u64], vector: &[u64], n_counters: u32) -> bool {
    zone.iter().all(|&e| {
        if idx_of(e) < n_counters {
            value_at(vector, idx_of(e)) >= value_of(e)
        } else {
            value_at(vector, idx_of(e) - n_counters) <= CEILING_BASE - value_of(e)
        }
    })
}

type Fired = (Vec<u64>, Vec<(u32, u32, u32)>);

/// Fires a rule so that the result lies in `goal`, if it can.
fn fire_into(rules: &Rules, rule_idx: usize, vector: &[u64], goal: &[u64]) -> Option<Fired> {
    let rule = &rules.rules[rule_idx];
    let have = |counter: u32| i64::from(value_at(vector, counter));
    let mut needs = rule.effects.iter().chain(&rule.moved);
    if needs.any(|effect| have(effect.counter) < i64::from(effect.need))
        || rule.caps.iter().any(|(counter, cap)| have(*counter) > i64::from(*cap))
    {
        return None;
    }
    let (landed, split) = transport(rule, vector, goal);
    let plain = rule.effects.iter().map(|e| (e.counter, have(e.counter) + e.delta));
    let moved = rule.moved.iter().zip(&landed).map(|(e, n)| (e.counter, n + e.delta));
    let changed: Vec<(u32, i64)> = plain.chain(moved).collect();
    let is_changed = |counter: u32| changed.iter().any(|(c, _)| *c == counter);
    let mut after: Vec<u64> = vector.iter().copied().filter(|&e| !is_changed(idx_of(e))).collect();
    for (counter, value) in changed {
        let value = u32::try_from(value).ok().filter(|value| *value < CEILING_BASE)?;
        if value > 0 {
            after.push(entry(counter, value));
        }
    }
    after.sort_unstable();
    contains(goal, &after, rules.n_counters).then_some((after, split))
}

/// Divides moved tokens so that every destination gets what `goal` demands of
/// it, if that is possible: a flow, found by augmenting. Tells what lands on
/// each counter of `rule.moved`, and the splits.
fn transport(rule: &Rule, vector: &[u64], goal: &[u64]) -> (Vec<i64>, Vec<(u32, u32, u32)>) {
    let slot = |counter: u32| {
        let at = rule.moved.binary_search_by_key(&counter, |effect| effect.counter);
        at.expect("all counters of moves are listed")
    };
    let is_source = |counter: u32| rule.moves.iter().any(|(from, _)| *from == counter);
    let have = |counter: u32| i64::from(value_at(vector, counter));
    let stays = |counter: u32| if is_source(counter) { 0 } else { have(counter) };
    let mut landed: Vec<i64> = rule.moved.iter().map(|effect| stays(effect.counter)).collect();
    let mut flow = TokenFlow {
        destinations: Vec::new(),
        left: Vec::new(),
        given: Vec::new(),
        lacking: Vec::new(),
    };
    for (from, to) in &rule.moves {
        if let [only] = to[..] {
            landed[slot(only)] += have(*from);
        }
        let is_choice = to.len() > 1;
        flow.destinations.push(if is_choice {
            to.iter().map(|t| slot(*t)).collect()
        } else {
            vec![]
        });
        flow.left.push(if is_choice { have(*from) } else { 0 });
        flow.given.push(vec![0; to.len()]);
    }
    let demand = |effect: &Effect| i64::from(value_at(goal, effect.counter)) - effect.delta;
    let lacking = rule.moved.iter().zip(&landed).map(|(e, n)| (demand(e).max(0) - n).max(0));
    flow.lacking = lacking.collect();
    flow.saturate();
    flow.give_rest_to_first();
    let mut split = Vec::new();
    for ((from, to), given) in
        rule.moves.iter().zip(&flow.given).filter(|((_, to), _)| to.len() > 1)
    {
        for (destination, amount) in to.iter().zip(given) {
            landed[slot(*destination)] += amount;
            split.push((*from, *destination, *amount as u32));
        }
    }
    (landed, split)
}
