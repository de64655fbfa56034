//! Backward bases with lemmas and equalities: valid ones pass, corruptions do not.

use model::{Bounds, ControlId, CounterSystem, Proof, Zone};

use crate::nets::{
    BUSY, IDLE, LOCK, c, lemma, mutex, net, rejects, support, target, transfer, transition, verify,
    zone,
};

fn plain_basis() -> Vec<Zone> {
    vec![
        zone(&[(BUSY, 2)]),
        zone(&[(IDLE, 1), (BUSY, 1), (LOCK, 1)]),
        zone(&[(IDLE, 2), (LOCK, 2)]),
    ]
}

fn plain() -> Proof {
    Proof::Basis {
        support: support(&[IDLE, BUSY, LOCK]),
        equal: Vec::new(),
        lemmas: Vec::new(),
        basis: plain_basis(),
    }
}

fn pruned() -> Proof {
    Proof::Basis {
        support: support(&[IDLE, BUSY, LOCK]),
        equal: Vec::new(),
        lemmas: vec![lemma(&[(BUSY, 1), (LOCK, 1)], 1)],
        basis: vec![zone(&[(BUSY, 2)])],
    }
}

/// The parts of a basis proof, for corruption.
struct Parts<'a> {
    support: &'a mut model::Support,
    equal: &'a mut Vec<(model::CounterId, model::CounterId)>,
    lemmas: &'a mut Vec<model::LinearLemma>,
    basis: &'a mut Vec<Zone>,
}

