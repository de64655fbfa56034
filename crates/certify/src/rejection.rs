//! Why a verdict is not believed.

use model::{StopReason, ThreadCount};

/// What is wrong with a certificate or a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// It does not make sense: an index out of range, entries unsorted, and so on.
    #[error("malformed: {0}")]
    Malformed(String),
    /// The certificate speaks of other thread counts than were asked for, or no
    /// run with the asked number of threads exists.
    #[error("asked for {asked:?} threads, but the claim is about {scope:?}")]
    ScopeMismatch {
        /// What was asked.
        asked: ThreadCount,
        /// What the claim is about.
        scope: ThreadCount,
    },
    /// An initial configuration is not in the certificate's set.
    #[error("an initial configuration is outside of the proven set: {why}")]
    InitialNotCovered {
        /// Which part of the set leaves it out.
        why: String,
    },
    /// A step leaves the certificate's set, or breaks a fact it relies on.
    #[error("`{step}` leads out of the proven set: {why}")]
    NotInductive {
        /// The step, as the input names it.
        step: String,
        /// Which part of the set it breaks.
        why: String,
    },
    /// The certificate's set may contain an error.
    #[error("the proven set does not exclude the target `{target}`")]
    TargetNotExcluded {
        /// The target, or the step that is itself an error.
        target: String,
    },
    /// The trace does not start in an initial configuration.
    #[error("the trace does not start in an initial configuration: {why}")]
    NotInitial {
        /// What is not as the input has it.
        why: String,
    },
    /// A step of the trace is not possible where it is taken.
    #[error("step {step} of the trace is not enabled: {why}")]
    StepNotEnabled {
        /// Index of the step, from zero.
        step: usize,
        /// What prevents it.
        why: String,
    },
    /// A step of the trace is possible, but with another result.
    #[error("step {step} of the trace has another result: {why}")]
    WrongSuccessor {
        /// Index of the step, from zero.
        step: usize,
        /// What differs.
        why: String,
    },
    /// The trace is a run, but does not end in the error it names.
    #[error("the trace does not end in the error it names: {why}")]
    NoViolation {
        /// What is missing.
        why: String,
    },
    /// Checking needs more cases than the checker is willing to enumerate.
    #[error("too many cases to check: {what}")]
    TooLarge {
        /// What was being enumerated.
        what: &'static str,
    },
    /// A limit ran out while checking.
    #[error("checking was stopped: {0:?}")]
    Stopped(StopReason),
}

impl Rejection {
    pub(crate) fn malformed(why: impl Into<String>) -> Rejection {
        Rejection::Malformed(why.into())
    }
}
