//! Nobody gets `Holds` from a search that left something out: a caller outside of the engine
//! tries every way to ask.

mod chain;
mod spawner;

use engine::explicit::composition::{Composition, check_threads};
use engine::explicit::{self, Order, Reduction, SearchOptions, Storage};
use engine::{Engine, Method, ltl};
use model::{
    Context, Deadlock, Fairness, Formula, GrowingBound, Limits, NamedFormula, Omission, Outcome,
    Problem, PropertyKind, SearchBounds, StateProblem, StopReason, ThreadCount, ThreadProgram,
    ThreadRuns, TransitionSystem, Verdict,
};

use chain::Chain;
use spawner::Spawner;

const STORAGES: [Storage; 3] =
    [Storage::Exact, Storage::HashCompaction, Storage::Bitstate { log2_bits: 16 }];

/// Where all threads have ended no rule is enabled, so compositions are asked for none.
const ALL_DEADLOCKS: &[Deadlock] = &[Deadlock::Off, Deadlock::Stuck, Deadlock::Stuttering];

fn silent(jobs: usize) -> Limits {
    Limits { jobs, ..Limits::none() }
}

/// Always proposition 0.
fn always() -> NamedFormula {
    let formula = Formula::Release(Box::new(Formula::False), Box::new(Formula::Proposition(0)));
    NamedFormula { text: "G p".into(), formula, propositions: vec!["p".into()] }
}

/// Everything that the engine can be asked about the states or runs of a system.
fn ask_everything(
    system: &dyn TransitionSystem,
    deadlocks: &[Deadlock],
) -> Vec<(String, Result<(), StopReason>)> {
    let mut answers = Vec::new();
    let formula = always();
    for jobs in [1, 4] {
        let limits = silent(jobs);
        let context = Context::silent(&limits);
        for &deadlock in deadlocks {
            let fairness = Fairness::None;
            let problem = StateProblem { system, deadlock, formula: None, fairness };
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                for storage in STORAGES {
                    let options = SearchOptions { order, storage, ..SearchOptions::default() };
                    let name = format!("{order:?} {storage:?} {deadlock:?} {jobs}");
                    let outcome = explicit::check(&problem, &options, context);
                    answers.push((name, answer(&outcome)));
                }
            }
            let survey = explicit::survey(&problem, &SearchOptions::default(), 1, context);
            answers.push(("survey".into(), survey.stopped.map_or(Ok(()), Err)));
            for engine in [Engine::Auto, Engine::Explicit] {
                let outcome =
                    engine::check(Problem::States(problem), ThreadCount::AsGiven, engine, context);
                answers.push((format!("{engine:?}"), answer(&outcome)));
            }
        }
        for fairness in [Fairness::None, Fairness::Weak] {
            let (deadlock, formula) = (Deadlock::Off, Some(&formula));
            let problem = StateProblem { system, deadlock, formula, fairness };
            let outcome = ltl::check(&problem, context);
            answers.push((format!("ltl {fairness:?} {jobs}"), answer(&outcome)));
        }
    }
    answers
}

#[track_caller]
fn answer(outcome: &Outcome) -> Result<(), StopReason> {
    match &outcome.verdict {
        Verdict::Holds(_) => Ok(()),
        Verdict::Unknown(reason) => Err(reason.clone()),
        Verdict::Violated(trace) => panic!("no run is wrong: {trace:?}"),
    }
}

#[track_caller]
fn leaves_out(name: &str, answer: &Result<(), StopReason>, expected: &Omission) {
    let Err(StopReason::UnderApproximated { omitted }) = answer else {
        panic!("{name}: {answer:?}, though something was left out");
    };
    assert!(omitted.iter().any(|omission| omission == expected), "{name}: {omitted:?}");
}

