//! Input text and places in it.

use serde::{Deserialize, Serialize};

/// An input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// As the user named it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A range of bytes in one of the input files of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Index of the file in the run's list of input files.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end` in file number `file`.
    pub fn new(file: u32, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }
}
