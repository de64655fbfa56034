//! Cutoff detection: how many threads are enough?

pub mod net;
