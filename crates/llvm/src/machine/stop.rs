//! Why a thread does not go on: it waits, it was assumed away, it did something
//! wrong, or the machine does not know.

use super::touched::Touch;

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
}

/// One of two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacingTouch {
    /// What it touches.
    pub touch: Touch,
    /// Where in the source.
    pub site: u32,
}

/// The rules that a program can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// An assertion fails, or an error function is called.
    Assertion,
    /// Memory is accessed that is not there, or freed that cannot be.
    Memory,
    /// Memory that nobody can reach was not freed.
    Leak,
    /// A value that was never set decides something.
    Uninitialised,
    /// A lock, a condition variable or a thread is used in a forbidden way.
    Misuse,
    /// Arithmetic has no defined result: overflow, shift.
    Overflow,
    /// A division has no result.
    Division,
    /// Two threads access the same memory, one of them writes, and nothing orders them.
    Race,
    /// An address is not aligned as the type of an access wants.
    Alignment,
}

impl Stop {
    /// A broken rule.
    pub fn error(rule: Rule, message: impl Into<String>) -> Stop {
        Stop::Error(Error { rule, message: message.into(), race: None })
    }

    /// Something that the machine does not know.
    pub fn refused(why: impl Into<String>) -> Stop {
        Stop::Refused(why.into())
    }
}

/// What comes of an operation.
pub type Result<T> = std::result::Result<T, Stop>;
