//! Produces what a proof is checked against: initial zones, rules and forbidden
//! zones, all from the front end, restricted to the proof's reach.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Bounds, Certificate, ControlId, CounterId, CounterSystem, InitialZone, LabelId, Problem,
    Vocabulary, Zone,
};

use crate::budget::Budget;
use crate::initial;
use crate::predecessor::predecessors;
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
    /// The program does not know all steps of a thread there.
    Gap,
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
                if let Some(what) = program.requirements().beyond_targets() {
                    return Err(Rejection::TargetNotExcluded { target: format!("no {what}") });
                }
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
            for zone in leaving.zones(rule)? {
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
            (Problem::Threads(program), Origin::Step(label)) => {
                program.narrator().label(label).text
            }
            _ => String::new(),
        };
        Rejection::NotInductive { step, why: why.into() }
    }

    /// The rejection of a proof because it leaves `forbidden` possible.
    pub(crate) fn not_excluded(&self, forbidden: &Forbidden) -> Rejection {
        let target = match (self.problem, forbidden.blame) {
            (Problem::Counters(system), Blame::Target(idx)) => system.targets[idx].name.clone(),
            (Problem::Threads(program), Blame::Target(idx)) => {
                program.requirements().targets()[idx].name.clone()
            }
            (Problem::Threads(program), Blame::Step(label)) => program.narrator().label(label).text,
            (Problem::Threads(_), Blame::Gap) => "steps that the program does not know".to_owned(),
            (Problem::Counters(_), Blame::Step(_) | Blame::Gap)
            | (Problem::States(_) | Problem::ThreadRuns(_) | Problem::Parameterized(_), _) => {
                String::new()
            }
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
    /// Zones that together contain every configuration from which the rule leads out of
    /// reach.
    fn zones(&mut self, rule: &Rule) -> Result<Vec<Zone>, Rejection> {
        let reach = self.reach;
        let before = |bounds| -> Result<Vec<Zone>, Rejection> {
            let zones = predecessors(rule, &Zone { control: rule.to, bounds })?;
            Ok(zones.into_iter().filter(|zone| reach.restrict(zone.clone()).is_some()).collect())
        };
        if !reach.has_control(rule.to) {
            return before(Vec::new());
        }
        let lost = self.lost.entry((rule.from, rule.to)).or_insert_with(|| {
            let all = reach.counters(rule.from).iter().copied();
            all.filter(|&counter| !reach.contains(rule.to, counter)).collect()
        });
        let added = rule.delta.iter().filter(|entry| entry.1 > 0).map(|entry| entry.0);
        let filled = rule.moves.iter().flat_map(|entry| entry.to.iter().copied());
        let outside = added.chain(filled).filter(|&counter| !reach.contains(rule.to, counter));
        let outside: BTreeSet<CounterId> = outside.chain(lost.iter().copied()).collect();
        let mut zones = Vec::new();
        for counter in outside {
            zones.extend(before(vec![(counter, Bounds::at_least(1))])?);
        }
        Ok(zones)
    }
}
