//! Condition variables: `pthread_cond_t`, which `cnd_t` is as well.
//!
//! A waiter's thread object names the condition variable and the mutex; a signal clears the
//! former. A waiter goes on when it can have its mutex in the same step. When time runs out is
//! a step of its own: a signal may be lost between that and the mutex.
//!
//! Threads without names wait each for itself: POSIX lets them wake up for no reason, so that a
//! signal adds nothing but an end to deadlocks, which are not asked of them.

use super::item::{Item, Layout};
use super::{Effect, Entry, LibraryCall, Run, always, mutex, pointers, succeed};
use crate::machine::{Result, Stop};
use crate::memory::ThreadField;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("pthread_cond_init", init),
    pointers("pthread_cond_destroy", destroy),
    always("pthread_cond_wait", |c| with_one_mutex(c, wait)),
    always("pthread_cond_timedwait", |c| with_one_mutex(c, timed_wait)),
    always("pthread_cond_clockwait", |c| with_one_mutex(c, timed_wait)),
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
fn open(call: &mut LibraryCall<'_, '_>) -> Result<(Item, Value)> {
    let condition = Item::open(call, 0, &CONDITION)?;
    let address = condition.pointer(call)?;
    Ok((condition, address))
}

pub(super) fn init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &CONDITION)?.clear(call)?;
    call.done(0)
}

pub(super) fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (condition, address) = open(call)?;
    if !call.waiting_for(address).is_empty() {
        return Err(condition.misuse(call, "is destroyed while a thread waits for it"));
    }
    condition.destroy(call)?;
    call.done(0)
}

/// POSIX wants threads that wait at once to have given up the same mutex; C11 does not say.
fn with_one_mutex(call: &mut LibraryCall<'_, '_>, wait: Run) -> Result<Effect> {
    if call.phase() != 0 {
        return wait(call);
    }
    let (condition, address) = open(call)?;
    for waiter in call.waiting_for(address) {
        if call.thread_field(waiter, ThreadField::WaitsWith) != call.argument(1)? {
            let what = "is waited for by two threads with different mutexes";
            return Err(condition.misuse(call, what));
        }
    }
    wait(call)
}

pub(super) fn wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.phase() {
        0 => start(call),
        _ => go_on(call, false),
    }
}

pub(super) fn timed_wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.phase() {
        0 => start(call),
        TIMED_OUT => lock_again(call, mutex::ETIMEDOUT),
        _ => go_on(call, true),
    }
}

/// Gives up the mutex and starts to wait, at once.
fn start(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (condition, _) = open(call)?;
    let mutex = mutex::open(call, 1)?;
    if !mutex::is_mine(call, mutex)? {
        let name = mutex.name(call);
        let what = format!("is waited for with {name}, which the thread does not hold");
        return Err(condition.misuse(call, &what));
    }
    if call.is_in_section() {
        return Err(Stop::refused("a thread waits within an atomic section"));
    }
    mutex::release(call, mutex)?;
    let (address, with) = (call.argument(0)?, call.argument(1)?);
    let me = call.me();
    call.set_thread_field(me, ThreadField::WaitsFor, address);
    call.set_thread_field(me, ThreadField::WaitsWith, with);
    call.set_phase(WAITING);
    Ok(Effect::Again)
}

fn go_on(call: &mut LibraryCall<'_, '_>, is_timed: bool) -> Result<Effect> {
    let me = call.me();
    if is_timed && call.has_anonymous_threads() && call.choose(2) == 0 {
        call.set_phase(TIMED_OUT);
        return Ok(Effect::Again);
    }
    if call.thread_field(me, ThreadField::WaitsFor) == Value::ZERO {
        return lock_again(call, 0);
    }
    let may_wake = call.options().spurious_wakeups;
    if is_timed && (!may_wake || call.choose(2) == 0) {
        call.set_thread_field(me, ThreadField::WaitsFor, Value::ZERO);
        call.set_phase(TIMED_OUT);
        return Ok(Effect::Again);
    }
    if !may_wake {
        let name = Item::raw(call, 0, &CONDITION)?.name(call);
        return Err(Stop::Blocked(format!("it waits for {name}")));
    }
    call.mark_spurious();
    call.set_thread_field(me, ThreadField::WaitsFor, Value::ZERO);
    lock_again(call, 0)
}

fn lock_again(call: &mut LibraryCall<'_, '_>, result: i64) -> Result<Effect> {
    let mutex = mutex::open(call, 1)?;
    match mutex::attempt(call, mutex)? {
        mutex::Attempt::Locked => {}
        mutex::Attempt::LeftBehind => return woken(call, mutex::EOWNERDEAD),
        mutex::Attempt::BeyondRepair => return woken(call, mutex::ENOTRECOVERABLE),
        _ => return Err(mutex::blocked(call, mutex)?),
    }
    woken(call, result)
}

/// The thread waits no more.
fn woken(call: &mut LibraryCall<'_, '_>, result: i64) -> Result<Effect> {
    let me = call.me();
    call.set_thread_field(me, ThreadField::WaitsWith, Value::ZERO);
    call.done(result)
}

pub(super) fn signal(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (_, address) = open(call)?;
    let waiters = call.waiting_for(address);
    if !waiters.is_empty() {
        let chosen = waiters[call.choose(waiters.len() as u32) as usize];
        call.set_thread_field(chosen, ThreadField::WaitsFor, Value::ZERO);
    }
    call.done(0)
}

pub(super) fn broadcast(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (_, address) = open(call)?;
    for waiter in call.waiting_for(address) {
        call.set_thread_field(waiter, ThreadField::WaitsFor, Value::ZERO);
    }
    call.done(0)
}

fn attribute_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Item::raw(call, 0, &ATTRIBUTE)?.clear(call)?;
    call.done(0)
}
