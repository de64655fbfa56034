//! Runs the benchmark suite through the release binary, writes one JSON line per
//! run, and compares with the last saved run.
//!
//! Verdicts and statistics are compared exactly; times only beyond a noise band
//! of [`NOISE_FACTOR`] and [`NOISE_MILLISECONDS`]. A wrong verdict fails the
//! bench, however fast.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A run is called slower or faster beyond this factor only.
const NOISE_FACTOR: f64 = 1.5;
/// Differences below this are start-up time and the scheduler.
const NOISE_MILLISECONDS: u64 = 200;

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Which instances: `quick` ones only, or all
    #[arg(long, value_enum, default_value_t = Tier::Quick)]
    tier: Tier,
    /// Keep this run as the one that later runs are compared with
    #[arg(long)]
    save: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Tier {
    Quick,
    Full,
}

#[derive(Deserialize)]
struct Suite {
    instance: Vec<Instance>,
}

/// One line of `bench/suite.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Instance {
    name: String,
    /// Relative to the root; `suites:` in front: relative to `THREADPROOF_SUITES`.
    file: String,
    #[serde(default)]
    args: Vec<String>,
    /// `holds`, `violated` or `unknown`.
    expected: String,
    tier: Tier,
}

/// One line of a results file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measurement {
    name: String,
    verdict: String,
    milliseconds: u64,
    engine: String,
    statistics: BTreeMap<String, u64>,
}

/// Builds, runs and compares.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let binary = build(root)?;
    let previous = last_run(root)?;
    let mut measurements = Vec::new();
    let mut n_wrong = 0;
    for instance in instances(root, arguments.tier)? {
        let Some(file) = locate(root, &instance.file) else {
            println!("{:<32} skipped: THREADPROOF_SUITES is not set", instance.name);
            continue;
        };
        let measurement = measure(&binary, &instance, &file)?;
        n_wrong += usize::from(measurement.verdict != instance.expected);
        println!("{}", line(&instance, &measurement, previous.get(&instance.name)));
        measurements.push(measurement);
    }
    if arguments.save {
        println!("saved to {}", save(root, &measurements)?.display());
    }
    println!("{} run, {n_wrong} wrong", measurements.len());
    Ok(if n_wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the release binary.
pub fn build(root: &Path) -> Result<PathBuf> {
    let output = Command::new("cargo")
        .args(["build", "--release", "--package", "cli", "--message-format", "json"])
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo build does not start")?;
    ensure!(output.status.success(), "cargo build failed");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let executable = messages
        .filter_map(|message: serde_json::Value| Some(message["executable"].as_str()?.to_owned()))
        .next_back();
    Ok(PathBuf::from(executable.context("cargo build names no executable")?))
}

fn instances(root: &Path, tier: Tier) -> Result<Vec<Instance>> {
    let path = root.join("bench/suite.toml");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let suite: Suite = toml::from_str(&text).context("bench/suite.toml")?;
    Ok(suite.instance.into_iter().filter(|instance| instance.tier <= tier).collect())
}

/// A file of ours or of the suites; `None` where those are not at hand.
pub fn locate(root: &Path, file: &str) -> Option<PathBuf> {
    match file.strip_prefix("suites:") {
        Some(rest) => Some(Path::new(&std::env::var_os("THREADPROOF_SUITES")?).join(rest)),
        None => Some(root.join(file)),
    }
}

/// An argument may name a file of the suites as well.
fn resolve(argument: &str) -> Option<std::ffi::OsString> {
    match argument.strip_prefix("suites:") {
        Some(_) => Some(locate(Path::new(""), argument)?.into_os_string()),
        None => Some(argument.into()),
    }
}

fn measure(binary: &Path, instance: &Instance, file: &Path) -> Result<Measurement> {
    let start = Instant::now();
    let output = Command::new(binary)
        .arg("check")
        .arg(file)
        .args(instance.args.iter().filter_map(|argument| resolve(argument)))
        .args(["--format", "json"])
        .output()
        .context("the checker does not start")?;
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: no JSON on the output", instance.name))?;
    Ok(Measurement {
        name: instance.name.clone(),
        verdict: json["verdict"].as_str().unwrap_or("none").to_owned(),
        milliseconds,
        engine: json["engine"].as_str().unwrap_or_default().to_owned(),
        statistics: statistics(&json["statistics"]),
    })
}

fn statistics(json: &serde_json::Value) -> BTreeMap<String, u64> {
    let entries = json.as_object().into_iter().flatten();
    entries.filter_map(|(name, value)| Some((name.clone(), value.as_u64()?))).collect()
}

fn line(instance: &Instance, now: &Measurement, before: Option<&Measurement>) -> String {
    let Measurement { verdict, milliseconds, engine, .. } = now;
    let wrong = if *verdict == instance.expected { "" } else { "  WRONG" };
    let remark = before.map(|before| compare(before, now)).unwrap_or_default();
    format!("{:<32} {verdict:<9} {milliseconds:>7} ms  {engine}{wrong}{remark}", instance.name)
}

fn compare(before: &Measurement, now: &Measurement) -> String {
    let mut remark = String::new();
    if before.verdict != now.verdict {
        remark += &format!("  verdict was {}", before.verdict);
    }
    // A portfolio's winner may differ from run to run, and with it the figures.
    if before.engine == now.engine && before.statistics != now.statistics {
        remark += "  statistics changed";
    }
    if exceeds(now.milliseconds, before.milliseconds) {
        remark += &format!("  slower: was {} ms", before.milliseconds);
    } else if exceeds(before.milliseconds, now.milliseconds) {
        remark += &format!("  faster: was {} ms", before.milliseconds);
    }
    remark
}

fn exceeds(long: u64, short: u64) -> bool {
    long > short + NOISE_MILLISECONDS && long as f64 > short as f64 * NOISE_FACTOR
}

fn runs_folder(root: &Path) -> PathBuf {
    root.join("bench/runs")
}

/// The measurements of the run whose folder sorts last; there are files beside them.
fn last_run(root: &Path) -> Result<BTreeMap<String, Measurement>> {
    let Ok(folders) = std::fs::read_dir(runs_folder(root)) else { return Ok(BTreeMap::new()) };
    let last = folders.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).max();
    let Some(last) = last else { return Ok(BTreeMap::new()) };
    let text = std::fs::read_to_string(last.join("results.jsonl"))
        .with_context(|| last.display().to_string())?;
    let lines = text.lines().map(serde_json::from_str);
    let measurements: Vec<Measurement> = lines.collect::<Result<_, _>>()?;
    Ok(measurements.into_iter().map(|m| (m.name.clone(), m)).collect())
}

fn save(root: &Path, measurements: &[Measurement]) -> Result<PathBuf> {
    let date = output_of(Command::new("date").args(["-u", "+%Y-%m-%dT%H%M%S"]))?;
    let mut git = Command::new("git");
    let commit = output_of(git.args(["rev-parse", "--short", "HEAD"]).current_dir(root))?;
    let folder = runs_folder(root).join(format!("{date}-{commit}"));
    std::fs::create_dir_all(&folder)?;
    let lines: Vec<String> =
        measurements.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let path = folder.join("results.jsonl");
    std::fs::write(&path, lines.join("\n") + "\n")?;
    Ok(path)
}

fn output_of(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::exceeds;

    #[test]
    fn small_and_short_differences_are_noise() {
        assert!(!exceeds(250, 100));
        assert!(!exceeds(1400, 1000));
        assert!(exceeds(1600, 1000));
    }
}