#[test]
fn a_system_that_cuts_a_step_is_never_proven() {
    let cut = Omission::Threads { room: 1 };
    for chain in [Chain::cut_at(3), Chain::cut_at(9), Chain::omitting_a_start()] {
        for (name, answer) in ask_everything(&chain, ALL_DEADLOCKS) {
            leaves_out(&name, &answer, &cut);
        }
    }
    // The same without the cut is proven, but for lossy storage.
    for (name, answer) in ask_everything(&Chain::whole(), ALL_DEADLOCKS) {
        match name.contains("HashCompaction") || name.contains("Bitstate") {
            true => assert!(matches!(answer, Err(StopReason::UnderApproximated { .. })), "{name}"),
            false => assert_eq!(answer, Ok(()), "{name}"),
        }
    }
}

#[test]
fn what_was_not_met_is_not_out_of_reach_where_something_was_left_out() {
    for kind in [PropertyKind::Cover, PropertyKind::CoverStatement, PropertyKind::AlwaysReachable] {
        for (name, answer) in ask_everything(&Chain::cut_at(3).never(kind), ALL_DEADLOCKS) {
            leaves_out(&name, &answer, &Omission::Threads { room: 1 });
        }
    }
}

#[test]
fn a_bound_on_steps_proves_nothing_unless_it_leaves_out_nothing() {
    // Nine steps lead to the last node, which leads to itself.
    let kinds = [PropertyKind::Cover, PropertyKind::CoverStatement, PropertyKind::AlwaysReachable];
    for kind in [None].into_iter().chain(kinds.map(Some)) {
        for (bound, is_whole) in [(0, false), (5, false), (8, false), (9, true), (20, true)] {
            for jobs in [1, 4] {
                for deadlock in [Deadlock::Off, Deadlock::Stuck] {
                    let chain = kind.map_or_else(Chain::whole, |kind| Chain::whole().last(kind));
                    let (formula, fairness) = (None, Fairness::None);
                    let problem = StateProblem { system: &chain, deadlock, formula, fairness };
                    let options =
                        SearchOptions { max_depth: Some(bound), ..SearchOptions::default() };
                    let limits = silent(jobs);
                    let context = Context::silent(&limits);
                    let outcome = explicit::check(&problem, &options, context);
                    let survey = explicit::survey(&problem, &options, 1, context);
                    if is_whole {
                        let unbounded =
                            explicit::check(&problem, &SearchOptions::default(), context);
                        assert_eq!(outcome.verdict, unbounded.verdict);
                        assert_eq!(survey.stopped, None);
                        continue;
                    }
                    let omission = Omission::Depth { bound };
                    leaves_out("check", &answer(&outcome), &omission);
                    leaves_out("survey", &survey.stopped.map_or(Ok(()), Err), &omission);
                }
            }
        }
    }
}

#[test]
fn a_composition_with_too_few_slots_is_never_proven() {
    let program = Spawner::default();
    let narrow = Composition::with_slots(&program, 1, 1).expect("one thread starts");
    for (name, answer) in ask_everything(&narrow, &[Deadlock::Off]) {
        leaves_out(&name, &answer, &Omission::Threads { room: 1 });
    }
    let wide = Composition::with_slots(&program, 1, 2).expect("one thread starts");
    let exact = |name: &str| !name.contains("HashCompaction") && !name.contains("Bitstate");
    for (name, answer) in
        ask_everything(&wide, &[Deadlock::Off]).into_iter().filter(|(name, _)| exact(name))
    {
        assert_eq!(answer, Ok(()), "{name}");
    }
    assert_eq!(ask_about_threads(&program, &SearchOptions::default()), Ok(()));
    let endless = Spawner { spawns_for_ever: true, ..Spawner::default() };
    let outcome = ask_about_threads(&endless, &SearchOptions::default());
    leaves_out("endless", &outcome, &Omission::Threads { room: 64 });
}

fn ask_about_threads(
    program: &dyn ThreadProgram,
    options: &SearchOptions,
) -> Result<(), StopReason> {
    ask_within(program, options, SearchBounds::everything(ThreadCount::Exactly(1)))
}

