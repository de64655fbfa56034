//! Every Murphi model of the public suites is read or rejected as expected. The
//! suites are not part of this repository: set `THREADPROOF_SUITES`.

use std::fs;
use std::path::{Path, PathBuf};

use frontend::murphi::{ReadOptions, read};

/// Rejected though their verdict is unknown: a `for` and a `forall` bind two names, and
/// multisets are compared.
const REFUSED: &[&str] = &[
    "paraverifier/examples__n_german2004Lyj.m",
    "paraverifier/examples__n_godsont.m",
    "romp/tests__bad__multiset_test.m",
];

/// Tests of the language whose outcome is decided elsewhere or that we refuse.
const EXEMPT: &[(&str, &str)] = &[
    ("bound-illegal.m", "an option of another tool is wrong, not the model"),
    ("uint64-model.m", "its numbers need 64 bits without sign"),
];

/// The folder of the models, or a remark that the test is skipped.
#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
fn folder() -> Option<PathBuf> {
    let suites = std::env::var_os("THREADPROOF_SUITES").map(PathBuf::from);
    if suites.is_none() {
        eprintln!("skipped: THREADPROOF_SUITES is not set");
    }
    suites.map(|suites| suites.join("murphi"))
}

/// The first columns of a table: file, outcome, and the one behind.
fn table(path: &Path) -> Vec<[String; 3]> {
    let text = fs::read_to_string(path).expect("a readable table");
    let column = |line: &str, idx| line.split(',').nth(idx).unwrap_or("").to_owned();
    text.lines().skip(1).map(|line| [0, 1, 2].map(|idx| column(line, idx))).collect()
}

/// Is the model read? Otherwise what is wrong with it.
fn outcome(path: &Path, strict: bool) -> Result<(), String> {
    let text = String::from_utf8_lossy(&fs::read(path).expect("a readable model")).into_owned();
    let options = ReadOptions { strict, ..ReadOptions::default() };
    let (reader, diagnostics) = read(&text, 0, &options);
    reader.map(|_| ()).ok_or_else(|| format!("{}: {diagnostics:#?}", path.display()))
}

#[test]
fn every_model_is_read() {
    let Some(folder) = folder() else { return };
    for [file, _, _] in table(&folder.join("expected.csv")) {
        let outcome = outcome(&folder.join(&file), false);
        assert_eq!(outcome.is_err(), REFUSED.contains(&file.as_str()), "{file}: {outcome:?}");
    }
}

#[test]
fn the_tests_of_the_language_are_read_or_rejected_as_expected() {
    let Some(folder) = folder().map(|folder| folder.join("language")) else { return };
    for [file, expected, dialect] in table(&folder.join("expected.csv")) {
        if EXEMPT.iter().any(|(exempt, _)| *exempt == file) {
            continue;
        }
        let rejected = expected == "rejected";
        for strict in [false, true] {
            if !strict || dialect == "standard" {
                let outcome = outcome(&folder.join(&file), strict);
                assert_eq!(outcome.is_err(), rejected, "{file} {strict}: {outcome:?}");
            }
        }
    }
}
