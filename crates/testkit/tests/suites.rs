//! No verdict on public suites is wrong, and none fails its re-check.
//!
//! The suites are not ours to copy: `THREADPROOF_SUITES` names the folder that
//! holds `nets/` and `tts/` with their `expected.csv`. Smallest files first,
//! within a budget; `threadproof bench` is the way to run them in full.
#![allow(clippy::print_stdout, reason = "how much was checked belongs in the log")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::Engine;
use model::{Context, Limits, ThreadCount, Verdict};
use testkit::texts::Texts;

const TIME_PER_RUN: Duration = Duration::from_secs(5);
const TIME_IN_ALL: Duration = Duration::from_secs(120);

/// Labelled safe for any number of threads, but safe for one thread only: two
/// threads reach the error in a few steps, which can be followed by hand.
const DISPUTED: [&str; 2] = ["bfc-regression/bug_01.tts", "bfc-regression/bug_07.tts"];

struct Instance {
    file: PathBuf,
    property: Option<PathBuf>,
    init: Option<String>,
    expected: String,
}

#[test]
fn no_verdict_on_public_suites_is_wrong() {
    let Some(root) = std::env::var_os("THREADPROOF_SUITES") else {
        println!("skipped: THREADPROOF_SUITES is not set");
        return;
    };
    let mut instances = Vec::new();
    for suite in ["nets", "tts"] {
        instances.extend(read_suite(&Path::new(&root).join(suite)));
    }
    instances.sort_by_key(|instance| std::fs::metadata(&instance.file).map_or(0, |m| m.len()));
    let started = Instant::now();
    let (mut n_right, mut n_undecided, mut wrong) = (0, 0, Vec::new());
    let within_budget = instances.iter().take_while(|_| started.elapsed() < TIME_IN_ALL);
    for instance in within_budget {
        match judge(instance) {
            Ok(true) => n_right += 1,
            Ok(false) => n_undecided += 1,
            Err(error) => wrong.push(format!("{}: {error}", instance.file.display())),
        }
    }
    println!("{n_right} right, {n_undecided} undecided of {}", instances.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_right > 0, "nothing was decided");
}

/// Decided and not wrong?
fn judge(instance: &Instance) -> Result<bool, String> {
    let mut texts = Texts::read(&instance.file)?;
    if let Some(path) = &instance.property {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        texts = texts.with_property(&text);
    }
    if let Some(init) = &instance.init {
        texts = texts.with_init(init);
    }
    let model = match texts.load() {
        Ok(model) => model,
        // A file that breaks the rules of its language has no label either.
        Err(_) if instance.expected == "unknown" => return Ok(false),
        Err(error) => return Err(error),
    };
    let problem = model.problem();
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let outcome = verify::check(problem, ThreadCount::Any, Engine::Auto, Context::silent(&limits));
    certify::check(problem, ThreadCount::Any, &outcome.verdict, &Limits::none())
        .map_err(|rejection| format!("rejected: {rejection}"))?;
    let answer = match outcome.verdict {
        Verdict::Holds(_) => "safe",
        Verdict::Violated(_) => "unsafe",
        Verdict::Unknown(_) => return Ok(false),
    };
    let is_disputed = DISPUTED.iter().any(|name| instance.file.ends_with(name));
    match instance.expected.as_str() {
        "unknown" => Ok(true),
        "safe" if is_disputed && answer == "unsafe" => Ok(true),
        expected if expected == answer => Ok(true),
        expected => Err(format!("{answer}, expected {expected}")),
    }
}

/// The lines of `expected.csv`: file, property file, initial states, verdict, note.
fn read_suite(folder: &Path) -> Vec<Instance> {
    let path = folder.join("expected.csv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    let rows = text.lines().skip(1).map(fields).filter(|row| row.len() >= 4);
    let present = |field: &String| (!field.is_empty()).then(|| field.clone());
    let instances = rows.map(|row| Instance {
        file: folder.join(&row[0]),
        property: present(&row[1]).map(|name| folder.join(name)),
        init: present(&row[2]).filter(|init| init != "any"),
        expected: row[3].clone(),
    });
    instances.collect()
}

/// Splits a line at commas outside of quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.trim_end().chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is always a field").push(c),
        }
    }
    fields
}
