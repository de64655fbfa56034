//! Runs of thread programs: real ones replay, corruptions do not.

use certify::{Assurance, Rejection, check_certificate, replay};
use model::{
    Bystanders, Certificate, Fairness, Formula, Limits, Multiplicity, NamedFormula, PassiveMove,
    Problem, Proof, Rule, Scope, StepError, TargetShape, ThreadCount, ThreadRuns, ThreadStep,
    ThreadTrace, Trace, Variant, Violation, Vocabulary,
};

use crate::table::{Row, Table, step, store, template};

/// 0 spawns a worker and ends; a worker broadcasts, moving others to 3 or 4.
fn program() -> Table {
    let spawn = Row { to_local: None, spawned: vec![1], ..step(0, 0, 1, 0) };
    let shout = Row { broadcast: Some(5), ..step(1, 1, 2, 2) };
    let fail = Row { violation: Some(StepError::assertion("assertion")), ..step(2, 3, 2, 3) };
    let tick = Row { shared: 2, to_shared: 3, ..Row::default() };
    Table {
        shared: vec![store(0)],
        templates: vec![
            template(&[0], Multiplicity::Exactly(1)),
            template(&[1, 6], Multiplicity::Any),
        ],
        rows: vec![spawn, shout, fail, tick],
        passive: vec![(5, 1, 3), (5, 1, 4), (5, 6, 6), (5, 6, 3)],
        shapes: vec![TargetShape { name: "target".to_owned(), slots: vec![1, 2] }],
        fits: vec![(vec![3], vec![vec![2, 3], vec![3, 4]])],
        unsure: Vec::new(),
        unsure_environment: Vec::new(),
        forbids_races: false,
    }
}

fn thread_step(row: usize, thread: Option<u32>, shared: u8, local: Option<u8>) -> ThreadStep {
    ThreadStep {
        thread,
        label: format!("row {row}"),
        span: None,
        shared: store(shared),
        local: local.map(store),
        spawned: Vec::new(),
        passive: Vec::new(),
    }
}

fn run() -> ThreadTrace {
    let mut spawn = thread_step(0, Some(0), 1, None);
    spawn.spawned = vec![store(1)];
    let mut shout = thread_step(1, Some(3), 2, Some(2));
    shout.passive = vec![
        PassiveMove { thread: 1, local: store(3) },
        PassiveMove { thread: 2, local: store(3) },
    ];
    ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared: store(0),
        threads: vec![store(0), store(1), store(6)],
        templates: vec![0, 1, 1],
        bystanders: Vec::new(),
        steps: vec![spawn, shout, thread_step(3, None, 3, None)],
        violation: Violation::Target(0),
    }
}

/// The same start, and a step that is an error at the end.
fn failing() -> ThreadTrace {
    let mut trace = run();
    trace.steps[2] = thread_step(2, Some(1), 2, Some(3));
    trace.violation = Violation::Step(StepError::assertion("assertion"));
    trace
}

fn verify(trace: ThreadTrace) -> Result<(), Rejection> {
    let limits = Limits::none();
    replay(Problem::Threads(&program()), ThreadCount::Any, &Trace::Threads(trace), &limits)
}

#[test]
fn real_runs_replay() {
    assert_eq!(verify(run()), Ok(()));
    assert_eq!(verify(failing()), Ok(()));
    let table = program();
    let ask = |n| {
        let trace = Trace::Threads(run());
        replay(Problem::Threads(&table), ThreadCount::Exactly(n), &trace, &Limits::none())
    };
    assert_eq!(ask(3), Ok(()));
    assert!(ask(2).is_err() && ask(4).is_err());
}

fn reject(what: &str, edit: impl Fn(&mut ThreadTrace)) {
    for base in [run(), failing()] {
        let mut corrupt = base;
        edit(&mut corrupt);
        assert!(verify(corrupt.clone()).is_err(), "{what} was accepted: {corrupt:?}");
    }
}

#[test]
fn every_corrupt_start_is_rejected() {
    reject("another shared store", |trace| trace.shared = store(1));
    reject("another local store", |trace| trace.threads[1] = store(2));
    reject("a store of another template", |trace| trace.threads[0] = store(1));
    reject("an unknown template", |trace| trace.templates[2] = 2);
    reject("a second main thread", |trace| {
        trace.threads.push(store(0));
        trace.templates.push(0);
    });
    reject("a missing main thread", |trace| {
        trace.threads.remove(0);
        trace.templates.remove(0);
    });
    reject("a missing template", |trace| _ = trace.templates.pop());
}

