//! What becomes of a mistake: which test notices it, if one does.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::schemata;
use super::test::{Program, Test};
use super::tree::Tree;

/// Tests that end this soon are never taken to hang: a busy machine is no mistake of
/// ours.
const ALWAYS_ALLOWED: Duration = Duration::from_secs(60);
/// A test hangs when it takes this many times what it takes without a mistake.
const TIMES_LONGER: u32 = 6;
/// For tests without a mistake: they are believed to end.
const UNCHANGED_LIMIT: Duration = Duration::from_secs(1800);
/// How often a test may fail without a mistake before it is given up: on a busy machine a
/// time limit passes now and then.
const UNCHANGED_TRIES: u32 = 2;
/// Address space of a test program in KiB: a mistaken search may ask for all there is. Half
/// of it was too little for many decision diagrams one after the other: each reserves some,
/// which is given back when its threads end, and on a busy machine they end late.
const MAX_KIBIBYTES: u32 = 24 << 20;
/// The first line of the output with one of these at an end of it says what is wrong.
const MARKS: [&str; 2] = ["seed ", "FAILED"];
/// Evidence is quoted up to here.
const MAX_EVIDENCE: usize = 110;

/// What became of a mutant.
#[derive(Debug, PartialEq, Eq)]
pub enum Fate {
    /// No test noticed it.
    Survived,
    /// A test failed.
    Caught {
        /// Which one.
        test: Test,
        /// What it said.
        evidence: String,
    },
    /// A test did not end in its time.
    Hung {
        /// Which one.
        test: Test,
    },
    /// Its tests fail without it as well, so nothing was learned.
    NotTried {
        /// Which one, and what it said.
        why: String,
    },
    /// It is no program, so nothing was learned.
    DoesNotCompile {
        /// The first error.
        error: String,
    },
}

impl Fate {
    /// Did a test notice?
    pub fn is_caught(&self) -> bool {
        matches!(self, Fate::Caught { .. } | Fate::Hung { .. })
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Survived => write!(f, "SURVIVED"),
            Fate::Caught { test, evidence } => write!(f, "caught by {test}: {evidence}"),
            Fate::Hung { test } => write!(f, "caught by {test}, which did not end"),
            Fate::NotTried { why } => write!(f, "NOT TRIED: without it, {why}"),
            Fate::DoesNotCompile { error } => write!(f, "DOES NOT COMPILE: {error}"),
        }
    }
}

/// Where a tree is built and tested.
pub struct Laboratory<'a> {
    /// The tree.
    tree: &'a Tree,
    /// For build results and output.
    folder: &'a Path,
    /// Random systems in tests that use some.
    n_seeds: u32,
    /// What was built already.
    programs: RefCell<BTreeMap<Program, PathBuf>>,
    /// How long each test takes without a mistake, or how it fails.
    unchanged: RefCell<BTreeMap<Test, Result<Duration, String>>>,
}

