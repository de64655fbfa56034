//! Decides whether a verdict may be believed: re-checks certificates and replays
//! traces against the front end's own semantics.
//!
//! Shares no code with `engine`: a bug in the search cannot hide in the check.
//! Nothing in a certificate or trace is trusted. The checks ask only that a proof
//! is valid, not that it is small or that the engine could have found it.
//!
//! **How a certificate is checked.** `system.rs` asks the front end for every step
//! that is possible within the proof's *reach* (which control states are possible
//! and which counters can be non-zero in each), as rules over counters. Then the
//! proof's own module shows that its set contains the initial configurations, is
//! closed under the rules, and contains no target.
//! **Sound, not complete.** A set that is closed for reasons that the proof does
//! not spell out is rejected; so is one with more cases than `choose.rs` allows.
//! **Read first** `rule.rs`, `reach.rs`, then `cover.rs`, `basis.rs`, `equation.rs`.

mod budget;
mod choose;
mod rejection;
mod wellformed;

mod initial;
mod reach;
mod rule;
mod system;
mod targets;
mod threads;

mod cover;
mod successor;

mod basis;
mod classes;
mod predecessor;
mod zone_set;

mod elements;

mod equation;
mod lemma;
mod trap;

mod cutoff;
mod refine;
mod replay;

mod lasso;
mod states;

mod composed;

mod summaries;
mod views;

mod modular;

#[cfg(test)]
mod naive;

use model::parameterized::ParameterizedSystem;
use model::{
    Certificate, Limits, Problem, Proof, PushdownProgram, ThreadCount, ThreadProgram, ThreadRuns,
    Trace, Verdict,
};

use crate::budget::Budget;
use crate::reach::Reach;
use crate::system::System;

pub use crate::cutoff::check_cutoff;
pub use crate::refine::{carries_over, carries_over_side_by_side, check_refinement};
pub use crate::rejection::Rejection;

/// May `verdict` be believed as the answer for `problem` and `threads`?
///
/// `Unknown` claims nothing and always passes.
///
/// # Errors
/// What is wrong with the verdict, or that `limits` ran out.
pub fn check(
    problem: Problem<'_>,
    threads: ThreadCount,
    verdict: &Verdict,
    limits: &Limits,
) -> Result<Assurance, Rejection> {
    check_variant(problem, verdict)?;
    match verdict {
        Verdict::Holds(certificate) => check_certificate(problem, threads, certificate, limits),
        Verdict::Violated(trace) => {
            replay(problem, threads, trace, limits).map(|()| Assurance::Proved)
        }
        Verdict::Unknown(_) => Ok(Assurance::Proved),
    }
}

/// Is the claim about the meaning of the program that is asked about?
fn check_variant(problem: Problem<'_>, verdict: &Verdict) -> Result<(), Rejection> {
    let (asked, claimed) = (problem.variant(), verdict.variant());
    match verdict {
        Verdict::Unknown(_) => Ok(()),
        _ if asked == claimed => Ok(()),
        _ => Err(Rejection::VariantMismatch { asked, claimed }),
    }
}

/// How much a verdict that passed was re-checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assurance {
    /// In full: a proof was checked, or a run replayed.
    Proved,
    /// The search was done again by the front end's interpreter.
    Repeated,
    /// The claim is that a search found nothing, and it is too large to be done
    /// again here.
    NotRepeated,
}

/// Does `certificate` prove that no target of `problem` is reachable for `threads`?
///
/// # Errors
/// What is wrong with the certificate, or that `limits` ran out.
pub fn check_certificate(
    problem: Problem<'_>,
    threads: ThreadCount,
    certificate: &Certificate,
    limits: &Limits,
) -> Result<Assurance, Rejection> {
    limits.check().map_err(Rejection::Stopped)?;
    let budget = Budget::new(limits);
    let scope = certificate.scope;
    // A proof for any number of threads is one for each number in particular.
    let is_wider = scope == ThreadCount::Any && matches!(threads, ThreadCount::Exactly(_));
    if scope != threads && !is_wider {
        return Err(Rejection::ScopeMismatch { asked: threads, scope });
    }
    initial::check_question(problem, threads)?;
    match problem {
        Problem::States(problem) => {
            return states::look_again(&problem, &certificate.proof, limits);
        }
        Problem::ThreadRuns(problem) => return thread_runs_hold(&problem, certificate),
        Problem::Threads(program) => {
            if let Some(result) = check_threads(program, certificate, limits) {
                return result;
            }
        }
        Problem::Parameterized(system) => return elements_hold(system, certificate, limits),
        Problem::Counters(_) => {}
    }
    let sizes = wellformed::sizes(problem, &certificate.vocabulary)?;
    wellformed::check_proof(&certificate.proof, sizes)?;
    let reach = match &certificate.proof {
        Proof::Cover { configurations } => Reach::of_configurations(configurations, sizes),
        Proof::Basis { support, .. } | Proof::Equation { support, .. } => {
            Reach::of_support(support, sizes)
        }
        Proof::Views(_)
        | Proof::ThreadModular(_)
        | Proof::ElementViews(_)
        | Proof::Summaries(_)
        | Proof::Exhausted { .. } => {
            return Err(Rejection::malformed("the proof is of another kind of system"));
        }
    };
    let system = System::gather(problem, certificate, reach, &budget)?;
    match &certificate.proof {
        Proof::Cover { configurations } => cover::check(&system, configurations, &budget),
        Proof::Basis { equal, lemmas, basis, .. } => {
            basis::check(system, &basis::Claim { equal, lemmas, zones: basis }, &budget)
        }
        Proof::Equation { refutations, .. } => {
            system.check_reach(&budget)?;
            equation::check(&system, refutations, &budget)
        }
        Proof::Views(_)
        | Proof::ThreadModular(_)
        | Proof::ElementViews(_)
        | Proof::Summaries(_)
        | Proof::Exhausted { .. } => Ok(()),
    }?;
    Ok(Assurance::Proved)
}

