//! Decides what may be believed of a cutoff.
//!
//! Checked in full: that no number of threads reaches more thread states than are
//! listed (the certificate), and that each listed one is reached by the number of
//! threads that it names (its run, replayed). That fewer threads do not reach it is the
//! word of the search.

use std::collections::BTreeSet;

use model::{
    Certificate, Cutoff, CutoffEnd, Limits, Problem, Proof, Store, ThreadCount, ThreadProgram,
    ThreadState, Vocabulary,
};

use crate::budget::Budget;
use crate::reach::Reach;
use crate::rejection::Rejection;
use crate::system::System;
use crate::{basis, replay, wellformed};

/// May `cutoff` be believed of `program`?
///
/// # Errors
/// What is wrong with it, or that `limits` ran out.
pub fn check_cutoff(
    program: &dyn ThreadProgram,
    cutoff: &Cutoff,
    limits: &Limits,
) -> Result<(), Rejection> {
    let budget = Budget::new(limits);
    check_rounds(cutoff)?;
    for state in &cutoff.reached {
        budget.tick()?;
        if let Some(run) = &state.run {
            if run.n_threads() > state.n_threads as usize {
                return Err(Rejection::malformed("a run has more threads than it is said to have"));
            }
            replay::reaches(program, run, &state.shared, &state.local)?;
        }
    }
    match &cutoff.end {
        CutoffEnd::Found(certificate) => {
            names_the_same(&cutoff.reached, certificate)?;
            check_closed(program, certificate, &budget)
        }
        CutoffEnd::Open(_) => Ok(()),
    }
}

/// Do the rounds count the thread states that are listed?
fn check_rounds(cutoff: &Cutoff) -> Result<(), Rejection> {
    let last = cutoff.rounds.last().map_or(0, |round| round.n_threads);
    if cutoff.reached.iter().any(|state| state.n_threads > last) {
        return Err(Rejection::malformed("a thread state needs more threads than the last round"));
    }
    for round in &cutoff.rounds {
        let known = cutoff.reached.iter().filter(|state| state.n_threads <= round.n_threads);
        if known.count() as u64 != round.n_reached {
            return Err(Rejection::malformed("a round counts other thread states than are listed"));
        }
    }
    Ok(())
}

/// Is the support of the proof what is listed, and nothing else?
fn names_the_same(reached: &[ThreadState], certificate: &Certificate) -> Result<(), Rejection> {
    let listed: BTreeSet<(&Store, &Store)> =
        reached.iter().map(|state| (&state.shared, &state.local)).collect();
    let (Vocabulary::Threads { shared, local }, Proof::Basis { support, .. }) =
        (&certificate.vocabulary, &certificate.proof)
    else {
        return Err(Rejection::malformed("the proof is not one about thread states"));
    };
    let mut proven = BTreeSet::new();
    for (control, counters) in &support.controls {
        for counter in counters {
            let names = (shared.get(control.idx()), local.get(counter.idx()));
            let (Some(shared), Some(local)) = names else {
                return Err(Rejection::malformed("the proof names a store that there is not"));
            };
            proven.insert((shared, local));
        }
    }
    match listed == proven {
        true => Ok(()),
        false => Err(Rejection::malformed("the proof is about other thread states")),
    }
}

/// Is the proof's set closed, whatever the program's own targets are?
fn check_closed(
    program: &dyn ThreadProgram,
    certificate: &Certificate,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let asked = ThreadCount::Any;
    if certificate.scope != asked {
        return Err(Rejection::ScopeMismatch { asked, scope: certificate.scope });
    }
    let Proof::Basis { support, equal, lemmas, basis } = &certificate.proof else {
        return Err(Rejection::malformed("the proof is not one about thread states"));
    };
    let problem = Problem::Threads(program);
    let sizes = wellformed::sizes(problem, &certificate.vocabulary)?;
    wellformed::check_proof(&certificate.proof, sizes)?;
    let reach = Reach::of_support(support, sizes);
    let mut system = System::gather(problem, certificate, reach, budget)?;
    system.forbidden.clear();
    basis::check(system, &basis::Claim { equal, lemmas, zones: basis }, budget)
}
