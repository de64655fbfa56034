//! What a search by rules on demand found, for those who want a whole system: a run, with a
//! counter system around it, or a certificate.
//!
//! The counter system of a run has the rules of the run, and those that were made first: so
//! it is small, and yet the run can be shortened in it, by steps that are not on the run.
//! Whatever is a run of it is one of the program. Its broadcasts speak of every local store
//! that any run of it has; that is why those are closed under broadcasts first.

use model::{
    Bounds, BroadcastId, Certificate, Configuration, ControlId, CounterId, CounterSystem,
    CounterTransition, InitialZone, Limits, Move, Proof, StepLabel, StopReason, Store, Target,
    ThreadCount, TransitionId, Variant, Vocabulary, Zone,
};
use rustc_hash::FxHashMap;

use super::source::{Control, Hit, OnDemandRules, RuleStep};
use crate::coverability::lower::{Lowered, TransitionOrigin};
use crate::coverability::rules::Rule;
use crate::coverability::rules::source::RuleSource;
use crate::coverability::slice::Schedule;
use crate::kernel::sparse::{idx_of, value_of};
use crate::kernel::step_table::Taken;

/// Rules that are added to those of a run: what is near the start.
const RULES_BESIDE_RUN: usize = 2_000;

/// Local stores between two looks at the limits.
const LOCALS_BETWEEN_LOOKS: usize = 1024;

/// A run, and a counter system that it is in.
pub struct FoundRun {
    /// The counter system.
    pub lowered: Lowered,
    /// The run in it.
    pub schedule: Schedule,
}

/// Numbers given anew, in the order in which they are met.
#[derive(Default)]
struct Renumbering {
    order: Vec<u32>,
    new: FxHashMap<u32, u32>,
}

impl Renumbering {
    fn meet(&mut self, old: u32) -> u32 {
        *self.new.entry(old).or_insert_with(|| {
            self.order.push(old);
            self.order.len() as u32 - 1
        })
    }
}

impl OnDemandRules<'_> {
    /// A counter system with a schedule's steps, and the schedule in it.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn found_run(
        &mut self,
        schedule: &Schedule,
        limits: &Limits,
    ) -> Result<FoundRun, StopReason> {
        let hit = self.hits.borrow()[schedule.target].clone();
        let mut rules = Renumbering::default();
        let transitions: Vec<TransitionId> =
            schedule.transitions.iter().map(|id| TransitionId(rules.meet(id.0))).collect();
        (0..self.rules.len() as u32).take(RULES_BESIDE_RUN).for_each(|rule| _ = rules.meet(rule));
        let initial = self.initial()[schedule.initial].clone();
        let mut extract = Extract {
            source: self,
            controls: Renumbering::default(),
            counters: Renumbering::default(),
        };
        extract.meet_controls(initial.control.0, &rules.order);
        extract.meet_counters(&initial, &hit, &rules.order, limits)?;
        let lowered = extract.lowered(&initial, &hit, &rules.order);
        Ok(FoundRun { lowered, schedule: Schedule { initial: 0, transitions, target: 0 } })
    }

    /// A certificate for a complete coverability set.
    pub fn certificate(
        &mut self,
        configurations: Vec<Configuration>,
        scope: ThreadCount,
    ) -> Certificate {
        self.name_all_moves();
        let table = &self.states.table;
        let mut shared: Vec<Store> = Vec::new();
        let mut new: Vec<Option<ControlId>> = Vec::new();
        for control in &self.controls {
            let Control::Shared { store, .. } = control else {
                new.push(None);
                continue;
            };
            new.push(Some(ControlId(shared.len() as u32)));
            shared.push(table.shared(*store).clone());
        }
        let real = configurations.into_iter().filter_map(|configuration| {
            let control = new[configuration.control.idx()]?;
            Some(Configuration { control, ..configuration })
        });
        let proof = Proof::Cover { configurations: real.collect() };
        let local = self.locals.iter().map(|local| table.local(*local).clone()).collect();
        let vocabulary = Vocabulary::Threads { shared, local };
        Certificate { variant: Variant::AS_WRITTEN, scope, vocabulary, proof }
    }

    /// Numbers the local stores to which broadcasts may move threads of those that are known,
    /// also where no such thread is beside the sender: a certificate must name them.
    fn name_all_moves(&mut self) {
        let broadcasts = broadcasts_of(self.steps.iter());
        let n_known = self.locals.len() as u32;
        for broadcast in broadcasts {
            for counter in 0..n_known {
                self.passive(broadcast, counter);
            }
        }
    }
}

