//! What all engines are built from: sparse vectors, antichains, budgets, threads.

pub mod antichain;
pub mod budget;
pub mod crew;
pub mod sparse;
pub mod state_table;
pub mod symmetry;
