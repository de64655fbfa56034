//! One file below `cases/` is one test; the test's name is the file's path.
//!
//! Every engine that answers must give the verdict in the header, the answer must
//! pass `certify`, and two runs must render to the same bytes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::Engine;
use frontend::Model;
use libtest_mimic::{Arguments, Failed, Trial};
use model::{Limits, Outcome, Problem, Silent, Trace, Verdict, Violation};
use report::Run;
use report::text::TextStyle;
use testkit::case::{self, Case, Expected};

/// Cases are small: none needs a tenth of this.
const TIME_PER_RUN: Duration = Duration::from_secs(20);
/// For engines that may answer `Unknown`, some of which then run for ever.
const TIME_IN_VAIN: Duration = Duration::from_millis(500);

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = case::files(&root.join("cases"));
    paths.extend(case::files(&root.join("examples")));
    let trials = paths.into_iter().map(|path| trial(&root, path)).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(root: &Path, path: PathBuf) -> Trial {
    let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
    Trial::test(name, move || run(&path).map_err(Failed::from))
}

fn run(path: &Path) -> Result<(), String> {
    let case = case::read(path)?;
    let model = case.texts.load()?;
    let engines: Vec<Engine> = match case.engines.is_empty() {
        true => Engine::ALL.to_vec(),
        false => case
            .engines
            .iter()
            .map(|name| name.parse().map_err(|_| format!("`{name}` is no engine")))
            .collect::<Result<_, _>>()?,
    };
    for engine in engines {
        let may_pass = case.engines.is_empty() && engine != Engine::Auto;
        let time = if may_pass { TIME_IN_VAIN } else { TIME_PER_RUN };
        let first = answer(&case, &model, engine, time)?;
        if may_pass && matches!(first.verdict, Verdict::Unknown(_)) {
            continue;
        }
        compare(&case, model.problem(), &first.verdict)
            .map_err(|error| format!("{}: {error}", engine.name()))?;
        let second = answer(&case, &model, engine, time)?;
        if render(&case, &model, &first) != render(&case, &model, &second) {
            return Err(format!("{}: two runs differ", engine.name()));
        }
    }
    Ok(())
}

fn answer(case: &Case, model: &Model, engine: Engine, time: Duration) -> Result<Outcome, String> {
    let problem = model.problem();
    let limits = Limits { deadline: Some(Instant::now() + time), ..Limits::none() };
    let outcome = engine::check(problem, case.threads, engine, &limits, &Silent);
    certify::check(problem, case.threads, &outcome.verdict, &Limits::none())
        .map_err(|rejection| format!("{}: rejected: {rejection}", engine.name()))?;
    Ok(outcome)
}

fn render(case: &Case, model: &Model, outcome: &Outcome) -> String {
    let run = Run {
        problem: model.problem(),
        files: &case.texts.files,
        threads: case.threads,
        outcome,
        effort: None,
    };
    report::text::render(&run, &TextStyle::default())
}

fn compare(case: &Case, problem: Problem<'_>, verdict: &Verdict) -> Result<(), String> {
    let remark = match (&case.verdict, verdict) {
        (Expected::Holds, Verdict::Holds(_)) => return Ok(()),
        (Expected::Violated(name), Verdict::Violated(trace)) => {
            compare_trace(case, trace)?;
            (name.clone(), target_name(problem, trace))
        }
        (Expected::Unknown(reason), Verdict::Unknown(stop)) => {
            (reason.clone(), report::text::reason_words(stop))
        }
        (expected, verdict) => return Err(format!("expected {expected:?}, got {verdict:?}")),
    };
    match remark {
        (Some(expected), got) if !got.contains(&expected) => {
            Err(format!("expected \"{expected}\", got \"{got}\""))
        }
        _ => Ok(()),
    }
}

fn compare_trace(case: &Case, trace: &Trace) -> Result<(), String> {
    let n_steps = trace.n_steps();
    if case.n_steps.is_some_and(|size| !size.admits(n_steps)) {
        return Err(format!("{n_steps} steps, expected {:?}", case.n_steps));
    }
    let n_threads = match trace {
        Trace::Threads(trace) => trace.n_threads(),
        Trace::Counters(_) => return Ok(()),
    };
    if case.n_threads.is_some_and(|size| !size.admits(n_threads)) {
        return Err(format!("{n_threads} threads, expected {:?}", case.n_threads));
    }
    Ok(())
}

fn target_name(problem: Problem<'_>, trace: &Trace) -> String {
    match (problem, trace) {
        (Problem::Counters(system), Trace::Counters(trace)) => {
            system.targets[trace.target].name.clone()
        }
        (Problem::Threads(program), Trace::Threads(trace)) => match &trace.violation {
            Violation::Target(target) => program.targets()[*target].name.clone(),
            Violation::Step(message) => message.clone(),
        },
        _ => String::new(),
    }
}
