//! Every net and thread transition system of the public suites loads without an
//! error. The suites are not part of this repository: set `THREADPROOF_SUITES`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use frontend::{Inputs, Language, convert, load};
use model::SourceFile;

fn suites() -> Option<PathBuf> {
    std::env::var_os("THREADPROOF_SUITES").map(PathBuf::from)
}

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder of the suites is readable");
    for entry in entries {
        let path = entry.expect("its entries are readable").path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|known| known == extension) {
            found.push(path);
        }
    }
}

fn source(path: &Path) -> SourceFile {
    let text = String::from_utf8_lossy(&fs::read(path).expect("a readable file")).into_owned();
    SourceFile { name: path.display().to_string(), text }
}

/// Files with a mistake in them that has no obvious reading; their verdicts are not
/// known either.
const REFUSED: &[(&str, &str)] = &[
    // A rule assigns `notflageqj` twice.
    ("Javaprograms/queuedbusyflag.spec", "SP008"),
    // A rule adds `pendingSU` to another variable and does not empty it.
    ("broad_inhib/futurebus.spec", "SP009"),
];

fn check(path: &Path, language: Language) {
    let mut texts = vec![source(path)];
    let property = path.with_extension("prop");
    let property = property.exists().then(|| {
        texts.push(source(&property));
        1
    });
    let inputs = Inputs { property, ..Inputs::of(&texts, language) };
    let start = Instant::now();
    let (model, diagnostics) = load(&inputs);
    let elapsed = start.elapsed();
    if let Some((_, code)) = REFUSED.iter().find(|(name, _)| path.ends_with(name)) {
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [*code], "{}", path.display());
        return;
    }
    let model = model.unwrap_or_else(|| panic!("{}: {diagnostics:#?}", path.display()));
    assert!(elapsed.as_millis() < 1000, "{} took {elapsed:?}", path.display());
    for to in [Language::Spec, Language::Tts, Language::Pnml] {
        // Refusals are fine; what is written must be readable.
        let Ok(converted) = convert(&model, to) else { continue };
        reload(converted, to, path);
    }
}

fn reload(converted: frontend::Converted, language: Language, path: &Path) {
    let mut files = vec![SourceFile { name: "converted".to_owned(), text: converted.text }];
    let mut add = |text: Option<String>| {
        text.map(|text| {
            files.push(SourceFile { name: "option".to_owned(), text });
            files.len() - 1
        })
    };
    let property = add(converted.property);
    let init = add(converted.init);
    let target = add(converted.target);
    let inputs = Inputs { property, init, target, ..Inputs::of(&files, language) };
    let (model, diagnostics) = load(&inputs);
    assert!(model.is_some(), "{} as {language:?}: {diagnostics:#?}", path.display());
}

fn check_all(folder: &str, language: Language, at_least: usize) {
    let Some(root) = suites() else {
        say_skipped();
        return;
    };
    let mut found = Vec::new();
    files(&root.join(folder), language.extension(), &mut found);
    assert!(found.len() >= at_least, "only {} files", found.len());
    for path in found {
        check(&path, language);
    }
}

#[allow(clippy::print_stderr)]
fn say_skipped() {
    eprintln!("skipped: THREADPROOF_SUITES is not set");
}

#[test]
fn every_net_of_the_suites_loads_and_converts() {
    check_all("nets", Language::Spec, 70);
}

#[test]
fn every_thread_transition_system_of_the_suites_loads_and_converts() {
    check_all("tts", Language::Tts, 70);
}
