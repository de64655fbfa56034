//! Machine code and interpreter agree on Murphi models, state by state: initial
//! states, successors with their choices, enabled rules, faults, judgements.
//!
//! Looks at our own cases and examples, and at the public suites in the folder that
//! `THREADPROOF_SUITES` names.
#![allow(clippy::print_stdout, reason = "how much was compared belongs in the log")]

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use frontend::murphi::lower::lower;
use frontend::murphi::{MurphiModel, ReadOptions, read};
use model::{Judgement, Limits, Stepper, StopReason, Successors, TransitionSystem};

/// States of each model that are compared.
const MAX_STATES: usize = 2000;

/// Time for each model.
const TIME_PER_MODEL: Duration = Duration::from_secs(4);

#[test]
fn machine_code_agrees_with_the_interpreter_on_cases_and_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = models_below(&root.join("cases/murphi"));
    files.extend(models_below(&root.join("examples/murphi")));
    assert!(compare_all(&files) > 0, "nothing was compared");
}

#[test]
fn machine_code_agrees_with_the_interpreter_on_public_suites() {
    let Some(root) = std::env::var_os("THREADPROOF_SUITES") else {
        println!("skipped: THREADPROOF_SUITES is not set");
        return;
    };
    let files = models_below(&Path::new(&root).join("murphi"));
    assert!(compare_all(&files) > 0, "nothing was compared");
}

/// Compares all models that can be read; says how many. Fails where one differs.
fn compare_all(files: &[PathBuf]) -> usize {
    let (mut n_models, mut n_states, mut differences) = (0, 0, Vec::new());
    for file in files {
        let Some(model) = load(file) else { continue };
        n_models += 1;
        match compare(&model) {
            Ok(n) => n_states += n,
            Err(difference) => differences.push(format!("{}: {difference}", file.display())),
        }
    }
    println!("{n_models} models of {} files, {n_states} states compared", files.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    n_models
}

fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(models_below(&path));
        } else if path.extension().is_some_and(|ext| ext == "m") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The model, unless the text is no model.
fn load(file: &Path) -> Option<MurphiModel> {
    let text = std::fs::read(file).ok()?;
    let (reader, _) = read(&String::from_utf8_lossy(&text), 0, &ReadOptions::default());
    MurphiModel::new(reader?.program).ok()
}

/// Explores both side by side; says how many states were compared.
fn compare(model: &MurphiModel) -> Result<usize, String> {
    let compiled = jit::compile(lower(model.program(), model.layouts()), model)
        .map_err(|error| format!("does not compile: {error}"))?;
    let deadline = Some(Instant::now() + TIME_PER_MODEL);
    let limits = Limits { deadline, ..Limits::none() };
    let mut pair = Pair {
        reference: model.stepper(&limits),
        machine: compiled.stepper(&limits),
        n_words: model.state_words(),
    };
    match pair.explore() {
        Ok(n) | Err(Difference::Stopped(n)) => Ok(n),
        Err(Difference::Found(text)) => Err(text),
    }
}

/// Why a comparison ends early.
enum Difference {
    /// A limit was reached after so many states.
    Stopped(usize),
    /// They differ.
    Found(String),
}

struct Pair<'a> {
    reference: Box<dyn Stepper + Send + 'a>,
    machine: Box<dyn Stepper + Send + 'a>,
    n_words: usize,
}

impl Pair<'_> {
    fn explore(&mut self) -> Result<usize, Difference> {
        let mut seen = BTreeSet::new();
        let mut waiting = VecDeque::new();
        let initial = self.step(None, 0)?;
        note_new(&initial, &mut seen, &mut waiting);
        let mut n_states = 0;
        while let Some(state) = waiting.pop_front() {
            let successors = self.step(Some(&state), n_states)?;
            self.compare_judgements(&state, n_states)?;
            n_states += 1;
            note_new(&successors, &mut seen, &mut waiting);
        }
        Ok(n_states)
    }

    /// The successors of a state, or the initial states, from both.
    fn step(&mut self, state: Option<&[u64]>, n_states: usize) -> Result<Successors, Difference> {
        let mut expected = Successors::new(self.n_words);
        let mut found = Successors::new(self.n_words);
        let results = match state {
            None => [self.reference.initial(&mut expected), self.machine.initial(&mut found)],
            Some(state) => [
                self.reference.expand(state, &mut expected),
                self.machine.expand(state, &mut found),
            ],
        };
        stopped(results, n_states)?;
        let (expected_text, found_text) = (text_of(&expected), text_of(&found));
        if expected_text != found_text {
            let place = format!("after {n_states} states, {state:x?}");
            return Err(Difference::Found(format!(
                "{place}\n  interpreted: {}\n  compiled:    {}",
                first_difference(&expected_text, &found_text),
                first_difference(&found_text, &expected_text)
            )));
        }
        Ok(expected)
    }

    fn compare_judgements(&mut self, state: &[u64], n_states: usize) -> Result<(), Difference> {
        let (mut expected, mut found) = (Judgement::default(), Judgement::default());
        let results =
            [self.reference.judge(state, &mut expected), self.machine.judge(state, &mut found)];
        stopped(results, n_states)?;
        let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
        if expected != found {
            let text = format!("{state:x?}\n  interpreted: {expected}\n  compiled:    {found}");
            return Err(Difference::Found(text));
        }
        Ok(())
    }
}

fn stopped(results: [Result<(), StopReason>; 2], n_states: usize) -> Result<(), Difference> {
    let is_stopped = results.iter().any(Result::is_err);
    if is_stopped { Err(Difference::Stopped(n_states)) } else { Ok(()) }
}

/// One line for each thing that was found.
fn text_of(out: &Successors) -> Vec<String> {
    let states =
        (0..out.len()).map(|idx| format!("{:?} gives {:x?}", out.choice(idx), out.state(idx)));
    let faults = out.faults.iter().map(|fault| format!("{fault:?}"));
    let rest = [format!("{} enabled", out.n_enabled), format!("covered {:?}", out.covered)];
    states.chain(faults).chain(rest).collect()
}

fn first_difference(text: &[String], other: &[String]) -> String {
    let differing = text.iter().enumerate().find(|(idx, line)| other.get(*idx) != Some(line));
    differing.map_or_else(|| String::from("nothing more"), |(_, line)| line.clone())
}

fn note_new(
    successors: &Successors,
    seen: &mut BTreeSet<Vec<u64>>,
    waiting: &mut VecDeque<Vec<u64>>,
) {
    for idx in 0..successors.len() {
        let state = successors.state(idx).to_vec();
        if seen.len() < MAX_STATES && seen.insert(state.clone()) {
            waiting.push_back(state);
        }
    }
}
