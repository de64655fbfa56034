//! Search engines: a problem goes in, a verdict with its evidence comes out.

pub mod coverability;
pub mod kernel;
