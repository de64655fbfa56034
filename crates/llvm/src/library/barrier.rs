//! Barriers, spinlocks, and functions that are called once.

use super::item::{Item, Layout};
use super::mutex::{EBUSY, EINVAL};
use super::{Effect, Entry, LibraryCall, always, pointers, succeed, tries};
use crate::machine::{MAY_GO_ON, Result, Stop, WAITS};
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

fn open(call: &mut LibraryCall<'_, '_>) -> Result<(Item, u64)> {
    let barrier = Item::open(call, 0, &BARRIER)?;
    let count = barrier.get(call, COUNT)?;
    if count == 0 {
        return Err(barrier.misuse(call, "is used before it was initialised"));
    }
    Ok((barrier, count))
}

fn init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let count = call.number_argument(2, "the number of threads of a barrier")?;
    if count == 0 {
        return call.done(EINVAL);
    }
    let barrier = Item::raw(call, 0, &BARRIER)?;
    barrier.clear(call)?;
    barrier.set(call, COUNT, count)?;
    call.done(0)
}

fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (barrier, _) = open(call)?;
    if barrier.get(call, ARRIVED)? > 0 {
        return Err(barrier.misuse(call, "is destroyed while a thread waits for it"));
    }
    barrier.destroy(call)?;
    call.done(0)
}

fn wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.phase() == 0 {
        return arrive(call);
    }
    let me = call.me();
    let may_go_on = match call.has_anonymous_threads() {
        true => call.phase() == MAY_GO_ON,
        false => call.thread_field(me, ThreadField::WaitsFor) == Value::ZERO,
    };
    if may_go_on {
        return call.done(0);
    }
    let name = Item::raw(call, 0, &BARRIER)?.name(call);
    Err(Stop::Blocked(format!("it waits for other threads at {name}")))
}

fn arrive(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (barrier, count) = open(call)?;
    let arrived = barrier.get(call, ARRIVED)? + 1;
    if arrived >= count {
        barrier.set(call, ARRIVED, 0)?;
        let address = barrier.pointer(call)?;
        if call.has_anonymous_threads() {
            call.release(address)?;
        }
        for waiter in call.waiting_for(address) {
            call.set_thread_field(waiter, ThreadField::WaitsFor, Value::ZERO);
        }
        return call.done(SERIAL_THREAD);
    }
    if call.is_in_section() {
        return Err(Stop::refused("a thread waits within an atomic section"));
    }
    barrier.set(call, ARRIVED, arrived)?;
    let (me, address) = (call.me(), barrier.pointer(call)?);
    call.set_thread_field(me, ThreadField::WaitsFor, address);
    call.set_phase(WAITS);
    Ok(Effect::Again)
}

fn attribute_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &ATTRIBUTE)?.clear(call)?;
    call.done(0)
}

/// States of a spinlock.
const FREE: u64 = 0;
const TAKEN: u64 = 1;
const GONE: u64 = 0xdead;

fn open_spin(call: &mut LibraryCall<'_, '_>) -> Result<(Item, u64)> {
    let lock = Item::open(call, 0, &SPIN)?;
    match lock.get(call, 0)? {
        GONE => Err(lock.misuse(call, "is used after it was destroyed")),
        state => Ok((lock, state)),
    }
}

fn spin_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &SPIN)?.set(call, 0, FREE)?;
    call.done(0)
}

fn spin_destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, state) = open_spin(call)?;
    if state != FREE {
        return Err(lock.misuse(call, "is destroyed while it is locked"));
    }
    lock.set(call, 0, GONE)?;
    call.done(0)
}

fn spin_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, state) = open_spin(call)?;
    if state != FREE {
        lock.want(call)?;
        return Err(Stop::Blocked(format!("it waits for {}", lock.name(call))));
    }
    lock.set(call, 0, TAKEN)?;
    call.done(0)
}

fn spin_try_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, state) = open_spin(call)?;
    if state != FREE {
        return call.failed(EBUSY);
    }
    lock.set(call, 0, TAKEN)?;
    call.done(0)
}

fn spin_unlock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, state) = open_spin(call)?;
    if state == FREE {
        return Err(lock.misuse(call, "is unlocked while it is not locked"));
    }
    lock.set(call, 0, FREE)?;
    call.done(0)
}

/// States of a flag for [`once`].
const NOT_YET: u64 = 0;
const RUNNING: u64 = 1;
const DONE: u64 = 2;

/// Calls a function if nobody has, and waits until it has returned.
fn once(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let flag = Item::open(call, 0, &ONCE)?;
    if call.phase() == 1 {
        flag.set(call, 0, DONE)?;
        return call.done(0);
    }
    match flag.get(call, 0)? {
        DONE => call.done(0),
        NOT_YET => {
            flag.set(call, 0, RUNNING)?;
            let function = call.argument(1)?;
            call.set_phase(1);
            call.enter(function)
        }
        RUNNING => {
            let name = flag.name(call);
            Err(Stop::Blocked(format!("it waits for the function of {name} to return")))
        }
        _ => Err(flag.misuse(call, "does not hold what it should")),
    }
}
