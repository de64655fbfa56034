//! What every fuzz target checks of the front end: no panic, an error whenever
//! there is no model, labels inside of their texts, and conversions that can be
//! read again.
//!
//! Run one with `cargo +nightly fuzz run spec`. The same checks run on fixed
//! mutations in `crates/frontend/tests/mutations.rs`, without a nightly compiler.

use frontend::{Converted, Inputs, Language, convert, load};
use model::SourceFile;

/// Checks one input. Everything after a NUL character is the text of `--target`.
pub fn check(bytes: &[u8], language: Language) {
    let text = String::from_utf8_lossy(bytes);
    let (model, target) = match text.split_once('\0') {
        Some((model, target)) => (model, Some(target)),
        None => (text.as_ref(), None),
    };
    let file = |text: &str| SourceFile { name: "fuzzed".to_owned(), text: text.to_owned() };
    let mut files = vec![file(model)];
    files.extend(target.map(file));
    let target = target.map(|_| 1);
    let inputs = Inputs { target, ..Inputs::of(&files, language) };
    let (model, diagnostics) = load(&inputs);
    assert_eq!(model.is_none(), diagnostics.iter().any(|one| one.is_error()));
    for label in diagnostics.iter().flat_map(|one| &one.labels) {
        let text = &files[label.span.file as usize].text;
        assert!(text.get(label.span.start as usize..label.span.end as usize).is_some());
    }
    if let Some(converted) = model.and_then(|model| convert(&model, language).ok()) {
        reread(converted, language);
    }
}

fn reread(converted: Converted, language: Language) {
    let mut files = vec![SourceFile { name: "printed".to_owned(), text: converted.text }];
    let mut add = |text: Option<String>| {
        text.map(|text| {
            files.push(SourceFile { name: "option".to_owned(), text });
            files.len() - 1
        })
    };
    let (property, init) = (add(converted.property), add(converted.init));
    let target = add(converted.target);
    let inputs = Inputs { property, init, target, ..Inputs::of(&files, language) };
    let (model, diagnostics) = load(&inputs);
    assert!(model.is_some(), "{diagnostics:?} {files:?}");
}
