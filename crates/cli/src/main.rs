//! Filled in by later commits.
fn main() {}
