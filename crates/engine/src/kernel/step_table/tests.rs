//! What is remembered is what the program says, and it is asked once.

use model::{BroadcastId, Steps, ThreadProgram};

use super::scripted::{Line, Scripted, store};
use super::{LocalId, StepTable, Taken};

/// Steps of all kinds, by the numbers of the stores.
fn mixed(shared: u32, local: Option<u32>) -> Vec<Line> {
    let Some(local) = local else {
        let line = Line { shared: shared + 1, local: Some(99), ..Line::default() };
        return if shared < 3 { vec![line] } else { Vec::new() };
    };
    let kind = |kind: u32| (shared * 5 + local * 3 + kind) % 7;
    let line = |n: u32| Line {
        shared: (shared + n + kind(0)) % 6000,
        local: (kind(n) > 0).then_some((local + kind(n)) % 3000),
        spawned: (0..kind(n + 1).saturating_sub(3)).collect(),
        is_broadcast: kind(n + 2) == 4,
        is_error: kind(n + 3) == 5,
    };
    (0..kind(1)).map(line).collect()
}

#[test]
fn an_answer_is_what_the_program_says_in_its_order() {
    let program = Scripted::new(mixed);
    let mut table = StepTable::new(&program);
    // Some of them are beyond the numbers that are found without a hash.
    for n in 0..6000u32 {
        table.shared_id(store(n).bytes());
        table.local_id(store(n % 3000).bytes());
    }
    for n in 0..3000u32 {
        let (shared, local) = (n * 7 % 6000, (n % 10 != 0).then_some(n * 11 % 3000));
        let at = (table.shared_id(store(shared).bytes()), local.map(LocalId));
        let answer = table.ask(at.0, at.1);
        assert_eq!(table.ask(at.0, at.1), answer);
        let mut steps = Steps::new();
        match local {
            Some(local) => {
                program.steps(store(shared).bytes(), store(local).bytes(), &mut steps);
            }
            None => program.environment_steps(store(shared).bytes(), &mut steps),
        }
        assert_eq!(table.taken(answer).count(), steps.len());
        for ((idx, wanted), taken) in (0..).zip(steps.iter()).zip(table.taken(answer)) {
            let step = match taken {
                Taken::Error(error) => {
                    assert!(wanted.violation().is_some());
                    assert_eq!((error.idx, error.label), (idx, wanted.label()));
                    continue;
                }
                Taken::Step(step) => step,
            };
            assert_eq!(wanted.violation(), None);
            assert_eq!((step.idx, step.label), (idx, wanted.label()));
            assert_eq!(table.shared(step.to).bytes(), wanted.shared());
            let after = wanted.local().filter(|_| local.is_some());
            assert_eq!(step.after.map(|local| table.local(local).bytes()), after);
            let spawned = table.spawned(&step).iter().map(|&local| table.local(local).bytes());
            assert!(spawned.eq(wanted.spawned()));
            assert_eq!(step.broadcast, wanted.broadcast());
        }
        assert_eq!(table.incomplete(answer).is_some(), local == Some(13));
    }
}

#[test]
fn nothing_is_asked_twice() {
    let program = Scripted::new(mixed);
    let mut table = StepTable::new(&program);
    let shared: Vec<_> = (0..20).map(|n| table.shared_id(store(n).bytes())).collect();
    // 13 is among them, of which not all steps are known.
    let local: Vec<_> = (0..20).map(|n| table.local_id(store(n).bytes())).collect();
    for _ in 0..3 {
        for &shared in &shared {
            table.ask(shared, None);
            local.iter().for_each(|&local| {
                table.ask(shared, Some(local));
            });
        }
    }
    assert_eq!(program.n_asked(), 20 * 21);
    assert_eq!(table.n_answers(), 20 * 21);
}

#[test]
fn an_answer_that_is_not_complete_is_not_found_in_passing() {
    let program = Scripted::new(mixed);
    let mut table = StepTable::new(&program);
    let shared = table.shared_id(store(0).bytes());
    for (number, is_known) in [(12, true), (13, false)] {
        let local = table.local_id(store(number).bytes());
        let answer = table.ask(shared, Some(local));
        assert_eq!(table.near(shared, Some(local)).is_some(), is_known);
        assert_eq!(table.incomplete(answer).is_none(), is_known);
    }
}

#[test]
fn a_broadcast_moves_to_each_place_once_or_not_at_all() {
    let program = Scripted::new(mixed);
    let mut table = StepTable::new(&program);
    let (moved, stays) = (table.local_id(store(7).bytes()), table.local_id(store(5).bytes()));
    let becomes = table.passive(BroadcastId(0), moved).to_vec();
    let stores: Vec<_> = becomes.iter().map(|&local| table.local(local).clone()).collect();
    assert_eq!(stores, [store(9), store(8)]);
    assert!(becomes.is_sorted());
    assert_eq!(table.passive(BroadcastId(0), stays), [stays]);
}
