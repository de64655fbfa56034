//! Violation witnesses for other verifiers, in the formats of SV-COMP: `yaml.rs` (2.0) and
//! `graphml.rs` (1.0).
//!
//! A witness leads a validator along a run. It may leave out whatever it likes, so only
//! what is known for sure is written: which functions are called, which inputs are read with
//! which values, and where the run ends; in GraphML also which thread is at work.
//! Deliberately absent: witnesses of correctness, and of runs that go on for ever.

mod graphml;
mod parenthesis;
mod path;
mod yaml;

use model::{Problem, Rule, Trace, Verdict, Violation};

use crate::Run;
use crate::digest::sha256;
use crate::story::{self, SourceMap, SourceRange, Story};
use path::WitnessPath;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessFormat {
    /// Version 2.0.
    Yaml,
    /// Version 1.0, which knows of threads.
    GraphMl,
}

/// What a witness says of the task beside the run.
#[derive(Clone, Debug)]
pub struct WitnessTask {
    /// So many of the run's files are the program.
    pub n_inputs: usize,
    /// Was it compiled for a machine with pointers of 32 bits?
    pub is_32_bit: bool,
    /// When it was made: `2024-12-24T13:15:32Z`.
    pub creation_time: String,
}

/// Why there is no witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoWitness {
    /// The property holds.
    #[error("the property holds, and witnesses of correctness are not written")]
    Holds,
    /// Nothing was decided.
    #[error("nothing was decided")]
    Undecided,
    /// The run goes on for ever.
    #[error("the run goes on for ever, and the formats tell of runs that end")]
    Endless,
    /// It is no run of a C program.
    #[error("witnesses are for C programs")]
    NoProgram,
    /// The error's place in the program is not known.
    #[error("where the run ends is not known in the source")]
    NoPlace,
}

/// The witness of a run.
///
/// # Errors
/// There is none.
pub fn render(
    run: &Run<'_>,
    task: &WitnessTask,
    format: WitnessFormat,
) -> Result<String, NoWitness> {
    let trace = match &run.outcome.verdict {
        Verdict::Violated(Trace::Threads(trace)) => trace,
        Verdict::Violated(_) => return Err(NoWitness::NoProgram),
        Verdict::Holds(_) => return Err(NoWitness::Holds),
        Verdict::Unknown(_) => return Err(NoWitness::Undecided),
    };
    if matches!(trace.violation, Violation::Lasso { .. }) {
        return Err(NoWitness::Endless);
    }
    let Problem::Threads(program) = run.problem else { return Err(NoWitness::NoProgram) };
    let places = SourceMap::new(run.files);
    let story = story::tell(run, &places).ok_or(NoWitness::NoProgram)?;
    let path =
        WitnessPath::new(program, trace, &places, &ends(&story)).ok_or(NoWitness::NoPlace)?;
    let witness = Witness { run, task, specification: specification(trace.violation.rule()), path };
    if path_leaves(&witness) {
        return Err(NoWitness::NoPlace);
    }
    Ok(match format {
        WitnessFormat::Yaml => yaml::render(&witness),
        WitnessFormat::GraphMl => graphml::render(&witness),
    })
}

/// Where the run ends, and by whom: what is next for the threads of a race or a deadlock,
/// one after the other; otherwise one place of whoever steps last.
fn ends(story: &Story) -> Vec<(Option<usize>, SourceRange)> {
    let trouble = &story.trouble;
    let accesses = trouble.accesses.iter();
    let made_last = accesses.clone().filter_map(|access| access.step).max();
    // An earlier access is reported with the step that made it.
    let accesses = accesses.filter(|access| access.step.is_none() || access.step == made_last);
    let accesses = accesses.filter_map(|access| Some((Some(access.lane), access.place?)));
    let waits = trouble.waits.iter().filter_map(|wait| Some((Some(wait.lane), wait.place?)));
    let ends: Vec<(Option<usize>, SourceRange)> = accesses.chain(waits).collect();
    if !ends.is_empty() {
        return ends;
    }
    let last_step = || story.steps.iter().rev().find_map(|step| step.place);
    trouble.place.or_else(last_step).map(|place| (None, place)).into_iter().collect()
}

/// All that a format needs.
struct Witness<'a> {
    run: &'a Run<'a>,
    task: &'a WitnessTask,
    specification: String,
    path: WitnessPath,
}

impl Witness<'_> {
    /// The program's files: names and digests.
    fn inputs(&self) -> impl Iterator<Item = (&str, String)> {
        let files = self.run.files.iter().take(self.task.n_inputs);
        files.map(|file| (file.name.as_str(), sha256(&file.text)))
    }
}

/// Does the run end outside of the program's own files?
fn path_leaves(witness: &Witness<'_>) -> bool {
    witness.path.target.file as usize >= witness.task.n_inputs
}

/// What was violated, as SV-COMP writes it; what the competition does not ask about is
/// written alike.
fn specification(rule: Rule) -> String {
    let what = match rule {
        Rule::Assertion => "G ! call(reach_error())",
        Rule::Race => "G ! data-race",
        Rule::Overflow => "G ! overflow",
        Rule::MemorySafety => "G valid-deref",
        Rule::InvalidFree => "G valid-free",
        Rule::MemoryLeak => "G valid-memtrack",
        Rule::UninitialisedMemory => "G ! uninitialised-memory",
        Rule::MutexMisuse => "G ! mutex-misuse",
        Rule::ThreadMisuse => "G ! thread-misuse",
        Rule::InvalidCall => "G ! invalid-call",
        Rule::Division => "G ! division",
        Rule::Alignment => "G ! alignment",
        Rule::Deadlock => "G ! deadlock",
        Rule::Invariant => "G invariant",
        Rule::Reachable => "G ! reachable",
        Rule::Unreachable => "F reachable",
        Rule::Liveness => "F end",
        Rule::Evaluation => "G ! evaluation",
    };
    format!("CHECK( init(main()), LTL({what}) )")
}
