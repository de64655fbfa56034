//! A run that is too large ends within its limits, and says so.

use std::fmt::Write as _;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::tool::{Ended, Scratch};

/// Independent pairs of places with twenty tokens each: more markings than can be
/// listed, and a target that is in none of them.
fn exploding() -> String {
    let n_pairs = 40;
    let mut vars = String::from("vars");
    let mut rules = String::new();
    let mut init = Vec::new();
    let mut target = Vec::new();
    for i in 0..n_pairs {
        let _ = write!(vars, " a{i} b{i}");
        let _ = writeln!(rules, "  a{i} >= 1 -> a{i}' = a{i}-1, b{i}' = b{i}+1;");
        let _ = writeln!(rules, "  b{i} >= 1 -> b{i}' = b{i}-1, a{i}' = a{i}+1;");
        init.push(format!("a{i} = 20, b{i} = 0"));
        target.push(format!("a{i} >= 10, b{i} >= {}", if i == 0 { 11 } else { 5 }));
    }
    format!("{vars}\nrules\n{rules}init {}\ntarget {}\n", init.join(", "), target.join(", "))
}

/// A model that takes far more memory than its text has bytes.
fn wide() -> String {
    let n_places = 100_000;
    let mut text = String::from("vars");
    (0..n_places).for_each(|i| text.push_str(&format!(" x{i}")));
    text.push_str("\nrules\n");
    for i in 0..n_places {
        let _ = writeln!(text, "  x{i} >= 1 -> x{i}' = x{i}-1, x0' = x0+1;");
    }
    text + "init x0 >= 1\ntarget x5 >= 2\n"
}

/// Runs to the end and returns it with the most memory that was seen, in KiB.
fn run_with_peak(scratch: &Scratch, args: &[&str]) -> (Ended, u64) {
    let command = &mut scratch.command(args);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the command starts");
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    loop {
        let text = std::fs::read_to_string(&status_file).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let seen = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        peak_kib = peak_kib.max(seen.unwrap_or(0));
        if child.try_wait().expect("the child is ours").is_some() {
            break;
        }
        thread::sleep(Duration::from_millis(2));
    }
    (Ended::new(child.wait_with_output().expect("the child is ours")), peak_kib)
}

#[test]
fn a_search_stops_by_itself_at_the_memory_limit() {
    let scratch = Scratch::new();
    scratch.write("large.spec", exploding());
    // A limit that no doubling table jumps over: others end the run from outside.
    let args = ["check", "large.spec", "--memory", "48M", "--engine", "cover-bfs"];
    let (ended, peak_kib) = run_with_peak(&scratch, &args);
    let ended = ended.expect(3, "UNKNOWN: memory limit reached", "");
    assert!(ended.stdout.contains("engine"), "the engine should have stopped itself");
    assert!(peak_kib < 48 * 1024, "{peak_kib} KiB were in use");
}

#[test]
fn reading_a_model_that_does_not_fit_ends_with_3_within_the_limit() {
    let scratch = Scratch::new();
    scratch.write("wide.spec", wide());
    for format in ["text", "json"] {
        let args = ["check", "wide.spec", "--memory", "24M", "--format", format];
        let (ended, peak_kib) = run_with_peak(&scratch, &args);
        ended.expect(3, "UNKNOWN: memory limit reached", "");
        assert!(peak_kib < 24 * 1024, "{peak_kib} KiB were in use");
    }
}

#[test]
fn the_time_limit_ends_a_run_with_3_soon_after() {
    let scratch = Scratch::new();
    scratch.write("large.spec", exploding());
    let started = Instant::now();
    let args = ["check", "large.spec", "--time", "300ms", "--engine", "cover"];
    scratch.run(&args).expect(3, "UNKNOWN: time limit reached", "");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn an_interrupted_run_says_so_and_ends_with_130_within_two_seconds() {
    let scratch = Scratch::new();
    scratch.write("large.spec", exploding());
    for signal in ["-INT", "-TERM"] {
        let child = scratch
            .command(&["check", "large.spec", "--engine", "cover", "--memory", "1G"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        thread::sleep(Duration::from_millis(300));
        let started = Instant::now();
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill is there").success());
        let output = child.wait_with_output().expect("the child is ours");
        Ended::new(output).expect(130, "UNKNOWN: interrupted", "");
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }
}

/// A specification whose thread can be in any of 2^15 places without being noticed.
fn flags() -> String {
    let names: Vec<String> = (0..15).map(|i| format!("a{i}")).collect();
    let decls: String = names.iter().map(|name| format!("  decl {name} := 0;\n")).collect();
    let flips: String = names
        .iter()
        .map(|name| format!("  if * then {name} := {name} ^ !g; goto L; fi;\n"))
        .collect();
    let sum = names.join(" ^ ");
    format!(
        "decl g := 0;\nvoid main() begin\n{decls}L: skip;\n{flips}  g := {sum};\n  assert(!g | g);\n  \
         goto L;\nend\n"
    )
}

#[test]
fn refinement_ends_when_its_time_is_over_or_its_memory_full() {
    let scratch = Scratch::new();
    scratch.write("flags.bp", flags());
    scratch.write("own.bp", "decl g := 0; void main() begin g := 1; g := 0; end\n");
    let started = Instant::now();
    let args = ["refine", "own.bp", "flags.bp", "--time", "1s"];
    scratch.run(&args).expect(3, "UNKNOWN: time limit reached", "");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    let shared: String = (0..20).map(|i| format!("decl g{i} := 0;\n")).collect();
    scratch.write("wide.bp", format!("{shared}void main() begin g0 := 1; end\n"));
    for format in ["text", "json"] {
        let args = ["refine", "wide.bp", "wide.bp", "--memory", "32M", "--format", format];
        let (ended, peak_kib) = run_with_peak(&scratch, &args);
        ended.expect(3, "UNKNOWN: memory limit reached", "");
        assert!(peak_kib < 32 * 1024, "{peak_kib} KiB were in use");
    }
}
