//! What else the threads of a realized candidate reach from where they are.
//!
//! A question costs far more than some thousand states. So before the next one is asked,
//! the states behind a run that was found are explored, with as many threads: thread
//! states outside of R turn up there by the dozen. Steps that create or move other threads
//! are left alone; whatever is missed is found by the next question.

use model::{Limits, StopReason, ThreadTrace};
use rustc_hash::FxHashSet;

use super::leap::end_of;
use super::reached::Reached;
use super::states::{add, local_of, remove};
use super::table::{ENDED, Local, Shared, Table};

/// States that are explored behind the runs of one answer, at least and at most.
const FEW_STATES: u64 = 20_000;
const MANY_STATES: u64 = 1_000_000;

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: usize = 4096;

/// How many states are worth exploring where an answer took so much work.
pub fn n_states_worth(work: u64) -> usize {
    (work / 4).clamp(FEW_STATES, MANY_STATES) as usize
}

/// A step by its thread's local store, [`ENDED`] for the environment, and its position in
/// the program's answer.
pub type Stepped = (Local, u32);

/// A thread state outside of R, and the way to it.
pub struct NewThreadState {
    /// The thread state.
    pub at: (Shared, Local),
    /// Which of the runs leads there.
    pub run: usize,
    /// The steps after it.
    pub steps: Vec<Stepped>,
}

/// Goes through at most so many states behind `runs`, nearest first.
///
/// # Errors
/// The program cannot say what a thread does, or a limit was reached.
pub fn look_around<'r>(
    table: &mut Table<'_>,
    (reached, max_states): (&Reached, usize),
    runs: impl Iterator<Item = &'r ThreadTrace>,
    limits: &Limits,
) -> Result<Vec<NewThreadState>, StopReason> {
    let mut around = Around { states: Vec::new(), known: FxHashSet::default(), found: Vec::new() };
    let mut seen = reached.clone();
    for (run, trace) in runs.enumerate() {
        let row = row_of(table, trace);
        around.put(row, StateOrigin::Run(run), &mut seen);
    }
    let mut at = 0;
    while at < around.states.len() && around.states.len() < max_states {
        around.expand(table, at, &mut seen)?;
        at += 1;
        if at.is_multiple_of(STATES_BETWEEN_LOOKS) {
            limits.check()?;
        }
    }
    Ok(around.found)
}

fn row_of(table: &mut Table<'_>, run: &ThreadTrace) -> Vec<u32> {
    let (shared, locals) = end_of(run);
    let mut row = vec![table.shared_number(&shared)];
    for local in locals.iter().flatten() {
        add(&mut row, table.local_number(local));
    }
    row
}

/// How a state was met.
#[derive(Clone, Copy)]
enum StateOrigin {
    Run(usize),
    Step { before: usize, stepped: Stepped },
}

struct Around {
    states: Vec<(Vec<u32>, StateOrigin)>,
    known: FxHashSet<Vec<u32>>,
    found: Vec<NewThreadState>,
}

impl Around {
    fn put(&mut self, row: Vec<u32>, origin: StateOrigin, seen: &mut Reached) {
        if !self.known.insert(row.clone()) {
            return;
        }
        let number = self.states.len();
        self.states.push((row, origin));
        let row = &self.states[number].0;
        let shared = row[0];
        let locals = row[1..].iter().map(|&entry| local_of(entry));
        let new: Vec<Local> = locals.filter(|&local| !seen.contains(shared, local)).collect();
        for local in new {
            seen.mark(shared, local);
            let (run, steps) = self.way_to(number);
            self.found.push(NewThreadState { at: (shared, local), run, steps });
        }
    }

    fn way_to(&self, number: usize) -> (usize, Vec<Stepped>) {
        let (mut at, mut steps) = (number, Vec::new());
        loop {
            match self.states[at].1 {
                StateOrigin::Run(run) => {
                    steps.reverse();
                    return (run, steps);
                }
                StateOrigin::Step { before, stepped } => {
                    steps.push(stepped);
                    at = before;
                }
            }
        }
    }

    fn expand(
        &mut self,
        table: &mut Table<'_>,
        at: usize,
        seen: &mut Reached,
    ) -> Result<(), StopReason> {
        let row = self.states[at].0.clone();
        let there = row[1..].iter().map(|&entry| local_of(entry));
        for active in there.chain([ENDED]) {
            let answer = table.known(row[0], active)?;
            for step in table.steps(answer) {
                if step.broadcast.is_some() || !step.spawned.is_empty() {
                    continue;
                }
                let mut after = row.clone();
                after[0] = step.to;
                if active != ENDED {
                    remove(&mut after, active);
                    if step.after != ENDED {
                        add(&mut after, step.after);
                    }
                }
                let stepped = (active, step.idx);
                self.put(after, StateOrigin::Step { before: at, stepped }, seen);
            }
        }
        Ok(())
    }
}
