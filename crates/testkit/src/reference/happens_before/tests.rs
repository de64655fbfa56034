//! Textbook programs, with what C11 says about each.

use super::*;
use crate::random::sharing::{
    A, Base, Change, Condition, Global, Load, Operand, Order, Place, Register, Source, Statement,
    sharing,
};
use crate::rng::Rng;

const BOUNDS: Bounds = Bounds { max_states: 5_000, reuses_addresses: false };
const GLOBALS: [Global; 4] =
    [Global::Number, Global::AtomicNumber, Global::AtomicPointer, Global::Pointer];
const X: Place = Place { base: Base::Global(0), part: 0 };
const FLAG: Place = Place { base: Base::Global(1), part: 0 };
const SHARED: Place = Place { base: Base::Global(2), part: 0 };
const KEPT: Place = Place { base: Base::Global(3), part: 0 };
const BEHIND: Place = Place { base: Base::Behind(0), part: A };
const NEW: Statement = Statement::New { to: 0, source: Source::Malloc, a: 1, n: 1 };

/// What the oracle finds where `main` starts these threads, joins them, and does the rest.
fn found(threads: &[&[Statement]], rest: &[Statement]) -> Findings {
    found_with(BOUNDS, threads, rest)
}

fn found_with(bounds: Bounds, threads: &[&[Statement]], rest: &[Statement]) -> Findings {
    let numbers = 1..=threads.len() as u8;
    let starts = numbers.clone().map(|thread| Statement::Start { thread, argument: None });
    let joins = numbers.map(|thread| Statement::Join { thread, to: None });
    let main = starts.chain(joins).chain(rest.iter().cloned()).collect();
    let bodies = threads.iter().map(|body| body.to_vec());
    let threads = std::iter::once(main).chain(bodies).collect();
    let program = Program { globals: GLOBALS.to_vec(), n_mutexes: 2, threads };
    judge(&program, bounds).expect("it is small and has a meaning")
}

fn store(to: Place, order: Option<Order>) -> Statement {
    Statement::Store { to, value: Operand::Constant(1), order }
}

fn load(from: Place, order: Option<Order>) -> Statement {
    Statement::Load(Load { to: Register::Number(0), from, order })
}

fn pointer(from: Place, order: Option<Order>) -> Statement {
    Statement::Load(Load { to: Register::Pointer(0), from, order })
}

fn publish(to: Place, order: Option<Order>) -> Statement {
    Statement::Store { to, value: Operand::Pointer(0), order }
}

fn when(condition: Condition, body: &[Statement]) -> Statement {
    Statement::If { condition, body: body.to_vec() }
}

#[test]
fn a_message_needs_a_release_and_an_acquire() {
    let (relaxed, acquire, release) = (Order::Relaxed, Order::Acquire, Order::Release);
    let sent = |order| vec![store(X, None), store(FLAG, Some(order))];
    let fenced = vec![store(X, None), Statement::Fence(release), store(FLAG, Some(relaxed))];
    let fenced_late = vec![store(X, None), store(FLAG, Some(relaxed)), Statement::Fence(release)];
    let received =
        |order| vec![load(FLAG, Some(order)), when(Condition::Equals(0, 1), &[load(X, None)])];
    let behind_fence = vec![
        load(FLAG, Some(relaxed)),
        Statement::Fence(acquire),
        when(Condition::Equals(0, 1), &[load(X, None)]),
    ];
    for (sender, receiver, races) in [
        (sent(release), received(acquire), false),
        (sent(Order::Total), received(Order::Total), false),
        (sent(relaxed), received(acquire), true),
        (sent(release), received(relaxed), true),
        (fenced.clone(), received(acquire), false),
        (fenced, behind_fence.clone(), false),
        (fenced_late, received(acquire), true),
        (sent(release), behind_fence, false),
    ] {
        assert_eq!(found(&[&sender, &receiver], &[]).race, races, "{sender:?} {receiver:?}");
    }
}

#[test]
fn a_release_sequence_goes_on_with_updates_and_with_stores_of_its_thread() {
    let sent = [store(X, None), store(FLAG, Some(Order::Release))];
    let more =
        Statement::Store { to: FLAG, value: Operand::Constant(2), order: Some(Order::Relaxed) };
    let update = Statement::Update {
        old: Register::Number(1),
        place: FLAG,
        change: Change::Add,
        value: Operand::Constant(1),
        order: Order::Relaxed,
    };
    let received =
        [load(FLAG, Some(Order::Acquire)), when(Condition::Equals(0, 2), &[load(X, None)])];
    let sent_twice = [&sent[..], std::slice::from_ref(&more)].concat();
    assert!(!found(&[&sent_twice, &received], &[]).race);
    assert!(!found(&[&sent, &[update], &received], &[]).race);
    assert!(found(&[&sent, &[more], &received], &[]).race);
}

