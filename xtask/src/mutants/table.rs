//! The mutations: which text of which file is replaced by what.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

const TABLE: &str = "xtask/src/mutants/table.toml";

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
}

/// The table of the tree at `root`.
///
/// # Errors
/// When it cannot be read.
pub fn read(root: &Path) -> Result<Vec<Mutant>> {
    let text = std::fs::read_to_string(root.join(TABLE)).context(TABLE)?;
    parse(&text).context(TABLE)
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let table: Table = toml::from_str(text)?;
    Ok(table.mutant)
}

impl Mutant {
    /// The text of the file with the mistake in it.
    ///
    /// # Errors
    /// When the text to replace is not there exactly once.
    pub fn apply(&self, root: &Path) -> Result<String> {
        let text =
            std::fs::read_to_string(root.join(&self.file)).with_context(|| self.file.clone())?;
        self.apply_to(&text).with_context(|| self.file.clone())
    }

    fn apply_to(&self, text: &str) -> Result<String> {
        let n_found = text.matches(&self.old).count();
        ensure!(n_found == 1, "the text to replace occurs {n_found} times");
        ensure!(self.old != self.new, "nothing is changed");
        Ok(text.replacen(&self.old, &self.new, 1))
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
        assert!(mutants[0].apply_to("dog").is_err());
        assert!(mutants[0].apply_to("banana").is_err());
    }

    #[test]
    fn every_mutant_has_a_name_of_its_own_and_a_line_in_the_book() {
        let book = include_str!("../../../docs/book/src/mutation.md");
        let mutants = parse(include_str!("table.toml")).expect("the table parses");
        let names: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names.len(), mutants.len());
        for name in names {
            assert!(book.contains(&format!("| {name} |")), "the book does not tell of `{name}`");
        }
    }

    #[test]
    fn every_mutant_applies_to_the_tree_as_it_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for mutant in read(&root).expect("the table parses") {
            let mutated = mutant.apply(&root);
            assert!(mutated.is_ok(), "`{}` does not apply: {:?}", mutant.name, mutated.err());
        }
    }
}