/// The run with bystanders, which the broadcast leaves where they are.
fn run_with_bystanders(groups: &[(u8, usize, u32)]) -> ThreadTrace {
    let group = |&(local, template, count): &(u8, usize, u32)| Bystanders {
        local: store(local),
        template,
        count,
    };
    ThreadTrace { bystanders: groups.iter().map(group).collect(), ..run() }
}

#[test]
fn bystanders_count_as_threads_and_must_be_able_to_stay() {
    let two_billion = run_with_bystanders(&[(6, 1, 2_000_000_000)]);
    assert_eq!(verify(two_billion.clone()), Ok(()));
    let table = program();
    let ask = |n| {
        let trace = Trace::Threads(two_billion.clone());
        replay(Problem::Threads(&table), ThreadCount::Exactly(n), &trace, &Limits::none())
    };
    assert_eq!(ask(2_000_000_003), Ok(()));
    assert!(ask(3).is_err() && ask(2_000_000_000).is_err());
    // The broadcast moves whoever is in 1.
    assert!(verify(run_with_bystanders(&[(1, 1, 1)])).is_err());
    assert!(verify(run_with_bystanders(&[(2, 1, 1)])).is_err(), "no initial store");
    assert!(verify(run_with_bystanders(&[(0, 0, 1)])).is_err(), "a second main thread");
    assert!(verify(run_with_bystanders(&[(6, 2, 1)])).is_err(), "an unknown template");
}

#[test]
fn bystanders_fill_a_target_as_often_as_there_are_some() {
    let mut table = program();
    table.passive.retain(|(_, from, _)| *from != 6);
    table.fits = vec![(vec![3], vec![vec![2], vec![6]])];
    let mut trace = run_with_bystanders(&[(6, 1, 1)]);
    trace.steps[1].passive.pop();
    let ask = |trace: &ThreadTrace| {
        let trace = Trace::Threads(trace.clone());
        replay(Problem::Threads(&table), ThreadCount::Any, &trace, &Limits::none())
    };
    assert_eq!(ask(&trace), Ok(()));
    // One of the two that the target asks for has a number, the other has none.
    trace.bystanders[0].count = 0;
    assert!(ask(&trace).is_err());
}

#[test]
fn every_corrupt_step_is_rejected() {
    reject("no step", |trace| trace.steps.clear());
    for idx in 0..3 {
        reject("a dropped step", |trace| _ = trace.steps.remove(idx));
        reject("another label", |trace| trace.steps[idx].label = "row 9".to_owned());
        reject("another result", |trace| trace.steps[idx].shared = store(9));
        reject("another local result", |trace| trace.steps[idx].local = Some(store(9)));
        reject("an unknown thread", |trace| trace.steps[idx].thread = Some(17));
        reject("an ended thread", |trace| trace.steps[idx].thread = Some(u32::from(idx == 0)));
        reject("a spawned thread", |trace| trace.steps[idx].spawned.push(store(1)));
        reject("a passive move of nobody", |trace| {
            trace.steps[idx].passive.push(PassiveMove { thread: 40, local: store(3) });
        });
        reject("a passive move of the sender", |trace| {
            trace.steps[idx].passive.push(PassiveMove { thread: 3, local: store(3) });
        });
    }
    reject("swapped steps", |trace| trace.steps.swap(0, 1));
    reject("a missing spawn", |trace| trace.steps[0].spawned.clear());
    reject("a passive move without a broadcast", |trace| {
        trace.steps[0].passive.push(PassiveMove { thread: 1, local: store(3) });
    });
    reject("a passive thread that stays but may not", |trace| {
        trace.steps[1].passive.remove(0);
    });
    reject("a passive move to another store", |trace| {
        trace.steps[1].passive[0].local = store(5);
    });
    reject("a passive move twice", |trace| {
        let again = trace.steps[1].passive[0].clone();
        trace.steps[1].passive.push(again);
    });
}

#[test]
fn every_corrupt_ending_is_rejected() {
    reject("an unknown target", |trace| trace.violation = Violation::Target(1));
    reject("another message", |trace| {
        trace.violation = Violation::Step(StepError::assertion("other"));
    });
    reject("another rule", |trace| {
        trace.violation = Violation::Step(StepError::new(Rule::MemorySafety, "assertion"));
    });
    reject("the other kind of error", |trace| {
        trace.violation = match trace.violation {
            Violation::Target(_) => Violation::Step(StepError::assertion("assertion")),
            _ => Violation::Target(0),
        };
    });
    // Thread 2 may stay in the broadcast, but then only one thread fits the slot.
    let mut trace = run();
    trace.steps[1].passive.remove(1);
    assert!(matches!(verify(trace), Err(Rejection::NoViolation { .. })));
    // A run does not go on after an error.
    let mut trace = run();
    trace.steps.insert(2, failing().steps[2].clone());
    assert!(matches!(verify(trace), Err(Rejection::WrongSuccessor { step: 2, .. })));
}