/// The part of a system that some rules make up.
struct Extract<'a, 'p> {
    source: &'a mut OnDemandRules<'p>,
    controls: Renumbering,
    counters: Renumbering,
}

impl Extract<'_, '_> {
    /// Numbers the control states: those that stand for shared stores come first.
    fn meet_controls(&mut self, initial: u32, rules: &[u32]) {
        let ends = rules.iter().map(|&rule| self.source.rule(rule));
        let all: Vec<u32> =
            std::iter::once(initial).chain(ends.flat_map(|rule| [rule.from, rule.to])).collect();
        let is_shared = |control: &u32| {
            matches!(self.source.controls[*control as usize], Control::Shared { .. })
        };
        let (shared, pseudo): (Vec<u32>, Vec<u32>) = all.into_iter().partition(is_shared);
        shared.into_iter().chain(pseudo).for_each(|control| {
            self.controls.meet(control);
        });
    }

    /// Numbers the counters, and closes them under the broadcasts.
    fn meet_counters(
        &mut self,
        initial: &InitialZone,
        hit: &Hit,
        rules: &[u32],
        limits: &Limits,
    ) -> Result<(), StopReason> {
        let start = initial.bounds.iter().map(|(counter, _)| counter.0);
        let end = hit.lower.iter().map(|&e| idx_of(e));
        start.chain(end).for_each(|counter| _ = self.counters.meet(counter));
        for &rule in rules {
            let needs = needs(self.source.rule(rule));
            let delta = delta(self.source.rule(rule));
            needs.chain(delta.map(|(counter, _)| counter)).for_each(|c| _ = self.counters.meet(c));
        }
        let steps = rules.iter().map(|&rule| &self.source.steps[rule as usize]);
        let broadcasts = broadcasts_of(steps);
        let mut at = 0;
        while at < self.counters.order.len() && !broadcasts.is_empty() {
            if at.is_multiple_of(LOCALS_BETWEEN_LOOKS) {
                limits.check()?;
            }
            for &broadcast in &broadcasts {
                let becomes = self.source.passive(broadcast, self.counters.order[at]);
                becomes.into_iter().for_each(|counter| _ = self.counters.meet(counter));
            }
            at += 1;
        }
        Ok(())
    }

    fn lowered(mut self, initial: &InitialZone, hit: &Hit, rules: &[u32]) -> Lowered {
        let transitions = rules.iter().map(|&rule| self.transition(rule)).collect();
        let origins = rules.iter().map(|&rule| self.origin(rule)).collect();
        let n_created = rules.iter().map(|&rule| self.n_created(rule)).collect();
        let (shared, local) = (self.shared(), self.local());
        let program = self.source.states.table.program();
        let narrator = program.narrator();
        let mut control_names: Vec<String> =
            shared.iter().map(|store| narrator.describe_shared(store.bytes())).collect();
        control_names.resize(self.controls.order.len(), "between steps".to_owned());
        let name = match hit.origin {
            Some(target) => program.requirements().targets()[target].name.clone(),
            None => "a step that is an error".to_owned(),
        };
        let lower = hit.lower.iter();
        let bounds = lower.map(|&e| (self.counter(idx_of(e)), Bounds::at_least(value_of(e))));
        let zone = Zone { control: self.control(hit.control), bounds: sorted(bounds) };
        let start = initial.bounds.iter().map(|(counter, b)| (self.counter(counter.0), *b));
        let initial =
            InitialZone { control: self.control(initial.control.0), bounds: sorted(start) };
        let system = CounterSystem {
            control_names,
            counter_names: local.iter().map(|l| narrator.describe_local(l.bytes())).collect(),
            transitions,
            initial: vec![initial],
            targets: vec![Target { name, span: None, zone }],
            hints: Vec::new(),
        };
        let target_origins = vec![hit.origin];
        let gap = self.source.gap.clone();
        Lowered { system, shared, local, origins, n_created, target_origins, gap }
    }

