//! Decides whether the tests that the tables and the book name exist.
//!
//! A test is known by the name of its function or the path of its case file; a filter is a
//! part of either, or of the path of a module. Texts are read, nothing is built.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};

use super::table::Mutant;
use super::test::Test;

const BOOK: &str = "docs/book/src/mutation.md";

/// The program whose tests are files.
const CASES: &str = "testkit:cases";

/// Folders with case files.
const CASE_FOLDERS: [&str; 3] = ["cases/", "examples/", "bench/"];

/// What tests may be called.
pub struct TestNames {
    /// The functions of each package, each written `package/name`.
    functions: BTreeSet<String>,
    /// All files, as paths relative to the root.
    files: Vec<String>,
}

impl TestNames {
    /// Those of the tree at `root` with these files.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn read(root: &Path, files: Vec<String>) -> Result<TestNames> {
        let mut functions = BTreeSet::new();
        for file in files.iter().filter(|file| file.ends_with(".rs")) {
            let Some(package) = package_of(file) else { continue };
            let text = std::fs::read_to_string(root.join(file)).with_context(|| file.clone())?;
            functions.extend(functions_in(&text).map(|name| format!("{package}/{name}")));
        }
        Ok(TestNames { functions, files })
    }

    /// Tests in the tables and in the book that do not exist, each as a complaint.
    ///
    /// # Errors
    /// When there is no book.
    pub fn complaints(&self, root: &Path, mutants: &[Mutant]) -> Result<Vec<String>> {
        let mut complaints = Vec::new();
        for mutant in mutants {
            let missing = mutant.tests.iter().filter(|test| !self.has_filter(test));
            complaints.extend(
                missing.map(|test| format!("mutant `{}`: `{test}` is no test", mutant.name)),
            );
        }
        let book = std::fs::read_to_string(root.join(BOOK)).context(BOOK)?;
        for (program, name) in named_in(&book).filter(|named| !self.has(*named)) {
            complaints.push(format!("{BOOK}: `{program}` has no test `{name}`"));
        }
        Ok(complaints)
    }

    fn has(&self, (program, name): (&str, &str)) -> bool {
        if program == CASES {
            return self.files.iter().any(|file| file == name);
        }
        let package = program.split(':').next().unwrap_or(program);
        let function = name.rsplit("::").next().unwrap_or(name);
        self.functions.contains(&format!("{package}/{function}"))
    }

    fn has_filter(&self, test: &Test) -> bool {
        let Some(filter) = &test.filter else { return true };
        let program = test.program.to_string();
        if program == CASES {
            let mut cases = self.files.iter().filter(|file| is_case(file));
            return cases.any(|file| file.contains(filter.as_str()));
        }
        let package = format!("{}/", program.split(':').next().unwrap_or(&program));
        let last = filter.rsplit("::").find(|part| !part.is_empty()).unwrap_or(filter);
        let mut functions = self.functions.iter().filter_map(|name| name.strip_prefix(&package));
        let mut modules = self.files.iter().filter_map(|file| file.strip_prefix("crates/"));
        functions.any(|name| name.contains(last))
            || modules.any(|file| file.starts_with(&package) && file.contains(last))
    }
}

fn is_case(file: &str) -> bool {
    CASE_FOLDERS.iter().any(|folder| file.starts_with(folder))
}

fn package_of(file: &str) -> Option<&str> {
    Some(file.strip_prefix("crates/")?.split_once('/')?.0)
}

/// The names of the functions of a source.
fn functions_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (_, rest) = line.trim_start().split_once("fn ")?;
        rest.split_once(['(', '<']).map(|(name, _)| name)
    })
}

/// What the book's tables say: a program, and one of its tests.
fn named_in(book: &str) -> impl Iterator<Item = (&str, &str)> {
    let rows = book.lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|row| {
        let cell = row.trim_end_matches([' ', '|']).rsplit('|').next()?.trim();
        let (program, name) = cell.strip_prefix('`')?.split_once("`: `")?;
        let name = name.strip_suffix('`').filter(|name| !name.contains(' '))?;
        Some((program, name))
    })
}

#[cfg(test)]
mod tests {
    use super::super::test::Test;
    use super::{TestNames, functions_in, named_in};

    fn names() -> TestNames {
        TestNames {
            functions: ["engine/a_lock_is_held".to_owned()].into(),
            files: ["cases/c/lock.c", "crates/engine/src/lock/order.rs"].map(str::to_owned).into(),
        }
    }

    #[test]
    fn a_test_of_the_book_is_a_function_or_a_file() {
        let book = "| a | b. | `engine:lib`: `x::a_lock_is_held` |\n| a | b | `testkit:cases`: \
                    `cases/c/lock.c` |\n| a | b | `engine:lib`: does not end |\nno row\n";
        let named: Vec<(&str, &str)> = named_in(book).collect();
        let expected = [("engine:lib", "x::a_lock_is_held"), ("testkit:cases", "cases/c/lock.c")];
        assert_eq!(named, expected);
        assert!(named.iter().all(|named| names().has(*named)));
        assert!(!names().has(("engine:lib", "x::a_lock")));
        assert!(!names().has(("certify:it", "x::a_lock_is_held")));
        assert!(!names().has(("testkit:cases", "cases/c/loc")));
    }

    #[test]
    fn a_filter_is_a_part_of_a_function_a_module_or_a_file() {
        let has =
            |text: &str| names().has_filter(&Test::try_from(text.to_owned()).expect("well formed"));
        for text in ["engine:lib lock_is", "engine:lib order", "testkit:cases c/lo", "llvm:lib"] {
            assert!(has(text), "{text}");
        }
        for text in ["engine:lib key", "llvm:lib order", "testkit:cases c/key"] {
            assert!(!has(text), "{text}");
        }
    }

    #[test]
    fn functions_are_found_by_their_keyword() {
        let text = "#[test]\n    fn one() {}\npub fn two<T>(_: T) {}\n// no function\n";
        assert_eq!(functions_in(text).collect::<Vec<_>>(), ["one", "two"]);
    }
}
