//! rumur accepts abstract models, and gives the verdicts that we give.
//!
//! Says "skipped" where `rumur` or `cc` is missing.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use engine::{Engine, Method, explicit};
use frontend::murphi::{MurphiModel, ReadOptions, read};
use model::{
    Context, Deadlock, Fairness, Limits, Problem, StateProblem, ThreadCount, TransitionSystem,
    Verdict,
};

/// Models with more states are left out.
const MAX_STATES: u64 = 100_000;

/// Without the suites there are fewer.
const MIN_COMPARED: usize = 10;

/// The models that are compared: compiling a verifier takes a second or two.
const COMPARED: &[&str] =
    &["any", "examples", "german", "mutualEx", "mesi", "moesi", "germanish", "symmetry"];

#[test]
fn rumur_gives_the_same_verdicts_on_abstract_models() {
    if !is_installed() {
        println!("skipped: rumur or cc is not installed");
        return;
    }
    let folder = std::env::temp_dir().join(format!("threadproof-abstract-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let (mut n_compared, mut n_other, mut wrong) = (0, 0, Vec::new());
    for path in super::models() {
        let name = path.display().to_string();
        if !COMPARED.iter().any(|part| name.contains(part)) {
            continue;
        }
        let Some((_, text)) = super::abstract_model(&path, true) else { continue };
        // rumur has neither.
        let is_beyond_rumur = text.contains("union {") || text.contains("ismember(");
        let (Some(ours), false) = (is_violated(&text), is_beyond_rumur) else {
            n_other += 1;
            continue;
        };
        match verdict(&folder, &text) {
            Ok(Theirs::CopiesNothing) if !ours => n_other += 1,
            Ok(theirs) if (theirs == Theirs::Holds) != ours => n_compared += 1,
            Ok(theirs) => wrong.push(format!("{name}: {theirs:?}, and violated is {ours}\n{text}")),
            Err(error) => wrong.push(format!("{name}: {error}\n{text}")),
        }
    }
    std::fs::remove_dir_all(&folder).expect("a folder of ours");
    println!("{n_compared} verdicts are rumur's; {n_other} models are too large or not for it");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_compared >= MIN_COMPARED, "only {n_compared} models were compared");
}

fn is_installed() -> bool {
    let runs = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    runs("rumur") && runs("cc")
}

/// Our verdict; `None` where there are too many states.
fn is_violated(text: &str) -> Option<bool> {
    let program = read(text, 0, &ReadOptions::default()).0?.program;
    let model = MurphiModel::new(program).ok()?;
    let system: &dyn TransitionSystem = &model;
    let (deadlock, fairness) = (Deadlock::Off, Fairness::default());
    let problem = Problem::States(StateProblem { system, deadlock, formula: None, fairness });
    let search = explicit::SearchOptions {
        max_states: Some(MAX_STATES),
        ..explicit::SearchOptions::default()
    };
    let method = Method { search, ..Method::from(Engine::Explicit) };
    let limits =
        Limits { deadline: Some(Instant::now() + Duration::from_secs(30)), ..Limits::none() };
    let outcome = engine::check(problem, ThreadCount::AsGiven, method, Context::silent(&limits));
    match outcome.verdict {
        Verdict::Holds(_) => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

/// What rumur says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theirs {
    Holds,
    Violated,
    /// Something without a value is looked at; to copy it is an error for rumur already.
    CopiesNothing,
}

fn verdict(folder: &Path, text: &str) -> Result<Theirs, String> {
    std::fs::write(folder.join("model.m"), text).expect("a writable folder");
    let options = "--deadlock-detection off --threads 1 --output model.c model.m";
    run(folder, "rumur", options)?;
    run(folder, "cc", "-O1 -march=native -w model.c -o verifier -lpthread")?;
    let output = Command::new("timeout").args(["120", "./verifier"]).current_dir(folder).output();
    let output = output.expect("the verifier was just made");
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) if said.contains("No error found") => Ok(Theirs::Holds),
        Some(1) if said.contains("read of undefined value") => Ok(Theirs::CopiesNothing),
        Some(1) => Ok(Theirs::Violated),
        code => Err(format!("rumur's verifier ends with {code:?}: {said}")),
    }
}

fn run(folder: &Path, tool: &str, options: &str) -> Result<(), String> {
    let output = Command::new(tool).args(options.split(' ')).current_dir(folder).output();
    let output = output.expect("the tool is installed");
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
