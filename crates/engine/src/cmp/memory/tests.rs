//! Normal forms and compositions of random states, and views of a stack against all its states.

mod random;
mod stack;
mod world;

use std::collections::BTreeSet;

use model::{Context, Limits, Outcome, Proof, Silent, StopReason, Verdict};

use stack::{Features, Stack};
use world::World;

fn outcome(features: Features) -> Outcome {
    let limits = Limits::none();
    crate::cmp::check(&Stack::new(features), Context::new(&limits, &Silent))
}

fn views(features: Features) -> BTreeSet<Vec<u64>> {
    let outcome = outcome(features);
    let Verdict::Holds(certificate) = outcome.verdict else {
        panic!("{features:?}: {:?}, {:?}", outcome.verdict, outcome.notes)
    };
    let Proof::ElementViews(proof) = certificate.proof else { panic!("another proof") };
    assert_eq!(proof.n_visible, 1);
    proof.views.iter().map(|view| view.to_words().expect("views are words")).collect()
}

/// Why nothing is proved, with the notes.
fn alarm(features: Features) -> String {
    let outcome = outcome(features);
    match outcome.verdict {
        Verdict::Unknown(StopReason::Incomplete { why }) => {
            format!("{why}; {}", outcome.notes.join("; "))
        }
        other => panic!("{features:?}: {other:?}"),
    }
}

/// Every state of so many threads, seen by each of them.
fn seen_in_worlds(n_threads: usize, features: Features) -> BTreeSet<Vec<u64>> {
    let mut seen = BTreeSet::new();
    for world in World::all(n_threads, features) {
        seen.extend((0..n_threads).map(|thread| world.seen_by(thread)));
    }
    seen
}

#[test]
fn views_cover_what_threads_of_a_stack_see() {
    let features = Features::STACK;
    let views = views(features);
    for n_threads in 1..=3 {
        let seen = seen_in_worlds(n_threads, features);
        let missing = seen.difference(&views).count();
        assert_eq!(missing, 0, "{missing} of {} for {n_threads} threads", seen.len());
    }
    // Nothing is lost with three threads: who pushed last, and two to fill the stack.
    assert_eq!(seen_in_worlds(3, features).len(), views.len());
}

#[test]
fn steps_that_change_others_alone_are_tried_beside_them() {
    let features = Features { flags: true, ..Features::NOTHING };
    let views = views(features);
    let seen = seen_in_worlds(3, features);
    assert_eq!(seen.difference(&views).count(), 0);
    assert_eq!(seen.len(), views.len());
}

#[test]
fn actors_have_no_more_than_what_their_steps_look_at() {
    let features = Features { flags: true, ..Features::STACK };
    let views = views(features);
    let seen = seen_in_worlds(2, features);
    assert_eq!(seen.difference(&views).count(), 0);
}

#[test]
fn a_node_that_is_read_must_not_be_freed() {
    let why = alarm(Features { readers: true, ..Features::STACK });
    assert!(why.contains("others may reach"), "{why}");
    assert!(why.contains("beside: free"), "{why}");
}

#[test]
fn without_owners_nodes_may_be_shared() {
    let why = alarm(Features { owners: false, ..Features::STACK });
    assert!(why.contains("others may reach"), "{why}");
}

#[test]
fn a_node_that_is_forgotten_is_lost() {
    let why = alarm(Features { leaks: true, ..Features::STACK });
    assert!(why.contains("a node is lost"), "{why}");
}

#[test]
fn a_broken_property_is_told_with_the_way_there() {
    let why = alarm(Features { keeps_pointer: true, ..Features::STACK });
    assert!(why.contains("`held nodes live` may fail"), "{why}");
    assert!(why.contains("start; alloc"), "{why}");
}

#[test]
fn nodes_may_be_too_few() {
    let why = alarm(Features { max_depth: 9, ..Features::STACK });
    assert!(why.contains("8 nodes are too few"), "{why}");
}
