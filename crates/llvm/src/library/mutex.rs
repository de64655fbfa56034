//! Mutexes of every kind: `pthread_mutex_t`, which `mtx_t` is as well.
//!
//! The owner's thread is at offset 0, how often it was locked behind it, the kind
//! where glibc has it, and what tells destroyed mutexes in the last four bytes.

use super::item::{Item, Layout, pick, write_through};
use super::{Arguments, Effect, Entry, always, naming, pointers, succeed, tries};
use crate::machine::{Machine, Result, Stop};
use crate::memory::Owner;
use crate::value::Value;

pub(super) const EPERM: i64 = 1;
pub(super) const EBUSY: i64 = 16;
pub(super) const EINVAL: i64 = 22;
pub(super) const EDEADLK: i64 = 35;
pub(super) const ETIMEDOUT: i64 = 110;

pub(super) static TABLE: &[Entry] = &[
    pointers("pthread_mutex_init", init),
    pointers("pthread_mutex_destroy", destroy),
    always("pthread_mutex_lock", lock),
    tries("pthread_mutex_trylock", try_lock),
    tries("pthread_mutex_timedlock", timed_lock),
    tries("pthread_mutex_clocklock", timed_lock),
    pointers("pthread_mutex_unlock", unlock),
    pointers("pthread_mutexattr_init", attribute_init),
    pointers("pthread_mutexattr_destroy", attribute_destroy),
    pointers("pthread_mutexattr_settype", set_type),
    pointers("pthread_mutexattr_gettype", get_type),
    pointers("pthread_mutexattr_setpshared", succeed),
    pointers("pthread_mutexattr_setprotocol", succeed),
    pointers("pthread_mutexattr_setprioceiling", succeed),
];

static MUTEX: Layout = Layout { what: "mutex", sizes: (24, 40), mark_at: Some((20, 36)) };
static ATTRIBUTE: Layout = Layout { what: "mutex attribute", sizes: (4, 4), mark_at: None };

const OWNER: u32 = 0;
const KIND: (u32, u32) = (12, 16);

/// Kinds of mutexes, by their numbers in memory.
const RECURSIVE: u64 = 1;
const ERROR_CHECKING: u64 = 2;
const LAST_KIND: u64 = 3;

/// What comes of trying to lock a mutex.
pub(super) enum Attempt {
    /// It is locked now.
    Locked,
    /// The thread holds it already, and would wait for itself.
    Mine,
    /// The thread holds it already, and is told so.
    Refused,
    /// Somebody else holds it.
    Held,
}

/// The mutex that an argument points to.
pub(super) fn open(machine: &mut Machine<'_>, argument: usize) -> Result<Item> {
    Item::open(machine, argument, &MUTEX)
}

/// Makes a fresh mutex of a kind.
pub(super) fn make(machine: &mut Machine<'_>, argument: usize, kind: u64) -> Result<()> {
    let mutex = Item::raw(machine, argument, &MUTEX)?;
    mutex.clear(machine)?;
    mutex.set(machine, pick(machine, KIND), kind)
}

/// Locks a mutex if that is possible at once.
pub(super) fn attempt(machine: &mut Machine<'_>, mutex: Item) -> Result<Attempt> {
    let count_at = machine.code.pointer_bytes;
    match mutex.owner(machine, OWNER)? {
        Owner::Nobody => {
            kind(machine, mutex)?;
            mutex.take(machine, OWNER)?;
            mutex.set(machine, count_at, 1)?;
            return Ok(Attempt::Locked);
        }
        Owner::Another(_) => return Ok(Attempt::Held),
        Owner::Me => {}
    }
    match kind(machine, mutex)? {
        RECURSIVE => {
            let count = mutex.get(machine, count_at)? + 1;
            mutex.set(machine, count_at, count)?;
            Ok(Attempt::Locked)
        }
        ERROR_CHECKING => Ok(Attempt::Refused),
        _ => Ok(Attempt::Mine),
    }
}

fn kind(machine: &mut Machine<'_>, mutex: Item) -> Result<u64> {
    let kind = mutex.get(machine, pick(machine, KIND))?;
    if kind > LAST_KIND {
        let why = format!("{} is of a kind that is not known: {kind}", mutex.name(machine));
        return Err(Stop::refused(why));
    }
    Ok(kind)
}

