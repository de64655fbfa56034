//! What is printed is what is meant: a Murphi model that is written as text and read again takes
//! the same steps, in full and as the abstract model of a few elements and Other. rumur gives the
//! same verdicts on abstract models.
//!
//! All models of `cases/`, `examples/` and `models/`; with `THREADPROOF_SUITES` also those of
//! `murphi/` there.
#![allow(clippy::print_stdout, reason = "how much was compared belongs in the log")]

mod lockstep;
mod rumur;

use std::path::{Path, PathBuf};

use frontend::murphi::family::{FamilyRequest, Keep, abstracted};
use frontend::murphi::print::print;
use frontend::murphi::typed::Program;
use frontend::murphi::{MurphiModel, ReadOptions, read};
use model::Span;

/// States of each model that are compared.
const MAX_STATES: usize = 400;

#[test]
fn a_model_that_is_printed_means_the_same() {
    let (mut n_models, mut n_states, mut wrong) = (0, 0, Vec::new());
    for path in models() {
        let Some(text) = text_of(&path) else { continue };
        let Some(program) = program(&text) else { continue };
        let printed = print(&program, None).expect("there is no parameter");
        match compared(program, &printed) {
            Ok(n) => (n_models, n_states) = (n_models + 1, n_states + n),
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    println!("{n_models} models, {n_states} states compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_models > 100, "only {n_models} models were compared");
}

#[test]
fn an_abstract_model_that_is_printed_means_the_same() {
    let (mut n_models, mut n_states, mut wrong) = (0, 0, Vec::new());
    for path in models() {
        for is_defined in [false, true] {
            let Some((program, printed)) = abstract_model(&path, is_defined) else { continue };
            match compared(program, &printed) {
                Ok(n) => (n_models, n_states) = (n_models + 1, n_states + n),
                Err(error) => wrong.push(format!("{}: {error}", path.display())),
            }
        }
    }
    println!("{n_models} abstract models, {n_states} states compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_models > 50, "only {n_models} models were compared");
}

/// How many states of a program and of its text were compared.
fn compared(program: Program, printed: &str) -> Result<usize, String> {
    let (reader, diagnostics) = read(printed, 0, &ReadOptions::default());
    let Some(reader) = reader else { return Err(format!("{diagnostics:#?}\n{printed}")) };
    let Ok(meant) = MurphiModel::new(program) else { return Ok(0) };
    let said = MurphiModel::new(reader.program).map_err(|error| error.message)?;
    lockstep::compare(&meant, &said, MAX_STATES).map_err(|error| format!("{error}\n{printed}"))
}

/// The abstract model and its text, if there is one.
pub fn abstract_model(path: &Path, is_defined: bool) -> Option<(Program, String)> {
    let text = text_of(path)?;
    let options = ReadOptions::default();
    let request = FamilyRequest { text: &text, file: 0, options: &options, parameter: None };
    let keep = Keep { is_defined, ..Keep::default() };
    let model = abstracted(&request, keep).ok()?;
    let text = model.text("a model", Span::new(0, 0, 0)).ok()?;
    Some((model.program, text))
}

fn program(text: &str) -> Option<Program> {
    Some(read(text, 0, &ReadOptions::default()).0?.program)
}

/// The text of a model. Those in Latin-1 are left out.
fn text_of(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// All models.
pub fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders =
        ["cases/murphi", "examples/murphi", "models"].map(|one| root.join(one)).to_vec();
    match std::env::var_os("THREADPROOF_SUITES") {
        Some(suites) => folders.push(Path::new(&suites).join("murphi")),
        None => println!("without the suites: THREADPROOF_SUITES is not set"),
    }
    let mut found = Vec::new();
    folders.iter().for_each(|folder| list(folder, &mut found));
    found.sort();
    found
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    for entry in entries {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            list(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
}
