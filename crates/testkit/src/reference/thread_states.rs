//! The thread states that at most n threads reach: R_n of dynamic cutoff detection,
//! by breadth-first search over multisets of threads.
//!
//! A thread state is a shared store together with the local store of one thread. n
//! counts all threads that take part in a run: those at the start and those spawned,
//! also after they have ended. A step that would spawn one more does not happen. All
//! numbers of threads at the start up to n are gone through, so R_n grows with n.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use model::{BroadcastId, StepRef, Steps, Store, ThreadProgram};

use super::composition::populations;

/// The thread states reachable with at most `n` threads; `None` when there are more
/// than `max_states` global states. A step that is an error leads nowhere.
pub fn thread_states(
    program: &dyn ThreadProgram,
    n: u32,
    max_states: usize,
) -> Option<BTreeSet<(Store, Store)>> {
    Some(fewest_steps(program, n, max_states)?.into_keys().collect())
}

/// The same, with the fewest steps after which each is reached.
pub fn fewest_steps(
    program: &dyn ThreadProgram,
    n: u32,
    max_states: usize,
) -> Option<BTreeMap<(Store, Store), usize>> {
    let mut seen: BTreeSet<Global> = BTreeSet::new();
    let mut queue: VecDeque<(Global, usize)> = VecDeque::new();
    for n_initial in 0..=n {
        for locals in populations(program, n_initial) {
            for shared in program.initial_shared() {
                let state = Global::new(shared, locals.clone(), n - n_initial);
                if seen.insert(state.clone()) {
                    queue.push_back((state, 0));
                }
            }
        }
    }
    let mut reached = BTreeMap::new();
    while let Some((state, n_steps)) = queue.pop_front() {
        if seen.len() > max_states {
            return None;
        }
        for local in &state.locals {
            reached.entry((state.shared.clone(), local.clone())).or_insert(n_steps);
        }
        for next in state.successors(program) {
            if seen.insert(next.clone()) {
                queue.push_back((next, n_steps + 1));
            }
        }
    }
    Some(reached)
}

/// A global state. Threads have no names: their locals are sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Global {
    shared: Store,
    locals: Vec<Store>,
    /// How many threads may still be spawned.
    n_spare: u32,
}

impl Global {
    fn new(shared: Store, mut locals: Vec<Store>, n_spare: u32) -> Global {
        locals.sort();
        Global { shared, locals, n_spare }
    }

    fn successors(&self, program: &dyn ThreadProgram) -> Vec<Global> {
        let mut found = Vec::new();
        let mut steps = Steps::new();
        program.environment_steps(self.shared.bytes(), &mut steps);
        for step in steps.iter() {
            found.extend(self.after(program, None, &step));
        }
        for (mover, local) in self.locals.iter().enumerate() {
            steps.clear();
            program.steps(self.shared.bytes(), local.bytes(), &mut steps);
            for step in steps.iter() {
                found.extend(self.after(program, Some(mover), &step));
            }
        }
        found
    }

    /// What a step of thread `mover` may lead to: others choose how they follow a
    /// broadcast.
    fn after(
        &self,
        program: &dyn ThreadProgram,
        mover: Option<usize>,
        step: &StepRef<'_>,
    ) -> Vec<Global> {
        let spawned: Vec<Store> = step.spawned().map(Store::new).collect();
        let Some(n_spare) = self.n_spare.checked_sub(spawned.len() as u32) else {
            return Vec::new();
        };
        if step.violation().is_some() {
            return Vec::new();
        }
        let mut ways: BTreeSet<Vec<Store>> = BTreeSet::from([spawned]);
        for (thread, local) in self.locals.iter().enumerate() {
            let becomes = match (mover == Some(thread), step.broadcast()) {
                (true, _) => step.local().map(Store::new).into_iter().collect(),
                (false, Some(broadcast)) => passive(program, broadcast, local),
                (false, None) => vec![local.clone()],
            };
            if becomes.is_empty() {
                // It has ended.
                continue;
            }
            ways =
                ways.iter().flat_map(|way| becomes.iter().map(|local| with(way, local))).collect();
        }
        let shared = Store::new(step.shared());
        ways.into_iter().map(|locals| Global::new(shared.clone(), locals, n_spare)).collect()
    }
}

fn passive(program: &dyn ThreadProgram, broadcast: BroadcastId, local: &Store) -> Vec<Store> {
    let mut becomes = Vec::new();
    program.passive(broadcast, local.bytes(), &mut becomes);
    if becomes.is_empty() {
        becomes.push(local.clone());
    }
    becomes
}

