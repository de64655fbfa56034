//! Decides by breadth-first search whether one thread of each of two programs, over the same
//! shared stores, reach an error.
//!
//! Asks the two programs directly: nothing is tagged, renumbered or put together. For programs
//! of one kind of thread without created threads, broadcasts and steps of the environment.

use std::collections::{BTreeSet, VecDeque};

use model::{Steps, Store, ThreadProgram};

/// The shared store, and where the two threads are; `None` is one that has ended.
type Global = (Store, [Option<Store>; 2]);

/// The number of steps to the nearest error; `None` if there is none.
pub fn nearest_error(programs: [&dyn ThreadProgram; 2]) -> Option<usize> {
    let mut queue: VecDeque<(Global, usize)> =
        starts(programs).into_iter().map(|start| (start, 0)).collect();
    let mut seen: BTreeSet<Global> = queue.iter().map(|(start, _)| start.clone()).collect();
    while let Some((state, depth)) = queue.pop_front() {
        if (0..2).any(|side| fits_a_target(programs[side], &state.0, state.1[side].as_ref())) {
            return Some(depth);
        }
        for (side, program) in programs.iter().enumerate() {
            let Some(local) = &state.1[side] else { continue };
            let mut steps = Steps::new();
            program.steps(state.0.bytes(), local.bytes(), &mut steps);
            for step in steps.iter() {
                assert!(step.spawned().next().is_none() && step.broadcast().is_none());
                if step.violation().is_some() {
                    return Some(depth + 1);
                }
                let mut next = (Store::new(step.shared()), state.1.clone());
                next.1[side] = step.local().map(Store::new);
                if seen.insert(next.clone()) {
                    queue.push_back((next, depth + 1));
                }
            }
        }
    }
    None
}

/// All states that both may start in.
fn starts([first, second]: [&dyn ThreadProgram; 2]) -> Vec<Global> {
    let mut starts = Vec::new();
    for shared in first.initial_shared() {
        if !second.initial_shared().contains(&shared) {
            continue;
        }
        for own in &first.templates()[0].initial {
            for other in &second.templates()[0].initial {
                starts.push((shared.clone(), [Some(own.clone()), Some(other.clone())]));
            }
        }
    }
    starts
}

/// Does the only thread of a program fill all slots of one of its targets?
fn fits_a_target(program: &dyn ThreadProgram, shared: &Store, local: Option<&Store>) -> bool {
    (0..program.requirements().targets().len()).any(|target| {
        let is_filled = match program.requirements().targets()[target].slots[..] {
            [] => true,
            [1] => local.is_some_and(|local| {
                program.requirements().target_local(target, 0, shared.bytes(), local.bytes())
            }),
            _ => false,
        };
        is_filled && program.requirements().target_shared(target, shared.bytes())
    })
}
