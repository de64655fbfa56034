//! `check`: decides the property of a model, has the answer re-checked, and only
//! then prints it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::bail;
use certify::{Assurance, Rejection};
use engine::{Engine, Method, explicit};
use frontend::{Model, Question};
use model::{
    Context, Deadlock, Fairness, Presumption, Problem, SearchBounds, Stage, StageId, ThreadCount,
    Verdict,
};
use report::json::Evidence;
use report::text::TextStyle;
use report::{Effort, Explanation, Run};
use verify::Answer;

use crate::args::{
    AskedArgs, CheckArgs, DeadlockName, FairnessName, Format, LoadArgs, OrderName, ReductionName,
    StorageName,
};
use crate::exit::Exit;
use crate::input::{Input, Loaded};
use crate::machine_code::MachineCode;
use crate::progress::LiveLine;
use crate::{
    bounds, c_program, dump_code, every_failure, input, interrupt, last_words, output, watch,
    witness,
};

/// Runs the verb.
pub fn run(args: &CheckArgs, started: Instant) -> anyhow::Result<Exit> {
    last_words::prepare(args.format, &args.load.file.display().to_string());
    let interrupted = interrupt::flag();
    let limits = bounds::put_in_force(&args.limits, started, Arc::clone(&interrupted));
    let input = told(args, input(args))?;
    let Some(loaded) = &input.loaded else {
        let (files, diagnostics) = (&input.files, &input.diagnostics);
        match args.format {
            Format::Text => {}
            Format::Json => output::say(&report::json::render_rejection(files, diagnostics))?,
            Format::Sarif => output::say(&report::sarif::render_rejection(files, diagnostics))?,
        }
        return Ok(Exit::BadInput);
    };
    if args.dump_code {
        return told(args, dump_code::print(args, &input.files, loaded));
    }
    let question = question(&args.load, &args.asked);
    let mut plan = loaded.plan(question, args.threads.unwrap_or_default(), tries_random_runs(args));
    let first = plan.stage(StageId(0)).clone();
    told(args, refuse_odd_thread_counts(args, loaded, first.problem))?;
    let method = told(args, method(args, loaded, &first))?;
    let machine_code = MachineCode::of(loaded, args.search.interpret);
    plan.search_instead(|problem| machine_code.instead_of(problem));
    plan.bound_searches(|bounds| as_asked(args, method, first.problem, bounds));
    let line = LiveLine::new(!args.quiet);
    let context = Context::new(&limits, &line);
    let concluded = verify::conclude(&plan, method, context);
    line.clear();
    let Answer { mut outcome, presumes, assurance, stage, attempt, searched } = match concluded {
        Ok(answer) => answer,
        Err(rejection) => return Ok(confess(&rejection)),
    };
    let answering = plan.stage(stage);
    if args.search.every_failure {
        let problem = answering.fast.unwrap_or(answering.problem);
        outcome.notes.extend(every_failure::notes(problem, &method.search, context));
        line.clear();
    }
    outcome.notes.splice(0..0, input.notes.iter().cloned());
    outcome.notes.extend(loaded.remarks(&outcome.verdict));
    outcome.notes.extend(machine_code.note());
    let explanation = Explanation { plan: &plan, searched: &searched, answering: stage };
    let run = Run {
        problem: answering.problem,
        files: &input.files,
        threads: answering.threads,
        outcome: &outcome,
        presumes,
        rechecked: assurance != Assurance::NotRepeated,
        effort: (!args.no_timing).then(|| effort(started)),
        attempt,
        explanation: args.explain.then_some(explanation),
    };
    publish(args, &run)?;
    let not_granted = not_granted(presumes, &args.asked);
    Ok(exit_of(&outcome.verdict, not_granted, &interrupted))
}

/// Random runs find errors that a search level by level comes to late; where the user asks
/// for a search of a certain kind, that alone is made.
fn tries_random_runs(args: &CheckArgs) -> bool {
    let search = &args.search;
    search.order == OrderName::Bfs
        && search.bound.is_none()
        && search.switches.is_none()
        && search.max_states.is_none()
        && args.asked.c.abstraction.is_none()
        && !search.no_walks
}

/// Bounds a search as the user asks. Engines that count threads have no slots for them.
fn as_asked(args: &CheckArgs, method: Method, problem: Problem<'_>, bounds: &mut SearchBounds) {
    bounds.max_states = bounds.max_states.into_iter().chain(args.search.max_states).min();
    bounds.switches = args.search.switches.or(bounds.switches);
    let has_slots = method.engine == Engine::Explicit || matches!(problem, Problem::ThreadRuns(_));
    bounds.slots = bounds.slots.filter(|_| has_slots);
}

