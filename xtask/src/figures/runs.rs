//! One run of threadproof on a program of `bench/c`, and files of runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Seconds of searching below which no rate is given.
pub const MEASURABLE: f64 = 0.1;

/// What a run answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The program is right.
    Holds,
    /// It is not.
    Violated,
    /// It is right for as many context switches as were asked about.
    Bounded,
    /// A limit was reached.
    Unknown,
}

/// A run of either tool.
#[derive(Clone, Debug)]
pub struct Run {
    /// `threadproof` or `spin`.
    pub tool: &'static str,
    /// The name of the program's file, without its ending.
    pub program: String,
    /// What it was called with.
    pub arguments: Vec<String>,
    /// The answer.
    pub verdict: Verdict,
    /// States stored.
    pub states: u64,
    /// Steps from state to state.
    pub steps: u64,
    /// Seconds from text to verdict.
    pub seconds: f64,
    /// Seconds of these that the search took, if the tool keeps them apart.
    pub searching: f64,
}

impl Run {
    /// The states, if it came to an answer.
    pub fn states(&self) -> Option<u64> {
        (self.verdict != Verdict::Unknown).then_some(self.states)
    }
}

/// A threadproof to run.
pub struct Checker {
    /// The command.
    pub binary: PathBuf,
    /// The workspace.
    pub root: PathBuf,
    /// Seconds that each run may take.
    pub seconds: u32,
}

impl Checker {
    /// Checks a program of `bench/c`.
    pub fn check(&self, program: &str, arguments: &[String]) -> Result<Run> {
        let mut command = Command::new(&self.binary);
        command.current_dir(&self.root).arg("check").arg(format!("bench/c/{program}.c"));
        command.args(["--jobs", "1", "--no-walks", "--format", "json", "--time"]);
        command.arg(format!("{}s", self.seconds)).args(arguments);
        let start = std::time::Instant::now();
        let output = command.output().context("the checker does not start")?;
        let seconds = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stderr);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{command:?}: no JSON: {said}"))?;
        let figure = |name: &str| json["statistics"][name].as_u64().unwrap_or(0);
        let run = Run {
            tool: "threadproof",
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            verdict: verdict(&json).with_context(|| format!("{command:?}: {json}"))?,
            states: figure("states"),
            steps: figure("rules fired"),
            seconds,
            searching: seconds,
        };
        println!("{}", line(&run));
        Ok(run)
    }
}

/// The verdict; none where it is undecided for a reason that nobody expects here.
fn verdict(json: &serde_json::Value) -> Option<Verdict> {
    let (verdict, reason) = (json["verdict"].as_str()?, &json["reason"]);
    match (verdict, reason["kind"].as_str().unwrap_or_default()) {
        ("holds", _) => Some(Verdict::Holds),
        ("violated", _) => Some(Verdict::Violated),
        ("unknown", "time_limit" | "memory_limit") => Some(Verdict::Unknown),
        ("unknown", "incomplete") => {
            reason["why"].as_str()?.contains("context switch").then_some(Verdict::Bounded)
        }
        _ => None,
    }
}

/// What is shown while the runs go on.
pub fn line(run: &Run) -> String {
    let Run { tool, program, verdict, states, seconds, .. } = run;
    let arguments = run.arguments.join(" ");
    format!("{tool:<11} {program} {arguments}: {verdict:?}, {states} states, {seconds:.1} s")
}

/// Writes runs as a file with a line for each.
pub fn write_csv(path: &Path, runs: &[Run]) -> Result<()> {
    let mut text = "tool,program,arguments,verdict,states,steps,seconds\n".to_owned();
    for run in runs {
        let Run { tool, program, verdict, states, steps, seconds, .. } = run;
        let (arguments, verdict) = (run.arguments.join(" "), format!("{verdict:?}").to_lowercase());
        text += &format!("{tool},{program},{arguments},{verdict},{states},{steps},{seconds:.2}\n");
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::{Verdict, verdict};
    use serde_json::json;

    #[test]
    fn what_was_left_out_on_purpose_is_told_from_what_was_not_reached() {
        let why = "holds for up to 1 pre-emptive context switch; runs with more were not looked at";
        let bounded = json!({"verdict": "unknown", "reason": {"kind": "incomplete", "why": why}});
        assert_eq!(verdict(&bounded), Some(Verdict::Bounded));
        let late = json!({"verdict": "unknown", "reason": {"kind": "time_limit"}});
        assert_eq!(verdict(&late), Some(Verdict::Unknown));
        let refused = json!({"verdict": "unknown", "reason": {"kind": "incomplete", "why": "asm"}});
        assert_eq!(verdict(&refused), None);
    }
}
