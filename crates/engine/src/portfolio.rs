//! Which engine answers about threads, and which one is asked when the first does not
//! answer.
//!
//! An error that is near is met by a glance before anything is built: of the cutoff search
//! (`cutoff/glance.rs`), or of an explicit one where the number of threads is given and sets of
//! states would be kept. Where the number of some threads is given, each is looked at alone for
//! a little work (`thread_modular`). Then the engines that count threads take turns
//! (`coverability/portfolio.rs`), or sets of states are kept, where a Boolean program has
//! too many thread states to list.

use model::{
    Context, GrowingBound, Limits, Multiplicity, Outcome, Problem, StopReason, Template,
    ThreadCount, ThreadProgram, Verdict,
};

use crate::explicit::{SearchOptions, check_threads};
use crate::kernel::starts::{MAX_STARTS, n_starts};
use crate::{Engine, coverability, cutoff, recursion, symbolic, thread_modular};

/// Thread states of a Boolean program that are listed one by one; with more of them, sets
/// are kept instead. Of Rockall's 130,000, sets take a twentieth of the time.
const MAX_LISTED_THREAD_STATES: usize = 20_000;

/// States that an explicit search stores before sets of states are kept: a fraction of a
/// second.
const GLANCE: u64 = 10_000;

/// Places for threads that are created, in an explicit search.
const ROOM: u32 = 4;

/// Answers about `threads` threads of `program`.
pub fn check(program: &dyn ThreadProgram, threads: ThreadCount, context: Context<'_>) -> Outcome {
    if threads == ThreadCount::Any
        && let Some(violated) = cutoff::near_error(program, context)
    {
        return violated;
    }
    if let Some(stacks) = program.pushdown() {
        let cut_off = || boolean(program, threads, context);
        return recursion::check(program, stacks, threads, context, &cut_off);
    }
    if has_named_threads(program, threads)
        && let Some(proved) = thread_modular::near_proof(program, threads, context)
    {
        return proved;
    }
    match program.flow() {
        Some(_) => boolean(program, threads, context),
        None => coverability::check(Problem::Threads(program), threads, Engine::Auto, context),
    }
}

/// Is the number of some threads given? To count those costs much, to look at each alone
/// little.
fn has_named_threads(program: &dyn ThreadProgram, threads: ThreadCount) -> bool {
    let is_fixed = |template: &Template| matches!(template.multiplicity, Multiplicity::Exactly(_));
    matches!(threads, ThreadCount::Exactly(_)) || program.templates().iter().any(is_fixed)
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
                if let Some(violated) = near_error(program, threads, context) {
                    return violated;
                }
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

/// An error of so many threads that is near, if there is one. One worker looks, so that what
/// it finds within so many states does not depend on others.
fn near_error(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    context: Context<'_>,
) -> Option<Outcome> {
    let ThreadCount::Exactly(n_threads) = threads else { return None };
    if n_starts(program, n_threads)? > MAX_STARTS {
        return None;
    }
    let n_slots = n_threads.saturating_add(ROOM);
    let options = SearchOptions {
        max_states: Some(GLANCE),
        slots: Some(GrowingBound::new(n_slots, n_slots)),
        ..SearchOptions::default()
    };
    let limits = Limits { jobs: 1, ..context.limits.clone() };
    let outcome = check_threads(program, n_threads, &options, context.within(&limits));
    matches!(outcome.verdict, Verdict::Violated(_)).then_some(outcome)
}
