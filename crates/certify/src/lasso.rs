//! Decides whether a run that repeats for ever violates a formula.

use model::{Fairness, Formula, StateTrace, TransitionSystem};

use crate::rejection::Rejection;

/// Is `trace` a fair run of `system` that violates `formula`?
pub fn check(
    _system: &dyn TransitionSystem,
    _formula: &Formula,
    _fairness: Fairness,
    _trace: &StateTrace,
) -> Result<(), Rejection> {
    Err(Rejection::malformed("a run that repeats cannot be replayed"))
}
