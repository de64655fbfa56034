//! Search engines: a problem goes in, a verdict with its evidence comes out.
//!
//! [`check`] is the only door. Engines know the seams of `model` and never a
//! language; what they answer is re-checked by `certify`, which knows nothing of
//! them.

pub mod cmp;
pub mod coverability;
pub mod cutoff;

pub mod explicit;
pub mod kernel;
pub mod ltl;
pub mod refine;
pub mod symbolic;
pub mod thread_modular;

mod follow;
mod portfolio;
mod recursion;
mod thread_runs;

use std::str::FromStr;

use model::{Context, Limits, Outcome, Problem, StopReason, ThreadCount, Trace, Verdict};

/// The engines, as users choose them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// A portfolio of the others.
    Auto,
    /// The minimal coverability set, depth first.
    Cover,
    /// The minimal coverability set, breadth first.
    CoverBfs,
    /// Backward coverability, pruned by the state equation.
    Backward,
    /// The state equation and traps.
    Equation,
    /// Search for counterexamples.
    Forward,
    /// Dynamic cutoff detection, up to the first error.
    Cutoff,
    /// Sets of states as decision diagrams.
    Symbolic,
    /// Threads one by one, the others as what they may do to the shared store.
    ThreadModular,
    /// Explicit-state search: every reachable state.
    Explicit,
}

/// How to answer: the engine, and how it searches.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The engine.
    pub engine: Engine,
    /// For explicit searches.
    pub search: explicit::SearchOptions,
    /// Does thread-modular checking go on after its first alarm?
    pub refines: bool,
}

impl From<Engine> for Method {
    fn from(engine: Engine) -> Method {
        Method { engine, search: explicit::SearchOptions::default(), refines: true }
    }
}

impl Engine {
    /// All engines.
    pub const ALL: &'static [Engine] = &[
        Engine::Auto,
        Engine::Cover,
        Engine::CoverBfs,
        Engine::Backward,
        Engine::Equation,
        Engine::Forward,
        Engine::Cutoff,
        Engine::Symbolic,
        Engine::ThreadModular,
        Engine::Explicit,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Cover => "cover",
            Engine::CoverBfs => "cover-bfs",
            Engine::Backward => "backward",
            Engine::Equation => "equation",
            Engine::Forward => "forward",
            Engine::Cutoff => "cutoff",
            Engine::Symbolic => "symbolic",
            Engine::ThreadModular => "thread-modular",
            Engine::Explicit => "explicit",
        }
    }

    /// What it does, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Engine::Auto => "a portfolio of the others, in rounds of counted work",
            Engine::Cover => "minimal coverability set (Beacon), depth first",
            Engine::CoverBfs => "minimal coverability set (Beacon), breadth first",
            Engine::Backward => "backward coverability; complete for transfers and broadcasts",
            Engine::Equation => "state equation and traps; proves only",
            Engine::Forward => "search for counterexamples with few threads and few steps",
            Engine::Cutoff => "dynamic cutoff detection (ECUT), up to the first error",
            Engine::Symbolic => "sets of states of Boolean programs (SCUT), with views as proofs",
            Engine::ThreadModular => {
                "each thread alone (Flanagan, Qadeer); polynomial, proofs first"
            }
            Engine::Explicit => "explicit-state search, for a fixed number of threads",
        }
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        let found = Engine::ALL.iter().copied().find(|engine| engine.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
            format!("no engine is called `{text}`; there are {}", names.join(", "))
        })
    }
}

/// Answers `problem` for `threads` threads with `method`, within the limits of `context`.
/// The verdict says which variant of the semantics it is about.
pub fn check(
    problem: Problem<'_>,
    threads: ThreadCount,
    method: impl Into<Method>,
    context: Context<'_>,
) -> Outcome {
    let mut outcome = search(problem, threads, method.into(), context);
    outcome.verdict.set_variant(problem.variant());
    outcome
}

/// Tries random runs of a program that starts with one thread: they find errors and prove
/// nothing. `None` if nothing was found, or the problem has no such threads.
pub fn random_runs(problem: Problem<'_>, limits: &Limits) -> Option<Outcome> {
    let Problem::Threads(program) = problem else { return None };
    let mut outcome = explicit::check_random_runs(program, limits)?;
    outcome.verdict.set_variant(problem.variant());
    Some(outcome)
}

