//! Sizes counted by hand, and threads that reach an error exactly where the net
//! covers the target.

use model::{
    Bounds, Context, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Limits,
    Move, Narrator, Problem, Span, Steps, StopReason, Target, ThreadCount, ThreadProgram, Trace,
    Verdict, Zone,
};

use super::{NetThreads, store};
use crate::Engine;
use crate::coverability;

/// A net with `n_places` places and one control state, empty at the start.
fn net(n_places: u32) -> CounterSystem {
    CounterSystem {
        control_names: vec![String::new()],
        counter_names: (0..n_places).map(|idx| format!("p{idx}")).collect(),
        initial: vec![InitialZone { control: ControlId(0), bounds: Vec::new() }],
        ..CounterSystem::default()
    }
}

/// Bounds on places: the smallest and the largest number.
fn bounds(entries: &[(u32, u32, Option<u32>)]) -> Vec<(CounterId, Bounds)> {
    entries.iter().map(|&(place, min, max)| (CounterId(place), Bounds { min, max })).collect()
}

fn at_least(entries: &[(u32, u32)]) -> Vec<(CounterId, Bounds)> {
    bounds(&entries.iter().map(|&(place, min)| (place, min, None)).collect::<Vec<_>>())
}

fn add(net: &mut CounterSystem, guard: &[(u32, u32)], delta: &[(u32, i64)]) {
    net.transitions.push(CounterTransition {
        name: format!("t{}", net.transitions.len()),
        span: Some(Span::new(0, net.transitions.len(), net.transitions.len() + 1)),
        from: ControlId(0),
        to: ControlId(0),
        guard: at_least(guard),
        moves: Vec::new(),
        delta: delta.iter().map(|&(place, change)| (CounterId(place), change)).collect(),
    });
}

fn target(net: &mut CounterSystem, wanted: &[(u32, u32)]) {
    let zone = Zone { control: ControlId(0), bounds: at_least(wanted) };
    net.targets.push(Target { name: format!("{wanted:?}"), span: None, zone });
}

fn answer(problem: Problem<'_>) -> Verdict {
    coverability::check(problem, ThreadCount::Any, Engine::Auto, Context::silent(&Limits::none()))
        .verdict
}

