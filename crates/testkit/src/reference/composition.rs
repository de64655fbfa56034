//! Composes a thread program for a fixed number of threads, or a counter system
//! with capped counts, into one big transition system for [`super::explicit`].
//!
//! No symmetry, no reduction. Threads are kept in a list in the order of their
//! creation; a step that would exceed the cap does not happen and is remembered.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{
    Access, BroadcastId, Footprint, LabelId, Multiplicity, StepLabel, StepRef, Steps, Store,
    ThreadProgram,
};

use super::explicit::Bounded;
use super::naive_system::NaiveSystem;

/// `n` threads of a program, and those that they spawn.
pub struct Composition<'a> {
    program: &'a dyn ThreadProgram,
    n_threads: u32,
    max_live: usize,
    cut: AtomicBool,
}

/// A global state, unpacked.
struct Global {
    shared: Store,
    locals: Vec<Store>,
}

/// First byte of a state that a violating step led to; the message follows.
const ERROR: u8 = 1;
const ORDINARY: u8 = 0;

impl<'a> Composition<'a> {
    /// `n_threads` threads at the start, at most `max_live` at any time.
    pub fn new(program: &'a dyn ThreadProgram, n_threads: u32, max_live: usize) -> Composition<'a> {
        Composition { program, n_threads, max_live, cut: AtomicBool::new(false) }
    }

    fn successor(&self, state: &Global, mover: Option<usize>, step: StepRef<'_>) -> Vec<Vec<u8>> {
        if let Some(error) = step.violation() {
            let mut packed = vec![ERROR];
            packed.extend_from_slice(error.message.as_bytes());
            return vec![packed];
        }
        let mut ways: Vec<Vec<Store>> = vec![Vec::new()];
        for (idx, local) in state.locals.iter().enumerate() {
            let becomes = match (Some(idx) == mover, step.broadcast()) {
                (true, _) => step.local().map(Store::new).into_iter().collect(),
                (false, Some(broadcast)) => self.passive(broadcast, local),
                (false, None) => vec![local.clone()],
            };
            // A thread that ended is in no way of going on.
            if !becomes.is_empty() {
                ways = product(&ways, &becomes);
            }
        }
        for way in &mut ways {
            way.extend(step.spawned().map(Store::new));
        }
        if ways[0].len() > self.max_live {
            self.cut.store(true, Ordering::Relaxed);
            return Vec::new();
        }
        let shared = Store::new(step.shared());
        ways.into_iter().map(|locals| pack(&Global { shared: shared.clone(), locals })).collect()
    }

    fn passive(&self, broadcast: BroadcastId, local: &Store) -> Vec<Store> {
        let mut becomes = Vec::new();
        self.program.passive(broadcast, local.bytes(), &mut becomes);
        if becomes.is_empty() {
            becomes.push(local.clone());
        }
        becomes
    }

    /// Two threads that race.
    fn race(&self, state: &Global) -> Option<String> {
        let shared = state.shared.bytes();
        let touched: Vec<Vec<Access>> =
            state.locals.iter().map(|local| self.touched(shared, local.bytes())).collect();
        for (left, accesses) in touched.iter().enumerate() {
            for (right, others) in touched.iter().enumerate() {
                let mut pairs =
                    accesses.iter().flat_map(|one| others.iter().map(move |o| (one, o)));
                let stores = [state.locals[left].bytes(), state.locals[right].bytes()];
                let is_race = |(one, other): (&Access, &Access)| {
                    let is_plain = !one.is_atomic || !other.is_atomic;
                    let is_common = one.object == other.object
                        && (one.at..one.at + one.len)
                            .any(|p| (other.at..other.at + other.len).contains(&p));
                    let made = [(stores[0], *one), (stores[1], *other)];
                    is_plain
                        && is_common
                        && (one.is_write || other.is_write)
                        && self.program.has_object(shared, one.object)
                        && !self.program.requirements().accepts_race(shared, made)
                };
                if left < right && pairs.any(is_race) {
                    return Some("data race".to_owned());
                }
            }
        }
        None
    }

    fn touched(&self, shared: &[u8], local: &[u8]) -> Vec<Access> {
        let mut steps = Steps::new();
        self.program.steps(shared, local, &mut steps);
        let mut touched = steps.in_vain().to_vec();
        for step in steps.iter() {
            match step.footprint() {
                Footprint::Known(accesses) => touched.extend(accesses),
                Footprint::Everything => {}
            }
        }
        touched
    }

    fn fits(&self, target: usize, state: &Global) -> bool {
        let slots = &self.program.requirements().targets()[target].slots;
        let wanted: Vec<usize> = (slots.iter().enumerate())
            .flat_map(|(slot, &n)| std::iter::repeat_n(slot, n as usize))
            .collect();
        let shared = state.shared.bytes();
        self.program.requirements().target_shared(target, shared)
            && assign(&wanted, state.locals.len(), &mut |slot, thread| {
                self.program.requirements().target_local(
                    target,
                    slot,
                    shared,
                    state.locals[thread].bytes(),
                )
            })
    }
}

impl NaiveSystem for Composition<'_> {
    fn initial_states(&self, visit: &mut dyn FnMut(&[u8])) {
        for shared in self.program.initial_shared() {
            for locals in populations(self.program, self.n_threads) {
                visit(&pack(&Global { shared: shared.clone(), locals }));
            }
        }
    }

