//! Programs that end early, asked for each property alone: every way to search gives the
//! verdict of the plainest one, in which each operation is a step and nothing is left out.
//!
//! What ends a program, or ends what is known of it, hides nothing that could happen before
//! it. So verdicts agree in kind, UNKNOWN included: a rule that is broken and was not asked
//! about is met in all ways or in none.

use engine::explicit::{Order, Reduction};
use llvm::code::Code;
use llvm::machine::{Granularity, MemoryModel, Options, Rule};
use llvm::{CProgram, CVariants, Compiled, Questions, Wanted};
use model::{Fairness, Plan, Problem, Stage, ThreadCount};
use testkit::random::c::{Shape, Threads, endings};
use testkit::rng::Rng;

use crate::batch::{self, Batch};
use crate::toolchain::{Compilation, Toolchain, isolated};
use crate::verdict::{Answer, Search, concluded, is_cut};

/// Programs in one file.
const N_PROGRAMS: usize = 6;

/// What users can ask for, one by one.
const PROPERTIES: [&str; 5] =
    ["unreach-call", "no-data-race", "valid-memsafety", "no-overflow", "no-deadlock"];

/// What users can choose, and lone threads with small steps.
const WAYS: [(&str, Granularity, Reduction); 4] = [
    ("none", Granularity::Operations, Reduction::Off),
    ("global", Granularity::Accesses, Reduction::Off),
    ("superstep", Granularity::Accesses, Reduction::Supersteps),
    ("lone threads", Granularity::Accesses, Reduction::AmpleSets),
];

/// Judges the programs of a seed; gives how many verdicts were compared.
///
/// # Errors
/// The first disagreement, with the program.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed ^ 0xE4D5);
    let mut program = || Threads { text: endings(&mut rng), n_results: 0, shape: Shape::default() };
    let programs = (0..N_PROGRAMS).map(|_| program()).collect();
    Batch { what: "endings", programs, seed }.judge(toolchain, judge_programs)
}

fn judge_programs(toolchain: &Toolchain, programs: &[Threads], seed: u64) -> Result<u64, String> {
    let how = Compilation { optimisation: 0, wraps: false, seed };
    let module = toolchain.module(&batch::file(programs), how)?;
    let mut n_compared = 0;
    for k in 0..programs.len() {
        let code = isolated(&module, &format!("p{k}_"));
        for property in PROPERTIES {
            n_compared += judge_property(&code, property)?;
        }
    }
    Ok(n_compared)
}

fn judge_property(code: &Code, property: &str) -> Result<u64, String> {
    let questions = questions(property);
    let mut first: Option<(Answer, &str)> = None;
    let mut n_compared = 0;
    let small = WAYS.iter().map(|(what, granularity, reduction)| {
        (*what, in_small_steps(code, &questions, *granularity, *reduction))
    });
    let all = small.chain(std::iter::once(("auto", automatic(code, &questions))));
    for (what, answer) in all {
        let answer = answer.map_err(|why| format!("{property} with {what}: {why}"))?;
        if is_cut(&answer) {
            continue;
        }
        match &first {
            None => first = Some((answer, what)),
            Some((wanted, _)) if is_alike(wanted, &answer) => n_compared += 1,
            Some((wanted, plain)) => {
                return Err(format!(
                    "{property} with {what} is wrong: {answer:?}, but with {plain}: {wanted:?}"
                ));
            }
        }
    }
    Ok(n_compared)
}

fn is_alike(one: &Answer, other: &Answer) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// What is asked, by the names of the command.
fn questions(property: &str) -> Questions {
    let rules = match property {
        "unreach-call" => vec![Rule::Assertion],
        "valid-memsafety" => {
            let uninitialised = Rule::UninitialisedMemory;
            vec![Rule::MemorySafety, Rule::InvalidFree, uninitialised, Rule::MemoryLeak]
        }
        "no-overflow" => vec![Rule::Overflow, Rule::Division],
        _ => Vec::new(),
    };
    let (races, deadlocks) = (property == "no-data-race", property == "no-deadlock");
    Questions { rules, races, deadlocks, accepted: Vec::new() }
}

/// As the command runs a program for these questions.
fn options(code: &Code, questions: &Questions, granularity: Granularity) -> Options {
    let asks = |rule| questions.rules.contains(&rule);
    Options {
        granularity,
        tracks_leaks: asks(Rule::MemoryLeak),
        checks_unset: asks(Rule::UninitialisedMemory),
        checks_overflow: asks(Rule::Overflow),
        memory_model: match questions.races && code.orders_weakly() {
            true => MemoryModel::HappensBefore,
            false => MemoryModel::SequentiallyConsistent,
        },
        ..Options::default()
    }
}

fn search(granularity: Granularity, reduction: Reduction) -> Search {
    Search { granularity, reduction, order: Order::BreadthFirst, jobs: 1 }
}

/// What one search answers, with a program that has these questions.
///
/// # Errors
/// There is no program, or its answer does not stand up to its re-check.
pub fn in_small_steps(
    code: &Code,
    questions: &Questions,
    granularity: Granularity,
    reduction: Reduction,
) -> Result<Answer, String> {
    let options = options(code, questions, granularity);
    let program = CProgram::new(code.clone(), options, questions.clone(), &[]);
    let program = program.map_err(|why| why.0)?;
    let stage = Stage::exact("the program", Problem::Threads(&program), ThreadCount::Exactly(1));
    concluded(&Plan::new(vec![stage]), search(granularity, reduction))
}

/// As `--reduction auto` does it, but for store buffers.
///
/// # Errors
/// There is no program, or an answer does not stand up to its re-check.
pub fn automatic(code: &Code, questions: &Questions) -> Result<Answer, String> {
    let compiled = Compiled {
        code: code.clone(),
        options: options(code, questions, Granularity::Accesses),
        questions: questions.clone(),
        sources: &[],
        invariants: &[],
        abstraction: None,
    };
    let wanted = Wanted { large_steps: true, ..Wanted::default() };
    let variants = CVariants::new(&compiled, &wanted).map_err(|why| why.0)?;
    let plan = variants.plan(Fairness::None, false);
    concluded(&plan, search(Granularity::Accesses, Reduction::AmpleSets))
}
