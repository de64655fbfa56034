//! Development chores: `cargo xtask tidy` checks the house rules that a machine
//! can check, `cargo xtask bench` runs the benchmark suite and compares runs,
//! `cargo xtask compare` measures against other tools, `cargo xtask figures` repeats the
//! experiments of the pancam paper, `cargo xtask table1` those of the paper on cutoffs,
//! `cargo xtask thread-modular` measures that engine for its pages of the book,
//! `cargo xtask mutants` checks that the tests notice mistakes,
//! `cargo xtask boolean-programs` writes Boolean programs whose verdicts are known.
#![allow(clippy::print_stdout, reason = "a development tool talks to its user")]

mod bench;
mod boolean_programs;
mod compare;
mod figures;
mod mutants;
mod table1;
mod thread_modular;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Development chores of threadproof")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check arrows between crates, headers, sizes, names and document references
    Tidy,
    /// Run bench/suite.toml and compare with the last saved run
    Bench(bench::Arguments),
    /// Run bench/compare.toml with rumur and with threadproof
    Compare(compare::Arguments),
    /// Run the programs of bench/c and bench/spin, and write the book's page about pancam
    Figures(figures::Arguments),
    /// Run the nets of bench/table1.toml and print them beside the paper's Table 1
    Table1(table1::Arguments),
    /// Measure thread-modular checking on public thread systems and on programs that grow
    ThreadModular(thread_modular::Arguments),
    /// Make mistakes, one at a time, and see whether the tests notice
    Mutants(mutants::Arguments),
    /// Write Boolean programs like those that predicate abstraction makes of drivers
    BooleanPrograms(boolean_programs::Arguments),
}

fn main() -> anyhow::Result<ExitCode> {
    let root = workspace_root();
    match Arguments::parse().chore {
        Chore::Tidy => tidy::run(&root),
        Chore::Bench(arguments) => bench::run(&root, &arguments),
        Chore::Compare(arguments) => compare::run(&root, &arguments),
        Chore::Figures(arguments) => figures::run(&root, &arguments),
        Chore::Table1(arguments) => table1::run(&root, &arguments),
        Chore::ThreadModular(arguments) => thread_modular::run(&root, &arguments),
        Chore::Mutants(arguments) => mutants::run(&root, &arguments),
        Chore::BooleanPrograms(arguments) => boolean_programs::run(&root, &arguments),
    }
}

fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies below the workspace root").to_path_buf()
}