    fn control(&self, old: u32) -> ControlId {
        ControlId(self.controls.new[&old])
    }

    fn counter(&self, old: u32) -> CounterId {
        CounterId(self.counters.new[&old])
    }

    fn transition(&mut self, rule: u32) -> CounterTransition {
        let step = self.source.steps[rule as usize];
        let broadcast = step.broadcast().filter(|_| !step.is_first_half);
        let moves = broadcast.map_or_else(Vec::new, |broadcast| self.moves(broadcast));
        let label = self.label(&step.taken);
        let rule = self.source.rule(rule);
        // The second half of a step needs nobody: its sender was taken.
        let guard = needs(rule).map(|counter| (self.counter(counter), Bounds::at_least(1)));
        let delta = delta(rule).map(|(counter, change)| (self.counter(counter), change));
        CounterTransition {
            name: label.text,
            span: label.span,
            from: self.control(rule.from),
            to: self.control(rule.to),
            guard: sorted(guard),
            moves,
            delta: sorted(delta),
        }
    }

    fn label(&self, taken: &Taken) -> StepLabel {
        let narrator = self.source.states.table.program().narrator();
        narrator.label(match taken {
            Taken::Step(step) => step.label,
            Taken::Error(error) => error.label,
        })
    }

    fn moves(&mut self, broadcast: BroadcastId) -> Vec<Move> {
        let mut moves = Vec::new();
        for new in 0..self.counters.order.len() {
            let old = self.counters.order[new];
            let to = self.source.passive(broadcast, old);
            if to != [old] {
                let mut to: Vec<CounterId> = to.into_iter().map(|c| self.counter(c)).collect();
                to.sort_unstable();
                moves.push(Move { from: CounterId(new as u32), to });
            }
        }
        moves
    }

    fn origin(&self, rule: u32) -> TransitionOrigin {
        let step = &self.source.steps[rule as usize];
        if step.is_first_half {
            return TransitionOrigin::FirstHalf;
        }
        let step_idx = match step.taken {
            Taken::Step(step) => step.idx,
            Taken::Error(error) => error.idx,
        };
        let active = step.actor.map(|counter| self.counter(counter));
        TransitionOrigin::Step { active, step_idx: step_idx as usize }
    }

    fn n_created(&self, rule: u32) -> u32 {
        match self.source.steps[rule as usize] {
            step if step.is_first_half => 0,
            step => match step.taken {
                Taken::Step(step) => self.source.states.table.spawned(&step).len() as u32,
                Taken::Error(_) => 0,
            },
        }
    }

    fn shared(&self) -> Vec<Store> {
        let stores = self.controls.order.iter().filter_map(|&control| {
            match self.source.controls[control as usize] {
                Control::Shared { store, .. } => Some(store),
                Control::Error | Control::Halfway => None,
            }
        });
        stores.map(|store| self.source.states.table.shared(store).clone()).collect()
    }

    fn local(&self) -> Vec<Store> {
        let locals = self.counters.order.iter().map(|&old| self.source.locals[old as usize]);
        locals.map(|local| self.source.states.table.local(local).clone()).collect()
    }
}

/// The broadcasts of some steps, each once.
fn broadcasts_of<'s>(steps: impl Iterator<Item = &'s RuleStep>) -> Vec<BroadcastId> {
    let mut broadcasts: Vec<BroadcastId> = steps.filter_map(RuleStep::broadcast).collect();
    broadcasts.sort_unstable();
    broadcasts.dedup();
    broadcasts
}

/// The counters that a rule needs a thread in.
fn needs(rule: &Rule) -> impl Iterator<Item = u32> {
    let all = rule.effects.iter().chain(&rule.moved);
    all.filter(|effect| effect.need > 0).map(|effect| effect.counter)
}

/// What a rule adds to counters.
fn delta(rule: &Rule) -> impl Iterator<Item = (u32, i64)> {
    let all = rule.effects.iter().chain(&rule.moved);
    all.filter(|effect| effect.delta != 0).map(|effect| (effect.counter, effect.delta))
}

fn sorted<T>(entries: impl Iterator<Item = (CounterId, T)>) -> Vec<(CounterId, T)> {
    let mut entries: Vec<(CounterId, T)> = entries.collect();
    entries.sort_unstable_by_key(|(counter, _)| *counter);
    entries
}
