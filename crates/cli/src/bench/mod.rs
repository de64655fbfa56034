//! `bench`: runs a suite of models with expected verdicts, each in a process of
//! its own, and tells which answers are wrong, missing or slow.

mod child;
mod instance;
mod table;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::args::{BenchArgs, Format};
use crate::exit::Exit;
use crate::progress::LiveLine;
use crate::{interrupt, last_words, output};

use instance::Instance;
use table::{Grade, Row};

/// Runs the verb.
pub fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let instances = chosen(args)?;
    let mut journal = Journal::create(args)?;
    last_words::prepare(Format::Text, "bench");
    let interrupted = interrupt::flag();
    let program = std::env::current_exe().context("cannot find my own program file")?;
    let line = LiveLine::new(true);
    let started = Instant::now();
    let mut rows = Vec::new();
    for (idx, instance) in instances.iter().enumerate() {
        let n_wrong = rows.iter().filter(|row: &&Row| row.grade == Grade::Wrong).count();
        line.tell(format!("{}/{} ({n_wrong} wrong) {}", idx + 1, instances.len(), instance.name));
        let Some(answer) = child::run(&program, args, instance, &interrupted)? else { break };
        let row = Row::new(instance, answer);
        journal.note(&row)?;
        rows.push(row);
    }
    line.clear();
    let is_bad = rows.iter().any(|row| matches!(row.grade, Grade::Wrong | Grade::Crashed));
    let text = table::render(rows, instances.len(), started.elapsed());
    last_words::claim_or_wait();
    output::say(&text)?;
    Ok(match (interrupted.load(Ordering::Relaxed), is_bad) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Violated,
        (false, false) => Exit::Holds,
    })
}

fn chosen(args: &BenchArgs) -> anyhow::Result<Vec<Instance>> {
    let mut instances = Vec::new();
    for suite in &args.suites {
        instances.extend(instance::read_suite(suite)?);
    }
    if let Some(list) = &args.disputed {
        instance::mark_disputed(&mut instances, list)?;
    }
    if let Some(part) = &args.filter {
        instances.retain(|instance| instance.name.contains(part.as_str()));
    }
    if instances.is_empty() {
        bail!("no instance to run: the suites are empty or the filter matches nothing");
    }
    refuse_missing(&instances)?;
    Ok(instances)
}

/// A suite with files missing would look unsolved instead of absent.
fn refuse_missing(instances: &[Instance]) -> anyhow::Result<()> {
    let files = instances.iter().flat_map(|i| std::iter::once(&i.file).chain(&i.property));
    let missing: Vec<_> = files.filter(|file| !file.exists()).collect();
    let Some(first) = missing.first() else { return Ok(()) };
    let more = match missing.len() {
        1 => String::new(),
        n => format!(", nor do {} more files of the suites", n - 1),
    };
    bail!("`{}` does not exist{more}", first.display())
}

/// The files that get a line after each run, so that a stopped run leaves what
/// it has.
struct Journal<'a> {
    csv: Option<(csv::Writer<std::fs::File>, &'a Path)>,
    jsonl: Option<(std::fs::File, &'a Path)>,
}

impl<'a> Journal<'a> {
    fn create(args: &'a BenchArgs) -> anyhow::Result<Journal<'a>> {
        let create = |path: &'a PathBuf| -> anyhow::Result<(std::fs::File, &'a Path)> {
            let file = std::fs::File::create(path).with_context(|| cannot_write(path))?;
            Ok((file, path.as_path()))
        };
        let csv = args.csv.as_ref().map(create).transpose()?;
        let mut journal = Journal {
            csv: csv.map(|(file, path)| (csv::Writer::from_writer(file), path)),
            jsonl: args.jsonl.as_ref().map(create).transpose()?,
        };
        journal.write_csv(table::CSV_HEADING)?;
        Ok(journal)
    }

    fn write_csv<T: AsRef<[u8]>>(
        &mut self,
        record: impl IntoIterator<Item = T>,
    ) -> anyhow::Result<()> {
        let Some((csv, path)) = &mut self.csv else { return Ok(()) };
        csv.write_record(record).with_context(|| cannot_write(path))?;
        csv.flush().with_context(|| cannot_write(path))
    }

    fn note(&mut self, row: &Row) -> anyhow::Result<()> {
        use std::io::Write as _;
        self.write_csv(row.csv_record())?;
        if let Some((jsonl, path)) = &mut self.jsonl {
            writeln!(jsonl, "{}", row.json()).with_context(|| cannot_write(path))?;
        }
        Ok(())
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write `{}`", path.display())
}
