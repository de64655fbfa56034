//! Each kind of error, and the survey of all of them.

use model::{
    Choice, Context, Deadlock, Ending, FaultPlace, Limits, Omission, PropertyKind, StopReason,
    Verdict,
};

use super::super::{Order, SearchOptions, Storage, survey};
use super::naive::{assert_replays, reachable, shows};
use super::systems::{Graph, Random};
use super::{figure, omitted, problem, run, trace};

/// 0 -> 1 -> 2 -> ... -> n - 1.
fn chain(n: usize) -> Graph {
    let mut graph = Graph::random(&mut Random(1), n, 1);
    graph.edges = (0..n).map(|node| if node + 1 < n { vec![node + 1] } else { vec![] }).collect();
    graph.initial = vec![0];
    graph
}

#[test]
fn a_self_loop_is_a_deadlock_only_where_stuttering_counts() {
    let mut graph = chain(4);
    graph.edges[3] = vec![3, 3];
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let options = SearchOptions { order, ..SearchOptions::default() };
        let stuttering = run(&problem(&graph, Deadlock::Stuttering), &options, 1);
        assert_eq!(trace(&stuttering).ending, Ending::Deadlock(Deadlock::Stuttering));
        assert_eq!(trace(&stuttering).steps.len(), 3);
        let stuck = run(&problem(&graph, Deadlock::Stuck), &options, 1);
        assert!(matches!(stuck.verdict, Verdict::Holds(_)));
    }
    let stuck = run(&problem(&chain(4), Deadlock::Stuck), &SearchOptions::default(), 1);
    assert_eq!(trace(&stuck).ending, Ending::Deadlock(Deadlock::Stuck));
}

#[test]
fn a_deadlock_at_the_bound_itself_is_found() {
    for storage in [Storage::Exact, Storage::HashCompaction] {
        let with =
            |max| SearchOptions { storage, max_depth: Some(max), ..SearchOptions::default() };
        let graph = chain(4);
        let problem = problem(&graph, Deadlock::Stuttering);
        let at_bound = run(&problem, &with(3), 1);
        assert_eq!(trace(&at_bound).ending, Ending::Deadlock(Deadlock::Stuttering));
        assert_eq!(trace(&at_bound).steps.len(), 3);
        let before = run(&problem, &with(2), 1);
        assert_eq!(omitted(&before)[0], Omission::Depth { bound: 2 });
    }
    // A step that cannot be computed is one step more than was asked about.
    let mut graph = chain(6);
    graph.faulty[4] = true;
    let within = |max| {
        let options = SearchOptions { max_depth: Some(max), ..SearchOptions::default() };
        run(&problem(&graph, Deadlock::Stuck), &options, 1).verdict
    };
    let beyond = StopReason::UnderApproximated { omitted: Omission::Depth { bound: 4 }.into() };
    assert_eq!(within(4), Verdict::Unknown(beyond));
    assert!(matches!(within(5), Verdict::Violated(_)));
}

#[test]
fn a_survey_up_to_a_bound_says_that_it_is_not_of_all_states() {
    let graph = chain(4);
    let problem = problem(&graph, Deadlock::Stuck);
    let up_to = |max| {
        let options = SearchOptions { max_depth: Some(max), ..SearchOptions::default() };
        survey(&problem, &options, 1, Context::silent(&Limits::none()))
    };
    let beyond = StopReason::UnderApproximated { omitted: Omission::Depth { bound: 1 }.into() };
    assert_eq!(up_to(1).stopped, Some(beyond));
    assert_eq!((up_to(1).n_deadlocks, up_to(3).n_deadlocks), (0, 1));
    // Nothing lies beyond the last node.
    assert_eq!((up_to(3).stopped, up_to(4).stopped), (None, None));
}

#[test]
fn the_depth_is_that_of_the_farthest_state() {
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let options = SearchOptions { order, ..SearchOptions::default() };
        let outcome = run(&problem(&chain(7), Deadlock::Off), &options, 1);
        assert_eq!(figure(&outcome, "depth"), 6);
        assert_eq!(figure(&outcome, "rules fired"), 6);
    }
}

#[test]
fn a_fault_comes_with_its_place_and_its_run() {
    let mut graph = chain(6);
    graph.faulty[4] = true;
    let problem = problem(&graph, Deadlock::Off);
    let outcome = run(&problem, &SearchOptions::default(), 1);
    let trace = trace(&outcome);
    assert_eq!(trace.steps.len(), 4);
    assert!(matches!(trace.ending, Ending::Fault { place: FaultPlace::Step(Choice(3)), .. }));
}

