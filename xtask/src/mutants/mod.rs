//! Decides whether the tests notice mistakes: makes one mistake at a time in a copy of
//! the tree and runs the tests there.
//!
//! The mistakes stand in `table`, one file for each part of the workspace. A mistake is
//! caught when a test fails, or when one does not end in its time. One that no test
//! notices survives, and then this check fails: either the tests are too weak, or the
//! change is no mistake.
//!
//! All mistakes that can be are built into one tree, each behind a switch
//! (`schemata.rs`), so that there is one build and each mistake costs only a run of its
//! tests. The others are built one by one.

mod names;
mod schemata;
mod switched;
mod table;
mod test;
mod tree;
mod trial;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use names::TestNames;
use switched::Switched;
use table::Mutant;
use test::Test;
use tree::Tree;
use trial::{Fate, Laboratory};

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only mutants whose name contains this; may be given several times
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Random systems in tests that use some
    #[arg(long, default_value_t = 2_000)]
    seeds: u32,
    /// Try all tests on a mutant that survives those named in its table
    #[arg(long)]
    all_tests: bool,
}

impl Arguments {
    fn wants(&self, mutant: &Mutant) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| mutant.name.contains(text))
    }

    fn tests(&self, mutant: &Mutant) -> Vec<Test> {
        let mut tests = mutant.tests.clone();
        if self.all_tests {
            tests.extend(Test::all());
        }
        tests
    }
}

/// Tries every mutant and prints what became of it.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let all = table::read(root)?;
    let (fitting, others): (Vec<&Mutant>, Vec<&Mutant>) =
        all.iter().partition(|mutant| mutant.check(root).is_ok());
    let others: Vec<&Mutant> = others.into_iter().filter(|m| arguments.wants(m)).collect();
    for mutant in &others {
        println!("{:<44} DOES NOT APPLY", mutant.name);
    }
    // Numbers, and with them the tree, are the same whatever is wanted.
    let switched = Switched::new(root, &fitting)?;
    let mut wanted = Wanted { arguments, n_tried: others.len(), n_failed: others.len() };
    wanted.try_switched(root, &switched)?;
    wanted.try_alone(root, &switched)?;
    ensure!(wanted.n_tried > 0, "no mutant has such a name");
    println!("{} mutants, {} not caught", wanted.n_tried, wanted.n_failed);
    Ok(if wanted.n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Mutants that no longer fit the tree, and tests that are named and do not exist, each with
/// what is wrong; `files` are those of the tree.
pub fn complaints(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mutants = table::read(root)?;
    let errors = mutants.iter().filter_map(|mutant| Some((mutant, mutant.check(root).err()?)));
    let errors = errors.map(|(mutant, error)| format!("mutant `{}`: {error:#}", mutant.name));
    let mut complaints: Vec<String> = errors.collect();
    complaints.extend(TestNames::read(root, files.to_vec())?.complaints(root, &mutants)?);
    Ok(complaints)
}

struct Wanted<'a> {
    arguments: &'a Arguments,
    n_tried: usize,
    n_failed: usize,
}

impl Wanted<'_> {
    fn try_switched(&mut self, root: &Path, switched: &Switched<'_>) -> Result<()> {
        let wanted = switched.mutants.iter().filter(|entry| self.arguments.wants(entry.1));
        let wanted: Vec<&(usize, &Mutant)> = wanted.collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let folder = folder(root);
        let tree = Tree::copy(root, &folder.join("switched"), &switched.texts)?;
        let laboratory = Laboratory::new(&tree, &folder, self.arguments.seeds);
        for (number, mutant) in wanted {
            let tests = self.arguments.tests(mutant);
            let started = Instant::now();
            self.note(mutant, &laboratory.examine(&tests, *number)?, started);
        }
        Ok(())
    }

    fn try_alone(&mut self, root: &Path, switched: &Switched<'_>) -> Result<()> {
        let alone = switched.alone.iter().filter(|mutant| self.arguments.wants(mutant));
        let alone: Vec<&&Mutant> = alone.collect();
        if alone.is_empty() {
            return Ok(());
        }
        let folder = folder(root);
        let tree = Tree::copy(root, &folder.join("tree"), &BTreeMap::new())?;
        let laboratory = Laboratory::new(&tree, &folder, self.arguments.seeds);
        for test in alone.iter().flat_map(|m| self.arguments.tests(m)) {
            // How it fails is told of the mutants that need it.
            let _ = laboratory.prepare(&test)?;
        }
        for mutant in alone {
            let started = Instant::now();
            let path = tree.folder().join(&mutant.file);
            let text = std::fs::read_to_string(path).with_context(|| mutant.file.clone())?;
            let mutated = mutant.apply_to(&text)?;
            laboratory.forget_programs();
            let tests = self.arguments.tests(mutant);
            let trial = || laboratory.examine(&tests, 0);
            let fate = tree.with_text(&mutant.file, &mutated, trial)??;
            self.note(mutant, &fate, started);
        }
        Ok(())
    }

    fn note(&mut self, mutant: &Mutant, fate: &Fate, started: Instant) {
        self.n_tried += 1;
        self.n_failed += usize::from(!fate.is_caught());
        println!("{:<44} {fate} ({} s)", mutant.name, started.elapsed().as_secs());
    }
}

/// Stays where it is, so that a second run builds little. Build results must not go
/// to the usual place: cargo would take the copy's crates for ours.
fn folder(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root.join(target.unwrap_or_else(|| "target".into())).join("mutants")
}