/// Thread 0 spawns a worker whenever there is none, and a worker ends; the
/// environment may tick at all times.
fn spawning() -> Table {
    let spawn = Row { spawned: vec![1], ..step(0, 0, 1, 0) };
    let end = Row { to_local: None, ..step(1, 1, 0, 1) };
    let tick = Row { shared: 0, to_shared: 0, ..Row::default() };
    Table {
        shared: vec![store(0)],
        templates: vec![template(&[0], Multiplicity::Any)],
        rows: vec![spawn, end, tick],
        ..Table::default()
    }
}

fn lasso(steps: Vec<ThreadStep>, loop_start: usize) -> Trace {
    Trace::Threads(ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared: store(0),
        threads: vec![store(0)],
        templates: vec![0],
        bystanders: Vec::new(),
        steps,
        violation: Violation::Lasso { loop_start },
    })
}

fn spawn_step() -> ThreadStep {
    ThreadStep { spawned: vec![store(1)], ..thread_step(0, Some(0), 1, Some(0)) }
}

#[test]
fn a_fair_loop_may_replace_threads_that_end_by_spawned_ones() {
    let table = spawning();
    let text = "false".to_owned();
    let formula = NamedFormula { text, formula: Formula::False, propositions: Vec::new() };
    let problem = ThreadRuns { program: &table, formula: &formula, fairness: Fairness::Weak };
    let verify = |trace: Trace| {
        replay(Problem::ThreadRuns(problem), ThreadCount::Exactly(1), &trace, &Limits::none())
    };
    let end = |thread| thread_step(1, Some(thread), 0, None);
    assert_eq!(verify(lasso(vec![spawn_step(), end(1)], 0)), Ok(()));
    assert_eq!(verify(lasso(vec![spawn_step(), end(1), spawn_step()], 1)), Ok(()));
    assert!(verify(lasso(vec![spawn_step()], 0)).is_err());
    // Thread 0 could step all the time; the environment need not.
    assert!(verify(lasso(vec![thread_step(2, None, 0, None)], 0)).is_err());
    assert!(verify(lasso(vec![spawn_step()], 1)).is_err());
    // Fairness is a matter of each thread.
    let Trace::Threads(mut crowd) = lasso(vec![spawn_step(), end(1)], 0) else { panic!("threads") };
    crowd.bystanders.push(Bystanders { local: store(0), template: 0, count: 0 });
    assert!(verify(Trace::Threads(crowd)).is_err());
}

#[test]
fn a_search_is_not_believed_where_an_error_is_reachable() {
    let table = program();
    let judge = |formula: Option<&str>| {
        let formula = formula.map(str::to_owned);
        let proof = Proof::Exhausted { n_states: 3, symmetry: true, formula };
        let scope = Scope::Exactly(2);
        let certificate = Certificate {
            variant: Variant::AS_WRITTEN,
            scope,
            vocabulary: Vocabulary::None,
            proof,
        };
        check_certificate(Problem::Threads(&table), scope, &certificate, &Limits::none())
    };
    assert!(matches!(judge(None), Err(Rejection::TargetNotExcluded { .. })));
    assert!(matches!(judge(Some("true")), Err(Rejection::Malformed { .. })));
}

#[test]
fn a_run_does_not_end_where_a_thread_may_have_a_step() {
    let text = "false".to_owned();
    let formula = NamedFormula { text, formula: Formula::False, propositions: Vec::new() };
    let judge = |unsure: Vec<u8>| {
        let table = Table { rows: vec![step(0, 0, 1, 3)], unsure, ..spawning() };
        let fairness = Fairness::None;
        let problem = ThreadRuns { program: &table, formula: &formula, fairness };
        let trace = lasso(vec![thread_step(0, Some(0), 1, Some(3))], 1);
        replay(Problem::ThreadRuns(problem), ThreadCount::Exactly(1), &trace, &Limits::none())
    };
    assert_eq!(judge(Vec::new()), Ok(()));
    assert!(judge(vec![3]).is_err());
}

