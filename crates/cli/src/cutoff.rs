//! `cutoff`: how many threads are enough to reach every thread state.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use certify::Rejection;
use engine::cutoff::net::NetThreads;
use engine::cutoff::{CutoffOptions, detect};
use frontend::Question;
use model::{Context, Cutoff, CutoffEnd, Problem, SourceFile, StopReason, ThreadProgram};
use report::cutoff::CutoffStudy;
use report::text::{TextStyle, reason_words};

use crate::args::{AskedArgs, CutoffArgs, CutoffFormat};
use crate::exit::Exit;
use crate::progress::LiveLine;
use crate::{bounds, check, input, interrupt, last_words, output};

/// Runs the verb.
pub fn run(args: &CutoffArgs, started: Instant) -> anyhow::Result<Exit> {
    let name = args.load.file.display().to_string();
    last_words::prepare_with(|reason| match args.format {
        CutoffFormat::Text => last_words::in_words(reason),
        CutoffFormat::Json => report::cutoff::json::render_stopped(&name, reason),
    });
    let interrupted = interrupt::flag();
    let limits = bounds::put_in_force(&args.limits, started, Arc::clone(&interrupted));
    let asked = AskedArgs::nothing();
    let inputs = input::paths(&args.load, &asked);
    for path in args.svg.iter().chain(&args.html) {
        output::check_place_for(path, &inputs)?;
    }
    let input = input::load(&args.load, &asked, !args.quiet)?;
    let Some(loaded) = &input.loaded else { return Ok(Exit::BadInput) };
    let mut notes = input.notes.clone();
    let net;
    let program: &dyn ThreadProgram = match loaded.problem(Question::default()) {
        Problem::Threads(program) => program,
        Problem::Counters(system) => {
            net = NetThreads::new(system).map_err(|reason| anyhow!(reason_words(&reason)))?;
            notes.push(TOKENS.to_owned());
            &net
        }
        _ => bail!("`{}` has no threads to count", args.load.file.display()),
    };
    let options = CutoffOptions {
        test_only: args.test_only,
        max_threads: args.max_threads,
        ..CutoffOptions::default()
    };
    let line = LiveLine::new(!args.quiet);
    let mut times: Vec<Duration> = Vec::new();
    let mut cutoff = detect(program, &options, Context::new(&limits, &line), &mut |_| {
        times.push(started.elapsed())
    });
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
    let found = Found { program, cutoff: &cutoff, times: &times, notes: &notes };
    publish(args, &input.files, &found, started)?;
    Ok(match cutoff.end {
        CutoffEnd::Found(_) => Exit::Holds,
        CutoffEnd::Open(StopReason::Interrupted) => Exit::Interrupted,
        CutoffEnd::Open(_) => Exit::Unknown,
    })
}

/// What to say of nets, whose threads nobody wrote down.
const TOKENS: &str = "each token is a thread, in the local state of its place; threads that are no \
                      token are `outside`; a transition is a chain of moves of one thread each";

/// What was found, and of which program.
struct Found<'a> {
    program: &'a dyn ThreadProgram,
    cutoff: &'a Cutoff,
    times: &'a [Duration],
    notes: &'a [String],
}

fn publish(
    args: &CutoffArgs,
    files: &[SourceFile],
    found: &Found<'_>,
    started: Instant,
) -> anyhow::Result<()> {
    let study = CutoffStudy {
        program: found.program,
        files,
        cutoff: found.cutoff,
        times: if args.no_timing { &[] } else { found.times },
        notes: found.notes,
        effort: (!args.no_timing).then(|| check::effort(started)),
    };
    let style = TextStyle {
        width: output::width(),
        colour: output::colour_on_stdout(),
        full_trace: args.full_trace,
        verdict_only: args.quiet,
    };
    let text = match args.format {
        CutoffFormat::Text => report::cutoff::text::render(&study, &style),
        CutoffFormat::Json => report::cutoff::json::render(&study, args.full_trace),
    };
    let svg = args.svg.as_ref().map(|path| (path, report::cutoff::svg::render(&study)));
    let html = args.html.as_ref();
    let html = html.map(|path| (path, report::cutoff::html::render(&study, args.full_trace)));
    last_words::claim_or_wait();
    for (path, page) in svg.into_iter().chain(html) {
        output::save(path, &page)?;
    }
    output::say(&text)
}
