//! Decides by looking again whether no error is reachable with a fixed number of
//! threads, where a search claims to have seen every state.
//!
//! As plain as can be: a state is a shared store and a sorted list of locals, since
//! threads in the same store are alike. Gives up beyond [`MAX_STATES_AGAIN`] states.

use std::collections::{BTreeSet, VecDeque};

use model::{BroadcastId, Limits, Multiplicity, Proof, StepRef, Steps, Store, ThreadProgram};

use crate::Assurance;
use crate::rejection::Rejection;
use crate::replay::{ThreadWithSteps, can_be_filled, is_deadlock, is_race, with_steps};

/// A search again takes well under a second for so many states.
const MAX_STATES_AGAIN: usize = 2_000;
/// Ways that the threads of a broadcast may divide themselves.
const MAX_WAYS: usize = 10_000;

type ComposedState = (Store, Vec<Store>);

/// Is no target and no failing step reachable with `n_threads` threads, as `proof`
/// claims?
pub(crate) fn look_again(
    program: &dyn ThreadProgram,
    n_threads: u32,
    proof: &Proof,
    limits: &Limits,
) -> Result<Assurance, Rejection> {
    match proof {
        Proof::Exhausted { formula: None, .. } => {}
        _ => return Err(Rejection::malformed("the proof is about something else")),
    }
    let mut seen: BTreeSet<ComposedState> = BTreeSet::new();
    let mut queue: VecDeque<ComposedState> = VecDeque::new();
    let Some(populations) = populations(program, n_threads) else {
        return Ok(Assurance::NotRepeated);
    };
    for shared in program.initial_shared() {
        for locals in &populations {
            add((shared.clone(), locals.clone()), &mut seen, &mut queue);
        }
    }
    while let Some(state) = queue.pop_front() {
        limits.check().map_err(Rejection::Stopped)?;
        if seen.len() > MAX_STATES_AGAIN {
            return Ok(Assurance::NotRepeated);
        }
        no_target(program, &state)?;
        let alive = with_steps(program, &state.0, state.1.iter().collect());
        nothing_else(program, &state.0, &alive)?;
        let Some(successors) = successors(program, &state, &alive)? else {
            return Ok(Assurance::NotRepeated);
        };
        for successor in successors {
            add(successor, &mut seen, &mut queue);
        }
    }
    Ok(Assurance::Repeated)
}

fn add(
    mut state: ComposedState,
    seen: &mut BTreeSet<ComposedState>,
    queue: &mut VecDeque<ComposedState>,
) {
    state.1.sort_unstable();
    if seen.insert(state.clone()) {
        queue.push_back(state);
    }
}

/// All lists of locals that `n_threads` threads may start with.
fn populations(program: &dyn ThreadProgram, n_threads: u32) -> Option<Vec<Vec<Store>>> {
    let mut ways: BTreeSet<Vec<Store>> = BTreeSet::from([Vec::new()]);
    let mut n_fixed = 0u32;
    let mut free: Vec<Store> = Vec::new();
    for template in program.templates() {
        match template.multiplicity {
            Multiplicity::Exactly(n) => {
                n_fixed = n_fixed.checked_add(n)?;
                for _ in 0..n {
                    ways = extended(&ways, &template.initial)?;
                }
            }
            Multiplicity::Any => free.extend(template.initial.iter().cloned()),
        }
    }
    for _ in 0..n_threads.checked_sub(n_fixed)? {
        ways = extended(&ways, &free)?;
    }
    Some(ways.into_iter().collect())
}

/// Each way with each of the choices added, sorted; `None` when there are too many.
fn extended(ways: &BTreeSet<Vec<Store>>, choices: &[Store]) -> Option<BTreeSet<Vec<Store>>> {
    let mut more = BTreeSet::new();
    for way in ways {
        for choice in choices {
            let mut longer = way.clone();
            longer.push(choice.clone());
            longer.sort_unstable();
            more.insert(longer);
        }
    }
    (more.len() <= MAX_WAYS).then_some(more)
}