fn change(mut proof: Proof, edit: impl Fn(Parts<'_>)) -> Proof {
    let Proof::Basis { support, equal, lemmas, basis } = &mut proof else {
        unreachable!("built as a basis")
    };
    edit(Parts { support, equal, lemmas, basis });
    proof
}

#[test]
fn a_basis_with_and_without_lemmas_is_accepted() {
    assert_eq!(verify(&mutex(), &plain()), Ok(()));
    assert_eq!(verify(&mutex(), &pruned()), Ok(()));
    // The lemma alone excludes the target.
    assert_eq!(verify(&mutex(), &change(pruned(), |parts| parts.basis.clear())), Ok(()));
}

#[test]
fn every_corruption_of_a_plain_basis_is_rejected() {
    let reject =
        |what: &str, edit: &dyn Fn(Parts<'_>)| rejects(&mutex(), what, &change(plain(), edit));
    for idx in 0..3 {
        reject("a dropped zone", &|parts| _ = parts.basis.remove(idx));
        reject("a zone that needs more", &|parts| parts.basis[idx].bounds[0].1.min += 1);
        reject("a zone that needs one more thing", &|parts| {
            let mut listed = parts.basis[idx].bounds.clone();
            listed.retain(|entry| entry.0 != c(BUSY));
            listed.push((c(BUSY), Bounds::at_least(3)));
            listed.sort();
            parts.basis[idx].bounds = listed;
        });
        reject("an upper bound", &|parts| parts.basis[idx].bounds[0].1.max = Some(2));
        reject("another control state", &|parts| parts.basis[idx].control = ControlId(1));
        reject("a counter out of range", &|parts| parts.basis[idx].bounds[0].0 = c(7));
        reject("a smaller support", &|parts| _ = parts.support.controls[0].1.remove(idx));
    }
    reject("a zone with an initial configuration", &|parts| {
        parts.basis.push(zone(&[(IDLE, 4), (LOCK, 1)]));
    });
    reject("no support", &|parts| parts.support.controls.clear());
    reject("unsorted support", &|parts| parts.support.controls[0].1.reverse());
    reject("an equality that is false", &|parts| parts.equal.push((c(BUSY), c(LOCK))));
    reject("an equality that starts false", &|parts| parts.equal.push((c(IDLE), c(LOCK))));
    reject("an equality out of range", &|parts| parts.equal.push((c(BUSY), c(9))));
}

#[test]
fn every_corruption_of_a_lemma_is_rejected() {
    let reject =
        |what: &str, edit: &dyn Fn(Parts<'_>)| rejects(&mutex(), what, &change(pruned(), edit));
    reject("no lemma", &|parts| parts.lemmas.clear());
    reject("a lower bound", &|parts| parts.lemmas[0].bound = 0);
    reject("a higher bound", &|parts| parts.lemmas[0].bound = 2);
    reject("a larger weight of the lock", &|parts| parts.lemmas[0].counters[1].1 = 2);
    reject("a larger weight of busy", &|parts| parts.lemmas[0].counters[0].1 = 2);
    reject("a negative weight", &|parts| parts.lemmas[0].counters.insert(0, (c(IDLE), -1)));
    reject("a weight of idle", &|parts| parts.lemmas[0].counters.insert(0, (c(IDLE), 1)));
    reject("no weight of the lock", &|parts| _ = parts.lemmas[0].counters.remove(1));
    reject("unsorted weights", &|parts| parts.lemmas[0].counters.reverse());
    reject("an unknown control state", &|parts| {
        parts.lemmas[0].controls = vec![(ControlId(4), 1)];
    });
    reject("huge weights", &|parts| parts.lemmas[0].counters[0].1 = i64::MAX);
}

/// 1 and 2 always rise and fall together; the error is that they differ.
fn twins() -> CounterSystem {
    let start = transition(&[(0, 1)], &[(0, -1), (1, 1), (2, 1)]);
    let stop = transition(&[(1, 1), (2, 1)], &[(0, 1), (1, -1), (2, -1)]);
    let mut differ = target(&[(1, 1)]);
    differ.zone.bounds.push((c(2), Bounds::exactly(0)));
    net(3, vec![start, stop], &[(0, Bounds::at_least(0))], vec![differ])
}

#[test]
fn equal_counters_share_their_bounds() {
    let proof = |equal| Proof::Basis {
        support: support(&[0, 1, 2]),
        equal,
        lemmas: Vec::new(),
        basis: Vec::new(),
    };
    assert_eq!(verify(&twins(), &proof(vec![(c(1), c(2))])), Ok(()));
    assert_eq!(verify(&twins(), &proof(vec![(c(2), c(1)), (c(1), c(1))])), Ok(()));
    rejects(&twins(), "no equality", &proof(Vec::new()));
    rejects(&twins(), "another equality", &proof(vec![(c(0), c(2))]));
}

#[test]
fn predecessors_through_a_transfer_consider_every_source() {
    // A transfer collects 0 and 1 in 2. Three in 2 need three tokens in all.
    let mut collect = transition(&[], &[]);
    collect.moves = vec![transfer(0, &[2]), transfer(1, &[1, 2])];
    let initial = [(0, Bounds::exactly(1)), (1, Bounds::exactly(1))];
    let system = net(3, vec![collect], &initial, vec![target(&[(2, 3)])]);
    let mut zones = Vec::new();
    for (first, second) in (0..=3).flat_map(|a| (0..=3 - a).map(move |b| (a, b))) {
        let needs = [(0, first), (1, second), (2, 3 - first - second)];
        let needs: Vec<_> = needs.into_iter().filter(|entry| entry.1 > 0).collect();
        zones.push(zone(&needs));
    }
    let proof = |basis: &[Zone]| Proof::Basis {
        support: support(&[0, 1, 2]),
        equal: Vec::new(),
        lemmas: Vec::new(),
        basis: basis.to_vec(),
    };
    assert_eq!(verify(&system, &proof(&zones)), Ok(()));
    for idx in 0..zones.len() {
        let mut fewer = zones.clone();
        fewer.remove(idx);
        rejects(&system, "a dropped source", &proof(&fewer));
    }
}

#[test]
fn counters_are_not_equal_because_their_ranges_or_deltas_are() {
    let equal = |system: &CounterSystem| {
        let (support, lemmas, basis) = (support(&[0, 1, 2]), Vec::new(), Vec::new());
        verify(system, &Proof::Basis { support, equal: vec![(c(1), c(2))], lemmas, basis })
    };
    let mut ranges = twins();
    ranges.initial[0].bounds.push((c(1), Bounds::at_least(0)));
    ranges.initial[0].bounds.push((c(2), Bounds::at_least(0)));
    assert!(equal(&ranges).is_err());
    for (from, to) in [(1, &[0][..]), (2, &[][..]), (0, &[2][..])] {
        let mut moved = twins();
        moved.transitions.push(transition(&[], &[]));
        moved.transitions[2].moves = vec![transfer(from, to)];
        assert!(equal(&moved).is_err(), "{from} {to:?}");
    }
    for delta in [(1, 1), (2, 1)] {
        let mut changed = twins();
        changed.transitions.push(transition(&[], &[delta]));
        assert!(equal(&changed).is_err(), "{delta:?}");
    }
}

#[test]
fn a_support_that_forgets_a_counter_on_the_way_is_rejected() {
    // 0 is marked, stays so when the control state changes, and is an error there.
    let mut go = transition(&[], &[]);
    go.to = ControlId(1);
    let mut late = target(&[(0, 1)]);
    late.zone.control = ControlId(1);
    let mut system = net(1, vec![go], &[(0, Bounds::exactly(1))], vec![late]);
    system.control_names.push("later".to_owned());
    let forgets =
        model::Support { controls: vec![(ControlId(0), vec![c(0)]), (ControlId(1), Vec::new())] };
    let (equal, lemmas, basis) = (Vec::new(), Vec::new(), Vec::new());
    let proof = Proof::Basis { support: forgets, equal, lemmas, basis };
    rejects(&system, "a support that is not closed", &proof);
    // A transfer or a zero test on the way makes the same support right.
    system.transitions[0].moves = vec![transfer(0, &[])];
    assert_eq!(verify(&system, &proof), Ok(()));
    system.transitions[0].moves.clear();
    system.transitions[0].guard = vec![(c(0), Bounds::exactly(0))];
    assert_eq!(verify(&system, &proof), Ok(()));
}
