//! A Boolean program as a thread transition system: the part of it that threads can
//! reach, written out.
//!
//! A thread state is written when it may occur, whatever other threads do: a step of a
//! written one leads to written ones, and each local state that was written with the
//! shared state before a step is written with the one after it. The shared state is the
//! number whose binary digits are the shared variables in the order of their
//! declarations. While a thread is inside of an atomic section that is not one step, the
//! shared state is one of its own behind these. Steps of a program can do more than one line of a `.tts` file says (create
//! threads and go on): they become several lines, through shared states of their own that
//! only the next of these lines leaves.

use model::{BooleanFlow, Multiplicity, StepRef, Steps, Store, ThreadProgram};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boolprog::BooleanProgram;
use crate::convert::ConvertError;
use crate::tts::{Arrow, Initial, Pair, Pattern, Size, System, Transition};

/// More shared variables than this make numbers nobody wants.
const MAX_SHARED: usize = 20;

/// More thread states than this make a text nobody wants.
const MAX_THREAD_STATES: usize = 2_000_000;

/// The thread transition system of a program, and remarks on it.
pub(crate) fn threads_of_program(
    program: &BooleanProgram,
) -> Result<(System, Vec<String>), ConvertError> {
    let flow = program.graph();
    if flow.shared.len() > MAX_SHARED {
        let reason = format!("it has {} shared variables: too many to number", flow.shared.len());
        return Err(ConvertError::new(reason));
    }
    let mut builder = Builder::new(program);
    let mut initial = builder.initial()?;
    builder.close()?;
    initial.exact.iter_mut().for_each(|local| *local = builder.settled(*local));
    initial.exact.sort_unstable();
    let remarks = builder.remarks();
    let size = Size { n_shared: builder.next_shared, n_local: builder.n_locals() };
    let pattern = Pattern { shared: builder.error, locals: Vec::new() };
    let transitions = builder.transitions;
    Ok((System { size, transitions, initial, patterns: vec![pattern] }, remarks))
}

struct Builder<'a> {
    program: &'a BooleanProgram,
    locals: FxHashMap<Store, u32>,
    stores: Vec<Store>,
    /// Local states of threads of a fixed number before they chose where to start.
    n_undecided: u32,
    /// The shared state after an error.
    error: u32,
    next_shared: u32,
    together: FxHashMap<u32, Vec<u32>>,
    edges: FxHashMap<u32, Vec<(u32, Option<model::BroadcastId>)>>,
    visited: FxHashSet<(u32, u32)>,
    shared_stores: FxHashMap<u32, Store>,
    /// Shared states inside of atomic sections.
    in_sections: FxHashMap<Store, u32>,
    pending: Vec<(u32, u32)>,
    transitions: Vec<Transition>,
}

/// Local state 0: a thread that has ended.
const ENDED: u32 = 0;

