//! Searches that are interrupted again and again find what they find in one go.

use model::{
    Bounds, Context, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Limits,
    Target, Zone,
};

use super::backward::Backward;
use super::backward::prune::NoPruning;
use super::cover::{Cover, Distance, ExplorationOrder};
use super::finding::{Advance, Finding};
use super::rules::Rules;
use super::rules::source::Compiled;
use crate::kernel::budget::{Budget, Pause};

/// Tokens walk around a ring of counters; a target asks for `n_wanted` of them on
/// the last one.
fn ring(n_counters: u32, n_tokens: u32, n_wanted: u32) -> CounterSystem {
    let control = ControlId(0);
    let step = |from: u32| {
        let mut delta = vec![(CounterId(from), -1), (CounterId((from + 1) % n_counters), 1)];
        delta.sort_unstable();
        CounterTransition {
            name: format!("from {from}"),
            span: None,
            from: control,
            to: control,
            guard: Vec::new(),
            moves: Vec::new(),
            delta,
        }
    };
    let wanted = (CounterId(n_counters - 1), Bounds::at_least(n_wanted));
    let zone = Zone { control, bounds: vec![wanted] };
    CounterSystem {
        control_names: vec![String::new()],
        counter_names: (0..n_counters).map(|idx| format!("c{idx}")).collect(),
        transitions: (0..n_counters).map(step).collect(),
        initial: vec![InitialZone {
            control,
            bounds: vec![(CounterId(0), Bounds::exactly(n_tokens))],
        }],
        targets: vec![Target { name: String::new(), span: None, zone }],
        hints: Vec::new(),
    }
}

/// What comes of many short rounds, each a little longer than the one before.
fn in_rounds(mut advance: impl FnMut(&mut Budget<'_>) -> Advance) -> Finding {
    let limits = Limits::none();
    for work in 1..1_000 {
        match advance(&mut Budget::new("test", work, Context::silent(&limits))) {
            Ok(finding) => return finding,
            Err(Pause::RoundOver) => {}
            Err(Pause::Stopped(reason)) => panic!("stopped: {reason:?}"),
        }
    }
    panic!("a thousand rounds were not enough");
}

fn in_one_go(mut advance: impl FnMut(&mut Budget<'_>) -> Advance) -> Finding {
    let limits = Limits::none();
    advance(&mut Budget::new("test", u64::MAX, Context::silent(&limits))).expect("nothing stops it")
}

fn check_backward(system: &CounterSystem) -> Finding {
    let rules = Rules::new(system);
    let search = || Backward::new(system, &rules, Box::new(NoPruning));
    let (mut whole, mut parts) = (search(), search());
    let found = in_one_go(|budget| whole.advance(budget));
    assert_eq!(in_rounds(|budget| parts.advance(budget)), found);
    found
}

type Order = fn(&CounterSystem, &Rules) -> ExplorationOrder;

fn check_cover(system: &CounterSystem, order: Order) -> Finding {
    let rules = Rules::new(system);
    let mut source = Compiled::new(system, &rules).expect("small bounds");
    let search = || Cover::new(order(system, &rules));
    let (mut whole, mut parts) = (search(), search());
    let found = in_one_go(|budget| whole.advance(&mut source, budget));
    assert_eq!(in_rounds(|budget| parts.advance(&mut source, budget)), found);
    found
}

#[test]
fn a_backward_search_in_rounds_finds_what_it_finds_in_one_go() {
    assert!(matches!(check_backward(&ring(4, 2, 3)), Finding::Holds(_)));
    assert!(matches!(check_backward(&ring(4, 3, 3)), Finding::Violated(_)));
}

#[test]
fn a_coverability_set_in_rounds_is_the_same_as_in_one_go() {
    let orders: [Order; 3] = [
        |_, _| ExplorationOrder::DepthFirst,
        |_, _| ExplorationOrder::BreadthFirst,
        |system, rules| ExplorationOrder::BestFirst(Distance::new(system, rules)),
    ];
    for order in orders {
        assert!(matches!(check_cover(&ring(4, 3, 4), order), Finding::Holds(_)));
        assert!(matches!(check_cover(&ring(4, 3, 3), order), Finding::Violated(_)));
    }
}
