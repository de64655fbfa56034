//! Programs that hand blocks of memory to threads: an error that is found is told, and found
//! in every way to search.

use engine::explicit::{Order, Reduction};
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::{Granularity, Rule};
use testkit::random::c::{Shape, Threads, handed};
use testkit::rng::Rng;

use crate::batch::{self, Batch};
use crate::toolchain::{Compilation, Toolchain, isolated};
use crate::verdict::{Answer, Search, answer, is_cut, planned};

/// Programs in one file.
const N_PROGRAMS: usize = 6;

/// Ways to search, with small steps.
const WAYS: [(&str, Reduction); 3] = [
    ("global", Reduction::Off),
    ("superstep", Reduction::Supersteps),
    ("lone threads", Reduction::AmpleSets),
];

/// Judges the programs of a seed; gives how many verdicts were compared.
///
/// # Errors
/// The first disagreement, with the program.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed ^ 0xB10C);
    let mut program = || Threads { text: handed(&mut rng), n_results: 0, shape: Shape::default() };
    let programs = (0..N_PROGRAMS).map(|_| program()).collect();
    Batch { what: "blocks", programs, seed }.judge(toolchain, judge_programs)
}

fn judge_programs(toolchain: &Toolchain, programs: &[Threads], seed: u64) -> Result<u64, String> {
    let how = Compilation { optimisation: 0, wraps: false, seed };
    let module = toolchain.module(&batch::file(programs), how)?;
    let mut n_compared = 0;
    for k in 0..programs.len() {
        n_compared += judge_program(&isolated(&module, &format!("p{k}_")))?;
    }
    Ok(n_compared)
}

fn judge_program(code: &Code) -> Result<u64, String> {
    let rules = vec![Rule::Assertion, Rule::MemorySafety];
    let questions = Questions { rules, races: false, deadlocks: false, accepted: Vec::new() };
    let mut answers = Vec::new();
    for (what, reduction) in WAYS {
        let granularity = Granularity::Accesses;
        let search = Search { granularity, reduction, order: Order::BreadthFirst, jobs: 1 };
        answers.push((what, answer(code, &questions, search)?));
        if reduction == Reduction::AmpleSets {
            answers.push(("auto", planned(code, &questions, search)?));
        }
    }
    answers.retain(|(_, answer)| !is_cut(answer));
    let kind = |answer: &Answer| std::mem::discriminant(answer);
    let [(plain, first), others @ ..] = &answers[..] else { return Ok(0) };
    for (what, answer) in others {
        if kind(answer) != kind(first) {
            return Err(format!(
                "unreach-call with {what} is wrong: {answer:?}, but with {plain}: {first:?}"
            ));
        }
    }
    Ok(others.len() as u64)
}