    fn successors(&self, state: &[u8], visit: &mut dyn FnMut(u32, &[u8])) {
        let Some(state) = unpack(state) else { return };
        let mut steps = Steps::new();
        self.program.environment_steps(state.shared.bytes(), &mut steps);
        for step in steps.iter() {
            for next in self.successor(&state, None, step) {
                visit(step.label().0, &next);
            }
        }
        for (mover, local) in state.locals.iter().enumerate() {
            steps.clear();
            self.program.steps(state.shared.bytes(), local.bytes(), &mut steps);
            for step in steps.iter() {
                for next in self.successor(&state, Some(mover), step) {
                    visit(step.label().0, &next);
                }
            }
        }
    }

    fn violation(&self, state: &[u8]) -> Option<String> {
        let Some(global) = unpack(state) else {
            return Some(String::from_utf8_lossy(&state[1..]).into_owned());
        };
        let requirements = self.program.requirements();
        let targets = requirements.targets();
        match (0..targets.len()).find(|&target| self.fits(target, &global)) {
            Some(hit) => Some(targets[hit].name.clone()),
            None if requirements.forbids_races() => self.race(&global),
            None => None,
        }
    }

    fn rule(&self, rule: u32) -> StepLabel {
        self.program.narrator().label(LabelId(rule))
    }

    fn describe(&self, state: &[u8]) -> String {
        let Some(state) = unpack(state) else { return "error".into() };
        let locals: Vec<String> = state
            .locals
            .iter()
            .map(|local| self.program.narrator().describe_local(local.bytes()))
            .collect();
        format!(
            "{}|{}",
            self.program.narrator().describe_shared(state.shared.bytes()),
            locals.join(",")
        )
    }
}

impl Bounded for Composition<'_> {
    fn was_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }
}

/// All initial lists of locals with exactly `n_threads` threads; none when the
/// fixed templates alone have more, or no template has any number.
pub fn populations(program: &dyn ThreadProgram, n_threads: u32) -> Vec<Vec<Store>> {
    let mut ways: Vec<Vec<Store>> = vec![Vec::new()];
    let mut n_fixed = 0;
    let mut free: Vec<Store> = Vec::new();
    for template in program.templates() {
        match template.multiplicity {
            Multiplicity::Exactly(n) => {
                n_fixed += n;
                for _ in 0..n {
                    ways = product(&ways, &template.initial);
                }
            }
            Multiplicity::Any => free.extend(template.initial.iter().cloned()),
        }
    }
    let Some(n_free) = n_threads.checked_sub(n_fixed) else { return Vec::new() };
    for _ in 0..n_free {
        ways = product(&ways, &free);
    }
    let unique: BTreeSet<Vec<Store>> = ways.into_iter().collect();
    unique.into_iter().collect()
}

fn product(ways: &[Vec<Store>], choices: &[Store]) -> Vec<Vec<Store>> {
    let mut extended = Vec::new();
    for way in ways {
        for choice in choices {
            let mut more = way.clone();
            more.push(choice.clone());
            extended.push(more);
        }
    }
    extended
}

/// Can the wanted slots be given to distinct threads? Tries all assignments.
fn assign(wanted: &[usize], n_threads: usize, fits: &mut dyn FnMut(usize, usize) -> bool) -> bool {
    let mut partial: Vec<BTreeSet<usize>> = vec![BTreeSet::new()];
    for &slot in wanted {
        let mut next = BTreeSet::new();
        for used in &partial {
            for thread in 0..n_threads {
                if !used.contains(&thread) && fits(slot, thread) {
                    let mut more = used.clone();
                    more.insert(thread);
                    next.insert(more);
                }
            }
        }
        partial = next.into_iter().collect();
    }
    !partial.is_empty()
}

fn pack(state: &Global) -> Vec<u8> {
    let mut packed = vec![ORDINARY];
    for store in std::iter::once(&state.shared).chain(&state.locals) {
        packed.extend_from_slice(&(store.bytes().len() as u32).to_le_bytes());
        packed.extend_from_slice(store.bytes());
    }
    packed
}

/// `None` for an error state.
fn unpack(packed: &[u8]) -> Option<Global> {
    let (&ORDINARY, mut rest) = packed.split_first()? else { return None };
    let mut stores = Vec::new();
    while let Some((len, tail)) = rest.split_first_chunk::<4>() {
        let (bytes, tail) = tail.split_at(u32::from_le_bytes(*len) as usize);
        stores.push(Store::new(bytes));
        rest = tail;
    }
    let shared = stores.remove(0);
    Some(Global { shared, locals: stores })
}