/// Looks at threads one by one, within reason: for programs that may have stores without end.
/// `None` if the problem has no threads.
pub fn thread_by_thread(
    problem: Problem<'_>,
    threads: ThreadCount,
    context: Context<'_>,
) -> Option<Outcome> {
    let Problem::Threads(program) = problem else { return None };
    let mut outcome = thread_modular::check_within_reason(program, threads, context);
    outcome.verdict.set_variant(problem.variant());
    Some(outcome)
}

/// Looks for an error of few threads of any number. `None` if none was found.
pub fn few_threads(problem: Problem<'_>, context: Context<'_>) -> Option<Outcome> {
    let Problem::Threads(program) = problem else { return None };
    let mut outcome = thread_modular::near_error(program, context)?;
    outcome.verdict.set_variant(problem.variant());
    Some(outcome)
}

/// Follows the run of another variant of a problem: a run of this one that ends in the same
/// error, if it was found.
pub fn follow(problem: Problem<'_>, guide: &Trace, limits: &Limits) -> Option<Outcome> {
    let (Problem::Threads(program), Trace::Threads(guide)) = (problem, guide) else { return None };
    let mut outcome = follow::follow(program, guide, limits)?;
    outcome.verdict.set_variant(problem.variant());
    Some(outcome)
}

fn search(
    problem: Problem<'_>,
    threads: ThreadCount,
    method: Method,
    context: Context<'_>,
) -> Outcome {
    match (problem, method.engine) {
        (Problem::Parameterized(system), Engine::Auto) => cmp::check(system, context),
        (Problem::Parameterized(_), _) => {
            refused("for any number of elements there is one engine only: leave out --engine")
        }
        (Problem::States(_), _) if threads != ThreadCount::AsGiven => {
            refused("the states of a model are searched for the constants that it has")
        }
        (Problem::States(problem), Engine::Auto | Engine::Explicit) => match problem.formula {
            Some(_) => ltl::check(&problem, context),
            None => explicit::check(&problem, &method.search, context),
        },
        (Problem::Threads(_) | Problem::ThreadRuns(_) | Problem::Counters(_), _)
            if threads == ThreadCount::AsGiven =>
        {
            refused("it is not said for how many threads")
        }
        (Problem::ThreadRuns(problem), Engine::Auto | Engine::Explicit) => match threads {
            ThreadCount::Exactly(n) => thread_runs::check(&problem, n, &method.search, context),
            _ => refused("a formula is checked for a fixed number of threads only"),
        },
        (Problem::Threads(program), Engine::Explicit) => match threads {
            ThreadCount::Exactly(n) => explicit::check_threads(program, n, &method.search, context),
            _ => refused("the explicit search is for a fixed number of threads"),
        },
        (_, Engine::Explicit) => {
            refused("a net has no fixed number of threads: use another engine")
        }
        (Problem::States(_) | Problem::ThreadRuns(_), _) => {
            refused("this engine counts threads; the model has none to count: use `explicit`")
        }
        (Problem::Threads(program), Engine::Auto) => portfolio::check(program, threads, context),
        (Problem::Threads(program), Engine::Symbolic) => symbolic::check(program, threads, context),
        (_, Engine::Symbolic) => refused("a net has no Boolean variables: use another engine"),
        (Problem::Threads(program), Engine::ThreadModular) => match program.pushdown() {
            Some(stacks) => {
                thread_modular::check_stacks(program, stacks, threads, method.refines, context)
            }
            None => thread_modular::check(program, threads, method.refines, context),
        },
        (_, Engine::ThreadModular) => refused("a net has no threads: use another engine"),
        (_, Engine::Cutoff) => cutoff::check(problem, threads, context),
        (_, engine) => coverability::check(problem, threads, engine, context),
    }
}

/// The answer to a question that the engine does not take.
pub(crate) fn refused(why: &str) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(StopReason::Incomplete { why: why.to_owned() }),
        engine: "none".to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    }
}
