//! What is asked of a C program, as the engines see it.

use model::{Access, Requirements, TargetShape};

use super::CProgram;
use crate::machine::Rule;

impl Requirements for CProgram {
    fn targets(&self) -> &[TargetShape] {
        self.observers.targets()
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        self.is_target(target, shared)
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], _local: &[u8]) -> bool {
        false
    }

    fn propositions(&self) -> &[TargetShape] {
        self.observers.propositions()
    }

    fn proposition_shared(&self, proposition: usize, shared: &[u8]) -> bool {
        self.is_so(proposition, shared)
    }

    fn questions(&self) -> Vec<String> {
        let rules = self.questions.rules.iter().filter_map(|rule| match rule {
            Rule::Assertion => Some("no assertion fails"),
            Rule::MemorySafety => Some("memory safety"),
            Rule::MemoryLeak => Some("no memory leak"),
            Rule::UninitialisedMemory => Some("no use of uninitialised memory"),
            Rule::Overflow => Some("no undefined arithmetic"),
            // The others go without saying where these are asked.
            _ => None,
        });
        let races = self.questions.races.then_some("no data race");
        let deadlocks = self.questions.deadlocks.then_some("no deadlock");
        let own = rules.chain(races).chain(deadlocks).map(str::to_owned);
        let named: Vec<String> = own.chain(self.invariant_questions()).collect();
        if named.is_empty() { Vec::new() } else { vec![named.join(", ")] }
    }

    fn forbids_deadlock(&self) -> bool {
        self.questions.deadlocks
    }

    fn accepts_race(&self, shared: &[u8], accesses: [(&[u8], Access); 2]) -> bool {
        let is_accepted = |(local, access): (&[u8], Access)| {
            let origin = self.origin_of(shared, local, access);
            origin
                .is_some_and(|(function, pc)| self.accepts(Rule::Race, self.label_at(function, pc)))
        };
        let asks = self.questions.accepted.iter().any(|(rule, _)| *rule == Rule::Race);
        asks && accesses.into_iter().any(is_accepted)
    }

    fn forbids_races(&self) -> bool {
        self.questions.races
    }
}
