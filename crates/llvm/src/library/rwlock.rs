//! Read-write locks. The writer's thread is at offset 0, the number of readers
//! behind it, and behind that what tells destroyed ones.

use super::item::{Item, Layout};
use super::mutex::{EBUSY, ETIMEDOUT};
use super::{Arguments, Effect, Entry, always, naming, pointers, succeed, tries};
use crate::machine::{Machine, Result, Stop};
use crate::memory::Owner;

pub(super) static TABLE: &[Entry] = &[
    pointers("pthread_rwlock_init", init),
    pointers("pthread_rwlock_destroy", destroy),
    always("pthread_rwlock_rdlock", read_lock),
    tries("pthread_rwlock_tryrdlock", try_read_lock),
    tries("pthread_rwlock_timedrdlock", timed_read_lock),
    tries("pthread_rwlock_clockrdlock", timed_read_lock),
    always("pthread_rwlock_wrlock", write_lock),
    tries("pthread_rwlock_trywrlock", try_write_lock),
    tries("pthread_rwlock_timedwrlock", timed_write_lock),
    tries("pthread_rwlock_clockwrlock", timed_write_lock),
    pointers("pthread_rwlock_unlock", unlock),
    pointers("pthread_rwlockattr_init", attribute_init),
    pointers("pthread_rwlockattr_destroy", succeed),
    pointers("pthread_rwlockattr_setpshared", succeed),
    pointers("pthread_rwlockattr_setkind_np", succeed),
];

static LOCK: Layout = Layout { what: "read-write lock", sizes: (32, 56), mark_at: Some((8, 12)) };
static ATTRIBUTE: Layout =
    Layout { what: "read-write lock attribute", sizes: (8, 8), mark_at: None };

const WRITER: u32 = 0;

fn readers_at(machine: &Machine<'_>) -> u32 {
    machine.code.pointer_bytes
}

fn open(machine: &mut Machine<'_>) -> Result<(Item, Owner, u64)> {
    let lock = Item::open(machine, 0, &LOCK)?;
    let writer = lock.owner(machine, WRITER)?;
    let readers = lock.get(machine, readers_at(machine))?;
    Ok((lock, writer, readers))
}

fn init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &LOCK)?.clear(machine)?;
    arguments.done(0)
}

fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (lock, writer, readers) = open(machine)?;
    if writer != Owner::Nobody || readers > 0 {
        return Err(lock.misuse(machine, "is destroyed while it is locked"));
    }
    lock.destroy(machine)?;
    arguments.done(0)
}

/// Locks for reading if that is possible at once.
fn attempt_read(machine: &mut Machine<'_>) -> Result<bool> {
    let (lock, writer, readers) = open(machine)?;
    if writer != Owner::Nobody {
        return Ok(false);
    }
    lock.set(machine, readers_at(machine), readers + 1)?;
    Ok(true)
}

/// Locks for writing if that is possible at once.
fn attempt_write(machine: &mut Machine<'_>) -> Result<bool> {
    let (lock, writer, readers) = open(machine)?;
    if writer != Owner::Nobody || readers > 0 {
        return Ok(false);
    }
    lock.take(machine, WRITER)?;
    Ok(true)
}

fn blocked(machine: &mut Machine<'_>) -> Result<Effect> {
    let (lock, writer, _) = open(machine)?;
    lock.want(machine)?;
    let name = lock.name(machine);
    let by = match writer == Owner::Nobody {
        true => "held by readers",
        false => naming::owner(machine, writer),
    };
    Err(Stop::Blocked(format!("it waits for {name}, {by}")))
}

fn read_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if attempt_read(machine)? { arguments.done(0) } else { blocked(machine) }
}

fn try_read_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_locked = attempt_read(machine)?;
    if is_locked { arguments.done(0) } else { arguments.in_vain(machine, EBUSY) }
}

fn timed_read_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_locked = attempt_read(machine)?;
    if is_locked { arguments.done(0) } else { arguments.in_vain(machine, ETIMEDOUT) }
}

fn write_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if attempt_write(machine)? { arguments.done(0) } else { blocked(machine) }
}

fn try_write_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_locked = attempt_write(machine)?;
    if is_locked { arguments.done(0) } else { arguments.in_vain(machine, EBUSY) }
}

fn timed_write_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_locked = attempt_write(machine)?;
    if is_locked { arguments.done(0) } else { arguments.in_vain(machine, ETIMEDOUT) }
}

/// Which thread reads is not kept, so whoever unlocks while somebody reads is taken
/// for a reader.
fn unlock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (lock, writer, readers) = open(machine)?;
    if writer == Owner::Me {
        lock.give_up(machine, WRITER)?;
    } else if readers > 0 {
        lock.set(machine, readers_at(machine), readers - 1)?;
    } else if writer == Owner::Nobody {
        return Err(lock.misuse(machine, "is unlocked while it is not locked"));
    } else {
        return Err(lock.misuse(machine, "is unlocked by a thread that does not hold it"));
    }
    arguments.done(0)
}

fn attribute_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Item::raw(machine, 0, &ATTRIBUTE)?.clear(machine)?;
    arguments.done(0)
}
