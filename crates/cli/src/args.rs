//! The arguments of every verb, with the help that users read.

mod names;

pub use names::{
    CutoffFormat, DeadlockName, Destination, FairnessName, Format, LanguageName, OrderName,
    ReductionName, StorageName,
};

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use engine::Engine;
use engine::explicit::Switches;
use model::ThreadCount;

use crate::units;

const EXIT_CODES: &str = "\
Exit codes:
  0    the property holds (proved, and the proof re-checked)
  1    the property is violated (by a run that was replayed)
  2    the input or the command line is wrong
  3    undecided: a limit was reached, or the question is out of scope
  101  a bug in threadproof; please report it
  130  interrupted

Examples:
  threadproof check mutex.spec
  threadproof check driver.tts driver.prop --time 60s
  threadproof check net.pnml --target 'p1>=1,p2>=2' --format json
  threadproof check protocol.m --const NODES=4
  threadproof check peterson.m --ltl 'G ((pc[0] = wait) -> F (pc[0] = critical))'
  threadproof convert net.spec --to dot | dot -Tsvg > net.svg";

const CHECK_EXAMPLES: &str = "\
Examples:
  threadproof check mutex.spec
      Is a target marking reachable, from any initial marking?
  threadproof check driver.tts
      The property is taken from driver.prop beside it.
  threadproof check driver.tts --init '0|0,1/2' --target '3|1,1'
      Shared state 0, one thread each in local states 0 and 1, any number in 2.
  threadproof check driver.tts --threads 4
      Exactly four threads at the start.
  threadproof check big.spec --time 10m --memory 8G --certificate proof.json
      Then, later or elsewhere: threadproof replay proof.json big.spec";

const CUTOFF_EXAMPLES: &str = "\
A thread state is a shared store and the local store of one thread. The cutoff is the
smallest number of threads that reaches every thread state that any number reaches.
The exit code is 0 when the cutoff is found.

Examples:
  threadproof cutoff driver.tts
  threadproof cutoff net.spec --time 60s
      Each token is a thread; transitions are chains of steps of threads.
  threadproof cutoff driver.tts --init '0|0,1/2' --full-trace";

const REPLAY_EXAMPLES: &str = "\
RESULT is what `check --format json` printed or what `check --certificate` wrote.
The exit code is 0 when a proof is confirmed, 1 when a counterexample is, and 2
when the result is malformed or does not stand up.

Example:
  threadproof check net.spec --certificate proof.json
  threadproof replay proof.json net.spec";

const BENCH_HELP: &str = "\
expected.csv has the columns file, property_file, init, expected (safe, unsafe or
unknown) and note; paths are relative to it. Each instance runs in a process of
its own. The exit code is 1 when a verdict is wrong or a run crashes, else 0.

Example:
  threadproof bench suites/nets suites/tts --time 60s --memory 4G --csv out.csv";

/// Decides whether an error is reachable, for every number of threads.
///
/// Reads Petri nets (.spec, .pnml), thread transition systems (.tts) and Murphi
/// models (.m), and answers with a proof that it has re-checked, with a run that it has replayed,
/// or with the reason why it could not decide.
#[derive(Debug, Parser)]
#[command(name = "threadproof", version, after_help = EXIT_CODES)]
#[command(arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Decide whether the property of a model holds.
    Check(CheckArgs),
    /// Find how many threads are enough to reach every thread state.
    Cutoff(CutoffArgs),
    /// Re-check a saved proof or replay a saved counterexample.
    Replay(ReplayArgs),
    /// Write a model in another language, or as a picture.
    Convert(ConvertArgs),
    /// Run a suite of models with expected verdicts.
    Bench(BenchArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man(ManArgs),
    /// Fail as a bug would, to see what a bug report looks like.
    #[command(hide = true)]
    Bug,
}

