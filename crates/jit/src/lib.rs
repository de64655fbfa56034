//! Machine code from `model::rule_code`: the same successors, verdicts and faults
//! as the interpreter of a front end, many times faster.
//!
//! [`compile`] turns a program into machine code for this computer. The result is
//! a `TransitionSystem` that answers everything about names and layout through the
//! front end's own system (its *face*) and computes states by itself.
//!
//! **Units.** Small rules are compiled together, one behind the other in one machine
//! function, and so are properties: a state is expanded with few calls, and fields
//! that several guards look at are loaded once. Functions that are called become
//! machine functions of their own.
//! **Trusts** the program in one point: an address with an index, or through a
//! reference, stays inside of what it belongs to. Everything that can be seen
//! without running is checked, see `validate.rs`.
//! **Never** answers differently for lack of room: where the memory for local
//! variables or the machine's stack is too small, the search stops.
//! **Read first** `context.rs`, then `translate`, then `stepper.rs`.

mod bits;
mod code;
mod compiled;
mod context;
mod error;
mod flow;
mod plan;
#[cfg(test)]
mod random;
#[cfg(test)]
mod reference;
mod registers;
mod runtime;
mod stepper;
#[cfg(test)]
mod tests;
mod translate;
mod validate;

pub use compiled::{Compiled, compile};
pub use error::CompileError;
