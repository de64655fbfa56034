//! Semaphores without a name. The value is at offset 0.

use super::item::{Item, Layout, write_through};
use super::mutex::ETIMEDOUT;
use super::{Effect, Entry, LibraryCall, always, environment, pointers, pointers_in_vain, tries};
use crate::machine::{Result, Stop};
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("sem_init", init),
    pointers("sem_destroy", destroy),
    always("sem_wait", wait),
    tries("sem_trywait", try_wait),
    tries("sem_timedwait", timed_wait),
    tries("sem_clockwait", timed_wait),
    pointers("sem_post", post),
    pointers_in_vain("sem_getvalue", get_value),
];

static SEMAPHORE: Layout = Layout { what: "semaphore", sizes: (16, 32), mark_at: Some((8, 8)) };

const VALUE: u32 = 0;
const MAX_VALUE: u64 = i32::MAX as u64;
const EAGAIN: i64 = 11;
const EINVAL: i64 = 22;

fn open(call: &mut LibraryCall<'_, '_>) -> Result<(Item, u64)> {
    let semaphore = Item::open(call, 0, &SEMAPHORE)?;
    let value = semaphore.get(call, VALUE)?;
    Ok((semaphore, value))
}

/// Done, with an error number where programs look for it.
fn fail(call: &mut LibraryCall<'_, '_>, error: i64) -> Result<Effect> {
    environment::set_errno(call, Value::number(error as u64))?;
    call.done(-1)
}

/// The same of one that was tried in vain, which orders nothing.
fn in_vain(call: &mut LibraryCall<'_, '_>, error: i64) -> Result<Effect> {
    call.order_nothing();
    fail(call, error)
}

fn init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let value = call.number_argument(2, "the value of a semaphore")?;
    if value > MAX_VALUE {
        return fail(call, EINVAL);
    }
    let semaphore = Item::raw(call, 0, &SEMAPHORE)?;
    semaphore.clear(call)?;
    semaphore.set(call, VALUE, value)?;
    call.done(0)
}

fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (semaphore, _) = open(call)?;
    semaphore.destroy(call)?;
    call.done(0)
}

/// Takes one if there is one.
fn attempt(call: &mut LibraryCall<'_, '_>) -> Result<bool> {
    let (semaphore, value) = open(call)?;
    if value > 0 {
        semaphore.set(call, VALUE, value - 1)?;
    }
    Ok(value > 0)
}

fn wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if attempt(call)? {
        return call.done(0);
    }
    let name = open(call)?.0.name(call);
    Err(Stop::Blocked(format!("it waits for {name}, which is zero")))
}

fn try_wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if attempt(call)? { call.done(0) } else { in_vain(call, EAGAIN) }
}

fn timed_wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if attempt(call)? { call.done(0) } else { in_vain(call, ETIMEDOUT) }
}

fn post(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (semaphore, value) = open(call)?;
    if value >= MAX_VALUE {
        return Err(Stop::refused("a semaphore is posted beyond its largest value"));
    }
    semaphore.set(call, VALUE, value + 1)?;
    call.done(0)
}

/// It tells what others did, but they are not ordered before what comes: POSIX does not
/// list it among the functions that synchronise memory.
fn get_value(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (_, value) = open(call)?;
    call.order_nothing();
    write_through(call, 1, 4, Value::number(value))?;
    call.done(0)
}
