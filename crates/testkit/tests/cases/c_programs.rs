//! Case files in C go through the command itself, as users run it.
//!
//! Each question is asked with steps as coarse as they may be and with steps from
//! access to access; both must give the verdict in the header. The first is asked
//! again with one worker, and must be answered in the same words.
//!
//! Only the first question lets the command search for clang: most of the time of
//! these tests is clang's, and half of that the search.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use libtest_mimic::{Failed, Trial};
use model::Rule;
use serde_json::Value;
use testkit::c_case::{self, CCase, CRun};
use testkit::case::{self, Expected};

/// Cases are small: none needs a tenth of this.
const TIME_PER_RUN: &str = "30s";

/// Cases whose names mislead whoever guesses the broken rule from a message.
const RULES_FOLDER: &str = "cases/c/rules";

/// The rules that C programs can break, and what witnesses say is violated.
const SPECIFICATIONS: &[(Rule, Option<&str>)] = &[
    (Rule::Assertion, Some("G ! call(reach_error())")),
    (Rule::MemorySafety, Some("G valid-deref")),
    (Rule::InvalidFree, Some("G valid-free")),
    (Rule::MemoryLeak, Some("G valid-memtrack")),
    (Rule::UninitialisedMemory, Some("G ! uninitialised-memory")),
    (Rule::MutexMisuse, Some("G ! mutex-misuse")),
    (Rule::ThreadMisuse, Some("G ! thread-misuse")),
    (Rule::InvalidCall, Some("G ! invalid-call")),
    (Rule::Overflow, Some("G ! overflow")),
    (Rule::Division, Some("G ! division")),
    (Rule::Alignment, Some("G ! alignment")),
    (Rule::Race, Some("G ! data-race")),
    (Rule::Deadlock, Some("G ! deadlock")),
    (Rule::Reachable, Some("G ! reachable")),
    // The formats tell of runs that end.
    (Rule::Liveness, None),
];

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
    let Some(&clang) = CLANGS.iter().find(|name| works(name)) else {
        return vec![Trial::test("C programs: skipped, clang is missing", || Ok(()))];
    };
    let command = match built_command(root) {
        Ok(command) => command,
        Err(why) => return vec![Trial::test("C programs", || Err(Failed::from(why)))],
    };
    let trials = paths.into_iter().map(|path| {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let (command, root) = (command.clone(), root.to_path_buf());
        let file = name.clone();
        Trial::test(name, move || run(&command, clang, &root, &file).map_err(Failed::from))
    });
    let every_rule = Trial::test("every rule that C programs break has a case", {
        let folder = root.join(RULES_FOLDER);
        move || every_rule_has_a_case(&folder).map_err(Failed::from)
    });
    trials.chain([every_rule]).collect()
}

fn every_rule_has_a_case(folder: &Path) -> Result<(), String> {
    let mut rules = Vec::new();
    for path in case::files_ending(folder, &["c"]) {
        rules.extend(c_case::read(&path)?.rule);
    }
    for (rule, _) in SPECIFICATIONS {
        if !rules.contains(rule) {
            return Err(format!("{} has no case for `{}`", folder.display(), rule.name()));
        }
    }
    Ok(())
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

fn run(command: &Path, clang: &str, root: &Path, file: &str) -> Result<(), String> {
    let case = c_case::read(&root.join(file))?;
    for run in &case.runs {
        let asking = Asking { command, root, file, run };
        let asked_again = |more: [&str; 2]| ask(&asking, &[more[0], more[1], "--clang", clang]);
        if let (Some(rule), Expected::Violated(_)) = (case.rule, &run.verdict) {
            names_rule(&asking, rule)?;
        }
        let coarse = ask(&asking, &[])?;
        let mut answers = vec![("auto", coarse.clone())];
        if !run.arguments.iter().any(|argument| argument == "--reduction") {
            for reduction in ["global", "superstep"] {
                answers.push((reduction, asked_again(["--reduction", reduction])?));
            }
        }
        for (reduction, answer) in answers {
            compare(&case, run, &answer)
                .map_err(|error| format!("{:?}, {reduction}: {error}", run.arguments))?;
        }
        if asked_again(["--jobs", "1"])? != coarse {
            return Err(format!("{:?}: one worker answers in other words", run.arguments));
        }
    }
    Ok(())
}

/// A run that the command is to make.
struct Asking<'a> {
    command: &'a Path,
    root: &'a Path,
    file: &'a str,
    run: &'a CRun,
}

