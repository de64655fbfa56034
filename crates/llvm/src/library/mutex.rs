//! Mutexes of every kind: `pthread_mutex_t`, which `mtx_t` is as well.
//!
//! The owner's thread is at offset 0, how often it was locked behind it, the kind
//! where glibc has it, and what tells destroyed mutexes in the last four bytes.

use super::item::{Item, Layout, pick, write_through};
use super::{Effect, Entry, LibraryCall, always, naming, pointers, succeed, tries};
use crate::machine::{Result, Stop};
use crate::memory::{Owner, ThreadField, ThreadIdentity};
use crate::value::Value;

pub(super) const EPERM: i64 = 1;
pub(super) const EBUSY: i64 = 16;
pub(super) const EINVAL: i64 = 22;
pub(super) const EDEADLK: i64 = 35;
pub(super) const ETIMEDOUT: i64 = 110;
pub(super) const EOWNERDEAD: i64 = 130;
pub(super) const ENOTRECOVERABLE: i64 = 131;

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
    pointers("pthread_mutexattr_setrobust", set_robust),
    pointers("pthread_mutexattr_setrobust_np", set_robust),
    pointers("pthread_mutexattr_getrobust", get_robust),
    pointers("pthread_mutexattr_getrobust_np", get_robust),
    pointers("pthread_mutex_consistent", make_consistent),
    pointers("pthread_mutex_consistent_np", make_consistent),
];

static MUTEX: Layout = Layout { what: "mutex", sizes: (24, 40), mark_at: Some((20, 36)) };
static ATTRIBUTE: Layout = Layout { what: "mutex attribute", sizes: (4, 4), mark_at: None };

const OWNER: u32 = 0;
const KIND: (u32, u32) = (12, 16);

/// Kinds of mutexes, by their numbers in memory.
const RECURSIVE: u64 = 1;
const ERROR_CHECKING: u64 = 2;
const LAST_KIND: u64 = 3;

/// What is noted beside the kind: does it outlive its owner, has whoever holds it learnt
/// that the last owner ended with it, and was it given up after that as it was?
const ROBUST: u64 = 0x10;
const LEFT_BEHIND: u64 = 0x1000;
const BEYOND_REPAIR: u64 = 0x2000;
const NOTES: u64 = ROBUST | LEFT_BEHIND | BEYOND_REPAIR;

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
    /// It is locked now, and its last owner has ended with it.
    LeftBehind,
    /// Its last owner ended with it, and nobody repaired what it protects.
    BeyondRepair,
}

/// The mutex that an argument points to.
pub(super) fn open(call: &mut LibraryCall<'_, '_>, argument: usize) -> Result<Item> {
    Item::open(call, argument, &MUTEX)
}

/// Makes a fresh mutex of a kind.
pub(super) fn make(call: &mut LibraryCall<'_, '_>, argument: usize, kind: u64) -> Result<()> {
    let mutex = Item::raw(call, argument, &MUTEX)?;
    mutex.clear(call)?;
    mutex.set(call, pick(call, KIND), kind)
}

/// Locks a mutex if that is possible at once.
pub(super) fn attempt(call: &mut LibraryCall<'_, '_>, mutex: Item) -> Result<Attempt> {
    let count_at = call.pointer_bytes();
    if notes(call, mutex)? & BEYOND_REPAIR != 0 {
        return Ok(Attempt::BeyondRepair);
    }
    match mutex.owner(call, OWNER)? {
        Owner::Nobody => {
            kind(call, mutex)?;
            mutex.take(call, OWNER)?;
            mutex.set(call, count_at, 1)?;
            return Ok(Attempt::Locked);
        }
        Owner::Another(owner) => {
            let is_robust = notes(call, mutex)? & ROBUST != 0;
            if is_robust && call.has_anonymous_threads() {
                let why = "a robust mutex asks whether its owner has ended, and any number of \
                           threads have no names";
                return Err(Stop::refused(why));
            }
            if !is_robust || !has_ended(call, owner) {
                return Ok(Attempt::Held);
            }
            note(call, mutex, LEFT_BEHIND)?;
            mutex.take(call, OWNER)?;
            mutex.set(call, count_at, 1)?;
            return Ok(Attempt::LeftBehind);
        }
        Owner::Me => {}
    }
    match kind(call, mutex)? {
        RECURSIVE => {
            let count = mutex.get(call, count_at)? + 1;
            mutex.set(call, count_at, count)?;
            Ok(Attempt::Locked)
        }
        ERROR_CHECKING => Ok(Attempt::Refused),
        _ => Ok(Attempt::Mine),
    }
}

/// Has a thread ended? One that nobody knows any more has.
fn has_ended(call: &mut LibraryCall<'_, '_>, thread: Option<ThreadIdentity>) -> bool {
    thread.is_none_or(|it| call.thread_field(it, ThreadField::HasEnded) != Value::ZERO)
}

/// What is noted beside the kind of a mutex.
fn notes(call: &mut LibraryCall<'_, '_>, mutex: Item) -> Result<u64> {
    Ok(mutex.get(call, pick(call, KIND))? & NOTES)
}

/// Notes something beside the kind of a mutex.
fn note(call: &mut LibraryCall<'_, '_>, mutex: Item, what: u64) -> Result<()> {
    let at = pick(call, KIND);
    let old = mutex.get(call, at)?;
    mutex.set(call, at, old | what)
}

fn kind(call: &mut LibraryCall<'_, '_>, mutex: Item) -> Result<u64> {
    let kind = mutex.get(call, pick(call, KIND))? & !NOTES;
    if kind > LAST_KIND {
        let why = format!("{} is of a kind that is not known: {kind}", mutex.name(call));
        return Err(Stop::refused(why));
    }
    Ok(kind)
}

