//! Decides whether the tests notice mistakes in the engines: makes one mistake at
//! a time in a copy of the tree and runs the tests there.
//!
//! The mistakes stand in `table.toml`. A mistake is caught when a test fails, or
//! when one does not end in its time. One that no test notices survives, and then
//! this check fails: either the tests are too weak, or the change is no mistake.

mod table;
mod tree;
mod trial;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use table::Mutant;
use tree::Tree;
use trial::{Fate, Laboratory};

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only mutants whose name contains this; may be given several times
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Random systems that every engine is compared on
    #[arg(long, default_value_t = 2_000)]
    seeds: u32,
}

impl Arguments {
    fn wants(&self, mutant: &Mutant) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| mutant.name.contains(text))
    }
}

/// Tries every mutant and prints what became of it.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let mutants: Vec<Mutant> =
        table::read(root)?.into_iter().filter(|mutant| arguments.wants(mutant)).collect();
    ensure!(!mutants.is_empty(), "no mutant has such a name");
    let mut n_failed = complain_about_texts(root, &mutants);
    let folder = folder(root);
    let tree = Tree::copy(root, &folder.join("tree"))?;
    let laboratory = Laboratory { tree: &tree, folder: &folder, n_seeds: arguments.seeds };
    check_unchanged(&laboratory)?;
    for mutant in &mutants {
        let started = Instant::now();
        let Ok(mutated) = mutant.apply(tree.folder()) else { continue };
        let fate = tree.with_text(&mutant.file, &mutated, || laboratory.examine())??;
        n_failed += usize::from(!fate.is_caught());
        println!("{}", line(mutant, &fate, started));
    }
    println!("{} mutants, {n_failed} not caught", mutants.len());
    Ok(if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Stays where it is, so that a second run builds little. Build results must not go
/// to the usual place: cargo would take the copy's crates for ours.
fn folder(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root.join(target.unwrap_or_else(|| "target".into())).join("mutants")
}

/// Says which mutations no longer fit the text, before anything is built.
fn complain_about_texts(root: &Path, mutants: &[Mutant]) -> usize {
    let mut n_failed = 0;
    for mutant in mutants {
        if let Err(error) = mutant.apply(root) {
            println!("{:<44} DOES NOT APPLY: {error:#}", mutant.name);
            n_failed += 1;
        }
    }
    n_failed
}

/// What fails without a mistake would fail with any.
fn check_unchanged(laboratory: &Laboratory<'_>) -> Result<()> {
    match laboratory.examine()? {
        Fate::Survived => Ok(()),
        fate => bail!("the unchanged tree does not pass: {fate}"),
    }
}

fn line(mutant: &Mutant, fate: &Fate, started: Instant) -> String {
    format!("{:<44} {fate} ({} s)", mutant.name, started.elapsed().as_secs())
}
