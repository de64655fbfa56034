//! Barriers, spinlocks, and functions that are called once.

use super::item::{Item, Layout};
use super::mutex::{EBUSY, EINVAL};
use super::{Arguments, Effect, Entry, always, pointers, succeed, too_few, tries};
use crate::machine::{Machine, Result, Stop};
use crate::memory::ThreadField;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("pthread_barrier_init", init),
    pointers("pthread_barrier_destroy", destroy),
    always("pthread_barrier_wait", wait),
    pointers("pthread_barrierattr_init", attribute_init),
    pointers("pthread_barrierattr_destroy", succeed),
    pointers("pthread_barrierattr_setpshared", succeed),
    pointers("pthread_spin_init", spin_init),
    pointers("pthread_spin_destroy", spin_destroy),
    always("pthread_spin_lock", spin_lock),
    tries("pthread_spin_trylock", spin_try_lock),
    pointers("pthread_spin_unlock", spin_unlock),
    always("pthread_once", once),
    always("call_once", once),
];

static BARRIER: Layout = Layout { what: "barrier", sizes: (20, 32), mark_at: Some((8, 8)) };
static ATTRIBUTE: Layout = Layout { what: "barrier attribute", sizes: (4, 4), mark_at: None };
static SPIN: Layout = Layout { what: "spinlock", sizes: (4, 4), mark_at: None };
static ONCE: Layout = Layout { what: "once flag", sizes: (4, 4), mark_at: None };

const COUNT: u32 = 0;
const ARRIVED: u32 = 4;

/// What the last thread at a barrier is told.
const SERIAL_THREAD: i64 = -1;

fn open(machine: &mut Machine<'_>) -> Result<(Item, u64)> {
    let barrier = Item::open(machine, 0, &BARRIER)?;
    let count = barrier.get(machine, COUNT)?;
    if count == 0 {
        return Err(barrier.misuse(machine, "is used before it was initialised"));
    }
    Ok((barrier, count))
}

fn init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let count = arguments.number(machine, 2, "the number of threads of a barrier")?;
    if count == 0 {
        return arguments.done(EINVAL);
    }
    let barrier = Item::raw(machine, 0, &BARRIER)?;
    barrier.clear(machine)?;
    barrier.set(machine, COUNT, count)?;
    arguments.done(0)
}

fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (barrier, _) = open(machine)?;
    if barrier.get(machine, ARRIVED)? > 0 {
        return Err(barrier.misuse(machine, "is destroyed while a thread waits for it"));
    }
    barrier.destroy(machine)?;
    arguments.done(0)
}

fn wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if machine.phase() == 0 {
        return arrive(machine, arguments);
    }
    let me = machine.memory.me();
    if machine.memory.thread_field(me, ThreadField::WaitsFor) == Value::ZERO {
        return arguments.done(0);
    }
    let name = Item::raw(machine, 0, &BARRIER)?.name(machine);
    Err(Stop::Blocked(format!("it waits for other threads at {name}")))
}

fn arrive(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (barrier, count) = open(machine)?;
    let arrived = barrier.get(machine, ARRIVED)? + 1;
    if arrived >= count {
        barrier.set(machine, ARRIVED, 0)?;
        let address = barrier.pointer(machine)?;
        for waiter in machine.memory.waiting_for(address) {
            machine.memory.set_thread_field(waiter, ThreadField::WaitsFor, Value::ZERO);
        }
        return arguments.done(SERIAL_THREAD);
    }
    if machine.memory.is_in_section() {
        return Err(Stop::refused("a thread waits within an atomic section"));
    }
    barrier.set(machine, ARRIVED, arrived)?;
    let (me, address) = (machine.memory.me(), barrier.pointer(machine)?);
    machine.memory.set_thread_field(me, ThreadField::WaitsFor, address);
    machine.frame().phase = 1;
    Ok(Effect::Again)
}

fn attribute_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &ATTRIBUTE)?.clear(machine)?;
    arguments.done(0)
}

/// States of a spinlock.
const FREE: u64 = 0;
const TAKEN: u64 = 1;
const GONE: u64 = 0xdead;

fn open_spin(machine: &mut Machine<'_>) -> Result<(Item, u64)> {
    let lock = Item::open(machine, 0, &SPIN)?;
    match lock.get(machine, 0)? {
        GONE => Err(lock.misuse(machine, "is used after it was destroyed")),
        state => Ok((lock, state)),
    }
}

fn spin_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &SPIN)?.set(machine, 0, FREE)?;
    arguments.done(0)
}

fn spin_destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (lock, state) = open_spin(machine)?;
    if state != FREE {
        return Err(lock.misuse(machine, "is destroyed while it is locked"));
    }
    lock.set(machine, 0, GONE)?;
    arguments.done(0)
}

fn spin_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (lock, state) = open_spin(machine)?;
    if state != FREE {
        lock.want(machine)?;
        return Err(Stop::Blocked(format!("it waits for {}", lock.name(machine))));
    }
    lock.set(machine, 0, TAKEN)?;
    arguments.done(0)
}

fn spin_try_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (lock, state) = open_spin(machine)?;
    if state != FREE {
        return arguments.in_vain(machine, EBUSY);
    }
    lock.set(machine, 0, TAKEN)?;
    arguments.done(0)
}

fn spin_unlock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (lock, state) = open_spin(machine)?;
    if state == FREE {
        return Err(lock.misuse(machine, "is unlocked while it is not locked"));
    }
    lock.set(machine, 0, FREE)?;
    arguments.done(0)
}

/// States of a flag for [`once`].
const NOT_YET: u64 = 0;
const RUNNING: u64 = 1;
const DONE: u64 = 2;

/// Calls a function if nobody has, and waits until it has returned.
fn once(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let flag = Item::open(machine, 0, &ONCE)?;
    if machine.phase() == 1 {
        flag.set(machine, 0, DONE)?;
        return arguments.done(0);
    }
    match flag.get(machine, 0)? {
        DONE => arguments.done(0),
        NOT_YET => {
            flag.set(machine, 0, RUNNING)?;
            let function = machine.argument(1).ok_or_else(too_few)?;
            machine.frame().phase = 1;
            machine.enter(function, &[])?;
            Ok(Effect::Entered)
        }
        RUNNING => {
            let name = flag.name(machine);
            Err(Stop::Blocked(format!("it waits for the function of {name} to return")))
        }
        _ => Err(flag.misuse(machine, "does not hold what it should")),
    }
}
