//! Measures threadproof against rumur on the same Murphi models in one run, and
//! prints the table that the README quotes.
//!
//! Both search with one thread and without symmetry, and must store the same
//! number of states. rumur's time is split into making the verifier (generating C
//! and compiling it) and running it; ours is the whole process. What two threads gain
//! is told of the search alone: without the time of the same run with `--bound 1`; next to
//! it stands what two processes gain that have nothing in common, which is as much as the
//! machine has to give. A line of the second table is a model whose search takes less than a second: there
//! only the time from text to verdict counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::bench::{build, locate};

/// Runs of threadproof that are over soon are repeated for this long, so many times at most.
const TIME_OF_SHORT_RUNS: Duration = Duration::from_secs(8);
const MAX_SHORT_RUNS: u32 = 20;

/// What to compare.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only models whose name contains this
    #[arg(long)]
    filter: Option<String>,
    /// Runs of each tool, at least; the fastest counts
    #[arg(long, default_value_t = 3)]
    runs: u32,
}

#[derive(Deserialize)]
struct Models {
    model: Vec<Model>,
}

/// One model of `bench/compare.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    name: String,
    /// Relative to the root; `suites:` in front: relative to `THREADPROOF_SUITES`.
    file: String,
    /// Constants to set before either tool reads the text.
    #[serde(default)]
    constants: BTreeMap<String, i64>,
    /// Is the search so short that only the time from text to verdict counts?
    #[serde(default)]
    small: bool,
}

/// One tool's figures for one model.
#[derive(Clone, Copy, Debug)]
struct Figures {
    n_states: u64,
    /// Seconds before the search starts; zero where it is part of `search`.
    making: f64,
    /// Seconds of the search.
    search: f64,
    /// Seconds of it that a search of one level takes as well, where that was measured.
    starting: f64,
    /// Bytes per stored state, where the tool tells.
    bytes_per_state: Option<u64>,
}

/// Who searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crew {
    /// One process with so many threads.
    Threads(u32),
    /// Two processes with one thread each, at the same time.
    TwoProcesses,
}

impl Figures {
    fn rate(self) -> f64 {
        self.n_states as f64 / self.search
    }

    fn searching(self) -> f64 {
        self.search - self.starting
    }

    fn total(self) -> f64 {
        self.making + self.search
    }
}

/// Builds, runs both tools, prints the tables.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let ours = build(root)?;
    ensure!(is_installed("rumur"), "rumur is not installed: apt-get install rumur");
    let folder = root.join("target/compare");
    std::fs::create_dir_all(&folder)?;
    let (small, large): (Vec<Model>, Vec<Model>) =
        models(root, arguments)?.into_iter().partition(|model| model.small);
    println!("{}", large_heading());
    for model in &large {
        let Some(text) = prepare(root, model, &folder)? else { continue };
        let peer = rumur(&text, arguments.runs)?;
        let crews = [Crew::Threads(1), Crew::Threads(2), Crew::TwoProcesses];
        let [one, two, apart] = threadproof(&ours, &text, crews, arguments.runs)?;
        ensure!(peer.n_states == one.n_states, "{}: {peer:?} but {one:?}", model.name);
        println!("{}", large_line(model, peer, [one, two, apart]));
    }
    println!("\n{}", small_heading());
    for model in &small {
        let Some(text) = prepare(root, model, &folder)? else { continue };
        let peer = rumur(&text, arguments.runs)?;
        let [one] = threadproof(&ours, &text, [Crew::Threads(1)], arguments.runs)?;
        ensure!(peer.n_states == one.n_states, "{}: {peer:?} but {one:?}", model.name);
        println!("{}", small_line(model, peer, one));
    }
    Ok(ExitCode::SUCCESS)
}

fn large_heading() -> &'static str {
    "| model | states | rumur, states/s | threadproof, states/s | ratio | 2 threads | 2 processes | \
     bytes/state |\n\
     |---|---:|---:|---:|---:|---:|---:|---:|"
}

