//! Verdicts of the engine about a C program, re-checked as the command does it.

use std::time::{Duration, Instant};

use engine::{Engine, Method, explicit};
use llvm::code::Code;
use llvm::machine::{Granularity, Options, Rule};
use llvm::{CProgram, CVariants, Compiled, Questions, Wanted};
use model::{
    Context, Fairness, Limits, Plan, Problem, Stage, StopReason, ThreadCount, Trace, Verdict,
    Violation,
};

/// Far above what any of these needs.
const TIME: Duration = Duration::from_secs(20);

/// A verdict without its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Proven.
    Holds,
    /// An error, as a word for its kind.
    Violated(String),
    /// Why there is none.
    Unknown(String),
}

impl Answer {
    /// Is it none?
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Steps.
    pub granularity: Granularity,
    /// What is left out.
    pub reduction: explicit::Reduction,
    /// Which states first.
    pub order: explicit::Order,
    /// Threads of the search itself.
    pub jobs: usize,
}

/// Everything but data races and deadlocks.
pub const RULES: [Rule; 9] = [
    Rule::Assertion,
    Rule::MemorySafety,
    Rule::InvalidFree,
    Rule::UninitialisedMemory,
    Rule::MutexMisuse,
    Rule::ThreadMisuse,
    Rule::InvalidCall,
    Rule::Division,
    Rule::MemoryLeak,
];

/// Was the search ended by the clock?
pub fn is_cut(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(why) if why.starts_with("TimeLimit"))
}

/// The program with this code.
///
/// # Errors
/// Why there is none.
pub fn program(
    code: &Code,
    granularity: Granularity,
    questions: Questions,
) -> Result<CProgram, String> {
    let options = options(granularity, &questions);
    CProgram::new(code.clone(), options, questions, &[]).map_err(|why| why.0)
}

fn options(granularity: Granularity, questions: &Questions) -> Options {
    let checks_overflow = questions.rules.contains(&Rule::Overflow);
    Options { granularity, checks_overflow, ..Options::default() }
}

/// What the engine answers.
///
/// # Errors
/// The answer does not stand up to its re-check, or an error is found that cannot be told.
pub fn answer(code: &Code, questions: &Questions, search: Search) -> Result<Answer, String> {
    let program = program(code, search.granularity, questions.clone())?;
    let stage = Stage::exact("the program", Problem::Threads(&program), ThreadCount::Exactly(1));
    concluded(&Plan::new(vec![stage]), search)
}

/// What the plan for the program concludes: large steps, then those of `search` where
/// there is a race that nobody asked about.
///
/// # Errors
/// An answer does not stand up to its re-check.
pub fn planned(code: &Code, questions: &Questions, search: Search) -> Result<Answer, String> {
    let compiled = Compiled {
        code: code.clone(),
        options: options(search.granularity, questions),
        questions: questions.clone(),
        sources: &[],
        invariants: &[],
        abstraction: None,
    };
    let wanted = Wanted { large_steps: true, ..Wanted::default() };
    let variants = CVariants::new(&compiled, &wanted).map_err(|why| why.0)?;
    concluded(&variants.plan(Fairness::None, false), search)
}

/// What a plan concludes, re-checked.
///
/// # Errors
/// An answer does not stand up to its re-check.
pub fn concluded(plan: &Plan<'_>, search: Search) -> Result<Answer, String> {
    let method = Method {
        search: explicit::SearchOptions {
            order: search.order,
            reduction: search.reduction,
            ..explicit::SearchOptions::default()
        },
        ..Method::from(Engine::Explicit)
    };
    let deadline = Some(Instant::now() + TIME);
    let limits = Limits { deadline, jobs: search.jobs, ..Limits::none() };
    let concluded = verify::conclude(plan, method, Context::silent(&limits));
    let concluded = concluded
        .map_err(|rejection| format!("the re-check rejects an answer ({search:?}): {rejection}"))?;
    Ok(match concluded.outcome.verdict {
        Verdict::Holds(_) => Answer::Holds,
        Verdict::Violated(Trace::Threads(trace)) => Answer::Violated(match trace.violation {
            Violation::Race => "race".into(),
            Violation::Deadlock => "deadlock".into(),
            Violation::Step(error) => error.message,
            other => format!("{other:?}"),
        }),
        Verdict::Violated(_) => Answer::Violated("a run without threads".into()),
        // Who finds an error must be able to tell it.
        Verdict::Unknown(StopReason::Incomplete { why }) if why.contains("was found, but") => {
            return Err(format!("an error is lost ({search:?}): {why}"));
        }
        Verdict::Unknown(reason) => Answer::Unknown(format!("{reason:?}")),
    })
}
