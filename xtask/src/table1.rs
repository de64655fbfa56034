//! Runs the cutoff engine on the nets of Table 1 of the paper on dynamic cutoff detection
//! and prints our figures beside the paper's: the tables that the book quotes.
//!
//! Figures of an encoding cannot be compared where the encodings differ, so the last
//! column of the first table says where they do. A wrong verdict fails the run.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::bench::{build, locate};

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only nets whose name contains this
    #[arg(long)]
    filter: Option<String>,
    /// Time limit of each run, as `check` takes it
    #[arg(long, default_value = "60s")]
    time: String,
    /// Run this program instead of building one
    #[arg(long)]
    binary: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nets {
    net: Vec<Net>,
}

/// One net of `bench/table1.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Net {
    name: String,
    /// Relative to the root; `suites:` in front: relative to `THREADPROOF_SUITES`.
    file: String,
    /// `safe` or `unsafe`.
    expected: String,
    /// What has to be said where it is compared.
    note: Option<String>,
    /// Its row in the paper's table.
    paper: Option<Figures>,
}

/// One row of the table, by whichever tool.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    shared_states: Option<u64>,
    local_states: Option<u64>,
    thread_transitions: Option<u64>,
    /// The cutoff, or the threads of the error.
    threads: Option<u64>,
    thread_states: Option<u64>,
    candidates: Option<u64>,
    seconds: Option<f64>,
}

/// What a run of ours answered.
#[derive(Debug, PartialEq)]
struct Answer {
    /// `safe`, `unsafe`, or why there is no answer.
    result: String,
    /// Was it not the cutoff that decided, since it is far?
    is_without_cutoff: bool,
    figures: Figures,
}

impl Answer {
    fn is_decided(&self) -> bool {
        ["safe", "unsafe"].contains(&self.result.as_str())
    }

    /// Was it decided by the cutoff, or by an error on the way to it?
    fn is_found(&self) -> bool {
        self.is_decided() && !self.is_without_cutoff
    }

    fn result(&self) -> String {
        let remark = if self.is_without_cutoff { ", by the backward search alone" } else { "" };
        format!("{}{remark}", self.result)
    }

    /// A figure that grows until the cutoff is found.
    fn at_cutoff(&self, n: Option<u64>) -> String {
        let least = if self.is_found() || n.is_none() { "" } else { "≥ " };
        format!("{least}{}", number(n))
    }
}

/// Builds, runs all nets, prints the tables.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let binary = match &arguments.binary {
        Some(binary) => binary.clone(),
        None => build(root)?,
    };
    let (mut in_paper, mut others) = (Vec::new(), Vec::new());
    let mut n_wrong = 0;
    for net in nets(root, arguments)? {
        let Some(file) = locate(root, &net.file) else {
            println!("{}: skipped, THREADPROOF_SUITES is not set", net.name);
            continue;
        };
        let answer = measure(&binary, &file, &arguments.time)?;
        if answer.is_decided() && answer.result != net.expected {
            println!(
                "WRONG: {} is {}, and is said to be {}",
                net.name, net.expected, answer.result
            );
            n_wrong += 1;
        }
        match net.paper.is_some() {
            true => in_paper.push((net, answer)),
            false => others.push((net, answer)),
        }
    }
    println!("{}\n", table_beside_paper(&in_paper));
    println!("{}\n", times(&in_paper));
    println!("{}", table_of_others(&others));
    Ok(if n_wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn nets(root: &Path, arguments: &Arguments) -> Result<Vec<Net>> {
    let text = std::fs::read_to_string(root.join("bench/table1.toml"))?;
    let all: Nets = toml::from_str(&text).context("bench/table1.toml")?;
    let is_wanted = |net: &Net| match &arguments.filter {
        Some(filter) => net.name.contains(filter),
        None => true,
    };
    Ok(all.net.into_iter().filter(is_wanted).collect())
}

fn measure(binary: &Path, file: &Path, time: &str) -> Result<Answer> {
    let start = Instant::now();
    let output = Command::new(binary)
        .arg("check")
        .arg(file)
        .args(["--engine", "cutoff", "--format", "json", "--no-evidence", "--time", time])
        .output()
        .context("the checker does not start")?;
    let seconds = start.elapsed().as_secs_f64();
    read_answer(&output.stdout, seconds)
        .with_context(|| format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr)))
}

