//! What the tests of other crates are judged by: naive reference searches,
//! random small systems, shrinking, and the format of case files.
//!
//! Everything here is slow and simple on purpose. Nothing ships.

pub mod c_case;
pub mod case;
pub mod environment;
pub mod growth;
pub mod keep;
pub mod random;
pub mod reference;
pub mod rng;
pub mod shrink;
pub mod simple;
pub mod suites;
pub mod texts;
pub mod views;
