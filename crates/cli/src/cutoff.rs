//! `cutoff`: how many threads are enough to reach every thread state.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use certify::Rejection;
use engine::cutoff::net::NetThreads;
use engine::cutoff::{Options, detect};
use model::{Cutoff, CutoffEnd, Problem, StopReason, ThreadProgram};
use report::cutoff::Study;
use report::text::{TextStyle, reason_words};

use crate::args::{CutoffArgs, CutoffFormat};
use crate::exit::Exit;
use crate::input::{self, Input};
use crate::progress::LiveLine;
use crate::{bounds, check, interrupt, output};

/// Runs the verb.
pub fn run(args: &CutoffArgs, started: Instant) -> anyhow::Result<Exit> {
    let interrupted = interrupt::flag();
    let limits = bounds::put_in_force(&args.limits, started, Arc::clone(&interrupted));
    for path in args.svg.iter().chain(&args.html) {
        output::check_place_for(path)?;
    }
    let input = input::load(&args.load, !args.quiet)?;
    let Some(loaded) = &input.loaded else { return Ok(Exit::BadInput) };
    let net;
    let program: &dyn ThreadProgram = match loaded.problem(check::question(&args.load)) {
        Problem::Threads(program) => program,
        Problem::Counters(system) => {
            net = NetThreads::new(system).map_err(|reason| anyhow!(reason_words(&reason)))?;
            &net
        }
        _ => bail!("`{}` has no threads to count", args.load.file.display()),
    };
    let options =
        Options { test_only: args.test_only, max_threads: args.max_threads, ..Options::default() };
    let line = LiveLine::new(!args.quiet);
    let mut times: Vec<Duration> = Vec::new();
    let mut cutoff =
        detect(program, &options, (&limits, &line), &mut |_| times.push(started.elapsed()));
    line.tell("re-checking the answer".to_owned());
    let checked = certify::check_cutoff(program, &cutoff, &limits);
    line.clear();
    match checked {
        Ok(()) => {}
        Err(Rejection::Stopped(reason)) => cutoff.end = CutoffEnd::Open(reason),
        Err(Rejection::TooLarge { what }) => {
            let why = format!("a cutoff was found, but re-checking it has too many cases: {what}");
            cutoff.end = CutoffEnd::Open(StopReason::Incomplete { why });
        }
        Err(rejection) => return Ok(check::confess(&rejection)),
    }
    publish(args, &input, program, (&cutoff, &times), started)?;
    Ok(match cutoff.end {
        CutoffEnd::Found(_) => Exit::Holds,
        CutoffEnd::Open(StopReason::Interrupted) => Exit::Interrupted,
        CutoffEnd::Open(_) => Exit::Unknown,
    })
}

fn publish(
    args: &CutoffArgs,
    input: &Input,
    program: &dyn ThreadProgram,
    (cutoff, times): (&Cutoff, &[Duration]),
    started: Instant,
) -> anyhow::Result<()> {
    let study = Study {
        program,
        files: &input.files,
        cutoff,
        times: if args.no_timing { &[] } else { times },
        notes: &input.notes,
        effort: (!args.no_timing).then(|| check::effort(started)),
    };
    let style = TextStyle {
        width: output::width(),
        colour: output::colour_on_stdout(),
        full_trace: args.full_trace,
        verdict_only: args.quiet,
    };
    if let Some(path) = &args.svg {
        output::save(path, &report::cutoff::svg::render(&study))?;
    }
    if let Some(path) = &args.html {
        output::save(path, &report::cutoff::html::render(&study))?;
    }
    output::say(&match args.format {
        CutoffFormat::Text => report::cutoff::text::render(&study, &style),
        CutoffFormat::Json => report::cutoff::json::render(&study, args.full_trace),
    })
}
