//! State equations with traps: valid ones pass, corruptions do not.

use model::{Bounds, ControlId, CounterSystem, Proof, Refutation, Trap};

use crate::nets::{
    BUSY, LOCK, c, lemma, mutex, net, rejects, support, target, transfer, transition, verify,
};

fn of_mutex() -> Proof {
    let lemma = lemma(&[(BUSY, 1), (LOCK, 1)], 1);
    Proof::Equation {
        support: support(&[0, 1, 2]),
        refutations: vec![Refutation { lemma, traps: Vec::new() }],
    }
}

/// A token in 0 becomes two in 1 and back, and one of the two may get lost. Never
/// are both 0 and 1 empty.
fn trapped() -> CounterSystem {
    let go = transition(&[(0, 1)], &[(0, -1), (1, 2)]);
    let back = transition(&[(1, 2)], &[(0, 1), (1, -2)]);
    let lose = transition(&[(1, 2)], &[(1, -1)]);
    let mut system = net(2, vec![go, back, lose], &[(0, Bounds::exactly(1))], Vec::new());
    let mut both_empty = target(&[]);
    both_empty.zone.bounds = vec![(c(0), Bounds::exactly(0)), (c(1), Bounds::exactly(0))];
    system.targets = vec![both_empty];
    system
}

fn with_trap() -> Proof {
    let trap = Trap { controls: Vec::new(), counters: vec![c(0), c(1)] };
    let refutation = Refutation { lemma: lemma(&[], 0), traps: vec![(trap, 1)] };
    Proof::Equation { support: support(&[0, 1]), refutations: vec![refutation] }
}

fn change(mut proof: Proof, edit: impl Fn(&mut Refutation)) -> Proof {
    let Proof::Equation { refutations, .. } = &mut proof else {
        unreachable!("built as an equation")
    };
    edit(&mut refutations[0]);
    proof
}

#[test]
fn a_place_invariant_and_a_trap_are_accepted() {
    assert_eq!(verify(&mutex(), &of_mutex()), Ok(()));
    assert_eq!(verify(&trapped(), &with_trap()), Ok(()));
}

#[test]
fn every_corruption_of_a_place_invariant_is_rejected() {
    let reject = |what: &str, edit: &dyn Fn(&mut Refutation)| {
        rejects(&mutex(), what, &change(of_mutex(), edit));
    };
    reject("a lower bound", &|fact| fact.lemma.bound = 0);
    reject("a higher bound", &|fact| fact.lemma.bound = 2);
    reject("a dropped weight", &|fact| _ = fact.lemma.counters.remove(1));
    reject("a changed weight", &|fact| fact.lemma.counters[0].1 = 2);
    reject("a negative weight", &|fact| fact.lemma.counters.insert(0, (c(0), -1)));
    reject("a weight on a control state", &|fact| {
        fact.lemma.controls = vec![(ControlId(0), -1)];
    });
    reject("an unmarked trap", &|fact| {
        fact.traps = vec![(Trap { controls: vec![], counters: vec![c(BUSY)] }, 1)];
    });
    reject("no refutation", &|fact| fact.lemma = lemma(&[], 0));
}

#[test]
fn every_corruption_of_a_trap_is_rejected() {
    let reject = |what: &str, edit: &dyn Fn(&mut Refutation)| {
        rejects(&trapped(), what, &change(with_trap(), edit));
    };
    reject("no trap", &|fact| fact.traps.clear());
    reject("half a trap", &|fact| _ = fact.traps[0].0.counters.remove(1));
    reject("the other half", &|fact| _ = fact.traps[0].0.counters.remove(0));
    reject("a zero multiplier", &|fact| fact.traps[0].1 = 0);
    reject("a negative multiplier", &|fact| fact.traps[0].1 = -1);
    reject("an unsorted trap", &|fact| fact.traps[0].0.counters.reverse());
    reject("a higher bound", &|fact| fact.lemma.bound = 1);
    reject("an unknown member", &|fact| fact.traps[0].0.counters.push(c(5)));
}

#[test]
fn a_transfer_out_of_a_trap_breaks_it_and_one_within_does_not() {
    let mut empties = trapped();
    empties.transitions[0].moves = vec![transfer(1, &[])];
    empties.transitions[2].moves = vec![transfer(0, &[1])];
    assert_eq!(verify(&empties, &with_trap()), Ok(()));
    empties.transitions[2].moves = vec![transfer(0, &[]), transfer(1, &[])];
    empties.transitions[2].delta.clear();
    rejects(&empties, "a reset of the trap", &with_trap());
}

#[test]
fn a_support_that_forgets_a_counter_is_rejected() {
    // Without busy threads there would be nothing to refute.
    let forgets = Proof::Equation { support: support(&[0, LOCK]), refutations: Vec::new() };
    rejects(&mutex(), "a support that is not closed", &forgets);
}