/// The answer in what `check --format json` prints.
fn read_answer(json: &[u8], seconds: f64) -> Result<Answer> {
    let json: serde_json::Value = serde_json::from_slice(json).context("no JSON on the output")?;
    let verdict = json["verdict"].as_str().context("no verdict in the output")?;
    let figure = |name: &str| json["statistics"][name].as_u64();
    let is_without_cutoff = json["engine"].as_str().is_some_and(|engine| engine != "cutoff");
    Ok(Answer {
        is_without_cutoff,
        result: match verdict {
            "holds" => "safe".to_owned(),
            "violated" => "unsafe".to_owned(),
            other => reason(&json["summary"]).unwrap_or(other).to_owned(),
        },
        figures: Figures {
            shared_states: figure("shared states"),
            local_states: figure("local states"),
            thread_transitions: figure("thread transitions"),
            threads: figure("threads"),
            thread_states: figure("thread states"),
            // Those of a number that is not the cutoff say nothing.
            candidates: figure("candidates").filter(|_| verdict != "unknown" && !is_without_cutoff),
            seconds: Some(seconds),
        },
    })
}

/// Why there is no answer, in words.
fn reason(summary: &serde_json::Value) -> Option<&str> {
    summary.as_str()?.strip_prefix("UNKNOWN: ")
}

fn table_beside_paper(rows: &[(Net, Answer)]) -> String {
    let mut lines = vec![
        "| net | result | S, L, T | *paper* | c | *paper* | thread states | *paper* | candidates \
         | *paper* | seconds | *paper* | encoding |"
            .to_owned(),
        format!("|---|---|{}---|", "---:|".repeat(10)),
    ];
    lines.extend(rows.iter().map(|(net, answer)| {
        let paper = net.paper.clone().unwrap_or_default();
        let ours = &answer.figures;
        let cells = [
            (sizes(ours), sizes(&paper)),
            (answer.at_cutoff(ours.threads), number(paper.threads)),
            (answer.at_cutoff(ours.thread_states), number(paper.thread_states)),
            (number(ours.candidates), number(paper.candidates)),
            (seconds(ours.seconds), seconds(paper.seconds)),
        ];
        let cells: Vec<String> =
            cells.iter().map(|(ours, paper)| format!("{ours} | {paper}")).collect();
        let remarks: Vec<String> =
            std::iter::once(difference(ours, &paper)).chain(net.note.clone()).collect();
        let (cells, remarks) = (cells.join(" | "), remarks.join("; "));
        format!("| {} | {} | {cells} | {remarks} |", net.name, answer.result())
    }));
    lines.join("\n")
}

fn table_of_others(rows: &[(Net, Answer)]) -> String {
    let mut lines = vec![
        "| net | result | S, L, T | c | thread states | candidates | seconds |".to_owned(),
        format!("|---|---|{}", "---:|".repeat(5)),
    ];
    lines.extend(rows.iter().map(|(net, answer)| {
        let figures = &answer.figures;
        format!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            net.name,
            answer.result(),
            sizes(figures),
            answer.at_cutoff(figures.threads),
            answer.at_cutoff(figures.thread_states),
            number(figures.candidates),
            seconds(figures.seconds),
        )
    }));
    lines.join("\n")
}

/// The sum of our times over the rows that the paper's tool solved, and of its own.
fn times(rows: &[(Net, Answer)]) -> String {
    let solved = rows.iter().filter_map(|(net, answer)| {
        let paper = net.paper.as_ref()?.seconds?;
        Some((answer, paper))
    });
    let (mut n_rows, mut n_decided, mut n_found, mut ours, mut theirs) = (0, 0, 0, 0.0, 0.0);
    for (answer, paper) in solved {
        n_rows += 1;
        n_decided += usize::from(answer.is_decided());
        n_found += usize::from(answer.is_found());
        ours += answer.figures.seconds.unwrap_or_default();
        theirs += paper;
    }
    format!(
        "The {n_rows} rows that ECUT solved: {n_decided} are decided, {n_found} by the cutoff, in \
         {ours:.2} s; the paper: {theirs:.1} s on its machine."
    )
}

