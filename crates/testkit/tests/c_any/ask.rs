//! Verdicts about any number of threads, about a stage alone, and about few threads.

use std::time::{Duration, Instant};

use engine::{Engine, Method, explicit};
use llvm::code::Code;
use llvm::forgotten::{Forgotten, Held};
use llvm::machine::{Granularity, Identities, Joins, Options, Rule};
use llvm::{CProgram, CVariants, Compiled, Crowd, NoProgram, Questions, Wanted};
use model::{Attempt, Context, Fairness, Limits, Problem, Stage, ThreadCount, Trace, Verdict};
use testkit::rng::Rng;

/// Far above what any of these needs.
const TIME: Duration = Duration::from_secs(10);

/// States of few threads.
const MAX_STATES: u64 = 12_000;
/// States of any number of threads, where the plan searches those.
const MAX_STATES_OF_ANY: u64 = 2_500;

/// The engine that proves something of any number of threads.
const THREAD_BY_THREAD: &str = "thread-modular";
/// The one that follows runs.
const FOLLOW: &str = "follow";

/// What is asked, by names like those of the command.
pub const QUESTIONS: [&str; 5] =
    ["unreach-call", "no-data-race", "both", "valid-memsafety", "misuse"];

/// An answer without its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Proven; thread by thread?
    Holds(bool),
    /// An error of so many threads that were created; found by following a run?
    Violated(u64, bool),
    /// Neither.
    Unknown(String),
}

/// The questions with a name.
pub fn questions(name: &str) -> Questions {
    let rules = match name {
        "no-data-race" => Vec::new(),
        "valid-memsafety" => vec![Rule::MemorySafety, Rule::InvalidFree, Rule::UninitialisedMemory],
        "misuse" => vec![
            Rule::Assertion,
            Rule::MutexMisuse,
            Rule::ThreadMisuse,
            Rule::Division,
            Rule::InvalidCall,
            Rule::Overflow,
        ],
        _ => vec![Rule::Assertion],
    };
    let races = matches!(name, "no-data-race" | "both");
    Questions { rules, races, deadlocks: false, accepted: Vec::new() }
}

/// A program to ask about.
pub fn compiled(code: &Code, name: &str) -> Compiled<'static> {
    let questions = questions(name);
    let checks_overflow = questions.rules.contains(&Rule::Overflow);
    let options =
        Options { granularity: Granularity::Accesses, checks_overflow, ..Options::default() };
    Compiled {
        code: code.clone(),
        options,
        questions,
        sources: &[],
        invariants: &[],
        abstraction: None,
    }
}

/// What is forgotten of a program.
///
/// # Errors
/// There is no program.
pub fn chosen(compiled: &Compiled<'_>) -> Result<Crowd, String> {
    Crowd::choose(compiled, &engine::thread_modular::first_stores).map_err(|why| why.0)
}

/// What the plan concludes, with a crowd or without one.
///
/// # Errors
/// The re-check rejects it.
pub fn planned(
    compiled: &Compiled<'_>,
    crowd: Option<Crowd>,
    reduction: explicit::Reduction,
) -> Result<Answer, String> {
    let max_states = if crowd.is_some() { MAX_STATES_OF_ANY } else { MAX_STATES };
    let wanted = Wanted { large_steps: true, crowd, ..Wanted::default() };
    let variants = match CVariants::new(compiled, &wanted) {
        Ok(variants) => variants,
        Err(why) => return Ok(Answer::Unknown(why.0)),
    };
    let search = explicit::SearchOptions {
        reduction,
        max_states: Some(max_states),
        ..explicit::SearchOptions::default()
    };
    let method = Method { search, ..Method::from(Engine::Explicit) };
    let limits = limits();
    let plan = variants.plan(Fairness::None, false);
    let concluded = verify::conclude(&plan, method, Context::silent(&limits))
        .map_err(|why| format!("the re-check rejects an answer: {why}"))?;
    Ok(answer(concluded.outcome))
}

fn limits() -> Limits {
    Limits { deadline: Some(Instant::now() + TIME), ..Limits::none() }
}

fn answer(outcome: model::Outcome) -> Answer {
    match outcome.verdict {
        Verdict::Holds(_) => Answer::Holds(outcome.engine == THREAD_BY_THREAD),
        Verdict::Violated(Trace::Threads(trace)) => {
            let n_created = trace.steps.iter().map(|step| step.spawned.len() as u64).sum();
            Answer::Violated(n_created, outcome.engine == FOLLOW)
        }
        Verdict::Violated(_) => Answer::Unknown("a run without threads".into()),
        Verdict::Unknown(reason) => Answer::Unknown(format!("{reason:?}")),
    }
}

/// How a stage is asked alone.
#[derive(Clone, Debug)]
pub struct Alone {
    /// Steps.
    pub granularity: Granularity,
    /// What is forgotten.
    pub forgotten: Forgotten,
    /// Is a value of which nothing is known any value?
    pub over_approximates: bool,
}

impl Alone {
    fn program(&self, compiled: &Compiled<'_>) -> Result<CProgram, NoProgram> {
        if self.over_approximates {
            let crowd = Crowd { forgotten: self.forgotten.clone(), ..Crowd::default() };
            return compiled.crowd(&crowd, self.granularity);
        }
        let options = Options {
            granularity: self.granularity,
            identities: Identities::Anonymous(Joins::AnyTime),
            checks_thread_misuse: compiled.questions.rules.contains(&Rule::ThreadMisuse),
            ..compiled.options.clone()
        };
        // Large steps are right only without data races.
        let races = compiled.questions.races || self.granularity == Granularity::Synchronisations;
        let questions = Questions { races, ..compiled.questions.clone() };
        CProgram::new(compiled.code.clone(), options, questions, &[])
    }
}

/// Is it proved by the stage that looks at threads one by one?
///
/// # Errors
/// The re-check rejects the proof.
pub fn is_proved_alone(compiled: &Compiled<'_>, how: &Alone) -> Result<bool, String> {
    let Ok(program) = how.program(compiled) else { return Ok(false) };
    let problem = Problem::Threads(&program);
    let limits = limits();
    let found = engine::thread_by_thread(problem, ThreadCount::Any, Context::silent(&limits));
    let Some(outcome) = found else { return Ok(false) };
    let stage = Stage::exact("any number of threads", problem, ThreadCount::Any);
    let stage = Stage { attempts: vec![Attempt::ThreadByThread], ..stage };
    let (outcome, _) = verify::recheck(&stage, outcome, &limits)
        .map_err(|why| format!("the re-check rejects a proof by a stage alone: {why}"))?;
    Ok(matches!(outcome.verdict, Verdict::Holds(_)))
}

/// Forgets anything that can be forgotten, each thing with a chance in percent.
pub fn forget_anything(code: &Code, rng: &mut Rng, percent: u32, forgotten: &mut Forgotten) {
    for number in 0..code.globals.len() as u32 {
        if rng.chance(percent) {
            forgotten.add(Held::Global(number));
        }
    }
    for (number, function) in (0..).zip(&code.functions) {
        let n_registers = function.body.as_ref().map_or(0, |body| body.widths.len());
        for register in 0..n_registers as u32 {
            if rng.chance(percent / 2) {
                forgotten.add(Held::Register(number, register));
            }
        }
    }
    for place in 0..code.places.len() as u32 {
        if rng.chance(percent) {
            forgotten.add(Held::Allocation(place));
        }
    }
}
