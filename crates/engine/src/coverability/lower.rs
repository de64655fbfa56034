//! A thread program as a counter system, discovered rather than enumerated.
//!
//! Shared stores become control states, local stores become counters. A pair of
//! a shared store and a local store is visited when it may occur together, by
//! this closure: a step of a visited pair visits the pair after it, and every
//! local that was visited with the shared store before is visited with the one
//! after (changed by the broadcast, if there is one). That is the set R of
//! thread-modular checking without views; it over-approximates what any number
//! of threads can reach, so nothing reachable is missing from the result.
//!
//! **Ends** when the program has finitely many stores; otherwise at the limits.

use std::collections::BTreeMap;

use model::{
    Bounds, BroadcastId, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone,
    Limits, Move, Multiplicity, StepRef, Steps, StopReason, Store, Target, ThreadCount,
    ThreadProgram, Zone,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::initial;

/// A lowered program: the counter system, and what its indices stand for.
pub struct Lowered {
    /// The counter system. Its control states are `shared`, then some that no
    /// shared store stands for: "a step was an error", and states halfway through
    /// a broadcast.
    pub system: CounterSystem,
    /// Shared stores, by control state.
    pub shared: Vec<Store>,
    /// Local stores, by counter.
    pub local: Vec<Store>,
    /// What is behind each transition.
    pub origins: Vec<TransitionOrigin>,
    /// How many threads each transition creates.
    pub n_created: Vec<u32>,
    /// The target of the program behind each target of the system (`None`: the
    /// error of a step).
    pub target_origins: Vec<Option<usize>>,
    /// Why there may be more steps than these, in some thread state that was visited.
    pub gap: Option<String>,
}

/// What becomes of thread states of which the program does not know all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// The steps that are known are taken: errors are found, but nothing is proven.
    Passed,
    /// To come to such a thread state is an error.
    Forbidden,
}

/// What is behind a transition of a lowered program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionOrigin {
    /// A step of the program.
    Step {
        /// The local store of the thread that takes it; `None`: the environment.
        active: Option<CounterId>,
        /// Its position in the program's answer.
        step_idx: usize,
    },
    /// The first half of the step that the next transition completes.
    FirstHalf,
}

/// Lowers `program` for the question of `threads` threads.
///
/// # Errors
/// When a limit is reached, or no run has that many threads.
pub fn lower(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    gaps: Gaps,
    limits: &Limits,
) -> Result<Lowered, StopReason> {
    let mut discovery = Discovery::new(program, limits);
    discovery.gaps = gaps;
    let initial = discovery.initial(threads)?;
    discovery.close()?;
    Ok(discovery.finish(initial))
}

/// Are the thread states of `program` that may occur at most `max`? Stops looking as soon
/// as it is clear that they are more.
///
/// # Errors
/// When a limit is reached, or no run has that many threads.
pub fn has_at_most(
    max: usize,
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    limits: &Limits,
) -> Result<bool, StopReason> {
    let mut discovery = Discovery::new(program, limits);
    discovery.max_visited = max;
    discovery.initial(threads)?;
    discovery.close()?;
    Ok(discovery.visited.len() <= max)
}

/// Lowers what `program` can do in these thread states, for any number of threads.
///
/// They must be closed under the steps of the thread that steps, and contain the
/// initial ones. What becomes of other threads is not followed: the counter system can
/// leave the thread states given, and whoever uses it must know what that means.
///
/// # Errors
/// When a limit is reached.
pub fn lower_within<'s>(
    program: &dyn ThreadProgram,
    thread_states: impl Iterator<Item = (&'s Store, &'s Store)>,
    limits: &Limits,
) -> Result<Lowered, StopReason> {
    let mut discovery = Discovery::new(program, limits);
    discovery.follows = false;
    let initial = discovery.initial(ThreadCount::Any)?;
    for (shared, local) in thread_states {
        let shared = discovery.intern_shared(shared.bytes());
        let local = discovery.local.intern(local.bytes()).0;
        discovery.visit(shared, local);
    }
    discovery.close()?;
    Ok(discovery.finish(initial))
}

struct Discovery<'a> {
    program: &'a dyn ThreadProgram,
    limits: &'a Limits,
    /// Are threads followed that do not step themselves?
    follows: bool,
    shared: Interner,
    local: Interner,
    /// Per shared store, the locals visited with it, in order of discovery.
    together: Vec<Vec<u32>>,
    visited: FxHashSet<(u32, u32)>,
    /// Per shared store, the stores that some step leads to from it, with the
    /// broadcast on the way.
    edges: Vec<Vec<(u32, Option<BroadcastId>)>>,
    known_edges: FxHashSet<(u32, u32, Option<BroadcastId>)>,
    pending: Vec<(u32, u32)>,
    pending_shared: Vec<u32>,
    found: Vec<FoundStep>,
    passive: FxHashMap<(BroadcastId, u32), Vec<u32>>,
    gaps: Gaps,
    gap: Option<String>,
    /// Thread states after which nobody wants to know more.
    max_visited: usize,
}