#[test]
fn locks_order_and_those_who_only_try_do_so_as_well() {
    let locked = [Statement::Lock(0), store(X, None), Statement::Unlock(0)];
    let tried = [Statement::TryLock { mutex: 0, body: vec![store(X, None)] }];
    assert!(!found(&[&locked, &tried], &[load(X, None)]).race);
    assert!(found(&[&locked, &[store(X, None)]], &[]).race);
}

#[test]
fn free_is_a_write_and_what_comes_later_is_no_race() {
    let sender = [NEW, publish(SHARED, Some(Order::Release)), Statement::Free(0)];
    let receiver =
        [pointer(SHARED, Some(Order::Acquire)), when(Condition::IsSet(0), &[load(BEHIND, None)])];
    let both = found(&[&sender, &receiver], &[]);
    assert!(both.race && both.memory);
    let late = [NEW, publish(KEPT, None), Statement::Free(0)];
    let after = [pointer(KEPT, None), load(BEHIND, None)];
    let ended = found(&[&late], &after);
    assert!(!ended.race && ended.memory);
}

#[test]
fn a_variable_of_a_block_ends_with_it() {
    let body = vec![Statement::AddressOf { to: 0, of: Base::Local(0) }, publish(KEPT, None)];
    let block = Statement::Block { local: 0, a: 1, n: 1, body };
    let after = [pointer(KEPT, None), load(BEHIND, None)];
    let ended = found(&[&[block]], &after);
    assert!(ended.memory && !ended.race);
}

#[test]
fn locks_in_two_orders_deadlock_and_so_does_one_that_is_kept() {
    let nested = |outer, inner| {
        [
            Statement::Lock(outer),
            Statement::Lock(inner),
            Statement::Unlock(inner),
            Statement::Unlock(outer),
        ]
    };
    assert!(found(&[&nested(0, 1), &nested(1, 0)], &[]).deadlock);
    assert!(!found(&[&nested(0, 1), &nested(0, 1)], &[]).deadlock);
    assert!(found(&[&[Statement::Lock(0)], &[Statement::Lock(0)]], &[]).deadlock);
}

#[test]
fn a_block_is_lost_if_nothing_static_leads_to_it() {
    let free = [pointer(KEPT, None), Statement::Free(0)];
    assert_eq!(found(&[&[NEW]], &[]).leak, Leak::Some);
    assert_eq!(found(&[&[NEW, publish(KEPT, None)]], &[]).leak, Leak::None);
    assert_eq!(found(&[&[NEW, publish(KEPT, None)]], &free).leak, Leak::None);
    let twice = [NEW, publish(KEPT, None), NEW, publish(KEPT, None)];
    assert_eq!(found(&[&twice], &free).leak, Leak::Some);
}

#[test]
fn an_address_may_come_again() {
    let again = Statement::New { to: 1, source: Source::Malloc, a: 2, n: 1 };
    let differ = when(Condition::Same(0, 1), &[Statement::Assert(Condition::Equals(0, 1))]);
    let body = [NEW, Statement::Free(0), again, differ];
    let kept = found(&[&body], &[]);
    assert!(kept.compares_ended && !kept.assertion);
    let reused = found_with(Bounds { reuses_addresses: true, ..BOUNDS }, &[&body], &[]);
    assert!(reused.assertion);
}

#[test]
fn all_kinds_of_programs_are_made_and_all_have_a_meaning() {
    let mut counts = [0; 6];
    for seed in 0..150 {
        let program = sharing(&mut Rng::new(seed));
        let found = match judge(&program, BOUNDS) {
            Ok(found) => found,
            Err(NoAnswer::TooManyStates) => continue,
            Err(NoAnswer::Unclear(why)) => panic!("seed {seed} has no meaning: {why}"),
        };
        let leaks = found.leak != Leak::None;
        let kinds = [found.race, found.memory, found.assertion, found.deadlock, leaks, found.exits];
        for (count, is_there) in counts.iter_mut().zip(kinds) {
            *count += u32::from(is_there);
        }
    }
    assert!(counts.iter().all(|&count| count > 0 && count < 150), "{counts:?}");
}
