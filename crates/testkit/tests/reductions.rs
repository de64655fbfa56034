//! Ample sets and supersteps change no answer: random programs that say what they touch,
//! with every question that reductions must preserve, searched with and without them. The
//! plain search is compared with the naive one where that can answer.
//!
//! `THREADPROOF_SEEDS` is the number of programs for each question,
//! `THREADPROOF_FIRST_SEED` the first.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use engine::explicit::{Order, Reduction, SearchOptions};
use engine::{Engine, Method};
use model::{
    Context, Fairness, Formula, GrowingBound, Limits, NamedFormula, Outcome, Problem, ThreadCount,
    ThreadRuns, Verdict,
};
use testkit::environment::number_from_environment;
use testkit::random::formula;
use testkit::random::objects::{self, ObjectProgram, QUESTIONS, Question};
use testkit::reference::ReferenceAnswer;
use testkit::reference::explicit::{Caps, with_threads};
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 100;
const CAPS: Caps = Caps { states: 20_000, counts: 8, initial: 3 };
/// Enough for most programs; the others are left out.
const MAX_STATES: u64 = 30_000;
/// Temporal operators above each other in a formula.
const DEPTH: u32 = 3;

/// What came of the programs of one question.
#[derive(Debug, Default)]
struct Tally {
    n_violated: u64,
    n_held: u64,
    n_open: u64,
    /// Searches with fewer states than the plain one.
    n_reduced: u64,
}

fn seeds() -> std::ops::Range<u64> {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    first..first + number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS)
}

#[test]
fn reductions_change_no_answer_about_states() {
    for question in QUESTIONS {
        let mut tally = Tally::default();
        for seed in seeds() {
            let program = objects::random(&mut Rng::new(seed), question);
            if let Err(failure) = judge(&program, question, &mut tally) {
                panic!("seed {seed}: {question:?}: {failure}\n{program:#?}");
            }
        }
        println!("{question:?}: {tally:?}");
        // What looks at local stores sees every step.
        tally.check_mix(question != Question::Local);
    }
}

#[test]
fn supersteps_change_no_answer_about_runs() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let program = objects::random(&mut rng, Question::Shared).with_propositions();
        let formula = formula::random(&mut rng, DEPTH);
        let fairness = if rng.chance(50) { Fairness::Weak } else { Fairness::None };
        if let Err(failure) = judge_runs(&program, formula, fairness, &mut tally) {
            panic!("seed {seed}: {fairness:?}: {failure}\n{program:#?}");
        }
    }
    println!("{tally:?}");
    tally.check_mix(true);
}

impl Tally {
    /// Are there enough answers of both kinds, and are there reductions where there should
    /// be?
    fn check_mix(&self, reduces: bool) {
        let n_decided = self.n_violated + self.n_held;
        if n_decided < DEFAULT_SEEDS * 3 / 4 {
            return;
        }
        assert!(self.n_violated.min(self.n_held) * 10 > n_decided, "{self:?}");
        assert_eq!(self.n_reduced * 3 > n_decided, reduces, "{self:?}");
        assert!(self.n_open * 4 < n_decided, "{self:?}");
    }

    fn note(&mut self, plain: &Outcome) {
        match plain.verdict {
            Verdict::Violated(_) => self.n_violated += 1,
            Verdict::Holds(_) => self.n_held += 1,
            Verdict::Unknown(_) => self.n_open += 1,
        }
    }
}

fn judge(program: &ObjectProgram, question: Question, tally: &mut Tally) -> Result<(), String> {
    let options = |reduction| SearchOptions {
        reduction,
        max_states: Some(MAX_STATES),
        ..SearchOptions::default()
    };
    let problem = Problem::Threads(program);
    let plain = answer(problem, program, options(Reduction::Off))?;
    tally.note(&plain);
    if let Verdict::Unknown(_) = plain.verdict {
        return Ok(());
    }
    agrees_with_naive(program, question, &plain)?;
    for reduction in [Reduction::AmpleSets, Reduction::Supersteps] {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            for symmetry in [true, false] {
                let max_states = None;
                let search = SearchOptions { order, symmetry, max_states, ..options(reduction) };
                let reduced = answer(problem, program, search)?;
                is_alike(&plain, &reduced).map_err(|why| format!("{search:?}: {why}"))?;
                let is_smaller = n_states(&reduced) < n_states(&plain);
                tally.n_reduced += u64::from(is_smaller && order == Order::BreadthFirst);
            }
        }
    }
    Ok(())
}

fn judge_runs(
    program: &ObjectProgram,
    formula: Formula,
    fairness: Fairness,
    tally: &mut Tally,
) -> Result<(), String> {
    let named = NamedFormula {
        text: formula.to_string(),
        formula,
        propositions: vec!["p0".into(), "p1".into()],
    };
    let problem = Problem::ThreadRuns(ThreadRuns { program, formula: &named, fairness });
    let options = |reduction| SearchOptions { reduction, ..SearchOptions::default() };
    let plain = answer(problem, program, options(Reduction::Off))?;
    tally.note(&plain);
    if let Verdict::Unknown(_) = plain.verdict {
        return Ok(());
    }
    let reduced = answer(problem, program, options(Reduction::Supersteps))?;
    tally.n_reduced += u64::from(n_states(&reduced) < n_states(&plain));
    is_alike(&plain, &reduced).map_err(|why| format!("{}: {why}", named.text))
}

/// The answer, re-checked.
fn answer(
    problem: Problem<'_>,
    program: &ObjectProgram,
    search: SearchOptions,
) -> Result<Outcome, String> {
    let limits = Limits { jobs: 1, ..Limits::none() };
    let threads = ThreadCount::Exactly(program.n_threads());
    let slots = Some(GrowingBound::new(program.max_threads(), program.max_threads()));
    let search = SearchOptions { slots, ..search };
    let method = Method { search, ..Method::from(Engine::Explicit) };
    let outcome = engine::check(problem, threads, method, Context::silent(&limits));
    match certify::check(problem, threads, &outcome.verdict, &limits) {
        Ok(_) => Ok(outcome),
        Err(rejection) => Err(format!("{search:?}: rejected: {rejection}")),
    }
}

fn n_states(outcome: &Outcome) -> u64 {
    let named = outcome.statistics.iter().find(|(name, _)| name.ends_with("states"));
    let product = outcome.statistics.iter().find(|(name, _)| name == "product states");
    product.or(named).map_or(0, |(_, n)| *n)
}

fn is_alike(plain: &Outcome, reduced: &Outcome) -> Result<(), String> {
    match (&plain.verdict, &reduced.verdict) {
        (Verdict::Holds(_), Verdict::Holds(_)) | (Verdict::Violated(_), Verdict::Violated(_)) => {
            Ok(())
        }
        (plain, reduced) => Err(format!("{reduced:?}\nbut without reductions {plain:?}")),
    }
}

/// The naive search knows targets and steps that fail.
fn agrees_with_naive(
    program: &ObjectProgram,
    question: Question,
    plain: &Outcome,
) -> Result<(), String> {
    if question == Question::Deadlocks {
        return Ok(());
    }
    let naive = with_threads(program, program.n_threads(), CAPS);
    match (naive, &plain.verdict) {
        (ReferenceAnswer::Reachable { .. }, Verdict::Violated(_))
        | (ReferenceAnswer::Unreachable, Verdict::Holds(_))
        | (ReferenceAnswer::NotWithin, _) => Ok(()),
        (naive, verdict) => Err(format!("{verdict:?}, but {naive:?}")),
    }
}
