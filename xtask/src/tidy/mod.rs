//! Decides whether the workspace keeps the house rules that a machine can check.
//!
//! Each check yields complaints; none stops the others, so one run shows all.

mod arrows;
mod dependencies;
mod documents;
mod layers;
mod sources;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::mutants;

/// Runs every check and prints the complaints.
pub fn run(root: &Path) -> Result<ExitCode> {
    let files = tracked_files(root)?;
    let sources = sources::read_all(root, &files)?;
    let mut complaints = arrows::check(root)?;
    complaints.extend(dependencies::check(root, &files, &sources)?);
    complaints.extend(sources::check(&sources));
    complaints.extend(layers::check(&sources));
    complaints.extend(documents::check(root, &files, &sources)?);
    complaints.extend(mutants::complaints(root, &files)?);
    complaints.sort();
    for complaint in &complaints {
        println!("tidy: {complaint}");
    }
    if complaints.is_empty() {
        println!("tidy: {} files keep the rules", files.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("tidy: {} complaints", complaints.len());
    Ok(ExitCode::FAILURE)
}

/// Files that git knows or would add, as paths relative to the root.
pub fn tracked_files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git ls-files does not start")?;
    ensure!(output.status.success(), "git ls-files failed");
    let text = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    // A file that was deleted but not yet committed is still listed.
    let present = text.lines().filter(|line| root.join(line).is_file());
    Ok(present.map(str::to_owned).collect())
}
