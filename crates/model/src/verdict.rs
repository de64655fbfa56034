//! What an engine answers.

use serde::{Deserialize, Serialize};

use crate::certificate::Certificate;
use crate::omission::Omissions;
use crate::plan::Variant;
use crate::source::Span;
use crate::trace::Trace;

/// The answer to a question. Nothing becomes `Holds` or `Violated` in print
/// before `certify` has re-checked it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// True of every execution, for every thread count in the certificate's scope.
    Holds(Certificate),
    /// A concrete run that `certify` can replay.
    Violated(Trace),
    /// We stopped. Says nothing about the system.
    Unknown(StopReason),
}

impl Verdict {
    /// Says which meaning of the program the verdict is about.
    pub fn set_variant(&mut self, variant: Variant) {
        match self {
            Verdict::Holds(certificate) => certificate.variant = variant,
            Verdict::Violated(Trace::Threads(trace)) => trace.variant = variant,
            Verdict::Violated(Trace::States(trace)) => trace.variant = variant,
            Verdict::Violated(_) | Verdict::Unknown(_) => {}
        }
    }

    /// Which meaning of the program the verdict is about. Runs of nets are about the only one
    /// that those have.
    pub fn variant(&self) -> Variant {
        match self {
            Verdict::Holds(certificate) => certificate.variant.clone(),
            Verdict::Violated(Trace::Threads(trace)) => trace.variant.clone(),
            Verdict::Violated(Trace::States(trace)) => trace.variant.clone(),
            Verdict::Violated(_) | Verdict::Unknown(_) => Variant::AS_WRITTEN,
        }
    }
}

/// Why a search stopped without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StopReason {
    /// The time limit.
    TimeLimit,
    /// The memory limit.
    MemoryLimit,
    /// The user, or a portfolio that already has an answer.
    Interrupted,
    /// A count left the range of 32 bits.
    CountOverflow,
    /// The search was to store no more states than this.
    StateLimit {
        /// How many.
        states: u64,
    },
    /// No error was found, but not everything was searched.
    UnderApproximated {
        /// What was left out; at least one thing.
        omitted: Omissions,
    },
    /// The engine is not complete for this input.
    Incomplete {
        /// What it cannot do, as a sentence without a full stop.
        why: String,
    },
    /// The question is outside of what the engine answers.
    Unsupported {
        /// What it does not support.
        construct: String,
        /// Where that stands in the input.
        span: Option<Span>,
    },
}

/// A verdict with what a report tells about how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The engine that gave it.
    pub engine: String,
    /// Named figures (configurations stored, steps explored, …), in a fixed
    /// order. They never depend on timing unless the run was cut short.
    pub statistics: Vec<(String, u64)>,
    /// Remarks for the user, one sentence each.
    pub notes: Vec<String>,
}