fn input(args: &CheckArgs) -> anyhow::Result<Input> {
    let inputs = input::paths(&args.load, &args.asked);
    for path in args.certificate.iter().chain(&args.html).chain(&args.witness) {
        output::check_place_for(path, &inputs)?;
    }
    witness::refuse_early(args)?;
    let any_number = args.threads == Some(ThreadCount::Any);
    if args.asked.parameter.is_some() && !any_number {
        bail!("--param says of what there is any number: say --threads any as well");
    }
    input::load(&args.load, &AskedArgs { any_number, ..args.asked.clone() }, !args.quiet)
}

/// Says on standard output as well what keeps the run from beginning, where a program
/// reads it.
fn told<T>(args: &CheckArgs, step: anyhow::Result<T>) -> anyhow::Result<T> {
    if let Err(error) = &step {
        match args.format {
            Format::Text => {}
            Format::Json => output::say(&report::json::render_failure(&format!("{error:#}")))?,
            Format::Sarif => output::say(&report::sarif::render_failure(&format!("{error:#}")))?,
        }
    }
    step
}

fn refuse_odd_thread_counts(
    args: &CheckArgs,
    loaded: &Loaded,
    problem: Problem<'_>,
) -> anyhow::Result<()> {
    if let Loaded::C(_) = loaded {
        return match args.threads {
            Some(ThreadCount::Exactly(_) | ThreadCount::AsGiven) => bail!(
                "a C program creates its threads itself: --threads any asks for a proof whatever \
                 their number, and a number is for thread systems"
            ),
            Some(ThreadCount::Any) | None => Ok(()),
        };
    }
    if let Loaded::Text(Model::Family(_)) = loaded {
        return args.load.given.refuse_fixed_number(args.asked.deadlock);
    }
    match (problem, args.threads) {
        (Problem::ThreadRuns(_), None | Some(ThreadCount::Any)) => {
            bail!("a formula is checked for a fixed number of threads: say --threads N as well")
        }
        (Problem::States(_), Some(ThreadCount::Exactly(_))) => bail!(
            "--threads is for thread systems, and `{}` fixes its own number: change its constants \
             with --const",
            args.load.file.display()
        ),
        (Problem::Counters(_), Some(ThreadCount::Exactly(_))) => bail!(
            "--threads is for thread systems, and `{}` is a net: say with --init how many tokens \
             it starts with",
            args.load.file.display()
        ),
        _ => Ok(()),
    }
}

/// What the run cost until now.
pub fn effort(started: Instant) -> Effort {
    Effort { elapsed: started.elapsed(), peak_memory: watch::peak_memory() }
}

/// What is presumed and not asked for.
pub fn not_granted(presumes: Option<Presumption>, asked: &AskedArgs) -> Option<Presumption> {
    let model = asked.c.memory_model;
    presumes.filter(|&presumption| !model.is_some_and(|model| model.grants(presumption)))
}

