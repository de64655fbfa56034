//! Murphi models that nobody here wrote give the verdicts, and the numbers of states,
//! that other tools found.
//!
//! `THREADPROOF_SUITES` names the folder that holds `murphi/`. Large models are left
//! to `threadproof bench`: here each run may store [`MAX_STATES`] states.
#![allow(clippy::print_stdout, reason = "how much was checked belongs in the log")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::{Engine, Method, explicit};
use frontend::{Inputs, Language, Model, Question, load};
use model::{
    Context, Deadlock, Limits, Omission, Outcome, Problem, SourceFile, StateProblem, StopReason,
    Verdict,
};

const MAX_STATES: u64 = 150_000;
const MAX_STATES_COMPARED: u64 = 20_000;
const TIME_PER_RUN: Duration = Duration::from_secs(30);

/// Language tests that are not about the language as we read it.
const EXEMPT: &[(&str, &str)] = &[
    ("bound-illegal.m", "an option is wrong, not the model"),
    ("uint64-model.m", "its numbers need 64 bits without sign"),
];

#[test]
fn verdicts_and_state_counts_are_those_of_other_tools() {
    let Some(folder) = folder() else { return };
    let (mut n_right, mut n_large, mut wrong) = (0, 0, Vec::new());
    for row in rows(&folder.join("expected.csv")) {
        let [file, expected, n_states, ..] = row.as_slice() else { continue };
        if expected == "unknown" {
            continue;
        }
        for symmetry in [false, true] {
            let outcome = check(&folder.join(file), "", &Way { symmetry, ..Way::default() });
            match outcome.as_ref().map(|outcome| judge(outcome, expected, n_states, symmetry)) {
                Ok(Ok(true)) => n_right += 1,
                Ok(Ok(false)) => n_large += 1,
                Ok(Err(error)) => wrong.push(format!("{file}: {error}")),
                Err(error) => wrong.push(format!("{file}: {error}")),
            }
        }
    }
    println!("{n_right} runs right, {n_large} too large for this test");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_right > 80, "only {n_right} runs were decided");
}

#[test]
fn tests_of_the_language_have_their_outcomes() {
    let Some(folder) = folder() else { return };
    let folder = folder.join("language");
    let mut wrong = Vec::new();
    let mut n_right = 0;
    for row in rows(&folder.join("expected.csv")) {
        let [file, expected, _, flags, ..] = row.as_slice() else { continue };
        if EXEMPT.iter().any(|(exempt, _)| exempt == file) {
            continue;
        }
        let got = match check(&folder.join(file), flags, &Way::default()) {
            Err(_) => "rejected",
            Ok(outcome) => match outcome.verdict {
                Verdict::Holds(_) => "holds",
                Verdict::Violated(_) => "violated",
                ref verdict if is_bounded(verdict) => "holds",
                Verdict::Unknown(_) => "unknown",
            },
        };
        if got == expected {
            n_right += 1;
        } else {
            wrong.push(format!("{file}: expected {expected}, got {got}"));
        }
    }
    println!("{n_right} language tests right");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_ways_to_search_agree() {
    let Some(folder) = folder() else { return };
    let (mut n_compared, mut wrong) = (0, Vec::new());
    for row in rows(&folder.join("expected.csv")) {
        let small = Way { max_states: MAX_STATES_COMPARED, ..Way::default() };
        let Ok(first) = check(&folder.join(&row[0]), "", &small) else { continue };
        let n_states = |outcome: &Outcome| outcome.statistics.first().map_or(0, |s| s.1);
        if n_states(&first) >= MAX_STATES_COMPARED {
            continue;
        }
        n_compared += 1;
        let four = check(&folder.join(&row[0]), "", &Way { jobs: 4, ..small });
        if four.as_ref() != Ok(&first) {
            wrong.push(format!("{}: 4 jobs differ from 2", row[0]));
        }
        let order = explicit::Order::DepthFirst;
        let deep = check(&folder.join(&row[0]), "", &Way { order, ..small });
        let same = deep.is_ok_and(|deep| match (&first.verdict, &deep.verdict) {
            (Verdict::Holds(_), Verdict::Holds(_)) => n_states(&first) == n_states(&deep),
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        });
        if !same {
            wrong.push(format!("{}: depth first differs", row[0]));
        }
    }
    println!("{n_compared} models compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_compared > 40, "only {n_compared} models were compared");
}

/// How to search.
#[derive(Clone, Copy)]
struct Way {
    symmetry: bool,
    order: explicit::Order,
    jobs: usize,
    max_states: u64,
}

impl Default for Way {
    fn default() -> Way {
        let order = explicit::Order::BreadthFirst;
        Way { symmetry: true, order, jobs: 2, max_states: MAX_STATES }
    }
}

fn folder() -> Option<PathBuf> {
    let suites = std::env::var_os("THREADPROOF_SUITES");
    if suites.is_none() {
        println!("skipped: THREADPROOF_SUITES is not set");
    }
    suites.map(|suites| Path::new(&suites).join("murphi"))
}

/// The rows below the heading; a field in quotes may contain commas.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("the table can be read");
    text.lines().skip(1).map(fields).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is always one").push(c),
        }
    }
    fields
}

