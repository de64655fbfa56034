//! Decides whether all engines tell the truth about one program.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::Engine;
use frontend::boolprog::ast::{Dialect, Program};
use frontend::{Language, Model, Reductions, convert};
use model::{
    Context, Limits, Outcome, Problem, Rule, SourceFile, StepError, StopReason, ThreadCount, Trace,
    Verdict, Violation,
};
use testkit::random::boolean_program::RandomText;
use testkit::reference::boolean::{Answer, Bounds, explore};
use testkit::texts::Texts;

const BOUNDS: Bounds = Bounds { states: 6_000, threads: 5, frames: 5 };
/// Far more than these programs need; a run that is cut short proves nothing against an
/// engine.
const TIME_PER_RUN: Duration = Duration::from_millis(1_500);
/// After this time, engines are left out that were not asked yet. Few programs take it.
const TIME_PER_PROGRAM: Duration = Duration::from_secs(6);
/// The reference is asked about this many threads at the start.
const MAX_THREADS: usize = 3;

/// Runs that may come to a limit on a machine that is busy with something else.
const FEW_CUT: u64 = 3;
const CUT: &str = "cut";
const LEFT_OUT: &str = "left out";

/// Judges one program.
pub struct Judge {
    /// Chooses what is not done for every program.
    pub seed: u64,
}

/// What was answered how often.
#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<(String, &'static str), u64>,
}

/// Is the text read without an error?
pub fn is_program(text: &str) -> bool {
    texts(text).load().is_ok()
}

impl Judge {
    /// Compares everything with everything; the error says who disagrees.
    pub fn judge(&self, program: &RandomText, tally: &mut Tally) -> Result<(), String> {
        let text = &program.text();
        let truth = Truth::of(text)?;
        tally.count("reference", truth.name());
        let model = texts(text).load()?;
        let own = self.judge_engines(&model, (&truth, tally))?;
        self.judge_reductions(text, (&truth, &own), tally)?;
        self.judge_converted(&model, &own, tally)?;
        self.judge_unused(program, (&truth, &own), tally)?;
        self.judge_printed(&model, &truth)
    }

    /// Declarations that nothing uses change nothing.
    fn judge_unused(
        &self,
        program: &RandomText,
        (truth, own): (&Truth, &Verdict),
        tally: &mut Tally,
    ) -> Result<(), String> {
        let text = program.with_unused(self.seed).text();
        if !truth.is_like(&Truth::of(&text)?) {
            return Err(format!("an unused declaration changes what fails:\n{text}"));
        }
        let model = texts(&text).load()?;
        let verdict = run(model.problem(), ThreadCount::Any, Engine::Auto)?.verdict;
        tally.count("auto with unused declarations", name(&verdict));
        are_alike(own, &verdict).map_err(|error| format!("{error}:\n{text}"))
    }

    /// Asks every engine, those that matter most here first, the others in turn; what `auto`
    /// says of any number of threads.
    fn judge_engines(
        &self,
        model: &Model,
        (truth, tally): (&Truth, &mut Tally),
    ) -> Result<Verdict, String> {
        let started = Instant::now();
        let first = [Engine::Auto, Engine::Symbolic];
        let mut others: Vec<Engine> = Engine::ALL.to_vec();
        others.retain(|engine| !first.contains(engine));
        let turn = self.seed as usize % others.len();
        others.rotate_left(turn);
        let exactly = (1..=truth.answers.len() as u32).map(ThreadCount::Exactly);
        let scopes: Vec<ThreadCount> = std::iter::once(ThreadCount::Any).chain(exactly).collect();
        let mut own = Verdict::Unknown(StopReason::Interrupted);
        for engine in first.into_iter().chain(others) {
            for &threads in &scopes {
                let scope = if threads == ThreadCount::Any { "any" } else { "exact" };
                let who = format!("{} {scope}", engine.name());
                if started.elapsed() > TIME_PER_PROGRAM {
                    tally.count(&who, LEFT_OUT);
                    continue;
                }
                let verdict = run(model.problem(), threads, engine)?.verdict;
                tally.count(&who, name(&verdict));
                let context = |error| format!("{} for {threads:?}: {error}", engine.name());
                truth.compare(&verdict, threads).map_err(context)?;
                if engine == Engine::Auto {
                    truth.compare_completeness(&verdict).map_err(context)?;
                }
                if (engine, threads) == (Engine::Auto, ThreadCount::Any) {
                    own = verdict;
                } else if threads == ThreadCount::Any {
                    are_alike(&own, &verdict).map_err(context)?;
                }
            }
        }
        Ok(own)
    }

