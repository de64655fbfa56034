//! Says what is wrong at the end of a run of threads that is a deadlock or a race.
//!
//! There are two kinds of races. In one, two threads can access the same location next.
//! In the other, the last step accesses what another thread has accessed before, and
//! nothing orders the two.

use model::{
    Access, MadeAccess, Rule, StepError, StepLabel, ThreadProgram, ThreadTrace, Violation,
};

use crate::thread_state::GlobalState;
use crate::thread_waits;

/// Two accesses of which at least one must not happen while the other may.
pub(crate) struct Race {
    /// What both access, as a noun.
    pub location: String,
    /// The two: the earlier one first, or the thread with the smaller number.
    pub sides: [RaceSide; 2],
}

/// One of the two.
pub(crate) struct RaceSide {
    /// Number of the thread.
    pub thread: usize,
    /// Does it write?
    pub is_write: bool,
    /// Is it atomic?
    pub is_atomic: bool,
    /// What makes it.
    pub label: StepLabel,
    /// Index of the step that made it, if it has happened.
    pub step: Option<usize>,
}

impl RaceSide {
    fn new(thread: usize, access: Access, label: StepLabel, step: Option<usize>) -> RaceSide {
        let Access { is_write, is_atomic, .. } = access;
        RaceSide { thread, is_write, is_atomic, label, step }
    }

    /// `writes` or `reads`.
    pub fn verb(&self) -> &'static str {
        match (self.is_write, self.step.is_some() && self.is_atomic) {
            (true, false) => "writes",
            (false, false) => "reads",
            (true, true) => "atomically writes",
            (false, true) => "atomically reads",
        }
    }

    fn words(&self) -> String {
        let step = self.step.map_or_else(String::new, |step| format!(", step {}", step + 1));
        format!("T{} {} it (`{}`{step})", self.thread, self.verb(), self.label.text)
    }
}

/// Who waits for what: a heading, and a line for each.
pub(crate) fn deadlock(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Vec<String> {
    let waits = thread_waits::waits(program, trace);
    std::iter::once("deadlock:".to_owned()).chain(waits.iter().map(|wait| wait.words())).collect()
}

/// Which two threads access what: a heading, and a line for each if they did so one
/// after the other.
pub(crate) fn race(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Option<Vec<String>> {
    let Race { location, sides: [left, right] } = find_race(program, trace)?;
    let (one, other) = (left.words(), right.words());
    Some(match left.step {
        None => vec![format!("data race on {location}: {one} while {other}")],
        Some(_) => {
            vec![format!("data race on {location}, which nothing orders:"), one, other]
        }
    })
}

/// Which two threads access what.
pub(crate) fn find_race(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Option<Race> {
    match &trace.violation {
        Violation::Race => race_of_next_steps(program, &GlobalState::last(trace)),
        Violation::Step(error) if error.rule == Rule::Race => {
            race_of_last_step(program, trace, error)
        }
        Violation::Step(_) => None,
        Violation::Target(_) | Violation::Deadlock | Violation::Lasso { .. } => None,
    }
}

fn race_of_next_steps(program: &dyn ThreadProgram, state: &GlobalState) -> Option<Race> {
    let accesses: Vec<Vec<(Access, StepLabel)>> =
        (0..state.locals.len()).map(|thread| state.accesses(program, thread)).collect();
    for (left, of_left) in accesses.iter().enumerate() {
        for (right, of_right) in accesses.iter().enumerate().skip(left + 1) {
            let known = of_left
                .iter()
                .filter(|(one, _)| program.has_object(state.shared.bytes(), one.object));
            for (one, at) in known {
                if let Some((other, other_at)) = of_right.iter().find(|(other, _)| one.races(other))
                {
                    let location = program.narrator().describe_location(state.shared.bytes(), *one);
                    let side = |thread: usize, access: Access, step: &StepLabel| {
                        let exact = state.maker(program.narrator(), thread, access);
                        RaceSide::new(thread, access, exact.unwrap_or_else(|| step.clone()), None)
                    };
                    let sides = [side(left, *one, at), side(right, *other, other_at)];
                    return Some(Race { location, sides });
                }
            }
        }
    }
    None
}

/// The race that the last step is, if it is one.
fn race_of_last_step(
    program: &dyn ThreadProgram,
    trace: &ThreadTrace,
    error: &StepError,
) -> Option<Race> {
    let (last, before) = trace.steps.split_last()?;
    let mut states = vec![GlobalState::first(trace)];
    for step in before {
        let mut state = states.last()?.clone();
        state.take(step);
        states.push(state);
    }
    let state = states.last()?;
    let mover = last.thread?;
    let local = state.local(mover)?;
    let narrator = program.narrator();
    let [earlier, later] = narrator.race_of_step(state.shared.bytes(), local.bytes(), error)?;
    let location = narrator.describe_location(state.shared.bytes(), later.access);
    // The step that touched this very location there is the best; memory that a step
    // hands to others counts as written by it, though no access of it is.
    let made = |is_exact: bool| {
        before.iter().zip(&states).enumerate().rev().find_map(|(idx, (step, state))| {
            let thread = step.thread.filter(|thread| *thread != mover)? as usize;
            let accesses = state.accesses(program, thread);
            let is_it = |access: Access| {
                (!is_exact || access.races(&later.access))
                    && state.maker(narrator, thread, access).as_ref() == Some(&earlier.label)
            };
            accesses.iter().any(|(access, _)| is_it(*access)).then_some((thread, idx))
        })
    };
    let (thread, step) = made(true).or_else(|| made(false))?;
    let side =
        |thread, made: MadeAccess, step| RaceSide::new(thread, made.access, made.label, Some(step));
    let sides = [side(thread, earlier, step), side(mover as usize, later, before.len())];
    Some(Race { location, sides })
}
