//! What must not matter does not: the size of steps, the order of the search, its
//! threads, and for programs without races the optimiser. The plainest search and,
//! for races, a detector that watches native runs are the judges.

use engine::explicit::{Order, Reduction};
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::{Granularity, Rule};
use testkit::random::c::{Shape, Threads, threads};
use testkit::rng::Rng;

use crate::batch::{self, Batch, NATIVE};
use crate::explore::{Behaviour, explore};
use crate::toolchain::{Compilation, Toolchain, isolated};
use crate::verdict::{Answer, RULES, Search, answer, is_cut, planned, program};

/// Programs in one file.
const N_PROGRAMS: usize = 4;
/// Programs in one file that run natively.
const N_WATCHED: usize = 10;
/// Native runs of each, watched for races.
const N_RUNS: u32 = 20;
const MAX_STATES: usize = 40_000;
/// What users can choose, apart from `auto`, and lone threads with small steps.
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
    let mut rng = Rng::new(seed);
    let mut shaped = || {
        let shape =
            Shape { races: rng.chance(60), deadlocks: rng.chance(40), assertions: rng.chance(50) };
        threads(&mut rng, shape)
    };
    let programs = (0..N_PROGRAMS).map(|_| shaped()).collect();
    Batch { what: "reductions", programs, seed }.judge(toolchain, judge_programs)
}

/// Judges programs that have races and nothing else, which run natively under a
/// detector; gives how many it saw.
///
/// # Errors
/// The first race that the machine has not.
pub fn judge_races(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed);
    let shape = Shape { races: true, deadlocks: false, assertions: false };
    let programs = (0..N_WATCHED).map(|_| threads(&mut rng, shape)).collect();
    Batch { what: "races", programs, seed }.judge(toolchain, judge_watched)
}

fn code_of(
    toolchain: &Toolchain,
    programs: &[Threads],
    how: Compilation,
) -> Result<Vec<Code>, String> {
    let module = toolchain.module(&batch::file(programs), how)?;
    Ok((0..programs.len()).map(|k| isolated(&module, &format!("p{k}_"))).collect())
}

fn judge_programs(toolchain: &Toolchain, programs: &[Threads], seed: u64) -> Result<u64, String> {
    let how = |optimisation| Compilation { optimisation, wraps: true, seed };
    let plain = code_of(toolchain, programs, how(0))?;
    let optimised = code_of(toolchain, programs, how(2))?;
    let mut n_compared = 0;
    for (k, (plain, optimised)) in plain.iter().zip(&optimised).enumerate() {
        n_compared += judge_program(plain, optimised, &format!("p{k}_out"))?;
    }
    Ok(n_compared)
}

fn judge_watched(toolchain: &Toolchain, programs: &[Threads], seed: u64) -> Result<u64, String> {
    let native = format!("{}{NATIVE}{}", batch::file(programs), watched_main(programs.len()));
    let printed = toolchain.observe(&native, &["-fsanitize=thread", "-O0"])?;
    let codes = code_of(toolchain, programs, Compilation { optimisation: 0, wraps: true, seed })?;
    let mut n_seen = 0;
    for (k, code) in codes.iter().enumerate() {
        let was_seen = printed.lines().any(|line| line == format!("{k} races"));
        if !was_seen {
            continue;
        }
        for granularity in [Granularity::Synchronisations, Granularity::Accesses] {
            let reduction = Reduction::AmpleSets;
            let order = Order::BreadthFirst;
            let search = Search { granularity, reduction, order, jobs: 1 };
            let answer = answer(code, &property("no-data-race"), search)?;
            if answer != Answer::Violated("race".into()) {
                return Err(format!("missed race: {answer:?} with {granularity:?}"));
            }
        }
        n_seen += 1;
    }
    Ok(n_seen)
}

