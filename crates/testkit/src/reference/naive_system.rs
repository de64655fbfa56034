//! States as byte strings, and their successors: what the reference search needs.
//!
//! As simple as can be: no packing, no symmetry, one allocation per successor.

use model::StepLabel;

/// Initial states, successors and violations over packed state vectors.
pub trait NaiveSystem: Sync {
    /// Passes every initial state to `visit`.
    fn initial_states(&self, visit: &mut dyn FnMut(&[u8]));

    /// Passes every successor of `state` to `visit`, with the number of the rule
    /// that leads to it, in an order that depends on `state` alone.
    fn successors(&self, state: &[u8], visit: &mut dyn FnMut(u32, &[u8]));

    /// The property that `state` violates.
    fn violation(&self, state: &[u8]) -> Option<String>;

    /// What rule number `rule` is called in a trace.
    fn rule(&self, rule: u32) -> StepLabel;

    /// A state as people read it.
    fn describe(&self, state: &[u8]) -> String;
}
