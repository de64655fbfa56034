//! Functions that compute a number: the machine computes what the processor does.

use std::collections::BTreeSet;

use engine::explicit::{Order, Reduction};
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::{Granularity, Rule};
use testkit::random::c::{Functions, PRELUDE, functions, with_prefix};
use testkit::rng::Rng;

use crate::explore::explore;
use crate::toolchain::{Compilation, Toolchain, set_array};
use crate::verdict::{Answer, RULES, Search, answer, program};

/// Functions in one file.
pub const N_FUNCTIONS: u32 = 40;
const MAX_STATES: usize = 200_000;

/// Judges the functions of a seed; gives how many were compared.
///
/// # Errors
/// The first disagreement, with the program.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let wraps = seed.is_multiple_of(2);
    let all = functions(&mut Rng::new(seed), N_FUNCTIONS, wraps);
    let text = file(&all);
    judge_text(toolchain, &text, seed).map_err(|failure| {
        let fails = |text: &str| {
            judge_text(toolchain, text, seed).is_err_and(|again| crate::is_alike(&again, &failure))
        };
        let few = fewer(all, &|some| fails(&file(some)));
        let small = crate::shrink(&file(&few), fails);
        let again = judge_text(toolchain, &small, seed).err().unwrap_or(failure.clone());
        crate::told(&format!("sequential seed {seed}: {again}"), &small)
    })
}

/// Leaves out functions while it still fails.
fn fewer(mut functions: Functions, fails: &dyn Fn(&Functions) -> bool) -> Functions {
    let mut length = functions.bodies.len() / 2;
    while length > 0 {
        // The last ones first: nobody calls them.
        let mut end = functions.bodies.len();
        while end >= length {
            let mut some = functions.clone();
            some.bodies.drain(end - length..end);
            some.calls.drain(end - length..end);
            if fails(&some) {
                functions = some;
            }
            end -= length;
        }
        length /= 2;
    }
    functions
}

/// All functions with a main function, which writes their results or compares them.
fn file(functions: &Functions) -> String {
    let n = functions.calls.len();
    let calls = functions.calls.iter().enumerate();
    let calls: Vec<String> = calls.map(|(k, call)| format!("  out[{k}] = {call};")).collect();
    let calls = with_prefix(&calls.join("\n"), "");
    let text = with_prefix(&format!("{}{}", functions.record, functions.bodies.concat()), "");
    format!(
        "{PRELUDE}{text}u64 out[{n}];\nu64 want[{n}] = {{0}};\nvoid run(void) {{\n{calls}\n}}\n\
         #ifdef NATIVE\n\
         #include <stdio.h>\n\
         int main(void) {{ run(); for (int i = 0; i < {n}; i++) printf(\"%llu\\n\", out[i]); }}\n\
         #else\n\
         int main(void) {{ run(); for (int i = 0; i < {n}; i++) assert(out[i] == want[i]); }}\n\
         #endif\n"
    )
}

fn judge_text(toolchain: &Toolchain, text: &str, seed: u64) -> Result<u64, String> {
    let wraps = seed.is_multiple_of(2);
    let printed = toolchain.observe(text, &[])?;
    let native: Vec<u64> = printed.lines().filter_map(|line| line.parse().ok()).collect();
    let mut n_compared = 0;
    for optimisation in [0, 2] {
        let how = Compilation { optimisation, wraps, seed: seed / 2 + u64::from(optimisation) };
        let module = toolchain.module(text, how)?;
        let mut code = llvm::code::lower(&module);
        set_array(&mut code, "want", &native);
        let is_strict = !wraps && optimisation == 0;
        match compare(&code, &native, is_strict) {
            // The optimiser's code has more kinds of operations; none may be wrong.
            Err(why) if optimisation > 0 && why.starts_with("refused") => {
                println!("sequential seed {seed}, -O{optimisation}: {why}");
                continue;
            }
            compared => compared.map_err(|why| format!("{why} (-O{optimisation})"))?,
        }
        n_compared += native.len() as u64;
        if seed.is_multiple_of(4) {
            assertion_agrees(&mut code, &native, seed)?;
        }
    }
    Ok(n_compared)
}

fn questions(is_strict: bool) -> Questions {
    let mut rules = RULES.to_vec();
    if is_strict {
        rules.push(Rule::Overflow);
    }
    Questions { rules, races: true, deadlocks: true, accepted: Vec::new() }
}

fn compare(code: &Code, native: &[u64], is_strict: bool) -> Result<(), String> {
    let program = program(code, Granularity::Synchronisations, questions(is_strict))?;
    let behaviour = explore(&program, "out", MAX_STATES)?;
    if let Some((error, outcome)) = behaviour.errors.first() {
        let differs = outcome.iter().zip(native).position(|(ours, native)| ours != native);
        return Err(match differs {
            Some(k) if error.contains("assert") => {
                format!("a result differs: f{k} is {} here, {} natively", outcome[k], native[k])
            }
            _ => format!("an error is found: {error}"),
        });
    }
    if behaviour.races || behaviour.deadlocks {
        return Err("one thread has a race or a deadlock".into());
    }
    match behaviour.outcomes == BTreeSet::from([native.to_vec()]) {
        true => Ok(()),
        false => Err(format!("{} outcomes instead of one", behaviour.outcomes.len())),
    }
}

/// The engine proves the right numbers and refutes wrong ones.
fn assertion_agrees(code: &mut Code, native: &[u64], seed: u64) -> Result<(), String> {
    let (granularity, reduction) = (Granularity::Accesses, Reduction::AmpleSets);
    let search = Search { granularity, reduction, order: Order::BreadthFirst, jobs: 1 };
    let right = answer(code, &questions(false), search)?;
    if right != Answer::Holds {
        return Err(format!("right numbers are {right:?}"));
    }
    let mut wrong = native.to_vec();
    let at = seed as usize % wrong.len();
    wrong[at] ^= 1 << (seed % 64);
    set_array(code, "want", &wrong);
    match answer(code, &questions(false), search)? {
        Answer::Violated(why) if why.contains("assert") => Ok(()),
        other => Err(format!("wrong numbers are {other:?}")),
    }
}
