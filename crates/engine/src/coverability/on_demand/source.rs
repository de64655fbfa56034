//! The rules of a thread program, each made when a search first comes to the thread state
//! that it leaves.
//!
//! Control states and counters have numbers in the order in which the searches meet their
//! stores. A broadcast moves whoever is there, and new local stores keep turning up, so its
//! rule is compiled anew whenever a configuration has one that it does not speak of; what
//! it does to the others stays the same.

use std::cell::RefCell;

use model::{Bounds, BroadcastId, ControlId, CounterId, CounterTransition, InitialZone, Move};
use rustc_hash::{FxHashMap, FxHashSet};

use super::filling::{Token, filling};
use crate::coverability::lower::effect::StepEffect;
use crate::coverability::rules::Rule;
use crate::coverability::rules::fire::CapReading;
use crate::coverability::rules::source::{RuleSource, TargetHit};
use crate::kernel::sparse::{idx_of, value_of};
use crate::kernel::step_table::{LocalId, SharedId, Taken};
use crate::kernel::thread_states::ThreadStates;

/// More counters than memory holds.
const MAX_COUNTERS: u32 = 1 << 31;
/// A counter that stays empty. Every broadcast moves it, so that none is ever taken for a
/// plain rule: whom it moves may not be known yet, and acceleration would repeat it as if
/// it moved nobody.
const NOBODY: CounterId = CounterId(MAX_COUNTERS - 1);

/// The rules met so far, with the thread states they come from.
pub struct OnDemandRules<'p> {
    /// The step table behind the rules, and the thread states listed beside the search.
    pub states: ThreadStates<'p>,
    /// Why there may be more steps than these.
    pub gap: Option<String>,
    pub(super) controls: Vec<Control>,
    pub(super) locals: Vec<LocalId>,
    pub(super) rules: Vec<Rule>,
    pub(super) steps: Vec<RuleStep>,
    /// The targets that were come to, by number.
    pub(super) hits: RefCell<Vec<Hit>>,
    initial: Vec<InitialZone>,
    control_of: FxHashMap<SharedId, u32>,
    counter_of: FxHashMap<LocalId, u32>,
    error: Option<u32>,
    leaving: FxHashMap<(u32, Option<u32>), Box<[u32]>>,
    broadcasts: FxHashMap<u32, Broadcasting>,
}

/// What a control state stands for.
pub(super) enum Control {
    /// A shared store.
    Shared {
        /// The store.
        store: SharedId,
        /// The targets of the program that it may be part of.
        targets: Box<[usize]>,
    },
    /// A step was an error.
    Error,
    /// The sender of a broadcast was taken, the others are still to move.
    Halfway,
}

/// What is behind a rule.
#[derive(Clone, Copy)]
pub(super) struct RuleStep {
    /// The counter of the thread that steps; `None`: the environment.
    pub actor: Option<u32>,
    /// The step.
    pub taken: Taken,
    /// Is it the first of the two rules of a step?
    pub is_first_half: bool,
}

/// A target that a configuration was in.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Hit {
    /// The control state.
    pub control: u32,
    /// The target of the program; `None`: the error of a step.
    pub origin: Option<usize>,
    /// The threads that it takes.
    pub lower: Vec<u64>,
}

/// A rule that moves whoever is there.
struct Broadcasting {
    broadcast: BroadcastId,
    transition: CounterTransition,
    /// The counters that it speaks of.
    known: FxHashSet<u32>,
}

impl<'p> OnDemandRules<'p> {
    /// No rules so far; `initial` is where runs start, in the numbers of `states`.
    pub fn new(states: ThreadStates<'p>, initial: &[InitialZone]) -> OnDemandRules<'p> {
        let mut rules = OnDemandRules {
            states,
            gap: None,
            controls: Vec::new(),
            locals: Vec::new(),
            rules: Vec::new(),
            steps: Vec::new(),
            hits: RefCell::default(),
            initial: Vec::new(),
            control_of: FxHashMap::default(),
            counter_of: FxHashMap::default(),
            error: None,
            leaving: FxHashMap::default(),
            broadcasts: FxHashMap::default(),
        };
        for zone in initial {
            let zone = rules.renumbered(zone);
            rules.initial.push(zone);
        }
        rules
    }

    /// Only the listed thread states.
    pub fn into_states(self) -> ThreadStates<'p> {
        self.states
    }

    /// Forgets all rules and where runs start; the listed thread states stay.
    pub fn forget(&mut self) {
        let none = ThreadStates::new(self.states.table.program());
        let states = std::mem::replace(&mut self.states, none);
        *self = OnDemandRules::new(states, &[]);
    }

