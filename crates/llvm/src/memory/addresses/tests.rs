//! Facts against all ways to put objects on a line.

use super::closure::Table;
use super::{Fact, Known, Relation};
use crate::value::{Base, Origin};

fn object(number: u32) -> Base {
    Base::new(Origin::Shared(number))
}

fn relation_of(addresses: &[u32], left: u32, right: u32) -> Relation {
    match addresses[left as usize].cmp(&addresses[right as usize]) {
        std::cmp::Ordering::Less => Relation::Below,
        std::cmp::Ordering::Equal => Relation::Same,
        std::cmp::Ordering::Greater => Relation::Above,
    }
}

/// Four objects at four addresses, in all ways.
fn placements() -> Vec<[u32; 4]> {
    let digit = |number: u32, at: u32| number >> (2 * at) & 3;
    (0..256).map(|number| [0, 1, 2, 3].map(|at| digit(number, at))).collect()
}

/// Do addresses agree with facts?
fn agrees(addresses: &[u32; 4], facts: &[Fact]) -> bool {
    let number = |base: Base| match base.origin() {
        Origin::Shared(number) => number,
        _ => unreachable!("all objects are shared"),
    };
    let pairs = (0..4).flat_map(|left| (0..left).map(move |right| (left, right)));
    pairs.into_iter().all(|(left, right)| {
        let names = |fact: &&Fact| {
            [(left, right), (right, left)].contains(&(number(fact.low), number(fact.high)))
        };
        let real = relation_of(addresses, left, right);
        match facts.iter().find(names) {
            None => real != Relation::Same,
            Some(fact) => match fact.known {
                Known::Same => real == Relation::Same,
                Known::Below => {
                    relation_of(addresses, number(fact.low), number(fact.high)) == Relation::Below
                }
                Known::Open | Known::Left => true,
            },
        }
    })
}

/// Facts that follow each from some possible way, in all combinations of three decisions.
#[test]
fn what_is_left_open_can_go_either_way_and_what_is_settled_only_one() {
    let all: Vec<(u32, u32)> = (0..4).flat_map(|l| (0..l).map(move |r| (r, l))).collect();
    for open in 0..64u32 {
        let chosen = all.iter().enumerate().filter(|(at, _)| open >> at & 1 == 1);
        let first: Vec<Fact> =
            chosen.map(|(_, &(l, r))| Fact::new(Known::Open, object(l), object(r))).collect();
        explore(&first, &all, 3);
    }
}

fn explore(facts: &[Fact], pairs: &[(u32, u32)], depth: u32) {
    let ways: Vec<[u32; 4]> =
        placements().into_iter().filter(|addresses| agrees(addresses, facts)).collect();
    assert!(!ways.is_empty(), "{facts:?} fit no placement");
    for &(left, right) in pairs {
        let table = Table::new(facts.iter(), [object(left), object(right)]);
        let seen = |wanted: Relation| ways.iter().any(|it| relation_of(it, left, right) == wanted);
        let found = (seen(Relation::Below), seen(Relation::Same), seen(Relation::Above));
        let relation = table.relation(object(left), object(right));
        let expected = match relation {
            Relation::Open => (true, true, true),
            Relation::Apart => (true, false, true),
            Relation::Below => (true, false, false),
            Relation::Above => (false, false, true),
            Relation::Same => (false, true, false),
        };
        assert_eq!(found, expected, "{facts:?}: {left} and {right} are {relation:?}");
        let answers: &[Relation] = match relation {
            Relation::Open => &[Relation::Same, Relation::Apart, Relation::Below],
            Relation::Apart => &[Relation::Below, Relation::Above],
            _ => continue,
        };
        for &answer in answers.iter().filter(|_| depth > 0) {
            let mut table = Table::new(facts.iter(), [object(left), object(right)]);
            table.decide(object(left), object(right), answer);
            let next: Vec<Fact> = table.facts().collect();
            explore(&next, &pairs[1..], depth - 1);
        }
    }
}
