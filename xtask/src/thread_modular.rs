//! Measures the engine that looks at threads one by one, and writes the tables and plots of its
//! two pages in the book, and `bench/runs/thread_modular_*.csv`.
//!
//! What is counted is exact and the same everywhere. Times are processor time of one thread,
//! the least of three runs, and the page gives them as ratios within one run of this command.
//! An engine that contradicts another one fails the command. The measuring program is an
//! example of `testkit`, so that this crate need not be built with all that it needs.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::figures::page::{Page, grouped, table};
use crate::figures::plot::{Plot, Series};

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Leave the public thread systems out, and their table as it is
    #[arg(long)]
    growth_only: bool,
}

/// Runs everything and writes what came of it.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let growth = measure(root, &["growth"])?;
    keep(root, "growth", "series,size,kept,allowed", &growth)?;
    draw_all(root, &growth)?;
    if !arguments.growth_only {
        let suites = std::env::var_os("THREADPROOF_SUITES").map(PathBuf::from);
        let folder = suites.context("THREADPROOF_SUITES is not set")?.join("tts");
        let rows = measure(root, &["suite", &folder.display().to_string()])?;
        let heading =
            "file,label,auto,seconds,backward,seconds,thread-modular,seconds,level,exposed";
        keep(root, "suite", heading, &rows)?;
        let rows: Vec<Row> = rows.iter().map(|line| Row::of(line)).collect::<Result<_>>()?;
        let mut page = Page::open(&root.join("docs/book/src/engines/thread-modular.md"))?;
        page.fill("levels", &levels(&rows))?;
        page.fill("suite", &compared(&rows)?)?;
        page.save()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The lines that the measuring program prints.
fn measure(root: &Path, arguments: &[&str]) -> Result<Vec<String>> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["run", "--quiet", "--profile", "fast", "--package", "testkit"])
        .args(["--example", "thread_modular", "--"])
        .args(arguments)
        .output()
        .context("cargo cannot be run")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the measurement failed: {said}");
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

fn keep(root: &Path, name: &str, heading: &str, lines: &[String]) -> Result<()> {
    let text = format!("{heading}\n{}\n", lines.join("\n"));
    Ok(std::fs::write(root.join(format!("bench/runs/thread_modular_{name}.csv")), text)?)
}

/// Which measurements a plot shows, by what they are called there; `true`: what the paper
/// allows for them instead.
struct Picture {
    name: &'static str,
    x: &'static str,
    y: &'static str,
    doubles: bool,
    series: &'static [(&'static str, &'static str, bool)],
}

const PICTURES: [Picture; 4] = [
    Picture {
        name: "growth_threads",
        x: "threads n",
        y: "views and moves",
        doubles: true,
        series: &[
            ("owner in the shared store", "simple", false),
            ("n·G·(G+L), owner", "simple", true),
            ("lock of the language", "simple with a lock", false),
            ("n·G·(G+L), lock", "simple with a lock", true),
        ],
    },
    Picture {
        name: "growth_stores",
        x: "stores: G or L, the other one is 8",
        y: "views and moves",
        doubles: true,
        series: &[
            ("any change, over G", "any change; shared", false),
            ("G·(G+L), over G", "any change; shared", true),
            ("counter, over G", "counter; shared", false),
            ("any change, over L", "any change; local", false),
            ("counter, over L", "counter; local", false),
        ],
    },
    Picture {
        name: "growth_summaries",
        x: "procedures, or shared stores G",
        y: "edges of P and pairs of G",
        doubles: true,
        series: &[
            ("procedures in a chain", "chain", false),
            ("digits, over G", "digits", false),
            ("(G·L)² + G² of them", "digits", true),
        ],
    },
    Picture {
        name: "growth_depth",
        x: "calls on each other",
        y: "what is kept",
        doubles: false,
        series: &[("P and G, any depth", "walk", false), ("states of two threads", "walk", true)],
    },
];

