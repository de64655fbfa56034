//! The public Boolean programs: engines agree on each, and each program that is also there
//! as a thread transition system has the same verdict as that. What is no Boolean program is
//! refused where it is none. The suites are not ours to
//! copy: `THREADPROOF_SUITES` names their folder.
#![allow(clippy::print_stdout, reason = "what was skipped belongs in the log")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::Engine;
use frontend::Inputs;
use model::{Context, Limits, Multiplicity, Problem, StopReason, Template, ThreadCount, Verdict};
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

/// CUBA's programs: `None` where an assertion can fail, else why nothing is said, or nothing
/// where they hold.
const CUBA: [(&str, Option<&str>); 18] = [
    ("converge-11", Some("")),
    ("diverge-11", Some("there is no label `6` in this procedure")),
    ("diverge-12", Some("")),
    ("pldi18.bm_01_Bluetooth-1_Bluetooth1", Some("it is not known what `pending_IO++` does")),
    ("pldi18.bm_02_Bluetooth-2_Bluetooth2", Some("it is not known what `pending_IO++` does")),
    ("pldi18.bm_07_Proc-2_proc-2", Some("")),
    ("recursive_11_Proc-1_proc-1", Some("")),
    ("recursive_converge-s", Some("")),
    ("recursive_cross-rec", Some("")),
    ("recursive_dekker", Some("")),
    ("recursive_diverge-s", Some("")),
    ("recursive_error", Some("")),
    ("recursive_kgc", Some("the parameter `m` is not Boolean")),
    ("recursive_mutex", Some("the parameter `r` is not Boolean")),
    ("recursive_sync-wait", Some("")),
    ("recursive_test1", None),
    ("recursive_test3", Some("it is not known what `release_lock` does")),
    ("test", Some("`s`, which holds a number, is not Boolean")),
];

/// Calls on each other in the longest of the bounded searches.
const MAX_FRAMES: usize = 12;
const TIME_FOR_BOUNDED_RUNS: Duration = Duration::from_secs(2);

#[test]
fn programs_of_cuba_are_decided_or_refused_and_no_run_contradicts_it() {
    let Some(root) = suites() else { return };
    for (name, expected) in CUBA {
        let path = root.join("boolean/cuba").join(format!("{name}.bp"));
        let texts = Texts::read(&path).expect("a readable program");
        let why_open = expected.filter(|why| !why.is_empty());
        if let Some(why) = why_open {
            is_refused(&texts, why);
            continue;
        }
        assert_eq!(holds(&texts, Engine::Auto), expected.is_some(), "{name}");
        println!("{name}: {}", bounded_runs(&texts, expected.is_some()));
    }
}

/// Nothing is said of it, for a reason that is told where it stands.
fn is_refused(texts: &Texts, why: &str) {
    let file = &texts.files[0];
    let (model, diagnostics) = frontend::load(&Inputs::of(&texts.files, texts.language));
    let model = model.expect("sketches are read");
    let of_reason = diagnostics.iter().find(|one| one.message == why);
    let label = of_reason.and_then(|one| one.labels.first());
    let label = label.unwrap_or_else(|| panic!("{}: nothing at its place", file.name));
    assert!(label.span.end > label.span.start, "{}: {label:?}", file.name);
    let limits = Limits::none();
    let context = Context::silent(&limits);
    let outcome = verify::check(model.problem(), ThreadCount::Any, Engine::Auto, context);
    match outcome.verdict {
        Verdict::Unknown(StopReason::Incomplete { why: told }) => assert_eq!(told, why),
        Verdict::Unknown(StopReason::Unsupported { construct, .. }) => assert_eq!(construct, why),
        other => panic!("{}: {other:?}", file.name),
    }
}

/// Runs with more and more calls on each other, as long as there is time: none of them fails
/// where the program holds.
fn bounded_runs(texts: &Texts, holds: bool) -> String {
    let (program, _) = frontend::boolprog::syntax(&texts.files[0]);
    let started = Instant::now();
    let mut told = "not run".to_owned();
    for frames in 2..=MAX_FRAMES {
        let Ok(runs) = explore(&program, 1, Bounds { frames, ..BOUNDS }) else {
            // The reference insists on `main`: all states of the threads that there are instead.
            assert_eq!(all_states(texts), holds, "{}", texts.files[0].name);
            return "all states".to_owned();
        };
        assert!(!holds || runs.failures.is_empty(), "{}: {runs:?}", texts.files[0].name);
        told = format!("{} states with {frames} calls on each other", runs.n_states);
        if runs.is_complete || started.elapsed() > TIME_FOR_BOUNDED_RUNS {
            break;
        }
    }
    told
}

/// Does no state fail of so many threads as the program has?
fn all_states(texts: &Texts) -> bool {
    let model = texts.load().expect("a program");
    let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
    let n_of = |template: &Template| match template.multiplicity {
        Multiplicity::Exactly(n) => n,
        Multiplicity::Any => panic!("any number"),
    };
    let threads = ThreadCount::Exactly(program.templates().iter().map(n_of).sum());
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let context = Context::silent(&limits);
    let verdict = verify::check(model.problem(), threads, Engine::Explicit, context).verdict;
    assert!(!matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    matches!(verdict, Verdict::Holds(_))
}

/// Far enough for all threads of these programs.
const BOUNDS: Bounds = Bounds { states: 20_000, threads: 6, frames: 5 };

/// Programs with braces whose recursion, if there is any, touches nothing shared.
const WITHOUT_SHARED_RECURSION: [&str; 4] = ["dekker", "sync-wait", "error", "cross-rec"];

#[test]
fn programs_with_braces_are_decided_where_recursion_allows() {
    let Some(root) = suites() else { return };
    for name in WITHOUT_SHARED_RECURSION {
        verdict(&root.join("boolean/cuba").join(format!("recursive_{name}.bp")));
    }
}