fn large_line(model: &Model, peer: Figures, [one, two, apart]: [Figures; 3]) -> String {
    format!(
        "| {} | {} | {:.0} | {:.0} | {:.1} | {:.2} | {:.2} | {} |",
        model.name,
        one.n_states,
        peer.rate(),
        one.rate(),
        one.rate() / peer.rate(),
        one.searching() / two.searching(),
        2.0 * one.searching() / apart.searching(),
        one.bytes_per_state.map_or_else(String::new, |bytes| bytes.to_string()),
    )
}

fn small_heading() -> &'static str {
    "| model | states | rumur, s (compiling + search) | threadproof, s | ratio |\n\
     |---|---:|---:|---:|---:|"
}

fn small_line(model: &Model, peer: Figures, one: Figures) -> String {
    format!(
        "| {} | {} | {:.2} ({:.2} + {:.2}) | {:.3} | {:.0} |",
        model.name,
        one.n_states,
        peer.total(),
        peer.making,
        peer.search,
        one.total(),
        peer.total() / one.total(),
    )
}

fn models(root: &Path, arguments: &Arguments) -> Result<Vec<Model>> {
    let text = std::fs::read_to_string(root.join("bench/compare.toml"))?;
    let all: Models = toml::from_str(&text).context("bench/compare.toml")?;
    let wanted = |model: &Model| match &arguments.filter {
        Some(filter) => model.name.contains(filter),
        None => true,
    };
    Ok(all.model.into_iter().filter(wanted).collect())
}

/// The model's text with its constants set, where both tools read it.
fn prepare(root: &Path, model: &Model, folder: &Path) -> Result<Option<PathBuf>> {
    let Some(file) = locate(root, &model.file) else {
        println!("| {} | skipped: THREADPROOF_SUITES is not set |", model.name);
        return Ok(None);
    };
    let mut text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    for (name, value) in &model.constants {
        text = with_constant(&text, name, *value)?;
    }
    let plain: String =
        model.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let path = folder.join(plain + ".m");
    std::fs::write(&path, text)?;
    Ok(Some(path))
}

/// `text` with the declaration `name : …;` changed.
fn with_constant(text: &str, name: &str, value: i64) -> Result<String> {
    for (start, _) in text.match_indices(name) {
        let after = &text[start + name.len()..];
        let Some(rest) = after.trim_start().strip_prefix(':') else { continue };
        let Some(end) = rest.find(';') else { continue };
        let tail = &rest[end..];
        return Ok(format!("{}{name} : {value}{tail}", &text[..start]));
    }
    bail!("no constant `{name}` is declared")
}

fn is_installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// Makes a verifier with rumur and runs it.
fn rumur(text: &Path, runs: u32) -> Result<Figures> {
    let (source, verifier) = (text.with_extension("c"), text.with_extension("out"));
    let start = Instant::now();
    let mut generate = Command::new("rumur");
    generate.args(["--threads", "1", "--symmetry-reduction", "off", "--output"]);
    succeed(generate.arg(&source).arg(text))?;
    let mut compile = Command::new("cc");
    compile.args(["-std=c11", "-O3", "-march=native", "-o"]).arg(&verifier).arg(&source);
    succeed(compile.args(["-lpthread", "-latomic"]))?;
    let making = start.elapsed().as_secs_f64();
    let mut best: Option<Figures> = None;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let output = Command::new(&verifier).output().context("the verifier does not start")?;
        let search = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stdout);
        let n_states = number_before(&said, " states, ").context("rumur names no states")?;
        let figures = Figures { n_states, making, search, starting: 0.0, bytes_per_state: None };
        best = Some(best.map_or(figures, |best| faster(best, figures)));
    }
    best.context("there is at least one run")
}

