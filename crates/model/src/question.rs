//! What a run is asked: of which system, and for how many threads?

use serde::{Deserialize, Serialize};

use crate::counter_system::CounterSystem;
use crate::ltl::{Fairness, NamedFormula};
use crate::parameterized::ParameterizedSystem;
use crate::plan::Variant;
use crate::thread_program::ThreadProgram;
use crate::transition_system::TransitionSystem;

/// A system with its property, as front ends hand it to `engine` and `certify`.
#[derive(Clone, Copy)]
pub enum Problem<'a> {
    /// Threads that run a program.
    Threads(&'a dyn ThreadProgram),
    /// Threads that run a program, and a formula about their runs.
    ThreadRuns(ThreadRuns<'a>),
    /// A net, or any other counter system.
    Counters(&'a CounterSystem),
    /// Any other system with finitely many states.
    States(StateProblem<'a>),
    /// A system of any number of interchangeable elements.
    Parameterized(&'a dyn ParameterizedSystem),
}

impl Problem<'_> {
    /// Which meaning of the input the question is about.
    pub fn variant(&self) -> Variant {
        match self {
            Problem::Threads(program) => program.variant(),
            Problem::ThreadRuns(runs) => runs.program.variant(),
            Problem::States(problem) => problem.system.variant(),
            Problem::Parameterized(system) => system.variant(),
            Problem::Counters(_) => Variant::AS_WRITTEN,
        }
    }
}

/// A program with the formula that all runs of its threads must satisfy.
#[derive(Clone, Copy)]
pub struct ThreadRuns<'a> {
    /// The program.
    pub program: &'a dyn ThreadProgram,
    /// The formula, over the program's propositions.
    pub formula: &'a NamedFormula,
    /// Are threads fair?
    pub fairness: Fairness,
}

/// A transition system with what is asked of it.
#[derive(Clone, Copy)]
pub struct StateProblem<'a> {
    /// The system.
    pub system: &'a dyn TransitionSystem,
    /// What counts as a deadlock.
    pub deadlock: Deadlock,
    /// The formula to check instead of the system's own properties.
    pub formula: Option<&'a NamedFormula>,
    /// Who is fair; for formulas only.
    pub fairness: Fairness,
}

/// What counts as a deadlock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deadlock {
    /// Nothing.
    Off,
    /// A state in which no rule is enabled.
    Stuck,
    /// A state that has no successor but itself.
    #[default]
    Stuttering,
}

/// For how many threads the property is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadCount {
    /// For every number of threads that the input's initial states allow.
    #[default]
    Any,
    /// For exactly this many threads at the start, those of templates with a
    /// fixed multiplicity included.
    Exactly(u32),
    /// The model has no threads to count, and is asked about as it is given: a Murphi
    /// model with its constants.
    AsGiven,
}