/// What to read.
#[derive(Args, Debug)]
pub struct LoadArgs {
    /// The model: a .spec, .tts, .pnml or .m file, or `-` for standard input; or a C
    /// program: .c, .i, .ll or .bc.
    pub file: PathBuf,
    /// The property of a .tts model, by default the .prop file beside it; or more
    /// files of a C program.
    #[arg(value_name = "PROP|FILE")]
    pub more: Vec<PathBuf>,
    /// The property file of a .tts model; or what to check of a C program, by
    /// SV-COMP's names, separated by commas: unreach-call, no-data-race,
    /// valid-memsafety, no-overflow, no-deadlock, all; or alone: termination. By default
    /// all but no-overflow, lost memory and termination.
    #[arg(long, value_name = "FILE|NAMES")]
    pub property: Option<PathBuf>,
    /// Initial states instead of those in the file: `0|0,1/2` for .tts (`/` is any
    /// number of threads; default `0/0`), `p1=1,p2>=0` for nets.
    #[arg(long, value_name = "TEXT")]
    pub init: Option<String>,
    /// Error states instead of those in the file: `3|1,1` for .tts,
    /// `p1>=1,p2>=2` for nets.
    #[arg(long, value_name = "TEXT")]
    pub target: Option<String>,
    /// The language, when neither name nor content tells it.
    #[arg(long, value_enum)]
    pub language: Option<LanguageName>,
    /// Value of a constant instead of the one in a .m file; may be repeated.
    #[arg(long = "const", value_name = "NAME=N", value_parser = constant)]
    pub constants: Vec<(String, i64)>,
    /// Read .m files in the standard dialect alone, without extensions.
    #[arg(long)]
    pub strict: bool,
    /// In .m files, do not evaluate conditions that have the same value whatever
    /// defined values their variables hold (rumur's SMT simplification).
    #[arg(long)]
    pub simplify: bool,
    /// Check this LTL formula instead of the properties in the file: `G`, `F`, `X`,
    /// `U`, `W`, `R`, `!`, `&&`, `||`, `->`, `<->` over propositions in the language
    /// of the file: `G ((pc[0] = wait) -> F (pc[0] = critical))`.
    #[arg(long, value_name = "FORMULA", help_heading = "Temporal properties")]
    pub ltl: Option<String>,
    /// Whether a rule instance (a thread) that can go on for ever must do so.
    #[arg(long, value_enum, default_value = "none", requires = "ltl")]
    #[arg(help_heading = "Temporal properties")]
    pub fairness: FairnessName,
    /// What is a deadlock in a .m model.
    #[arg(long, value_enum, default_value = "stuttering", help_heading = "Explicit-state search")]
    pub deadlock: DeadlockName,
    /// Refuse files that are larger.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::size)]
    pub max_input: u64,
    /// How C is compiled and run.
    #[command(flatten)]
    pub c: CArgs,
}

/// How C is compiled and run.
#[derive(Args, Debug)]
#[command(next_help_heading = "C programs")]
pub struct CArgs {
    /// The compiler; by default the clang that is found.
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,
    /// Check the code as it is after this much optimisation, 0 to 3. An optimiser may
    /// delete the bugs of a program with data races.
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    pub optimisation: u8,
    /// Compile for a 32-bit machine; so it is by default for .i files.
    #[arg(long)]
    pub m32: bool,
    /// Compile .i files for a 64-bit machine.
    #[arg(long, conflicts_with = "m32")]
    pub m64: bool,
    /// Look for headers here as well.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// A C file with functions that the program calls and does not define; may be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    pub model: Vec<PathBuf>,
    /// Functions of the library that a model replaces.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "model")]
    pub model_replaces: Vec<String>,
    /// `malloc` and its kin may fail.
    #[arg(long)]
    pub malloc_fails: bool,
    /// Other threads see atomic stores at once, also those that are not sequentially
    /// consistent.
    #[arg(long)]
    pub no_delays: bool,
    /// Condition variables never wake up for no reason.
    #[arg(long)]
    pub no_spurious: bool,
    /// Values that inputs take where they cannot be treated exactly; then nothing is
    /// proven.
    #[arg(long, value_name = "FROM..TO", default_value = "-2..3", value_parser = input_range)]
    #[arg(allow_hyphen_values = true)]
    pub nondet: (i64, i64),
    /// Undefined arithmetic is an error (overflow, shifts), and so are misaligned
    /// accesses.
    #[arg(long)]
    pub ub: bool,
    /// Also check that this function of the program, `int f(void)`, never returns zero:
    /// it is called in every state, while all threads stand still, and may only read.
    /// May be repeated.
    #[arg(long, value_name = "FUNCTION")]
    pub invariant: Vec<String>,
    /// Take states for equal in which this function of the program, `void f(void)`,
    /// writes the same and threads stand at the same places. It is called in every state
    /// on a copy. Errors are real; if a state was left out, nothing is proven.
    #[arg(long, value_name = "FUNCTION", conflicts_with = "ltl")]
    pub abstraction: Option<String>,
    /// Which interleavings are left out because others show the same.
    #[arg(long, value_enum, default_value = "auto")]
    pub reduction: ReductionName,
    /// Arguments for the compiler.
    #[arg(last = true, value_name = "CLANG-ARGS")]
    pub clang_args: Vec<String>,
}

