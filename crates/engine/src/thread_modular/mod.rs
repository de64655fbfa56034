//! Thread-modular checking: each thread alone, among others that do what they may.

pub mod pushdown;