/// Searches with larger and larger bounds, as a plan does.
fn ask_within(
    program: &dyn ThreadProgram,
    options: &SearchOptions,
    mut bounds: SearchBounds,
) -> Result<(), StopReason> {
    let limits = silent(1);
    loop {
        let options = SearchOptions {
            slots: bounds.slots,
            max_switches: bounds.switches.map(GrowingBound::now),
            ..*options
        };
        let outcome = check_threads(program, 1, &options, Context::silent(&limits));
        match bounds.wider(&outcome.verdict) {
            Some(wider) => bounds = wider,
            None => return answer(&outcome),
        }
    }
}

#[test]
fn a_program_that_does_not_know_all_steps_is_never_proven() {
    let program = Spawner { knows_all: false, ..Spawner::default() };
    let unknown = Omission::UnknownSteps { why: spawner::UNKNOWN.into() };
    let composition = Composition::with_slots(&program, 1, 2).expect("one thread starts");
    for (name, answer) in ask_everything(&composition, &[Deadlock::Off]) {
        leaves_out(&name, &answer, &unknown);
    }
    let limits = silent(1);
    let context = Context::silent(&limits);
    for reduction in [Reduction::Off, Reduction::AmpleSets, Reduction::Supersteps] {
        let options = SearchOptions { reduction, ..SearchOptions::default() };
        leaves_out("threads", &ask_about_threads(&program, &options), &unknown);
        let formula = always();
        for fairness in [Fairness::None, Fairness::Weak] {
            let runs = ThreadRuns { program: &program, formula: &formula, fairness };
            let search = SearchOptions { slots: Some(GrowingBound::new(2, 2)), ..options };
            let method = Method { search, ..Method::from(Engine::Explicit) };
            let (problem, threads) = (Problem::ThreadRuns(runs), ThreadCount::Exactly(1));
            let outcome = engine::check(problem, threads, method, context);
            leaves_out("runs", &answer(&outcome), &unknown);
        }
    }
    for &engine in Engine::ALL {
        for threads in [ThreadCount::Any, ThreadCount::Exactly(1), ThreadCount::Exactly(2)] {
            let outcome = engine::check(Problem::Threads(&program), threads, engine, context);
            assert!(!matches!(outcome.verdict, Verdict::Holds(_)), "{engine:?} {threads:?}");
        }
    }
}

#[test]
fn bounded_switches_and_an_abstraction_prove_nothing_where_they_leave_out_something() {
    let program = Spawner::default();
    let with = |program: &Spawner, first, last| {
        let bounds = SearchBounds {
            switches: Some(GrowingBound::new(first, last)),
            ..SearchBounds::everything(ThreadCount::Exactly(1))
        };
        ask_within(program, &SearchOptions::default(), bounds)
    };
    let bounded = Omission::ContextSwitches { bound: 0, between_supersteps: false };
    leaves_out("switches", &with(&program, 0, 0), &bounded);
    // Bounds grow until none is in the way.
    assert_eq!(with(&program, 0, 9), Ok(()));
    let alike = Spawner { is_abstract: true, ..Spawner::default() };
    let matched = Omission::Abstraction { name: spawner::ABSTRACTION.into() };
    leaves_out("abstraction", &ask_about_threads(&alike, &SearchOptions::default()), &matched);
    let both = with(&alike, 0, 0);
    leaves_out("both", &both, &bounded);
    leaves_out("both", &both, &matched);
    let short = SearchOptions { max_depth: Some(1), ..SearchOptions::default() };
    leaves_out("steps", &ask_about_threads(&program, &short), &Omission::Depth { bound: 1 });
    let long = SearchOptions { max_depth: Some(50), ..SearchOptions::default() };
    assert_eq!(ask_about_threads(&program, &long), Ok(()));
}
