//! The shortest run to a thread state, among those with the fewest threads that reach it.
//!
//! For each number of threads, states are explored nearest first: threads of the pool
//! are drawn when they make their first step, so that every state is one step behind the
//! one it was met from.
//!
//! **Answers** for programs whose steps neither create nor move other threads, up to a
//! number of states in all. Where there is no answer, any run will have to do.

use std::collections::BTreeSet;

use model::{Limits, StopReason, Store, ThreadState, ThreadTrace, Variant, Violation};
use rustc_hash::{FxHashMap, FxHashSet};

use super::leap::with_step;
use super::pool::{Pool, starts};
use super::property;
use super::reached::{First, How};
use super::states::{add, count_of, local_of, remove};
use super::table::{ENDED, Local, Shared, Table};
use super::{forward::n_threads_in, odd};
use crate::coverability::assign_templates;

/// States that are explored for all numbers of threads together.
const MAX_STATES: usize = 300_000;

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: usize = 4096;

/// Replaces runs by shortest ones, as far as states reach: those with the most threads
/// first, since they are what is looked at.
pub fn shorten(
    all: &mut [(First, ThreadState)],
    (table, pool): (&mut Table<'_>, &Pool),
    limits: &Limits,
) {
    let numbers: BTreeSet<u32> = all.iter().map(|(first, _)| first.n_threads).collect();
    let mut shortest = Shortest::new(table, pool, MAX_STATES);
    for n_threads in numbers.into_iter().rev() {
        let of_number = |first: &First| first.n_threads == n_threads;
        let wanted = all.iter().map(|(first, _)| first).filter(|first| of_number(first));
        let wanted: Vec<_> = wanted.map(|first| (first.shared, first.local)).collect();
        // Without an answer, the runs that are known stay.
        let Ok(mut runs) = shortest.runs(n_threads, &wanted, limits) else { return };
        for (first, state) in all.iter_mut().filter(|(first, _)| of_number(first)) {
            if let Some(run) = runs.remove(&(first.shared, first.local)) {
                state.run = Some(run);
                state.is_shortest = true;
            }
        }
    }
}

/// A shortest run with at most `n_threads` threads into an error of one thread, if it is
/// among the first `max_states` states.
pub fn run_into_error(
    (table, pool): (&mut Table<'_>, &Pool),
    n_threads: u32,
    max_states: usize,
    limits: &Limits,
) -> Option<Box<ThreadTrace>> {
    // Without an answer, the run that is known stays.
    Shortest::new(table, pool, max_states).run_into_error(n_threads, limits).ok()?
}

/// The search for shortest runs.
struct Shortest<'t, 'a> {
    table: &'t mut Table<'a>,
    pool: Vec<Local>,
    /// States that may still be explored.
    n_left: usize,
}

/// A step: the local store of its thread ([`ENDED`]: of the environment), its position in
/// the program's answer, and whether the thread was drawn for it.
#[derive(Clone, Copy)]
struct LevelStep {
    active: Local,
    idx: u32,
    is_drawn: bool,
}

#[derive(Clone, Copy)]
enum LevelOrigin {
    Start,
    Step { before: usize, stepped: LevelStep },
}

/// States by the number of steps to them.
struct Levels {
    states: Vec<(Vec<u32>, LevelOrigin)>,
    known: FxHashSet<Vec<u32>>,
    n_threads: u32,
}

impl<'t, 'a> Shortest<'t, 'a> {
    /// Nothing is known so far.
    fn new(table: &'t mut Table<'a>, pool: &Pool, n_left: usize) -> Shortest<'t, 'a> {
        let pool = pool.stores.iter().map(|store| store.0).collect();
        Shortest { table, pool, n_left }
    }

    /// Shortest runs with at most `n_threads` threads to those of `wanted` that were found.
    ///
    /// # Errors
    /// A limit was reached.
    fn runs(
        &mut self,
        n_threads: u32,
        wanted: &[(Shared, Local)],
        limits: &Limits,
    ) -> Result<FxHashMap<(Shared, Local), ThreadTrace>, StopReason> {
        let mut missing: FxHashSet<(Shared, Local)> = wanted.iter().copied().collect();
        let mut runs = FxHashMap::default();
        self.explore(n_threads, limits, |shortest, levels, at| {
            let met = shortest.thread_states(&levels.states[at].0, n_threads);
            for thread_state in met.into_iter().filter(|met| missing.remove(met)) {
                runs.insert(thread_state, shortest.run(levels, at, thread_state.1)?);
            }
            Ok(!missing.is_empty())
        })?;
        Ok(runs)
    }

    /// A shortest run with at most `n_threads` threads into an error of one thread.
    ///
    /// # Errors
    /// A limit was reached, or the program cannot say what a thread does.
    fn run_into_error(
        &mut self,
        n_threads: u32,
        limits: &Limits,
    ) -> Result<Option<Box<ThreadTrace>>, StopReason> {
        let (mut harmless, mut found) = (FxHashSet::default(), None);
        self.explore(n_threads, limits, |shortest, levels, at| {
            for (shared, local) in shortest.thread_states(&levels.states[at].0, n_threads) {
                if !harmless.insert((shared, local)) {
                    continue;
                }
                let first = First { shared, local, n_threads, how: How::Run(0) };
                if let Some(error) = property::error_in(shortest.table, &first)? {
                    let run = shortest.run(levels, at, local)?;
                    found = Some(property::run_into(error, run, (shortest.table, &first))?);
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        Ok(found)
    }

    /// Lets `visit` see the states nearest first, until it has seen enough, they are too
    /// many, or a step does more than this search knows of.
    fn explore(
        &mut self,
        n_threads: u32,
        limits: &Limits,
        mut visit: impl FnMut(&mut Self, &Levels, usize) -> Result<bool, StopReason>,
    ) -> Result<(), StopReason> {
        let mut levels = Levels { states: Vec::new(), known: FxHashSet::default(), n_threads };
        for row in self.starts()? {
            levels.put(row, LevelOrigin::Start);
        }
        let mut at = 0;
        while at < levels.states.len() {
            let goes_on =
                visit(self, &levels, at)? && self.n_left > 0 && self.expand(&mut levels, at)?;
            if !goes_on {
                break;
            }
            self.n_left -= 1;
            at += 1;
            if at.is_multiple_of(STATES_BETWEEN_LOOKS) {
                limits.check()?;
            }
        }
        Ok(())
    }

    fn starts(&mut self) -> Result<Vec<Vec<u32>>, StopReason> {
        let (rows, _) = starts(self.table)?;
        let mut all = Vec::new();
        for store in self.table.program().initial_shared() {
            let shared = self.table.shared_number(&store);
            all.extend(rows.iter().cloned().map(|mut row| {
                row[0] = shared;
                row
            }));
        }
        Ok(all)
    }

    /// The thread states of a state, those of threads that were not drawn included.
    fn thread_states(&self, row: &[u32], n_threads: u32) -> Vec<(Shared, Local)> {
        let there = row[1..].iter().map(|&entry| local_of(entry)).filter(|&local| local != ENDED);
        let idle = self.pool.iter().copied().filter(|_| n_threads_in(row) < n_threads);
        there.chain(idle).map(|local| (row[0], local)).collect()
    }

    /// Adds the states one step behind; false if there are steps that do more than this
    /// search knows of.
    fn expand(&mut self, levels: &mut Levels, at: usize) -> Result<bool, StopReason> {
        let row = levels.states[at].0.clone();
        let there = row[1..].iter().map(|&entry| (local_of(entry), false));
        let mut actors: Vec<(Local, bool)> = there.filter(|actor| actor.0 != ENDED).collect();
        if n_threads_in(&row) < levels.n_threads {
            actors.extend(self.pool.iter().map(|&local| (local, true)));
        }
        actors.push((ENDED, false));
        for (active, is_drawn) in actors {
            let answer = self.table.known(row[0], active)?;
            for step in self.table.steps(answer) {
                if step.broadcast.is_some() || !step.spawned.is_empty() {
                    return Ok(false);
                }
                let mut after = row.clone();
                after[0] = step.to;
                if active != ENDED {
                    if !is_drawn {
                        remove(&mut after, active);
                    }
                    add(&mut after, step.after);
                }
                let stepped = LevelStep { active, idx: step.idx, is_drawn };
                levels.put(after, LevelOrigin::Step { before: at, stepped });
            }
        }
        Ok(true)
    }

    /// The run to state number `at`, after which a thread is in `local`.
    fn run(&self, levels: &Levels, at: usize, local: Local) -> Result<ThreadTrace, StopReason> {
        let (start, steps) = levels.way_to(at);
        let mut threads: Vec<Local> = Vec::new();
        for &entry in &start[1..] {
            threads.extend(std::iter::repeat_n(local_of(entry), count_of(entry) as usize));
        }
        threads.extend(steps.iter().filter(|step| step.is_drawn).map(|step| step.active));
        let is_there = levels.states[at].0[1..].iter().any(|&entry| local_of(entry) == local);
        threads.extend((!is_there).then_some(local));
        let threads: Vec<Store> =
            threads.into_iter().map(|local| self.table.local(local).clone()).collect();
        let program = self.table.program();
        let mut run = ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared: self.table.shared(start[0]).clone(),
            templates: assign_templates(program, &threads)?,
            threads,
            bystanders: Vec::new(),
            steps: Vec::new(),
            // It is a run to a thread state, and to no error.
            violation: Violation::Target(0),
        };
        for step in steps {
            let active = (step.active != ENDED).then(|| self.table.local(step.active));
            let longer = with_step(program, &run, (active, step.idx), None);
            run = longer.ok_or_else(|| odd("a step of a shortest run is missing"))?;
        }
        Ok(run)
    }
}

impl Levels {
    fn put(&mut self, row: Vec<u32>, origin: LevelOrigin) {
        if self.known.insert(row.clone()) {
            self.states.push((row, origin));
        }
    }

    /// The state that the way to a state starts with, and its steps.
    fn way_to(&self, number: usize) -> (&[u32], Vec<LevelStep>) {
        let (mut at, mut steps) = (number, Vec::new());
        while let LevelOrigin::Step { before, stepped } = self.states[at].1 {
            steps.push(stepped);
            at = before;
        }
        steps.reverse();
        (&self.states[at].0, steps)
    }
}
