//! Decides whether all engines tell the truth about one system.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::Engine;
use engine::coverability::{Turns, check_in_turns};
use model::{Context, Limits, Outcome, Problem, StopReason, ThreadCount, Verdict};
use testkit::reference::composition::populations;
use testkit::reference::explicit::{Caps, with_few_threads, with_small_counts, with_threads};
use testkit::reference::rules::{self, Rules};
use testkit::reference::{ReferenceAnswer, backward, karp_miller};

use crate::tally::Tally;

const CAPS: Caps = Caps { states: 1_500, counts: 5, initial: 2 };
const MAX_ELEMENTS: usize = 1_500;
const MAX_NODES: usize = 3_000;
/// Far more than these systems need; a run that is cut short proves nothing
/// against an engine.
const TIME_PER_RUN: Duration = Duration::from_secs(3);
/// Outside of what it is complete for, an engine may run for ever.
const TIME_IN_VAIN: Duration = Duration::from_millis(100);

/// Those that answer for any number of threads; the others refuse every question here, and
/// are judged where they answer (`symbolic.rs`, `reductions.rs`).
const ENGINES: [Engine; 7] = [
    Engine::Auto,
    Engine::Cover,
    Engine::CoverBfs,
    Engine::Backward,
    Engine::Equation,
    Engine::Forward,
    Engine::Cutoff,
];

/// Judges engines on one system.
pub struct Judge {
    seed: u64,
}

/// What the references know.
#[derive(Clone, Copy, Debug)]
struct Truth {
    /// Is an error reachable? `None`: the references could not tell.
    reachable: Option<bool>,
    /// Is the system one without upper bounds, for which coverability is decidable?
    decidable: bool,
    /// Is it one without transfers and broadcasts as well?
    plain: bool,
}

impl Judge {
    /// Options that must not matter are chosen by the seed.
    pub fn new(seed: u64) -> Judge {
        Judge { seed }
    }

    /// Compares everything with everything; the error says who disagrees.
    pub fn judge(&self, problem: Problem<'_>, tally: &mut Tally) -> Result<(), String> {
        let started = Instant::now();
        let truth = truth(problem)?;
        tally.time("references", started.elapsed(), self.seed);
        for engine in ENGINES {
            let started = Instant::now();
            let outcome = self.run(problem, ThreadCount::Any, engine, truth.plain)?;
            tally.time(engine.name(), started.elapsed(), self.seed);
            tally.count(engine.name(), &outcome.verdict);
            if was_cut(&outcome.verdict) && (truth.plain || !is_cover(engine)) {
                tally.count_cut(engine.name());
            }
            compare(engine, &outcome.verdict, truth)?;
        }
        if let Problem::Threads(program) = problem {
            for n_threads in 1..=2 {
                if !populations(program, n_threads).is_empty() {
                    self.judge_fixed(problem, n_threads)?;
                }
            }
            self.judge_in_turns(problem, truth, tally)?;
        }
        Ok(())
    }

    /// Listing thread states in tiny turns, between which rules are made on demand, must not
    /// matter.
    fn judge_in_turns(
        &self,
        problem: Problem<'_>,
        truth: Truth,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let turns = Turns {
            first: 1 + self.seed as usize % 3,
            growth: 1 + self.seed as usize % 2,
            work_per_state: if self.seed.is_multiple_of(4) { 1 } else { 200 },
        };
        for engine in [Engine::Auto, Engine::Forward, Engine::Cover, Engine::CoverBfs] {
            let name = format!("{} in turns", engine.name());
            let limits = limits(time_for(engine, truth.plain));
            let context = Context::silent(&limits);
            let run = || check_in_turns(problem, ThreadCount::Any, engine, turns, context);
            let outcome =
                catch_unwind(AssertUnwindSafe(run)).map_err(|_| format!("{name}: panicked"))?;
            recheck(problem, ThreadCount::Any, &name, &outcome.verdict)?;
            tally.count(&name, &outcome.verdict);
            if outcome.notes.iter().any(|note| note.contains("on demand")) {
                tally.count("on demand", &outcome.verdict);
            }
            compare(engine, &outcome.verdict, truth)
                .map_err(|error| format!("in turns: {error}"))?;
        }
        Ok(())
    }

    fn judge_fixed(&self, problem: Problem<'_>, n_threads: u32) -> Result<(), String> {
        let Problem::Threads(program) = problem else { return Ok(()) };
        let reachable = is_reachable(with_threads(program, n_threads, CAPS));
        let truth = Truth { reachable, decidable: false, plain: false };
        for engine in [Engine::Auto, Engine::Backward] {
            let outcome = self.run(problem, ThreadCount::Exactly(n_threads), engine, false)?;
            compare(engine, &outcome.verdict, truth)
                .map_err(|error| format!("for exactly {n_threads} threads: {error}"))?;
        }
        Ok(())
    }

