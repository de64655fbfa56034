//! Decides whether every dependency that a manifest declares is used: one of the
//! workspace by some crate, one of a crate by a source file of that crate.
//!
//! A source uses a crate when a path starts with its name. Comments, texts, and
//! variables and modules of the same name do not count.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use toml::{Table, Value};

use super::sources::Source;

const ROOT: &str = "Cargo.toml";

/// The tables of a manifest that name dependencies, and where those must be used:
/// what ships in `src`, the rest anywhere in the crate.
const TABLES: &[(&str, &str)] =
    &[("dependencies", "src/"), ("dev-dependencies", ""), ("build-dependencies", "build.rs")];

/// A crate's manifest.
struct Manifest {
    /// Its folder, relative to the root, with a slash at the end.
    folder: String,
    content: Table,
}

/// Complaints about dependencies that nobody uses.
pub fn check(root: &Path, files: &[String], sources: &[Source]) -> Result<Vec<String>> {
    let workspace = read(root, ROOT)?;
    let mut crates = Vec::new();
    for path in files.iter().filter(|path| path.ends_with("/Cargo.toml")) {
        let folder = path.trim_end_matches("Cargo.toml").to_owned();
        crates.push(Manifest { folder, content: read(root, path)? });
    }
    // Crates outside of the workspace (`fuzz`) name versions of their own, and their
    // sources are not read.
    crates.retain(|one| sources.iter().any(|source| source.path.starts_with(&one.folder)));
    let mut complaints = unused_by_all(&workspace, &crates);
    for one in &crates {
        complaints.extend(unused_by(one, sources)?);
    }
    Ok(complaints)
}

fn read(root: &Path, path: &str) -> Result<Table> {
    let text = std::fs::read_to_string(root.join(path)).with_context(|| path.to_owned())?;
    Table::from_str(&text).with_context(|| format!("{path} does not parse"))
}

/// Dependencies of the workspace that no crate declares.
fn unused_by_all(workspace: &Table, crates: &[Manifest]) -> Vec<String> {
    let declared = workspace.get("workspace").and_then(Value::as_table);
    let declared = declared.map(|table| names(table, "dependencies")).unwrap_or_default();
    let used: BTreeSet<String> = crates
        .iter()
        .flat_map(|one| TABLES.iter().flat_map(|(table, _)| names(&one.content, table)))
        .collect();
    let unused = declared.into_iter().filter(|name| !used.contains(name));
    unused.map(|name| format!("{ROOT}: no crate depends on `{name}`")).collect()
}

/// Dependencies of a crate that its sources do not mention.
fn unused_by(manifest: &Manifest, sources: &[Source]) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for (table, place) in TABLES {
        let declared = names(&manifest.content, table);
        if declared.is_empty() {
            continue;
        }
        let place = format!("{}{place}", manifest.folder);
        let mut used = BTreeSet::new();
        for source in sources.iter().filter(|source| source.path.starts_with(&place)) {
            let tokens = TokenStream::from_str(&source.text);
            // The syntax tree of this text exists, so its tokens do.
            path_starts(tokens.map_err(|_| anyhow::anyhow!("{}", source.path))?, &mut used);
        }
        let unused = declared.into_iter().filter(|name| !used.contains(&name.replace('-', "_")));
        complaints.extend(unused.map(|name| {
            format!("{}{ROOT}: `{name}` of [{table}] is not used in {place}", manifest.folder)
        }));
    }
    Ok(complaints)
}

fn names(manifest: &Table, table: &str) -> Vec<String> {
    let table = manifest.get(table).and_then(Value::as_table);
    table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

/// Collects the names that paths start with: before `::` and not behind it, or alone
/// behind `use`.
fn path_starts(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |idx: usize| matches!(tokens.get(idx), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    for (idx, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                let is_behind_use =
                    idx > 0 && matches!(&tokens[idx - 1], TokenTree::Ident(word) if word == "use");
                let is_within = idx > 1 && is_colon(idx - 1) && is_colon(idx - 2);
                let is_start = is_colon(idx + 1) && is_colon(idx + 2) && !is_within;
                if is_behind_use || is_start {
                    found.insert(name.to_string());
                }
            }
            TokenTree::Group(group) => path_starts(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use toml::Table;

    use super::{Manifest, unused_by, unused_by_all};
    use crate::tidy::sources::Source;

    fn manifest(folder: &str, text: &str) -> Manifest {
        let content = Table::from_str(text).expect("a manifest");
        Manifest { folder: folder.to_owned(), content }
    }

    fn source(path: &str, text: &str) -> Source {
        let tree = syn::parse_file(text).expect("a source");
        Source { path: path.to_owned(), text: text.to_owned(), tree }
    }

    #[test]
    fn a_dependency_of_the_workspace_that_no_crate_declares_is_found() {
        let workspace = Table::from_str("[workspace.dependencies]\nlogos = \"1\"\nmicrolp = \"1\"")
            .expect("a manifest");
        let crates = [manifest("crates/a/", "[dev-dependencies]\nlogos = { workspace = true }")];
        assert_eq!(
            unused_by_all(&workspace, &crates),
            ["Cargo.toml: no crate depends on `microlp`"]
        );
    }

    #[test]
    fn a_dependency_of_a_crate_that_only_a_comment_mentions_is_found() {
        let one = manifest("crates/a/", "[dependencies]\nlogos = \"1\"\nrustc-hash = \"2\"");
        let sources = [
            source(
                "crates/a/src/lib.rs",
                "//! Not logos::Logos.\nuse rustc_hash::FxHashMap;\nuse crate::logos::A;
                 fn f(logos: u8) {}",
            ),
            source("crates/ab/src/lib.rs", "use logos::Logos;"),
        ];
        let complaints = unused_by(&one, &sources).expect("texts are read");
        assert_eq!(
            complaints,
            ["crates/a/Cargo.toml: `logos` of [dependencies] is not used in crates/a/src/"]
        );
    }

    #[test]
    fn what_ships_is_not_used_by_tests_alone() {
        let sources = [
            source("crates/a/src/lib.rs", "#[derive(Debug)]\npub struct A;"),
            source("crates/a/tests/a.rs", "fn f() { proptest::run(); }"),
        ];
        let of = |table: &str| {
            let one = manifest("crates/a/", &format!("[{table}]\nproptest = \"1\""));
            unused_by(&one, &sources).expect("texts are read").len()
        };
        assert_eq!(of("dependencies"), 1);
        assert_eq!(of("dev-dependencies"), 0);
    }
}
