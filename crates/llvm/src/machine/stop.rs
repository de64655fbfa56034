//! Why a thread does not go on: it waits, it was assumed away, it did something
//! wrong, or the machine does not know.

pub use model::Rule;
use model::{Access, StepErrorRef};

/// Why an operation was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It waits for another thread; why, as a clause ("it waits for ...").
    Blocked(String),
    /// An assumption is false: there is no such run.
    Assumed,
    /// It breaks a rule.
    Error(Error),
    /// The machine cannot say what happens: why, as a sentence without a full stop.
    Refused(String),
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Which.
    pub rule: Rule,
    /// What happened, as a sentence without a full stop.
    pub message: String,
    /// The two accesses of a race, the earlier one first.
    pub race: Option<Box<[RacingTouch; 2]>>,
    /// A rule that is broken at the same time, for those who do not ask about the first.
    pub also: Option<Box<Error>>,
}

/// One of two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacingTouch {
    /// What it touches.
    pub touch: Access,
    /// Where in the source.
    pub site: u32,
}

impl Error {
    /// The same for those who know nothing of the machine.
    pub fn told(&self) -> StepErrorRef<'_> {
        StepErrorRef { rule: self.rule, message: &self.message }
    }
}

impl Stop {
    /// A broken rule.
    pub fn error(rule: Rule, message: impl Into<String>) -> Stop {
        Stop::Error(Error { rule, message: message.into(), race: None, also: None })
    }

    /// Something that the machine does not know.
    pub fn refused(why: impl Into<String>) -> Stop {
        Stop::Refused(why.into())
    }
}

/// What comes of an operation.
pub type Result<T> = std::result::Result<T, Stop>;
