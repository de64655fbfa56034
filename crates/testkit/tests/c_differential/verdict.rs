//! Verdicts of the engine about a C program, re-checked as the command does it.

use std::time::{Duration, Instant};

use engine::{Engine, Method, explicit};
use llvm::code::Code;
use llvm::machine::{Granularity, Options, Rule};
use llvm::{CProgram, Questions};
use model::{Context, Limits, Problem, ThreadCount, Trace, Verdict, Violation};

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
pub const RULES: [Rule; 6] =
    [Rule::Assertion, Rule::Memory, Rule::Uninitialised, Rule::Misuse, Rule::Division, Rule::Leak];

/// The program with this code.
///
/// # Errors
/// Why there is none.
pub fn program(
    code: &Code,
    granularity: Granularity,
    questions: Questions,
) -> Result<CProgram, String> {
    let checks_overflow = questions.rules.contains(&Rule::Overflow);
    let options = Options { granularity, checks_overflow, ..Options::default() };
    CProgram::new(code.clone(), options, questions, &[]).map_err(|why| why.0)
}

/// What the engine answers.
///
/// # Errors
/// The answer does not stand up to its re-check.
pub fn answer(code: &Code, questions: &Questions, search: Search) -> Result<Answer, String> {
    let program = program(code, search.granularity, questions.clone())?;
    let method = Method {
        search: explicit::Options {
            order: search.order,
            reduction: search.reduction,
            ..explicit::Options::default()
        },
        ..Method::from(Engine::Explicit)
    };
    let deadline = Some(Instant::now() + TIME);
    let limits = Limits { deadline, jobs: search.jobs, ..Limits::none() };
    let (problem, threads) = (Problem::Threads(&program), ThreadCount::Exactly(1));
    let outcome = engine::check(problem, threads, method, Context::silent(&limits));
    let checked = certify::check(problem, threads, &outcome.verdict, &limits);
    if let Err(rejection) = checked {
        return Err(format!("the re-check rejects an answer ({search:?}): {rejection}"));
    }
    Ok(match outcome.verdict {
        Verdict::Holds(_) => Answer::Holds,
        Verdict::Violated(Trace::Threads(trace)) => Answer::Violated(match trace.violation {
            Violation::Race => "race".into(),
            Violation::Deadlock => "deadlock".into(),
            Violation::Step(message) => message,
            other => format!("{other:?}"),
        }),
        Verdict::Violated(_) => Answer::Violated("a run without threads".into()),
        Verdict::Unknown(reason) => Answer::Unknown(format!("{reason:?}")),
    })
}
