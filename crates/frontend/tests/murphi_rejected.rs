//! The rejected Murphi models under `cases/` give exactly the errors that their
//! comments announce, on those lines; and every code of Murphi has a case.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use frontend::murphi::{ReadOptions, read};
use frontend::{AnyNumber, CODES, Inputs, Language, load};
use model::{Diagnostic, SourceFile};

/// Warnings, and errors that need an option or a later stage.
const WITHOUT_CASE: &[&str] = &["MU021", "MU022", "MU090"];

fn line_of(text: &str, diagnostic: &Diagnostic) -> usize {
    1 + text[..diagnostic.labels[0].span.start as usize].matches('\n').count()
}

/// The codes of a line, from comments such as `--~ ERROR MU001`.
fn expected(line: &str) -> Vec<String> {
    line.split("~ ERROR ").skip(1).map(|rest| rest.chars().take(5).collect()).collect()
}

/// Reads a model with the arguments of its first line. Is it accepted?
fn read_as_told(text: &str) -> (bool, Vec<Diagnostic>) {
    let first = text.lines().next().unwrap_or_default();
    let told: Vec<&str> = first.split_whitespace().collect();
    let ["--@", "args:", "--threads", "any", rest @ ..] = &told[..] else {
        let strict = told == ["--@", "args:", "--strict"];
        let (reader, diagnostics) =
            read(text, 0, &ReadOptions { strict, ..ReadOptions::default() });
        return (reader.is_some(), diagnostics);
    };
    let parameter = match rest {
        ["--param", name, ..] => Some(*name),
        _ => None,
    };
    let files = [SourceFile { name: "model".to_owned(), text: text.to_owned() }];
    let any_number = Some(AnyNumber { parameter });
    let (model, diagnostics) = load(&Inputs { any_number, ..Inputs::of(&files, Language::Murphi) });
    (model.is_some(), diagnostics)
}

fn check(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("a readable case");
    let (is_accepted, diagnostics) = read_as_told(&text);
    assert!(!is_accepted, "{} is accepted", path.display());
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for diagnostic in diagnostics.iter().filter(|one| one.is_error()) {
        found.entry(line_of(&text, diagnostic)).or_default().push(diagnostic.code.to_owned());
    }
    let lines = (1..).zip(text.lines()).map(|(n, line)| (n, expected(line)));
    let wanted: BTreeMap<usize, Vec<String>> =
        lines.filter(|(_, codes)| !codes.is_empty()).collect();
    assert_eq!(found, wanted, "{}: {diagnostics:#?}", path.display());
    wanted.into_values().flatten().collect()
}

#[test]
fn every_rejected_model_gives_the_errors_it_announces() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/murphi/rejected");
    let entries = fs::read_dir(&folder).expect("the folder of cases is readable");
    let mut seen = BTreeSet::new();
    for entry in entries {
        seen.extend(check(&entry.expect("its entries are readable").path()));
    }
    for (code, _) in CODES.iter().filter(|(code, _)| code.starts_with("MU")) {
        assert!(WITHOUT_CASE.contains(code) || seen.contains(*code), "{code} has no case");
    }
}
