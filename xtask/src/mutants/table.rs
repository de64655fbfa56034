//! The mutations: which text of which file is replaced by what, and which tests should
//! notice.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::schemata::Change;
use super::test::Test;

const TABLES: &str = "xtask/src/mutants/table";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    mutant: Vec<Mutant>,
}

/// One mistake.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// A few words for lists.
    pub name: String,
    /// The mistake, as a sentence. For readers of the table.
    #[serde(rename = "mistake")]
    _mistake: String,
    /// The file, relative to the root.
    pub file: String,
    /// What is replaced; it stands in the file exactly once.
    old: String,
    /// What it is replaced by.
    new: String,
    /// What should notice it, in this order.
    #[serde(default = "Test::usual")]
    pub tests: Vec<Test>,
    /// It needs a build of its own although a switch could be written.
    #[serde(default)]
    pub alone: bool,
}

/// The tables of the tree at `root`.
///
/// # Errors
/// When one cannot be read.
pub fn read(root: &Path) -> Result<Vec<Mutant>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root.join(TABLES)).context(TABLES)? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut mutants = Vec::new();
    for path in paths {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(&path).with_context(name)?;
        mutants.extend(parse(&text).with_context(name)?);
    }
    Ok(mutants)
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let table: Table = toml::from_str(text)?;
    Ok(table.mutant)
}

impl Mutant {
    /// The mistake as a change to the text of its file.
    ///
    /// # Errors
    /// When the text to replace does not occur exactly once.
    pub fn change(&self, text: &str, number: usize) -> Result<Change> {
        Ok(Change { number, range: self.range(text)?, new: self.new.clone() })
    }

    /// The text of the file with the mistake in it.
    ///
    /// # Errors
    /// When the text to replace does not occur exactly once.
    pub fn apply_to(&self, text: &str) -> Result<String> {
        let Range { start, end } = self.range(text)?;
        Ok(format!("{}{}{}", &text[..start], self.new, &text[end..]))
    }

    fn range(&self, text: &str) -> Result<Range<usize>> {
        let n_found = text.matches(&self.old).count();
        ensure!(n_found == 1, "the text to replace occurs {n_found} times");
        ensure!(self.old != self.new, "nothing is changed");
        let start = text.find(&self.old).context("it was found just now")?;
        Ok(start..start + self.old.len())
    }

    /// What no longer fits the tree at `root`.
    ///
    /// # Errors
    /// The mutant's text, or a test it names, is not there.
    pub fn check(&self, root: &Path) -> Result<()> {
        let text =
            std::fs::read_to_string(root.join(&self.file)).with_context(|| self.file.clone())?;
        let mutated = self.apply_to(&text).with_context(|| self.file.clone())?;
        syn::parse_file(&mutated).with_context(|| self.file.clone())?;
        ensure!(!self.tests.is_empty(), "no test is named");
        self.tests.iter().try_for_each(|test| test.check(root))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{parse, read};

    #[test]
    fn a_text_is_replaced_only_if_it_occurs_once() {
        let table = "[[mutant]]\nname = 'n'\nmistake = 'm'\nfile = 'f'\nold = 'a'\nnew = 'b'\n";
        let mutants = parse(table).expect("the test's table is one");
        assert_eq!(mutants[0].apply_to("cat").expect("occurs once"), "cbt");
        assert_eq!(mutants[0].change("cat", 7).expect("occurs once").range, 1..2);
        assert!(mutants[0].apply_to("dog").is_err());
        assert!(mutants[0].apply_to("banana").is_err());
    }

    #[test]
    fn every_mutant_has_a_name_of_its_own_and_a_line_in_the_book() {
        let book = include_str!("../../../docs/book/src/mutation.md");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mutants = read(&root).expect("the tables parse");
        let names: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names.len(), mutants.len());
        for name in names {
            assert!(book.contains(&format!("| {name} |")), "the book has no line for `{name}`");
        }
    }
}
