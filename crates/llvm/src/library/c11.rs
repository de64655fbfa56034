//! `threads.h`: the same as pthreads, with other results.

use super::mutex::{self, EBUSY, ETIMEDOUT};
use super::{
    Arguments, Effect, Entry, Run, always, condition, keys, never, pointers, thread, tries,
};
use crate::machine::{Machine, Result};

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
fn translated(machine: &mut Machine<'_>, arguments: Arguments<'_>, run: Run) -> Result<Effect> {
    let whole = Arguments { result_width: 32, ..arguments };
    match run(machine, whole)? {
        Effect::Done(result) => {
            let result = match result.bits as i64 {
                0 => SUCCESS,
                EBUSY => BUSY,
                ETIMEDOUT => TIMED_OUT,
                _ => ERROR,
            };
            arguments.done(result)
        }
        other => Ok(other),
    }
}

fn create(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    thread::start(machine, 1)?;
    arguments.done(SUCCESS)
}

fn join(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if thread::join_with(machine, arguments, 4)? {
        arguments.done(SUCCESS)
    } else {
        Err(thread::joins())
    }
}

fn detach(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, thread::detach)
}

fn mutex_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let kind = arguments.number(machine, 1, "the kind of a mutex")?;
    mutex::make(machine, 0, kind & RECURSIVE)?;
    arguments.done(SUCCESS)
}

fn lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, mutex::lock)
}

fn try_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, mutex::try_lock)
}

fn timed_lock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, mutex::timed_lock)
}

fn unlock(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, mutex::unlock)
}

fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, mutex::destroy)
}

fn condition_init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, condition::init)
}

fn condition_destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, condition::destroy)
}

fn wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, condition::wait)
}

fn timed_wait(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, condition::timed_wait)
}

fn signal(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, condition::signal)
}

fn broadcast(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, condition::broadcast)
}

fn key_create(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, keys::create)
}

fn key_set(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    translated(machine, arguments, keys::set)
}
