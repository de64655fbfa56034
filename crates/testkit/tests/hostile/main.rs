//! Hostile inputs: texts whose numbers are extreme. Every reader answers, without a panic,
//! and within a memory ceiling that has nothing to do with the numbers.
//!
//! The models are those of `cases/` and `examples/`.
#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "figures, and what can be said before an abort"
)]

mod allocator;
mod c_programs;
mod models;
mod murphi;
mod numbers;
mod results;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

thread_local! {
    /// What is being read, for the message.
    static READING: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What a small text may take, whatever its numbers are.
const CEILING: u64 = 48 << 20;

/// Reads one text; fails if that takes more memory than any text of its size should.
fn within_ceiling<T>(what: &str, text: &str, read: impl FnOnce() -> T) -> T {
    READING.set(format!("{what}:\n{text}"));
    let (result, peak) = allocator::peak_of(read);
    let ceiling = CEILING + 1000 * text.len() as u64;
    assert!(peak <= ceiling, "{peak} bytes were taken, more than {ceiling}, by {what}:\n{text}");
    result
}

/// The end of a thread that would take all memory.
fn complain_and_abort(bytes: i64) -> ! {
    READING.with_borrow(|reading| eprintln!("{bytes} bytes are taken by {reading}"));
    std::process::abort()
}

/// The files with one of these extensions, in `cases/` and `examples/`.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pending = vec![root.join("cases"), root.join("examples")];
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(&folder).expect("our own folders can be read");
        for path in entries.map(|entry| entry.expect("and so can their entries").path()) {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                pending.push(path);
            } else if extension.is_some_and(|extension| extensions.contains(&extension)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
