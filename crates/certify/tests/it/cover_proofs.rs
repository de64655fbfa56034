//! Coverability sets: a valid one passes, its corruptions do not.

use model::{Bounds, Count, CounterSystem, Proof};

use crate::nets::{
    BUSY, IDLE, LOCK, c, configuration, mutex, net, rejects, target, transfer, transition, verify,
};

fn valid() -> Proof {
    let configurations = vec![
        configuration(&[(IDLE, None), (LOCK, Some(1))]),
        configuration(&[(IDLE, None), (BUSY, Some(1))]),
    ];
    Proof::Cover { configurations }
}

fn change(edit: impl Fn(&mut Vec<model::Configuration>)) -> Proof {
    let Proof::Cover { mut configurations } = valid() else { unreachable!("built as a cover") };
    edit(&mut configurations);
    Proof::Cover { configurations }
}

#[test]
fn the_coverability_set_of_a_mutex_is_accepted() {
    assert_eq!(verify(&mutex(), &valid()), Ok(()));
}

#[test]
fn every_corruption_of_a_coverability_set_is_rejected() {
    let reject = |what: &str, proof: Proof| rejects(&mutex(), what, &proof);
    reject("no configuration", change(|list| list.clear()));
    for idx in 0..2 {
        reject("a dropped configuration", change(|list| _ = list.remove(idx)));
        reject("a lowered omega", change(|list| list[idx].counts[0].1 = count(5)));
        reject("a lowered count", change(|list| _ = list[idx].counts.remove(1)));
        reject("a control state out of range", change(|list| list[idx].control.0 = 1));
        reject("a counter out of range", change(|list| list[idx].counts[1].0 = c(3)));
        reject("unsorted counts", change(|list| list[idx].counts.reverse()));
        reject("a repeated counter", change(|list| list[idx].counts[1].0 = c(IDLE)));
        reject("a raised count", change(|list| list[idx].counts[1].1 = count(2)));
    }
    reject("a target inside", change(|list| list.push(configuration(&[(BUSY, Some(2))]))));
}

fn count(n: u32) -> Count {
    Count::finite(n).expect("small")
}

/// Two tokens that a transfer scatters, each of its own choice.
fn scatter() -> CounterSystem {
    let mut scatter = transition(&[], &[]);
    scatter.moves = vec![transfer(0, &[1, 2])];
    net(3, vec![scatter], &[(0, Bounds::exactly(2))], vec![target(&[(1, 2), (2, 1)])])
}

#[test]
fn every_way_to_split_a_finite_count_is_looked_at() {
    let splits = [
        configuration(&[(0, Some(2))]),
        configuration(&[(1, Some(2))]),
        configuration(&[(1, Some(1)), (2, Some(1))]),
        configuration(&[(2, Some(2))]),
    ];
    let all = Proof::Cover { configurations: splits.to_vec() };
    assert_eq!(verify(&scatter(), &all), Ok(()));
    for idx in 0..splits.len() {
        let mut configurations = splits.to_vec();
        configurations.remove(idx);
        rejects(&scatter(), "a dropped split", &Proof::Cover { configurations });
    }
}

#[test]
fn a_zero_test_is_fired_from_the_part_of_the_set_that_meets_it() {
    // 1 is marked only when 0 is empty, so both are never marked together.
    let mut guarded = transition(&[], &[(1, 1)]);
    guarded.guard = vec![(c(0), Bounds::exactly(0)), (c(1), Bounds::exactly(0))];
    let system = net(
        2,
        vec![guarded],
        &[(0, Bounds::at_least(0))],
        vec![target(&[(0, 1), (1, 1)]), target(&[(1, 2)])],
    );
    let sets = [configuration(&[(0, None)]), configuration(&[(1, Some(1))])];
    assert_eq!(verify(&system, &Proof::Cover { configurations: sets.to_vec() }), Ok(()));
    rejects(&system, "half a set", &Proof::Cover { configurations: sets[..1].to_vec() });
}
