//! Produces what a proof is checked against: initial zones, rules and forbidden
//! zones, all from the front end, restricted to the proof's reach.

use std::collections::BTreeMap;

use model::{
    Bounds, Certificate, ControlId, CounterId, CounterSystem, InitialZone, LabelId, Problem,
    Vocabulary, Zone,
};

use crate::budget::Budget;
use crate::initial;
use crate::reach::Reach;
use crate::rejection::Rejection;
use crate::rule::{Origin, Rule};
use crate::targets;
use crate::threads::{Names, Steppers};

/// A problem as rules over control states and counters, within `reach`.
pub(crate) struct System<'a> {
    problem: Problem<'a>,
    pub reach: Reach,
    /// All rules that can fire within reach.
    pub rules: Vec<Rule>,
    /// None is empty. Counters that are not listed are zero.
    pub initial: Vec<InitialZone>,
    /// None is empty within reach.
    pub forbidden: Vec<Forbidden>,
}

/// Configurations that must not be reachable.
#[derive(Clone, Debug)]
pub(crate) struct Forbidden {
    pub blame: Blame,
    pub zone: Zone,
}

/// What is wrong with a forbidden configuration, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Blame {
    /// It is in a target, by index.
    Target(usize),
    /// It enables a step that is itself an error.
    Step(LabelId),
}

/// Where a rule may lead out of reach.
pub(crate) struct WayOut {
    by: Origin,
    /// Contains every configuration from which it does.
    pub zone: Zone,
}

impl<'a> System<'a> {
    /// Asks the front end for everything within `reach`.
    pub(crate) fn gather(
        problem: Problem<'a>,
        certificate: &Certificate,
        reach: Reach,
        budget: &Budget<'_>,
    ) -> Result<System<'a>, Rejection> {
        match (problem, &certificate.vocabulary) {
            (Problem::Counters(counters), Vocabulary::CounterSystem) => {
                Ok(System::of_counters(counters, reach))
            }
            (Problem::Threads(program), Vocabulary::Threads { shared, local }) => {
                let names = Names::new(shared, local);
                let initial = initial::zones(program, certificate.scope, &names)?;
                let mut forbidden = targets::zones(program, &names, &reach, budget)?;
                let mut steppers = Steppers::new(program, &names, &reach);
                steppers.gather(budget)?;
                let (rules, errors) = steppers.finish();
                forbidden.extend(errors);
                Ok(System { problem, reach, rules, initial, forbidden })
            }
            _ => Err(Rejection::malformed("the vocabulary is of another kind of system")),
        }
    }

    fn of_counters(counters: &'a CounterSystem, reach: Reach) -> System<'a> {
        let rules = counters.transitions.iter().enumerate().map(|(idx, transition)| Rule {
            origin: Origin::Transition(idx),
            from: transition.from,
            to: transition.to,
            guard: transition.guard.clone(),
            held: None,
            moves: transition.moves.clone(),
            delta: transition.delta.clone(),
        });
        let rules = rules.filter_map(|rule| rule.fit(&reach)).collect();
        let is_empty = |zone: &InitialZone| zone.bounds.iter().any(|entry| entry.1.is_empty());
        let initial = counters.initial.iter().filter(|zone| !is_empty(zone)).cloned().collect();
        let forbidden = counters.targets.iter().enumerate().filter_map(|(idx, target)| {
            let zone = reach.restrict(target.zone.clone())?;
            Some(Forbidden { blame: Blame::Target(idx), zone })
        });
        let forbidden = forbidden.collect();
        System { problem: Problem::Counters(counters), reach, rules, initial, forbidden }
    }

    /// Is every reachable configuration within reach?
    pub(crate) fn check_reach(&self, budget: &Budget<'_>) -> Result<(), Rejection> {
        match self.ways_out(budget)?.first() {
            Some(way) => Err(self.leads_out(way)),
            None => Ok(()),
        }
    }

    /// From where a rule leads out of reach; the initial configurations are within.
    pub(crate) fn ways_out(&self, budget: &Budget<'_>) -> Result<Vec<WayOut>, Rejection> {
        for zone in &self.initial {
            let can_be_set = |bounds: Bounds| bounds.max != Some(0);
            let mut set = zone.bounds.iter().filter(|entry| can_be_set(entry.1));
            if !self.reach.has_control(zone.control)
                || !set.all(|entry| self.reach.contains(zone.control, entry.0))
            {
                let why = "it is not within the support".to_owned();
                return Err(Rejection::InitialNotCovered { why });
            }
        }
        let mut leaving = Leaving { reach: &self.reach, lost: BTreeMap::new() };
        let mut ways = Vec::new();
        for rule in &self.rules {
            budget.tick()?;
            for zone in leaving.zones(rule) {
                budget.tick()?;
                ways.push(WayOut { by: rule.origin, zone });
            }
        }
        Ok(ways)
    }

    /// The rejection of a proof because of a way out of its reach.
    pub(crate) fn leads_out(&self, way: &WayOut) -> Rejection {
        self.broken_by(way.by, "the support is not closed")
    }

    /// The rejection of a proof because of `rule`.
    pub(crate) fn broken(&self, rule: &Rule, why: &str) -> Rejection {
        self.broken_by(rule.origin, why)
    }

    fn broken_by(&self, origin: Origin, why: &str) -> Rejection {
        let step = match (self.problem, origin) {
            (Problem::Counters(system), Origin::Transition(idx)) => {
                system.transitions[idx].name.clone()
            }
            (Problem::Threads(program), Origin::Step(label)) => program.label(label).text,
            _ => String::new(),
        };
        Rejection::NotInductive { step, why: why.into() }
    }

    /// The rejection of a proof because it leaves `forbidden` possible.
    pub(crate) fn not_excluded(&self, forbidden: &Forbidden) -> Rejection {
        let target = match (self.problem, forbidden.blame) {
            (Problem::Counters(system), Blame::Target(idx)) => system.targets[idx].name.clone(),
            (Problem::Threads(program), Blame::Target(idx)) => program.targets()[idx].name.clone(),
            (Problem::Threads(program), Blame::Step(label)) => program.label(label).text,
            (Problem::Counters(_), Blame::Step(_))
            | (Problem::States(_) | Problem::ThreadRuns(_), _) => String::new(),
        };
        Rejection::TargetNotExcluded { target }
    }
}

