//! Decides whether what is said of one program fits to its runs.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use engine::Engine;
use engine::thread_modular::check_stacks;
use frontend::boolprog::ast::Dialect;
use frontend::{Language, Model};
use model::{Context, Limits, Problem, SourceFile, ThreadCount, ThreadProgram, Trace, Verdict};
use testkit::reference::boolean::{Answer, Bounds, explore};
use testkit::texts::Texts;

/// How far the reference looks.
const BOUNDS: Bounds = Bounds { states: 4_000, threads: 4, frames: 5 };
const TIME_PER_RUN: Duration = Duration::from_secs(2);
/// The reference is asked about this many threads at the start.
const MAX_THREADS: usize = 3;
/// Of so many programs one is given to all that `auto` has.
const SEEDS_PER_AUTO: u64 = 4;

/// What was answered how often.
#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<(&'static str, &'static str), u64>,
}

/// Is the text read without an error?
pub fn is_program(text: &str) -> bool {
    texts(text).load().is_ok()
}

fn texts(text: &str) -> Texts {
    Texts::new(Language::BooleanProgram, "random.bp", text)
}

/// Compares proofs and errors with the runs of the reference; the error says what differs.
pub fn judge(text: &str, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let Model::Boolean(program) = texts(text).load()? else { return Err("no program".into()) };
    let Some(stacks) = program.pushdown() else {
        tally.count("program", "without stacks");
        return Ok(());
    };
    let answers = answers(text)?;
    tally.count("reference", name_of(&answers));
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let exactly = (1..=answers.len() as u32).map(ThreadCount::Exactly);
    for threads in std::iter::once(ThreadCount::Any).chain(exactly) {
        let context = Context::silent(&limits);
        let mut verdict = check_stacks(program.as_ref(), stacks, threads, true, context).verdict;
        verdict.set_variant(program.variant());
        let who = if threads == ThreadCount::Any { "proof for any number" } else { "proof for n" };
        compare(&verdict, threads, &answers, (program.as_ref(), &mut *tally), who)?;
        if let Verdict::Holds(certificate) = &verdict
            && threads == ThreadCount::Any
        {
            super::corruption::every_part_matters(program.as_ref(), certificate, seed)?;
        }
    }
    if seed.is_multiple_of(SEEDS_PER_AUTO) {
        let context = Context::silent(&limits);
        let problem = Problem::Threads(program.as_ref());
        let verdict = verify::check(problem, ThreadCount::Any, Engine::Auto, context).verdict;
        compare(&verdict, ThreadCount::Any, &answers, (program.as_ref(), tally), "auto")?;
    }
    Ok(())
}

/// What the reference sees with 1, 2, … threads at the start, as far as so many may start.
fn answers(text: &str) -> Result<Vec<Answer>, String> {
    let file = SourceFile { name: "random.bp".into(), text: text.into() };
    let (program, diagnostics) = frontend::boolprog::syntax(&file);
    if !diagnostics.is_empty() {
        return Err(format!("not read: {diagnostics:?}"));
    }
    let most = if program.dialect == Dialect::Cuba { 1 } else { MAX_THREADS };
    (1..=most).map(|n_threads| explore(&program, n_threads, BOUNDS)).collect()
}

fn compare(
    verdict: &Verdict,
    threads: ThreadCount,
    answers: &[Answer],
    (program, tally): (&dyn ThreadProgram, &mut Tally),
    who: &'static str,
) -> Result<(), String> {
    let context = |error: String| format!("{who} ({threads:?}): {error}");
    certify::check(Problem::Threads(program), threads, verdict, &Limits::none())
        .map_err(|rejection| context(format!("rejected: {rejection}")))?;
    let asked = match threads {
        ThreadCount::Exactly(n) => &answers[n as usize - 1..n as usize],
        _ => answers,
    };
    let fails = asked.iter().any(|answer| !answer.failures.is_empty());
    let is_complete = asked.iter().all(|answer| answer.is_complete);
    match verdict {
        Verdict::Holds(_) if fails => return Err(context("holds, but an assertion fails".into())),
        Verdict::Violated(Trace::Threads(trace)) => {
            let answer = answers.get(trace.n_initial().max(1) - 1);
            if answer.is_some_and(|answer| answer.is_complete && answer.failures.is_empty()) {
                return Err(context("violated, but nothing fails".into()));
            }
            tally.count(who, "violated");
        }
        Verdict::Violated(_) => return Err(context("the run is not one of threads".into())),
        Verdict::Holds(_) => tally.count(who, "holds"),
        Verdict::Unknown(_) if fails => tally.count(who, "unknown, fails"),
        Verdict::Unknown(_) if is_complete => tally.count(who, "unknown, cannot fail"),
        Verdict::Unknown(_) => tally.count(who, "unknown, to the reference as well"),
    }
    Ok(())
}

fn name_of(answers: &[Answer]) -> &'static str {
    let is_complete = answers.iter().all(|answer| answer.is_complete);
    match answers.iter().any(|answer| !answer.failures.is_empty()) {
        true => "fails",
        false if is_complete => "cannot fail",
        false => "unknown",
    }
}

impl Tally {
    fn count(&mut self, who: &'static str, what: &'static str) {
        *self.counts.entry((who, what)).or_default() += 1;
    }

    /// A test that only ever sees one kind of program compares nothing.
    pub fn check_mix(&self) {
        let n = |who, what| self.counts.get(&(who, what)).copied().unwrap_or(0);
        let total: u64 =
            (self.counts.iter()).filter(|((who, _), _)| *who == "reference").map(|(_, n)| n).sum();
        assert!(total * 2 > n("program", "without stacks"), "few programs call themselves");
        assert!(n("reference", "fails") * 10 > total, "few programs fail");
        assert!(n("proof for any number", "holds") * 20 > total, "little is proved");
        assert!(n("auto", "violated") > 0, "no error is found");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((who, what), n) in &self.counts {
            writeln!(f, "{n:>6}  {who}: {what}")?;
        }
        Ok(())
    }
}
