//! Refinement, decided as naively as its definition reads. Two ways that share only the steps:
//! [`shortest_failure`] makes the specification deterministic and goes through all pairs, and
//! [`failure_within`] lists all runs of the implementation up to a length and for each looks
//! for a run of the specification that matches it.

use std::collections::{BTreeSet, VecDeque};

use model::{RefinementQuestion, Steps, Store, ThreadProgram};

/// Where a thread is; `None` has ended.
type State = Option<Store>;

/// One step: the shared store after it, where the thread is then, whether it is an error.
type Step = (Store, State, bool);

/// The fewest steps of a run that is not allowed; `None` if all are. The start has none.
pub fn shortest_failure(question: &RefinementQuestion<'_>) -> Option<usize> {
    if !start_is_allowed(question) {
        return Some(0);
    }
    let initial: BTreeSet<State> = initial(question.specification).collect();
    let mut queue: VecDeque<(State, BTreeSet<State>, usize)> = VecDeque::new();
    let mut seen = BTreeSet::new();
    for local in initial_of_implementation(question) {
        if seen.insert((local.clone(), initial.clone())) {
            queue.push_back((local, initial.clone(), 0));
        }
    }
    let mut shortest: Option<usize> = None;
    while let Some((local, states, depth)) = queue.pop_front() {
        if fails_at_once(question, &local, &states) {
            shortest = Some(shortest.map_or(depth, |found| found.min(depth)));
        }
        for (before, at) in &question.shared.pairs {
            for (after, next, is_error) in steps(question.implementation, before, &local) {
                let matched = match is_error {
                    true => errors(question, &states, at),
                    false => matching(question, &states, at, stands_for(question, &after)),
                };
                if matched.is_empty() {
                    shortest = Some(shortest.map_or(depth + 1, |found| found.min(depth + 1)));
                } else if !is_error && seen.insert((next.clone(), matched.clone())) {
                    queue.push_back((next, matched, depth + 1));
                }
            }
        }
    }
    shortest
}

/// The fewest steps of a run of at most `max` that is not allowed.
pub fn failure_within(question: &RefinementQuestion<'_>, max: usize) -> Option<usize> {
    if !start_is_allowed(question) {
        return Some(0);
    }
    (0..=max).find(|&length| {
        let mut run = Vec::new();
        initial_of_implementation(question)
            .any(|local| some_fails(question, &local, length, &mut run))
    })
}

/// What a run of the implementation's thread asks of the specification.
#[derive(Clone)]
enum Asked {
    Change(Store, Store),
    Error(Store),
    Slot(Store, usize, usize),
}

/// Is there a run of exactly `length` more steps that the specification cannot match?
fn some_fails(
    question: &RefinementQuestion<'_>,
    local: &State,
    length: usize,
    run: &mut Vec<Asked>,
) -> bool {
    let mut is_found = false;
    if length == 0 {
        for slot in filled(question, local) {
            run.push(slot);
            is_found |= !can_match(question, run);
            run.pop();
        }
        return is_found;
    }
    for (before, at) in &question.shared.pairs {
        for (after, next, is_error) in steps(question.implementation, before, local) {
            if is_error {
                run.push(Asked::Error(at.clone()));
                is_found |= length == 1 && !can_match(question, run);
            } else {
                run.push(Asked::Change(at.clone(), stands_for(question, &after).clone()));
                is_found |=
                    !can_match(question, run) || some_fails(question, &next, length - 1, run);
            }
            run.pop();
        }
    }
    is_found
}

fn can_match(question: &RefinementQuestion<'_>, run: &[Asked]) -> bool {
    initial(question.specification).any(|local| matches_rest(question, &local, run))
}

/// Has the specification's thread a run from here on? One step after the other.
fn matches_rest(question: &RefinementQuestion<'_>, local: &State, run: &[Asked]) -> bool {
    let program = question.specification;
    let Some((asked, rest)) = run.split_first() else { return true };
    match asked {
        Asked::Error(at) => silently(program, local, at)
            .iter()
            .any(|local| steps(program, at, local).iter().any(|step| step.2)),
        Asked::Slot(at, target, slot) => {
            silently(program, local, at).iter().flatten().any(|local| {
                program.requirements().target_shared(*target, at.bytes())
                    && program.requirements().target_local(
                        *target,
                        *slot,
                        at.bytes(),
                        local.bytes(),
                    )
            })
        }
        Asked::Change(at, after) if at == after => {
            silently(program, local, at).iter().any(|local| matches_rest(question, local, rest))
        }
        Asked::Change(at, after) => silently(program, local, at).iter().any(|local| {
            let taken = steps(program, at, local).into_iter();
            let mut fitting = taken.filter(|step| step.0 == *after && !step.2);
            fitting.any(|step| {
                let settled = silently(program, &step.1, after);
                settled.iter().any(|local| matches_rest(question, local, rest))
            })
        }),
    }
}

