//! A disk that is full: whatever is printed or saved, the run says that it could not, and
//! ends with 2.
#![cfg(target_os = "linux")]

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::tool::{COUNT, Ended, LOCK, MUTEX, Scratch};

const FULL: &str = "/dev/full";

/// Runs with standard output on a full disk.
fn run(scratch: &Scratch, args: &[&str]) -> Ended {
    let full = OpenOptions::new().write(true).open(FULL).expect("Linux has it");
    let mut command = scratch.command(args);
    command.stdout(Stdio::from(full));
    Ended::new(command.output().expect("the command starts"))
}

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.write("lock.tts", LOCK);
    scratch.write("count.m", COUNT);
    scratch.write("one.bp", "void main() begin assert(1); end\n");
    scratch.write("expected.csv", "file,expected\nmutex.spec,safe\n");
    scratch
}

#[test]
fn what_cannot_be_printed_ends_with_2() {
    let scratch = scratch();
    for args in [
        &["--help"][..],
        &["--version"],
        &["help", "check"],
        &["check", "--help"],
        &["check", "mutex.spec"],
        &["check", "mutex.spec", "--format", "json"],
        &["check", "mutex.spec", "--format", "sarif"],
        &["check", "lock.tts", "--quiet"],
        &["check", "count.m"],
        &["check", "lock.tts", "--time", "0s"],
        &["cutoff", "lock.tts"],
        &["refine", "one.bp", "one.bp"],
        &["convert", "mutex.spec", "--to", "pnml"],
        &["convert", "mutex.spec", "--to", "dot"],
        &["completions", "bash"],
        &["man"],
    ] {
        let ended = run(&scratch, args);
        let said = "error: cannot write to standard output";
        assert_eq!((ended.code, ended.stderr.contains(said)), (Some(2), true), "{args:?}");
    }
}

/// The message of a run that is ended from outside is made beforehand, and printed by hand.
#[test]
fn the_last_words_of_a_run_end_with_2_as_well() {
    let scratch = Scratch::new();
    let names: String = (0..100_000).map(|n| format!(" x{n}")).collect();
    scratch.write("wide.spec", format!("vars{names}\nrules\ninit x0 >= 1\ntarget x5 >= 2\n"));
    let args = ["check", "wide.spec", "--memory", "16M"];
    scratch.run(&args).expect(3, "UNKNOWN: memory limit reached", "");
    run(&scratch, &args).expect(2, "", "error: cannot write to standard output");
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let scratch = scratch();
    let said = "cannot write `/dev/full`";
    for args in [
        &["check", "lock.tts", "--html", FULL][..],
        &["check", "lock.tts", "--certificate", FULL],
        &["convert", "mutex.spec", "--to", "dot", "-o", FULL],
        &["bench", ".", "--csv", FULL],
        &["bench", ".", "--jsonl", FULL],
    ] {
        scratch.run(args).expect(2, "", said);
    }
}
