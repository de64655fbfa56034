//! Sets of states as decision diagrams: does a Boolean flow reach an error, for any number
//! of threads or for a fixed one?
//!
//! Two searches take turns. One computes the states that n = 1, 2, 3, … threads reach; an
//! error there is real. The other computes the views of k = 1, 2, 3, … threads of what any
//! number of threads may reach: a step of a thread that a view does not show is believed
//! possible if each choice of k threads among it and those in the view is a view. If no
//! view has an error, there is none.
//!
//! **Answers.** `Violated` has the shortest run for the fewest threads (alive at one time)
//! that reach an error, in the smallest steps. `Holds` carries the views, or all reachable
//! states where the number of threads is bounded; `certify` shows without this module that
//! the set is closed.
//! **Sound for** Boolean flows with atomic sections, creation of threads, threads that end,
//! and steps that change the locals of all others. **Not for** programs that ask for more
//! than errors of steps (targets, deadlocks, races): those are refused.
//! **Ends** for each k and n; which k is enough is not known before.
//! **Source** the symbolic part of Kaiser, Kroening, Wahl, CAV 2010 (its cutoff test is
//! k = 1), and view abstraction (Abdulla, Haziza, Holík, VMCAI 2013). We differ: (1) sets
//! are closed under permutations of threads and only thread 0 steps, whose location is
//! explicit; (2) places for threads may be empty, for threads that ended or are still to be
//! created; (3) views include smaller ones.
//! **Read first** `layout.rs`, `step.rs`, then `closure.rs` and `interference.rs`.

mod diagram;
mod exchange;
mod layout;
mod liveness;
mod world;

mod start;
mod step;

mod closure;
mod interference;

mod proof;
mod reconstruct;
mod rerun;
mod rings;
mod study;

use model::{BooleanFlow, Context, Outcome, StopReason, ThreadCount, ThreadProgram, Verdict};

use self::study::Study;

/// Answers whether `threads` threads of a program with a flow reach an error.
pub fn check(program: &dyn ThreadProgram, threads: ThreadCount, context: Context<'_>) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(StopReason::Interrupted),
        engine: crate::Engine::Symbolic.name().to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    };
    let verdict = flow_of(program).and_then(|flow| {
        let mut study = Study::new(program, flow, threads, context)?;
        let verdict = study.answer();
        outcome.statistics = study.statistics();
        outcome.notes = study.notes;
        verdict
    });
    outcome.verdict = verdict.unwrap_or_else(Verdict::Unknown);
    outcome
}

/// The flow of a program that asks for nothing but errors of steps.
fn flow_of(program: &dyn ThreadProgram) -> Result<&BooleanFlow, StopReason> {
    let refused = |why: &str| StopReason::Incomplete { why: why.to_owned() };
    let Some(flow) = program.flow() else {
        return Err(refused("the engine `symbolic` is for programs over Boolean variables"));
    };
    let asked = program.requirements();
    if !asked.targets().is_empty() || asked.beyond_targets().is_some() {
        return Err(refused("the engine `symbolic` looks for errors of single steps only"));
    }
    Ok(flow)
}

/// Something that cannot be: an answer must not be built on it.
fn odd(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("{what} (this is a bug in the engine `symbolic`)") }
}