fn no_target(
    program: &dyn ThreadProgram,
    (shared, locals): &ComposedState,
) -> Result<(), Rejection> {
    let requirements = program.requirements();
    for (target, shape) in requirements.targets().iter().enumerate() {
        let fits = |slot: usize, thread: usize| {
            requirements.target_local(target, slot, shared.bytes(), locals[thread].bytes())
        };
        if requirements.target_shared(target, shared.bytes())
            && can_be_filled(&shape.slots, locals.len(), fits)
        {
            return Err(Rejection::TargetNotExcluded { target: shape.name.clone() });
        }
    }
    Ok(())
}

/// Is the state neither a deadlock nor a race, where that is asked?
fn nothing_else(
    program: &dyn ThreadProgram,
    shared: &Store,
    alive: &[ThreadWithSteps<'_>],
) -> Result<(), Rejection> {
    let requirements = program.requirements();
    if requirements.forbids_deadlock() && program.blocking().is_none() {
        return Err(Rejection::malformed("the program does not say who is blocked"));
    }
    let found = if requirements.forbids_deadlock() && is_deadlock(program, shared, alive) {
        "no deadlock"
    } else if requirements.forbids_races() && is_race(program, shared, alive) {
        "no data race"
    } else {
        return Ok(());
    };
    Err(Rejection::TargetNotExcluded { target: found.to_owned() })
}

/// All states one step away; `None` when a broadcast has too many ways.
fn successors(
    program: &dyn ThreadProgram,
    state: &ComposedState,
    alive: &[ThreadWithSteps<'_>],
) -> Result<Option<Vec<ComposedState>>, Rejection> {
    let mut found = Vec::new();
    let mut steps = Steps::new();
    program.environment_steps(state.0.bytes(), &mut steps);
    all_known(&steps)?;
    for step in steps.iter() {
        let Some(ways) = after(program, state, None, step)? else { return Ok(None) };
        found.extend(ways);
    }
    for (mover, (_, steps)) in alive.iter().enumerate() {
        all_known(steps)?;
        for step in steps.iter() {
            let Some(ways) = after(program, state, Some(mover), step)? else { return Ok(None) };
            found.extend(ways);
        }
    }
    Ok(Some(found))
}

fn all_known(steps: &Steps) -> Result<(), Rejection> {
    match steps.incomplete() {
        None => Ok(()),
        Some(why) => Err(Rejection::LeftOut { what: why.to_owned() }),
    }
}

fn after(
    program: &dyn ThreadProgram,
    (_, locals): &ComposedState,
    mover: Option<usize>,
    step: StepRef<'_>,
) -> Result<Option<Vec<ComposedState>>, Rejection> {
    if let Some(error) = step.violation() {
        return Err(Rejection::TargetNotExcluded { target: error.message.to_owned() });
    }
    let mut ways: BTreeSet<Vec<Store>> = BTreeSet::from([Vec::new()]);
    for (thread, local) in locals.iter().enumerate() {
        let becomes = match (Some(thread) == mover, step.broadcast()) {
            (true, _) => step.local().map(Store::new).into_iter().collect(),
            (false, Some(broadcast)) => passive(program, broadcast, local),
            (false, None) => vec![local.clone()],
        };
        // A thread that has ended is in no way of going on.
        if !becomes.is_empty() {
            let Some(more) = extended(&ways, &becomes) else { return Ok(None) };
            ways = more;
        }
    }
    let shared = Store::new(step.shared());
    let spawned: Vec<Store> = step.spawned().map(Store::new).collect();
    let states = ways.into_iter().map(|mut way| {
        way.extend(spawned.iter().cloned());
        (shared.clone(), way)
    });
    Ok(Some(states.collect()))
}

fn passive(program: &dyn ThreadProgram, broadcast: BroadcastId, local: &Store) -> Vec<Store> {
    let mut becomes = Vec::new();
    program.passive(broadcast, local.bytes(), &mut becomes);
    if becomes.is_empty() {
        becomes.push(local.clone());
    }
    becomes
}
