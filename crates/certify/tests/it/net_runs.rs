//! Runs of counter systems: a real one replays, its corruptions do not.

use certify::{Assurance, Rejection, check, replay};
use model::{
    Bounds, ControlId, Count, CounterStep, CounterSystem, CounterTrace, Limits, Problem,
    StopReason, ThreadCount, Trace, TransitionId, Verdict,
};

use crate::nets::{c, configuration, net, target, transfer, transition};

/// 0 is filled, then scattered over 1 and 2, each token of its own choice.
fn system() -> CounterSystem {
    let fill = transition(&[], &[(0, 1)]);
    let mut scatter = transition(&[(0, 1)], &[]);
    scatter.moves = vec![transfer(0, &[1, 2])];
    net(3, vec![fill, scatter], &[(0, Bounds::exactly(1))], vec![target(&[(1, 1), (2, 1)])])
}

fn run() -> CounterTrace {
    let fill = CounterStep {
        transition: TransitionId(0),
        choices: Vec::new(),
        after: configuration(&[(0, Some(2))]),
    };
    let scatter = CounterStep {
        transition: TransitionId(1),
        choices: vec![(c(0), c(1), 1), (c(0), c(2), 1)],
        after: configuration(&[(1, Some(1)), (2, Some(1))]),
    };
    CounterTrace { initial: configuration(&[(0, Some(1))]), steps: vec![fill, scatter], target: 0 }
}

fn verify(run: CounterTrace) -> Result<(), Rejection> {
    let limits = Limits::none();
    replay(Problem::Counters(&system()), ThreadCount::Any, &Trace::Counters(run), &limits)
}

#[test]
fn a_real_run_replays() {
    assert_eq!(verify(run()), Ok(()));
    let verdict = Verdict::Violated(Trace::Counters(run()));
    let system = system();
    let problem = Problem::Counters(&system);
    assert_eq!(check(problem, ThreadCount::Any, &verdict, &Limits::none()), Ok(Assurance::Proved));
    let unknown = Verdict::Unknown(StopReason::TimeLimit);
    assert_eq!(check(problem, ThreadCount::Any, &unknown, &Limits::none()), Ok(Assurance::Proved));
    assert!(check(problem, ThreadCount::Exactly(2), &verdict, &Limits::none()).is_err());
}

#[test]
fn every_corruption_of_a_run_is_rejected() {
    let reject = |what: &str, edit: &dyn Fn(&mut CounterTrace)| {
        let mut corrupt = run();
        edit(&mut corrupt);
        assert!(verify(corrupt).is_err(), "{what} was accepted");
    };
    reject("no step", &|run| run.steps.clear());
    reject("a dropped first step", &|run| _ = run.steps.remove(0));
    reject("a dropped last step", &|run| _ = run.steps.pop());
    reject("swapped steps", &|run| run.steps.swap(0, 1));
    reject("a start that is too high", &|run| run.initial = configuration(&[(0, Some(2))]));
    reject("a start with another counter", &|run| {
        run.initial = configuration(&[(0, Some(1)), (1, Some(1))]);
    });
    reject("another transition", &|run| run.steps[0].transition = TransitionId(1));
    reject("an unknown transition", &|run| run.steps[0].transition = TransitionId(2));
    reject("an unknown target", &|run| run.target = 1);
    reject("an unknown control state", &|run| run.initial.control = ControlId(3));
    reject("a wrong result", &|run| run.steps[0].after = configuration(&[(0, Some(3))]));
    reject("a wrong control state", &|run| run.steps[0].after.control = ControlId(1));
    reject("an omega", &|run| run.steps[0].after.counts[0].1 = Count::OMEGA);
    reject("a missing choice", &|run| _ = run.steps[1].choices.pop());
    reject("a choice too many", &|run| run.steps[1].choices.push((c(0), c(1), 1)));
    reject("a choice of an impossible place", &|run| run.steps[1].choices[0].1 = c(0));
    reject("a choice from an unmoved counter", &|run| run.steps[1].choices[0].0 = c(1));
    reject("a choice that is too large", &|run| run.steps[1].choices[0].2 = u32::MAX);
    reject("both to one place", &|run| run.steps[1].choices = vec![(c(0), c(1), 2)]);
}

#[test]
fn the_first_bad_step_is_named() {
    let mut corrupt = run();
    corrupt.steps[1].after = configuration(&[(1, Some(2))]);
    assert!(matches!(verify(corrupt), Err(Rejection::WrongSuccessor { step: 1, .. })));
    let mut corrupt = run();
    corrupt.steps[1].choices.clear();
    assert!(matches!(verify(corrupt), Err(Rejection::StepNotEnabled { step: 1, .. })));
}

/// Fires the only transition of a net once, and shows what comes of it.
fn one_firing(guard: &[(u32, u32)], before: &[(u32, Option<u32>)]) -> Result<(), Rejection> {
    let initial = [(0, Bounds::at_least(1))];
    let system = net(3, vec![transition(guard, &[(1, 1)])], &initial, vec![target(&[(1, 1)])]);
    let initial = configuration(before);
    let mut after = initial.clone();
    after.counts.insert(1, (c(1), Count::finite(1).expect("small")));
    let step = CounterStep { transition: TransitionId(0), choices: Vec::new(), after };
    let trace = Trace::Counters(CounterTrace { initial, steps: vec![step], target: 0 });
    replay(Problem::Counters(&system), ThreadCount::Any, &trace, &Limits::none())
}

#[test]
fn a_guard_must_hold_although_its_tokens_stay() {
    assert_eq!(one_firing(&[(0, 2)], &[(0, Some(2))]), Ok(()));
    let rejected = one_firing(&[(0, 2)], &[(0, Some(1))]);
    assert!(matches!(rejected, Err(Rejection::StepNotEnabled { step: 0, .. })), "{rejected:?}");
}

#[test]
fn a_run_starts_with_no_more_than_an_initial_zone_has() {
    assert_eq!(one_firing(&[], &[(0, Some(1))]), Ok(()));
    let rejected = one_firing(&[], &[(0, Some(1)), (2, Some(1))]);
    assert!(matches!(rejected, Err(Rejection::NotInitial { .. })), "{rejected:?}");
}
