//! Measures the engine that looks at threads one by one: `thread_modular suite FOLDER` against
//! exact engines on the thread systems of a folder with an `expected.csv`, `thread_modular
//! growth` on programs of growing size. Prints lines of values separated by commas. Called by
//! `cargo xtask thread-modular`, which need not be built with all that the tests need.
#![allow(clippy::print_stdout, reason = "a development tool talks to its user")]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use engine::thread_modular::check_stacks;
use engine::{Engine, Method};
use frontend::Model;
use model::{Context, Limits, Outcome, Problem, Proof, ThreadCount, Verdict};
use testkit::growth;
use testkit::reference::boolean::{Bounds, explore};
use testkit::simple::{Asked, Mutex, simple, simple_with_a_lock};
use testkit::suites::{Instance, instances};
use testkit::texts::Texts;

const TIME_PER_RUN: Duration = Duration::from_secs(60);
/// Of so many runs the least time counts.
const RUNS: usize = 3;
/// Those that thread-modular checking is compared with.
const EXACT: [Engine; 2] = [Engine::Auto, Engine::Backward];
/// The sizes that are measured.
const SIZES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
/// What stays the same while something else grows.
const FIXED: u32 = 8;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["suite", folder] => suite(Path::new(folder)),
        ["growth"] => growth(),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}

/// One line for each model: name, label, the verdict and the time of each engine, and at which
/// level and with how many classes it was proved.
fn suite(folder: &Path) {
    for instance in instances(folder) {
        let name = instance.file.strip_prefix(folder).unwrap_or(&instance.file).display();
        let Ok(model) = instance.texts().and_then(|texts| texts.load()) else { continue };
        let mut line = format!("{name},{}", instance.expected);
        for engine in EXACT {
            let (outcome, time) = measured(model.problem(), engine, &instance);
            line += &format!(",{},{time:.6}", word(&outcome.verdict));
        }
        let (outcome, time) = measured(model.problem(), Engine::ThreadModular, &instance);
        let (level, n_exposed) = strength(&outcome.verdict);
        println!("{line},{},{time:.6},{level},{n_exposed}", word(&outcome.verdict));
    }
}

/// The answer, re-checked, and the least processor time that the engine took for it.
fn measured(problem: Problem<'_>, engine: Engine, instance: &Instance) -> (Outcome, f64) {
    let (mut outcome, mut least) = timed(problem, engine);
    for _ in 1..RUNS {
        let (again, time) = timed(problem, engine);
        least = least.min(time);
        outcome = again;
    }
    certify::check(problem, ThreadCount::Any, &outcome.verdict, &Limits::none())
        .unwrap_or_else(|why| panic!("{}, {}: {why}", instance.file.display(), engine.name()));
    (outcome, least)
}

fn timed(problem: Problem<'_>, engine: Engine) -> (Outcome, f64) {
    let deadline = Some(Instant::now() + TIME_PER_RUN);
    let limits = Limits { deadline, jobs: 1, ..Limits::none() };
    let start = processor_time();
    let context = Context::silent(&limits);
    let outcome = engine::check(problem, ThreadCount::Any, Method::from(engine), context);
    (outcome, processor_time() - start)
}

/// Seconds that this thread was on a processor, which Linux counts in nanoseconds, but only
/// when it looks at the thread.
fn processor_time() -> f64 {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse::<u64>().ok());
    nanoseconds.expect("Linux counts the time of threads") as f64 / 1e9
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(_) => "safe",
        Verdict::Violated(_) => "unsafe",
        Verdict::Unknown(_) => "open",
    }
}

/// Threads in a view, and exposed classes.
fn strength(verdict: &Verdict) -> (u32, usize) {
    match verdict {
        Verdict::Holds(certificate) => match &certificate.proof {
            Proof::ThreadModular(views) => (views.level, views.exposed.len()),
            _ => (0, 0),
        },
        _ => (0, 0),
    }
}

/// One line for each point: series, size, what is kept, and what the paper allows for.
fn growth() {
    for n in SIZES {
        let (views, moves) = kept(&simple(Some(n), Mutex::Owner, Asked::Invariant), false);
        finite("simple", n, (views, moves), [n, 2 * (n + 1), 6]);
        let (views, moves) = kept(&simple_with_a_lock(n), true);
        finite("simple with a lock", n, (views, moves), [n, 4, 6]);
    }
    for size in SIZES {
        for (series, program) in [
            ("counter", growth::counter as fn(u32, u32) -> Texts),
            ("any change", growth::any_change),
        ] {
            let (shared, local) = (size, FIXED);
            let of_shared = kept(&program(shared, local), false);
            finite(&format!("{series}; shared"), size, of_shared, [1, shared, local]);
            let of_local = kept(&program(local, shared), false);
            finite(&format!("{series}; local"), size, of_local, [1, local, shared]);
        }
    }
    for size in SIZES {
        println!("chain,{size},{},", edges(&growth::chain(size)));
    }
    for n_digits in 1..=6 {
        let (n_shared, n_tops) = (1 << n_digits, 3);
        let allowed = (n_shared * n_tops) * (n_shared * n_tops) + n_shared * n_shared;
        println!("digits,{n_shared},{},{allowed}", edges(&growth::digits(n_digits)));
    }
    let walk = growth::walk();
    let n_edges = edges(&walk);
    let (program, _) = frontend::boolprog::syntax(&walk.files[0]);
    for depth in 1..=10 {
        let bounds = Bounds { states: 1 << 20, threads: 2, frames: depth };
        let states = explore(&program, 2, bounds).map(|answer| answer.n_states);
        println!("walk,{depth},{n_edges},{}", states.unwrap_or_default());
    }
}

/// What is kept of n threads with G shared and L local stores, and n·G·(G+L).
fn finite(series: &str, size: u32, (views, moves): (u64, u64), [n, g, l]: [u32; 3]) {
    let allowed = u64::from(n) * u64::from(g) * u64::from(g + l);
    println!("{series},{size},{},{allowed}", views + moves);
}

/// Views and moves of a proof.
fn kept(texts: &Texts, refines: bool) -> (u64, u64) {
    let model = texts.load().expect("it is a program");
    let method = Method { refines, ..Method::from(Engine::ThreadModular) };
    let limits = Limits::none();
    let context = Context::silent(&limits);
    let outcome = engine::check(model.problem(), ThreadCount::Any, method, context);
    assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{outcome:?}");
    (figure(&outcome, "views"), figure(&outcome, "moves"))
}

/// Edges of P and pairs of G of a proof by summaries.
fn edges(texts: &Texts) -> u64 {
    let Ok(Model::Boolean(program)) = texts.load() else { panic!("it is a Boolean program") };
    let stacks = model::ThreadProgram::pushdown(program.as_ref()).expect("it calls itself");
    let limits = Limits::none();
    let context = Context::silent(&limits);
    let outcome = check_stacks(program.as_ref(), stacks, ThreadCount::Any, true, context);
    assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{outcome:?}");
    figure(&outcome, "summary edges") + figure(&outcome, "guarantee pairs")
}

fn figure(outcome: &Outcome, name: &str) -> u64 {
    outcome.statistics.iter().find(|(known, _)| known == name).map_or(0, |(_, n)| *n)
}