impl<'a> Builder<'a> {
    fn new(program: &'a BooleanProgram) -> Builder<'a> {
        let n_shared = 1_u32 << program.graph().shared.len();
        Builder {
            program,
            locals: FxHashMap::default(),
            stores: Vec::new(),
            n_undecided: 0,
            error: n_shared,
            next_shared: n_shared + 1,
            together: FxHashMap::default(),
            edges: FxHashMap::default(),
            visited: FxHashSet::default(),
            shared_stores: FxHashMap::default(),
            in_sections: FxHashMap::default(),
            pending: Vec::new(),
            transitions: Vec::new(),
        }
    }

    fn n_locals(&self) -> u32 {
        self.stores.len() as u32 + 1 + self.n_undecided
    }

    fn remarks(&self) -> Vec<String> {
        let flow = self.program.graph();
        let names: Vec<&str> = flow.shared.iter().map(|variable| variable.name.as_str()).collect();
        let digits = match names.is_empty() {
            true => "shared state 0 is the only one of the program".to_owned(),
            false => format!("the binary digits of a shared state are {}", names.join(", ")),
        };
        let error = self.error;
        vec![
            digits,
            format!("shared state {error} is the error; local state 0 is a thread that ended"),
        ]
    }

    fn local(&mut self, store: &[u8]) -> u32 {
        let store = Store::new(store);
        if let Some(&known) = self.locals.get(&store) {
            return known;
        }
        let id = self.stores.len() as u32 + 1;
        self.stores.push(store.clone());
        self.locals.insert(store, id);
        id
    }

    fn shared(&mut self, store: &[u8]) -> u32 {
        let flow = self.program.graph();
        let number = match flow.shared_value(store, flow.shared.len()) {
            false => number(flow, store),
            true => self.in_section(Store::new(store)),
        };
        self.shared_stores.entry(number).or_insert_with(|| Store::new(store));
        number
    }

    fn in_section(&mut self, store: Store) -> u32 {
        if let Some(&known) = self.in_sections.get(&store) {
            return known;
        }
        let number = self.fresh_shared();
        self.in_sections.insert(store, number);
        number
    }

    fn fresh_shared(&mut self) -> u32 {
        self.next_shared += 1;
        self.next_shared - 1
    }

    /// From the first shared state, each thread goes to a local state to start in, and one
    /// of them goes on to a shared state to start in.
    fn initial(&mut self) -> Result<Initial, ConvertError> {
        let shared: Vec<u32> =
            self.program.initial_shared().iter().map(|store| self.shared(store.bytes())).collect();
        let start = match shared.as_slice() {
            [only] => *only,
            _ => self.fresh_shared(),
        };
        let mut initial = Initial { shared: start, exact: Vec::new(), any: Vec::new() };
        let mut first_locals = Vec::new();
        let mut undecided = Vec::new();
        for template in self.program.templates() {
            let locals: Vec<u32> =
                template.initial.iter().map(|store| self.local(store.bytes())).collect();
            first_locals.extend(locals.iter().copied());
            match (template.multiplicity, locals.as_slice()) {
                (Multiplicity::Any, locals) => initial.any.extend(locals),
                (Multiplicity::Exactly(n), [only]) => {
                    initial.exact.extend(std::iter::repeat_n(*only, n as usize));
                }
                (Multiplicity::Exactly(n), _) => undecided.push((n, locals)),
            }
        }
        for &shared in &shared {
            for &local in &first_locals {
                self.visit(shared, local)?;
            }
        }
        self.choose_locals(start, &undecided, &mut initial);
        if shared != [start] {
            for &local in &first_locals {
                for &to in &shared {
                    let (from, to) = (pair(start, local), pair(to, local));
                    self.transitions.push(step(Arrow::Step, from, to, Vec::new()));
                }
            }
        }
        initial.any.sort_unstable();
        initial.any.dedup();
        Ok(initial)
    }

    /// Threads of a fixed number with several local states to start in.
    fn choose_locals(&mut self, start: u32, undecided: &[(u32, Vec<u32>)], initial: &mut Initial) {
        for (n_threads, locals) in undecided {
            // Numbered behind all others, once those are known.
            self.n_undecided += 1;
            let place = u32::MAX - self.n_undecided;
            initial.exact.extend(std::iter::repeat_n(place, *n_threads as usize));
            for &local in locals {
                let (from, to) = (pair(start, place), pair(start, local));
                self.transitions.push(step(Arrow::Step, from, to, Vec::new()));
            }
        }
    }

    fn visit(&mut self, shared: u32, local: u32) -> Result<(), ConvertError> {
        if !self.visited.insert((shared, local)) {
            return Ok(());
        }
        if self.visited.len() > MAX_THREAD_STATES {
            let reason = format!("it has more than {MAX_THREAD_STATES} thread states");
            return Err(ConvertError::new(reason));
        }
        self.together.entry(shared).or_default().push(local);
        self.pending.push((shared, local));
        Ok(())
    }

    fn passive(&mut self, broadcast: Option<model::BroadcastId>, local: u32) -> Vec<u32> {
        let Some(broadcast) = broadcast.filter(|_| local != ENDED) else { return vec![local] };
        let store = self.stores[local as usize - 1].clone();
        let mut after = Vec::new();
        self.program.passive(broadcast, store.bytes(), &mut after);
        let ids: Vec<u32> = after.iter().map(|store| self.local(store.bytes())).collect();
        if ids.is_empty() { vec![local] } else { ids }
    }

    fn close(&mut self) -> Result<(), ConvertError> {
        let mut steps = Steps::new();
        let mut broadcasts = Vec::new();
        while let Some((shared, local)) = self.pending.pop() {
            for (to, broadcast) in self.edges.get(&shared).cloned().unwrap_or_default() {
                for after in self.passive(broadcast, local) {
                    self.visit(to, after)?;
                }
            }
            if local == ENDED {
                continue;
            }
            steps.clear();
            let store = self.shared_stores[&shared].clone();
            let thread = self.stores[local as usize - 1].clone();
            self.program.steps(store.bytes(), thread.bytes(), &mut steps);
            if let Some(why) = steps.incomplete() {
                return Err(ConvertError::new(why.to_owned()));
            }
            for step in steps.iter() {
                self.write(pair(shared, local), &step, &mut broadcasts)?;
            }
        }
        self.add_passive(&broadcasts);
        self.number_undecided();
        Ok(())
    }

    /// Writes the lines of one step.
    fn write(
        &mut self,
        from: Pair,
        taken: &StepRef<'_>,
        broadcasts: &mut Vec<(usize, u32, model::BroadcastId)>,
    ) -> Result<(), ConvertError> {
        if taken.violation().is_some() {
            let to = pair(self.error, from.local);
            self.transitions.push(step(Arrow::Step, from, to, Vec::new()));
            return Ok(());
        }
        let shared = self.shared(taken.shared());
        let local = taken.local().map_or(ENDED, |local| self.local(local));
        let spawned: Vec<u32> = taken.spawned().map(|local| self.local(local)).collect();
        let mut at = if spawned.is_empty() { shared } else { self.fresh_shared() };
        if let Some(broadcast) = taken.broadcast() {
            broadcasts.push((self.transitions.len(), from.shared, broadcast));
        }
        self.transitions.push(step(Arrow::Step, from, pair(at, local), Vec::new()));
        for (idx, &new) in spawned.iter().enumerate() {
            let is_last = idx + 1 == spawned.len();
            let next = if is_last { shared } else { self.fresh_shared() };
            let (from, to) = (pair(at, local), pair(next, new));
            self.transitions.push(step(Arrow::Spawn, from, to, Vec::new()));
            at = next;
        }
        self.follow(from.shared, shared, taken.broadcast())?;
        for local in spawned.into_iter().chain([local]) {
            self.visit(shared, local)?;
        }
        Ok(())
    }

    /// What was together with the shared state before a step is so with the one after it.
    fn follow(
        &mut self,
        from: u32,
        to: u32,
        broadcast: Option<model::BroadcastId>,
    ) -> Result<(), ConvertError> {
        let known = self.edges.entry(from).or_default();
        if known.contains(&(to, broadcast)) || (from == to && broadcast.is_none()) {
            return Ok(());
        }
        known.push((to, broadcast));
        for local in self.together.get(&from).cloned().unwrap_or_default() {
            for after in self.passive(broadcast, local) {
                self.visit(to, after)?;
            }
        }
        Ok(())
    }

    /// Once all local states are known, says where each goes in a broadcast.
    fn add_passive(&mut self, broadcasts: &[(usize, u32, model::BroadcastId)]) {
        for &(line, shared, broadcast) in broadcasts {
            let mut passive = Vec::new();
            for local in self.together.get(&shared).cloned().unwrap_or_default() {
                let after = self.passive(Some(broadcast), local);
                if after != [local] {
                    passive.extend(after.into_iter().map(|after| (local, after)));
                }
            }
            passive.sort_unstable();
            passive.dedup();
            self.transitions[line].passive = passive;
        }
    }

    fn number_undecided(&mut self) {
        let mut transitions = std::mem::take(&mut self.transitions);
        for transition in &mut transitions {
            transition.from.local = self.settled(transition.from.local);
        }
        self.transitions = transitions;
    }

    /// The number of a local state, once all are known.
    fn settled(&self, local: u32) -> u32 {
        match local > u32::MAX / 2 {
            true => self.stores.len() as u32 + (u32::MAX - local),
            false => local,
        }
    }
}

/// The shared variables as binary digits, the first the most significant.
fn number(flow: &BooleanFlow, shared: &[u8]) -> u32 {
    (0..flow.shared.len())
        .fold(0, |number, idx| number * 2 + u32::from(flow.shared_value(shared, idx)))
}

fn pair(shared: u32, local: u32) -> Pair {
    Pair { shared, local }
}

fn step(arrow: Arrow, from: Pair, to: Pair, passive: Vec<(u32, u32)>) -> Transition {
    Transition { arrow, from, to, passive, span: None }
}