/// Why a thread does not get a mutex.
pub(super) fn blocked(call: &mut LibraryCall<'_, '_>, mutex: Item) -> Result<Stop> {
    let owner = mutex.owner(call, OWNER)?;
    call.wait_for(match owner {
        Owner::Nobody => None,
        Owner::Me => Some(call.me()),
        Owner::Another(who) => who,
    });
    mutex.want(call)?;
    let (name, owner) = (mutex.name(call), naming::owner(call, owner));
    Ok(Stop::Blocked(format!("it waits for {name}, {owner}")))
}

/// Does the running thread hold the mutex?
pub(super) fn is_mine(call: &mut LibraryCall<'_, '_>, mutex: Item) -> Result<bool> {
    Ok(mutex.owner(call, OWNER)? == Owner::Me)
}

/// Unlocks a mutex that the running thread holds.
pub(super) fn release(call: &mut LibraryCall<'_, '_>, mutex: Item) -> Result<()> {
    let count_at = call.pointer_bytes();
    let count = mutex.get(call, count_at)?.saturating_sub(1);
    mutex.set(call, count_at, count)?;
    if count == 0 {
        if notes(call, mutex)? & LEFT_BEHIND != 0 {
            note(call, mutex, BEYOND_REPAIR)?;
        }
        mutex.give_up(call, OWNER)?;
    }
    Ok(())
}

fn init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let kind =
        if Item::is_null(call, 1) { 0 } else { Item::open(call, 1, &ATTRIBUTE)?.get(call, 0)? };
    make(call, 0, kind)?;
    call.done(0)
}

pub(super) fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mutex = open(call, 0)?;
    if mutex.owner(call, OWNER)? != Owner::Nobody {
        return Err(mutex.misuse(call, "is destroyed while it is locked"));
    }
    mutex.destroy(call)?;
    call.done(0)
}

pub(super) fn lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mutex = open(call, 0)?;
    match attempt(call, mutex)? {
        Attempt::Locked => call.done(0),
        Attempt::Refused => call.done(EDEADLK),
        Attempt::LeftBehind => call.done(EOWNERDEAD),
        Attempt::BeyondRepair => call.done(ENOTRECOVERABLE),
        Attempt::Mine | Attempt::Held => Err(blocked(call, mutex)?),
    }
}

pub(super) fn try_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mutex = open(call, 0)?;
    match attempt(call, mutex)? {
        Attempt::Locked => call.done(0),
        Attempt::LeftBehind => call.done(EOWNERDEAD),
        Attempt::BeyondRepair => call.failed(ENOTRECOVERABLE),
        _ => call.failed(EBUSY),
    }
}

/// Time may run out whenever the mutex cannot be had; so it never waits.
pub(super) fn timed_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mutex = open(call, 0)?;
    match attempt(call, mutex)? {
        Attempt::Locked => call.done(0),
        Attempt::Refused => call.done(EDEADLK),
        Attempt::LeftBehind => call.done(EOWNERDEAD),
        Attempt::BeyondRepair => call.failed(ENOTRECOVERABLE),
        Attempt::Mine | Attempt::Held => call.failed(ETIMEDOUT),
    }
}

pub(super) fn unlock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mutex = open(call, 0)?;
    if is_mine(call, mutex)? {
        release(call, mutex)?;
        return call.done(0);
    }
    if matches!(kind(call, mutex)?, RECURSIVE | ERROR_CHECKING) {
        return call.done(EPERM);
    }
    let is_free = mutex.owner(call, OWNER)? == Owner::Nobody;
    let what = if is_free {
        "is unlocked while it is not locked"
    } else {
        "is unlocked by a thread that does not hold it"
    };
    Err(mutex.misuse(call, what))
}

fn attribute_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &ATTRIBUTE)?.clear(call)?;
    call.done(0)
}

fn attribute_destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::open(call, 0, &ATTRIBUTE)?.get(call, 0)?;
    call.done(0)
}

fn set_type(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let kind = call.number_argument(1, "the kind of a mutex")?;
    if kind > LAST_KIND {
        return call.done(EINVAL);
    }
    let attribute = Item::raw(call, 0, &ATTRIBUTE)?;
    let notes = attribute.get(call, 0)? & ROBUST;
    attribute.set(call, 0, kind | notes)?;
    call.done(0)
}

fn set_robust(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_robust = call.number_argument(1, "whether a mutex is robust")?;
    if is_robust > 1 {
        return call.done(EINVAL);
    }
    let attribute = Item::open(call, 0, &ATTRIBUTE)?;
    let kind = attribute.get(call, 0)? & !ROBUST;
    attribute.set(call, 0, kind | (is_robust * ROBUST))?;
    call.done(0)
}

fn get_robust(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let notes = Item::open(call, 0, &ATTRIBUTE)?.get(call, 0)? & ROBUST;
    write_through(call, 1, 4, Value::number(u64::from(notes != 0)))?;
    call.done(0)
}

/// Says that what a mutex protects was repaired after its owner ended with it.
fn make_consistent(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mutex = open(call, 0)?;
    let (is_mine, notes) = (is_mine(call, mutex)?, notes(call, mutex)?);
    if !is_mine || notes & LEFT_BEHIND == 0 {
        return call.done(EINVAL);
    }
    let at = pick(call, KIND);
    let noted = mutex.get(call, at)?;
    mutex.set(call, at, noted & !LEFT_BEHIND)?;
    call.done(0)
}

fn get_type(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let kind = Item::open(call, 0, &ATTRIBUTE)?.get(call, 0)? & !ROBUST;
    write_through(call, 1, 4, Value::number(kind))?;
    call.done(0)
}
