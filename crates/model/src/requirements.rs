//! What is asked of a thread program: its correctness requirements.
//!
//! Targets are error states as patterns over a shared store and some threads, which is
//! what engines for any number of threads understand; propositions are what LTL formulas
//! speak of. A step may be an error as well, see [`crate::steps::StepParts::violation`].

use crate::access::Access;

/// What a program must never do, and what formulas about it may speak of.
pub trait Requirements: Sync {
    /// The error states.
    fn targets(&self) -> &[TargetShape];

    /// Does the shared store fit target `target`?
    fn target_shared(&self, target: usize, shared: &[u8]) -> bool;

    /// May a thread in `local` fill slot `slot` of target `target`?
    fn target_local(&self, target: usize, slot: usize, shared: &[u8], local: &[u8]) -> bool;

    /// The atomic propositions of LTL formulas, in their order.
    fn propositions(&self) -> &[TargetShape] {
        &[]
    }

    /// Does the shared store fit proposition `proposition`?
    fn proposition_shared(&self, proposition: usize, shared: &[u8]) -> bool {
        let _ = (proposition, shared);
        false
    }

    /// May a thread in `local` fill slot `slot` of proposition `proposition`?
    fn proposition_local(&self, proposition: usize, slot: usize, local: &[u8]) -> bool {
        let _ = (proposition, slot, local);
        false
    }

    /// Is a deadlock an error? If so, [`crate::ThreadProgram::blocking`] says who is
    /// blocked; without it, engines refuse the question.
    fn forbids_deadlock(&self) -> bool {
        false
    }

    /// Is a data race an error: two threads can access one location next, one of them
    /// writes it, and not both accesses are atomic? Known footprints say who can.
    fn forbids_races(&self) -> bool {
        false
    }

    /// Is a data race of these two accesses none that is reported? Each is made by the next
    /// step of a thread in its local store.
    fn accepts_race(&self, shared: &[u8], accesses: [(&[u8], Access); 2]) -> bool {
        let _ = (shared, accesses);
        false
    }

    /// What is asked, one line each, for reports; empty where the targets say it all.
    fn questions(&self) -> Vec<String> {
        Vec::new()
    }
}

impl dyn Requirements + '_ {
    /// What is asked that is neither a target nor an error of a step, as a noun: engines
    /// and proofs that know targets alone must refuse it.
    pub fn beyond_targets(&self) -> Option<&'static str> {
        match (self.forbids_deadlock(), self.forbids_races()) {
            (true, _) => Some("deadlocks"),
            (false, true) => Some("data races"),
            (false, false) => None,
        }
    }
}

/// A pattern of states: the shared store fits, and distinct threads fill
/// all slots. No slot: a predicate over the shared store. One: over a thread
/// state. Two: mutual exclusion, races.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetShape {
    /// Name for reports.
    pub name: String,
    /// For each slot, how many distinct threads must fit it.
    pub slots: Vec<u32>,
}