/// Where a thread can go by steps that leave the shared store unchanged.
fn silently(program: &dyn ThreadProgram, local: &State, shared: &Store) -> BTreeSet<State> {
    let mut seen = BTreeSet::from([local.clone()]);
    loop {
        let more: Vec<State> = seen
            .iter()
            .flat_map(|local| steps(program, shared, local))
            .filter(|step| step.0 == *shared && !step.2)
            .map(|step| step.1)
            .collect();
        let n_before = seen.len();
        seen.extend(more);
        if seen.len() == n_before {
            return seen;
        }
    }
}

fn settled(
    question: &RefinementQuestion<'_>,
    states: &BTreeSet<State>,
    at: &Store,
) -> BTreeSet<State> {
    states.iter().flat_map(|local| silently(question.specification, local, at)).collect()
}

fn matching(
    question: &RefinementQuestion<'_>,
    states: &BTreeSet<State>,
    at: &Store,
    after: &Store,
) -> BTreeSet<State> {
    let before = settled(question, states, at);
    if at == after {
        return before;
    }
    let taken = before.iter().flat_map(|local| steps(question.specification, at, local));
    let arrived = taken.filter(|step| step.0 == *after && !step.2).map(|step| step.1).collect();
    settled(question, &arrived, after)
}

/// The states from which a thread can fail.
fn errors(
    question: &RefinementQuestion<'_>,
    states: &BTreeSet<State>,
    at: &Store,
) -> BTreeSet<State> {
    let mut all = settled(question, states, at);
    all.retain(|local| steps(question.specification, at, local).iter().any(|step| step.2));
    all
}

/// The slots of matched targets that the implementation's thread fills somewhere.
fn filled(question: &RefinementQuestion<'_>, local: &State) -> Vec<Asked> {
    let Some(local) = local else { return Vec::new() };
    let program = question.implementation;
    let mut all = Vec::new();
    for (shared, at) in &question.shared.pairs {
        for &(own, other) in question.targets {
            for slot in 0..program.requirements().targets()[own].slots.len() {
                if program.requirements().target_shared(own, shared.bytes())
                    && program.requirements().target_local(own, slot, shared.bytes(), local.bytes())
                {
                    all.push(Asked::Slot(at.clone(), other, slot));
                }
            }
        }
    }
    all
}

fn fails_at_once(
    question: &RefinementQuestion<'_>,
    local: &State,
    states: &BTreeSet<State>,
) -> bool {
    filled(question, local).iter().any(|asked| {
        !states.iter().any(|state| matches_rest(question, state, std::slice::from_ref(asked)))
    })
}

fn steps(program: &dyn ThreadProgram, shared: &Store, local: &State) -> Vec<Step> {
    let Some(local) = local else { return Vec::new() };
    let mut steps = Steps::new();
    program.steps(shared.bytes(), local.bytes(), &mut steps);
    let all = steps.iter().map(|step| {
        (Store::new(step.shared()), step.local().map(Store::new), step.violation().is_some())
    });
    all.collect()
}

fn start_is_allowed(question: &RefinementQuestion<'_>) -> bool {
    let allowed = question.specification.initial_shared();
    let own = question.implementation.initial_shared();
    own.iter().all(|shared| allowed.contains(stands_for(question, shared)))
}

fn initial(program: &dyn ThreadProgram) -> impl Iterator<Item = State> {
    program.templates()[0].initial.iter().cloned().map(Some)
}

fn initial_of_implementation(question: &RefinementQuestion<'_>) -> impl Iterator<Item = State> {
    initial(question.implementation)
}

fn stands_for<'q>(question: &RefinementQuestion<'q>, shared: &Store) -> &'q Store {
    let found = question.shared.pairs.iter().find(|pair| pair.0 == *shared);
    &found.expect("the environment has all stores").1
}