impl<'a> Laboratory<'a> {
    /// Nothing is built yet.
    pub fn new(tree: &'a Tree, folder: &'a Path, n_seeds: u32) -> Laboratory<'a> {
        let (programs, unchanged) = (RefCell::default(), RefCell::default());
        Laboratory { tree, folder, n_seeds, programs, unchanged }
    }

    /// Builds what `test` needs and runs it without a mistake: how long that takes, or how it
    /// fails, for what fails then would fail with any.
    ///
    /// # Errors
    /// When the tree does not build.
    pub fn prepare(&self, test: &Test) -> Result<Result<Duration, String>> {
        if let Some(known) = self.unchanged.borrow().get(test) {
            return Ok(known.clone());
        }
        let program = match self.build(&test.program)? {
            Ok(program) => program,
            Err(error) => bail!("the unchanged tree does not compile: {error}"),
        };
        let mut outcome = Err(String::new());
        for _ in 0..UNCHANGED_TRIES {
            let started = Instant::now();
            outcome = match self.judge(test, &program, 0, UNCHANGED_LIMIT)? {
                None => Ok(started.elapsed()),
                Some(Fate::Caught { test, evidence }) => Err(format!("{test} fails: {evidence}")),
                Some(_) => Err(format!("{test} does not end")),
            };
            if outcome.is_ok() {
                break;
            }
        }
        self.unchanged.borrow_mut().insert(test.clone(), outcome.clone());
        Ok(outcome)
    }

    /// Runs the tests until one fails, with the mistake of this number switched on; zero
    /// where the mistake is in the tree as it stands, whose tests were prepared before.
    ///
    /// # Errors
    /// When the outside world fails.
    pub fn examine(&self, tests: &[Test], number: usize) -> Result<Fate> {
        for test in tests {
            let usual = match self.prepare(test)? {
                Ok(usual) => usual,
                Err(why) => return Ok(Fate::NotTried { why }),
            };
            let program = match self.build(&test.program)? {
                Ok(program) => program,
                Err(error) => return Ok(Fate::DoesNotCompile { error }),
            };
            let limit = ALWAYS_ALLOWED.max(usual * TIMES_LONGER);
            if let Some(fate) = self.judge(test, &program, number, limit)? {
                return Ok(fate);
            }
        }
        Ok(Fate::Survived)
    }

    /// After the tree was changed, what was built is another program's.
    pub fn forget_programs(&self) {
        self.programs.borrow_mut().clear();
    }

    /// How a test failed, if it did.
    fn judge(
        &self,
        test: &Test,
        program: &Path,
        number: usize,
        limit: Duration,
    ) -> Result<Option<Fate>> {
        let (status, output) = self.run(test, program, number, limit)?;
        let test = test.clone();
        Ok(match status {
            None => Some(Fate::Hung { test }),
            Some(status) if status.success() => None,
            Some(status) => Some(Fate::Caught { test, evidence: evidence(&output, status) }),
        })
    }

    /// The test program, or the compiler's first error.
    fn build(&self, program: &Program) -> Result<Result<PathBuf, String>> {
        if let Some(path) = self.programs.borrow().get(program) {
            return Ok(Ok(path.clone()));
        }
        let output = Command::new("cargo")
            .args(["test", "--quiet", "--no-run", "--message-format", "json"])
            .args(program.selection())
            .current_dir(self.tree.folder())
            .env("CARGO_TARGET_DIR", self.folder.join("build"))
            .output()
            .context("cargo test does not start")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let messages: Vec<serde_json::Value> = messages.collect();
        if !output.status.success() {
            let errors = messages.iter().filter(|m| m["message"]["level"] == "error");
            let mut texts = errors.filter_map(|m| m["message"]["rendered"].as_str());
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            return Ok(Err(texts.next().map_or(stderr, str::to_owned)));
        }
        let path = messages.iter().filter_map(|m| m["executable"].as_str()).next_back();
        let path = PathBuf::from(path.context("cargo test names no executable")?);
        self.programs.borrow_mut().insert(program.clone(), path.clone());
        Ok(Ok(path))
    }

    /// How the program ended, `None` if not in time, and what it wrote.
    fn run(
        &self,
        test: &Test,
        program: &Path,
        number: usize,
        limit: Duration,
    ) -> Result<(Option<ExitStatus>, String)> {
        let path = self.folder.join("output.txt");
        let output = File::create(&path).with_context(|| path.display().to_string())?;
        let limited = format!("ulimit -v {MAX_KIBIBYTES}; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(limited)
            .arg(program)
            .args(&test.filter)
            .current_dir(self.tree.folder().join(test.program.folder()))
            .env(schemata::VARIABLE, number.to_string())
            .env("THREADPROOF_SEEDS", test.n_seeds.unwrap_or(self.n_seeds).to_string())
            // Decision diagrams reserve address space, which the limit above counts.
            .env("RUST_TEST_THREADS", "1")
            .env_remove("THREADPROOF_FIRST_SEED")
            .env_remove("THREADPROOF_KEEP")
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .context("the test program does not start")?;
        let status = wait(&mut child, limit)?;
        let text = std::fs::read(&path).with_context(|| path.display().to_string())?;
        Ok((status, String::from_utf8_lossy(&text).into_owned()))
    }
}

fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The line that says what is wrong, or how the program ended.
fn evidence(output: &str, status: ExitStatus) -> String {
    let is_marked =
        |line: &&str| MARKS.iter().any(|mark| line.starts_with(mark) || line.ends_with(mark));
    let line = output.lines().map(str::trim).find(is_marked);
    let text = line.map_or_else(|| status.to_string(), str::to_owned);
    text.chars().take(MAX_EVIDENCE).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{Fate, Test, evidence, wait};

    #[test]
    fn what_does_not_end_is_ended_and_counts_as_caught() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("sleep exists");
        let status = wait(&mut child, Duration::from_millis(50)).expect("can be ended");
        assert_eq!(status, None);
        let test = Test::usual().remove(0);
        assert!(Fate::Hung { test }.is_caught());
        assert!(!Fate::Survived.is_caught());
    }

    #[test]
    fn evidence_is_the_first_line_with_a_mark() {
        let mut child = Command::new("false").spawn().expect("false exists");
        let status = child.wait().expect("it ends");
        assert_eq!(evidence("fine\n seed 3: wrong\nseed 4", status), "seed 3: wrong");
        assert_eq!(evidence("test a ... ok\ntest b ... FAILED", status), "test b ... FAILED");
        assert_eq!(evidence("fine", status), status.to_string());
    }
}