/// Runs threadproof with these crews, in turns, so that what slows the machine down for
/// a while slows down all. Short runs are repeated more often.
fn threadproof<const N: usize>(
    binary: &Path,
    text: &Path,
    crews: [Crew; N],
    runs: u32,
) -> Result<[Figures; N]> {
    let start = Instant::now();
    let mut best = each(crews, |crew| one_run(binary, text, crew))?;
    let mut n_runs = 1;
    while n_runs < runs || (n_runs < MAX_SHORT_RUNS && start.elapsed() < TIME_OF_SHORT_RUNS) {
        let again = each(crews, |crew| one_run(binary, text, crew))?;
        for (best, again) in best.iter_mut().zip(again) {
            let starting = best.starting.min(again.starting);
            *best = Figures { starting, ..faster(*best, again) };
        }
        n_runs += 1;
    }
    Ok(best)
}

fn each<const N: usize>(
    crews: [Crew; N],
    run: impl Fn(Crew) -> Result<Figures>,
) -> Result<[Figures; N]> {
    let figures = crews.into_iter().map(run).collect::<Result<Vec<Figures>>>()?;
    Ok(figures.try_into().expect("there is one for each"))
}

fn one_run(binary: &Path, text: &Path, crew: Crew) -> Result<Figures> {
    let timed = |arguments: &[&str]| {
        let run = || timed(command(binary, text, crew).args(arguments));
        match crew {
            Crew::Threads(_) => run(),
            Crew::TwoProcesses => at_once(run),
        }
    };
    let (search, said) = timed(&[])?;
    let (starting, _) = timed(&["--bound", "1"])?;
    let json: serde_json::Value = serde_json::from_slice(&said).context("no JSON on the output")?;
    let figure = |name: &str| json["statistics"][name].as_u64();
    let n_states = figure("states").context("threadproof names no states")?;
    // All that the process used, its code included.
    let bytes_per_state = json["peak_memory"].as_u64().map(|bytes| bytes / n_states.max(1));
    Ok(Figures { n_states, making: 0.0, search, starting, bytes_per_state })
}

fn command(binary: &Path, text: &Path, crew: Crew) -> Command {
    let mut command = Command::new(binary);
    command.arg("check").arg(text).args(["--no-symmetry", "--no-evidence", "--format", "json"]);
    let jobs = match crew {
        Crew::Threads(jobs) => jobs,
        Crew::TwoProcesses => 1,
    };
    command.arg("--jobs").arg(jobs.to_string());
    command
}

/// The seconds until both of two runs at the same time are over, and what one printed.
fn at_once(run: impl Fn() -> Result<(f64, Vec<u8>)> + Sync) -> Result<(f64, Vec<u8>)> {
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(&run);
        (run(), other.join().expect("a run does not panic"))
    });
    let ((seconds, said), (others, _)) = (one?, other?);
    Ok((seconds.max(others), said))
}

/// Seconds that a command takes, and what it prints.
fn timed(command: &mut Command) -> Result<(f64, Vec<u8>)> {
    let start = Instant::now();
    let output = command.output().context("the checker does not start")?;
    Ok((start.elapsed().as_secs_f64(), output.stdout))
}

fn faster(one: Figures, other: Figures) -> Figures {
    if other.search < one.search { other } else { one }
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// The last number that stands before `mark`.
fn number_before(text: &str, mark: &str) -> Option<u64> {
    let before = &text[..text.rfind(mark)?];
    let digits = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    before[digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{number_before, with_constant};

    #[test]
    fn a_constant_is_changed_where_it_is_declared() {
        let text = "const\n  N : 2; -- N\nvar x : 0..N;";
        let changed = with_constant(text, "N", 4).expect("it is declared");
        assert_eq!(changed, "const\n  N : 4; -- N\nvar x : 0..N;");
        assert!(with_constant(text, "M", 4).is_err());
    }

    #[test]
    fn the_last_number_before_the_mark_is_read() {
        assert_eq!(number_before("7 states, x\n 12 states, y", " states, "), Some(12));
        assert_eq!(number_before("none", " states, "), None);
    }
}
