//! Random small programs whose `main` creates threads in a loop, as many as an input says or a
//! fixed number: as a syntax tree (`tree`) that is printed as C ([`c_text`]).
//!
//! Each plain variable that threads share has a guard, so that most programs are right; how
//! often one is accessed without it is drawn for each program. [`smaller`] makes a failing
//! program small.

mod generate;
mod main_function;
mod print;
mod smaller;
mod tree;

pub use generate::crowd;
pub use print::{Count, PRELUDE, c_text};
pub use smaller::smaller;
pub use tree::Program;