    /// The counter of a local store.
    pub(super) fn counter(&mut self, local: LocalId) -> u32 {
        *self.counter_of.entry(local).or_insert_with(|| {
            self.locals.push(local);
            self.locals.len() as u32 - 1
        })
    }

    /// Where a broadcast may move a thread, sorted.
    pub(super) fn passive(&mut self, broadcast: BroadcastId, counter: u32) -> Vec<u32> {
        let local = self.locals[counter as usize];
        let becomes = self.states.table.passive(broadcast, local).to_vec();
        let mut to: Vec<u32> = becomes.into_iter().map(|local| self.counter(local)).collect();
        to.sort_unstable();
        to
    }

    /// An initial zone of the listed thread states, in the numbers used here.
    fn renumbered(&mut self, zone: &InitialZone) -> InitialZone {
        let shared = self.states.shared_at(zone.control.0);
        let mut bounds: Vec<(CounterId, Bounds)> = Vec::new();
        for (place, bound) in &zone.bounds {
            let local = self.states.local_at(place.0);
            bounds.push((CounterId(self.counter(local)), *bound));
        }
        bounds.sort_unstable_by_key(|(counter, _)| *counter);
        InitialZone { control: ControlId(self.control(shared)), bounds }
    }

    fn control(&mut self, store: SharedId) -> u32 {
        if let Some(&control) = self.control_of.get(&store) {
            return control;
        }
        let requirements = self.states.table.program().requirements();
        let bytes = self.states.table.shared(store).bytes();
        let all = 0..requirements.targets().len();
        let targets = all.filter(|&target| requirements.target_shared(target, bytes)).collect();
        let control = self.new_control(Control::Shared { store, targets });
        self.control_of.insert(store, control);
        control
    }

    fn new_control(&mut self, control: Control) -> u32 {
        self.controls.push(control);
        self.controls.len() as u32 - 1
    }

    fn error_control(&mut self) -> u32 {
        let error = self.error.unwrap_or_else(|| self.new_control(Control::Error));
        self.error = Some(error);
        error
    }

    /// Makes the rules of a thread in a local store, or of the environment.
    fn expand(&mut self, control: u32, actor: Option<u32>) -> Box<[u32]> {
        let Control::Shared { store, .. } = self.controls[control as usize] else {
            return Box::default();
        };
        let local = actor.map(|counter| self.locals[counter as usize]);
        let answer = self.states.table.ask(store, local);
        if let Some(why) = self.states.table.incomplete(answer) {
            self.gap.get_or_insert_with(|| why.to_owned());
        }
        let all: Vec<Taken> = self.states.table.taken(answer).collect();
        all.into_iter().map(|taken| self.add(control, actor, taken)).collect()
    }

    /// Makes the rule of a step, or its two rules; the number of the first.
    fn add(&mut self, from: u32, actor: Option<u32>, taken: Taken) -> u32 {
        let active = actor.map(CounterId);
        let mut transition = CounterTransition {
            name: String::new(),
            span: None,
            from: ControlId(from),
            to: ControlId(from),
            guard: active.into_iter().map(|counter| (counter, Bounds::at_least(1))).collect(),
            moves: Vec::new(),
            delta: active.into_iter().map(|counter| (counter, -1)).collect(),
        };
        let whole = RuleStep { actor, taken, is_first_half: false };
        let Taken::Step(step) = taken else {
            transition.to = ControlId(self.error_control());
            return self.push(whole, transition);
        };
        if let Some(broadcast) = step.broadcast {
            transition.moves = self.moves_of_like(broadcast, actor);
        }
        let arrives = step.after.iter().chain(self.states.table.spawned(&step)).copied();
        let arrives: Vec<LocalId> = arrives.collect();
        let arrives = arrives.into_iter().map(|local| CounterId(self.counter(local)));
        let effect = StepEffect::of(active, arrives, &transition.moves);
        let first = effect.takes_sender_first.then(|| {
            let halfway = ControlId(self.new_control(Control::Halfway));
            let moves = std::mem::take(&mut transition.moves);
            let first = CounterTransition { to: halfway, ..transition.clone() };
            (transition.from, transition.moves) = (halfway, moves);
            transition.guard.clear();
            self.push(RuleStep { is_first_half: true, ..whole }, first)
        });
        transition.to = ControlId(self.control(step.to));
        transition.delta = effect.delta;
        let from = transition.from.0;
        let rule = self.push(whole, transition);
        if first.is_some() {
            self.leaving.insert((from, None), Box::new([rule]));
        }
        first.unwrap_or(rule)
    }

