//! Threads: made, joined, detached, ended; and what they say about themselves.

use super::item::{Item, Layout, write_through};
use super::mutex::{EBUSY, ETIMEDOUT};
use super::{Effect, Entry, LibraryCall, always, control, never, succeed, tries};
use crate::machine::{Joins, Result, Rule, Stop};
use crate::memory::{ThreadField, ThreadIdentity};
use crate::value::{Origin, Value, mask};

pub(super) static TABLE: &[Entry] = &[
    always("pthread_create", create),
    always("pthread_join", join),
    tries("pthread_tryjoin_np", try_join),
    tries("pthread_timedjoin_np", timed_join),
    tries("pthread_clockjoin_np", timed_join),
    always("pthread_detach", detach),
    always("pthread_exit", exit),
    never("pthread_self", own_identity),
    never("pthread_equal", equal),
    never("pthread_yield", succeed),
    never("sched_yield", succeed),
    never("pthread_setname_np", succeed),
    never("pthread_setaffinity_np", succeed),
    never("pthread_setschedparam", succeed),
    never("pthread_setconcurrency", succeed),
    never("pthread_atfork", succeed),
    never("pthread_testcancel", succeed),
];

static ATTRIBUTE: Layout = Layout { what: "thread attribute", sizes: (36, 56), mark_at: None };

/// The thread attribute that an argument points to.
pub(super) fn attribute(call: &mut LibraryCall<'_, '_>, argument: usize) -> Result<Item> {
    Item::raw(call, argument, &ATTRIBUTE)
}

/// Offset of the detach state in an attribute.
pub(super) const DETACH_STATE: u32 = 0;

/// What comes of trying to join a thread.
enum Join {
    /// It has ended with this result.
    Ended(Value),
    /// It still runs.
    Runs,
}

/// The new thread runs before its `pthread_t` is written: POSIX does not say that it finds it.
/// Where no other thread could look, that is done at once.
fn create(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if let Some(untold) = call.take_untold() {
        write_through(call, 0, call.pointer_bytes(), untold)?;
        return call.done(0);
    }
    let is_detached =
        if Item::is_null(call, 1) { 0 } else { attribute(call, 1)?.get(call, DETACH_STATE)? };
    let thread = start(call, 2)?;
    if is_detached != 0 {
        call.set_thread_field(thread, ThreadField::IsDetached, Value::number(1));
    }
    if call.is_in_section() || !matches!(call.argument(0)?.base.origin(), Origin::Shared(_)) {
        write_through(call, 0, call.pointer_bytes(), call.pthread_t_of(thread))?;
        return call.done(0);
    }
    call.keep_untold(call.pthread_t_of(thread));
    call.set_phase(1);
    Ok(Effect::Again)
}

/// Starts a thread as C has it, which knows the `thrd_t` that was written.
pub(super) fn create_told(call: &mut LibraryCall<'_, '_>) -> Result<()> {
    let thread = start(call, 1)?;
    write_through(call, 0, call.pointer_bytes(), call.pthread_t_of(thread))?;
    call.tell_started(thread);
    Ok(())
}

/// Starts the function that an argument names, with the next argument.
fn start(call: &mut LibraryCall<'_, '_>, function: usize) -> Result<ThreadIdentity> {
    let code = call.argument(function)?;
    let argument = call.argument(function + 1)?;
    call.spawn(code, argument)
}

fn attempt_join(call: &mut LibraryCall<'_, '_>) -> Result<Join> {
    if let Some(joins) = call.options().anonymous_joins() {
        return join_somebody(call, joins);
    }
    let thread = call.thread_named(call.argument(0)?)?;
    let misuse = |message: &str| Err(Stop::error(Rule::ThreadMisuse, message));
    if call.thread_field(thread, ThreadField::IsDetached) != Value::ZERO {
        return misuse("a detached thread is joined");
    }
    if call.thread_field(thread, ThreadField::IsJoined) != Value::ZERO {
        return misuse("a thread is joined twice");
    }
    if thread == call.me() {
        return misuse("a thread joins itself");
    }
    if call.thread_field(thread, ThreadField::HasEnded) == Value::ZERO {
        call.wait_for(Some(thread));
        return Ok(Join::Runs);
    }
    call.set_thread_field(thread, ThreadField::IsJoined, Value::number(1));
    Ok(Join::Ended(call.thread_field(thread, ThreadField::Result)))
}

