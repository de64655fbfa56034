//! Coverability: can a configuration in a target zone be reached, for any
//! number of threads?

pub mod equation;
mod initial;
pub mod lower;
pub mod rules;
