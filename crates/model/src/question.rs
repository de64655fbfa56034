//! What a run is asked: of which system, and for how many threads?

use serde::{Deserialize, Serialize};

use crate::counter_system::CounterSystem;
use crate::thread_program::ThreadProgram;

/// A system with its property, as front ends hand it to `engine` and `certify`.
#[derive(Clone, Copy)]
pub enum Problem<'a> {
    /// Threads that run a program.
    Threads(&'a dyn ThreadProgram),
    /// A net, or any other counter system.
    Counters(&'a CounterSystem),
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
}
