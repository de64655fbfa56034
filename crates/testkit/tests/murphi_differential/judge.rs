//! Decides whether everything tells the truth about one Murphi model.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::explicit::{Order, SearchOptions, Storage};
use engine::{Engine, Method};
use frontend::murphi::MurphiModel;
use frontend::{Language, Model};
use model::{
    Context, Deadlock, Ending, Fairness, Limits, Outcome, Problem, Proof, StateProblem, StopReason,
    ThreadCount, Trace, TransitionSystem, Verdict,
};
use testkit::rng::Rng;
use testkit::texts::Texts;

use crate::graph::Graph;
use crate::tally::Tally;
use crate::{formulas, lockstep, orbits};

/// Larger models teach nothing that smaller ones do not.
const MAX_STATES: usize = 4_000;
const MAX_STATES_IN_LOCKSTEP: usize = 300;
const MAX_STATES_FOR_FORMULAS: usize = 150;
const FORMULAS_PER_MODEL: u32 = 2;
/// Far more than these models need.
const TIME_PER_RUN: Duration = Duration::from_secs(20);
/// While loops of these models end after a few turns or never.
const MAX_LOOP_TURNS: u64 = 1_000;

/// What is judged: a text with its propositions, and the seed of all other choices.
pub struct Subject<'a> {
    /// The model.
    pub text: &'a str,
    /// For formulas.
    pub propositions: &'a [String],
    /// Chooses the notion of deadlock and the formulas.
    pub seed: u64,
}

/// A model in both executions, with all that is known of it.
struct Bench<'a> {
    interpreted: &'a MurphiModel,
    compiled: &'a dyn TransitionSystem,
    deadlock: Deadlock,
    graph: &'a Graph,
    tally: RefCell<&'a mut Tally>,
}

impl Subject<'_> {
    /// Compares everything with everything.
    ///
    /// # Errors
    /// Who disagrees.
    pub fn judge(&self, tally: &mut Tally) -> Result<(), String> {
        let deadlock = match self.seed % 3 {
            0 => Deadlock::Stuttering,
            1 => Deadlock::Stuck,
            _ => Deadlock::Off,
        };
        let interpreted = load(self.text, None)?;
        let Some(graph) =
            guarded("interpreter", || Graph::explore(&interpreted, deadlock, MAX_STATES))?
        else {
            tally.n_too_large += 1;
            return Ok(());
        };
        let compiled = compile(&interpreted)?;
        tally.count(&graph);
        guarded("lockstep", || {
            lockstep::compare(&interpreted, &compiled, &graph, MAX_STATES_IN_LOCKSTEP)
        })??;
        let bench = Bench {
            interpreted: &interpreted,
            compiled: &compiled,
            deadlock,
            graph: &graph,
            tally: RefCell::new(tally),
        };
        bench.judge_exact()?;
        bench.judge_symmetry()?;
        bench.judge_lossy()?;
        if graph.states.len() <= MAX_STATES_FOR_FORMULAS {
            for idx in 0..FORMULAS_PER_MODEL {
                self.judge_formula(u64::from(idx), tally)?;
            }
        }
        Ok(())
    }

    fn judge_formula(&self, idx: u64, tally: &mut Tally) -> Result<(), String> {
        let mut rng = Rng::new(self.seed.wrapping_mul(31).wrapping_add(idx));
        let text = formulas::random(&mut rng, self.propositions, 3);
        let fairness = if rng.chance(50) { Fairness::Weak } else { Fairness::None };
        let model = load(self.text, Some(&text))?;
        judge_formula(&model, fairness, tally)
            .map_err(|error| format!("formula {text}, fairness {fairness:?}: {error}"))
    }
}

fn load(text: &str, formula: Option<&str>) -> Result<MurphiModel, String> {
    let mut texts = Texts::new(Language::Murphi, "random.m", text);
    if let Some(formula) = formula {
        texts = texts.with_formula(formula);
    }
    match guarded("front end", || texts.load())?? {
        Model::States(mut model) => {
            model.set_max_loop_turns(MAX_LOOP_TURNS);
            Ok(*model)
        }
        _ => Err("not a Murphi model".into()),
    }
}