/// The exit code of a verdict, with what it presumes that was not asked for.
pub fn exit_of(
    verdict: &Verdict,
    not_granted: Option<Presumption>,
    interrupted: &AtomicBool,
) -> Exit {
    match verdict {
        Verdict::Holds(_) if not_granted.is_some() => Exit::Presumed,
        Verdict::Holds(_) => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Unknown(_) if interrupted.load(Ordering::Relaxed) => Exit::Interrupted,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

/// The engine that answers. Only the explicit search knows how many steps lead to a state.
fn engine(args: &CheckArgs, loaded: &Loaded, first: &Stage<'_>) -> anyhow::Result<Engine> {
    if let Loaded::C(_) = loaded {
        return match args.engine {
            Engine::Auto | Engine::Explicit => Ok(Engine::Explicit),
            other => bail!("C programs are checked by --engine explicit, not by {}", other.name()),
        };
    }
    let option = match (&args.search.bound, &args.search.switches) {
        (None, None) => return Ok(args.engine),
        (_, Some(_)) => "--switches",
        (Some(_), None) => "--bound",
    };
    match (first.problem, first.threads, args.engine) {
        (Problem::Threads(_), ThreadCount::Any, _) => {
            bail!("runs are bounded for a fixed number of threads: say --threads N with {option}")
        }
        (_, _, Engine::Auto | Engine::Explicit) => Ok(Engine::Explicit),
        (_, _, other) => bail!("{option} is for --engine explicit, not for {}", other.name()),
    }
}

fn method(args: &CheckArgs, loaded: &Loaded, first: &Stage<'_>) -> anyhow::Result<Method> {
    let search = &args.search;
    if args.no_refine && args.engine != Engine::ThreadModular {
        bail!("--no-refine is for --engine thread-modular");
    }
    let engine = engine(args, loaded, first)?;
    if matches!(first.problem, Problem::Threads(_)) && engine != Engine::Explicit {
        args.load.given.refuse_explicit_search(engine.name())?;
    }
    Ok(Method {
        engine,
        search: explicit::SearchOptions {
            order: match search.order {
                OrderName::Bfs => explicit::Order::BreadthFirst,
                OrderName::Dfs => explicit::Order::DepthFirst,
            },
            storage: match search.storage {
                StorageName::Exact => explicit::Storage::Exact,
                StorageName::Compact => explicit::Storage::HashCompaction,
                StorageName::Bitstate => {
                    explicit::Storage::Bitstate { log2_bits: search.bitstate_size.ilog2() + 3 }
                }
            },
            symmetry: !search.no_symmetry,
            max_states: search.max_states,
            max_depth: search.bound,
            reduction: reduction(&args.load, &args.asked),
            max_switches: None,
            slots: None,
        },
        refines: !args.no_refine,
    })
}

/// What the search itself leaves out; the rest is a matter of what steps are.
pub fn reduction(args: &LoadArgs, asked: &AskedArgs) -> explicit::Reduction {
    match asked.c.reduction {
        ReductionName::None | ReductionName::Global => explicit::Reduction::Off,
        ReductionName::Superstep => explicit::Reduction::Supersteps,
        // Right for formulas, which threads that go alone are not.
        ReductionName::Auto if c_program::asks_about_runs(args, asked) => {
            explicit::Reduction::Supersteps
        }
        ReductionName::Auto => explicit::Reduction::AmpleSets,
    }
}

/// What the arguments ask of a model beside its own properties.
pub fn question(args: &LoadArgs, asked: &AskedArgs) -> Question {
    Question {
        deadlock: match asked.deadlock {
            DeadlockName::Stuttering => Deadlock::Stuttering,
            DeadlockName::Stuck => Deadlock::Stuck,
            DeadlockName::Off => Deadlock::Off,
        },
        fairness: match asked.fairness {
            // Whether runs end is asked of fair ones.
            _ if c_program::asks_for_termination(args, asked) => Fairness::Weak,
            FairnessName::None => Fairness::None,
            FairnessName::Weak => Fairness::Weak,
        },
    }
}

/// An answer that its re-check refuses is never printed.
pub fn confess(rejection: &Rejection) -> Exit {
    output::complain(&format!(
        "threadproof {} has a bug: an engine gave an answer that does not stand up: {rejection}\n\
         Nothing is proved or refuted by this run. Please report it with the input file and the \
         arguments: {}",
        env!("CARGO_PKG_VERSION"),
        std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "),
    ));
    Exit::Bug
}

/// Renders everything first, then prints: from the moment of printing on, no
/// limit ends the run any more.
fn publish(args: &CheckArgs, run: &Run<'_>) -> anyhow::Result<()> {
    let style = TextStyle {
        width: output::width(),
        colour: output::colour_on_stdout(),
        full_trace: args.full_trace,
        verdict_only: args.quiet,
    };
    let evidence = if args.no_evidence { Evidence::LeftOut } else { Evidence::Included };
    let text = match args.format {
        Format::Text => report::text::render(run, &style),
        Format::Json => report::json::render(run, evidence),
        Format::Sarif => report::sarif::render(run),
    };
    let page = args.html.as_ref().map(|path| (path, report::html::render(run)));
    let certificate =
        args.certificate.as_ref().map(|path| (path, report::json::render_certificate(run)));
    let witness = witness::prepare(args, run)?;
    last_words::claim_or_wait();
    output::say(&text)?;
    if let Some(witness) = witness {
        witness::publish(args, witness)?;
    }
    match certificate {
        Some((path, Some(text))) => output::save(path, &text)?,
        Some((path, None)) => output::complain(&format!(
            "warning: nothing was decided, so `{}` was not written",
            path.display()
        )),
        None => {}
    }
    match page {
        Some((path, text)) => output::save(path, &text),
        None => Ok(()),
    }
}
