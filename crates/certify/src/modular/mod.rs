//! Decides whether a set of views of few threads proves a thread program correct.
//!
//! **The claim.** Of every reachable state, each choice of up to `level` threads is in the
//! set, together with the shared store and, for each exposed class of local stores, whether
//! none, one or more of *all* threads are in it. It is shown by induction over runs. After a
//! step of a thread e, a choice M' of threads may show
//! 1. e, a thread that e created, or fewer than `level` threads: then e and those others of
//!    M' were a choice before the step, so it is enough to look at what threads do that a
//!    view shows (`steps.rs`, own steps);
//! 2. as many threads as a view has, and neither e nor anything new: then these threads were
//!    a view before the step, and so was each choice of as many among them and e. Whoever
//!    may stand beside a view like that must lead it into the set (steps of others).
//!
//! A step of the environment shows nobody but those who were there.
//! Kinds and counts leave out only what cannot be: more threads of a kind than there are,
//! and more threads in a class than are counted.
//!
//! A data race is an error of two threads: no two that may be together may race. That no deadlock
//! is reachable, such a set does not show, since no view shows all threads.
//!
//! **Sound, not complete.** The set must be closed as it stands.
//! **Read first** `claim.rs`, then `steps.rs`.

mod claim;
mod counts;
mod kinds;

mod races;
mod start;
mod steps;
mod targets;

use model::{ThreadCount, ThreadProgram, ThreadViews, Vocabulary};

use self::claim::Claim;
use self::kinds::Kinds;
use self::steps::Steppers;
use crate::budget::Budget;
use crate::rejection::Rejection;
use crate::threads::Names;

/// Do these views show that no error is reachable by `scope` threads?
pub(crate) fn check(
    program: &dyn ThreadProgram,
    scope: ThreadCount,
    (vocabulary, views): (&Vocabulary, &ThreadViews),
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    if program.requirements().forbids_deadlock() {
        return Err(Rejection::TargetNotExcluded { target: "no deadlock".to_owned() });
    }
    let Vocabulary::Threads { shared, local } = vocabulary else {
        return Err(Rejection::malformed("the vocabulary is of another kind of system"));
    };
    let names = Names::new(shared, local);
    let kinds = Kinds::new(program, scope, views.level)?;
    let claim = Claim::read(views, &kinds, (shared.len(), local.len()), budget)?;
    start::is_within(program, &claim, &names, budget)?;
    Steppers::new(program, &claim, &names).are_closed(budget)?;
    targets::are_excluded(program, &claim, &names, budget)?;
    races::are_excluded(program, &claim, &names, budget)
}
