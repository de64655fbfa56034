//! Case files in C go through the command itself, as users run it.
//!
//! Each question is asked with steps as coarse as they may be and with steps from
//! access to access; both must give the verdict in the header. The first is asked
//! again with one worker, and must be answered in the same words.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use testkit::c_case::{self, CCase, CRun};
use testkit::case::{self, Expected};

/// Cases are small: none needs a tenth of this.
const TIME_PER_RUN: &str = "30s";

/// Names that clang goes by.
const CLANGS: [&str; 10] = [
    "clang", "clang-19", "clang-20", "clang-21", "clang-22", "clang-18", "clang-17", "clang-16",
    "clang-15", "clang-14",
];

/// A test for each C file below these folders; a single one that says so where there
/// is no clang.
pub fn trials(root: &Path, folders: &[&str]) -> Vec<Trial> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        paths.extend(case::files_ending(&root.join(folder), &["c"]));
    }
    if !CLANGS.iter().any(|name| works(name)) {
        return vec![Trial::test("C programs: skipped, clang is missing", || Ok(()))];
    }
    let command = match built_command(root) {
        Ok(command) => command,
        Err(why) => return vec![Trial::test("C programs", || Err(Failed::from(why)))],
    };
    let trials = paths.into_iter().map(|path| {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let (command, root) = (command.clone(), root.to_path_buf());
        let file = name.clone();
        Trial::test(name, move || run(&command, &root, &file).map_err(Failed::from))
    });
    trials.collect()
}

fn works(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Builds the command beside this test, in the same profile: a test of one package
/// alone does not build that of another. `THREADPROOF_COMMAND` names another one.
fn built_command(root: &Path) -> Result<PathBuf, String> {
    if let Some(command) = std::env::var_os("THREADPROOF_COMMAND") {
        return Ok(command.into());
    }
    let me = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = me.ancestors().nth(2).ok_or("the test lies in no target directory")?;
    let target = folder.parent().ok_or("the test lies in no target directory")?;
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "test",
        Some(name) => name,
    };
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["build", "--quiet", "--package", "cli"]);
    cargo.args(["--profile", profile]).arg("--target-dir").arg(target);
    let output = cargo.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(folder.join(format!("threadproof{}", std::env::consts::EXE_SUFFIX)))
}

fn run(command: &Path, root: &Path, file: &str) -> Result<(), String> {
    let case = c_case::read(&root.join(file))?;
    for run in &case.runs {
        let asked = |more: &[&str]| ask(command, root, file, run, more);
        let coarse = asked(&[])?;
        let mut answers = vec![("auto", coarse.clone())];
        if !run.arguments.iter().any(|argument| argument == "--reduction") {
            for reduction in ["global", "superstep"] {
                answers.push((reduction, asked(&["--reduction", reduction])?));
            }
        }
        for (reduction, answer) in answers {
            compare(&case, &run.verdict, &answer)
                .map_err(|error| format!("{:?}, {reduction}: {error}", run.arguments))?;
        }
        if asked(&["--jobs", "1"])? != coarse {
            return Err(format!("{:?}: one worker answers in other words", run.arguments));
        }
    }
    Ok(())
}

/// The answer of the command as JSON.
fn ask(
    command: &Path,
    root: &Path,
    file: &str,
    run: &CRun,
    more: &[&str],
) -> Result<Value, String> {
    let mut command = Command::new(command);
    command.current_dir(root).args(["check", file, "--format", "json", "--no-timing"]);
    if !run.arguments.iter().any(|argument| argument == "--time") {
        command.args(["--time", TIME_PER_RUN]);
    }
    command.args(more).args(&run.arguments);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let code = output.status.code();
    let errors = || String::from_utf8_lossy(&output.stderr).into_owned();
    if !matches!(code, Some(0 | 1 | 3)) {
        return Err(format!("{:?} {more:?}: exit code {code:?}: {}", run.arguments, errors()));
    }
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{:?}: no JSON: {error}: {}", run.arguments, errors()))?;
    let code_of_verdict = match answer["verdict"].as_str() {
        Some("holds") => 0,
        Some("violated") => 1,
        _ => 3,
    };
    if code != Some(code_of_verdict) {
        return Err(format!("exit code {code:?} with {}", answer["verdict"]));
    }
    Ok(answer)
}

fn compare(case: &CCase, expected: &Expected, answer: &Value) -> Result<(), String> {
    let verdict = answer["verdict"].as_str().unwrap_or_default();
    let (name, words, got) = match expected {
        Expected::Holds => ("holds", None, String::new()),
        Expected::Violated(words) => ("violated", words.as_ref(), error(answer)),
        Expected::Unknown(words) => ("unknown", words.as_ref(), answer["reason"].to_string()),
    };
    if verdict != name {
        let why = [error(answer), answer["reason"].to_string()].join(" ");
        return Err(format!("expected {expected:?}, got {verdict}: {why}"));
    }
    if let Some(words) = words.filter(|words| !got.contains(*words)) {
        return Err(format!("expected \"{words}\", got {got}"));
    }
    if let Some(note) = case.note.as_ref().filter(|note| !has_note(answer, note)) {
        return Err(format!("no remark says \"{note}\": {}", answer["notes"]));
    }
    match answer["n_threads"].as_u64() {
        Some(n) if case.n_threads.is_some_and(|size| !size.admits(n as usize)) => {
            Err(format!("{n} threads, expected {:?}", case.n_threads))
        }
        _ => Ok(()),
    }
}

fn has_note(answer: &Value, words: &str) -> bool {
    let notes = answer["notes"].as_array().into_iter().flatten();
    notes.filter_map(Value::as_str).any(|note| note.contains(words))
}

fn error(answer: &Value) -> String {
    answer["error"].as_str().unwrap_or_default().to_owned()
}
