//! Symmetry: one state of each orbit is stored, and traces are permuted back.

use std::collections::BTreeSet;

use model::{Deadlock, Proof, Verdict};

use super::super::{Order, SearchOptions, Storage};
use super::naive::{assert_replays, reachable};
use super::systems::Ring;
use super::{figure, problem, run, trace};

/// What permutations leave alone: the holder's place and the multiset of places.
fn orbit(ring: &Ring, state: u64) -> (u64, Vec<u64>) {
    let holder = (state >> (4 * ring.n) & 15) - 1;
    let mut places: Vec<u64> = (0..ring.n).map(|peer| state >> (4 * peer) & 15).collect();
    let holds = places[holder as usize];
    places.sort_unstable();
    (holds, places)
}

#[test]
fn as_many_states_are_stored_as_there_are_orbits() {
    for n in 2..6 {
        let mut ring = Ring::new(n);
        ring.properties.clear();
        let problem = problem(&ring, Deadlock::Off);
        let all = reachable(&problem);
        let orbits: BTreeSet<_> = all.keys().map(|state| orbit(&ring, state[0])).collect();
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let reduced = run(&problem, &SearchOptions { order, ..SearchOptions::default() }, 2);
            assert_eq!(figure(&reduced, "states"), orbits.len() as u64);
            let Verdict::Holds(certificate) = &reduced.verdict else { panic!("nothing is asked") };
            assert!(matches!(certificate.proof, Proof::Exhausted { symmetry: true, .. }));
            let full = run(
                &problem,
                &SearchOptions { order, symmetry: false, ..SearchOptions::default() },
                2,
            );
            assert_eq!(figure(&full, "states"), all.len() as u64);
        }
    }
}

#[test]
fn a_trace_shows_the_processes_themselves_not_representatives() {
    let ring = Ring::new(4);
    let problem = problem(&ring, Deadlock::Stuttering);
    for storage in [Storage::Exact, Storage::HashCompaction] {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let outcome =
                run(&problem, &SearchOptions { order, storage, ..SearchOptions::default() }, 1);
            assert_replays(&problem, trace(&outcome));
            if order == Order::BreadthFirst {
                // Three steps of each peer, and three times the token moves on.
                assert_eq!(trace(&outcome).steps.len(), 15);
            }
        }
    }
}
