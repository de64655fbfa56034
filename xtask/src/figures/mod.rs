//! Runs the experiments of the pancam paper with our programs, and the same algorithms
//! with SPIN; writes the numbers to `bench/runs/*.csv`, the plots to
//! `docs/book/src/figures/`, and the tables into the book's page `pancam.md`.
//!
//! States are exact and the same everywhere; times are of the machine, so the page gives
//! them as ratios within one run. A run that reaches the limit of time shows as `!`, as in
//! the paper. A wrong verdict fails the command.

pub mod page;
pub mod plot;
mod runs;
mod spin;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::bench::build;
use page::{Page, count, table};
use plot::{Plot, Series};
use runs::{Checker, Run, Verdict, write_csv};

/// Context switches of Fig. 9.
const MAX_SWITCHES: u32 = 8;
/// What the paper allowed the message queue.
const SWITCHES_OF_QUEUE: u32 = 4;
/// The ways to cut a program into steps that are compared.
const REDUCTIONS: [&str; 3] = ["global", "superstep", "auto"];
/// The same, and steps of single instructions.
const REDUCTIONS_AND_NONE: [&str; 4] = ["none", "global", "superstep", "auto"];

/// States that the paper gives in Fig. 11, for "global access" and for "superstep".
const PAPER_PHILOSOPHERS: [(u32, u64, u64); 4] =
    [(2, 59, 37), (3, 534, 380), (4, 4762, 3130), (5, 42386, 25021)];
/// The same for its message queue; none where memory was exhausted.
const PAPER_QUEUE: [(u32, Option<u64>, u64); 5] = [
    (1, Some(156_863), 234),
    (2, Some(625_359), 316),
    (3, Some(1_529_342), 479),
    (4, None, 654),
    (15, None, 22_629),
];

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// The threadproof to run; without it the release binary is built
    #[arg(long)]
    command: Option<PathBuf>,
    /// Seconds that each run may take
    #[arg(long, default_value_t = 20)]
    seconds: u32,
}

/// Runs everything and writes what came of it.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let binary = match &arguments.command {
        Some(command) => std::path::absolute(command)?,
        None => build(root)?,
    };
    ensure!(spin::is_installed(), "SPIN or gcc is not installed: apt-get install spin gcc");
    let figures = Figures {
        root: root.to_path_buf(),
        checker: Checker { binary, root: root.to_path_buf(), seconds: arguments.seconds },
    };
    std::fs::create_dir_all(figures.plots())?;
    let mut page = Page::open(&root.join("docs/book/src/pancam.md"))?;
    figures.peterson(&mut page)?;
    figures.robot(&mut page)?;
    figures.philosophers(&mut page)?;
    figures.queue(&mut page)?;
    figures.deadlocks(&mut page)?;
    figures.spin(&mut page)?;
    figures.speed(&mut page)?;
    page.save()?;
    Ok(ExitCode::SUCCESS)
}

struct Figures {
    root: PathBuf,
    checker: Checker,
}

impl Figures {
    fn plots(&self) -> PathBuf {
        self.root.join("docs/book/src/figures")
    }

    fn keep(&self, name: &str, runs: &[Run]) -> Result<()> {
        write_csv(&self.root.join(format!("bench/runs/{name}.csv")), runs)
    }

    /// Fig. 9: Peterson over context bounds, right and wrong.
    fn peterson(&self, page: &mut Page) -> Result<()> {
        let mut runs = Vec::new();
        for (name, bug) in [("peterson", false), ("peterson_bug", true)] {
            let mut series: Vec<Series> = REDUCTIONS.iter().map(|name| Series::new(name)).collect();
            let mut rows = Vec::new();
            for bound in (0..=MAX_SWITCHES).map(Some).chain([None]) {
                let mut row = vec![bound.map_or("none".to_owned(), |bound| bound.to_string())];
                for (reduction, series) in REDUCTIONS.iter().zip(&mut series) {
                    let run = self.checker.check("peterson", &peterson(bug, bound, reduction))?;
                    // How few switches the bug needs is what the figure shows.
                    ensure!(bug || run.verdict != Verdict::Violated, "peterson: {run:?}");
                    ensure!(bound.is_some() || run.verdict == answer(bug), "peterson: {run:?}");
                    row.push(count(&run));
                    if bug {
                        row.push(if run.verdict == Verdict::Violated { "yes" } else { "" }.into());
                    }
                    series.points.extend(bound.map(|bound| (bound, run.states())));
                    runs.push(run);
                }
                rows.push(row);
            }
            let found = if bug { &["found"][..] } else { &[] };
            let columns = REDUCTIONS
                .iter()
                .flat_map(|&name| std::iter::once(name).chain(found.iter().copied()));
            let heading: Vec<&str> = std::iter::once("switches").chain(columns).collect();
            page.fill(name, &table(&heading, &rows))?;
            self.draw(name, "pre-emptive context switches", series)?;
        }
        self.keep("peterson", &runs)
    }