    /// Runs an engine and has its answer re-checked; some runs are repeated and
    /// must then be the same in every respect.
    fn run(
        &self,
        problem: Problem<'_>,
        threads: ThreadCount,
        engine: Engine,
        is_plain: bool,
    ) -> Result<Outcome, String> {
        let name = engine.name();
        let first = guarded(problem, threads, engine, time_for(engine, is_plain))?;
        recheck(problem, threads, name, &first.verdict)?;
        let is_repeated = self.seed.is_multiple_of(16) && !was_cut(&first.verdict);
        if is_repeated && guarded(problem, threads, engine, TIME_PER_RUN)? != first {
            return Err(format!("{name}: two runs differ"));
        }
        Ok(first)
    }
}

/// Is it one that need not end where there are transfers?
fn is_cover(engine: Engine) -> bool {
    matches!(engine, Engine::Cover | Engine::CoverBfs)
}

fn time_for(engine: Engine, is_plain: bool) -> Duration {
    if is_cover(engine) && !is_plain { TIME_IN_VAIN } else { TIME_PER_RUN }
}

fn recheck(
    problem: Problem<'_>,
    threads: ThreadCount,
    name: &str,
    verdict: &Verdict,
) -> Result<(), String> {
    let limits = limits(TIME_PER_RUN);
    let checked = (0..2).map(|_| certify::check(problem, threads, verdict, &limits));
    match checked.filter_map(Result::err).next() {
        Some(rejection) => {
            Err(format!("{name}: rejected for {threads:?}: {rejection}\n{verdict:?}"))
        }
        None => Ok(()),
    }
}

fn limits(time: Duration) -> Limits {
    Limits { deadline: Some(Instant::now() + time), ..Limits::none() }
}

/// A panic is a failure like any other, so that it is shrunk as well.
fn guarded(
    problem: Problem<'_>,
    threads: ThreadCount,
    engine: Engine,
    time: Duration,
) -> Result<Outcome, String> {
    let run = || verify::check(problem, threads, engine, Context::silent(&limits(time)));
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| format!("{}: panicked", engine.name()))
}

fn truth(problem: Problem<'_>) -> Result<Truth, String> {
    let (flat, explicit) = match problem {
        Problem::Threads(program) => {
            (Some(rules::of_threads(program)), with_few_threads(program, CAPS))
        }
        Problem::Counters(system) => (rules::of_counters(system), with_small_counts(system, CAPS)),
        Problem::ThreadRuns(_) | Problem::States(_) | Problem::Parameterized(_) => {
            return Err("this test makes nets and thread programs".to_owned());
        }
    };
    let explicit = is_reachable(explicit);
    let Some(flat) = flat else {
        return Ok(Truth { reachable: explicit, decidable: false, plain: false });
    };
    let exact = is_reachable(backward::search(&flat, MAX_ELEMENTS));
    let tree = karp_miller::search(&flat, MAX_NODES).and_then(is_reachable);
    let known: Vec<bool> = [explicit, exact, tree].into_iter().flatten().collect();
    if known.contains(&true) && known.contains(&false) {
        return Err(format!("the references disagree: {explicit:?} {exact:?} {tree:?}"));
    }
    Ok(Truth { reachable: known.first().copied(), decidable: true, plain: is_plain(&flat) })
}

fn is_plain(flat: &Rules) -> bool {
    flat.rules.iter().all(|rule| rule.moves.is_empty())
}

fn is_reachable(answer: ReferenceAnswer) -> Option<bool> {
    match answer {
        ReferenceAnswer::Reachable { .. } => Some(true),
        ReferenceAnswer::Unreachable => Some(false),
        ReferenceAnswer::NotWithin => None,
    }
}

fn was_cut(verdict: &Verdict) -> bool {
    use StopReason::{CountOverflow, Interrupted, MemoryLimit, TimeLimit};
    matches!(verdict, Verdict::Unknown(CountOverflow | Interrupted | MemoryLimit | TimeLimit))
}

/// `Unknown` is accepted only where an engine's documentation says so.
fn compare(engine: Engine, verdict: &Verdict, truth: Truth) -> Result<(), String> {
    let name = engine.name();
    let complete = match engine {
        Engine::Auto | Engine::Backward | Engine::Cutoff => truth.decidable,
        Engine::Cover | Engine::CoverBfs => truth.decidable && truth.plain,
        Engine::Equation
        | Engine::Forward
        | Engine::Symbolic
        | Engine::ThreadModular
        | Engine::Explicit => false,
    };
    match (verdict, truth.reachable) {
        (Verdict::Holds(_), Some(true)) => Err(format!("{name}: holds, but an error is reachable")),
        (Verdict::Violated(_), Some(false)) => Err(format!("{name}: violated, but none is")),
        (Verdict::Unknown(reason), _) if complete && !was_cut(verdict) => {
            Err(format!("{name}: unknown ({reason:?}), though complete for this system"))
        }
        _ => Ok(()),
    }
}
