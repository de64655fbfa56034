//! The oracle for programs that share memory: which rules does some sequentially consistent
//! execution break?
//!
//! It reads the syntax tree that the program is printed from, and has nothing in common with
//! what it judges: no LLVM IR, no reduction, no store of events. Every interleaving is made,
//! an access a step, with vector clocks as in the textbooks; equal states are visited once.
//!
//! **Answers** each rule alone. A run ends where an object is used that has ended or never was,
//! where an assertion fails, and where `main` returns; what others did before counts. An access
//! to an object that has ended is an error of memory; where it is a data race as well, that is
//! left open.
//! **Sound for** what C11 and POSIX say; where they say nothing ([`Fault::Unclear`]) there is
//! no answer. **Source** C11 5.1.2.4, 7.17.3, 7.17.4, 7.26; POSIX for the names of threads.
//! **Read first** `memory.rs`, then `step.rs`.

mod flat;
mod memory;
mod state;
mod step;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::random::sharing::Program;
use flat::Operation;
use state::{Phase, State};
use step::Mover;

/// How a run ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Memory is used that is not there.
    Memory {
        /// It is not there any more, and nothing orders that before the use.
        is_unordered: bool,
    },
    /// An assertion fails.
    Assertion,
    /// The program is over.
    Exit,
    /// Nobody says what this means.
    Unclear(&'static str),
}

/// Is memory lost?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    /// In no run.
    #[default]
    None,
    /// That depends on what counts as reachable when the program ends: registers of threads
    /// that still run, results that nobody has taken.
    Depends,
    /// In some run.
    Some,
}

/// What some execution shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Two accesses race, of which the later finds the object alive.
    pub race: bool,
    /// An object is used that has ended, and nothing orders its end before that: an error of
    /// memory, and a data race as well.
    pub race_with_end: bool,
    /// Memory is used that is not there.
    pub memory: bool,
    /// An assertion fails.
    pub assertion: bool,
    /// Threads wait for each other, or all of them wait.
    pub deadlock: bool,
    /// Memory is lost.
    pub leak: Leak,
    /// A pointer to an object that has ended is compared with another one.
    pub compares_ended: bool,
    /// Some run reaches the end of `main`.
    pub exits: bool,
    /// Some run reaches it while other threads run.
    pub leaves_threads: bool,
    /// States that were visited.
    pub n_states: usize,
}

/// Why there are no findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// There are more states than allowed.
    TooManyStates,
    /// The program has no meaning.
    Unclear(&'static str),
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// States that are visited, at most.
    pub max_states: usize,
    /// May a new object lie where another one has ended?
    pub reuses_addresses: bool,
}

/// The rules that some execution of the program breaks.
///
/// # Errors
/// Why that is not known.
pub fn judge(program: &Program, bounds: Bounds) -> Result<Findings, NoAnswer> {
    let oracle = Oracle { program, code: flat::flat(program), bounds };
    oracle.search()
}

/// A program and how it is searched.
pub struct Oracle<'a> {
    program: &'a Program,
    code: Vec<Vec<Operation>>,
    bounds: Bounds,
}

