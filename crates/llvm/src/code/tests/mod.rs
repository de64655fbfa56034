//! Modules of our own, lowered and listed.

mod constructs;
mod suites;