#[test]
fn a_cover_that_nothing_reaches_is_reported_without_a_run() {
    let reached = |node: usize| (0..6).map(|i| i == node).collect::<Vec<bool>>();
    let mut graph = chain(6).with(PropertyKind::Cover, reached(5));
    assert!(matches!(
        run(&problem(&graph, Deadlock::Off), &SearchOptions::default(), 1).verdict,
        Verdict::Holds(_)
    ));
    graph.edges[2].clear();
    let graph = graph.with(PropertyKind::Cover, reached(4));
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let options = SearchOptions { order, ..SearchOptions::default() };
        let outcome = run(&problem(&graph, Deadlock::Off), &options, 1);
        assert_eq!(trace(&outcome).ending, Ending::Uncovered(0));
        assert!(trace(&outcome).start.is_none());
        assert_eq!(outcome.notes, ["No reachable state has `p1` either."]);
    }
    let lossy = SearchOptions { storage: Storage::HashCompaction, ..SearchOptions::default() };
    let outcome = run(&problem(&graph, Deadlock::Off), &lossy, 1);
    assert!(matches!(&omitted(&outcome)[..], [Omission::LossyStorage { .. }]));
}

#[test]
fn the_shallowest_state_without_a_way_to_the_goal_is_found() {
    let (mut n_stranded, mut n_fine) = (0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let n = 8 + random.below(40) as usize;
        let degree = 1 + random.below(3);
        let graph = Graph::random(&mut random, n, degree);
        let truth = (0..n).map(|_| random.below(4) == 0).collect();
        let graph = graph.with(PropertyKind::AlwaysReachable, truth);
        let problem = problem(&graph, Deadlock::Off);
        let ending = Ending::Stranded(0);
        let depths = reachable(&problem);
        let stranded = depths.iter().filter(|(state, _)| shows(&problem, state, &ending));
        let expected = stranded.map(|(_, &depth)| depth).min();
        let order = if seed % 2 == 0 { Order::BreadthFirst } else { Order::DepthFirst };
        let outcome = run(&problem, &SearchOptions { order, ..SearchOptions::default() }, 1);
        match expected {
            Some(depth) => {
                n_stranded += 1;
                assert_replays(&problem, trace(&outcome));
                assert_eq!(trace(&outcome).steps.len(), depth as usize);
            }
            None => {
                n_fine += 1;
                assert!(matches!(outcome.verdict, Verdict::Holds(_)));
            }
        }
    }
    assert!(n_stranded > 20 && n_fine > 20, "{n_stranded} {n_fine}");
}

#[test]
fn a_survey_lists_every_failing_invariant_with_its_first_states() {
    let n = 30_000;
    let mut random = Random(5);
    let mut graph = Graph::random(&mut random, n, 3);
    for number in 0..40 {
        let truth = (0..n).map(|_| number % 4 == 0 || random.below(3000) > 0).collect();
        graph = graph.with(PropertyKind::Invariant, truth);
    }
    let problem = problem(&graph, Deadlock::Stuck);
    let depths = reachable(&problem);
    let with_jobs = |jobs| {
        let limits = Limits { jobs, ..Limits::none() };
        survey(&problem, &SearchOptions::default(), 3, Context::silent(&limits))
    };
    let survey = with_jobs(1);
    assert_eq!(survey, with_jobs(4));
    assert_eq!(survey.n_states, depths.len() as u64);
    let deadlock = Ending::Deadlock(Deadlock::Stuck);
    let n_deadlocks = depths.keys().filter(|state| shows(&problem, state, &deadlock)).count();
    assert_eq!(survey.n_deadlocks, n_deadlocks as u64);
    for number in 0..40u32 {
        let fails = |state: &[u64]| !graph.truth[number as usize][graph.node(state)];
        let mut failing: Vec<(u32, &Vec<u64>)> = (depths.iter())
            .filter(|(state, _)| fails(state))
            .map(|(state, &depth)| (depth, state))
            .collect();
        failing.sort();
        let found = survey.failures.iter().find(|failure| failure.property == number);
        assert_eq!(found.map_or(0, |failure| failure.n_states), failing.len() as u64);
        let examples = found.map_or(&[][..], |failure| &failure.examples);
        let examples: Vec<(u32, &Vec<u64>)> =
            examples.iter().map(|example| (example.depth, &example.state)).collect();
        failing.truncate(3);
        assert_eq!(examples, failing);
    }
}