impl Oracle<'_> {
    fn search(&self) -> Result<Findings, NoAnswer> {
        let mut findings = Findings::default();
        let mut first = Mover::new(self, State::first(self.program), 0);
        first.settle().map_err(no_answer)?;
        let mut seen = BTreeSet::from([first.state.clone()]);
        let mut stack = vec![first.state];
        while let Some(state) = stack.pop() {
            findings.deadlock |= self.is_deadlock(&state);
            for next in self.successors(&state, &mut findings)? {
                if seen.insert(next.clone()) {
                    stack.push(next);
                }
            }
            if seen.len() > self.bounds.max_states {
                return Err(NoAnswer::TooManyStates);
            }
        }
        findings.n_states = seen.len();
        Ok(findings)
    }

    fn next(&self, state: &State, thread: usize) -> &Operation {
        &self.code[thread][state.threads[thread].next]
    }

    /// The thread that this one waits for.
    fn waits_for(&self, state: &State, thread: usize) -> Option<usize> {
        match self.next(state, thread) {
            Operation::Lock(mutex) => state.mutexes[usize::from(*mutex)].owner.map(usize::from),
            Operation::Join { thread: other, .. } => {
                let other = usize::from(*other);
                (state.threads[other].phase == Phase::Running).then_some(other)
            }
            _ => None,
        }
    }

    fn successors(&self, state: &State, findings: &mut Findings) -> Result<Vec<State>, NoAnswer> {
        let mut found = Vec::new();
        for thread in running(state) {
            if let Some(other) = self.waits_for(state, thread) {
                if other == thread {
                    return Err(NoAnswer::Unclear("a thread waits for itself"));
                }
                continue;
            }
            for address in self.addresses(state, thread) {
                let mut mover = Mover::new(self, state.clone(), thread);
                mover.address = address;
                found.extend(self.moved(mover, findings)?);
            }
        }
        Ok(found)
    }

    /// Where the object lies that the next step makes, if it makes one.
    fn addresses(&self, state: &State, thread: usize) -> Vec<Option<u8>> {
        let makes_one = matches!(
            self.next(state, thread),
            Operation::New { .. } | Operation::Enter { .. } | Operation::Grow(_)
        );
        let left = match makes_one && self.bounds.reuses_addresses {
            true => state.left_addresses(),
            false => Vec::new(),
        };
        left.into_iter().map(Some).chain([None]).collect()
    }

    fn moved(
        &self,
        mut mover: Mover<'_>,
        findings: &mut Findings,
    ) -> Result<Option<State>, NoAnswer> {
        let stepped = mover.step().and_then(|()| mover.settle());
        findings.race |= mover.races;
        findings.compares_ended |= mover.compares_ended;
        let mut state = mover.state;
        match stepped {
            Ok(()) => {}
            Err(Fault::Memory { is_unordered }) => {
                findings.memory = true;
                findings.race_with_end |= is_unordered;
            }
            Err(Fault::Assertion) => findings.assertion = true,
            Err(Fault::Exit) => {
                findings.exits = true;
                findings.leaves_threads |= running(&state).any(|thread| thread > 0);
                findings.leak = findings.leak.max(leak(&state));
            }
            Err(Fault::Unclear(why)) => return Err(NoAnswer::Unclear(why)),
        }
        if stepped.is_err() {
            return Ok(None);
        }
        // Threads that have just been started are brought to their first step.
        for thread in running(&state).collect::<Vec<_>>() {
            let mut started = Mover::new(self, state, thread);
            started.settle().map_err(no_answer)?;
            findings.compares_ended |= started.compares_ended;
            state = started.state;
        }
        state.forget_what_all_know();
        Ok(Some(state))
    }

    /// Do all threads wait, or some for each other?
    fn is_deadlock(&self, state: &State) -> bool {
        let waits = |thread: usize| self.waits_for(state, thread);
        let goes_round = |thread: usize| {
            let mut last = Some(thread);
            for _ in 0..=state.threads.len() {
                last = last.filter(|&it| state.threads[it].phase == Phase::Running).and_then(waits);
            }
            last.is_some()
        };
        let all_wait = running(state).all(|thread| waits(thread).is_some());
        all_wait || running(state).any(goes_round)
    }
}

fn running(state: &State) -> impl Iterator<Item = usize> + '_ {
    let threads = state.threads.iter().enumerate();
    threads.filter(|(_, it)| it.phase == Phase::Running).map(|(thread, _)| thread)
}

fn no_answer(fault: Fault) -> NoAnswer {
    match fault {
        Fault::Unclear(why) => NoAnswer::Unclear(why),
        _ => NoAnswer::Unclear("nothing has happened yet"),
    }
}

/// Is memory lost when the program ends here?
fn leak(state: &State) -> Leak {
    let statics: Vec<u8> = (0..state.objects.len() as u8)
        .filter(|&object| state.objects[usize::from(object)].kind == state::Kind::Static)
        .collect();
    let mut perhaps = statics.clone();
    for (thread, it) in state.threads.iter().enumerate() {
        perhaps.extend(it.own.iter().map(|(_, object)| *object));
        if it.phase == Phase::Running && thread > 0 {
            perhaps.extend(it.pointers.iter().chain(&it.locals).flatten());
        }
        if it.phase != Phase::Joined {
            perhaps.extend(it.result);
        }
    }
    match (state.unreachable_blocks(&perhaps), state.unreachable_blocks(&statics)) {
        (true, _) => Leak::Some,
        (false, true) => Leak::Depends,
        (false, false) => Leak::None,
    }
}