/// Is the outcome as expected? `Ok(false)` when the model is too large for this test.
fn judge(
    outcome: &Outcome,
    expected: &str,
    n_states: &str,
    symmetry: bool,
) -> Result<bool, String> {
    let found = outcome.statistics.iter().find(|(name, _)| name == "states").map_or(0, |s| s.1);
    match (&outcome.verdict, expected) {
        (verdict, "holds") if is_bounded(verdict) => Ok(true),
        (Verdict::Holds(_), "holds") if symmetry || n_states.is_empty() => Ok(true),
        (Verdict::Holds(_), "holds") if n_states == found.to_string() => Ok(true),
        (Verdict::Holds(_), "holds") => Err(format!("{found} states, expected {n_states}")),
        (Verdict::Violated(_), "violated") => Ok(true),
        (Verdict::Unknown(_), _) if found >= MAX_STATES => Ok(false),
        (verdict, _) => Err(format!("expected {expected}, got {verdict:?}")),
    }
}

/// Was nothing wrong up to the bound? rumur says that it holds then.
fn is_bounded(verdict: &Verdict) -> bool {
    let Verdict::Unknown(StopReason::UnderApproximated { omitted }) = verdict else { return false };
    omitted.iter().all(|omission| matches!(omission, Omission::Depth { .. }))
}

/// Searches with machine code, and has the answer re-checked by the interpreter.
fn check(path: &Path, flags: &str, way: &Way) -> Result<Outcome, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let files = [SourceFile { name: path.display().to_string(), text }];
    // These tests hold only under rumur's simplification of conditions.
    let simplify = flags.contains("smt_");
    let inputs = Inputs { simplify, ..Inputs::of(&files, Language::Murphi) };
    let (model, diagnostics) = load(&inputs);
    let Some(Model::States(murphi)) = &model else { return Err(format!("{diagnostics:?}")) };
    let deadlock = match flags {
        _ if flags.contains("'off'") => Deadlock::Off,
        _ if flags.contains("'stuck'") => Deadlock::Stuck,
        _ => Deadlock::Stuttering,
    };
    let question = Question { deadlock, ..Question::default() };
    let problem = model.as_ref().expect("it was just matched").problem_asking(question);
    let Problem::States(interpreted) = problem else { return Err("not states".to_owned()) };
    let code = jit::compile(murphi.rule_program(), murphi.as_ref());
    let code = code.map_err(|error| error.to_string())?;
    let compiled = Problem::States(StateProblem { system: &code, ..interpreted });
    let max_depth = flags.contains("--bound").then_some(3);
    let search = explicit::SearchOptions {
        symmetry: way.symmetry,
        order: way.order,
        max_depth,
        max_states: Some(way.max_states),
        ..explicit::SearchOptions::default()
    };
    let limits =
        Limits { deadline: Some(Instant::now() + TIME_PER_RUN), jobs: way.jobs, ..Limits::none() };
    let method = Method { search, ..Method::from(Engine::Explicit) };
    let threads = model::ThreadCount::AsGiven;
    let outcome = engine::check(compiled, threads, method, Context::silent(&limits));
    certify::check(problem, threads, &outcome.verdict, &Limits::none())
        .map_err(|rejection| format!("rejected by the re-check: {rejection}"))?;
    Ok(outcome)
}
