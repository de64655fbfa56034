//! What becomes of a changed tree: which test notices the change, if one does.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::tree::Tree;

/// A test program, and how it tells what it noticed.
struct Stage {
    name: &'static str,
    /// Selects it among all of cargo's test programs.
    selection: &'static [&'static str],
    limit: Duration,
    /// The first line of its output with this at an end of it says what is wrong.
    mark: &'static str,
}

/// In this order; the first that fails ends the trial. Limits are many times what
/// each needs, for a busy machine is no mistake of ours.
const STAGES: &[Stage] = &[
    Stage {
        name: "differential",
        selection: &["--package", "testkit", "--test", "differential"],
        limit: Duration::from_secs(60),
        mark: "seed ",
    },
    Stage {
        name: "cases",
        selection: &["--package", "testkit", "--test", "cases"],
        limit: Duration::from_secs(60),
        mark: "FAILED",
    },
    Stage {
        name: "unit tests",
        selection: &["--package", "engine", "--lib"],
        limit: Duration::from_secs(60),
        mark: "FAILED",
    },
];

/// Address space of a test program in KiB: a mistaken search may ask for all there
/// is.
const MAX_KIBIBYTES: u32 = 6 << 20;
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
        stage: &'static str,
        /// What it said.
        evidence: String,
    },
    /// A test did not end in its time.
    Hung {
        /// Which one.
        stage: &'static str,
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
            Fate::Caught { stage, evidence } => write!(f, "caught by {stage}: {evidence}"),
            Fate::Hung { stage } => write!(f, "caught by {stage}, which did not end"),
            Fate::DoesNotCompile { error } => write!(f, "DOES NOT COMPILE: {error}"),
        }
    }
}

/// Where trees are built and tested.
pub struct Laboratory<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// For build results and output.
    pub folder: &'a Path,
    /// Random systems in the differential test.
    pub n_seeds: u32,
}

impl Laboratory<'_> {
    /// Runs the tests until one fails.
    ///
    /// # Errors
    /// When the outside world fails.
    pub fn examine(&self) -> Result<Fate> {
        for stage in STAGES {
            let program = match self.build(stage)? {
                Ok(program) => program,
                Err(error) => return Ok(Fate::DoesNotCompile { error }),
            };
            let (status, output) = self.test(&program, stage.limit)?;
            match status {
                None => return Ok(Fate::Hung { stage: stage.name }),
                Some(status) if status.success() => {}
                Some(status) => {
                    let evidence = evidence(&output, stage.mark, status);
                    return Ok(Fate::Caught { stage: stage.name, evidence });
                }
            }
        }
        Ok(Fate::Survived)
    }

    /// The test program, or the compiler's first error.
    fn build(&self, stage: &Stage) -> Result<Result<PathBuf, String>> {
        let output = Command::new("cargo")
            .args(["test", "--quiet", "--no-run", "--message-format", "json"])
            .args(stage.selection)
            .current_dir(self.tree.folder())
            .env("CARGO_TARGET_DIR", self.folder.join("build"))
            .output()
            .context("cargo test does not start")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let messages: Vec<serde_json::Value> = messages.collect();
        if !output.status.success() {
            let errors = messages.iter().filter(|m| m["message"]["level"] == "error");
            let mut texts = errors.filter_map(|m| m["message"]["message"].as_str());
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            return Ok(Err(texts.next().map_or(stderr, str::to_owned)));
        }
        let program = messages.iter().filter_map(|m| m["executable"].as_str()).next_back();
        Ok(Ok(program.context("cargo test names no executable")?.into()))
    }

    /// How the program ended, `None` if not in time, and what it wrote.
    fn test(&self, program: &Path, limit: Duration) -> Result<(Option<ExitStatus>, String)> {
        let path = self.folder.join("output.txt");
        let output = File::create(&path).with_context(|| path.display().to_string())?;
        let limited = format!("ulimit -v {MAX_KIBIBYTES}; exec \"$0\"");
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(limited)
            .arg(program)
            .current_dir(self.tree.folder())
            .env("THREADPROOF_SEEDS", self.n_seeds.to_string())
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
fn evidence(output: &str, mark: &str, status: ExitStatus) -> String {
    let mut lines = output.lines().map(str::trim);
    let line = lines.find(|line| line.starts_with(mark) || line.ends_with(mark));
    let text = line.map_or_else(|| status.to_string(), str::to_owned);
    text.chars().take(MAX_EVIDENCE).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{Fate, evidence, wait};

    #[test]
    fn what_does_not_end_is_ended_and_counts_as_caught() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("sleep exists");
        let status = wait(&mut child, Duration::from_millis(50)).expect("can be ended");
        assert_eq!(status, None);
        assert!(Fate::Hung { stage: "cases" }.is_caught());
        assert!(!Fate::Survived.is_caught());
    }

    #[test]
    fn evidence_is_the_first_line_with_the_mark() {
        let mut child = Command::new("false").spawn().expect("false exists");
        let status = child.wait().expect("it ends");
        assert_eq!(evidence("fine\n seed 3: wrong\nseed 4", "seed ", status), "seed 3: wrong");
        assert_eq!(evidence("fine", "seed ", status), status.to_string());
    }
}
