//! What all engines are built from: steps of programs by number, races, sparse vectors,
//! antichains, budgets, threads.

pub mod antichain;
pub mod budget;
pub mod complete;
pub mod crew;
pub mod race;
pub mod sparse;
pub mod starts;
pub mod state_table;
pub mod step_table;
pub mod symmetry;
pub mod thread_states;
