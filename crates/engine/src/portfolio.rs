//! Which engine answers about threads, and which one is asked when the first does not
//! answer.
//!
//! An error that is near is met by a glance of the cutoff search before anything is built
//! (`cutoff/glance.rs`). Then the engines that count threads take turns
//! (`coverability/portfolio.rs`), or sets of states are kept, where a Boolean program has
//! too many thread states to list.

use model::{Context, Outcome, Problem, StopReason, ThreadCount, ThreadProgram, Verdict};

use crate::{Engine, coverability, cutoff, symbolic};

/// Thread states of a Boolean program that are listed one by one; with more of them, sets
/// are kept instead. Of Rockall's 130,000, sets take a twentieth of the time.
const MAX_LISTED_THREAD_STATES: usize = 20_000;

/// Answers about `threads` threads of `program`.
pub fn check(program: &dyn ThreadProgram, threads: ThreadCount, context: Context<'_>) -> Outcome {
    if threads == ThreadCount::Any
        && let Some(violated) = cutoff::near_error(program, context)
    {
        return violated;
    }
    match program.flow() {
        Some(_) => boolean(program, threads, context),
        None => coverability::check(Problem::Threads(program), threads, Engine::Auto, context),
    }
}

/// Answers about a program over Boolean variables: by listing its thread states where they
/// are few enough, else by sets of states.
fn boolean(program: &dyn ThreadProgram, threads: ThreadCount, context: Context<'_>) -> Outcome {
    let list = || coverability::check(Problem::Threads(program), threads, Engine::Auto, context);
    let keep_sets = || symbolic::check(program, threads, context);
    let max = MAX_LISTED_THREAD_STATES;
    let (mut first, other, note): (Outcome, &dyn Fn() -> Outcome, String) =
        match coverability::has_at_most(max, program, threads, context.limits) {
            Ok(false) => {
                let note =
                    format!("it has more than {max} thread states: sets of states were kept");
                (keep_sets(), &list, note)
            }
            Ok(true) | Err(_) => (list(), &keep_sets, "thread states were listed".to_owned()),
        };
    let is_listed = first.engine != Engine::Symbolic.name();
    let Verdict::Unknown(StopReason::Incomplete { why }) = &first.verdict else {
        first.notes.splice(0..0, (!is_listed).then_some(note));
        return first;
    };
    let note = format!("{note}, without an answer: {why}");
    let mut second = other();
    match second.verdict {
        Verdict::Unknown(_) => first,
        _ => {
            second.notes.push(note);
            second
        }
    }
}
