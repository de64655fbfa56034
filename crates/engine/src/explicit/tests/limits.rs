//! Limits end a search with their reason and keep its figures.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use model::{Context, Deadlock, Limits, MemoryLimit, StopReason, Verdict};

use super::super::{Order, SearchOptions, Storage, check};
use super::systems::{Graph, Random};
use super::{figure, problem};

const ORDERS: [Order; 2] = [Order::BreadthFirst, Order::DepthFirst];

#[test]
fn a_table_that_may_not_grow_ends_the_search() {
    let graph = Graph::random(&mut Random(3), 200_000, 4);
    let memory = MemoryLimit { bytes: 1000, gauge: || 900 };
    let limits = Limits { memory: Some(memory), ..Limits::none() };
    for order in ORDERS {
        let options = SearchOptions { order, ..SearchOptions::default() };
        let outcome = check(&problem(&graph, Deadlock::Off), &options, Context::silent(&limits));
        assert_eq!(outcome.verdict, Verdict::Unknown(StopReason::MemoryLimit));
        assert!(figure(&outcome, "states") > 1000);
    }
}

#[test]
fn a_bitstate_array_above_the_memory_limit_is_refused() {
    let graph = Graph::random(&mut Random(3), 10, 4);
    let memory = MemoryLimit { bytes: 1 << 20, gauge: || 0 };
    let limits = Limits { memory: Some(memory), ..Limits::none() };
    let options = SearchOptions { storage: Storage::BITSTATE, ..SearchOptions::default() };
    let outcome = check(&problem(&graph, Deadlock::Off), &options, Context::silent(&limits));
    assert_eq!(outcome.verdict, Verdict::Unknown(StopReason::MemoryLimit));
}

#[test]
fn a_bound_on_states_and_a_cancelled_search_say_so() {
    let graph = Graph::random(&mut Random(3), 100_000, 4);
    for order in ORDERS {
        let options = SearchOptions { order, max_states: Some(5000), ..SearchOptions::default() };
        let outcome =
            check(&problem(&graph, Deadlock::Off), &options, Context::silent(&Limits::none()));
        assert_eq!(outcome.verdict, Verdict::Unknown(StopReason::StateLimit { states: 5000 }));
        assert!(figure(&outcome, "states") < 50_000);
        let flag = Arc::new(AtomicBool::new(true));
        let limits = Limits::none().cancelled_by(&flag);
        let options = SearchOptions { order, ..SearchOptions::default() };
        let outcome = check(&problem(&graph, Deadlock::Off), &options, Context::silent(&limits));
        assert_eq!(outcome.verdict, Verdict::Unknown(StopReason::Interrupted));
    }
}

#[test]
fn large_states_take_only_the_bytes_they_need() {
    let mut graph = Graph::random(&mut Random(9), 400_000, 3);
    graph.initial = (0..200_000).collect();
    let problem = problem(&graph, Deadlock::Off);
    let outcome = check(&problem, &SearchOptions::default(), Context::silent(&Limits::none()));
    assert!(matches!(outcome.verdict, Verdict::Holds(_)));
    assert_eq!(figure(&outcome, "bytes of a state"), 12);
}
