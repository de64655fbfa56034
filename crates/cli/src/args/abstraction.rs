//! Arguments of `abstract`.

use std::path::PathBuf;

use clap::Args;

use super::load::constant;
use crate::units;

const ABSTRACT_EXAMPLES: &str = "\
A few elements of the parameter type are kept, all others become one, Other, of which
nothing is known (the CMP method, without lemmas). If the properties of the abstract
model hold, they hold for any number of elements; a violation may be spurious.
`check --threads any` needs no lemmas; this is for people and for other tools.

Examples:
  threadproof abstract german.m
  threadproof abstract german.m --param node --views 2 -o abs_german.m
  threadproof check abs_german.m --deadlock off
  rumur --deadlock-detection off --output abs_german.c abs_german.m";

/// Arguments of `abstract`.
#[derive(Args, Debug)]
#[command(after_help = ABSTRACT_EXAMPLES)]
pub struct AbstractArgs {
    /// A .m file, or `-` for standard input.
    pub file: PathBuf,
    /// The type that has any number of elements: a scalarset or a subrange that is used like
    /// one. By default the one that most rules are for.
    #[arg(long = "param", value_name = "TYPE")]
    pub parameter: Option<String>,
    /// How many elements are kept; by default as many as a property or a rule speaks of at once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub views: Option<u32>,
    /// Take the variables of Other to have values: otherwise what is read from them may have
    /// none, and is an error where it is looked at.
    #[arg(long)]
    pub defined: bool,
    /// Override a constant of the model; may be repeated.
    #[arg(long = "const", value_name = "NAME=N", value_parser = constant)]
    pub constants: Vec<(String, i64)>,
    /// Accept only the standard dialect, no extensions.
    #[arg(long)]
    pub strict: bool,
    /// Refuse larger files.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::size)]
    pub max_input: u64,
    /// Where to write it; by default to standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}