/// Net and threads agree, and a run of the threads is one of the net.
fn check(net: &CounterSystem, is_covered: bool) {
    let threads = NetThreads::new(net).expect("the net is plain");
    let of_net = answer(Problem::Counters(net));
    assert_eq!(matches!(of_net, Verdict::Violated(_)), is_covered, "{of_net:?}");
    match answer(Problem::Threads(&threads)) {
        Verdict::Violated(Trace::Threads(trace)) => {
            assert!(is_covered, "{trace:?}");
            let run = threads.counter_trace(&trace).expect("the run of threads is one of the net");
            let last = run.steps.last().map_or(&run.initial, |step| &step.after);
            let zone = &net.targets[run.target].zone;
            let has = |&(place, b): &(CounterId, Bounds)| {
                b.contains(last.count(place).as_finite().expect("runs are finite"))
            };
            assert!(zone.bounds.iter().all(has), "{run:?}");
        }
        Verdict::Holds(_) => assert!(!is_covered),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sizes_are_as_counted_by_hand() {
    let mut net = net(3);
    net.initial[0].bounds = bounds(&[(0, 2, Some(2)), (1, 1, None)]);
    add(&mut net, &[], &[(0, -1), (1, 1)]);
    add(&mut net, &[], &[(0, -1), (1, -1), (2, 1)]);
    add(&mut net, &[(2, 1)], &[(1, 2)]);
    target(&mut net, &[(2, 2)]);
    let threads = NetThreads::new(&net).expect("the net is plain");
    // Control, 3 tokens at the start, 0 + 1 + 2 within chains, 2 of the target.
    // Moves: 3 at the start, 1 + 2 + 3 of firings, 2 of the target.
    assert_eq!(threads.sizes(), (1 + 3 + 3 + 2, 4, 3 + 6 + 2));
    let initial: Vec<String> = threads.templates()[0]
        .initial
        .iter()
        .map(|local| threads.describe_local(local.bytes()))
        .collect();
    assert_eq!(initial, ["outside", "p1"]);
    check(&net, true);
}

#[test]
fn a_move_of_one_token_changes_no_shared_state() {
    let mut net = net(2);
    add(&mut net, &[], &[(0, -1), (1, 1)]);
    let threads = NetThreads::new(&net).expect("the net is plain");
    assert_eq!(threads.sizes(), (1, 3, 1));
    let mut steps = Steps::new();
    threads.steps(store(0).bytes(), store(1).bytes(), &mut steps);
    let step = steps.iter().next().expect("a token on p0 can move");
    assert_eq!((step.shared(), step.local()), (store(0).bytes(), Some(store(2).bytes())));
    assert_eq!(threads.label(step.label()).text, "t0");
    steps.clear();
    threads.steps(store(0).bytes(), store(2).bytes(), &mut steps);
    threads.environment_steps(store(0).bytes(), &mut steps);
    assert!(steps.is_empty());
}

#[test]
fn chains_share_what_they_begin_with_and_transitions_alike_are_one() {
    let mut net = net(4);
    add(&mut net, &[], &[(0, -2), (1, -1)]);
    add(&mut net, &[], &[(0, -2), (2, -1)]);
    add(&mut net, &[], &[(0, -2), (2, -1)]);
    target(&mut net, &[(0, 1), (1, 1), (2, 1)]);
    target(&mut net, &[(0, 1), (1, 1), (3, 1)]);
    let threads = NetThreads::new(&net).expect("the net is plain");
    // Two states are shared by all firings and two by the targets (the first of
    // them is the same: a token was taken from p0), and each target has its own.
    assert_eq!(threads.sizes(), (1 + 2 + 1 + 2, 5, 2 + 2 + 1 + 2));
}

#[test]
fn a_guard_counts_distinct_tokens() {
    for (n_tokens, is_covered) in [(1, false), (2, false), (3, true)] {
        let mut net = net(3);
        net.initial[0].bounds = bounds(&[(0, n_tokens, Some(n_tokens)), (1, 1, Some(1))]);
        add(&mut net, &[(0, 3)], &[(0, 1), (1, -1), (2, 1)]);
        target(&mut net, &[(0, 4), (2, 1)]);
        check(&net, is_covered);
    }
}

#[test]
fn a_firing_does_not_take_the_token_that_it_puts() {
    let mut net = net(3);
    net.initial[0].bounds = bounds(&[(0, 1, Some(1))]);
    add(&mut net, &[(0, 1), (1, 1)], &[(0, -1), (1, 1), (2, 1)]);
    target(&mut net, &[(2, 1)]);
    check(&net, false);
}

#[test]
fn tokens_at_the_start_are_as_many_as_the_zone_says() {
    for (max, n_wanted, is_covered) in
        [(Some(3), 3, true), (Some(3), 4, false), (None, 9, true), (Some(1), 2, false)]
    {
        let mut net = net(2);
        net.initial[0].bounds = bounds(&[(0, 1, max)]);
        target(&mut net, &[(0, n_wanted)]);
        check(&net, is_covered);
    }
}

#[test]
fn zones_keep_their_unbounded_places_apart() {
    let mut net = net(2);
    net.initial = [0, 1]
        .map(|place| InitialZone { control: ControlId(0), bounds: at_least(&[(place, 0)]) })
        .to_vec();
    target(&mut net, &[(0, 1), (1, 1)]);
    check(&net, false);
    net.targets.clear();
    target(&mut net, &[(1, 5)]);
    check(&net, true);
    // Nothing can start where no zone has a configuration.
    net.initial.truncate(1);
    net.initial[0].bounds = bounds(&[(0, 2, Some(1))]);
    check(&net, false);
}

#[test]
fn transfers_and_resets_move_all_tokens() {
    let transfer = |to: &[u32]| Move {
        from: CounterId(0),
        to: to.iter().map(|&place| CounterId(place)).collect(),
    };
    // Three tokens on p0 go to the destinations, the one on p3 goes to p1.
    let cases = [
        (&[1][..], (1, 4), true),
        (&[1], (1, 5), false),
        (&[], (1, 1), true),
        (&[], (1, 2), false),
        (&[1, 2], (2, 3), true),
        (&[1, 2], (2, 4), false),
    ];
    for (destinations, wanted, is_covered) in cases {
        let mut net = net(4);
        net.initial[0].bounds = bounds(&[(0, 3, Some(3)), (3, 1, Some(1))]);
        add(&mut net, &[(0, 2)], &[(1, 1), (3, -1)]);
        net.transitions[0].moves = vec![transfer(destinations)];
        target(&mut net, &[wanted]);
        check(&net, is_covered);
        // The guard speaks of the tokens before.
        net.transitions[0].guard = at_least(&[(0, 2), (1, 1)]);
        check(&net, false);
    }
}

#[test]
fn a_target_without_tokens_is_reached_at_once() {
    let mut net = net(1);
    target(&mut net, &[]);
    check(&net, true);
}

#[test]
fn upper_bounds_and_huge_numbers_are_refused_where_they_stand() {
    let refused = |net: &CounterSystem| match NetThreads::new(net) {
        Err(StopReason::Unsupported { construct, span }) => (construct, span),
        _ => panic!("should be refused"),
    };
    let mut bounded = net(1);
    add(&mut bounded, &[], &[(0, 1)]);
    bounded.transitions[0].guard = bounds(&[(0, 0, Some(0))]);
    let (construct, span) = refused(&bounded);
    assert!(construct.contains("`t0`"), "{construct}");
    assert_eq!(span, bounded.transitions[0].span);
    let mut bounded = net(1);
    target(&mut bounded, &[(0, 1)]);
    bounded.targets[0].zone.bounds[0].1.max = Some(1);
    assert!(refused(&bounded).0.contains("target"));
    let mut huge = net(1);
    add(&mut huge, &[], &[(0, i64::MAX)]);
    assert!(refused(&huge).0.contains("`t0`"));
    let mut huge = net(1);
    huge.initial[0].bounds = bounds(&[(0, u32::MAX, None)]);
    assert!(refused(&huge).0.contains("initial"));
}

#[test]
fn states_and_steps_are_told_in_the_names_of_the_net() {
    let mut net = net(2);
    net.initial[0].bounds = bounds(&[(0, 1, Some(1))]);
    add(&mut net, &[], &[(0, -1), (1, 2)]);
    target(&mut net, &[(1, 1)]);
    let threads = NetThreads::new(&net).expect("the net is plain");
    let names: Vec<String> =
        (0..4).map(|shared| threads.describe_shared(store(shared).bytes())).collect();
    assert_eq!(
        names,
        ["between firings", "the start", "after move 1 of `t0`", "target `[(1, 1)]`"]
    );
    let mut steps = Steps::new();
    threads.steps(store(2).bytes(), store(0).bytes(), &mut steps);
    let label = steps.iter().next().map(|step| threads.label(step.label()));
    let label = label.expect("the second move puts a token");
    assert_eq!((label.text.as_str(), label.span), ("move 2 of `t0`", net.transitions[0].span));
}
