//! Addresses that are remembered and compared: all that programs can note is what an
//! allocator that tries every address lets them, in every way to search.

use std::collections::BTreeSet;

use engine::explicit::{Order, Reduction};
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::{Granularity, Rule};
use testkit::random::c::addresses::Rememberers;
use testkit::random::c::{PRELUDE, with_prefix};
use testkit::reference::addresses::outcomes;
use testkit::rng::Rng;

use crate::explore::explore;
use crate::toolchain::{Compilation, Toolchain, isolated};
use crate::verdict::{Answer, Search, answer, is_cut, planned, program};

/// Programs in one file.
const N_PROGRAMS: usize = 8;
const MAX_STATES: usize = 30_000;

/// Ways to search.
const WAYS: [(&str, Granularity, Reduction); 5] = [
    ("none", Granularity::Operations, Reduction::Off),
    ("global", Granularity::Accesses, Reduction::Off),
    ("superstep", Granularity::Accesses, Reduction::Supersteps),
    ("lone threads", Granularity::Accesses, Reduction::AmpleSets),
    ("auto", Granularity::Accesses, Reduction::AmpleSets),
];

/// A program, all it can note, and notes of which it asserts that they are not made.
struct Asserted {
    text: String,
    outcomes: BTreeSet<Vec<u64>>,
    fails: bool,
}

/// Judges the programs of a seed; gives how many outcomes and verdicts were compared.
///
/// # Errors
/// The first disagreement, with the program.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed ^ 0xADD2);
    let programs: Vec<Asserted> = (0..N_PROGRAMS).map(|_| asserted(&mut rng)).collect();
    let texts = programs.iter().enumerate();
    let texts = texts.map(|(k, program)| with_prefix(&program.text, &format!("p{k}_")));
    let file = format!("{PRELUDE}{}", texts.collect::<String>());
    let how = Compilation { optimisation: 0, wraps: false, seed };
    let module = toolchain.module(&file, how)?;
    let mut n_compared = 0;
    for (k, program) in programs.iter().enumerate() {
        let code = isolated(&module, &format!("p{k}_"));
        let judged = judge_program(&code, program, &format!("p{k}_out"));
        n_compared += judged.map_err(|why| {
            let text = format!("{PRELUDE}{}", with_prefix(&program.text, ""));
            crate::told(&format!("addresses seed {seed}: {why}"), &text)
        })?;
    }
    Ok(n_compared)
}

fn asserted(rng: &mut Rng) -> Asserted {
    let mut program = Rememberers::random(rng);
    while program.n_notes() == 0 {
        program = Rememberers::random(rng);
    }
    let outcomes = outcomes(&program);
    let notes: Vec<u64> = match rng.chance(50) {
        true => outcomes.iter().nth(rng.below(outcomes.len() as u32) as usize).cloned(),
        false => None,
    }
    .unwrap_or_else(|| (0..program.n_notes()).map(|_| rng.below(2).into()).collect());
    Asserted { text: program.text(&notes), fails: outcomes.contains(&notes), outcomes }
}

fn judge_program(code: &Code, asserted: &Asserted, array: &str) -> Result<u64, String> {
    let nothing =
        Questions { rules: Vec::new(), races: false, deadlocks: false, accepted: Vec::new() };
    let mut n_compared = 0;
    for granularity in [Granularity::Accesses, Granularity::Synchronisations] {
        match explore(&program(code, granularity, nothing.clone())?, array, MAX_STATES) {
            Err(why) if why.starts_with("too many") => {}
            Err(why) => return Err(why),
            Ok(found) if found.outcomes != asserted.outcomes => {
                return Err(format!(
                    "steps of {granularity:?} note {:?}, an allocator {:?}",
                    found.outcomes, asserted.outcomes
                ));
            }
            Ok(_) => n_compared += 1,
        }
    }
    let rules = vec![Rule::Assertion, Rule::MemorySafety, Rule::InvalidFree];
    let questions = Questions { rules, ..nothing };
    for (what, granularity, reduction) in WAYS {
        let search = Search { granularity, reduction, order: Order::BreadthFirst, jobs: 1 };
        let found = match what {
            "auto" => planned(code, &questions, search)?,
            _ => answer(code, &questions, search)?,
        };
        if is_cut(&found) {
            continue;
        }
        if matches!(found, Answer::Violated(_)) != asserted.fails || found.is_unknown() {
            let expected = if asserted.fails { "an error" } else { "none" };
            return Err(format!("unreach-call with {what} is wrong: {found:?}, not {expected}"));
        }
        n_compared += 1;
    }
    Ok(n_compared)
}
