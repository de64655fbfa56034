//! The public Boolean programs: engines agree on each, and each program that is also there
//! as a thread transition system has the same verdict as that. The suites are not ours to
//! copy: `THREADPROOF_SUITES` names their folder.
#![allow(clippy::print_stdout, reason = "what was skipped belongs in the log")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::Engine;
use model::{Context, Limits, ThreadCount, Verdict};
use testkit::case;
use testkit::reference::boolean::{Bounds, explore};
use testkit::texts::Texts;

/// All that is asked of each engine; the programs take a fraction of a second.
const TIME_PER_RUN: Duration = Duration::from_secs(60);

/// These decide each program of the suite.
const ENGINES: [Engine; 4] = [Engine::Auto, Engine::Backward, Engine::Cutoff, Engine::Symbolic];

fn suites() -> Option<PathBuf> {
    let root = std::env::var_os("THREADPROOF_SUITES").map(PathBuf::from);
    if root.is_none() {
        println!("skipped: THREADPROOF_SUITES is not set");
    }
    root
}

/// Does it hold? The answer is re-checked.
fn holds(texts: &Texts, engine: Engine) -> bool {
    let name = &texts.files[0].name;
    let model = texts.load().unwrap_or_else(|error| panic!("{name}: {error}"));
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let outcome =
        verify::check(model.problem(), ThreadCount::Any, engine, Context::silent(&limits));
    certify::check(model.problem(), ThreadCount::Any, &outcome.verdict, &limits)
        .unwrap_or_else(|rejection| panic!("{name}, {}: {rejection}", engine.name()));
    match outcome.verdict {
        Verdict::Holds(_) => true,
        Verdict::Violated(_) => false,
        Verdict::Unknown(reason) => panic!("{name}, {}: undecided: {reason:?}", engine.name()),
    }
}

fn verdict(path: &Path) -> bool {
    let texts = Texts::read(path).expect("a readable program");
    let answers: Vec<bool> = ENGINES.iter().map(|&engine| holds(&texts, engine)).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{}: {answers:?}", path.display());
    answers[0]
}

#[test]
fn engines_agree_on_every_public_boolean_program() {
    let Some(root) = suites() else { return };
    let mut n_compared = 0;
    for folder in ["ijit", "ucob"] {
        for path in case::files(&root.join("boolean").join(folder)) {
            let own = verdict(&path);
            let stem = path.file_stem().expect("a file has a name");
            let beside = root.join("tts").join(folder).join(format!("{}.tts", stem.display()));
            if !beside.is_file() {
                continue;
            }
            let property = std::fs::read_to_string(beside.with_extension("prop"));
            let texts = Texts::read(&beside).expect("a readable thread transition system");
            let texts = texts.with_property(&property.expect("its property"));
            assert_eq!(own, holds(&texts, Engine::Auto), "{}", path.display());
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, 14);
}

/// Programs whose recursion touches shared variables, and which hold.
const WITH_SHARED_RECURSION: [&str; 5] = [
    "converge-11",
    "diverge-12",
    "pldi18.bm_07_Proc-2_proc-2",
    "recursive_11_Proc-1_proc-1",
    "recursive_converge-s",
];

/// Far enough for calls on each other and for all threads of these programs.
const BOUNDS: Bounds = Bounds { states: 20_000, threads: 6, frames: 5 };

#[test]
fn shared_recursion_is_decided_and_no_run_contradicts_it() {
    let Some(root) = suites() else { return };
    for name in WITH_SHARED_RECURSION {
        let path = root.join("boolean/cuba").join(format!("{name}.bp"));
        let texts = Texts::read(&path).expect("a readable program");
        assert!(holds(&texts, Engine::Auto), "{name}");
        let (program, _) = frontend::boolprog::syntax(&texts.files[0]);
        let runs = explore(&program, 1, BOUNDS).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(runs.failures.is_empty(), "{name}");
    }
}

/// Programs with braces whose recursion, if there is any, touches nothing shared.
const WITHOUT_SHARED_RECURSION: [&str; 4] = ["dekker", "sync-wait", "error", "cross-rec"];

#[test]
fn programs_with_braces_are_decided_where_recursion_allows() {
    let Some(root) = suites() else { return };
    for name in WITHOUT_SHARED_RECURSION {
        verdict(&root.join("boolean/cuba").join(format!("recursive_{name}.bp")));
    }
}