/// From where a rule leads out of reach. Rules are many, and pairs of control states
/// few: the counters that are lost between two are compared once.
struct Leaving<'a> {
    reach: &'a Reach,
    lost: BTreeMap<(ControlId, ControlId), Vec<CounterId>>,
}

impl Leaving<'_> {
    /// Zones that contain every configuration from which the rule leads out of reach.
    fn zones(&mut self, rule: &Rule) -> Vec<Zone> {
        let reach = self.reach;
        let adds_outside =
            rule.delta.iter().any(|&(c, change)| change > 0 && !reach.contains(rule.to, c));
        if !reach.has_control(rule.to) || adds_outside {
            return vec![Zone { control: rule.from, bounds: rule.guard.clone() }];
        }
        let lost = self.lost.entry((rule.from, rule.to)).or_insert_with(|| {
            let all = reach.counters(rule.from).iter().copied();
            all.filter(|&counter| !reach.contains(rule.to, counter)).collect()
        });
        let stays = lost.iter().filter(|&&counter| !becomes_zero(rule, counter));
        let stays = stays.map(|&counter| {
            // What is left after the rule is at least one.
            let fewest = 1i64.saturating_sub(rule.delta_of(counter));
            with_at_least(rule, counter, u32::try_from(fewest).unwrap_or(u32::MAX))
        });
        let moves = rule.moves.iter().filter(|entry| {
            rule.moving(entry.from).max != Some(0)
                && !entry.to.iter().all(|&counter| reach.contains(rule.to, counter))
        });
        let moves =
            moves.map(|entry| with_at_least(rule, entry.from, rule.held_of(entry.from) + 1));
        stays.chain(moves).collect()
    }
}

/// Where `rule` is enabled and there are at least so many tokens in `counter`.
fn with_at_least(rule: &Rule, counter: CounterId, fewest: u32) -> Zone {
    let mut bounds = rule.guard.clone();
    match bounds.binary_search_by_key(&counter, |entry| entry.0) {
        Ok(idx) => bounds[idx].1.min = bounds[idx].1.min.max(fewest),
        Err(idx) => bounds.insert(idx, (counter, Bounds::at_least(fewest))),
    }
    Zone { control: rule.from, bounds }
}

/// Is a counter surely emptied of the tokens it had, apart from tokens that move
/// back into it?
fn becomes_zero(rule: &Rule, counter: CounterId) -> bool {
    rule.destinations(counter).is_some()
        || rule
            .guard_of(counter)
            .max
            .is_some_and(|max| i128::from(max) + i128::from(rule.delta_of(counter)) <= 0)
}
