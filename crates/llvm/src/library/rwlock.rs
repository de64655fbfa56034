//! Read-write locks. The writer's thread is at offset 0, the number of readers
//! behind it, behind that what tells destroyed ones, and last how many writers wait.
//! Who reads, each thread knows of itself.
//!
//! POSIX leaves it to implementations whether a reader gets the lock while a writer waits
//! for it. Where both are explored, a reader is let in, or waits until no writer does: one
//! that is let in late cannot be told from one that comes late.

use super::item::{Item, Layout, pick};
use super::mutex::{EBUSY, ETIMEDOUT};
use super::{Effect, Entry, LibraryCall, always, naming, pointers, succeed, tries};
use crate::machine::{Preference, Result, Stop};
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
/// Where the number of writers that wait is, with pointers of 4 bytes and of 8.
const WAITING_AT: (u32, u32) = (12, 16);

/// The phase of a writer that waits, and of a reader that waits until no writer does.
const WAITING: u8 = 1;

fn readers_at(call: &LibraryCall<'_, '_>) -> u32 {
    call.pointer_bytes()
}

fn open(call: &mut LibraryCall<'_, '_>) -> Result<(Item, Owner, u64)> {
    let lock = Item::open(call, 0, &LOCK)?;
    let writer = lock.owner(call, WRITER)?;
    let readers = lock.get(call, readers_at(call))?;
    Ok((lock, writer, readers))
}

/// Do readers ask whether a writer waits? Within an atomic section nobody waits.
fn counts_writers(call: &LibraryCall<'_, '_>) -> bool {
    call.options().rwlock != Preference::Readers && !call.is_in_section()
}

fn n_waiting(call: &mut LibraryCall<'_, '_>, lock: Item) -> Result<u64> {
    let at = pick(call, WAITING_AT);
    if counts_writers(call) { lock.get(call, at) } else { Ok(0) }
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

/// What comes of an attempt to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Locked,
    /// A writer is inside.
    Busy,
    /// A writer waits and goes first.
    HeldUp,
}

/// Does the reader let waiting writers go first?
fn is_patient(call: &LibraryCall<'_, '_>) -> bool {
    call.phase() == WAITING || call.options().rwlock == Preference::Writers
}

/// Locks for reading if that is possible at once.
fn attempt_read(call: &mut LibraryCall<'_, '_>) -> Result<Attempt> {
    let (lock, writer, readers) = open(call)?;
    if writer != Owner::Nobody {
        return Ok(Attempt::Busy);
    }
    let has_waiting = n_waiting(call, lock)? > 0;
    if has_waiting && (is_patient(call) || call.choose(2) == 1) {
        return Ok(Attempt::HeldUp);
    }
    lock.set(call, readers_at(call), readers + 1)?;
    let address = lock.pointer(call)?;
    call.begin_reading(address);
    Ok(Attempt::Locked)
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

/// One writer more waits, or one less.
fn count_writer(call: &mut LibraryCall<'_, '_>, waits: bool) -> Result<()> {
    let (lock, ..) = open(call)?;
    let (n, at) = (n_waiting(call, lock)?, pick(call, WAITING_AT));
    lock.set(call, at, if waits { n + 1 } else { n.saturating_sub(1) })
}

/// Goes on to wait, which others cannot be ordered by.
fn start_waiting(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.set_phase(WAITING);
    call.order_nothing();
    Ok(Effect::Again)
}

fn blocked(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, writer, _) = open(call)?;
    let by = match writer == Owner::Nobody {
        true => "held by readers",
        false => naming::owner(call, writer),
    };
    waits(call, lock, by)
}

fn waits(call: &mut LibraryCall<'_, '_>, lock: Item, why: &str) -> Result<Effect> {
    lock.want(call)?;
    let name = lock.name(call);
    Err(Stop::Blocked(format!("it waits for {name}, {why}")))
}

fn read_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match attempt_read(call)? {
        Attempt::Locked => call.done(0),
        Attempt::HeldUp if !is_patient(call) => start_waiting(call),
        Attempt::HeldUp => {
            let (lock, ..) = open(call)?;
            waits(call, lock, "for which a writer waits")
        }
        Attempt::Busy => blocked(call),
    }
}

fn try_read_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match attempt_read(call)? {
        Attempt::Locked => call.done(0),
        Attempt::Busy | Attempt::HeldUp => call.failed(EBUSY),
    }
}

fn timed_read_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match attempt_read(call)? {
        Attempt::Locked => call.done(0),
        Attempt::Busy | Attempt::HeldUp => call.failed(ETIMEDOUT),
    }
}

fn write_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let has_waited = call.phase() == WAITING;
    if attempt_write(call)? {
        if has_waited {
            count_writer(call, false)?;
        }
        return call.done(0);
    }
    if has_waited || !counts_writers(call) {
        return blocked(call);
    }
    count_writer(call, true)?;
    start_waiting(call)
}

fn try_write_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_locked = attempt_write(call)?;
    if is_locked { call.done(0) } else { call.failed(EBUSY) }
}

/// Gives up at once, or waits for a while in which readers see it.
fn timed_write_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let has_waited = call.phase() == WAITING;
    let is_locked = attempt_write(call)?;
    if has_waited {
        count_writer(call, false)?;
    }
    if is_locked {
        return call.done(0);
    }
    if has_waited || !counts_writers(call) || call.choose(2) == 0 {
        return call.failed(ETIMEDOUT);
    }
    count_writer(call, true)?;
    start_waiting(call)
}

fn unlock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (lock, writer, readers) = open(call)?;
    if writer == Owner::Me {
        lock.give_up(call, WRITER)?;
    } else if readers > 0 {
        let address = lock.pointer(call)?;
        if !call.end_reading(address) {
            return Err(lock.misuse(call, "is unlocked by a thread that does not hold it"));
        }
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
