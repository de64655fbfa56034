//! All states of a C program, by the simplest search: no symmetry, no renaming, no
//! reduction beyond what the machine's steps are.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use llvm::CProgram;
use llvm::memory::SharedStore;
use model::{Blocking, Footprint, Steps, Store, ThreadProgram};

/// What a program can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// What the array had when the program ended.
    pub outcomes: BTreeSet<Vec<u64>>,
    /// Errors that are steps, and what the array had then.
    pub errors: BTreeSet<(String, Vec<u64>)>,
    /// Are there data races?
    pub races: bool,
    /// Are there deadlocks?
    pub deadlocks: bool,
    /// The shared stores of all states.
    pub shared: BTreeSet<Store>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    shared: Store,
    locals: Vec<Store>,
}

/// Everything that the program can do and the contents of `array` at its end; `Err`
/// if that is not known, or if there are more than `max_states` states.
pub fn explore(program: &CProgram, array: &str, max_states: usize) -> Result<Behaviour, String> {
    let globals = &program.code().globals;
    let array = globals.iter().position(|variable| variable.name == array);
    let array = array.ok_or("the program has no array")?;
    let shared = program.initial_shared().remove(0);
    let first = State { shared, locals: vec![program.templates()[0].initial[0].clone()] };
    let mut seen = BTreeSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    let mut behaviour = Behaviour::default();
    while let Some(state) = queue.pop_front() {
        for next in successors(program, &state, array, &mut behaviour)? {
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
        behaviour.shared.insert(state.shared.clone());
        let (outcome, is_over) = contents(state.shared.bytes(), array);
        if is_over {
            behaviour.outcomes.insert(outcome);
        }
        if seen.len() > max_states {
            return Err("too many states".into());
        }
    }
    Ok(behaviour)
}

/// What the array has, and whether the program is over.
fn contents(shared: &[u8], array: usize) -> (Vec<u64>, bool) {
    let state = SharedStore::from_bytes(shared);
    let object = state.object(array as u32).expect("variables stay");
    let words = object.bytes().chunks_exact(8);
    let words = words.map(|bytes| u64::from_le_bytes(bytes.try_into().expect("chunks of eight")));
    (words.collect(), state.is_over())
}

fn successors(
    program: &CProgram,
    state: &State,
    array: usize,
    behaviour: &mut Behaviour,
) -> Result<Vec<State>, String> {
    let mut found = Vec::new();
    let mut touched: Vec<Vec<model::Access>> = Vec::new();
    let mut is_stuck = true;
    let shared = state.shared.bytes();
    for (mover, local) in state.locals.iter().enumerate() {
        let mut steps = Steps::new();
        program.steps(shared, local.bytes(), &mut steps);
        if let Some(why) = steps.incomplete() {
            return Err(format!("refused: {why}"));
        }
        let mut accesses = steps.in_vain().to_vec();
        for step in steps.iter() {
            is_stuck &= step.is_spurious();
            if let Footprint::Known(known) = step.footprint() {
                accesses.extend_from_slice(known);
            }
            if let Some(error) = step.violation() {
                let (outcome, _) = contents(step.shared(), array);
                behaviour.errors.insert((error.message.to_owned(), outcome));
                continue;
            }
            let mut locals = state.locals.clone();
            match step.local() {
                Some(local) => locals[mover] = Store::new(local),
                None => drop(locals.remove(mover)),
            }
            locals.extend(step.spawned().map(Store::new));
            found.push(State { shared: Store::new(step.shared()), locals });
        }
        // New objects have numbers that are free, and nobody else knows them yet.
        accesses.retain(|access| has_object(shared, access.object));
        behaviour.races |= touched.iter().any(|other| race(other, &accesses));
        touched.push(accesses);
    }
    behaviour.deadlocks |= is_stuck && is_deadlock(program, state);
    Ok(found)
}

/// Do threads that cannot go on wait for each other, and not for an assumption?
fn is_deadlock(program: &CProgram, state: &State) -> bool {
    let (shared, locals) = (state.shared.bytes(), &state.locals);
    let is_blocked = |local: &Store| program.blocked(shared, local.bytes()).is_some();
    let waits = locals.iter().filter_map(|local| program.waits_for(shared, local.bytes()));
    let waits: BTreeMap<u32, u32> = waits.collect();
    let waits_forever = |&thread: &u32| {
        let mut last = Some(&thread);
        for _ in 0..=waits.len() {
            last = last.and_then(|thread| waits.get(thread));
        }
        last.is_some()
    };
    !locals.is_empty() && locals.iter().all(is_blocked) || waits.keys().any(waits_forever)
}

fn has_object(shared: &[u8], object: u32) -> bool {
    SharedStore::from_bytes(shared).object(object).is_some()
}

fn race(left: &[model::Access], right: &[model::Access]) -> bool {
    left.iter().any(|one| right.iter().any(|other| one.races(other)))
}
