//! The arguments of every verb, with the help that users read.

mod abstraction;
mod accepted;
mod belongs;
mod load;
mod names;
mod refine;

pub use abstraction::AbstractArgs;
pub use accepted::Accepted;
pub use belongs::{Given, ModelLanguage};
use load::EXPLICIT_SEARCH;
pub use load::{AskedArgs, LoadArgs};
pub use names::{
    CutoffFormat, DeadlockName, Destination, ExternName, FairnessName, Format, LanguageName,
    MemoryModelName, OrderName, PreferenceName, ReductionName, StorageName, VolatileName,
};
pub use refine::RefineArgs;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use engine::Engine;
use model::{GrowingBound, ThreadCount};

use crate::units;

const EXIT_CODES: &str = "\
Exit codes:
  0    the property holds (proved, and the proof re-checked)
  1    the property is violated (by a run that was replayed; where something should
       happen and never does, by a search that was repeated)
  2    the input or the command line is wrong
  3    undecided: a limit was reached, the question is out of scope, or a C program with
       weak atomics is proved under sequential consistency only (see --memory-model)
  101  a bug in threadproof; please report it
  130  interrupted

Examples:
  threadproof check mutex.spec
  threadproof check driver.tts driver.prop --time 60s
  threadproof check net.pnml --target 'p1>=1,p2>=2' --format json
  threadproof check protocol.m --const NODES=4
  threadproof check protocol.m --threads any
  threadproof check queue.c --property no-data-race
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
  threadproof check protocol.m --threads any
      Any number of nodes, instead of as many as a constant says.
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
/// Reads Petri nets (.spec, .pnml), thread transition systems (.tts), Boolean programs
/// (.bp), Murphi models (.m) and C programs. Answers with a proof that it has re-checked,
/// with a run that it has replayed, or with the reason why it could not decide.
#[derive(Debug, Parser)]
#[command(name = "threadproof", version, after_help = EXIT_CODES)]
#[command(arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

impl Arguments {
    /// What stands on the command line; each verb that reads a model knows which options
    /// were given.
    ///
    /// # Errors
    /// It makes no sense, or asks for help.
    pub fn read() -> Result<Arguments, clap::Error> {
        let command = Arguments::command();
        let matches = command.clone().try_get_matches()?;
        let mut arguments = Arguments::from_arg_matches(&matches)?;
        if let Some((name, matches)) = matches.subcommand()
            && let Some(verb) = command.find_subcommand(name)
            && let Some(load) = arguments.verb.load()
        {
            load.given = Given::of(verb, matches);
        }
        Ok(arguments)
    }
}

