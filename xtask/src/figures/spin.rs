//! SPIN on the models of `bench/spin`: generates the verifier, compiles it, runs it.
//!
//! Partial-order reduction is on, as it is unless one turns it off. Asked are assertions
//! and deadlocks.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::runs::{Run, Verdict, line};

/// A program that both tools get.
pub struct Compared {
    /// The name of its files.
    pub program: &'static str,
    /// Macros for both.
    pub constants: &'static [&'static str],
    /// Options for threadproof.
    pub options: &'static [&'static str],
}

impl Compared {
    const fn new(program: &'static str, constants: &'static [&'static str]) -> Compared {
        Compared { program, constants, options: &[] }
    }

    /// With its size.
    pub fn name(&self) -> String {
        let words = std::iter::once(self.program).chain(self.constants.iter().copied());
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Those whose states are compared.
pub const COMPARED: &[Compared] = &[
    Compared {
        program: "peterson",
        constants: &[],
        options: &["-DROUNDS=0", "--property", "unreach-call"],
    },
    Compared::new("robot", &["-DN=5"]),
    Compared::new("robot", &["-DN=10"]),
    Compared::new("philosophers", &["-DN=5"]),
    Compared::new("philosophers", &["-DN=8"]),
    Compared::new("message_queue", &["-DM=5"]),
    Compared::new("message_queue", &["-DM=15"]),
    Compared::new("ms_queue", &["-DTHREADS=2"]),
    Compared::new("ms_queue", &["-DTHREADS=3"]),
];

/// Those that are large enough for their speed to be measured.
pub const MEASURED: &[Compared] = &[
    Compared::new("robot", &["-DN=20"]),
    Compared::new("philosophers", &["-DN=10"]),
    Compared::new("message_queue", &["-DM=30"]),
    Compared::new("ms_queue", &["-DTHREADS=3"]),
];

/// How deep the verifier may go, and the logarithm of its table's size.
const LIMITS: [&str; 2] = ["-m2000000", "-w22"];

/// How often it is looked whether a verifier has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Are SPIN and a compiler there?
pub fn is_installed() -> bool {
    let answers = |tool: &str, option: &str| Command::new(tool).arg(option).output().is_ok();
    answers("spin", "-V") && answers("gcc", "--version")
}

/// Verifies a model.
pub fn verify(root: &Path, folder: &Path, compared: &Compared, seconds: u32) -> Result<Run> {
    let Compared { program, constants, .. } = *compared;
    let folder = folder.join(program);
    std::fs::create_dir_all(&folder)?;
    let start = Instant::now();
    let mut spin = Command::new("spin");
    spin.arg("-a").args(constants).arg(root.join(format!("bench/spin/{program}.pml")));
    succeed(spin.current_dir(&folder))?;
    let mut gcc = Command::new("gcc");
    succeed(gcc.args(["-O2", "-DSAFETY", "-o", "pan", "pan.c"]).current_dir(&folder))?;
    let search = Instant::now();
    let mut pan = Command::new("./pan");
    pan.args(LIMITS).current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = pan.spawn().context("the verifier does not start")?;
    let is_done = wait(&mut child, search + Duration::from_secs(u64::from(seconds)))?;
    let (seconds, searching) = (start.elapsed(), search.elapsed());
    let said = String::from_utf8_lossy(&child.wait_with_output()?.stdout).into_owned();
    let mut run = Run {
        tool: "spin",
        program: program.to_owned(),
        arguments: constants.iter().map(|&constant| constant.to_owned()).collect(),
        verdict: Verdict::Unknown,
        states: 0,
        steps: 0,
        seconds: seconds.as_secs_f64(),
        searching: searching.as_secs_f64(),
    };
    if is_done {
        read(&said, &mut run).with_context(|| format!("{program}: {said}"))?;
    }
    println!("{}", line(&run));
    Ok(run)
}

/// Has the verifier ended by itself before the deadline?
fn wait(child: &mut Child, deadline: Instant) -> Result<bool> {
    loop {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            return Ok(false);
        }
        std::thread::sleep(PAUSE);
    }
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "{command:?} failed: {said}");
    Ok(())
}

/// Reads what a verifier says at its end.
fn read(said: &str, run: &mut Run) -> Result<()> {
    if said.contains("error: max search depth too small") {
        bail!("the search was cut at its depth");
    }
    run.verdict = match number_after(said, "errors: ") {
        Some(0) => Verdict::Holds,
        Some(_) => Verdict::Violated,
        None => bail!("it names no errors"),
    };
    run.states = number_before(said, " states, stored").context("it names no states")?;
    run.steps = number_before(said, " transitions").context("it names no transitions")?;
    Ok(())
}

fn number_after(text: &str, mark: &str) -> Option<u64> {
    let after = &text[text.find(mark)? + mark.len()..];
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..end].parse().ok()
}

/// SPIN writes large numbers with an exponent.
fn number_before(text: &str, mark: &str) -> Option<u64> {
    let before = &text[..text.find(mark)?];
    let number: f64 = before.split_whitespace().next_back()?.parse().ok()?;
    Some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::{number_after, number_before};

    #[test]
    fn numbers_of_a_verifier_are_read() {
        let said = "depth reached 35, errors: 0\n 64 states, stored\n 1.05e+07 transitions (=";
        assert_eq!(number_after(said, "errors: "), Some(0));
        assert_eq!(number_before(said, " states, stored"), Some(64));
        assert_eq!(number_before(said, " transitions"), Some(10_500_000));
        assert_eq!(number_before(said, " atomic steps"), None);
    }
}
