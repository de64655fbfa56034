//! What `certify` accepts and rejects: hand-made proofs and runs with their
//! corruptions, and random ones against a naive search.

mod explore;
mod nets;
mod random_nets;
mod random_threads;
mod table;

mod basis_proofs;
mod cover_proofs;
mod equation_proofs;
mod net_runs;
mod refinement_claims;
mod state_claims;
mod thread_proofs;
mod thread_runs;
mod waiting;
