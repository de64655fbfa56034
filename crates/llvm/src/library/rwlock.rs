//! Read-write locks. The writer's thread is at offset 0, the number of readers
//! behind it, and behind that what tells destroyed ones.

use super::item::{Item, Layout};
use super::mutex::{EBUSY, ETIMEDOUT};
use super::{Effect, Entry, LibraryCall, always, naming, pointers, succeed, tries};
use crate::machine::{Result, Stop};
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

fn readers_at(call: &LibraryCall<'_, '_>) -> u32 {
    call.pointer_bytes()
}

fn open(call: &mut LibraryCall<'_, '_>) -> Result<(Item, Owner, u64)> {
    let lock = Item::open(call, 0, &LOCK)?;
    let writer = lock.owner(call, WRITER)?;
    let readers = lock.get(call, readers_at(call))?;
    Ok((lock, writer, readers))
}

fn init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &LOCK)?.clear(call)?;
    call.done(0)
}

fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, writer, readers) = open(call)?;
    if writer != Owner::Nobody || readers > 0 {
        return Err(lock.misuse(call, "is destroyed while it is locked"));
    }
    lock.destroy(call)?;
    call.done(0)
}

/// Locks for reading if that is possible at once.
fn attempt_read(call: &mut LibraryCall<'_, '_>) -> Result<bool> {
    let (lock, writer, readers) = open(call)?;
    if writer != Owner::Nobody {
        return Ok(false);
    }
    lock.set(call, readers_at(call), readers + 1)?;
    Ok(true)
}

/// Locks for writing if that is possible at once.
fn attempt_write(call: &mut LibraryCall<'_, '_>) -> Result<bool> {
    let (lock, writer, readers) = open(call)?;
    if writer != Owner::Nobody || readers > 0 {
        return Ok(false);
    }
    lock.take(call, WRITER)?;
    Ok(true)
}

fn blocked(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, writer, _) = open(call)?;
    lock.want(call)?;
    let name = lock.name(call);
    let by = match writer == Owner::Nobody {
        true => "held by readers",
        false => naming::owner(call, writer),
    };
    Err(Stop::Blocked(format!("it waits for {name}, {by}")))
}

fn read_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if attempt_read(call)? { call.done(0) } else { blocked(call) }
}

fn try_read_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_locked = attempt_read(call)?;
    if is_locked { call.done(0) } else { call.failed(EBUSY) }
}

fn timed_read_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_locked = attempt_read(call)?;
    if is_locked { call.done(0) } else { call.failed(ETIMEDOUT) }
}

fn write_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if attempt_write(call)? { call.done(0) } else { blocked(call) }
}

fn try_write_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_locked = attempt_write(call)?;
    if is_locked { call.done(0) } else { call.failed(EBUSY) }
}

fn timed_write_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_locked = attempt_write(call)?;
    if is_locked { call.done(0) } else { call.failed(ETIMEDOUT) }
}

/// Which thread reads is not kept, so whoever unlocks while somebody reads is taken
/// for a reader.
fn unlock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, writer, readers) = open(call)?;
    if writer == Owner::Me {
        lock.give_up(call, WRITER)?;
    } else if readers > 0 {
        lock.set(call, readers_at(call), readers - 1)?;
    } else if writer == Owner::Nobody {
        return Err(lock.misuse(call, "is unlocked while it is not locked"));
    } else {
        return Err(lock.misuse(call, "is unlocked by a thread that does not hold it"));
    }
    call.done(0)
}

fn attribute_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &ATTRIBUTE)?.clear(call)?;
    call.done(0)
}
