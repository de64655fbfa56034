//! Writes Boolean programs of the size of those in the paper on cutoffs, each with a comment
//! that says what is known about it. The generator is an example of `testkit`, so that this
//! crate need not be built with all that the tests need.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context as _;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder, which is made if it is not there
    folder: PathBuf,
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The seed of the first; the others follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Writes the programs; the same arguments give the same files.
pub fn run(root: &Path, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = std::path::absolute(&arguments.folder)?;
    let status = Command::new("cargo")
        .current_dir(root)
        .args(["run", "--quiet", "--profile", "fast", "--package", "testkit"])
        .args(["--example", "boolean_programs", "--"])
        .arg(folder)
        .args([arguments.count.to_string(), arguments.seed.to_string()])
        .status()
        .context("cargo cannot be run")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
