//! The steps of a thread program, by numbers for its stores, each computed once.
//!
//! A step is a function of the shared store and of the stepping thread's local store, so
//! what a thread can do in a pair of them (a *thread state*) need be asked only once.
//! `interner.rs` gives stores dense numbers in the order in which they are met, `table.rs`
//! remembers the answers. Nothing is asked of the program before somebody wants to know.
//!
//! Users: coverability, cutoff detection and refinement; what they keep beside it (counters,
//! moves packed for a hot loop, sets of local stores) is their own.
//!
//! **Not here**: the composition of n threads. Its threads work at the same time and must
//! agree on numbers without waiting for each other, so there a number is a hash of the store
//! (`explicit/composition/stores.rs`), answers are forgotten when there are too many, and
//! footprints are kept, which nobody here wants.
//! **Read first** `table.rs`.

mod interner;
mod table;

#[cfg(test)]
pub(crate) mod scripted;
#[cfg(test)]
mod tests;

pub use interner::Interner;
pub use table::{AnswerId, ErrorStep, LocalId, NumberedStep, SharedId, StepTable, Taken};
