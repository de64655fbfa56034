//! `check`: decides the property of a model, has the answer re-checked, and only
//! then prints it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::bail;
use certify::{Assurance, Rejection};
use engine::{Engine, Method, explicit};
use frontend::Question;
use model::{
    Context, Deadlock, Fairness, Limits, Outcome, Problem, StopReason, ThreadCount, Verdict,
};
use report::json::Evidence;
use report::text::TextStyle;
use report::{Effort, Run};

use crate::args::{
    AskedArgs, CheckArgs, DeadlockName, FairnessName, Format, LoadArgs, OrderName, ReductionName,
    StorageName,
};
use crate::exit::Exit;
use crate::input::{Input, Loaded};
use crate::machine_code::MachineCode;
use crate::progress::LiveLine;
use crate::{
    bounds, c_program, every_failure, input, interrupt, last_words, output, watch, witness,
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
    let mut asked = Asked {
        problem: loaded.problem(question(&args.load, &args.asked)),
        threads: loaded.threads(args.threads),
    };
    told(args, refuse_odd_thread_counts(args, loaded))?;
    let method = told(args, method(args, loaded, asked))?;
    let machine_code = MachineCode::of(loaded, args.search.interpret);
    let (mut outcome, mut assurance) = loop {
        let (outcome, assurance) = match answer(args, method, &machine_code, asked, &limits) {
            Ok(answered) => answered,
            Err(rejection) => return Ok(confess(&rejection)),
        };
        match loaded.next(&outcome.verdict, asked.problem) {
            Some(problem) => asked.problem = problem,
            None => break (outcome, assurance),
        }
    };
    let holds = matches!(outcome.verdict, Verdict::Holds(_));
    if let Some(delayed) = loaded.delayed().filter(|_| holds) {
        let again = Asked { problem: delayed, ..asked };
        let few = Method { search: few_states(method.search), ..method };
        match answer(args, few, &machine_code, again, &limits) {
            Ok((found, checked)) if matches!(found.verdict, Verdict::Violated(_)) => {
                (outcome, assurance, asked) = (found, checked, again);
                outcome.notes.push(LATE_STORES.to_owned());
            }
            Ok((found, _)) => outcome.notes.push(late_stores_note(&found.verdict)),
            Err(rejection) => return Ok(confess(&rejection)),
        }
    }
    outcome.notes.splice(0..0, input.notes.iter().cloned());
    outcome.notes.extend(machine_code.note());
    let run = Run {
        problem: asked.problem,
        files: &input.files,
        threads: asked.threads,
        outcome: &outcome,
        rechecked: assurance != Assurance::NotRepeated,
        effort: (!args.no_timing).then(|| effort(started)),
    };
    publish(args, &run)?;
    Ok(exit_of(&outcome.verdict, &interrupted))
}

/// States that are looked at with stores that are seen late.
const MAX_LATE_STATES: u64 = 100_000;

/// What to say of an error that is found only then.
const LATE_STORES: &str = "stores that are not sequentially consistent are seen by other threads \
                           some time after they were made; no run without such delays fails";

fn few_states(search: engine::explicit::Options) -> engine::explicit::Options {
    let max_states = search.max_states.map_or(MAX_LATE_STATES, |n| n.min(MAX_LATE_STATES));
    engine::explicit::Options { max_states: Some(max_states), ..search }
}

fn late_stores_note(verdict: &Verdict) -> String {
    let found = match verdict {
        Verdict::Holds(_) => "nothing is wrong either",
        _ => "nothing wrong was found in the first states",
    };
    format!(
        "proven for sequential consistency; the program's atomics are weaker: where a few stores \
         are seen late, {found}, and what else weak memory allows is not explored"
    )
}

/// What is asked, of what, for how many threads.
#[derive(Clone, Copy)]
struct Asked<'a> {
    problem: Problem<'a>,
    threads: ThreadCount,
}

