//! One file below `cases/` is one test, and so are the examples and the C programs of
//! `bench/`; the test's name is the file's path.
//!
//! Every engine that answers must give the verdict in the header, the answer must
//! pass `certify`, and two runs must render to the same bytes. Programs in C are run
//! by [`c_programs`].

mod c_programs;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::cutoff::net::NetThreads;
use engine::explicit::{Order, Storage};
use engine::{Engine, Method, cutoff};
use frontend::Model;
use libtest_mimic::{Arguments, Failed, Trial};
use model::{
    Context, CutoffEnd, Ending, Limits, Outcome, Problem, Proof, StateProblem, StateTrace,
    ThreadProgram, Trace, Verdict, Violation,
};
use report::Run;
use report::text::TextStyle;
use testkit::case::{self, Case, Expected};

/// Cases are small: none needs a tenth of this.
const TIME_PER_RUN: Duration = Duration::from_secs(20);
/// For engines that may answer `Unknown`, some of which then run for ever.
const TIME_IN_VAIN: Duration = Duration::from_millis(500);
/// Where a model of states lists no engine, all of these must answer.
const WAYS_TO_SEARCH: [&str; 4] =
    ["auto", "explicit --no-symmetry", "explicit --order dfs", "explicit --interpret"];

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = case::files(&root.join("cases"));
    paths.extend(case::files(&root.join("examples")));
    let mut trials: Vec<Trial> = paths.into_iter().map(|path| trial(&root, path)).collect();
    trials.extend(c_programs::trials(&root, &["cases", "examples", "bench"]));
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(root: &Path, path: PathBuf) -> Trial {
    let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
    Trial::test(name, move || run(&path).map_err(Failed::from))
}

/// An engine with its options.
#[derive(Clone)]
struct Way {
    text: String,
    method: Method,
    interpret: bool,
    /// May it answer `Unknown`, and for how long may it try?
    may_pass: bool,
}

impl Way {
    fn parse(text: &str) -> Result<Way, String> {
        let mut words = text.split_whitespace();
        let name = words.next().ok_or("no engine")?;
        let engine: Engine = name.parse().map_err(|_| format!("`{name}` is no engine"))?;
        let mut way =
            Way { text: text.to_owned(), method: engine.into(), interpret: false, may_pass: false };
        while let Some(option) = words.next() {
            match option {
                "--no-refine" => way.method.refines = false,
                "--no-symmetry" => way.method.search.symmetry = false,
                "--interpret" => way.interpret = true,
                "--order" if words.next() == Some("dfs") => {
                    way.method.search.order = Order::DepthFirst;
                }
                "--storage" => {
                    way.method.search.storage = match words.next() {
                        Some("compact") => Storage::HashCompaction,
                        Some("bitstate") => Storage::Bitstate { log2_bits: 20 },
                        _ => return Err(format!("`{text}`: unknown storage")),
                    };
                }
                _ => return Err(format!("`{text}`: unknown option")),
            }
        }
        Ok(way)
    }

    fn finds_shortest_traces(&self) -> bool {
        self.method.search.order == Order::BreadthFirst
    }
}

fn ways(case: &Case, problem: Problem<'_>) -> Result<Vec<Way>, String> {
    if !case.engines.is_empty() {
        return case.engines.iter().map(|text| Way::parse(text)).collect();
    }
    if let Problem::States(_) = problem {
        return WAYS_TO_SEARCH.iter().map(|text| Way::parse(text)).collect();
    }
    let engines = Engine::ALL.iter().map(|engine| {
        let way = Way::parse(engine.name())?;
        Ok(Way { may_pass: *engine != Engine::Auto, ..way })
    });
    engines.collect()
}

fn run(path: &Path) -> Result<(), String> {
    let case = case::read(path)?;
    let model = case.texts.load()?;
    if let Model::Family(_) = &model {
        return run_plan(&case, &model);
    }
    let problem = model.problem_asking(case.question);
    compare_cutoff(&case, problem)?;
    for (idx, way) in ways(&case, problem)?.into_iter().enumerate() {
        let first = answer(&case, &model, &way)?;
        if way.may_pass && matches!(first.verdict, Verdict::Unknown(_)) {
            continue;
        }
        let same = compare(&case, problem, &first.verdict, way.finds_shortest_traces());
        let same = same.and_then(|()| compare_figures(&case, idx, &way, &first));
        same.map_err(|error| format!("{}: {error}", way.text))?;
        let second = answer(&case, &model, &way)?;
        if render(&case, problem, &first) != render(&case, problem, &second) {
            return Err(format!("{}: two runs differ", way.text));
        }
    }
    Ok(())
}

/// Whether a model is right for any number of elements is a matter of a plan: instances with
/// few of them are searched, then views.
fn run_plan(case: &Case, model: &Model) -> Result<(), String> {
    let plan = model.plan(case.question, case.threads);
    let answer = || {
        let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
        let answer = verify::conclude(&plan, Engine::Auto.into(), Context::silent(&limits));
        answer.map_err(|rejection| format!("rejected: {rejection}"))
    };
    let first = answer()?;
    let problem = plan.stage(first.stage).problem;
    compare(case, problem, &first.outcome.verdict, true)?;
    if let Some(expected) = case.n_threads {
        let variant = first.outcome.verdict.variant();
        let n_elements = variant.name().split(' ').next().and_then(|n| n.parse().ok());
        if !n_elements.is_some_and(|n| expected.admits(n)) {
            return Err(format!("{}, expected {expected:?}", variant.name()));
        }
    }
    let second = answer()?;
    let again = plan.stage(second.stage).problem;
    if render(case, problem, &first.outcome) != render(case, again, &second.outcome) {
        return Err("two runs differ".into());
    }
    Ok(())
}