    /// Calls that are one step each, all reductions off, and each of them off in turn.
    fn judge_reductions(
        &self,
        text: &str,
        (truth, own): (&Truth, &Verdict),
        tally: &mut Tally,
    ) -> Result<(), String> {
        let all = Reductions::ALL;
        let without_one = [
            Reductions { constants: false, ..all },
            Reductions { liveness: false, ..all },
            Reductions { unused: false, ..all },
            Reductions { merging: false, ..all },
            Reductions { sections: false, ..all },
        ];
        let chosen = without_one[(self.seed % 5) as usize];
        let summarised = Reductions { summaries: true, ..all };
        for (reductions, who) in [
            (summarised, "auto with summaries"),
            (Reductions::NONE, "auto without reductions"),
            (chosen, "auto without one reduction"),
        ] {
            let model = texts(text).with_reductions(reductions).load()?;
            let most = ThreadCount::Exactly(truth.answers.len().min(2) as u32);
            for threads in [most, ThreadCount::Any] {
                let verdict = run(model.problem(), threads, Engine::Auto)?.verdict;
                tally.count(who, name(&verdict));
                let context = |error| format!("auto for {threads:?} with {reductions:?}: {error}");
                truth.compare(&verdict, threads).map_err(context)?;
                if threads == ThreadCount::Any {
                    are_alike(own, &verdict).map_err(context)?;
                }
            }
        }
        Ok(())
    }

    /// The program as an explicit thread transition system has the same verdict.
    fn judge_converted(
        &self,
        model: &Model,
        own: &Verdict,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let Ok(converted) = convert(model, Language::Tts) else {
            tally.count("auto on the .tts", "not converted");
            return Ok(());
        };
        let explicit = Texts::of_converted(Language::Tts, &converted).load()?;
        let verdict = run(explicit.problem(), ThreadCount::Any, Engine::Auto)?.verdict;
        tally.count("auto on the .tts", name(&verdict));
        are_alike(own, &verdict).map_err(|error| format!("{error}:\n{}", converted.text))
    }

    /// What is printed is the same program, and prints the same.
    fn judge_printed(&self, model: &Model, truth: &Truth) -> Result<(), String> {
        let printed =
            convert(model, Language::BooleanProgram).map_err(|error| error.to_string())?;
        let again = texts(&printed.text).load()?;
        let twice = convert(&again, Language::BooleanProgram).map_err(|error| error.to_string())?;
        if printed.text != twice.text {
            return Err(format!("printing twice differs:\n{}\n{}", printed.text, twice.text));
        }
        let read = Truth::of(&printed.text)?;
        if !truth.is_like(&read) {
            return Err(format!("printing changes what fails:\n{}", printed.text));
        }
        Ok(())
    }
}

fn texts(text: &str) -> Texts {
    Texts::new(Language::BooleanProgram, "random.bp", text)
}

/// Runs an engine and has its answer re-checked. A panic is a failure like any other, so
/// that it is shrunk as well.
fn run(problem: Problem<'_>, threads: ThreadCount, engine: Engine) -> Result<Outcome, String> {
    let limits = || Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let check = || verify::check(problem, threads, engine, Context::silent(&limits()));
    let outcome = catch_unwind(AssertUnwindSafe(check))
        .map_err(|_| format!("{} for {threads:?}: panicked", engine.name()))?;
    // A re-check that is cut short believes nothing.
    certify::check(problem, threads, &outcome.verdict, &Limits::none())
        .map_err(|rejection| format!("{} for {threads:?}: rejected: {rejection}", engine.name()))?;
    Ok(outcome)
}

/// What the reference knows.
struct Truth {
    text: String,
    /// For 1, 2, … threads at the start, as far as so many may start.
    answers: Vec<Answer>,
}

impl Truth {
    fn of(text: &str) -> Result<Truth, String> {
        let file = SourceFile { name: "random.bp".into(), text: text.into() };
        let (program, diagnostics): (Program, _) = frontend::boolprog::syntax(&file);
        if !diagnostics.is_empty() {
            return Err(format!("not read: {diagnostics:?}"));
        }
        // With braces, one thread runs `main`, and it creates the others.
        let most = if program.dialect == Dialect::Cuba { 1 } else { MAX_THREADS };
        let answers: Vec<Answer> = (1..=most)
            .map(|n_threads| explore(&program, n_threads, BOUNDS))
            .collect::<Result<_, _>>()?;
        // A thread that never steps disturbs nobody.
        let is_growing = answers
            .windows(2)
            .all(|pair| !pair[1].is_complete || pair[0].failures.is_subset(&pair[1].failures));
        if !is_growing {
            return Err("the reference contradicts itself".into());
        }
        Ok(Truth { text: text.to_owned(), answers })
    }