/// Do the views of a proof show all elements to be safe?
fn elements_hold(
    system: &dyn ParameterizedSystem,
    certificate: &Certificate,
    limits: &Limits,
) -> Result<Assurance, Rejection> {
    let Proof::ElementViews(claim) = &certificate.proof else {
        return Err(Rejection::malformed("the proof is of another kind of system"));
    };
    elements::check(system, claim, limits).map(|()| Assurance::Proved)
}

/// Is a proof that only thread programs have right? `None` if it is of another kind.
fn check_threads(
    program: &dyn ThreadProgram,
    certificate: &Certificate,
    limits: &Limits,
) -> Option<Result<Assurance, Rejection>> {
    let scope = certificate.scope;
    let proved = |result: Result<(), Rejection>| Some(result.map(|()| Assurance::Proved));
    match (&certificate.proof, scope) {
        (proof @ Proof::Exhausted { .. }, ThreadCount::Exactly(n)) => {
            Some(composed::look_again(program, n, proof, limits))
        }
        (Proof::Views(claim), _) => proved(views::check(program, scope, claim, limits)),
        (Proof::Summaries(claim), _) => Some(summaries::check(program, scope, claim, limits)),
        (Proof::ThreadModular(claim), _) => {
            let vocabulary = &certificate.vocabulary;
            proved(wellformed::sizes(Problem::Threads(program), vocabulary).and_then(|_| {
                modular::check(program, scope, (vocabulary, claim), &Budget::new(limits))
            }))
        }
        _ => None,
    }
}

/// Is `trace` a run of `problem` with the asked number of threads, and does it end
/// in the error it names?
///
/// # Errors
/// The first thing in the trace that is not as the front end has it.
pub fn replay(
    problem: Problem<'_>,
    threads: ThreadCount,
    trace: &Trace,
    limits: &Limits,
) -> Result<(), Rejection> {
    match (problem, trace) {
        (Problem::Counters(system), Trace::Counters(trace)) => {
            initial::check_question(problem, threads)?;
            wellformed::check_system(system)?;
            replay::counters(system, trace)
        }
        (Problem::Threads(program), Trace::Threads(trace)) => {
            let own = replay::threads(program, threads, trace);
            // A run in smaller steps, or with its calls on stacks, is one of the program as well.
            let stacks = program.pushdown().map(PushdownProgram::threads);
            let others = program.fine().into_iter().chain(stacks);
            own.or_else(|why| {
                let mut again = others.map(|other| replay::threads(other, threads, trace));
                again.find(Result::is_ok).unwrap_or(Err(why))
            })
        }
        (Problem::ThreadRuns(problem), Trace::Threads(trace)) => {
            replay::thread_runs(&problem, threads, trace)
        }
        (Problem::States(system), Trace::States(trace)) => {
            initial::check_question(problem, threads)?;
            states::replay(&system, trace, limits)
        }
        _ => Err(Rejection::malformed("the trace is of another kind of system")),
    }
}

/// A search that found no run against the formula; there is nothing to re-check but
/// that it was this formula.
fn thread_runs_hold(
    problem: &ThreadRuns<'_>,
    certificate: &Certificate,
) -> Result<Assurance, Rejection> {
    match &certificate.proof {
        Proof::Exhausted { formula: Some(text), .. } if *text == problem.formula.text => {
            Ok(Assurance::NotRepeated)
        }
        _ => Err(Rejection::malformed("the proof is about another formula")),
    }
}