/// Is the cutoff as the header says, and how it comes about?
fn compare_cutoff(case: &Case, problem: Problem<'_>) -> Result<(), String> {
    let Some((n_threads, reached)) = &case.cutoff else { return Ok(()) };
    let net;
    let program: &dyn ThreadProgram = match problem {
        Problem::Threads(program) => program,
        Problem::Counters(system) => {
            net = NetThreads::new(system).map_err(|reason| format!("{reason:?}"))?;
            &net
        }
        _ => return Err("a cutoff is of threads".into()),
    };
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let options = cutoff::CutoffOptions::default();
    let found = cutoff::detect(program, &options, Context::silent(&limits), &mut |_| {});
    certify::check_cutoff(program, &found, &Limits::none())
        .map_err(|rejection| format!("cutoff: rejected: {rejection}"))?;
    let got: Vec<u64> = found.rounds.iter().map(|round| round.n_reached).collect();
    let last = found.rounds.last().map_or(0, |round| round.n_threads);
    match &found.end {
        CutoffEnd::Found(_) if got == *reached && last == *n_threads => Ok(()),
        end => Err(format!("cutoff {last}: {got:?}, {end:?}, expected {n_threads}: {reached:?}")),
    }
}

fn answer(case: &Case, model: &Model, way: &Way) -> Result<Outcome, String> {
    let problem = model.problem_asking(case.question);
    let time = if way.may_pass { TIME_IN_VAIN } else { TIME_PER_RUN };
    let limits = Limits { deadline: Some(Instant::now() + time), ..Limits::none() };
    let run = |problem| verify::check(problem, case.threads, way.method, Context::silent(&limits));
    let outcome = match (model, problem) {
        (Model::States(model), Problem::States(problem)) if !way.interpret => {
            let compiled = jit::compile(model.rule_program(), model.as_ref());
            let compiled = compiled.map_err(|error| error.to_string())?;
            run(Problem::States(StateProblem { system: &compiled, ..problem }))
        }
        _ => run(problem),
    };
    certify::check(problem, case.threads, &outcome.verdict, &Limits::none())
        .map_err(|rejection| format!("{}: rejected: {rejection}", way.text))?;
    Ok(outcome)
}

fn render(case: &Case, problem: Problem<'_>, outcome: &Outcome) -> String {
    let run = Run {
        problem,
        files: &case.texts.files,
        threads: case.threads,
        outcome,
        presumes: None,
        rechecked: true,
        effort: None,
        attempt: None,
        explanation: None,
    };
    report::text::render(&run, &TextStyle::default())
}

fn compare(
    case: &Case,
    problem: Problem<'_>,
    verdict: &Verdict,
    is_shortest: bool,
) -> Result<(), String> {
    let remark = match (&case.verdict, verdict) {
        (Expected::Holds, Verdict::Holds(_)) => return Ok(()),
        (Expected::Violated(name), Verdict::Violated(trace)) => {
            if is_shortest {
                compare_trace(case, trace)?;
            }
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
    if case.rule.is_some_and(|rule| rule != trace.rule()) {
        return Err(format!("rule `{}` is broken, expected {:?}", trace.rule().name(), case.rule));
    }
    let n_threads = match trace {
        Trace::Threads(trace) => trace.n_threads(),
        Trace::Counters(_) | Trace::States(_) => return Ok(()),
    };
    if case.n_threads.is_some_and(|size| !size.admits(n_threads)) {
        return Err(format!("{n_threads} threads, expected {:?}", case.n_threads));
    }
    Ok(())
}

/// The number of states of engine number `idx`, and the remark that must be made
/// (about symmetry: where there is none, it says nothing).
fn compare_figures(case: &Case, idx: usize, way: &Way, outcome: &Outcome) -> Result<(), String> {
    if let Some(&expected) = case.n_states.get(idx) {
        let Verdict::Holds(certificate) = &outcome.verdict else {
            return Err("only a complete search has a number of states".into());
        };
        let Proof::Exhausted { n_states, .. } = certificate.proof else {
            return Err("states were not counted".into());
        };
        if n_states != expected {
            return Err(format!("{n_states} states, expected {expected}"));
        }
    }
    match &case.note {
        _ if !way.method.search.symmetry => Ok(()),
        Some(note) if !outcome.notes.iter().any(|text| text.contains(note)) => {
            Err(format!("no remark says \"{note}\": {:?}", outcome.notes))
        }
        _ => Ok(()),
    }
}

fn target_name(problem: Problem<'_>, trace: &Trace) -> String {
    match (problem, trace) {
        (Problem::Counters(system), Trace::Counters(trace)) => {
            system.targets[trace.target].name.clone()
        }
        (Problem::Threads(program), Trace::Threads(trace)) => match &trace.violation {
            Violation::Target(target) => program.requirements().targets()[*target].name.clone(),
            Violation::Step(error) => error.message.clone(),
            Violation::Deadlock => "a deadlock".to_owned(),
            Violation::Race => "a data race".to_owned(),
            Violation::Lasso { .. } => "a run that goes on for ever".to_owned(),
        },
        (Problem::States(problem), Trace::States(trace)) => ending_name(&problem, trace),
        _ => String::new(),
    }
}

fn ending_name(problem: &StateProblem<'_>, trace: &StateTrace) -> String {
    let property = |idx: u32| problem.system.properties()[idx as usize].name.clone();
    match &trace.ending {
        Ending::Invariant(idx) | Ending::Stranded(idx) | Ending::Uncovered(idx) => property(*idx),
        Ending::Fault { fault, .. } => fault.message.clone(),
        Ending::Deadlock(_) => "deadlock".into(),
        Ending::Lasso { .. } => problem.formula.map_or(String::new(), |f| f.text.clone()),
    }
}
