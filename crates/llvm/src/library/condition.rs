//! Condition variables: `pthread_cond_t`, which `cnd_t` is as well.
//!
//! A waiter's thread object names the condition variable; a signal clears that. A
//! waiter goes on when it can have its mutex in the same step. When time runs out is
//! a step of its own: a signal may be lost between that and the mutex.

use super::item::{Item, Layout};
use super::{Arguments, Effect, Entry, always, mutex, pointers, succeed, too_few};
use crate::machine::{Machine, Result, Stop};
use crate::memory::ThreadField;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("pthread_cond_init", init),
    pointers("pthread_cond_destroy", destroy),
    always("pthread_cond_wait", wait),
    always("pthread_cond_timedwait", timed_wait),
    always("pthread_cond_clockwait", timed_wait),
    pointers("pthread_cond_signal", signal),
    pointers("pthread_cond_broadcast", broadcast),
    pointers("pthread_condattr_init", attribute_init),
    pointers("pthread_condattr_destroy", succeed),
    pointers("pthread_condattr_setclock", succeed),
    pointers("pthread_condattr_setpshared", succeed),
];

static CONDITION: Layout =
    Layout { what: "condition variable", sizes: (48, 48), mark_at: Some((44, 44)) };
static ATTRIBUTE: Layout = Layout { what: "condition attribute", sizes: (4, 4), mark_at: None };

/// It waits for a signal.
const WAITING: u8 = 1;
/// Time has run out; it waits for its mutex.
const TIMED_OUT: u8 = 2;

/// A condition variable that can be used; its mark is read, so uninitialised memory
/// is found out.
fn open(machine: &mut Machine<'_>) -> Result<(Item, Value)> {
    let condition = Item::open(machine, 0, &CONDITION)?;
    let address = condition.pointer(machine)?;
    Ok((condition, address))
}

pub(super) fn init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &CONDITION)?.clear(machine)?;
    arguments.done(0)
}

pub(super) fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (condition, address) = open(machine)?;
    if !machine.memory.waiting_for(address).is_empty() {
        return Err(condition.misuse(machine, "is destroyed while a thread waits for it"));
    }
    condition.destroy(machine)?;
    arguments.done(0)
}

pub(super) fn wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    match machine.phase() {
        0 => start(machine),
        _ => go_on(machine, arguments, false),
    }
}

pub(super) fn timed_wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    match machine.phase() {
        0 => start(machine),
        TIMED_OUT => lock_again(machine, arguments, mutex::ETIMEDOUT),
        _ => go_on(machine, arguments, true),
    }
}

/// Gives up the mutex and starts to wait, at once.
fn start(machine: &mut Machine<'_>) -> Result<Effect> {
    let (condition, _) = open(machine)?;
    let mutex = mutex::open(machine, 1)?;
    if !mutex::is_mine(machine, mutex)? {
        let name = mutex.name(machine);
        let what = format!("is waited for with {name}, which the thread does not hold");
        return Err(condition.misuse(machine, &what));
    }
    if machine.memory.is_in_section() {
        return Err(Stop::refused("a thread waits within an atomic section"));
    }
    mutex::release(machine, mutex)?;
    let address = machine.argument(0).ok_or_else(too_few)?;
    let me = machine.memory.me();
    machine.memory.set_thread_field(me, ThreadField::WaitsFor, address);
    machine.frame().phase = WAITING;
    Ok(Effect::Again)
}

fn go_on(machine: &mut Machine<'_>, arguments: Arguments<'_>, is_timed: bool) -> Result<Effect> {
    let me = machine.memory.me();
    if machine.memory.thread_field(me, ThreadField::WaitsFor) == Value::ZERO {
        return lock_again(machine, arguments, 0);
    }
    let may_wake = machine.options.spurious_wakeups;
    if is_timed && (!may_wake || machine.choose(2) == 0) {
        machine.memory.set_thread_field(me, ThreadField::WaitsFor, Value::ZERO);
        machine.frame().phase = TIMED_OUT;
        return Ok(Effect::Again);
    }
    if !may_wake {
        let name = Item::raw(machine, 0, &CONDITION)?.name(machine);
        return Err(Stop::Blocked(format!("it waits for {name}")));
    }
    machine.is_spurious = true;
    machine.memory.set_thread_field(me, ThreadField::WaitsFor, Value::ZERO);
    lock_again(machine, arguments, 0)
}

fn lock_again(machine: &mut Machine<'_>, arguments: Arguments<'_>, result: i64) -> Result<Effect> {
    let mutex = mutex::open(machine, 1)?;
    match mutex::attempt(machine, mutex)? {
        mutex::Attempt::Locked => arguments.done(result),
        _ => Err(mutex::blocked(machine, mutex)?),
    }
}

pub(super) fn signal(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (_, address) = open(machine)?;
    let waiters = machine.memory.waiting_for(address);
    if !waiters.is_empty() {
        let chosen = waiters[machine.choose(waiters.len() as u32) as usize];
        machine.memory.set_thread_field(chosen, ThreadField::WaitsFor, Value::ZERO);
    }
    arguments.done(0)
}

pub(super) fn broadcast(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (_, address) = open(machine)?;
    for waiter in machine.memory.waiting_for(address) {
        machine.memory.set_thread_field(waiter, ThreadField::WaitsFor, Value::ZERO);
    }
    arguments.done(0)
}

fn attribute_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &ATTRIBUTE)?.clear(machine)?;
    arguments.done(0)
}