fn formula(formula: Formula) -> NamedFormula {
    NamedFormula { text: "asked".to_owned(), formula, propositions: Vec::new() }
}

#[test]
fn an_unfair_loop_must_close_and_violate_the_formula() {
    let table = spawning();
    let verify = |asked: Formula, trace: Trace| {
        let formula = formula(asked);
        let problem = ThreadRuns { program: &table, formula: &formula, fairness: Fairness::None };
        replay(Problem::ThreadRuns(problem), ThreadCount::Exactly(1), &trace, &Limits::none())
    };
    let tick = || lasso(vec![thread_step(2, None, 0, None)], 0);
    assert_eq!(verify(Formula::False, tick()), Ok(()));
    assert!(matches!(verify(Formula::True, tick()), Err(Rejection::NoViolation { .. })));
    let open = lasso(vec![spawn_step()], 0);
    assert!(matches!(verify(Formula::False, open), Err(Rejection::NoViolation { .. })));
}

#[test]
fn a_search_about_one_formula_is_none_about_another() {
    let (table, asked) = (spawning(), formula(Formula::True));
    let problem = ThreadRuns { program: &table, formula: &asked, fairness: Fairness::None };
    let judge = |text: &str| {
        let formula = Some(text.to_owned());
        let proof = Proof::Exhausted { n_states: 3, symmetry: true, formula };
        let certificate = Certificate {
            variant: Variant::AS_WRITTEN,
            scope: Scope::Exactly(1),
            vocabulary: Vocabulary::None,
            proof,
        };
        let problem = Problem::ThreadRuns(problem);
        check_certificate(problem, Scope::Exactly(1), &certificate, &Limits::none())
    };
    assert_eq!(judge("asked"), Ok(Assurance::NotRepeated));
    assert!(matches!(judge("another"), Err(Rejection::Malformed { .. })));
}

#[test]
fn looking_again_sees_a_target_and_steps_that_are_not_known() {
    let target = TargetShape { name: "target".to_owned(), slots: vec![1] };
    let judge = |local: u8, unsure: Vec<u8>, unsure_environment: Vec<u8>| {
        let table = Table {
            rows: vec![step(0, 0, 1, 3)],
            unsure,
            unsure_environment,
            shapes: vec![target.clone()],
            fits: vec![(vec![1], vec![vec![local]])],
            ..spawning()
        };
        let proof = Proof::Exhausted { n_states: 2, symmetry: true, formula: None };
        let scope = Scope::Exactly(1);
        let certificate = Certificate {
            variant: Variant::AS_WRITTEN,
            scope,
            vocabulary: Vocabulary::None,
            proof,
        };
        check_certificate(Problem::Threads(&table), scope, &certificate, &Limits::none())
    };
    assert_eq!(judge(4, vec![], vec![]), Ok(Assurance::Repeated));
    assert!(matches!(judge(3, vec![], vec![]), Err(Rejection::TargetNotExcluded { .. })));
    assert!(matches!(judge(4, vec![3], vec![]), Err(Rejection::LeftOut { .. })));
    assert!(matches!(judge(4, vec![], vec![1]), Err(Rejection::LeftOut { .. })));
    assert_eq!(judge(4, vec![2], vec![2]), Ok(Assurance::Repeated), "nobody comes there");
}

#[test]
fn a_run_has_as_many_threads_of_a_kind_as_its_template() {
    let two = TargetShape { name: "two".to_owned(), slots: vec![2] };
    let table = Table {
        templates: vec![template(&[0], Multiplicity::Exactly(2))],
        shapes: vec![two],
        fits: vec![(vec![0], vec![vec![0]])],
        ..spawning()
    };
    let verify = |n_threads: usize| {
        let trace = Trace::Threads(ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared: store(0),
            threads: vec![store(0); n_threads],
            templates: vec![0; n_threads],
            bystanders: Vec::new(),
            steps: Vec::new(),
            violation: Violation::Target(0),
        });
        replay(Problem::Threads(&table), ThreadCount::Any, &trace, &Limits::none())
    };
    assert_eq!(verify(2), Ok(()));
    assert!(matches!(verify(3), Err(Rejection::NotInitial { .. })));
}

#[test]
fn a_broadcast_moves_others_only_where_it_lets_them_go() {
    // The target would be met in store 4 as well, but no thread in 6 can go there.
    let mut trace = run();
    trace.steps[1].passive[1].local = store(4);
    assert!(matches!(verify(trace), Err(Rejection::WrongSuccessor { step: 1, .. })));
}