    fn draw(&self, name: &str, x: &str, series: Vec<Series>) -> Result<()> {
        let plot = Plot { x: x.to_owned(), y: "states stored".to_owned(), doubles: false, series };
        Ok(std::fs::write(self.plots().join(format!("{name}.svg")), plot.to_svg())?)
    }

    /// Runs a program for each size and each reduction, fills the table and draws the plot.
    /// Where a size was too much, larger ones are not tried.
    fn sizes(&self, page: &mut Page, sweep: &Sweep<'_>) -> Result<Vec<Run>> {
        let mut series: Vec<Series> =
            sweep.reductions.iter().map(|name| Series::new(name)).collect();
        let (mut rows, mut runs) = (Vec::new(), Vec::new());
        for size in sweep.sizes.clone() {
            let mut row = vec![size.to_string()];
            row.extend((sweep.paper)(size));
            for (reduction, series) in sweep.reductions.iter().zip(&mut series) {
                if series.points.last().is_some_and(|(_, states)| states.is_none()) {
                    row.push("!".to_owned());
                    continue;
                }
                let run = self.checker.check(sweep.program, &sweep.arguments(size, reduction))?;
                ensure!(run.verdict != Verdict::Violated, "{}: {run:?}", sweep.program);
                row.push(count(&run));
                series.points.push((size, run.states()));
                runs.push(run);
            }
            rows.push(row);
        }
        let heading: Vec<&str> = sweep.heading.iter().chain(sweep.reductions).copied().collect();
        page.fill(sweep.name, &table(&heading, &rows))?;
        self.draw(sweep.name, sweep.heading[0], series)?;
        Ok(runs)
    }

    /// Fig. 10: the two robots, over the size of the board.
    fn robot(&self, page: &mut Page) -> Result<()> {
        let sweep = Sweep {
            name: "robot",
            program: "robot",
            macro_name: "N",
            sizes: 2..=10,
            reductions: &REDUCTIONS_AND_NONE,
            more: &[],
            heading: &["board"],
            paper: &|_| Vec::new(),
        };
        let runs = self.sizes(page, &sweep)?;
        self.keep("robot", &runs)
    }

    /// Fig. 11: dining philosophers, over their number.
    fn philosophers(&self, page: &mut Page) -> Result<()> {
        let paper = |n: u32| {
            let known = PAPER_PHILOSOPHERS.iter().find(|(size, ..)| *size == n);
            let cell = |states: Option<u64>| states.map(page::grouped).unwrap_or_default();
            vec![cell(known.map(|row| row.1)), cell(known.map(|row| row.2))]
        };
        let sweep = Sweep {
            name: "philosophers",
            program: "philosophers",
            macro_name: "N",
            sizes: 2..=8,
            reductions: &REDUCTIONS_AND_NONE,
            more: &[],
            heading: &["philosophers", "paper, global", "paper, superstep"],
            paper: &paper,
        };
        let runs = self.sizes(page, &sweep)?;
        self.keep("philosophers", &runs)
    }

    /// Fig. 11: the message queue, over its size; without and with the paper's bound.
    fn queue(&self, page: &mut Page) -> Result<()> {
        let paper = |m: u32| {
            let known = PAPER_QUEUE.iter().find(|(size, ..)| *size == m);
            let cell = |states: Option<u64>| states.map(page::grouped).unwrap_or_default();
            let global = match known {
                Some((_, None, _)) => "!".to_owned(),
                other => cell(other.and_then(|row| row.1)),
            };
            vec![global, cell(known.map(|row| row.2))]
        };
        let heading = ["messages", "paper, global", "paper, superstep"];
        let bound = SWITCHES_OF_QUEUE.to_string();
        let (all, bounded): (&[&str], &[&str]) = (&[], &["--switches", &bound]);
        let mut runs = Vec::new();
        for (name, more) in [("message_queue_bounded", bounded), ("message_queue", all)] {
            let is_bounded = name.ends_with("bounded");
            let sweep = Sweep {
                name,
                program: "message_queue",
                macro_name: "M",
                sizes: 1..=15,
                reductions: &REDUCTIONS,
                more,
                heading: if is_bounded { &heading } else { &heading[..1] },
                paper: if is_bounded { &paper } else { &|_| Vec::new() },
            };
            runs.extend(self.sizes(page, &sweep)?);
        }
        self.keep("message_queue", &runs)
    }

    /// AB-BA and the philosophers that deadlock.
    fn deadlocks(&self, page: &mut Page) -> Result<()> {
        let (mut runs, mut rows) = (Vec::new(), Vec::new());
        let philosophers = (2..=10).map(|n| {
            let arguments = vec![format!("-DN={n}"), "-DDEADLOCK".to_owned()];
            ("philosophers", format!("{n} philosophers"), arguments)
        });
        let ab_ba = ("ab_ba", "AB-BA".to_owned(), Vec::new());
        for (program, name, arguments) in std::iter::once(ab_ba).chain(philosophers) {
            let mut row = vec![name];
            for order in ["bfs", "dfs"] {
                let mut arguments = arguments.clone();
                arguments.extend(["--order".to_owned(), order.to_owned()]);
                let run = self.checker.check(program, &arguments)?;
                ensure!(run.verdict == Verdict::Violated, "{program}: {run:?}");
                row.push(count(&run));
                runs.push(run);
            }
            rows.push(row);
        }
        page.fill("deadlocks", &table(&["program", "breadth first", "depth first"], &rows))?;
        self.keep("deadlocks", &runs)
    }

