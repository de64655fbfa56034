//! Decides whether documents name only what exists, whether every diagnostic
//! code has its page, and whether any text names a machine or unfinished work.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::sources::{self, Source};

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const MAX_ARCHITECTURE_LINES: usize = 300;

/// Written in halves, so that this file does not complain about itself.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("/wo", "rk/"), "names a machine path"),
    (concat!("/ro", "ot/"), "names a machine path"),
    (concat!("/ho", "me/"), "names a machine path"),
    (concat!("to", "do!("), "has an unfinished part"),
    (concat!("FIX", "ME"), "has an unfinished part"),
];

/// Complaints about documents and about texts of all kinds.
pub fn check(root: &Path, files: &[String], sources: &[Source]) -> Result<Vec<String>> {
    let mut complaints = forbidden_texts(root, files);
    complaints.extend(missing_pages(files, sources));
    if root.join(ARCHITECTURE).is_file() {
        let text = std::fs::read_to_string(root.join(ARCHITECTURE))?;
        complaints.extend(check_architecture(root, &text, sources));
    } else {
        complaints.push(format!("{ARCHITECTURE} is missing"));
    }
    Ok(complaints)
}

fn forbidden_texts(root: &Path, files: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        // What is not UTF-8 is no text of ours to judge.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        for (pattern, remark) in FORBIDDEN {
            if text.contains(pattern) {
                complaints.push(format!("{file}: {remark} (`{pattern}`)"));
            }
        }
    }
    complaints
}

fn missing_pages(files: &[String], sources: &[Source]) -> Vec<String> {
    let pages: BTreeSet<&str> = files
        .iter()
        .filter(|file| file.starts_with("docs/book/") && file.contains("diagnostics/"))
        .filter_map(|file| file.rsplit('/').next()?.strip_suffix(".md"))
        .collect();
    let codes: BTreeSet<&str> = sources
        .iter()
        .filter(|source| source.path.starts_with("crates/frontend/src/"))
        .flat_map(|source| diagnostic_codes(&source.text))
        .collect();
    let missing = codes.iter().filter(|code| !pages.contains(**code));
    missing.map(|code| format!("docs/book: diagnostic {code} has no page")).collect()
}

/// String literals of two capital letters and three digits.
fn diagnostic_codes(text: &str) -> Vec<&str> {
    let literals = text.split('"').skip(1).step_by(2);
    literals.filter(|literal| is_code(literal)).collect()
}

fn is_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 5
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..].iter().all(u8::is_ascii_digit)
}

fn check_architecture(root: &Path, text: &str, sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let n_lines = text.lines().count();
    if n_lines > MAX_ARCHITECTURE_LINES {
        complaints
            .push(format!("{ARCHITECTURE}: {n_lines} lines, {MAX_ARCHITECTURE_LINES} allowed"));
    }
    let defined: BTreeSet<String> =
        sources.iter().flat_map(sources::items).map(|item| item.name).collect();
    for quoted in backticked(text) {
        let exists = match reference(quoted) {
            Reference::Path(path) => root.join(path).exists(),
            Reference::Item(name) => defined.contains(name),
            Reference::Other => true,
        };
        if !exists {
            complaints.push(format!("{ARCHITECTURE}: `{quoted}` does not exist"));
        }
    }
    complaints.extend(text.lines().filter_map(hop).filter_map(|hop| missing_hop(root, hop)));
    complaints
}

/// A function and the file it is said to be in: a row of a table whose last two cells are
/// `name()` and `path.rs`.
fn hop(line: &str) -> Option<(&str, &str)> {
    let row = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = row.rsplit('|').map(|cell| cell.trim().trim_matches('`'));
    let (file, function) = (cells.next()?, cells.next()?);
    Some((function.strip_suffix("()")?, file)).filter(|_| file.ends_with(".rs"))
}

fn missing_hop(root: &Path, (function, file): (&str, &str)) -> Option<String> {
    // That the file exists is checked as for every path.
    let text = std::fs::read_to_string(root.join(file)).ok()?;
    let is_there = ["(", "<"].iter().any(|open| text.contains(&format!("fn {function}{open}")));
    (!is_there).then(|| format!("{ARCHITECTURE}: `{file}` has no function `{function}`"))
}

/// What stands between single backticks, outside of fenced blocks.
fn backticked(text: &str) -> Vec<&str> {
    let mut quoted = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            quoted.extend(line.split('`').skip(1).step_by(2));
        }
    }
    quoted
}

enum Reference<'a> {
    Path(&'a str),
    Item(&'a str),
    Other,
}

fn reference(quoted: &str) -> Reference<'_> {
    let is_pattern = quoted.contains(['*', '<', ' ', '$', '{', '|']);
    if is_pattern {
        return Reference::Other;
    }
    let is_file = [".rs", ".md", ".toml"].iter().any(|end| quoted.ends_with(end));
    if quoted.contains('/') || (is_file && quoted.len() > 5) {
        return Reference::Path(quoted);
    }
    let name = quoted.rsplit("::").next().unwrap_or(quoted).trim_end_matches("()");
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_type = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    if is_identifier && (is_type || quoted.contains("::")) {
        return Reference::Item(name);
    }
    Reference::Other
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Reference, backticked, diagnostic_codes, hop, missing_hop, reference};

    #[test]
    fn hops_name_functions_that_their_files_have() {
        assert_eq!(hop("| start | `run()` | `src/x.rs` |"), Some(("run", "src/x.rs")));
        assert_eq!(hop("| start | `run` | `src/x.rs` |"), None);
        assert_eq!(hop("| start | `run()` | a crate |"), None);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(missing_hop(root, ("main", "src/main.rs")), None);
        assert!(missing_hop(root, ("no_such_function", "src/main.rs")).is_some());
    }

    #[test]
    fn codes_are_found_as_whole_literals() {
        assert_eq!(diagnostic_codes(r#"f("TT004", "TT04", "xTT004")"#), ["TT004"]);
    }

    #[test]
    fn fenced_blocks_are_not_references() {
        assert_eq!(backticked("a `b` c\n```\n`d`\n```\n`e`"), ["b", "e"]);
    }

    #[test]
    fn paths_and_types_are_told_apart() {
        assert!(matches!(reference("crates/model/src"), Reference::Path(_)));
        assert!(matches!(reference("model::Verdict"), Reference::Item("Verdict")));
        assert!(matches!(reference("threadproof check"), Reference::Other));
        assert!(matches!(reference("cases/*.spec"), Reference::Other));
    }
}