    /// The moves of a broadcast that are known at once: of the empty counter, and of threads
    /// like its sender, which decide what becomes of the sender.
    fn moves_of_like(&mut self, broadcast: BroadcastId, actor: Option<u32>) -> Vec<Move> {
        let like = actor.and_then(|actor| self.movement(broadcast, actor));
        like.into_iter().chain([Move { from: NOBODY, to: vec![NOBODY] }]).collect()
    }

    /// Where a broadcast moves the threads of a counter, if it moves them.
    fn movement(&mut self, broadcast: BroadcastId, counter: u32) -> Option<Move> {
        let to = self.passive(broadcast, counter);
        let to = (to != [counter]).then(|| to.into_iter().map(CounterId).collect())?;
        Some(Move { from: CounterId(counter), to })
    }

    fn push(&mut self, step: RuleStep, transition: CounterTransition) -> u32 {
        let rule = self.rules.len() as u32;
        self.rules.push(Rule::compile(&transition));
        self.steps.push(step);
        if let (false, Some(broadcast)) = (step.is_first_half, step.broadcast()) {
            let known = step.actor.into_iter().collect();
            self.broadcasts.insert(rule, Broadcasting { broadcast, transition, known });
        }
        rule
    }

    /// Lets a broadcast speak of all threads of a configuration.
    fn reach_all(&mut self, rule: u32, vector: &[u64]) {
        let Some(mut broadcasting) = self.broadcasts.remove(&rule) else { return };
        let n_known = broadcasting.known.len();
        for counter in vector.iter().map(|&e| idx_of(e)) {
            if broadcasting.known.insert(counter) {
                let movement = self.movement(broadcasting.broadcast, counter);
                broadcasting.transition.moves.extend(movement);
            }
        }
        if broadcasting.known.len() > n_known {
            broadcasting.transition.moves.sort_unstable_by_key(|step| step.from);
            self.rules[rule as usize] = Rule::compile(&broadcasting.transition);
        }
        self.broadcasts.insert(rule, broadcasting);
    }

    fn hit(&self, control: u32, vector: &[u64]) -> Option<Hit> {
        let (store, targets) = match &self.controls[control as usize] {
            Control::Shared { store, targets } => (*store, targets),
            Control::Error => return Some(Hit { control, origin: None, lower: Vec::new() }),
            Control::Halfway => return None,
        };
        let table = &self.states.table;
        let token = |&e: &u64| {
            let bytes = table.local(self.locals[idx_of(e) as usize]).bytes();
            Token { counter: idx_of(e), count: value_of(e), bytes }
        };
        let requirements = table.program().requirements();
        let shared = table.shared(store).bytes();
        targets.iter().find_map(|&target| {
            let tokens: Vec<Token<'_>> = vector.iter().map(token).collect();
            let lower = filling(requirements, target, shared, &tokens)?;
            Some(Hit { control, origin: Some(target), lower })
        })
    }
}

impl RuleStep {
    /// What it does to all other threads.
    pub fn broadcast(&self) -> Option<BroadcastId> {
        match self.taken {
            Taken::Step(step) => step.broadcast,
            Taken::Error(_) => None,
        }
    }
}

impl RuleSource for OnDemandRules<'_> {
    fn initial(&self) -> &[InitialZone] {
        &self.initial
    }

    /// Threads are counted from below only.
    fn is_monotone(&self) -> bool {
        true
    }

    fn n_counters(&self) -> u32 {
        MAX_COUNTERS
    }

    fn leaving(&mut self, control: u32, vector: &[u64], found: &mut Vec<u32>) -> u64 {
        let mut cost = 0;
        let first = found.len();
        for actor in std::iter::once(None).chain(vector.iter().map(|&e| Some(idx_of(e)))) {
            if let Some(rules) = self.leaving.get(&(control, actor)) {
                found.extend_from_slice(rules);
                continue;
            }
            let rules = self.expand(control, actor);
            cost += 1 + rules.len() as u64;
            found.extend_from_slice(&rules);
            self.leaving.insert((control, actor), rules);
        }
        if !self.broadcasts.is_empty() {
            found[first..].iter().for_each(|&rule| self.reach_all(rule, vector));
        }
        cost
    }

    fn rule(&self, rule: u32) -> &Rule {
        &self.rules[rule as usize]
    }

    fn target(&self, control: u32, vector: &[u64], _: CapReading) -> Option<TargetHit> {
        let hit = self.hit(control, vector)?;
        let lower = hit.lower.clone();
        let mut hits = self.hits.borrow_mut();
        hits.push(hit);
        Some(TargetHit { target: hits.len() - 1, lower })
    }
}
