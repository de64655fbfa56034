//! Which files are read and how, and, apart from that, what is asked of them: `cutoff`
//! asks nothing.

use std::path::PathBuf;

use clap::Args;

use super::accepted::{Accepted, accepted};
use super::belongs::Given;
use super::{
    DeadlockName, ExternName, FairnessName, LanguageName, MemoryModelName, PreferenceName,
    ReductionName, VolatileName,
};
use crate::units;

// Said of every option: a heading for the options of a group would go on after it.
const C_PROGRAMS: &str = "C programs";
const TEMPORAL: &str = "Temporal properties";
pub(super) const EXPLICIT_SEARCH: &str = "Explicit-state search";

/// What to read.
#[derive(Args, Debug)]
pub struct LoadArgs {
    /// The model: a .spec, .pnml, .tts, .bp or .m file, or `-` for standard input; or a C
    /// program: .c, .i, .ll or .bc.
    pub file: PathBuf,
    /// The property of a .tts model, by default the .prop file beside it; or more
    /// files of a C program.
    #[arg(value_name = "PROP|FILE")]
    pub more: Vec<PathBuf>,
    /// Initial states instead of those in the file: `0|0,1/2` for .tts (`/` is any
    /// number of threads; default `0/0`), `p1=1,p2>=0` for nets.
    #[arg(long, value_name = "TEXT")]
    pub init: Option<String>,
    /// Error states instead of those in the file: `3|1,1` for .tts,
    /// `p1>=1,p2>=2` for nets.
    #[arg(long, value_name = "TEXT")]
    pub target: Option<String>,
    /// The language, where neither the name of the file nor its content shows it.
    #[arg(long, value_enum)]
    pub language: Option<LanguageName>,
    /// Refuse larger files.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::size)]
    pub max_input: u64,
    /// How C is compiled and run.
    #[command(flatten)]
    pub c: CArgs,
    /// Which options the user gave.
    #[arg(skip)]
    pub given: Given,
}

/// How C is compiled and run.
#[derive(Args, Debug)]
pub struct CArgs {
    /// The compiler; by default the first clang that is found.
    #[arg(long, value_name = "PATH")]
    #[arg(help_heading = C_PROGRAMS)]
    pub clang: Option<PathBuf>,
    /// Check the code as it is after this much optimisation, 0 to 3. An optimiser may
    /// delete the bugs of a program with data races.
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 0)]
    #[arg(help_heading = C_PROGRAMS)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    pub optimisation: u8,
    /// Compile for a 32-bit machine, the default for .i files.
    #[arg(long, help_heading = C_PROGRAMS)]
    pub m32: bool,
    /// Compile .i files for a 64-bit machine.
    #[arg(long, conflicts_with = "m32")]
    #[arg(help_heading = C_PROGRAMS)]
    pub m64: bool,
    /// Also search this directory for headers.
    #[arg(short = 'I', value_name = "DIR")]
    #[arg(help_heading = C_PROGRAMS)]
    pub include: Vec<String>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    #[arg(help_heading = C_PROGRAMS)]
    pub define: Vec<String>,
    /// A C file with functions that the program calls and does not define; may be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    #[arg(help_heading = C_PROGRAMS)]
    pub model: Vec<PathBuf>,
    /// Library functions that a model replaces.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "model")]
    #[arg(help_heading = C_PROGRAMS)]
    pub model_replaces: Vec<String>,
    /// What a call of a function does that has no body: `any` lets it return anything and
    /// write nothing, which the verdict then names as an assumption.
    #[arg(long = "extern", value_name = "NAME", default_value = "error")]
    #[arg(help_heading = C_PROGRAMS)]
    pub externs: ExternName,
    /// What a `volatile` access is: `atomic` makes it one that is sequentially consistent, as
    /// code older than C11 means it.
    #[arg(long, value_name = "NAME", default_value = "plain")]
    #[arg(help_heading = C_PROGRAMS)]
    pub volatile: VolatileName,
    /// `malloc` and similar functions may fail.
    #[arg(long, help_heading = C_PROGRAMS)]
    pub malloc_fails: bool,
    /// No spurious wake-ups of condition variables.
    #[arg(long, help_heading = C_PROGRAMS)]
    pub no_spurious: bool,
    /// Who gets a read-write lock that a reader asks for while a writer waits.
    #[arg(long, value_enum, default_value = "any", help_heading = C_PROGRAMS)]
    pub rwlock: PreferenceName,
    /// Values of inputs that cannot be treated exactly. If they are needed, nothing is
    /// proved.
    #[arg(long, value_name = "FROM..TO", default_value = "-2..3", value_parser = input_range)]
    #[arg(help_heading = C_PROGRAMS)]
    #[arg(allow_hyphen_values = true)]
    pub nondet: (i64, i64),
    /// Arguments for the compiler.
    #[arg(last = true, value_name = "CLANG-ARGS")]
    #[arg(help_heading = C_PROGRAMS)]
    pub clang_args: Vec<String>,
}

