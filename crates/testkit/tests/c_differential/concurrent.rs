//! Programs of threads: what is seen natively under many schedules, the machine finds;
//! steps of either granularity and optimised code have the same outcomes.

use std::collections::BTreeSet;

use engine::explicit::{Order, Reduction};
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::Granularity;
use testkit::random::c::{Shape, Threads, threads};
use testkit::rng::Rng;

use crate::batch::{self, Batch, NATIVE};
use crate::explore::{Behaviour, explore};
use crate::toolchain::{Compilation, Toolchain, isolated, set_array};
use crate::verdict::{Answer, RULES, Search, answer, program};

/// Programs in one file.
const N_PROGRAMS: usize = 10;
/// Native runs of each.
const N_RUNS: u32 = 150;
const MAX_STATES: usize = 60_000;

/// Judges the programs of a seed; gives how many outcomes were seen and found.
///
/// # Errors
/// The first disagreement, with the program.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed);
    let programs = (0..N_PROGRAMS).map(|_| threads(&mut rng, Shape::default())).collect();
    Batch { what: "concurrent", programs, seed }.judge(toolchain, judge_programs)
}

fn judge_programs(toolchain: &Toolchain, programs: &[Threads], seed: u64) -> Result<u64, String> {
    let text = batch::file(programs);
    let native = format!("{text}{NATIVE}{}", native_main(programs));
    let seen = toolchain.observe(&native, &[])?;
    let module = |optimisation: u8| {
        let how = Compilation { optimisation, wraps: true, seed: seed + u64::from(optimisation) };
        toolchain.module(&text, how)
    };
    let modules = [module(0)?, module(2)?];
    let mut n_found = 0;
    for k in 0..programs.len() {
        let prefix = format!("p{k}_");
        let codes = [isolated(&modules[0], &prefix), isolated(&modules[1], &prefix)];
        let seen = outcomes_of(&seen, k);
        n_found += judge_program(&codes, &prefix, &seen, seed)?;
    }
    Ok(n_found)
}

/// Runs every program many times and prints its number and what came out.
fn native_main(programs: &[Threads]) -> String {
    let mut lines = vec!["int main(void) {".to_owned()];
    for (k, program) in programs.iter().enumerate() {
        let n = program.n_results;
        lines.push(format!("  for (int n = 0; n < {N_RUNS}; n++) {{"));
        lines.push(format!("    p{k}_run();"));
        lines.push(format!("    printf(\"{k}\");"));
        lines.push(format!("    for (int i = 0; i < {n}; i++) printf(\" %llu\", p{k}_out[i]);"));
        lines.push("    printf(\"\\n\");".into());
        lines.push("  }".into());
    }
    lines.push("}".into());
    lines.join("\n")
}

fn outcomes_of(printed: &str, k: usize) -> BTreeSet<Vec<u64>> {
    let lines = printed.lines().map(|line| -> Vec<u64> {
        line.split(' ').filter_map(|number| number.parse().ok()).collect()
    });
    lines.filter(|line| line.first() == Some(&(k as u64))).map(|line| line[1..].to_vec()).collect()
}

fn all_questions() -> Questions {
    Questions { rules: RULES.to_vec(), races: true, deadlocks: true, accepted: Vec::new() }
}

fn judge_program(
    codes: &[Code; 2],
    prefix: &str,
    seen: &BTreeSet<Vec<u64>>,
    seed: u64,
) -> Result<u64, String> {
    let behaviour = |code: &Code, granularity| {
        let program = program(code, granularity, all_questions())?;
        let mut behaviour = explore(&program, &format!("{prefix}out"), MAX_STATES)?;
        // The states between depend on the size of steps.
        behaviour.shared.clear();
        Ok::<Behaviour, String>(behaviour)
    };
    let coarse = match behaviour(&codes[0], Granularity::Synchronisations) {
        Err(why) if why.starts_with("too many") => return Ok(0),
        coarse => coarse?,
    };
    is_clean(&coarse)?;
    if let Some(missing) = seen.difference(&coarse.outcomes).next() {
        return Err(format!(
            "missed outcome: {missing:?} of {} seen, not among {:?}",
            seen.len(),
            coarse.outcomes
        ));
    }
    let others = [
        ("fine steps", &codes[0], Granularity::Accesses),
        ("-O2", &codes[1], Granularity::Synchronisations),
        ("-O2 with fine steps", &codes[1], Granularity::Accesses),
    ];
    for (what, code, granularity) in others {
        match behaviour(code, granularity) {
            Err(why) if why.starts_with("too many") => {}
            Err(why) => return Err(why),
            Ok(other) if other == coarse => {}
            Ok(other) => {
                is_clean(&other).map_err(|why| format!("{why} ({what})"))?;
                return Err(format!(
                    "other outcomes with {what}: {} instead of {}: {:?} {:?}",
                    other.outcomes.len(),
                    coarse.outcomes.len(),
                    other.outcomes,
                    coarse.outcomes
                ));
            }
        }
    }
    let mut code = codes[0].clone();
    let some = seen.iter().nth(seed as usize % seen.len().max(1));
    if let Some(outcome) = some {
        engine_agrees(&mut code, prefix, outcome, true)?;
        let mut never = outcome.clone();
        never[0] ^= 0x0dd0_0000;
        engine_agrees(&mut code, prefix, &never, coarse.outcomes.contains(&never))?;
    }
    Ok(seen.len() as u64)
}

/// These programs have no errors.
fn is_clean(behaviour: &Behaviour) -> Result<(), String> {
    if let Some((error, _)) = behaviour.errors.first() {
        return Err(format!("an error is found: {error}"));
    }
    if behaviour.races {
        return Err("a race is found where none is".into());
    }
    if behaviour.deadlocks {
        return Err("a deadlock is found where none is".into());
    }
    Ok(())
}

/// The engine refutes that an outcome never comes out, exactly if it does.
fn engine_agrees(
    code: &mut Code,
    prefix: &str,
    outcome: &[u64],
    is_possible: bool,
) -> Result<(), String> {
    set_array(code, &format!("{prefix}want"), outcome);
    let granularity = Granularity::Synchronisations;
    let reduction = Reduction::AmpleSets;
    let search = Search { granularity, reduction, order: Order::BreadthFirst, jobs: 1 };
    match (answer(code, &all_questions(), search)?, is_possible) {
        (Answer::Violated(why), true) if why.contains("assert") => Ok(()),
        (Answer::Holds, false) => Ok(()),
        (answer, _) => {
            Err(format!("the engine says {answer:?}, but the outcome is possible: {is_possible}"))
        }
    }
}
