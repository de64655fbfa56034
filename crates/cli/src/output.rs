//! Writes to standard output and standard error without failing on a closed pipe.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Columns that a report uses at most.
const MAX_WIDTH: usize = 100;

/// Writes to standard output. A reader that closed the pipe has seen enough.
pub fn say(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error; there is nobody left to tell if that fails.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a file.
pub fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Is there a directory for the file, and is it none of those that are read? Asked before
/// a search that may take hours.
pub fn check_place_for(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !dir.is_dir() {
        bail!("cannot write `{}`: there is no directory `{}`", path.display(), dir.display());
    }
    if path.is_dir() {
        bail!("cannot write `{}`: it is a directory", path.display());
    }
    if inputs.iter().any(|input| is_same_file(path, input)) {
        bail!("cannot write `{}`: it is an input of this run; name another file", path.display());
    }
    Ok(())
}

/// Are both there, and by whatever names the same?
fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// May standard output be coloured?
pub fn colour_on_stdout() -> bool {
    io::stdout().is_terminal() && wants_colour()
}

/// May standard error be coloured?
pub fn colour_on_stderr() -> bool {
    io::stderr().is_terminal() && wants_colour()
}

/// The width that a report should have.
pub fn width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), _)) if io::stdout().is_terminal() => {
            usize::from(columns).clamp(40, MAX_WIDTH)
        }
        _ => MAX_WIDTH,
    }
}

fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