fn with(locals: &[Store], one_more: &Store) -> Vec<Store> {
    let mut more = locals.to_vec();
    more.push(one_more.clone());
    more.sort();
    more
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::{Multiplicity, Store, Template};

    use super::thread_states;
    use crate::random::program::{RandomProgram, TableStep, rich};
    use crate::rng::Rng;

    /// Any number of threads that start in local 0, with these steps.
    fn program(steps: Vec<TableStep>) -> RandomProgram {
        RandomProgram {
            initial_shared: vec![0],
            templates: vec![template(0, Multiplicity::Any)],
            steps,
            broadcasts: Vec::new(),
            shapes: Vec::new(),
            fits: Vec::new(),
        }
    }

    fn template(local: u8, multiplicity: Multiplicity) -> Template {
        Template { name: "thread".to_owned(), initial: vec![Store::new(&[local])], multiplicity }
    }

    fn step(from: (u8, u8), to: (u8, u8)) -> TableStep {
        TableStep {
            shared: from.0,
            local: Some(from.1),
            to_shared: to.0,
            to_local: Some(to.1),
            spawned: Vec::new(),
            broadcast: None,
            is_violation: false,
        }
    }

    fn check(program: &RandomProgram, n: u32, expected: &[(u8, u8)]) {
        let expected: BTreeSet<(Store, Store)> =
            expected.iter().map(|&(s, l)| (Store::new(&[s]), Store::new(&[l]))).collect();
        assert_eq!(thread_states(program, n, 100_000), Some(expected), "{n} threads");
    }

    #[test]
    fn the_two_transition_program_has_the_cutoff_two() {
        let program = program(vec![step((0, 0), (1, 1)), step((1, 1), (2, 0))]);
        check(&program, 0, &[]);
        check(&program, 1, &[(0, 0), (1, 1), (2, 0)]);
        for n in 2..6 {
            check(&program, n, &[(0, 0), (1, 0), (1, 1), (2, 0)]);
        }
    }

    /// Local 0 adds one modulo c + 1, local 1 looks for c, local 2 is the error. A
    /// thread that looks and finds something else stays.
    fn counter(c: u8) -> RandomProgram {
        let mut steps: Vec<TableStep> =
            (0..=c).map(|s| step((s, 0), ((s + 1) % (c + 1), 1))).collect();
        steps.push(step((c, 1), (c, 2)));
        program(steps)
    }

    #[test]
    fn the_counter_program_needs_one_thread_for_each_number_and_more_for_the_rest() {
        for c in 1..=4u8 {
            let program = counter(c);
            let states = |n: u32| thread_states(&program, n, 100_000).expect("few states");
            // n threads count to n; the error needs c of them.
            let error = (Store::new(&[c]), Store::new(&[2]));
            assert!(!states(u32::from(c) - 1).contains(&error));
            assert!(states(u32::from(c)).contains(&error));
            // With c - 1 threads or less, n of them are in (s, 0) for s < n and in
            // (s, 1) for 0 < s <= n.
            for n in 1..c {
                assert_eq!(states(u32::from(n)).len(), 2 * usize::from(n), "c = {c}, n = {n}");
            }
            // All 3 (c + 1) thread states exist. The last is (s, 0) with s = c, or
            // (s, 2) with s = c - 1 after the counter has come around.
            let all = 3 * (usize::from(c) + 1);
            let cutoff = (1..).find(|&n| states(n).len() == all).expect("all are reachable");
            assert_eq!(cutoff, 2 * u32::from(c), "c = {c}");
        }
    }

    #[test]
    fn spawned_threads_count_also_after_they_have_ended() {
        let mut forks = step((0, 0), (0, 0));
        forks.spawned = vec![1];
        let mut ends = step((0, 1), (1, 0));
        ends.to_local = None;
        let mut program = program(vec![forks, ends, step((1, 1), (2, 2))]);
        program.templates = vec![template(0, Multiplicity::Exactly(1))];
        check(&program, 0, &[]);
        check(&program, 1, &[(0, 0)]);
        check(&program, 2, &[(0, 0), (0, 1), (1, 0)]);
        let three = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 2)];
        check(&program, 3, &three);
        check(&program, 4, &[&three[..], &[(2, 1)]].concat());
    }

    #[test]
    fn others_follow_a_broadcast_each_by_its_own_choice() {
        let mut calls = step((0, 0), (1, 3));
        calls.broadcast = Some(0);
        let mut program = program(vec![calls]);
        program.broadcasts = vec![vec![(0, vec![1, 2])]];
        check(&program, 1, &[(0, 0), (1, 3)]);
        check(&program, 2, &[(0, 0), (1, 1), (1, 2), (1, 3)]);
        // The environment calls as well, and no thread is left out.
        program.steps[0].local = None;
        check(&program, 1, &[(0, 0), (1, 1), (1, 2)]);
    }

    #[test]
    fn more_threads_reach_more_in_random_programs() {
        for seed in 0..100 {
            let program = rich(&mut Rng::new(seed));
            let states = |n: u32| thread_states(&program, n, 20_000);
            for n in 0..3 {
                let (Some(fewer), Some(more)) = (states(n), states(n + 1)) else { continue };
                assert!(fewer.is_subset(&more), "seed {seed}: {n} threads");
            }
        }
    }

    #[test]
    fn too_many_states_are_no_answer() {
        assert_eq!(thread_states(&counter(4), 6, 10), None);
    }
}