/// A step, in terms of indices.
struct FoundStep {
    from: u32,
    to: Option<u32>,
    active: Option<u32>,
    step_idx: usize,
    after: Option<u32>,
    spawned: Vec<u32>,
    broadcast: Option<BroadcastId>,
    name: String,
    span: Option<model::Span>,
}

/// The counter system while it is put together.
struct Built {
    control_names: Vec<String>,
    transitions: Vec<CounterTransition>,
    origins: Vec<TransitionOrigin>,
    n_created: Vec<u32>,
}

impl Built {
    fn pseudo_control(&mut self, name: &str) -> ControlId {
        self.control_names.push(name.to_string());
        ControlId((self.control_names.len() - 1) as u32)
    }
}

#[derive(Default)]
struct Interner {
    stores: Vec<Store>,
    ids: FxHashMap<Store, u32>,
}

impl Interner {
    fn intern(&mut self, bytes: &[u8]) -> (u32, bool) {
        let store = Store::new(bytes);
        if let Some(id) = self.ids.get(&store) {
            return (*id, false);
        }
        let id = self.stores.len() as u32;
        self.stores.push(store.clone());
        self.ids.insert(store, id);
        (id, true)
    }
}

impl<'a> Discovery<'a> {
    fn new(program: &'a dyn ThreadProgram, limits: &'a Limits) -> Discovery<'a> {
        Discovery {
            program,
            limits,
            follows: true,
            shared: Interner::default(),
            local: Interner::default(),
            together: Vec::new(),
            visited: FxHashSet::default(),
            edges: Vec::new(),
            known_edges: FxHashSet::default(),
            pending: Vec::new(),
            pending_shared: Vec::new(),
            found: Vec::new(),
            passive: FxHashMap::default(),
            gaps: Gaps::Passed,
            gap: None,
            max_visited: usize::MAX,
        }
    }

    fn initial(&mut self, threads: ThreadCount) -> Result<Vec<InitialZone>, StopReason> {
        let program = self.program;
        let templates = program.templates();
        let mut pools: Vec<(Vec<CounterId>, Multiplicity)> = Vec::new();
        for template in templates {
            let stores = template.initial.iter();
            let pool = stores.map(|store| CounterId(self.local.intern(store.bytes()).0)).collect();
            pools.push((pool, template.multiplicity));
        }
        let vectors = initial::vectors(&pools, threads)?;
        let mut zones = Vec::new();
        for store in program.initial_shared() {
            let shared = self.intern_shared(store.bytes());
            for vector in &vectors {
                let mut bounds: Vec<(CounterId, Bounds)> = vector.clone();
                bounds.retain(|(_, bounds)| bounds.max != Some(0));
                for (counter, _) in &bounds {
                    self.visit(shared, counter.0);
                }
                zones.push(InitialZone { control: ControlId(shared), bounds });
            }
        }
        Ok(zones)
    }

    fn intern_shared(&mut self, bytes: &[u8]) -> u32 {
        let (shared, is_new) = self.shared.intern(bytes);
        if is_new {
            self.together.push(Vec::new());
            self.edges.push(Vec::new());
            self.pending_shared.push(shared);
        }
        shared
    }

    fn visit(&mut self, shared: u32, local: u32) {
        if self.visited.insert((shared, local)) {
            self.together[shared as usize].push(local);
            self.pending.push((shared, local));
        }
    }

    fn close(&mut self) -> Result<(), StopReason> {
        let mut steps = Steps::new();
        let mut n_visits = 0u32;
        loop {
            if let Some(shared) = self.pending_shared.pop() {
                self.expand(shared, None, &mut steps);
            } else if let Some((shared, local)) = self.pending.pop() {
                self.expand(shared, Some(local), &mut steps);
                self.follow_edges(shared, local);
            } else {
                return Ok(());
            }
            if self.visited.len() > self.max_visited {
                return Ok(());
            }
            n_visits += 1;
            if n_visits.is_multiple_of(1024) {
                self.limits.check()?;
            }
        }
    }

    fn expand(&mut self, shared: u32, active: Option<u32>, steps: &mut Steps) {
        steps.clear();
        let store = self.shared.stores[shared as usize].clone();
        match active {
            Some(local) => {
                let local = self.local.stores[local as usize].clone();
                self.program.steps(store.bytes(), local.bytes(), steps);
            }
            None => self.program.environment_steps(store.bytes(), steps),
        }
        for (step_idx, step) in steps.iter().enumerate() {
            self.take(shared, active, step_idx, &step);
        }
        if let Some(why) = steps.incomplete() {
            self.meet_gap(shared, active, why);
        }
    }

    /// Notes that the program does not know all steps of a thread state.
    fn meet_gap(&mut self, from: u32, active: Option<u32>, why: &str) {
        self.gap.get_or_insert_with(|| why.to_owned());
        if self.gaps == Gaps::Forbidden {
            self.found.push(FoundStep {
                from,
                to: None,
                active,
                step_idx: usize::MAX,
                after: None,
                spawned: Vec::new(),
                broadcast: None,
                name: why.to_owned(),
                span: None,
            });
        }
    }

    fn take(&mut self, from: u32, active: Option<u32>, step_idx: usize, step: &StepRef<'_>) {
        let label = self.program.narrator().label(step.label());
        let mut found = FoundStep {
            from,
            to: None,
            active,
            step_idx,
            after: None,
            spawned: Vec::new(),
            broadcast: step.broadcast(),
            name: label.text,
            span: label.span,
        };
        if step.violation().is_none() {
            let to = self.intern_shared(step.shared());
            found.to = Some(to);
            // An environment step has no thread whose local could change.
            if active.is_some() {
                found.after = step.local().map(|local| self.local.intern(local).0);
            }
            found.spawned = step.spawned().map(|local| self.local.intern(local).0).collect();
            self.add_edge(from, to, step.broadcast());
            for local in found.after.into_iter().chain(found.spawned.iter().copied()) {
                self.visit(to, local);
            }
        }
        self.found.push(found);
    }

    fn add_edge(&mut self, from: u32, to: u32, broadcast: Option<BroadcastId>) {
        if !self.follows || (from == to && broadcast.is_none()) {
            return;
        }
        if !self.known_edges.insert((from, to, broadcast)) {
            return;
        }
        self.edges[from as usize].push((to, broadcast));
        for idx in 0..self.together[from as usize].len() {
            let local = self.together[from as usize][idx];
            self.follow(to, broadcast, local);
        }
    }

    fn follow_edges(&mut self, shared: u32, local: u32) {
        for idx in 0..self.edges[shared as usize].len() {
            let (to, broadcast) = self.edges[shared as usize][idx];
            self.follow(to, broadcast, local);
        }
    }

    fn follow(&mut self, to: u32, broadcast: Option<BroadcastId>, local: u32) {
        match broadcast {
            None => self.visit(to, local),
            Some(broadcast) => {
                for local in self.passive(broadcast, local) {
                    self.visit(to, local);
                }
            }
        }
    }

    /// What a passive thread in `local` may become: itself if nothing is said.
    fn passive(&mut self, broadcast: BroadcastId, local: u32) -> Vec<u32> {
        if let Some(known) = self.passive.get(&(broadcast, local)) {
            return known.clone();
        }
        let mut stores = Vec::new();
        let before = self.local.stores[local as usize].clone();
        self.program.passive(broadcast, before.bytes(), &mut stores);
        let mut becomes: Vec<u32> =
            stores.iter().map(|store| self.local.intern(store.bytes()).0).collect();
        becomes.sort_unstable();
        becomes.dedup();
        if becomes.is_empty() {
            becomes.push(local);
        }
        self.passive.insert((broadcast, local), becomes.clone());
        becomes
    }

    fn finish(mut self, initial: Vec<InitialZone>) -> Lowered {
        let found = std::mem::take(&mut self.found);
        let has_errors = found.iter().any(|found| found.to.is_none());
        let mut built = Built {
            control_names: self.describe_shared(),
            transitions: Vec::new(),
            origins: Vec::new(),
            n_created: Vec::new(),
        };
        let error = has_errors.then(|| built.pseudo_control("error"));
        for found in found {
            self.build(found, error, &mut built);
        }
        let (targets, target_origins) = self.targets(error);
        let describe_local = |store: &Store| self.program.narrator().describe_local(store.bytes());
        let system = CounterSystem {
            control_names: built.control_names,
            counter_names: self.local.stores.iter().map(describe_local).collect(),
            transitions: built.transitions,
            initial,
            targets,
            hints: Vec::new(),
        };
        let (shared, local, gap) = (self.shared.stores, self.local.stores, self.gap);
        let Built { origins, n_created, .. } = built;
        Lowered { system, shared, local, origins, n_created, target_origins, gap }
    }

    fn describe_shared(&self) -> Vec<String> {
        let describe = |store: &Store| self.program.narrator().describe_shared(store.bytes());
        self.shared.stores.iter().map(describe).collect()
    }

    fn build(&mut self, found: FoundStep, error: Option<ControlId>, built: &mut Built) {
        let moves = match found.broadcast {
            Some(broadcast) if found.to.is_some() => self.moves(found.from, broadcast),
            _ => Vec::new(),
        };
        let n_created = found.spawned.len() as u32;
        let mut delta: BTreeMap<CounterId, i64> = BTreeMap::new();
        for local in found.after.into_iter().chain(found.spawned) {
            *delta.entry(CounterId(local)).or_default() += 1;
        }
        let active = found.active.map(CounterId);
        let mut transition = CounterTransition {
            name: found.name,
            span: found.span,
            from: ControlId(found.from),
            to: found.to.map_or_else(|| error.expect("made for such steps"), ControlId),
            guard: active.into_iter().map(|local| (local, Bounds::at_least(1))).collect(),
            moves,
            delta: Vec::new(),
        };
        // The active thread is not moved by its own broadcast. Where those like it go
        // to one place, one token less arrives there. Where they choose, that would
        // let the others' choices make up for it, so the thread is taken in a
        // transition of its own.
        let leaves =
            active.map(|active| match transition.moves.iter().find(|m| m.from == active) {
                None => Some(active),
                Some(step) if step.to.len() == 1 => Some(step.to[0]),
                Some(_) => None,
            });
        match leaves {
            None => {}
            Some(Some(counter)) => *delta.entry(counter).or_default() -= 1,
            Some(None) => {
                let halfway = built.pseudo_control("halfway");
                let mut first = CounterTransition { moves: Vec::new(), ..transition.clone() };
                first.to = halfway;
                first.delta = active.into_iter().map(|active| (active, -1)).collect();
                built.transitions.push(first);
                built.origins.push(TransitionOrigin::FirstHalf);
                built.n_created.push(0);
                transition.from = halfway;
                transition.guard.clear();
            }
        }
        transition.delta = delta.into_iter().filter(|(_, change)| *change != 0).collect();
        built.transitions.push(transition);
        built.origins.push(TransitionOrigin::Step { active, step_idx: found.step_idx });
        built.n_created.push(n_created);
    }

    fn moves(&mut self, from: u32, broadcast: BroadcastId) -> Vec<Move> {
        let mut moves = Vec::new();
        for local in self.together[from as usize].clone() {
            let becomes = self.passive(broadcast, local);
            if becomes != [local] {
                let to = becomes.into_iter().map(CounterId).collect();
                moves.push(Move { from: CounterId(local), to });
            }
        }
        moves.sort_by_key(|step: &Move| step.from);
        moves
    }

    fn targets(&self, error: Option<ControlId>) -> (Vec<Target>, Vec<Option<usize>>) {
        let requirements = self.program.requirements();
        let mut targets = Vec::new();
        let mut origins = Vec::new();
        for (target_idx, shape) in requirements.targets().iter().enumerate() {
            for shared in 0..self.shared.stores.len() {
                let store = self.shared.stores[shared].bytes();
                if !requirements.target_shared(target_idx, store) {
                    continue;
                }
                for bounds in self.fillings(target_idx, shared) {
                    let zone = Zone { control: ControlId(shared as u32), bounds };
                    targets.push(Target { name: shape.name.clone(), span: None, zone });
                    origins.push(Some(target_idx));
                }
            }
        }
        if let Some(control) = error {
            let zone = Zone { control, bounds: Vec::new() };
            targets.push(Target { name: "a step that is an error".to_string(), span: None, zone });
            origins.push(None);
        }
        (targets, origins)
    }

    /// The minimal ways to fill the slots of a target with visited locals.
    fn fillings(&self, target: usize, shared: usize) -> Vec<Vec<(CounterId, Bounds)>> {
        let requirements = self.program.requirements();
        let store = self.shared.stores[shared].bytes();
        let mut fillings: FxHashSet<BTreeMap<u32, u32>> = FxHashSet::default();
        fillings.insert(BTreeMap::new());
        for (slot, &count) in requirements.targets()[target].slots.iter().enumerate() {
            let fits = |local: &&u32| {
                let local = self.local.stores[**local as usize].bytes();
                requirements.target_local(target, slot, store, local)
            };
            let locals: Vec<u32> = self.together[shared].iter().filter(fits).copied().collect();
            if let [only] = locals[..] {
                let filled = fillings.into_iter().map(|filling| with(filling, only, count));
                fillings = filled.collect();
                continue;
            }
            for _ in 0..count {
                let mut next = FxHashSet::default();
                for filling in &fillings {
                    for &local in &locals {
                        next.insert(with(filling.clone(), local, 1));
                    }
                }
                fillings = next;
            }
        }
        let mut sorted: Vec<_> = fillings.into_iter().collect();
        sorted.sort();
        let bounds = |filling: BTreeMap<u32, u32>| {
            filling.into_iter().map(|(local, n)| (CounterId(local), Bounds::at_least(n))).collect()
        };
        sorted.into_iter().map(bounds).collect()
    }
}

fn with(mut filling: BTreeMap<u32, u32>, local: u32, count: u32) -> BTreeMap<u32, u32> {
    *filling.entry(local).or_default() += count;
    filling
}