/// What is asked of a model beside its own property.
#[derive(Args, Clone, Debug)]
pub struct AskedArgs {
    /// Must there be a property?
    #[arg(skip = true)]
    pub needs_property: bool,
    /// Do variables of a Boolean program stay that nothing depends on?
    #[arg(skip = false)]
    pub keeps_variables: bool,
    /// May shared variables have values that no thread of the program gives them?
    #[arg(skip)]
    pub any_environment: bool,
    /// The property file of a .tts model; or what to check of a C program, by
    /// SV-COMP's names, separated by commas: unreach-call, no-data-race,
    /// valid-memsafety, no-overflow, no-deadlock, all; or alone: termination. By default
    /// all but no-overflow, memory leaks and termination.
    #[arg(long, value_name = "FILE|NAMES")]
    pub property: Option<PathBuf>,
    /// Override a constant of a .m file; may be repeated.
    #[arg(long = "const", value_name = "NAME=N", value_parser = constant)]
    pub constants: Vec<(String, i64)>,
    /// With `--threads any`, the type of a .m file that has any number of elements: a scalarset
    /// or a subrange that is used like one. By default the one that most rules are for.
    #[arg(long = "param", value_name = "TYPE")]
    pub parameter: Option<String>,
    /// Is a model of rules asked about any number of elements?
    #[arg(skip = false)]
    pub any_number: bool,
    /// Accept only the standard dialect in .m files, no extensions.
    #[arg(long)]
    pub strict: bool,
    /// In .m files, do not evaluate conditions that have the same value whatever
    /// defined values their variables hold (rumur's SMT simplification).
    #[arg(long)]
    pub simplify: bool,
    /// Check this LTL formula instead of the properties in the file: `G`, `F`, `X`,
    /// `U`, `W`, `R`, `!`, `&&`, `||`, `->`, `<->` over propositions in the language
    /// of the file: `G ((pc[0] = wait) -> F (pc[0] = critical))`.
    #[arg(long, value_name = "FORMULA", help_heading = TEMPORAL)]
    pub ltl: Option<String>,
    /// Must a rule instance (a thread) that stays enabled eventually take a step?
    #[arg(long, value_enum, default_value = "none", requires = "ltl")]
    #[arg(help_heading = TEMPORAL)]
    pub fairness: FairnessName,
    /// What counts as a deadlock in a .m model.
    #[arg(long, value_enum, default_value = "stuttering", help_heading = EXPLICIT_SEARCH)]
    pub deadlock: DeadlockName,
    /// What is asked of C programs.
    #[command(flatten)]
    pub c: CAskedArgs,
}

/// What is asked of C programs.
#[derive(Args, Clone, Debug)]
pub struct CAskedArgs {
    /// The memory model that is asked about: `sc` is sequential consistency, in which stores
    /// are never delayed. Without it the question is about C's own model, and a proof for a
    /// program with atomics weaker than `seq_cst` is one under sequential consistency only
    /// (exit code 3).
    #[arg(long, value_enum, value_name = "NAME", help_heading = C_PROGRAMS)]
    pub memory_model: Option<MemoryModelName>,
    /// No store buffers: other threads see every atomic store at once, even if it is not
    /// sequentially consistent.
    #[arg(long, help_heading = C_PROGRAMS)]
    pub no_delays: bool,
    /// Go on past a known finding: a rule that is broken at a line of the source is not
    /// reported. The run ends there, or goes on after a data race. May be given several
    /// times.
    #[arg(long, value_name = "RULE@FILE:LINE", value_parser = accepted, help_heading = C_PROGRAMS)]
    pub accept: Vec<Accepted>,
    /// Undefined arithmetic is an error (overflow, shifts), and so are misaligned
    /// accesses.
    #[arg(long, help_heading = C_PROGRAMS)]
    pub ub: bool,
    /// Also check that this function of the program, `int f(void)`, never returns zero:
    /// it is called in every state, while no thread runs, and may only read.
    /// May be repeated.
    #[arg(long, value_name = "FUNCTION")]
    #[arg(help_heading = C_PROGRAMS)]
    pub invariant: Vec<String>,
    /// Treat states as equal if this function of the program, `void f(void)`, writes the
    /// same values in both and threads are at the same places. It is called in every state,
    /// on a copy. Errors are real; if a state was left out, nothing is proved.
    #[arg(long, value_name = "FUNCTION", conflicts_with = "ltl")]
    #[arg(help_heading = C_PROGRAMS)]
    pub abstraction: Option<String>,
    /// Which interleavings are left out because equivalent ones are searched.
    #[arg(long, value_enum, default_value = "auto")]
    #[arg(help_heading = C_PROGRAMS)]
    pub reduction: ReductionName,
}

impl AskedArgs {
    /// Nothing is asked: it is only of interest what a program does.
    pub fn nothing() -> AskedArgs {
        AskedArgs {
            needs_property: false,
            keeps_variables: false,
            any_environment: false,
            property: None,
            constants: Vec::new(),
            parameter: None,
            any_number: false,
            strict: false,
            simplify: false,
            ltl: None,
            fairness: FairnessName::None,
            deadlock: DeadlockName::Off,
            c: CAskedArgs {
                memory_model: None,
                no_delays: true,
                accept: Vec::new(),
                ub: false,
                invariant: Vec::new(),
                abstraction: None,
                // Larger steps leave out states, which is right for errors only.
                reduction: ReductionName::Global,
            },
        }
    }
}

pub(super) fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=N")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a number"))?;
    Ok((name.trim().to_owned(), value))
}

fn input_range(text: &str) -> Result<(i64, i64), String> {
    let malformed = || format!("`{text}` is not of the form FROM..TO");
    let (from, to) = text.split_once("..").ok_or_else(malformed)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| malformed());
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err(format!("`{text}` has no values"));
    }
    Ok((from, to))
}
