//! The rejected inputs under `cases/` give exactly the errors that their comments
//! announce, on those lines; and every error code has a case and a page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use frontend::{CODES, Inputs, Language, load};
use model::{Diagnostic, Severity, SourceFile};

/// Codes that no small file can show.
const WITHOUT_CASE: &[&str] = &["FE001", "FE002"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cases() -> Vec<(PathBuf, Language)> {
    let mut cases = Vec::new();
    for language in [Language::Spec, Language::Tts, Language::Pnml, Language::BooleanProgram] {
        let folder = root().join("cases").join(language.extension()).join("rejected");
        let entries = fs::read_dir(&folder).expect("the folder of cases is readable");
        for entry in entries {
            cases.push((entry.expect("its entries are readable").path(), language));
        }
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

/// The codes of a line, from comments such as `#~ ERROR SP001`.
fn expected(line: &str) -> Vec<String> {
    line.split("~ ERROR ").skip(1).map(|rest| rest.chars().take(5).collect()).collect()
}

/// A case with the options that its comments give.
struct Case {
    files: Vec<SourceFile>,
    init: Option<usize>,
    target: Option<usize>,
    formula: Option<usize>,
    /// For each file, the line of the case that it stands on; the case itself is at 0.
    lines: Vec<usize>,
}

fn read(path: &Path) -> Case {
    let text = fs::read_to_string(path).expect("a readable case");
    let name = path.display().to_string();
    let mut case = Case {
        files: vec![SourceFile { name, text: text.clone() }],
        init: None,
        target: None,
        formula: None,
        lines: vec![0],
    };
    for (idx, line) in text.lines().enumerate() {
        let Some((_, args)) = line.split_once("@ args: ") else { continue };
        let args = args.split(" #~").next().unwrap_or("").split(" -->").next().unwrap_or("");
        let (option, value) = args.split_once(' ').expect("an option and its value");
        case.files.push(SourceFile { name: option.to_owned(), text: value.to_owned() });
        case.lines.push(idx + 1);
        match option {
            "--init" => case.init = Some(case.files.len() - 1),
            "--target" => case.target = Some(case.files.len() - 1),
            "--ltl" => case.formula = Some(case.files.len() - 1),
            _ => panic!("{}: unknown option {option}", path.display()),
        }
    }
    case
}

fn line_of(case: &Case, diagnostic: &Diagnostic) -> usize {
    let span = diagnostic.labels[0].span;
    match span.file {
        0 => 1 + case.files[0].text[..span.start as usize].matches('\n').count(),
        file => case.lines[file as usize],
    }
}

fn check(path: &Path, language: Language) -> BTreeSet<String> {
    let case = read(path);
    let inputs = Inputs {
        init: case.init,
        target: case.target,
        formula: case.formula,
        ..Inputs::of(&case.files, language)
    };
    let (model, diagnostics) = load(&inputs);
    assert!(model.is_none(), "{} is accepted", path.display());
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for diagnostic in diagnostics.iter().filter(|one| one.severity == Severity::Error) {
        found.entry(line_of(&case, diagnostic)).or_default().push(diagnostic.code.to_owned());
    }
    let lines = (1..).zip(case.files[0].text.lines());
    let wanted: BTreeMap<usize, Vec<String>> =
        lines.map(|(n, line)| (n, expected(line))).filter(|(_, codes)| !codes.is_empty()).collect();
    assert_eq!(found, wanted, "{}: {diagnostics:#?}", path.display());
    wanted.into_values().flatten().collect()
}

#[test]
fn every_rejected_case_gives_the_errors_it_announces() {
    let mut seen = BTreeSet::new();
    for (path, language) in cases() {
        seen.extend(check(&path, language));
    }
    let warnings = ["BP013", "BP014", "PN016", "SP011", "SP013", "TT009"];
    for (code, _) in CODES {
        // The codes of Murphi have their cases in `murphi_rejected.rs`.
        let elsewhere = code.starts_with("MU");
        let exempt = elsewhere || WITHOUT_CASE.contains(code) || warnings.contains(code);
        assert!(exempt || seen.contains(*code), "{code} has no case");
    }
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let folder = root().join("docs/book/src/diagnostics");
    let entries = fs::read_dir(&folder).expect("the folder of pages is readable");
    let pages: BTreeSet<String> = entries
        .map(|entry| entry.expect("its entries are readable").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| name != "index")
        .collect();
    let codes: BTreeSet<String> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
    assert_eq!(pages, codes);
    for (code, summary) in CODES {
        let page = fs::read_to_string(folder.join(format!("{code}.md"))).expect("a page");
        assert!(page.starts_with(&format!("# {code}: {summary}\n")), "{code}");
    }
}
