//! Why a verdict is not believed.

use model::{StopReason, ThreadCount, Variant};

/// What is wrong with a certificate or a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// It does not make sense: an index out of range, entries unsorted, and so on.
    #[error("malformed: {0}")]
    Malformed(String),
    /// The certificate speaks of other thread counts than were asked for, or no
    /// run with the asked number of threads exists.
    #[error("asked for {}, but the claim is about {}", words(*asked), words(*scope))]
    ScopeMismatch {
        /// What was asked.
        asked: ThreadCount,
        /// What the claim is about.
        scope: ThreadCount,
    },
    /// The claim is about another meaning of the program than the one asked about.
    #[error("asked about the variant `{}`, but the claim is about `{}`", asked.name(), claimed.name())]
    VariantMismatch {
        /// What was asked.
        asked: Variant,
        /// What the claim is about.
        claimed: Variant,
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
    /// Not all states can be searched, so that a claim about all of them is not shown.
    #[error("states are left out: {what}")]
    LeftOut {
        /// What is left out.
        what: String,
    },
    /// The trace does not start in an initial configuration.
    #[error("the trace does not start in an initial configuration: {why}")]
    NotInitial {
        /// What is not as the input has it.
        why: String,
    },
    /// A step of the trace is not possible where it is taken.
    #[error("step {} of the trace is not enabled: {why}", step + 1)]
    StepNotEnabled {
        /// Index of the step, from zero; the message counts from one, as reports do.
        step: usize,
        /// What prevents it.
        why: String,
    },
    /// A step of the trace is possible, but with another result.
    #[error("step {} of the trace has another result: {why}", step + 1)]
    WrongSuccessor {
        /// Index of the step, from zero; the message counts from one, as reports do.
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

fn words(threads: ThreadCount) -> String {
    match threads {
        ThreadCount::Any => "any number of threads".to_owned(),
        ThreadCount::Exactly(1) => "exactly 1 thread".to_owned(),
        ThreadCount::Exactly(n) => format!("exactly {n} threads"),
        ThreadCount::AsGiven => "the constants that the model has".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use model::ThreadCount;

    use super::Rejection;

    #[test]
    fn messages_speak_of_threads_and_steps_as_reports_do() {
        let (asked, scope) = (ThreadCount::Any, ThreadCount::Exactly(3));
        assert_eq!(
            Rejection::ScopeMismatch { asked, scope }.to_string(),
            "asked for any number of threads, but the claim is about exactly 3 threads"
        );
        let first = Rejection::StepNotEnabled { step: 0, why: "so".to_owned() };
        assert_eq!(first.to_string(), "step 1 of the trace is not enabled: so");
    }
}