impl Verb {
    fn load(&mut self) -> Option<&mut LoadArgs> {
        match self {
            Verb::Check(args) => Some(&mut args.load),
            Verb::Cutoff(args) => Some(&mut args.load),
            Verb::Replay(args) => Some(&mut args.load),
            Verb::Convert(args) => Some(&mut args.load),
            _ => None,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Decide whether the property of a model holds.
    Check(CheckArgs),
    /// Find how many threads are enough to reach every thread state.
    Cutoff(CutoffArgs),
    /// Decide whether one thread program refines another.
    Refine(RefineArgs),
    /// Re-check a saved proof or replay a saved counterexample.
    Replay(ReplayArgs),
    /// Write a model in another language, or as a picture.
    Convert(ConvertArgs),
    /// Write the abstract model of a Murphi model for any number of elements, as Murphi text.
    Abstract(AbstractArgs),
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
    /// What is asked of it.
    #[command(flatten)]
    pub asked: AskedArgs,
    /// For how many threads at the start: `any`, or a number; `any` unless the model itself
    /// says how many. For .m files `any` means any number of elements of a type (--param).
    #[arg(long, value_name = "any|N", value_parser = thread_count)]
    pub threads: Option<ThreadCount>,
    /// How to decide it.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine_name)]
    #[arg(long_help = engine_help())]
    pub engine: Engine,
    /// Of the engine thread-modular: stop at its first alarm instead of refining.
    #[arg(long)]
    pub no_refine: bool,
    /// How states are searched.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What it may use.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the answer.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print what is run and do not search: the operations of a C program under the source
    /// lines that they come from, or the graph of a Boolean program.
    #[arg(long)]
    pub dump_code: bool,
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
    /// Also say how the answer was found: which meanings of the program were to be
    /// searched, in which order, and what a verdict about each implies.
    #[arg(long, conflicts_with = "quiet")]
    pub explain: bool,
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
    /// Print only the first line, no warnings and no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Leave out time and memory, so that two runs print the same.
    #[arg(long)]
    pub no_timing: bool,
}

/// How the explicit search works.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// Breadth first (shortest counterexamples, all cores) or depth first.
    #[arg(long, value_enum, default_value = "bfs", conflicts_with = "ltl")]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub order: OrderName,
    /// How visited states are stored. Only `exact` can prove; the others need less memory,
    /// may miss states, and report how likely that is.
    #[arg(long, value_enum, default_value = "exact", conflicts_with = "ltl")]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub storage: StorageName,
    /// Size of the bit table of `--storage bitstate`.
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = table_size)]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub bitstate_size: u64,
    /// Do not reduce by symmetry: store states separately that differ only by a permutation
    /// of a scalarset.
    #[arg(long, help_heading = EXPLICIT_SEARCH)]
    pub no_symmetry: bool,
    /// Stop after this many states.
    #[arg(long, value_name = "N", conflicts_with = "ltl")]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub max_states: Option<u64>,
    /// Do not try random runs of a C program, and runs with few context switches, when the
    /// search takes long.
    #[arg(long, help_heading = EXPLICIT_SEARCH)]
    pub no_walks: bool,
    /// Search all states and report every invariant that fails, not only the first; the
    /// others appear as notes.
    #[arg(long, conflicts_with = "ltl")]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub every_failure: bool,
    /// Consider only runs of at most this many steps. Thread systems need `--threads N`.
    #[arg(long, value_name = "STEPS", conflicts_with = "ltl")]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub bound: Option<u64>,
    /// Consider only runs with at most K pre-emptive context switches; `..K` tries 0, 1, 2,
    /// … up to K and stops at the first error. A switch is pre-emptive if the thread that
    /// is switched away from could continue; switching away from one that waits or has
    /// ended is free. If runs were left out, nothing is proved.
    #[arg(long, value_name = "K|..K", conflicts_with = "ltl", value_parser = switches)]
    #[arg(help_heading = EXPLICIT_SEARCH)]
    pub switches: Option<GrowingBound>,
    /// Run the rules in the interpreter instead of as machine code.
    #[arg(long, help_heading = EXPLICIT_SEARCH)]
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
    /// What is asked of it.
    #[command(flatten)]
    pub asked: AskedArgs,
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
    /// What is asked of it.
    #[command(flatten)]
    pub asked: AskedArgs,
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
    /// The memory model of C programs in the suites, as for `check`.
    #[arg(long, value_enum, value_name = "NAME")]
    pub memory_model: Option<MemoryModelName>,
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
        help.push_str(&format!("\n  {:<14} {}", engine.name(), engine.summary()));
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

fn switches(text: &str) -> Result<GrowingBound, String> {
    let (is_tried, last) = match text.strip_prefix("..") {
        Some(last) => (true, last),
        None => (false, text),
    };
    let last = last.parse().map_err(|_| format!("`{text}` is neither a number nor `..K`"))?;
    Ok(GrowingBound::new(if is_tried { 0 } else { last }, last))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn the_declared_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_cutoff_is_not_offered_what_is_asked_of_models() {
        let command = Arguments::command();
        let options = |verb: &str| -> Vec<String> {
            let verb = command.find_subcommand(verb).expect("it is a verb");
            verb.get_arguments().map(|arg| arg.get_id().to_string()).collect()
        };
        for id in ["property", "ltl", "fairness", "deadlock", "strict", "invariant"] {
            assert!(options("check").contains(&id.to_owned()), "check has no {id}");
            assert!(!options("cutoff").contains(&id.to_owned()), "cutoff has {id}");
        }
    }

    #[test]
    fn headings_end_with_their_groups() {
        let command = Arguments::command();
        for verb in ["check", "cutoff", "replay"] {
            let verb = command.find_subcommand(verb).expect("it is a verb");
            for id in ["time", "quiet", "full_trace"] {
                let arg = verb.get_arguments().find(|arg| arg.get_id() == id);
                assert_eq!(arg.and_then(clap::Arg::get_help_heading), None, "{id}");
            }
        }
    }
}