/// What a run may use.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// Stop after this long (500ms, 60s, 2m). No limit by default.
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Stop before more memory than this is in use (300M, 4G; at least 16M). By
    /// default 80 % of the machine's memory, or of the container's.
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
    /// Threads that the search itself may use. By default one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// What to read.
    #[command(flatten)]
    pub load: LoadArgs,
    /// For how many threads at the start: `any`, or a number.
    #[arg(long, value_name = "any|N", default_value = "any", value_parser = thread_count)]
    pub threads: ThreadCount,
    /// How to decide it.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine_name)]
    #[arg(long_help = engine_help())]
    pub engine: Engine,
    /// How states are searched.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What it may use.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the answer.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Also write the proof or the counterexample to this file, for `replay`.
    #[arg(long, value_name = "OUT.json")]
    pub certificate: Option<PathBuf>,
    /// Also write the answer as a page for the browser, with the run to step through.
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Also write an error of a C program as a violation witness of SV-COMP: version 2.0
    /// in a .yml file, version 1.0, which knows of threads, in a .graphml file.
    #[arg(long, value_name = "OUT.yml|OUT.graphml")]
    pub witness: Option<PathBuf>,
    /// Show all steps of a long counterexample.
    #[arg(long)]
    pub full_trace: bool,
    /// Print the verdict line alone, no warnings and no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Leave out time and memory, so that two runs print the same.
    #[arg(long)]
    pub no_timing: bool,
    /// Leave the proof or counterexample out of JSON.
    #[arg(long)]
    pub no_evidence: bool,
}

/// Arguments of `cutoff`.
#[derive(Args, Debug)]
#[command(after_help = CUTOFF_EXAMPLES)]
pub struct CutoffArgs {
    /// What to read.
    #[command(flatten)]
    pub load: LoadArgs,
    /// Only look whether candidates are left, never whether they can be realized: the
    /// cutoff test of SCUT, which does not always succeed.
    #[arg(long)]
    pub test_only: bool,
    /// Stop after this many threads.
    #[arg(long, value_name = "N")]
    pub max_threads: Option<u32>,
    /// What it may use.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the answer.
    #[arg(long, value_enum, default_value = "text")]
    pub format: CutoffFormat,
    /// Also write the curve of thread states over threads as a picture.
    #[arg(long, value_name = "OUT.svg")]
    pub svg: Option<PathBuf>,
    /// Also write the answer as a page for the browser, with the curve.
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Show a run to each thread state that needs the most threads, with all steps; in
    /// JSON, to every thread state.
    #[arg(long)]
    pub full_trace: bool,
    /// Print the first line alone, no warnings and no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Leave out time and memory, so that two runs print the same.
    #[arg(long)]
    pub no_timing: bool,
}

/// How states are searched, one by one.
#[derive(Args, Debug)]
#[command(next_help_heading = "Explicit-state search")]
pub struct SearchArgs {
    /// Breadth first (shortest counterexamples, all cores) or depth first.
    #[arg(long, value_enum, default_value = "bfs", conflicts_with = "ltl")]
    pub order: OrderName,
    /// How visited states are remembered. Only `exact` can prove; the others need
    /// less memory, may leave out states, and print how likely that is.
    #[arg(long, value_enum, default_value = "exact", conflicts_with = "ltl")]
    pub storage: StorageName,
    /// Size of the bit table of `--storage bitstate`.
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = table_size)]
    pub bitstate_size: u64,
    /// Tell states apart that differ only by a permutation of a scalarset.
    #[arg(long)]
    pub no_symmetry: bool,
    /// Stop after so many states.
    #[arg(long, value_name = "N", conflicts_with = "ltl")]
    pub max_states: Option<u64>,
    /// Do not try random runs of a C program where the search takes long.
    #[arg(long)]
    pub no_walks: bool,
    /// Go through all states and tell of every invariant that fails, not only of the
    /// first. The others are told in notes.
    #[arg(long, conflicts_with = "ltl")]
    pub every_failure: bool,
    /// Ask only about runs of at most so many steps. Thread systems need `--threads N`.
    #[arg(long, value_name = "STEPS", conflicts_with = "ltl")]
    pub bound: Option<u64>,
    /// Ask only about runs of threads with at most K pre-emptive context switches; `..K`
    /// tries 0, 1, 2, … up to K, and stops at the first error. A switch is pre-emptive if
    /// the thread that is left could go on: one that waits or has ended is left for free.
    /// If a switch was left out, nothing is proven.
    #[arg(long, value_name = "K|..K", conflicts_with = "ltl", value_parser = switches)]
    pub switches: Option<Switches>,
    /// Run the rules in the interpreter instead of as machine code.
    #[arg(long)]
    pub interpret: bool,
}

/// Arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = REPLAY_EXAMPLES)]
pub struct ReplayArgs {
    /// A result or certificate.
    pub result: PathBuf,
    /// What it is about.
    #[command(flatten)]
    pub load: LoadArgs,
    /// For how many threads it must stand up; by default as it says itself.
    #[arg(long, value_name = "any|N", value_parser = thread_count)]
    pub threads: Option<ThreadCount>,
    /// What re-checking may use.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print the verdict line alone.
    #[arg(long, short)]
    pub quiet: bool,
    /// Show all steps of a long counterexample.
    #[arg(long)]
    pub full_trace: bool,
    /// Leave out time and memory, so that two runs print the same.
    #[arg(long)]
    pub no_timing: bool,
}

/// Arguments of `convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// What to read.
    #[command(flatten)]
    pub load: LoadArgs,
    /// What to write.
    #[arg(long, value_enum)]
    pub to: Destination,
    /// Where to write it; by default to standard output. For .tts the property goes
    /// to the .prop file beside it.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Args, Debug)]
#[command(after_help = BENCH_HELP)]
pub struct BenchArgs {
    /// Directories with an expected.csv, or such files.
    #[arg(required = true, value_name = "DIR|CSV")]
    pub suites: Vec<PathBuf>,
    /// Time limit of each run.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    pub time: Duration,
    /// Memory limit of each run.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = memory_size)]
    pub memory: u64,
    /// Threads of each run; by default one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs_per_run: Option<u16>,
    /// The engine of each run.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine_name)]
    pub engine: Engine,
    /// Only instances whose file name contains this.
    #[arg(long, value_name = "SUBSTR")]
    pub filter: Option<String>,
    /// Labels held to be wrong: a CSV file with the columns `file` and `expected`.
    #[arg(long, value_name = "CSV")]
    pub disputed: Option<PathBuf>,
    /// Write one CSV row per instance.
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,
    /// Write one JSON object per instance and line.
    #[arg(long, value_name = "OUT")]
    pub jsonl: Option<PathBuf>,
}

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write one page per verb into this directory instead.
    #[arg(long, value_name = "OUT")]
    pub dir: Option<PathBuf>,
}

fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=N")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a number"))?;
    Ok((name.trim().to_owned(), value))
}

fn thread_count(text: &str) -> Result<ThreadCount, String> {
    if text == "any" {
        return Ok(ThreadCount::Any);
    }
    text.parse()
        .map(ThreadCount::Exactly)
        .map_err(|_| format!("`{text}` is neither `any` nor a number of threads"))
}

fn engine_name(text: &str) -> Result<Engine, String> {
    text.parse()
}

fn engine_help() -> String {
    let mut help = String::from("How to decide it:");
    for engine in Engine::ALL {
        help.push_str(&format!("\n  {:<10} {}", engine.name(), engine.summary()));
    }
    help
}

fn table_size(text: &str) -> Result<u64, String> {
    match units::size(text)? {
        0 => Err("a table has at least one byte".to_owned()),
        bytes => Ok(bytes),
    }
}

fn memory_size(text: &str) -> Result<u64, String> {
    let bytes = units::size(text)?;
    if bytes < 16 << 20 { Err("at least 16M are needed".to_owned()) } else { Ok(bytes) }
}

fn switches(text: &str) -> Result<Switches, String> {
    let (is_tried, last) = match text.strip_prefix("..") {
        Some(last) => (true, last),
        None => (false, text),
    };
    let last = last.parse().map_err(|_| format!("`{text}` is neither a number nor `..K`"))?;
    Ok(Switches { first: if is_tried { 0 } else { last }, last })
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn the_declared_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
