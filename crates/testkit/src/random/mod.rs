//! Small random systems, the same for the same seed on every machine.

pub mod as_tts;
pub mod boolean_program;
pub mod c;
pub mod counters;
pub mod crowd;
pub mod driver;
pub mod flow;
pub mod formula;
pub mod murphi;
pub mod murphi_any;
pub mod murphi_symmetric;
pub mod objects;
pub mod program;
pub mod refinement;
pub mod sharing;
pub mod tts;

use model::{CounterSystem, Problem};

use crate::rng::Rng;
use program::RandomProgram;

/// A random system of any kind.
#[derive(Clone, Debug)]
pub enum System {
    /// Threads with every feature of the seam.
    Threads(RandomProgram),
    /// Counters.
    Counters(CounterSystem),
}

impl System {
    /// As engines take it.
    pub fn problem(&self) -> Problem<'_> {
        match self {
            System::Threads(program) => Problem::Threads(program),
            System::Counters(system) => Problem::Counters(system),
        }
    }
}

/// The system of a seed. Kinds take turns, so that any run of seeds has them all.
pub fn system(seed: u64) -> System {
    let mut rng = Rng::new(seed);
    match seed % 6 {
        0 => System::Threads(program::plain(&mut rng)),
        1 | 2 => System::Threads(program::rich(&mut rng)),
        3 => System::Counters(counters::random(&mut rng, counters::Features::PLAIN)),
        4 => System::Counters(counters::random(&mut rng, counters::Features::TRANSFERS)),
        _ => System::Counters(counters::random(&mut rng, counters::Features::ALL)),
    }
}
