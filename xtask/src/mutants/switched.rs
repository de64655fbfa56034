//! Which files the tree with all switches has other texts in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::schemata::{self, Change};
use super::table::Mutant;

/// Mutants with the numbers of their switches.
pub struct Switched<'a> {
    /// Each with its number.
    pub mutants: Vec<(usize, &'a Mutant)>,
    /// Those that need a build of their own.
    pub alone: Vec<&'a Mutant>,
    /// The files that differ from the tree's, by path.
    pub texts: BTreeMap<String, String>,
}

impl<'a> Switched<'a> {
    /// Gives every mutant a switch that can have one.
    ///
    /// # Errors
    /// When a file cannot be read, or is no Rust.
    pub fn new(root: &Path, mutants: &[&'a Mutant]) -> Result<Switched<'a>> {
        let mut switched =
            Switched { mutants: Vec::new(), alone: Vec::new(), texts: BTreeMap::new() };
        let files: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.file.as_str()).collect();
        for file in files {
            let here = (1..).zip(mutants).filter(|(_, mutant)| mutant.file == file);
            switched.add_file(root, file, here.map(|(n, m)| (n, *m)).collect())?;
        }
        switched.mutants.sort_by_key(|entry| entry.0);
        switched.add_functions(root)?;
        Ok(switched)
    }

    fn add_file(&mut self, root: &Path, file: &str, here: Vec<(usize, &'a Mutant)>) -> Result<()> {
        let text = read(root, file)?;
        let mut changes: Vec<Change> = Vec::new();
        for (number, mutant) in here {
            let change = mutant.change(&text, number).with_context(|| mutant.name.clone())?;
            if mutant.alone || root_module(file).is_none() || !schemata::has_site(&text, &change)? {
                self.alone.push(mutant);
            } else {
                self.mutants.push((number, mutant));
                changes.push(change);
            }
        }
        let text = schemata::with_switches(&text, &changes).with_context(|| file.to_owned())?;
        self.texts.insert(file.to_owned(), text);
        Ok(())
    }

    /// Adds the function that the switches ask to each crate that has some.
    fn add_functions(&mut self, root: &Path) -> Result<()> {
        let modules: BTreeSet<String> =
            self.texts.keys().filter_map(|file| root_module(file)).collect();
        for module in modules {
            let text = match self.texts.remove(&module) {
                Some(text) => text,
                None => read(root, &module)?,
            };
            self.texts.insert(module, text + schemata::SWITCH);
        }
        Ok(())
    }
}

/// The root module of the crate that a file belongs to.
fn root_module(file: &str) -> Option<String> {
    let (name, _) = file.strip_prefix("crates/")?.split_once("/src/")?;
    Some(format!("crates/{name}/src/lib.rs"))
}

fn read(root: &Path, file: &str) -> Result<String> {
    std::fs::read_to_string(root.join(file)).with_context(|| file.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::table;
    use super::{Switched, root_module};

    #[test]
    fn a_crate_is_the_folder_before_its_sources() {
        let wanted = Some("crates/engine/src/lib.rs".to_owned());
        assert_eq!(root_module("crates/engine/src/kernel/mod.rs"), wanted);
        assert_eq!(root_module("crates/testkit/tests/jobs.rs"), None);
    }

    #[test]
    fn the_tree_with_all_switches_is_rust_and_has_every_mutant() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mutants = table::read(&root).expect("the tables parse");
        let all: Vec<_> = mutants.iter().collect();
        let switched = Switched::new(&root, &all).expect("every mutant applies");
        assert_eq!(switched.mutants.len() + switched.alone.len(), mutants.len());
        let texts: String = switched.texts.values().map(String::as_str).collect();
        for (number, mutant) in &switched.mutants {
            let switch = format!("crate::mutant_is_on({number})");
            assert_eq!(texts.matches(&switch).count(), 1, "{}", mutant.name);
        }
        for (file, text) in &switched.texts {
            assert!(syn::parse_file(text).is_ok(), "{file}");
        }
    }
}