/// Why misuse of threads without names is not excluded.
fn not_followed(what: &str) -> Stop {
    Stop::refused(format!(
        "whether a thread is {what} twice is not followed for any number of threads, unless a loop \
         creates them into an array and a loop joins all of it: name the other properties with \
         --property"
    ))
}

/// Joins a thread without a name, of which nothing else is known than where it was created.
/// Its result may be anything.
fn join_somebody(call: &mut LibraryCall<'_, '_>, joins: Joins) -> Result<Join> {
    if !call.is_pthread_t(call.argument(0)?) {
        return Err(Stop::refused("a `pthread_t` is joined of which nothing is known"));
    }
    if call.options().checks_thread_misuse && !call.joins_each_once() {
        return Err(not_followed("joined"));
    }
    match joins {
        Joins::Never => Ok(Join::Runs),
        Joins::AnyTime => match call.options().over_approximates {
            true => Ok(Join::Ended(Value::undefined(call.pointer_bytes() * 8))),
            false if Item::is_null(call, 1) => Ok(Join::Ended(Value::ZERO)),
            false => Err(Stop::refused("the result of a thread without a name is wanted")),
        },
    }
}

/// Joins; `bytes` is the size of the result, if it is wanted.
pub(super) fn join_with(call: &mut LibraryCall<'_, '_>, bytes: u32) -> Result<bool> {
    let Join::Ended(result) = attempt_join(call)? else { return Ok(false) };
    if !Item::is_null(call, 1) {
        let is_number = result.as_number().is_some();
        let bits = if is_number { result.bits & mask(bytes * 8) } else { result.bits };
        let undef = result.undef & mask(bytes * 8);
        write_through(call, 1, bytes, Value { bits, undef, ..result })?;
    }
    Ok(true)
}

/// What a thread that joins another one waits for.
pub(super) fn joins() -> Stop {
    Stop::Blocked("it waits for a thread to end".into())
}

fn join(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let bytes = call.pointer_bytes();
    if join_with(call, bytes)? { call.done(0) } else { Err(joins()) }
}

fn try_join(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_joined = join_with(call, call.pointer_bytes())?;
    if is_joined { call.done(0) } else { call.failed(EBUSY) }
}

fn timed_join(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let is_joined = join_with(call, call.pointer_bytes())?;
    if is_joined { call.done(0) } else { call.failed(ETIMEDOUT) }
}

pub(super) fn detach(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.has_anonymous_threads() {
        if call.options().checks_thread_misuse {
            return Err(not_followed("detached"));
        }
        return call.done(0);
    }
    let thread = call.thread_named(call.argument(0)?)?;
    for (field, message) in [
        (ThreadField::IsDetached, "a thread is detached twice"),
        (ThreadField::IsJoined, "a thread is detached after it was joined"),
    ] {
        if call.thread_field(thread, field) != Value::ZERO {
            return Err(Stop::error(Rule::ThreadMisuse, message));
        }
    }
    call.set_thread_field(thread, ThreadField::IsDetached, Value::number(1));
    call.done(0)
}

pub(super) fn exit(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.exit_result().is_some() {
        let message = "`pthread_exit` is called by a function that runs because of it";
        return Err(Stop::error(Rule::ThreadMisuse, message));
    }
    let result = call.argument(0)?;
    control::exit_thread(call, result)
}

pub(super) fn own_identity(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.own_pthread_t().map(Effect::Done)
}

pub(super) fn equal(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let values = (call.argument(0)?, call.argument(1)?);
    let width = call.pointer_bytes() * 8;
    match call.are_equal(values, width)? {
        Some(equal) => call.done(i64::from(equal)),
        None => {
            let message = "a `pthread_t` is compared that was never set";
            Err(Stop::error(Rule::UninitialisedMemory, message))
        }
    }
}
