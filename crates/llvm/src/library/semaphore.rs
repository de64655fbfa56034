//! Semaphores without a name. The value is at offset 0.

use super::item::{Item, Layout, write_through};
use super::mutex::ETIMEDOUT;
use super::{Arguments, Effect, Entry, always, environment, pointers, pointers_in_vain, tries};
use crate::machine::{Machine, Result, Stop};
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

fn open(machine: &mut Machine<'_>) -> Result<(Item, u64)> {
    let semaphore = Item::open(machine, 0, &SEMAPHORE)?;
    let value = semaphore.get(machine, VALUE)?;
    Ok((semaphore, value))
}

/// Done, with an error number where programs look for it.
fn fail(machine: &mut Machine<'_>, arguments: Arguments<'_>, error: i64) -> Result<Effect> {
    environment::set_errno(machine, Value::number(error as u64))?;
    arguments.done(-1)
}

/// The same of one that was tried in vain, which orders nothing.
fn in_vain(machine: &mut Machine<'_>, arguments: Arguments<'_>, error: i64) -> Result<Effect> {
    machine.memory.order_nothing();
    fail(machine, arguments, error)
}

fn init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let value = arguments.number(machine, 2, "the value of a semaphore")?;
    if value > MAX_VALUE {
        return fail(machine, arguments, EINVAL);
    }
    let semaphore = Item::raw(machine, 0, &SEMAPHORE)?;
    semaphore.clear(machine)?;
    semaphore.set(machine, VALUE, value)?;
    arguments.done(0)
}

fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (semaphore, _) = open(machine)?;
    semaphore.destroy(machine)?;
    arguments.done(0)
}

/// Takes one if there is one.
fn attempt(machine: &mut Machine<'_>) -> Result<bool> {
    let (semaphore, value) = open(machine)?;
    if value > 0 {
        semaphore.set(machine, VALUE, value - 1)?;
    }
    Ok(value > 0)
}

fn wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if attempt(machine)? {
        return arguments.done(0);
    }
    let name = open(machine)?.0.name(machine);
    Err(Stop::Blocked(format!("it waits for {name}, which is zero")))
}

fn try_wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if attempt(machine)? { arguments.done(0) } else { in_vain(machine, arguments, EAGAIN) }
}

fn timed_wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if attempt(machine)? { arguments.done(0) } else { in_vain(machine, arguments, ETIMEDOUT) }
}

fn post(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (semaphore, value) = open(machine)?;
    if value >= MAX_VALUE {
        return Err(Stop::refused("a semaphore is posted beyond its largest value"));
    }
    semaphore.set(machine, VALUE, value + 1)?;
    arguments.done(0)
}

/// It tells what others did, but they are not ordered before what comes: POSIX does not
/// list it among the functions that synchronise memory.
fn get_value(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (_, value) = open(machine)?;
    machine.memory.order_nothing();
    write_through(machine, 1, 4, Value::number(value))?;
    arguments.done(0)
}
