//! Functions of inputs: what they can return, by the machine and by trying all inputs.
//!
//! A number that some input leads to must be found, and no other: `HOLDS` and `VIOLATED`
//! are compared with what the processor computes for every input. `UNKNOWN` is no mistake, but
//! too many of them are.

use std::collections::BTreeSet;

use engine::explicit::{Order, Reduction};
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::{Granularity, Rule};
use testkit::random::c::{Input, InputFunction, PRELUDE, input_function};
use testkit::rng::Rng;

use crate::toolchain::{Compilation, Toolchain, set_array};
use crate::verdict::{Answer, Search, answer};

/// Types of inputs, and what the functions that give them end with.
const NONDET: [(&str, &str); 6] = [
    ("i8", "char"),
    ("u8", "uchar"),
    ("i16", "short"),
    ("u16", "ushort"),
    ("i32", "int"),
    ("u32", "uint"),
];

/// Functions in one file.
const N_FUNCTIONS: usize = 30;

/// Judges the functions of a seed; gives how many verdicts were compared.
///
/// # Errors
/// The first disagreement, with the function.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed ^ 0x1A9);
    let all: Vec<InputFunction> = (0..N_FUNCTIONS).map(|_| input_function(&mut rng)).collect();
    judge_all(toolchain, &all, seed).map_err(|(k, failure)| {
        let alone = |body: &str| vec![InputFunction { body: body.into(), ..all[k].clone() }];
        let fails = |body: &str| {
            let again = judge_all(toolchain, &alone(body), seed);
            again.is_err_and(|(_, again)| crate::is_alike(&again, &failure))
        };
        let small = crate::shrink(&all[k].body, fails);
        crate::told(&format!("inputs seed {seed}: {failure}"), &file(&alone(&(small + "\n"))))
    })
}

fn judge_all(
    toolchain: &Toolchain,
    functions: &[InputFunction],
    seed: u64,
) -> Result<u64, (usize, String)> {
    let text = file(functions);
    let results = results(toolchain, &text, functions.len()).map_err(|why| (0, why))?;
    let mut n_compared = 0;
    for optimisation in [0, 1] {
        let how = Compilation { optimisation, wraps: true, seed };
        let module = toolchain.module(&text, how).map_err(|why| (0, why))?;
        let mut code = llvm::code::lower(&module);
        for (k, results) in results.iter().enumerate() {
            set_array(&mut code, "which", &[k as u64]);
            n_compared += judge_one(&mut code, results, seed + k as u64)
                .map_err(|why| (k, format!("{why} (-O{optimisation})")))?;
        }
    }
    Ok(n_compared)
}

/// What each function returns, for all its inputs.
fn results(toolchain: &Toolchain, text: &str, n: usize) -> Result<Vec<BTreeSet<i32>>, String> {
    let mut results = vec![BTreeSet::new(); n];
    for line in toolchain.observe(text, &[])?.lines() {
        let (k, result) = line.split_once(' ').ok_or("the native program prints pairs")?;
        let (k, result) = (k.parse::<usize>(), result.parse::<i32>());
        results[k.map_err(|why| why.to_string())?].insert(result.map_err(|why| why.to_string())?);
    }
    Ok(results)
}

/// Asks for a result that there is, and for one beside it that there is not.
fn judge_one(code: &mut Code, results: &BTreeSet<i32>, seed: u64) -> Result<u64, String> {
    let at = seed as usize % results.len();
    let Some(&there) = results.iter().nth(at) else { return Ok(0) };
    let beside = (1..).find_map(|by| there.checked_add(by).filter(|it| !results.contains(it)));
    let rules = vec![Rule::Assertion, Rule::Division];
    let questions = Questions { rules, races: false, deadlocks: false, accepted: Vec::new() };
    let (granularity, reduction) = (Granularity::Accesses, Reduction::AmpleSets);
    let search = Search { granularity, reduction, order: Order::BreadthFirst, jobs: 1 };
    let mut n_compared = 0;
    for (asked, is_there) in [(Some(there), true), (beside, false)] {
        let Some(asked) = asked else { continue };
        set_array(code, "want", &[asked as u32 as u64]);
        match answer(code, &questions, search)? {
            Answer::Violated(_) if is_there => n_compared += 1,
            Answer::Holds if !is_there => n_compared += 1,
            Answer::Unknown(_) => {}
            wrong => return Err(format!("{asked} is a result: {is_there}, but {wrong:?}")),
        }
    }
    Ok(n_compared)
}