/// Why a thread does not get a mutex.
pub(super) fn blocked(machine: &mut Machine<'_>, mutex: Item) -> Result<Stop> {
    let owner = mutex.owner(machine, OWNER)?;
    machine.waits_for = match owner {
        Owner::Nobody => None,
        Owner::Me => Some(machine.memory.me()),
        Owner::Another(who) => who,
    };
    mutex.want(machine)?;
    let (name, owner) = (mutex.name(machine), naming::owner(machine, owner));
    Ok(Stop::Blocked(format!("it waits for {name}, {owner}")))
}

/// Does the running thread hold the mutex?
pub(super) fn is_mine(machine: &mut Machine<'_>, mutex: Item) -> Result<bool> {
    Ok(mutex.owner(machine, OWNER)? == Owner::Me)
}

/// Unlocks a mutex that the running thread holds.
pub(super) fn release(machine: &mut Machine<'_>, mutex: Item) -> Result<()> {
    let count_at = machine.code.pointer_bytes;
    let count = mutex.get(machine, count_at)?.saturating_sub(1);
    mutex.set(machine, count_at, count)?;
    if count == 0 {
        mutex.give_up(machine, OWNER)?;
    }
    Ok(())
}

fn init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let kind = if Item::is_null(machine, 1) {
        0
    } else {
        Item::open(machine, 1, &ATTRIBUTE)?.get(machine, 0)?
    };
    make(machine, 0, kind)?;
    arguments.done(0)
}

pub(super) fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let mutex = open(machine, 0)?;
    if mutex.owner(machine, OWNER)? != Owner::Nobody {
        return Err(mutex.misuse(machine, "is destroyed while it is locked"));
    }
    mutex.destroy(machine)?;
    arguments.done(0)
}

pub(super) fn lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let mutex = open(machine, 0)?;
    match attempt(machine, mutex)? {
        Attempt::Locked => arguments.done(0),
        Attempt::Refused => arguments.done(EDEADLK),
        Attempt::Mine | Attempt::Held => Err(blocked(machine, mutex)?),
    }
}

pub(super) fn try_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let mutex = open(machine, 0)?;
    match attempt(machine, mutex)? {
        Attempt::Locked => arguments.done(0),
        _ => arguments.in_vain(machine, EBUSY),
    }
}

/// Time may run out whenever the mutex cannot be had; so it never waits.
pub(super) fn timed_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let mutex = open(machine, 0)?;
    match attempt(machine, mutex)? {
        Attempt::Locked => arguments.done(0),
        Attempt::Refused => arguments.done(EDEADLK),
        Attempt::Mine | Attempt::Held => arguments.in_vain(machine, ETIMEDOUT),
    }
}

pub(super) fn unlock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let mutex = open(machine, 0)?;
    if is_mine(machine, mutex)? {
        release(machine, mutex)?;
        return arguments.done(0);
    }
    if matches!(kind(machine, mutex)?, RECURSIVE | ERROR_CHECKING) {
        return arguments.done(EPERM);
    }
    let is_free = mutex.owner(machine, OWNER)? == Owner::Nobody;
    let what = if is_free {
        "is unlocked while it is not locked"
    } else {
        "is unlocked by a thread that does not hold it"
    };
    Err(mutex.misuse(machine, what))
}

fn attribute_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &ATTRIBUTE)?.clear(machine)?;
    arguments.done(0)
}

fn attribute_destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::open(machine, 0, &ATTRIBUTE)?.get(machine, 0)?;
    arguments.done(0)
}

fn set_type(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let kind = arguments.number(machine, 1, "the kind of a mutex")?;
    if kind > LAST_KIND {
        return arguments.done(EINVAL);
    }
    Item::raw(machine, 0, &ATTRIBUTE)?.set(machine, 0, kind)?;
    arguments.done(0)
}

fn get_type(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let kind = Item::open(machine, 0, &ATTRIBUTE)?.get(machine, 0)?;
    write_through(machine, 1, 4, Value::number(kind))?;
    arguments.done(0)
}
