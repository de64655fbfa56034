//! `threads.h`: the same as pthreads, with other results.

use super::mutex::{self, EBUSY, ETIMEDOUT};
use super::{
    Effect, Entry, LibraryCall, Run, always, condition, keys, never, pointers, thread, tries,
};
use crate::machine::Result;

pub(super) static TABLE: &[Entry] = &[
    always("thrd_create", create),
    always("thrd_join", join),
    always("thrd_exit", thread::exit),
    always("thrd_detach", detach),
    never("thrd_current", thread::own_identity),
    never("thrd_equal", thread::equal),
    never("thrd_yield", super::succeed),
    pointers("mtx_init", mutex_init),
    always("mtx_lock", lock),
    tries("mtx_trylock", try_lock),
    tries("mtx_timedlock", timed_lock),
    pointers("mtx_unlock", unlock),
    pointers("mtx_destroy", destroy),
    pointers("cnd_init", condition_init),
    always("cnd_wait", wait),
    always("cnd_timedwait", timed_wait),
    pointers("cnd_signal", signal),
    pointers("cnd_broadcast", broadcast),
    pointers("cnd_destroy", condition_destroy),
    always("tss_create", key_create),
    always("tss_delete", keys::delete),
    always("tss_get", keys::get),
    always("tss_set", key_set),
];

/// Results as glibc numbers them.
const SUCCESS: i64 = 0;
const BUSY: i64 = 1;
const ERROR: i64 = 2;
const TIMED_OUT: i64 = 4;

/// Bit of a mutex's type that makes it recursive.
const RECURSIVE: u64 = 1;

/// Runs a function of pthreads and gives its result as C has it.
fn translated(call: &mut LibraryCall<'_, '_>, run: Run) -> Result<Effect> {
    match call.with_result_width(32, run)? {
        Effect::Done(result) => {
            let result = match result.bits as i64 {
                0 => SUCCESS,
                EBUSY => BUSY,
                ETIMEDOUT => TIMED_OUT,
                _ => ERROR,
            };
            call.done(result)
        }
        other => Ok(other),
    }
}

fn create(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    thread::create_told(call)?;
    call.done(SUCCESS)
}

fn join(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if thread::join_with(call, 4)? { call.done(SUCCESS) } else { Err(thread::joins()) }
}

fn detach(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, thread::detach)
}

fn mutex_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let kind = call.number_argument(1, "the kind of a mutex")?;
    mutex::make(call, 0, kind & RECURSIVE)?;
    call.done(SUCCESS)
}

fn lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, mutex::lock)
}

fn try_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, mutex::try_lock)
}

fn timed_lock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, mutex::timed_lock)
}

fn unlock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, mutex::unlock)
}

fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, mutex::destroy)
}

fn condition_init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, condition::init)
}

fn condition_destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, condition::destroy)
}

fn wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, condition::wait)
}

fn timed_wait(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, condition::timed_wait)
}

fn signal(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, condition::signal)
}

fn broadcast(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, condition::broadcast)
}

fn key_create(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, keys::create)
}

fn key_set(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    translated(call, keys::set)
}
