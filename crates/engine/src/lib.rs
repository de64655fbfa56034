//! Search engines: a problem goes in, a verdict with its evidence comes out.
//!
//! [`check`] is the only door. Engines know the seams of `model` and never a
//! language; what they answer is re-checked by `certify`, which knows nothing of
//! them.

pub mod coverability;
pub mod explicit;
pub mod kernel;
pub mod ltl;

use std::str::FromStr;

use model::{Limits, Outcome, Problem, ProgressSink, ThreadCount};

/// The engines, as users choose them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// A portfolio of the others.
    Auto,
    /// The minimal coverability set, depth first.
    Cover,
    /// The minimal coverability set, breadth first.
    CoverBfs,
    /// Backward coverability, pruned by the state equation.
    Backward,
    /// The state equation and traps.
    Equation,
    /// Search for counterexamples.
    Forward,
}

impl Engine {
    /// All engines.
    pub const ALL: &'static [Engine] = &[
        Engine::Auto,
        Engine::Cover,
        Engine::CoverBfs,
        Engine::Backward,
        Engine::Equation,
        Engine::Forward,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Cover => "cover",
            Engine::CoverBfs => "cover-bfs",
            Engine::Backward => "backward",
            Engine::Equation => "equation",
            Engine::Forward => "forward",
        }
    }

    /// What it does, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Engine::Auto => "a portfolio of the others, in rounds of counted work",
            Engine::Cover => "minimal coverability set (Beacon), depth first",
            Engine::CoverBfs => "minimal coverability set (Beacon), breadth first",
            Engine::Backward => "backward coverability; complete for transfers and broadcasts",
            Engine::Equation => "state equation and traps; proves only",
            Engine::Forward => "search for counterexamples with few threads and few steps",
        }
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        let found = Engine::ALL.iter().copied().find(|engine| engine.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
            format!("no engine is called `{text}`; there are {}", names.join(", "))
        })
    }
}

/// Answers `problem` for `threads` threads with `engine`, within `limits`.
pub fn check(
    problem: Problem<'_>,
    threads: ThreadCount,
    engine: Engine,
    limits: &Limits,
    progress: &dyn ProgressSink,
) -> Outcome {
    coverability::check(problem, threads, engine, limits, progress)
}
