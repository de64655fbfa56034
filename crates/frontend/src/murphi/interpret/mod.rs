//! Runs a typed Murphi model as it stands, statement by statement.
//!
//! This is the reference: traces are replayed with it, and machine code is compared
//! with it. It is written to be read, not to be fast, and shares nothing with the
//! lowering but the typed model, the layout and the texts of faults. The order in
//! which things are evaluated is the one of `faults`.
//!
//! **Ends** always: `while` and calls are bounded, longer loops look at the limits.
//! **Read first** `machine`, then `place`, `expr`, `stmt`, `stepper`.

mod machine;

mod arithmetic;
mod bits;
mod codes;
mod domain;
mod expr;
mod multiset;
mod place;
mod stepper;
mod stmt;

#[cfg(test)]
mod tests;

pub(super) use bits::{is_set, read};
pub(super) use domain::n_instances;
pub(super) use stepper::Interpreter;

use model::{Fault, StopReason};

/// Why an evaluation ends early.
#[derive(Debug)]
enum Exit {
    /// It has no value.
    Fault(Box<Fault>),
    /// An `assume` is false: there is no successor, and nothing is wrong.
    Dropped,
    /// A limit was reached.
    Stopped(StopReason),
    /// The machine stack may not be enough: to be tried again on a larger one.
    NeedsStack,
}

impl From<Fault> for Exit {
    fn from(fault: Fault) -> Exit {
        Exit::Fault(Box::new(fault))
    }
}

/// How a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// The next one follows.
    Next,
    /// The rule or function is left, with a value where it has one.
    Return(Option<i64>),
}