fn compile(model: &MurphiModel) -> Result<jit::Compiled<'_>, String> {
    let compiled = guarded("compiler", || jit::compile(model.rule_program(), model))?;
    compiled.map_err(|error| format!("compiler: {error}"))
}

/// A panic is a failure like any other, so that it is shrunk as well.
fn guarded<T>(who: &str, run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| format!("{who}: panicked"))
}

fn limits(jobs: usize) -> Limits {
    Limits { deadline: Some(Instant::now() + TIME_PER_RUN), jobs, ..Limits::none() }
}

impl Bench<'_> {
    fn problem<'b>(&self, system: &'b dyn TransitionSystem) -> StateProblem<'b> {
        StateProblem { system, deadlock: self.deadlock, formula: None, fairness: Fairness::None }
    }

    /// Runs a search; what it answers must pass the re-check and fit the truth.
    fn run(&self, name: &str, search: SearchOptions, jobs: usize) -> Result<Outcome, String> {
        let problem = Problem::States(self.problem(self.compiled));
        let method = Method { search, ..Method::from(Engine::Explicit) };
        let outcome = guarded(name, || {
            engine::check(problem, ThreadCount::AsGiven, method, Context::silent(&limits(jobs)))
        })?;
        let told = Problem::States(self.problem(self.interpreted));
        guarded("certify", || {
            certify::check(told, ThreadCount::AsGiven, &outcome.verdict, &Limits::none())
        })?
        .map_err(|rejection| format!("{name}: rejected: {rejection}: {:?}", outcome.verdict))?;
        self.compare(&outcome.verdict).map_err(|error| format!("{name}: {error}"))?;
        self.tally.borrow_mut().add(name, &outcome.verdict);
        Ok(outcome)
    }

    fn compare(&self, verdict: &Verdict) -> Result<(), String> {
        match (verdict, self.graph.holds()) {
            (Verdict::Holds(_), false) => {
                Err(format!("holds, but there are errors: {:?}", self.graph.errors))
            }
            (Verdict::Violated(trace), true) => Err(format!("violated, but nothing is: {trace:?}")),
            _ => Ok(()),
        }
    }

    fn judge_exact(&self) -> Result<(), String> {
        let plain = SearchOptions { symmetry: false, ..SearchOptions::default() };
        let outcome = self.run("breadth first", plain, 1)?;
        self.expect_decided("breadth first", &outcome)?;
        self.expect_shortest("breadth first", &outcome)?;
        self.expect_states("breadth first", &outcome, self.graph.states.len())?;
        let parallel = self.run("4 jobs", plain, 4)?;
        let was_cut = was_cut(&outcome.verdict) || was_cut(&parallel.verdict);
        if parallel != outcome && !was_cut {
            return Err(format!("4 jobs differ from 1: {parallel:?}, {outcome:?}"));
        }
        let deep = SearchOptions { order: Order::DepthFirst, ..plain };
        let outcome = self.run("depth first", deep, 1)?;
        self.expect_decided("depth first", &outcome)?;
        self.expect_states("depth first", &outcome, self.graph.states.len())
    }

    fn judge_symmetry(&self) -> Result<(), String> {
        let symmetry = self.interpreted.symmetry();
        if symmetry.is_trivial() {
            return Ok(());
        }
        // A search that meets a fault may not see every state.
        let n_orbits = match self.graph.has_faults() {
            true => None,
            false => Some(orbits::count(symmetry, &self.graph.states)?),
        };
        for (name, order) in [
            ("breadth first with symmetry", Order::BreadthFirst),
            ("depth first with symmetry", Order::DepthFirst),
        ] {
            let outcome = self.run(name, SearchOptions { order, ..SearchOptions::default() }, 1)?;
            self.expect_decided(name, &outcome)?;
            if let Some(n_orbits) = n_orbits {
                self.expect_states(name, &outcome, n_orbits)?;
            }
            if order == Order::BreadthFirst {
                self.expect_shortest(name, &outcome)?;
            }
        }
        Ok(())
    }

    fn judge_lossy(&self) -> Result<(), String> {
        for (name, storage) in [
            ("hash compaction", Storage::HashCompaction),
            ("bitstate", Storage::Bitstate { log2_bits: 16 }),
        ] {
            let outcome =
                self.run(name, SearchOptions { storage, ..SearchOptions::default() }, 1)?;
            if matches!(outcome.verdict, Verdict::Holds(_)) {
                return Err(format!("{name}: proves"));
            }
        }
        Ok(())
    }

    fn expect_decided(&self, name: &str, outcome: &Outcome) -> Result<(), String> {
        match &outcome.verdict {
            Verdict::Unknown(reason) if !was_cut(&outcome.verdict) => {
                Err(format!("{name}: unknown: {reason:?}"))
            }
            _ => Ok(()),
        }
    }

    fn expect_states(&self, name: &str, outcome: &Outcome, n_states: usize) -> Result<(), String> {
        let Verdict::Holds(certificate) = &outcome.verdict else { return Ok(()) };
        match certificate.proof {
            Proof::Exhausted { n_states: stored, .. } if stored == n_states as u64 => Ok(()),
            ref proof => Err(format!("{name}: {proof:?}, expected {n_states} states")),
        }
    }

    fn expect_shortest(&self, name: &str, outcome: &Outcome) -> Result<(), String> {
        let Verdict::Violated(trace) = &outcome.verdict else { return Ok(()) };
        let Trace::States(states) = trace else { return Err("a trace of another kind".into()) };
        let is_absence = matches!(states.ending, Ending::Uncovered(_) | Ending::Stranded(_));
        match self.graph.nearest_error() {
            None if is_absence => Ok(()),
            Some(nearest) if nearest == trace.n_steps() && !is_absence => Ok(()),
            nearest => Err(format!("{name}: nearest error {nearest:?}, but {trace:?}")),
        }
    }
}

