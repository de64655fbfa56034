//! The rules that a run can break, each with its stable name and the words that people read.
//!
//! Whoever finds an error says which rule it breaks; nobody guesses it from a message, which
//! is for people alone.

use serde::{Deserialize, Serialize};

/// A rule that a run can break. Its stable name is the same in JSON and SARIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// An assertion fails, or an error function is called.
    Assertion,
    /// Memory is accessed that does not exist, or not as it may be.
    MemorySafety,
    /// Memory is freed that cannot be.
    InvalidFree,
    /// Memory that nobody can reach was not freed.
    MemoryLeak,
    /// A value that was never set decides something.
    UninitialisedMemory,
    /// A mutex, or another object that threads synchronise with, is used in a forbidden way.
    MutexMisuse,
    /// A thread, or a key of its own data, is used in a forbidden way.
    ThreadMisuse,
    /// A function is called in a way that its definition does not allow.
    InvalidCall,
    /// Arithmetic other than division has no defined result.
    Overflow,
    /// A division has no result.
    Division,
    /// An address is not aligned as the type of an access demands.
    Alignment,
    /// A data race: two threads access one location, one of them writes it, and nothing
    /// orders them.
    #[serde(rename = "data-race")]
    Race,
    /// Nobody can go on, and somebody waits.
    Deadlock,
    /// An invariant is false in a reachable state.
    Invariant,
    /// A state is reachable that must not be.
    Reachable,
    /// A state that should be reachable is not.
    Unreachable,
    /// A run violates a temporal formula, or cannot reach a goal any more.
    Liveness,
    /// An expression of the model has no value.
    Evaluation,
}

impl Rule {
    /// All rules, in the order in which reports list them.
    pub const ALL: [Rule; 18] = [
        Rule::Assertion,
        Rule::MemorySafety,
        Rule::InvalidFree,
        Rule::MemoryLeak,
        Rule::UninitialisedMemory,
        Rule::MutexMisuse,
        Rule::ThreadMisuse,
        Rule::InvalidCall,
        Rule::Overflow,
        Rule::Division,
        Rule::Alignment,
        Rule::Race,
        Rule::Deadlock,
        Rule::Invariant,
        Rule::Reachable,
        Rule::Unreachable,
        Rule::Liveness,
        Rule::Evaluation,
    ];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Assertion => "assertion",
            Rule::MemorySafety => "memory-safety",
            Rule::InvalidFree => "invalid-free",
            Rule::MemoryLeak => "memory-leak",
            Rule::UninitialisedMemory => "uninitialised-memory",
            Rule::MutexMisuse => "mutex-misuse",
            Rule::ThreadMisuse => "thread-misuse",
            Rule::InvalidCall => "invalid-call",
            Rule::Overflow => "overflow",
            Rule::Division => "division",
            Rule::Alignment => "alignment",
            Rule::Race => "data-race",
            Rule::Deadlock => "deadlock",
            Rule::Invariant => "invariant",
            Rule::Reachable => "reachable",
            Rule::Unreachable => "unreachable",
            Rule::Liveness => "liveness",
            Rule::Evaluation => "evaluation",
        }
    }

    /// What breaking it is called, as a noun.
    pub fn words(self) -> &'static str {
        match self {
            Rule::Assertion => "assertion",
            Rule::MemorySafety => "memory safety",
            Rule::InvalidFree => "invalid free",
            Rule::MemoryLeak => "memory leak",
            Rule::UninitialisedMemory => "use of uninitialised memory",
            Rule::MutexMisuse => "mutex misuse",
            Rule::ThreadMisuse => "thread misuse",
            Rule::InvalidCall => "invalid call",
            Rule::Overflow => "overflow",
            Rule::Division => "division without a result",
            Rule::Alignment => "misaligned access",
            Rule::Race => "data race",
            Rule::Deadlock => "deadlock",
            Rule::Invariant => "invariant",
            Rule::Reachable => "forbidden state",
            Rule::Unreachable => "unreachable state",
            Rule::Liveness => "liveness",
            Rule::Evaluation => "evaluation error",
        }
    }

    /// What breaking it means, as a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Rule::Assertion => "An assertion fails, or an error statement is reached.",
            Rule::MemorySafety => "Memory is accessed that does not exist, or not as it may be.",
            Rule::InvalidFree => "Memory is freed that cannot be.",
            Rule::MemoryLeak => "Memory that nobody can reach was not freed.",
            Rule::UninitialisedMemory => "A value that was never set decides something.",
            Rule::MutexMisuse => {
                "A mutex, or another object that threads synchronise with, is used in a \
                 forbidden way."
            }
            Rule::ThreadMisuse => "A thread, or a key of its own data, is used in a forbidden way.",
            Rule::InvalidCall => {
                "A function is called in a way that its definition does not allow."
            }
            Rule::Overflow => "Arithmetic other than division has no defined result.",
            Rule::Division => "A division has no result.",
            Rule::Alignment => "An address is not aligned as the type of an access demands.",
            Rule::Race => {
                "Two threads access one location at the same time, one of them writes it, and \
                 not both accesses are atomic."
            }
            Rule::Deadlock => "Nobody can go on, and somebody waits.",
            Rule::Invariant => "An invariant is false in a reachable state.",
            Rule::Reachable => "A state is reachable that must not be.",
            Rule::Unreachable => "A state that should be reachable is not.",
            Rule::Liveness => "A run violates a temporal formula, or cannot reach a goal any more.",
            Rule::Evaluation => "An expression of the model has no value.",
        }
    }
}

/// The error that a step itself is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepError {
    /// The rule that it breaks.
    pub rule: Rule,
    /// What happens, as a sentence without a full stop: for people.
    pub message: String,
}

impl StepError {
    /// A rule is broken.
    pub fn new(rule: Rule, message: impl Into<String>) -> StepError {
        StepError { rule, message: message.into() }
    }

    /// An assertion fails.
    pub fn assertion(message: impl Into<String>) -> StepError {
        StepError::new(Rule::Assertion, message)
    }

    /// The same, borrowed.
    pub fn borrowed(&self) -> StepErrorRef<'_> {
        StepErrorRef { rule: self.rule, message: &self.message }
    }
}

/// A [`StepError`] in a buffer of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepErrorRef<'a> {
    /// The rule that it breaks.
    pub rule: Rule,
    /// What happens, as a sentence without a full stop: for people.
    pub message: &'a str,
}

impl<'a> StepErrorRef<'a> {
    /// An assertion fails.
    pub fn assertion(message: &'a str) -> StepErrorRef<'a> {
        StepErrorRef { rule: Rule::Assertion, message }
    }

    /// The same, to keep.
    pub fn owned(self) -> StepError {
        StepError::new(self.rule, self.message)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Rule;

    #[test]
    fn every_rule_has_one_name_everywhere_and_words_of_its_own() {
        let names: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        let words: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.words()).collect();
        assert_eq!((names.len(), words.len()), (Rule::ALL.len(), Rule::ALL.len()));
        for rule in Rule::ALL {
            // Which is what `serde` writes.
            let mut kebab = String::new();
            for letter in format!("{rule:?}").chars() {
                if letter.is_uppercase() && !kebab.is_empty() {
                    kebab.push('-');
                }
                kebab.extend(letter.to_lowercase());
            }
            assert_eq!(kebab.replace("race", "data-race"), rule.name());
            assert!(rule.meaning().ends_with('.'));
        }
    }
}
