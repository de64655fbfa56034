//! The arguments of `refine`.

use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use engine::Engine;

use super::{CutoffFormat, LimitArgs, LoadArgs, engine_name};

const REFINE_EXAMPLES: &str = "\
IMPL refines SPEC if whatever one thread of IMPL does to the shared store, in any environment,
is what a thread of SPEC may do as well. Then errors of any number of threads of IMPL are errors
of any number of threads of SPEC: proof rules (5) to (7) of Beacon, B => F and F* |= phi give
B* |= phi. The exit code is 0 when IMPL refines SPEC (with --conclude: when B* |= phi), 1 when it
does not or when SPEC has an error (which says nothing about IMPL), 3 when it is not known.

With --with IMPL2 SPEC2 there are two different threads, one of IMPL and one of IMPL2: rules (1)
to (4), B1 => F1, B2 => F2 and F1 || F2 |= phi give B1 || B2 |= phi. The exit code is 0 when both
refine (with --conclude: when B1 || B2 |= phi).

Examples:
  threadproof refine allocator.tts interface.tts
  threadproof refine allocator.tts interface.tts --conclude
      Also checks interface.tts for any number of threads, and concludes.
  threadproof refine allocator.tts interface.tts --spec-target '3|' --conclude
      Shared state 3 is the error.
  threadproof refine producer.tts puts.tts --with consumer.tts takes.tts --conclude
      One producer beside one consumer.";

/// Arguments of `refine`.
#[derive(Args, Debug)]
#[command(after_help = REFINE_EXAMPLES)]
pub struct RefineArgs {
    /// The implementation: a .tts or .bp file. B in Beacon.
    #[arg(value_name = "IMPL")]
    pub implementation: PathBuf,
    /// The specification: a .tts or .bp file. F in Beacon.
    #[arg(value_name = "SPEC")]
    pub specification: PathBuf,
    /// Another implementation, whose thread runs beside that of IMPL over the same shared store,
    /// and its specification: two different threads, one of each.
    #[arg(long, num_args = 2, value_names = ["IMPL2", "SPEC2"])]
    #[arg(conflicts_with_all = ["init", "spec_init", "target", "spec_target"])]
    pub with: Vec<PathBuf>,
    /// Also check the specification for any number of threads, and conclude for any number of
    /// threads of the implementation. With --with: for one thread of each.
    #[arg(long)]
    pub conclude: bool,
    /// How to check the specification: the engines of `check`.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine_name)]
    #[arg(requires = "conclude")]
    pub engine: Engine,
    /// Initial states of the implementation instead of those in the file.
    #[arg(long, value_name = "TEXT")]
    pub init: Option<String>,
    /// Initial states of the specification instead of those in the file.
    #[arg(long, value_name = "TEXT")]
    pub spec_init: Option<String>,
    /// Error states of the implementation instead of those in the file.
    #[arg(long, value_name = "TEXT", requires = "conclude")]
    pub target: Option<String>,
    /// Error states of the specification instead of those in the file.
    #[arg(long, value_name = "TEXT", requires = "conclude")]
    pub spec_target: Option<String>,
    /// What it may use.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the answer.
    #[arg(long, value_enum, default_value = "text")]
    pub format: CutoffFormat,
    /// Show all steps of a long run.
    #[arg(long)]
    pub full_trace: bool,
    /// Print the first line alone, no warnings and no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Leave out time and memory, so that two runs print the same.
    #[arg(long)]
    pub no_timing: bool,
}

/// Options for reading a file, as they are when none is given.
#[derive(Parser)]
struct Reading {
    #[command(flatten)]
    load: LoadArgs,
}

impl RefineArgs {
    /// How the implementation and the specification of each pair are read.
    pub fn load_pairs(&self) -> Vec<[LoadArgs; 2]> {
        let implementation = LoadArgs {
            init: self.init.clone(),
            target: self.target.clone(),
            ..reading(&self.implementation)
        };
        let specification = LoadArgs {
            init: self.spec_init.clone(),
            target: self.spec_target.clone(),
            ..reading(&self.specification)
        };
        let mut pairs = vec![[implementation, specification]];
        if let [implementation, specification] = &self.with[..] {
            pairs.push([reading(implementation), reading(specification)]);
        }
        pairs
    }
}

fn reading(file: &Path) -> LoadArgs {
    let Reading { load } = Reading::parse_from(["refine", "-"]);
    LoadArgs { file: file.to_owned(), ..load }
}