/// Did a search come to its time limit? That says nothing against it, and nothing for it.
pub fn was_cut(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(StopReason::TimeLimit))
}

/// One formula: one job against four and both against the textbook.
fn judge_formula(model: &MurphiModel, fairness: Fairness, tally: &mut Tally) -> Result<(), String> {
    let compiled = compile(model)?;
    let formula = model.formula().ok_or("the formula got lost")?;
    let problem =
        |system| StateProblem { system, deadlock: Deadlock::Off, formula: Some(formula), fairness };
    let Some(graph) = Graph::explore(model, Deadlock::Off, MAX_STATES_FOR_FORMULAS) else {
        return Ok(());
    };
    let truth = valuations(model, &graph)
        .filter(|_| !graph.has_broken_steps)
        .and_then(|all| formulas::holds(model, &graph, &all, &formula.formula, fairness));
    for jobs in [1, 4] {
        let fast = Problem::States(problem(&compiled as &dyn TransitionSystem));
        let outcome = guarded("ltl", || {
            engine::check(
                fast,
                ThreadCount::AsGiven,
                Engine::Explicit,
                Context::silent(&limits(jobs)),
            )
        })?;
        let told = Problem::States(problem(model as &dyn TransitionSystem));
        certify::check(told, ThreadCount::AsGiven, &outcome.verdict, &Limits::none())
            .map_err(|rejection| format!("{jobs} jobs: rejected: {rejection}: {outcome:?}"))?;
        tally.add(if jobs == 1 { "formulas" } else { "formulas, 4 jobs" }, &outcome.verdict);
        let found = match &outcome.verdict {
            Verdict::Holds(_) => true,
            Verdict::Violated(_) => false,
            verdict if was_cut(verdict) => continue,
            Verdict::Unknown(reason) => return Err(format!("{jobs} jobs: unknown: {reason:?}")),
        };
        if truth.is_some_and(|truth| truth != found) {
            return Err(format!("{jobs} jobs: {:?}, but the truth is {truth:?}", outcome.verdict));
        }
    }
    Ok(())
}

/// The valuation of each state; `None` when there is none somewhere.
fn valuations(model: &MurphiModel, graph: &Graph) -> Option<Vec<u64>> {
    let mut stepper = model.stepper(&Limits::none());
    graph.states.iter().map(|state| stepper.valuation(state).ok()).collect()
}