/// All functions, with a main function that runs one of them on any inputs, or natively all
/// of them on all inputs.
fn file(functions: &[InputFunction]) -> String {
    let (mut text, mut runs, mut loops) = (PRELUDE.to_owned(), String::new(), String::new());
    for (kind, name) in NONDET {
        text += &format!("{kind} __VERIFIER_nondet_{name}(void);\n");
    }
    text += "u64 which[1], want[1];\n";
    for (k, function) in functions.iter().enumerate() {
        let parameters: Vec<String> =
            numbered(function).map(|(idx, input)| format!("{} x{idx}", input.name)).collect();
        let arguments: Vec<String> = numbered(function).map(|(idx, _)| format!("x{idx}")).collect();
        let (parameters, arguments) = (parameters.join(", "), arguments.join(", "));
        text += &format!("static i32 f{k}({parameters}) {{\n{}}}\n", function.body);
        let chosen: String = numbered(function).map(|(idx, input)| chosen(idx, input)).collect();
        runs += &format!(
            "  case {k}: {{ {chosen}assert(f{k}({arguments}) != (i32)want[0]); break; }}\n"
        );
        let all: String = numbered(function).map(|(idx, input)| all_of(idx, input)).collect();
        loops += &format!("  {all}printf(\"{k} %d\\n\", f{k}({arguments}));\n");
    }
    format!(
        "{text}#ifdef NATIVE\n#include <stdio.h>\nint main(void) {{\n{loops}}}\n#else\n\
         int main(void) {{\n  switch (which[0]) {{\n{runs}  }}\n}}\n#endif\n"
    )
}

fn numbered(function: &InputFunction) -> impl Iterator<Item = (usize, &Input)> {
    function.inputs.iter().enumerate()
}

/// An input that is assumed to be in one of its windows.
fn chosen(idx: usize, input: &Input) -> String {
    let name = input.name;
    let is_within = |(from, to): &(i64, i64)| format!("({from}ll <= x{idx} && x{idx} <= {to}ll)");
    let windows: Vec<String> = input.windows.iter().map(is_within).collect();
    let windows = windows.join(" || ");
    let nondet = NONDET.iter().find(|(kind, _)| *kind == name).map_or("int", |(_, nondet)| nondet);
    format!("{name} x{idx} = __VERIFIER_nondet_{nondet}(); __VERIFIER_assume({windows}); ")
}

/// Loops over the windows of an input.
fn all_of(idx: usize, input: &Input) -> String {
    let ends = |end: fn(&(i64, i64)) -> i64| {
        let ends: Vec<String> = input.windows.iter().map(|it| format!("{}ll", end(it))).collect();
        ends.join(", ")
    };
    let (from, to, n) = (ends(|it| it.0), ends(|it| it.1), input.windows.len());
    format!(
        "for (int w{idx} = 0; w{idx} < {n}; w{idx}++) \
         for (i64 y{idx} = (i64[]){{{from}}}[w{idx}], z{idx} = (i64[]){{{to}}}[w{idx}]; \
         y{idx} <= z{idx}; y{idx}++) for (int o{idx} = 1; o{idx}; o{idx} = 0) \
         for ({} x{idx} = ({})y{idx}; o{idx}; o{idx} = 0) ",
        input.name, input.name
    )
}