fn input(args: &CheckArgs) -> anyhow::Result<Input> {
    let inputs = input::paths(&args.load, &args.asked);
    for path in args.certificate.iter().chain(&args.html).chain(&args.witness) {
        output::check_place_for(path, &inputs)?;
    }
    witness::refuse_early(args)?;
    input::load(&args.load, &args.asked, !args.quiet)
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

fn refuse_odd_thread_counts(args: &CheckArgs, loaded: &Loaded) -> anyhow::Result<()> {
    if let Loaded::C(_) = loaded {
        return match args.threads {
            ThreadCount::Any => Ok(()),
            ThreadCount::Exactly(_) => {
                bail!("--threads is for thread systems: a C program creates its threads itself")
            }
        };
    }
    match (loaded.problem(question(&args.load, &args.asked)), args.threads) {
        (Problem::ThreadRuns(_), ThreadCount::Any) => {
            bail!("a formula is checked for a fixed number of threads: say --threads N as well")
        }
        (Problem::States(_), ThreadCount::Exactly(_)) => bail!(
            "--threads is for thread systems, and `{}` fixes its own number: change its constants \
             with --const",
            args.load.file.display()
        ),
        (Problem::Counters(_), ThreadCount::Exactly(_)) => bail!(
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

/// The exit code of a verdict.
pub fn exit_of(verdict: &Verdict, interrupted: &AtomicBool) -> Exit {
    match verdict {
        Verdict::Holds(_) => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Unknown(_) if interrupted.load(Ordering::Relaxed) => Exit::Interrupted,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

/// Runs the engine and re-checks what it says.
fn answer(
    args: &CheckArgs,
    method: Method,
    machine_code: &MachineCode<'_>,
    Asked { problem, threads }: Asked<'_>,
    limits: &Limits,
) -> Result<(Outcome, Assurance), Rejection> {
    let line = LiveLine::new(!args.quiet);
    let context = Context::new(limits, &line);
    let fast = machine_code.instead_of(problem);
    let mut outcome = engine::check(fast, threads, method, context);
    if args.search.every_failure {
        outcome.notes.extend(every_failure::notes(fast, &method.search, context));
    }
    line.tell("re-checking the answer".to_owned());
    // The interpreter judges what the machine code found.
    let checked = certify::check(problem, threads, &outcome.verdict, limits);
    line.clear();
    let assurance = match checked {
        Ok(assurance) => {
            outcome.notes.extend(assurance_note(assurance));
            assurance
        }
        Err(Rejection::Stopped(reason)) => {
            outcome.notes.push("an answer was found, but not re-checked in time".to_owned());
            outcome.verdict = Verdict::Unknown(reason);
            Assurance::NotRepeated
        }
        Err(Rejection::TooLarge { what }) => {
            let why = format!("an answer was found, but re-checking it has too many cases: {what}");
            outcome.verdict = Verdict::Unknown(StopReason::Incomplete { why });
            Assurance::NotRepeated
        }
        Err(rejection) => return Err(rejection),
    };
    Ok((outcome, assurance))
}

fn assurance_note(assurance: Assurance) -> Option<String> {
    match assurance {
        Assurance::Proved => None,
        Assurance::Repeated => Some("the re-check searched again, with the same result".into()),
        Assurance::NotRepeated => {
            Some("the search itself is the proof: the re-check did not repeat it".into())
        }
    }
}

/// The engine that answers. Only the one that goes through states knows how many
/// steps lead to them.
fn engine(args: &CheckArgs, loaded: &Loaded, asked: Asked<'_>) -> anyhow::Result<Engine> {
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
    match (asked.problem, asked.threads, args.engine) {
        (Problem::Threads(_), ThreadCount::Any, _) => {
            bail!("runs are bounded for a fixed number of threads: say --threads N with {option}")
        }
        (Problem::Counters(_), _, _) => {
            bail!("{option} is for models whose states are gone through, not for nets")
        }
        (Problem::States(_), _, _) if args.search.switches.is_some() => {
            bail!("--switches is for threads, and `{}` has none", args.load.file.display())
        }
        (_, _, Engine::Auto | Engine::Explicit) => Ok(Engine::Explicit),
        (_, _, other) => bail!("{option} is for --engine explicit, not for {}", other.name()),
    }
}

fn method(args: &CheckArgs, loaded: &Loaded, asked: Asked<'_>) -> anyhow::Result<Method> {
    let search = &args.search;
    Ok(Method {
        engine: engine(args, loaded, asked)?,
        search: explicit::Options {
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
            switches: search.switches,
            walks: matches!(loaded, Loaded::C(_))
                && search.order == OrderName::Bfs
                && search.bound.is_none()
                && search.switches.is_none()
                && args.asked.c.abstraction.is_none()
                && !search.no_walks,
        },
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
        ReductionName::Auto => explicit::Reduction::LoneThreads,
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
