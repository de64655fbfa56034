//! What a verdict presumes beside the text of a program: a meaning that was searched and
//! that is narrower than what the language allows.
//!
//! `Holds` under a presumption is proved for the executions that obey it, and says nothing
//! of the others. Users accept a presumption by asking for it; whoever does not has no
//! answer to the question, and the exit code says so.

use serde::{Deserialize, Serialize};

/// What is presumed of executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presumption {
    /// Threads take turns, and every access is seen by all at once (Lamport, 1979), though
    /// the program has atomic operations that promise less.
    SequentialConsistency,
}

impl Presumption {
    /// What is presumed, as it follows "under".
    pub fn words(self) -> &'static str {
        match self {
            Presumption::SequentialConsistency => "sequential consistency",
        }
    }

    /// What that leaves out, and how to ask for no more.
    pub fn meaning(self) -> &'static str {
        match self {
            Presumption::SequentialConsistency => {
                "sequential consistency: the program has atomic operations weaker than `seq_cst`, \
                 and C allows them executions that were not explored; `--memory-model sc` asks \
                 about sequential consistency alone"
            }
        }
    }
}
