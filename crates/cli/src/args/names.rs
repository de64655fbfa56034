//! Choices that arguments make, by their names on the command line.

use clap::ValueEnum;
use model::Presumption;

/// Which interleavings are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReductionName {
    /// None: threads may switch before every instruction.
    None,
    /// Threads may switch before every access to shared memory.
    Global,
    /// Threads run on until their accesses conflict (the superstep reduction of pancam).
    Superstep,
    /// Threads switch at synchronisations only, unless there are data races.
    Auto,
}

/// What a call of a function does that has no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExternName {
    /// It is refused: nothing is proved about runs that come to it.
    Error,
    /// It returns anything and writes nothing.
    Any,
}

/// What a `volatile` access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VolatileName {
    /// An access like others: it may be half of a data race.
    Plain,
    /// An atomic access, sequentially consistent.
    Atomic,
}

/// The memory model that an answer is asked about, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MemoryModelName {
    /// Sequential consistency: threads take turns, and all see every access at once.
    Sc,
}

impl MemoryModelName {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModelName::Sc => "sc",
        }
    }

    /// Is a proof under this presumption one for the model?
    pub fn grants(self, presumption: Presumption) -> bool {
        match (self, presumption) {
            (MemoryModelName::Sc, Presumption::SequentialConsistency) => true,
        }
    }
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For code scanning: SARIF 2.1.0.
    Sarif,
}

/// Input languages by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageName {
    /// Petri nets as MIST reads them.
    Spec,
    /// Thread transition systems as BFC reads them.
    Tts,
    /// Petri nets in XML.
    Pnml,
    /// Murphi models.
    Murphi,
    /// Boolean programs.
    Bp,
}

/// What `convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Destination {
    /// Petri nets as MIST reads them.
    Spec,
    /// Thread transition systems as BFC reads them.
    Tts,
    /// Petri nets in XML.
    Pnml,
    /// A picture for Graphviz.
    Dot,
    /// Boolean programs, from Boolean programs only.
    Bp,
}

/// Fairness by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FairnessName {
    /// No fairness: any thread may stop at any point.
    None,
    /// Weak fairness: whatever stays enabled is taken again and again.
    Weak,
}

/// Who goes first at read-write locks, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PreferenceName {
    /// Readers may get the lock while a writer waits, or be kept waiting: both are explored.
    Any,
    /// Readers get the lock.
    Readers,
    /// Writers go first; a thread that reads already and asks again may deadlock.
    Writers,
}

impl PreferenceName {
    /// As the machine knows it.
    pub fn preference(self) -> llvm::machine::Preference {
        match self {
            PreferenceName::Any => llvm::machine::Preference::Any,
            PreferenceName::Readers => llvm::machine::Preference::Readers,
            PreferenceName::Writers => llvm::machine::Preference::Writers,
        }
    }
}

/// Kinds of deadlock by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeadlockName {
    /// A state that has no successor but itself.
    Stuttering,
    /// A state in which no rule is enabled.
    Stuck,
    /// Nothing.
    Off,
}

/// Orders of search by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
}

/// Ways to remember states by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StorageName {
    /// Every state, to the bit.
    Exact,
    /// A signature of each state.
    Compact,
    /// A few bits for each state.
    Bitstate,
}

/// How a cutoff is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CutoffFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}
