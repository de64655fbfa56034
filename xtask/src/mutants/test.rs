//! A test program of the workspace, which of its tests to run, and on how much.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde::Deserialize;

/// Written `package:target`, `package:target filter` or `package:target filter #seeds`; the
/// target is `lib` for unit tests, otherwise the name of an integration test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Test {
    /// What cargo builds.
    pub program: Program,
    /// Only tests whose name contains this.
    pub filter: Option<String>,
    /// Random systems, where it uses some; else as many as for all tests.
    pub n_seeds: Option<u32>,
}

/// A test program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    package: String,
    target: String,
}

impl Test {
    /// What is tried where a mutant names no test.
    pub fn usual() -> Vec<Test> {
        Test::list(&["testkit:differential", "testkit:cases", "engine:lib"])
    }

    /// What is tried when everything shall be: a survivor of its own tests may be
    /// caught by others.
    pub fn all() -> Vec<Test> {
        Test::list(&[
            "certify:lib",
            "certify:it",
            "engine:lib",
            "jit:lib",
            "llvm:lib",
            "testkit:differential",
            "testkit:cases",
            "testkit:boolean",
            "testkit:symbolic",
            "testkit:thread_modular",
            "testkit:cutoff",
            "testkit:cutoff_search",
            "testkit:cutoff_nets",
            "testkit:refinement",
            "testkit:murphi_differential",
            "testkit:murphi_jit",
            "testkit:murphi_symmetric",
            "testkit:murphi_any",
            "testkit:c_differential",
        ])
    }

    fn list(texts: &[&str]) -> Vec<Test> {
        let tests = texts.iter().map(|text| Test::try_from((*text).to_owned()));
        tests.collect::<Result<_, _>>().expect("these are written as they should be")
    }

    /// Is there such a test program?
    ///
    /// # Errors
    /// When there is none.
    pub fn check(&self, root: &Path) -> Result<()> {
        let Program { package, target } = &self.program;
        let folder = root.join(self.program.folder());
        let is_there = match target.as_str() {
            "lib" => folder.join("src/lib.rs").exists(),
            name => {
                folder.join(format!("tests/{name}.rs")).exists()
                    || folder.join(format!("tests/{name}/main.rs")).exists()
            }
        };
        ensure!(is_there, "there is no test `{package}:{target}`");
        Ok(())
    }
}

impl Program {
    /// Selects it among all of cargo's test programs.
    pub fn selection(&self) -> Vec<&str> {
        let mut selection = vec!["--package", self.package.as_str()];
        match self.target.as_str() {
            "lib" => selection.push("--lib"),
            name => selection.extend(["--test", name]),
        }
        selection
    }

    /// Where cargo would run it, relative to the root.
    pub fn folder(&self) -> PathBuf {
        Path::new("crates").join(&self.package)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.package, self.target)
    }
}

impl TryFrom<String> for Test {
    type Error = String;

    fn try_from(text: String) -> Result<Test, String> {
        let wrong = || format!("`{text}` is not `package:target filter #seeds`");
        let mut words: Vec<&str> = text.split(' ').collect();
        let n_seeds = match words.last().and_then(|word| word.strip_prefix('#')) {
            Some(number) => Some(number.parse().map_err(|_| wrong())?),
            None => None,
        };
        words.truncate(words.len() - usize::from(n_seeds.is_some()));
        let (program, filter) = match words[..] {
            [program] => (program, None),
            [program, filter] => (program, Some(filter.to_owned())),
            _ => return Err(wrong()),
        };
        let (package, target) = program.split_once(':').ok_or_else(wrong)?;
        let program = Program { package: package.to_owned(), target: target.to_owned() };
        Ok(Test { program, filter, n_seeds })
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program)?;
        self.filter.iter().try_for_each(|filter| write!(f, " {filter}"))?;
        self.n_seeds.iter().try_for_each(|n_seeds| write!(f, " #{n_seeds}"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Test;

    #[test]
    fn a_test_is_a_program_and_perhaps_a_filter() {
        let read = |text: &str| Test::try_from(text.to_owned());
        let test = read("llvm:lib canonical").expect("well formed");
        assert_eq!(test.to_string(), "llvm:lib canonical");
        assert_eq!(test.program.selection(), ["--package", "llvm", "--lib"]);
        assert_eq!(test.filter.as_deref(), Some("canonical"));
        let test = read("testkit:cases").expect("well formed");
        assert_eq!(test.program.selection(), ["--package", "testkit", "--test", "cases"]);
        assert_eq!(read("testkit:cutoff #30").expect("well formed").n_seeds, Some(30));
        let test = read("testkit:c_differential reductions #4").expect("well formed");
        assert_eq!(test.to_string(), "testkit:c_differential reductions #4");
        for wrong in ["cases", "testkit:cases one two", "testkit:cases #many", ""] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_test_that_is_always_tried_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for test in Test::all().iter().chain(&Test::usual()) {
            test.check(&root).expect("exists");
        }
        let missing = Test::try_from("certify:nothing".to_owned()).expect("well formed");
        assert!(missing.check(&root).is_err());
    }
}
