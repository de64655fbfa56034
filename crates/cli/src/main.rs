//! The `threadproof` command: reads arguments and files, runs an engine, has its
//! answer re-checked, prints it, and ends with the exit code that says it.
//!
//! The only crate that prints or touches the system. Read in this order:
//! [`args`], [`check`], then what surrounds a run ([`input`], [`bounds`],
//! [`last_words`], [`memory`], [`watch`], [`interrupt`], [`progress`]), then the
//! other verbs.

mod args;
mod every_failure;
mod exit;

mod check;

mod bounds;
mod c_formula;
mod c_program;
mod clang;
mod input;
mod interrupt;
mod last_words;
mod memory;
mod output;
mod progress;
mod units;
mod watch;
mod witness;

mod abstract_model;
mod bench;
mod convert;
mod cutoff;
mod dump_code;
mod machine_code;
mod manual;
mod refine;
mod replay;

use std::time::Instant;

use crate::args::{Arguments, Verb};
use crate::exit::Exit;

#[global_allocator]
static ALLOCATOR: memory::CountingAllocator = memory::CountingAllocator;

fn main() -> std::process::ExitCode {
    let started = Instant::now();
    install_panic_hook();
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        // Mistakes go to standard error with code 2, which is `Exit::BadInput`.
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return ended(print_help(&help)),
    };
    let done = match &arguments.verb {
        Verb::Check(args) => check::run(args, started),
        Verb::Cutoff(args) => cutoff::run(args, started),
        Verb::Refine(args) => refine::run(args, started),
        Verb::Replay(args) => replay::run(args, started),
        Verb::Convert(args) => convert::run(args),
        Verb::Abstract(args) => abstract_model::run(args),
        Verb::Bench(args) => bench::run(args),
        Verb::Completions(args) => manual::completions(args),
        Verb::Man(args) => manual::man(args),
        Verb::Bug => panic!("asked for on the command line"),
    };
    ended(done)
}

/// Prints help or the version, which the reader of arguments takes for errors; it would not
/// notice that nothing can be written.
fn print_help(help: &clap::Error) -> anyhow::Result<Exit> {
    let text = help.render();
    match output::colour_on_stdout() {
        true => output::say(&text.ansi().to_string())?,
        false => output::say(&text.to_string())?,
    }
    Ok(Exit::Holds)
}

/// The exit code, after a word about what went wrong.
fn ended(done: anyhow::Result<Exit>) -> std::process::ExitCode {
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::complain(&format!("error: {error:#}"));
            Exit::BadInput.into()
        }
    }
}

/// A panic is a bug of ours: says so with what a report needs, and ends the
/// process from whichever thread it happened in.
fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let arguments: Vec<String> =
            std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
        output::complain(&format!(
            "threadproof {} has a bug: {panic}\n\
             arguments: {}\n\
             Nothing is proved or refuted by this run. Please report it with the two lines \
             above and the input file.",
            env!("CARGO_PKG_VERSION"),
            arguments.join(" "),
        ));
        std::process::exit(i32::from(Exit::Bug.code()));
    }));
}
