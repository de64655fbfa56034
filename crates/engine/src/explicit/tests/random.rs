//! Random graphs: all ways to search agree with the naive search.

use model::{Deadlock, PropertyKind, Verdict};

use super::super::{Order, SearchOptions, Storage};
use super::naive::{assert_replays, reachable, shallowest_error};
use super::systems::{Graph, Random};
use super::{figure, problem, run, trace};

fn random_graph(seed: u64, n: usize) -> Graph {
    let mut random = Random(seed);
    let degree = 1 + random.below(3);
    let mut graph = Graph::random(&mut random, n, degree);
    for _ in 0..random.below(3) {
        let sparse = 1 + random.below(2 * n as u64);
        let truth = (0..n).map(|_| random.below(sparse) > 0).collect();
        graph = graph.with(PropertyKind::Invariant, truth);
    }
    if random.below(4) == 0 {
        graph.faulty[random.below(n as u64) as usize] = true;
    }
    graph
}

#[test]
fn every_way_to_search_gives_the_naive_answer() {
    let storages = [Storage::Exact, Storage::HashCompaction, Storage::Bitstate { log2_bits: 24 }];
    for seed in 0..300 {
        let graph = random_graph(seed, 5 + seed as usize % 60);
        let kinds = [Deadlock::Off, Deadlock::Stuck, Deadlock::Stuttering];
        let problem = problem(&graph, kinds[seed as usize % 3]);
        let expected = shallowest_error(&problem);
        let n_reachable = reachable(&problem).len() as u64;
        for storage in storages {
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                let options = SearchOptions { storage, order, ..SearchOptions::default() };
                let outcome = run(&problem, &options, 1);
                match expected {
                    Some(depth) => {
                        let trace = trace(&outcome);
                        assert_replays(&problem, trace);
                        if order == Order::BreadthFirst {
                            assert_eq!(trace.steps.len(), depth as usize, "seed {seed}");
                        }
                    }
                    None => {
                        assert_eq!(figure(&outcome, "states"), n_reachable, "seed {seed}");
                        let holds = matches!(outcome.verdict, Verdict::Holds(_));
                        assert_eq!(holds, storage == Storage::Exact);
                    }
                }
            }
        }
    }
}

#[test]
fn four_threads_give_the_outcome_of_one() {
    for seed in 0..6 {
        let n = 120_000;
        let mut graph = Graph::random(&mut Random(seed), n, 3);
        for _ in 0..3 {
            let mut random = Random(seed + 77);
            // Wrong in a few hundred nodes, so that a level has several errors.
            let rare = if seed % 2 == 0 { 400 } else { n as u64 * 1000 };
            let truth = (0..n).map(|_| random.below(rare) > 0).collect();
            graph = graph.with(PropertyKind::Invariant, truth);
        }
        let problem = problem(&graph, Deadlock::Off);
        for storage in [Storage::Exact, Storage::HashCompaction] {
            let options = SearchOptions { storage, ..SearchOptions::default() };
            let one = run(&problem, &options, 1);
            let four = run(&problem, &options, 4);
            assert_eq!(one, four, "seed {seed}");
            if storage == Storage::Exact && seed % 2 == 1 {
                assert_eq!(figure(&one, "states"), reachable(&problem).len() as u64);
            }
        }
    }
}
