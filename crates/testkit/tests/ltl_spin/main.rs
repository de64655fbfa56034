//! SPIN and we agree: on never claims as automata, and on whole checks of small
//! models, with and without weak fairness.
//!
//! Says "skipped" where `spin` or `gcc` is missing. `THREADPROOF_LTL_PAIRS` sets
//! how many pairs of a model and a formula are compared.

#![allow(clippy::print_stdout, reason = "how much was compared belongs in the log")]

mod claim;
mod formula;
mod graph;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use claim::Claim;
use graph::{Graph, N_PROPOSITIONS};
use model::{
    Context, Deadlock, Fairness, Limits, NamedFormula, Problem, StateProblem, ThreadCount, Verdict,
};
use testkit::rng::Rng;

/// Pairs in an ordinary test run.
const QUICK_PAIRS: usize = 50;

/// Formulas that share one model: compiling a verifier takes a second.
const FORMULAS_PER_MODEL: usize = 100;

fn n_pairs() -> usize {
    let asked = env::var("THREADPROOF_LTL_PAIRS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(QUICK_PAIRS)
}

fn is_installed() -> bool {
    let runs = |tool: &str, flag: &str| Command::new(tool).arg(flag).output().is_ok();
    let both = runs("spin", "-V") && runs("gcc", "--version");
    if !both {
        println!("skipped: spin or gcc is not installed");
    }
    both
}

fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("threadproof-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// Our verdict, the same for one thread and for three, with a certified lasso.
fn is_violated(graph: &Graph, formula: &NamedFormula, fairness: Fairness) -> bool {
    let problem =
        StateProblem { system: graph, deadlock: Deadlock::Off, formula: Some(formula), fairness };
    let run = |jobs| {
        let limits = Limits { jobs, ..Limits::none() };
        engine::ltl::check(&problem, Context::silent(&limits))
    };
    let outcome = run(1);
    assert_eq!(run(3), outcome, "{}", formula.text);
    match outcome.verdict {
        Verdict::Holds(_) => false,
        Verdict::Violated(trace) => {
            let (problem, limits) = (Problem::States(problem), Limits::none());
            let checked = certify::replay(problem, ThreadCount::AsGiven, &trace, &limits);
            assert_eq!(checked, Ok(()), "{}", formula.text);
            true
        }
        Verdict::Unknown(reason) => panic!("{}: {reason:?}", formula.text),
    }
}

/// SPIN's verdicts on each formula: without fairness, and with. `None` where it
/// does not say.
/// Nothing at all where a formula is too much for it.
fn spin_verdicts(folder: &Path, graph: &Graph, formulas: &[String]) -> Vec<[Option<bool>; 2]> {
    let mut text = graph.promela();
    for (idx, formula) in formulas.iter().enumerate() {
        text.push_str(&format!("ltl f{idx} {{ {formula} }}\n"));
    }
    fs::write(folder.join("model.pml"), &text).expect("a writable folder");
    let run = |tool: &str, args: &[&str]| {
        let output = Command::new(tool).args(args).current_dir(folder).output();
        let output = output.expect("the tool is installed");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for old in ["pan", "pan.c"] {
        let _ = fs::remove_file(folder.join(old));
    }
    run("timeout", &["10", "spin", "-a", "model.pml"]);
    run("gcc", &["-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    if !folder.join("pan").exists() {
        return Vec::new();
    }
    let pan = folder.join("pan").display().to_string();
    let verdict = |idx: usize, fair: &[&str]| {
        let name = format!("f{idx}");
        let args = [&["-a", "-E", "-w14", "-m100000", "-N", &name], fair].concat();
        let output = run(&pan, &args);
        let errors =
            output.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
        match errors.and_then(|n| n.parse::<u64>().ok()) {
            // With fairness, `pan` may run out of depth even on the smallest models.
            Some(0) if output.contains("max search depth too small") => None,
            Some(n) => Some(n > 0),
            None => panic!("pan says nothing about {}: {output}\n{text}", formulas[idx]),
        }
    };
    (0..formulas.len()).map(|idx| [verdict(idx, &[]), verdict(idx, &["-f"])]).collect()
}

#[test]
fn spin_gives_the_same_verdicts_on_random_models() {
    if !is_installed() {
        return;
    }
    let folder = folder("ltl");
    let (mut n_done, mut n_silent, mut seed) = (0, 0, 0);
    let (mut n_compared, mut n_violated) = ([0, 0], [0, 0]);
    while n_done < n_pairs() {
        seed += 1;
        let mut rng = Rng::new(seed);
        let graph = Graph::random(&mut rng);
        let sized = |rng: &mut Rng| {
            let size = rng.between(1, 4);
            formula::random(rng, size, true)
        };
        let formulas: Vec<String> = (0..FORMULAS_PER_MODEL).map(|_| sized(&mut rng)).collect();
        let verdicts = spin_verdicts(&folder, &graph, &formulas);
        for (text, verdicts) in formulas.iter().zip(verdicts) {
            let formula = formula::parse(text);
            for (fairness, spin) in [Fairness::None, Fairness::Weak].into_iter().zip(verdicts) {
                // With fairness, `pan` does not look at runs that end.
                if fairness == Fairness::Weak && graph.can_end() {
                    continue;
                }
                let ours = is_violated(&graph, &formula, fairness);
                n_compared[fairness as usize] += 1;
                let place = || format!("{fairness:?}, seed {seed}: {text}\n{}", graph.promela());
                assert_eq!(spin.unwrap_or(ours), ours, "{}", place());
                n_violated[fairness as usize] += usize::from(ours);
                n_silent += usize::from(spin.is_none());
            }
            n_done += 1;
        }
    }
    for (fairness, (n, n_violated)) in ["no", "weak"].iter().zip(n_compared.iter().zip(n_violated))
    {
        println!("{fairness} fairness: {n} verdicts agree, {n_violated} of them violated");
    }
    println!("{n_silent} times spin did not say");
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn spin_translates_to_claims_of_the_same_words() {
    if !is_installed() {
        return;
    }
    let (mut n_words, mut n_accepted) = (0, 0);
    for seed in 0..n_pairs() as u64 {
        let mut rng = Rng::new(seed);
        let size = rng.between(1, 4);
        let text = formula::random(&mut rng, size, false);
        let formula = formula::parse(&text);
        let claim = format!("!({text})");
        let output = Command::new("timeout").args(["10", "spin", "-f", &claim]).output();
        let output = output.expect("spin is installed");
        if !output.status.success() {
            continue;
        }
        let claim = Claim::read(&String::from_utf8_lossy(&output.stdout));
        for _ in 0..10 {
            let len = rng.between(1, 6);
            let letters: Vec<u64> =
                (0..len).map(|_| u64::from(rng.below(1 << N_PROPOSITIONS))).collect();
            let loop_start = rng.below(len) as usize;
            let accepted = claim.accepts(&letters, loop_start);
            let graph = Graph::of_word(letters.clone(), loop_start);
            let ours = is_violated(&graph, &formula, Fairness::None);
            assert_eq!(ours, accepted, "seed {seed}: {text} on {letters:?} from {loop_start}");
            n_words += 1;
            n_accepted += usize::from(accepted);
        }
    }
    println!("{n_words} words agree: {n_accepted} accepted");
}
