//! Which search answers about a program that calls itself, and whether an error that cannot be
//! excluded thread by thread is real.
//!
//! A proof is tried first (`thread_modular/pushdown`). Where it fails, runs of few threads with
//! few calls on top of each other are searched, and the program with its recursion cut off. An
//! error that one of them finds is one, whatever was left out; that they find none proves
//! nothing unless nothing was left out.

use model::{
    Context, GrowingBound, Limits, Multiplicity, Narrator, Outcome, PushdownProgram, Requirements,
    Steps, StopReason, Store, Template, ThreadCount, ThreadProgram, Variant, Verdict,
};

use crate::explicit::{SearchOptions, check_threads};
use crate::kernel::starts::{MAX_STARTS, n_starts};
use crate::thread_modular::check_stacks;

/// Rounds of bounded searches, each with more states, threads and calls.
const MAX_ROUNDS: u32 = 4;

/// States of a search in the first round; four times as many in each that follows.
const FIRST_STATES: u64 = 1_000;

/// Places for threads that are created.
const ROOM: u32 = 4;

/// Answers about a program with stacks; `cut_off` answers about it with its recursion cut off.
pub fn check(
    program: &dyn ThreadProgram,
    stacks: &dyn PushdownProgram,
    threads: ThreadCount,
    context: Context<'_>,
    cut_off: &dyn Fn() -> Outcome,
) -> Outcome {
    let mut first = check_stacks(program, stacks, threads, true, context);
    if !matches!(first.verdict, Verdict::Unknown(StopReason::Incomplete { .. })) {
        return first;
    }
    let near = bounded_runs(stacks, threads, 0..2, context);
    if let Some(violated) = near {
        return violated;
    }
    let second = cut_off();
    if !matches!(second.verdict, Verdict::Unknown(_)) {
        return second;
    }
    if let Some(violated) = bounded_runs(stacks, threads, 2..MAX_ROUNDS, context) {
        return violated;
    }
    if let Err(reason) = context.limits.check() {
        first.verdict = Verdict::Unknown(reason);
    }
    first
}

/// Runs with few threads and few calls on top of each other that end in an error.
fn bounded_runs(
    stacks: &dyn PushdownProgram,
    threads: ThreadCount,
    rounds: std::ops::Range<u32>,
    context: Context<'_>,
) -> Option<Outcome> {
    for round in rounds {
        for n_threads in numbers(stacks, threads, round + 2) {
            let bounded = BoundedDepth { stacks, max_depth: 1 << (round + 1) };
            let max_states = FIRST_STATES << (2 * round);
            let outcome = explore(&bounded, n_threads, max_states, context);
            if outcome.as_ref().is_some_and(|it| matches!(it.verdict, Verdict::Violated(_))) {
                return outcome;
            }
            if context.limits.check().is_err() {
                return None;
            }
        }
    }
    None
}

/// The numbers of threads to try, up to `most` more than there are at least.
fn numbers(stacks: &dyn PushdownProgram, threads: ThreadCount, most: u32) -> Vec<u32> {
    if let ThreadCount::Exactly(n) = threads {
        return vec![n];
    }
    let templates = stacks.templates();
    let fixed = templates.iter().map(|template| match template.multiplicity {
        Multiplicity::Exactly(n) => n,
        Multiplicity::Any => 0,
    });
    let fixed = fixed.fold(0, u32::saturating_add);
    let is_free = |template: &Template| template.multiplicity == Multiplicity::Any;
    match templates.iter().any(is_free) {
        true => (fixed.max(1)..=fixed.saturating_add(most)).collect(),
        false => vec![fixed],
    }
}

fn explore(
    program: &BoundedDepth<'_>,
    n_threads: u32,
    max_states: u64,
    context: Context<'_>,
) -> Option<Outcome> {
    if n_starts(program, n_threads)? > MAX_STARTS {
        return None;
    }
    let n_slots = n_threads.saturating_add(ROOM);
    let options = SearchOptions {
        max_states: Some(max_states),
        slots: Some(GrowingBound::new(n_slots, n_slots)),
        ..SearchOptions::default()
    };
    // One worker, so that what is found within so many states does not depend on others.
    let limits = Limits { jobs: 1, ..context.limits.clone() };
    Some(check_threads(program, n_threads, &options, context.within(&limits)))
}

/// A program with stacks of bounded depth; that a call is cut off is part of the verdict.
struct BoundedDepth<'a> {
    stacks: &'a dyn PushdownProgram,
    max_depth: usize,
}

impl BoundedDepth<'_> {
    fn is_too_deep(&self, local: Option<&[u8]>) -> bool {
        local.is_some_and(|local| self.stacks.depth(local) > self.max_depth)
    }
}

impl ThreadProgram for BoundedDepth<'_> {
    fn variant(&self) -> Variant {
        self.stacks.threads().variant()
    }

    fn initial_shared(&self) -> Vec<Store> {
        self.stacks.threads().initial_shared()
    }

    fn templates(&self) -> &[Template] {
        self.stacks.threads().templates()
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        self.stacks.threads().steps(shared, local, out);
        let is_kept: Vec<bool> = out.iter().map(|step| !self.is_too_deep(step.local())).collect();
        if is_kept.contains(&false) {
            out.retain(|idx| is_kept[idx]);
            out.set_incomplete(format!("more than {} calls on each other", self.max_depth));
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self.stacks.threads().requirements()
    }

    fn narrator(&self) -> &dyn Narrator {
        self.stacks.threads().narrator()
    }
}