impl Asking<'_> {
    fn output(&self, format: &str, more: &[&str]) -> Result<Output, String> {
        let mut command = Command::new(self.command);
        command.current_dir(self.root).args(["check", self.file, "--no-timing"]);
        command.args(["--format", format]);
        if !self.run.arguments.iter().any(|argument| argument == "--time") {
            command.args(["--time", TIME_PER_RUN]);
        }
        command.args(more).args(&self.run.arguments);
        command.stdin(Stdio::null()).output().map_err(|error| error.to_string())
    }
}

/// Do SARIF and both formats of witnesses name the rule?
fn names_rule(asking: &Asking<'_>, rule: Rule) -> Result<(), String> {
    let told = asking.output("sarif", &[])?;
    let told: Value = serde_json::from_slice(&told.stdout).map_err(|error| error.to_string())?;
    let id = &told["runs"][0]["results"][0]["ruleId"];
    if id != rule.name() {
        return Err(format!("SARIF names the rule {id}, expected `{}`", rule.name()));
    }
    let expected = SPECIFICATIONS.iter().find(|(known, _)| *known == rule);
    let Some((_, expected)) = expected else {
        return Err(format!("C programs cannot break `{}`", rule.name()));
    };
    let stem = Path::new(asking.file).file_stem().and_then(|stem| stem.to_str());
    let folder = std::env::temp_dir();
    for ending in ["yml", "graphml"] {
        let name = format!("{}-{}.{ending}", stem.unwrap_or_default(), std::process::id());
        let witness = folder.join(name);
        let written = asking.output("json", &["--witness", &witness.display().to_string()]);
        let text = std::fs::read_to_string(&witness).ok();
        let _ = std::fs::remove_file(&witness);
        written?;
        let found = text.as_deref().and_then(specification);
        if found != *expected {
            return Err(format!("the .{ending} witness says {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// What a witness says is violated.
fn specification(witness: &str) -> Option<&str> {
    let (_, rest) = witness.split_once("CHECK( init(main()), LTL(")?;
    rest.split_once(") )").map(|(formula, _)| formula)
}

/// The answer of the command as JSON.
fn ask(asking: &Asking<'_>, more: &[&str]) -> Result<Value, String> {
    let run = asking.run;
    let output = asking.output("json", more)?;
    let code = output.status.code();
    let errors = || String::from_utf8_lossy(&output.stderr).into_owned();
    if !matches!(code, Some(0 | 1 | 3)) {
        return Err(format!("{:?} {more:?}: exit code {code:?}: {}", run.arguments, errors()));
    }
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{:?}: no JSON: {error}: {}", run.arguments, errors()))?;
    let code_of_verdict = match answer["verdict"].as_str() {
        Some("holds") if not_granted(run, &answer).is_some() => 3,
        Some("holds") => 0,
        Some("violated") => 1,
        _ => 3,
    };
    if code != Some(code_of_verdict) {
        return Err(format!("exit code {code:?} with {}", answer["verdict"]));
    }
    Ok(answer)
}

/// What an answer presumes and the arguments do not ask for.
fn not_granted(run: &CRun, answer: &Value) -> Option<String> {
    let is_granted = run.arguments.windows(2).any(|pair| pair == ["--memory-model", "sc"]);
    answer["presumes"].as_str().filter(|_| !is_granted).map(str::to_owned)
}

fn compare(case: &CCase, run: &CRun, answer: &Value) -> Result<(), String> {
    let expected = &run.verdict;
    let verdict = answer["verdict"].as_str().unwrap_or_default();
    let (name, words, got) = match expected {
        Expected::Holds => ("holds", None, String::new()),
        Expected::Violated(words) => ("violated", words.as_ref(), error(answer)),
        Expected::Unknown(words) => ("unknown", words.as_ref(), answer["summary"].to_string()),
    };
    if verdict != name {
        let why = [error(answer), answer["reason"].to_string()].join(" ");
        return Err(format!("expected {expected:?}, got {verdict}: {why}"));
    }
    let presumed = not_granted(run, answer);
    if presumed != run.presumes {
        return Err(format!("presumes {presumed:?}, expected {:?}", run.presumes));
    }
    if let Some(words) = words.filter(|words| !got.contains(*words)) {
        return Err(format!("expected \"{words}\", got {got}"));
    }
    if let Some(note) = case.note.as_ref().filter(|note| !has_note(answer, note)) {
        return Err(format!("no remark says \"{note}\": {}", answer["notes"]));
    }
    if let Some(rule) = case.rule.filter(|rule| name == "violated" && answer["rule"] != rule.name())
    {
        return Err(format!("rule {}, expected `{}`", answer["rule"], rule.name()));
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