fn sizes(figures: &Figures) -> String {
    let parts = [figures.shared_states, figures.local_states, figures.thread_transitions];
    parts.map(number).join(", ")
}

fn number(n: Option<u64>) -> String {
    n.map_or_else(|| "–".to_owned(), |n| n.to_string())
}

fn seconds(seconds: Option<f64>) -> String {
    match seconds {
        Some(seconds) if seconds < 0.01 => "< 0.01".to_owned(),
        Some(seconds) if seconds < 10.0 => format!("{seconds:.2}"),
        Some(seconds) => format!("{seconds:.1}"),
        None => "–".to_owned(),
    }
}

/// Where the encodings differ: only what is about the same program can be compared.
fn difference(ours: &Figures, paper: &Figures) -> String {
    let parts = [
        ("S", ours.shared_states, paper.shared_states),
        ("L", ours.local_states, paper.local_states),
        ("T", ours.thread_transitions, paper.thread_transitions),
    ];
    if parts.iter().any(|(_, ours, paper)| ours.is_none() || paper.is_none()) {
        return "–".to_owned();
    }
    let differing = parts.iter().filter_map(|(name, ours, paper)| {
        let by = i128::from((*ours)?) - i128::from((*paper)?);
        (by != 0).then(|| format!("{name} {by:+}"))
    });
    let differing: Vec<String> = differing.collect();
    if differing.is_empty() { "same sizes".to_owned() } else { differing.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::{Figures, Nets, difference, read_answer, times};

    fn committed() -> Nets {
        toml::from_str(include_str!("../../bench/table1.toml")).expect("it is well-formed")
    }

    #[test]
    fn the_committed_nets_are_23_with_8_rows_of_the_paper() {
        let nets = committed().net;
        assert_eq!(nets.len(), 23);
        assert_eq!(nets.iter().filter(|net| net.paper.is_some()).count(), 8);
        assert!(nets.iter().all(|net| ["safe", "unsafe"].contains(&net.expected.as_str())));
    }

    #[test]
    fn the_papers_seven_times_are_290_seconds() {
        let rows = committed().net.into_iter().filter(|net| net.paper.is_some());
        let rows: Vec<_> = rows
            .map(|net| {
                let answer = read_answer(br#"{"verdict": "unknown"}"#, 0.0).expect("a verdict");
                (net, answer)
            })
            .collect();
        let text = times(&rows);
        assert!(text.starts_with("The 7 rows that ECUT solved: 0 are decided, 0 by the"), "{text}");
        assert!(text.contains("290.3 s"), "{text}");
    }

    #[test]
    fn an_answer_is_read_from_the_statistics() {
        let json =
            br#"{"verdict": "violated", "statistics": {"shared states": 36, "local states": 32,
            "thread transitions": 71, "threads": 7, "thread states": 860, "candidates": 122}}"#;
        let answer = read_answer(json, 1.5).expect("it is complete");
        assert_eq!(answer.result, "unsafe");
        let paper = Figures { shared_states: Some(37), ..answer.figures.clone() };
        assert_eq!(answer.figures.threads, Some(7));
        assert_eq!(answer.figures.candidates, Some(122));
        assert_eq!(difference(&answer.figures, &paper), "S -1");
        assert_eq!(difference(&answer.figures, &answer.figures), "same sizes");
        let far = br#"{"verdict": "holds", "engine": "cutoff, then backward",
            "statistics": {"threads": 14, "candidates": 3}}"#;
        let far = read_answer(far, 9.0).expect("it is complete");
        assert!(far.is_decided() && !far.is_found());
        assert_eq!(far.at_cutoff(far.figures.threads), "≥ 14");
        assert_eq!(far.figures.candidates, None);
        let open = read_answer(br#"{"verdict": "unknown", "summary": "UNKNOWN: time"}"#, 60.0);
        assert_eq!(open.expect("a verdict").result, "time");
        assert!(read_answer(b"nothing", 0.0).is_err());
    }
}