    /// The same algorithms in Promela, with SPIN's partial-order reduction.
    fn spin(&self, page: &mut Page) -> Result<()> {
        let (mut runs, mut rows) = (Vec::new(), Vec::new());
        for compared in spin::COMPARED {
            let [theirs, ours] = self.both(compared)?;
            rows.push(vec![
                compared.name(),
                count(&theirs),
                count(&ours),
                format!("{:.2}", ratio(ours.states, theirs.states)),
                format!("{:.1}", ours.seconds / theirs.seconds),
            ]);
            runs.extend([theirs, ours]);
        }
        let heading = ["program", "SPIN", "threadproof", "states, ratio", "time, ratio"];
        page.fill("spin", &table(&heading, &rows))?;
        self.keep("spin", &runs)
    }

    /// How fast both are, on searches that take some time.
    fn speed(&self, page: &mut Page) -> Result<()> {
        let (mut runs, mut rows) = (Vec::new(), Vec::new());
        // Most of the time of the smallest program goes to clang.
        let compiling = self.checker.check("ab_ba", &[])?.seconds;
        for compared in spin::MEASURED {
            let [theirs, ours] = self.both(compared)?;
            let mut row = vec![compared.name()];
            for (run, seconds) in [(&theirs, theirs.searching), (&ours, ours.seconds - compiling)] {
                row.extend([rate(run.states, seconds), rate(run.steps, seconds)]);
            }
            rows.push(row);
            runs.extend([theirs, ours]);
        }
        let instructions =
            self.checker.check("robot", &["-DN=8", "--reduction", "none"].map(str::to_owned))?;
        let seconds = instructions.seconds - compiling;
        rows.push(vec![
            "robot -DN=8, single instructions".to_owned(),
            String::new(),
            String::new(),
            rate(instructions.states, seconds),
            rate(instructions.steps, seconds),
        ]);
        runs.push(instructions);
        let heading = [
            "program",
            "SPIN, states/s",
            "SPIN, steps/s",
            "threadproof, states/s",
            "threadproof, steps/s",
        ];
        page.fill("speed", &table(&heading, &rows))?;
        self.keep("speed", &runs)
    }

    /// A run of SPIN and one of ours, which must agree.
    fn both(&self, compared: &spin::Compared) -> Result<[Run; 2]> {
        let folder = self.root.join("target/figures");
        let theirs = spin::verify(&self.root, &folder, compared, self.checker.seconds)?;
        let arguments = compared.constants.iter().chain(compared.options);
        let arguments: Vec<String> = arguments.map(|&word| word.to_owned()).collect();
        let ours = self.checker.check(compared.program, &arguments)?;
        ensure!(ours.verdict == theirs.verdict, "{}: {ours:?} but {theirs:?}", compared.name());
        Ok([theirs, ours])
    }
}

/// A program that is run for many sizes.
struct Sweep<'a> {
    /// Of the table and the plot.
    name: &'a str,
    program: &'a str,
    /// The macro that sets the size.
    macro_name: &'a str,
    sizes: std::ops::RangeInclusive<u32>,
    reductions: &'a [&'a str],
    /// Further arguments.
    more: &'a [&'a str],
    /// Of the columns before ours; the first one is the size.
    heading: &'a [&'a str],
    /// The cells of these columns behind the first.
    paper: &'a dyn Fn(u32) -> Vec<String>,
}

impl Sweep<'_> {
    fn arguments(&self, size: u32, reduction: &str) -> Vec<String> {
        let mut arguments = vec![format!("-D{}={size}", self.macro_name)];
        arguments.extend(["--reduction".to_owned(), reduction.to_owned()]);
        arguments.extend(self.more.iter().map(|&more| more.to_owned()));
        arguments
    }
}

fn peterson(bug: bool, bound: Option<u32>, reduction: &str) -> Vec<String> {
    let mut arguments: Vec<String> =
        ["--property", "unreach-call", "-O2", "--reduction", reduction].map(str::to_owned).to_vec();
    if bug {
        arguments.push("-DBUG".to_owned());
    }
    if let Some(bound) = bound {
        arguments.extend(["--switches".to_owned(), bound.to_string()]);
    }
    arguments
}

fn answer(bug: bool) -> Verdict {
    if bug { Verdict::Violated } else { Verdict::Holds }
}

fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}

/// So many in a second, where that was long enough to be measured.
fn rate(n: u64, seconds: f64) -> String {
    match seconds >= runs::MEASURABLE {
        true => page::grouped((n as f64 / seconds) as u64),
        false => "too short".to_owned(),
    }
}