/// Runs each program in a child of its own; the detector's exit code tells.
fn watched_main(n_programs: usize) -> String {
    let mut lines = vec!["#include <sys/wait.h>".to_owned(), "int main(void) {".to_owned()];
    for k in 0..n_programs {
        lines.push("  fflush(stdout);".into());
        lines.push(format!(
            "  if (fork() == 0) {{ for (int n = 0; n < {N_RUNS}; n++) p{k}_run(); exit(0); }}"
        ));
        lines.push("  int status = 0;".replace("status", &format!("status{k}")));
        lines.push(format!("  wait(&status{k});"));
        lines.push(format!("  if (WEXITSTATUS(status{k}) == 66) printf(\"{k} races\\n\");"));
    }
    lines.push("  fflush(stdout);".into());
    lines.push("  _exit(0);".into());
    lines.push("}".into());
    lines.join("\n")
}

/// What is asked, by the names of the command.
fn property(name: &str) -> Questions {
    let rules = if name == "unreach-call" { vec![Rule::Assertion] } else { Vec::new() };
    let (races, deadlocks) = (name == "no-data-race", name == "no-deadlock");
    Questions { rules, races, deadlocks, accepted: Vec::new() }
}

fn judge_program(plain: &Code, optimised: &Code, array: &str) -> Result<u64, String> {
    let everything =
        Questions { rules: RULES.to_vec(), races: true, deadlocks: true, accepted: Vec::new() };
    let reference = program(plain, Granularity::Accesses, everything)?;
    let reference = match explore(&reference, array, MAX_STATES) {
        Err(why) if why.starts_with("too many") => return Ok(0),
        reference => reference?,
    };
    if let Some((error, _)) = reference.errors.iter().find(|(error, _)| !error.contains("assert")) {
        return Err(format!("an error is found: {error}"));
    }
    let mut n_compared = 0;
    for name in ["unreach-call", "no-data-race", "no-deadlock"] {
        let wanted = expected(&reference, name);
        for (order, jobs) in
            [(Order::BreadthFirst, 1), (Order::BreadthFirst, 4), (Order::DepthFirst, 1)]
        {
            let mut answers = Vec::new();
            for (what, granularity, reduction) in WAYS {
                if what == "none" && (order, jobs) != (Order::BreadthFirst, 1) {
                    // There are many states, and nothing that the others do not have.
                    continue;
                }
                let search = Search { granularity, reduction, order, jobs };
                answers.push((what, answer(plain, &property(name), search)?));
            }
            if !reference.races {
                let (granularity, reduction) = (Granularity::Accesses, Reduction::Supersteps);
                let search = Search { granularity, reduction, order, jobs };
                answers.push(("superstep -O2", answer(optimised, &property(name), search)?));
            }
            answers.push(("auto", automatic(plain, &property(name), order, jobs)?));
            if !reference.races {
                answers.push(("auto -O2", automatic(optimised, &property(name), order, jobs)?));
            }
            for (what, answer) in answers {
                if is_cut(&answer) {
                    continue;
                }
                let agrees = match answer {
                    Answer::Holds => !wanted,
                    Answer::Violated(_) => wanted,
                    Answer::Unknown(_) => false,
                };
                if !agrees {
                    return Err(format!(
                        "{name} with {what} is wrong: {answer:?}, but violated: {wanted} \
                         ({order:?}, {jobs} jobs)"
                    ));
                }
                n_compared += 1;
            }
        }
    }
    Ok(n_compared)
}

fn expected(behaviour: &Behaviour, property: &str) -> bool {
    match property {
        "unreach-call" => !behaviour.errors.is_empty(),
        "no-data-race" => behaviour.races,
        _ => behaviour.deadlocks,
    }
}

/// As `--reduction auto` does it, but for store buffers.
fn automatic(
    code: &Code,
    questions: &Questions,
    order: Order,
    jobs: usize,
) -> Result<Answer, String> {
    let (granularity, reduction) = (Granularity::Accesses, Reduction::AmpleSets);
    planned(code, questions, Search { granularity, reduction, order, jobs })
}