    fn name(&self) -> &'static str {
        let fails = self.answers.iter().position(|answer| !answer.failures.is_empty());
        match (fails, self.answers.iter().all(|answer| answer.is_complete)) {
            (Some(0), _) => "fails with 1 thread",
            (Some(1), _) => "fails with 2 threads",
            (Some(_), _) => "fails with 3 threads",
            (None, true) => "fails with none of 3",
            (None, false) => "unknown",
        }
    }

    /// Do the same numbers of threads fail, as far as was looked?
    fn is_like(&self, other: &Truth) -> bool {
        self.answers.iter().zip(&other.answers).all(|(one, other)| {
            let are_complete = one.is_complete && other.is_complete;
            !are_complete || one.failures.len() == other.failures.len()
        })
    }

    fn compare(&self, verdict: &Verdict, threads: ThreadCount) -> Result<(), String> {
        let asked = match threads {
            ThreadCount::Exactly(n) => &self.answers[n as usize - 1..n as usize],
            ThreadCount::Any | ThreadCount::AsGiven => &self.answers[..],
        };
        match verdict {
            Verdict::Holds(_) if asked.iter().any(|answer| !answer.failures.is_empty()) => {
                Err("holds, but an assertion can fail".into())
            }
            Verdict::Violated(Trace::Threads(trace)) => {
                let n_initial = trace.threads.len();
                let Some(answer) = self.answers.get(n_initial.max(1) - 1) else { return Ok(()) };
                if answer.failures.is_empty() && answer.is_complete {
                    return Err(format!("violated, but nothing fails with {n_initial} threads"));
                }
                self.compare_message(&trace.violation, answer)
            }
            Verdict::Violated(_) => Err("the trace is not one of threads".into()),
            _ => Ok(()),
        }
    }

    /// Is the assertion that fails one that can fail?
    fn compare_message(&self, violation: &Violation, answer: &Answer) -> Result<(), String> {
        let Violation::Step(StepError { rule, message }) = violation else {
            return Err("the error is no step".into());
        };
        let statements = answer.failures.iter().map(|&start| {
            let rest = &self.text[start as usize..];
            rest.split(';').next().unwrap_or(rest)
        });
        let is_known = |statement: &str| {
            message.contains(statement)
                || statement.starts_with("release") && *rule == Rule::MutexMisuse
                || statement.starts_with("goto") && message.starts_with("the label")
                // A call that is one step says only that something in it fails.
                || message.starts_with("an assertion in")
        };
        if answer.is_complete && !statements.clone().any(is_known) {
            let all: Vec<&str> = statements.collect();
            return Err(format!("{message}, but only {all:?} can fail"));
        }
        Ok(())
    }

    /// `auto` answers where there is no recursion and no limit was met.
    fn compare_completeness(&self, verdict: &Verdict) -> Result<(), String> {
        match verdict {
            verdict if was_cut(verdict) => Ok(()),
            Verdict::Unknown(StopReason::Incomplete { .. }) if !self.is_complete() => Ok(()),
            Verdict::Unknown(reason) => Err(format!("unknown: {reason:?}")),
            _ => Ok(()),
        }
    }

    fn is_complete(&self) -> bool {
        self.answers.iter().all(|answer| answer.is_complete)
    }
}

/// Do two answers to one question fit together?
fn are_alike(one: &Verdict, other: &Verdict) -> Result<(), String> {
    let is_decided = |verdict: &Verdict| !matches!(verdict, Verdict::Unknown(_));
    match is_decided(one) && is_decided(other) && name(one) != name(other) {
        true => Err(format!("{} where `auto` says {}", name(other), name(one))),
        false => Ok(()),
    }
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        verdict if was_cut(verdict) => CUT,
        Verdict::Unknown(_) => "unknown",
    }
}

/// Did a run come to a limit? That says nothing against an engine, and nothing for it.
fn was_cut(verdict: &Verdict) -> bool {
    use StopReason::{Interrupted, MemoryLimit, TimeLimit};
    matches!(verdict, Verdict::Unknown(Interrupted | MemoryLimit | TimeLimit))
}

impl Tally {
    fn count(&mut self, who: &str, what: &'static str) {
        *self.counts.entry((who.to_owned(), what)).or_default() += 1;
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        for (key, n) in &other.counts {
            *self.counts.entry(key.clone()).or_default() += n;
        }
    }

    /// Fails when more than one run in a hundred of `auto`, and more than a few, came to a
    /// limit or were left out: then little was compared.
    pub fn check_cut(&self) {
        let sum = |which: &dyn Fn(&str) -> bool| -> u64 {
            let runs = self.counts.iter().filter(|(key, _)| key.0.starts_with("auto"));
            runs.filter(|(key, _)| which(key.1)).map(|(_, n)| n).sum()
        };
        let (n_cut, total) = (sum(&|what| [CUT, LEFT_OUT].contains(&what)), sum(&|_| true));
        assert!(n_cut <= FEW_CUT.max(total / 100), "{n_cut} of {total} runs came to a limit");
    }

    /// A test that only ever sees one kind of program compares nothing.
    pub fn check_mix(&self) {
        let n = |what| self.counts.get(&("reference".to_owned(), what)).copied().unwrap_or(0);
        let total: u64 =
            self.counts.iter().filter(|(key, _)| key.0 == "reference").map(|(_, n)| n).sum();
        for what in ["fails with 1 thread", "fails with none of 3"] {
            assert!(n(what) * 10 > total, "{} of {total} programs: {what}", n(what));
        }
        assert!(n("fails with 2 threads") > 0, "threads do not matter to any program");
        assert!(n("unknown") * 4 < total, "{} of {total} are unknown", n("unknown"));
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