fn draw_all(root: &Path, lines: &[String]) -> Result<()> {
    for picture in &PICTURES {
        let mut series = Vec::new();
        for &(name, measured, is_bound) in picture.series {
            let points = points(lines, measured, is_bound)?;
            // States that are searched are measured as well.
            let is_bound = is_bound && picture.doubles;
            series.push(Series { points, is_bound, ..Series::new(name) });
        }
        let (x, y) = (picture.x.to_owned(), picture.y.to_owned());
        let plot = Plot { x, y, doubles: picture.doubles, series };
        let path = root.join(format!("docs/book/src/figures/{}.svg", picture.name));
        std::fs::write(path, plot.to_svg())?;
    }
    Ok(())
}

/// The points of a series: what is kept, or what is allowed.
fn points(lines: &[String], name: &str, allowed: bool) -> Result<Vec<(u32, Option<u64>)>> {
    let mut points = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [series, size, kept, bound] = fields[..] else { bail!("not a measurement: {line}") };
        if series == name {
            let value = if allowed { bound } else { kept };
            points.push((size.parse()?, Some(value.parse()?)));
        }
    }
    ensure!(!points.is_empty(), "nothing was measured of {name}");
    Ok(points)
}

/// A thread system, and what was said of it.
struct Row {
    name: String,
    auto: Answer,
    backward: Answer,
    modular: Answer,
    level: u32,
    n_exposed: u32,
}

struct Answer {
    verdict: String,
    seconds: f64,
}

impl Row {
    fn of(line: &str) -> Result<Row> {
        let fields: Vec<&str> = line.split(',').collect();
        ensure!(fields.len() == 10, "not a measurement: {line}");
        let answer = |at: usize| -> Result<Answer> {
            Ok(Answer { verdict: fields[at].to_owned(), seconds: fields[at + 1].parse()? })
        };
        let row = Row {
            name: fields[0].to_owned(),
            auto: answer(2)?,
            backward: answer(4)?,
            modular: answer(6)?,
            level: fields[8].parse()?,
            n_exposed: fields[9].parse()?,
        };
        let decided = [&row.auto, &row.backward, &row.modular];
        let mut decided = decided.iter().map(|answer| &answer.verdict).filter(|v| *v != "open");
        let first = decided.next();
        ensure!(decided.all(|verdict| Some(verdict) == first), "engines disagree: {line}");
        Ok(row)
    }

    fn how(&self) -> String {
        match (self.level, self.n_exposed) {
            (1, 0) => "one by one".to_owned(),
            (_, 0) => format!("{} together", self.level),
            (_, n) => format!("{n} exposed"),
        }
    }
}

/// How many of the safe ones are proved, by what was needed.
fn levels(rows: &[Row]) -> String {
    let safe = || rows.iter().filter(|row| row.auto.verdict == "safe");
    let n_at = |level: u32, exposes: bool| {
        safe().filter(|row| row.level == level && (row.n_exposed > 0) == exposes).count()
    };
    let n_open = safe().filter(|row| row.modular.verdict == "open").count();
    let counts = [safe().count(), n_at(1, false), n_at(1, true), n_at(2, false), n_at(3, false)];
    let counts = counts.into_iter().chain([n_open]).map(|n| n.to_string()).collect::<Vec<_>>();
    let heading = [
        "safe systems",
        "threads one by one",
        "with exposed facts",
        "two together",
        "three",
        "not",
    ];
    table(&heading, &[counts])
}

/// The safe ones one by one, with times as multiples of that of thread-modular checking.
fn compared(rows: &[Row]) -> Result<String> {
    let mut lines = Vec::new();
    for row in rows.iter().filter(|row| row.auto.verdict == "safe") {
        let own = row.modular.seconds;
        ensure!(own > 0.0, "{}: too fast for the clock", row.name);
        let name = row.name.rsplit('/').next().unwrap_or(&row.name).trim_end_matches(".tts");
        lines.push(vec![
            format!("`{name}`"),
            row.how(),
            grouped((own * 1e6).round() as u64),
            ratio(row.backward.seconds / own),
            ratio(row.auto.seconds / own),
        ]);
    }
    Ok(table(&["system", "proved", "µs", "`backward`", "`auto`"], &lines))
}

/// With two digits that count.
fn ratio(ratio: f64) -> String {
    match ratio {
        10.0.. => format!("{ratio:.0}"),
        1.0.. => format!("{ratio:.1}"),
        0.1.. => format!("{ratio:.2}"),
        0.01.. => format!("{ratio:.3}"),
        _ => format!("{ratio:.4}"),
    }
}
