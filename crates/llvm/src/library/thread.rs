//! Threads: made, joined, detached, ended; and what they say about themselves.

use super::item::{Item, Layout, write_through};
use super::mutex::{EBUSY, ETIMEDOUT};
use super::{Arguments, Effect, Entry, always, never, succeed, too_few, tries};
use crate::machine::{Machine, Result, Rule, Stop};
use crate::memory::{Ending, ThreadField, ThreadIdentity};
use crate::value::{Value, mask};

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
pub(super) fn attribute(machine: &mut Machine<'_>, argument: usize) -> Result<Item> {
    Item::raw(machine, argument, &ATTRIBUTE)
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

fn create(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_detached = if Item::is_null(machine, 1) {
        0
    } else {
        attribute(machine, 1)?.get(machine, DETACH_STATE)?
    };
    let thread = start(machine, 2)?;
    if is_detached != 0 {
        machine.memory.set_thread_field(thread, ThreadField::IsDetached, Value::number(1));
    }
    arguments.done(0)
}

/// Starts the function that an argument names, with the next argument, and writes
/// the thread's `pthread_t` through the first.
pub(super) fn start(machine: &mut Machine<'_>, function: usize) -> Result<ThreadIdentity> {
    let code = machine.argument(function).ok_or_else(too_few)?;
    let argument = machine.argument(function + 1).ok_or_else(too_few)?;
    let thread = machine.spawn(code, argument)?;
    write_through(machine, 0, machine.code.pointer_bytes, thread.pthread_t())?;
    Ok(thread)
}

fn attempt_join(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Join> {
    let thread = machine.memory.thread_named(arguments.value(0)?)?;
    let misuse = |message: &str| Err(Stop::error(Rule::ThreadMisuse, message));
    if machine.memory.thread_field(thread, ThreadField::IsDetached) != Value::ZERO {
        return misuse("a detached thread is joined");
    }
    if machine.memory.thread_field(thread, ThreadField::IsJoined) != Value::ZERO {
        return misuse("a thread is joined twice");
    }
    if thread == machine.memory.me() {
        return misuse("a thread joins itself");
    }
    if machine.memory.thread_field(thread, ThreadField::HasEnded) == Value::ZERO {
        machine.waits_for = Some(thread);
        return Ok(Join::Runs);
    }
    machine.memory.set_thread_field(thread, ThreadField::IsJoined, Value::number(1));
    Ok(Join::Ended(machine.memory.thread_field(thread, ThreadField::Result)))
}

/// Joins; `bytes` is the size of the result, if it is wanted.
pub(super) fn join_with(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    bytes: u32,
) -> Result<bool> {
    let Join::Ended(result) = attempt_join(machine, arguments)? else { return Ok(false) };
    if !Item::is_null(machine, 1) {
        let is_number = result.as_number().is_some();
        let bits = if is_number { result.bits & mask(bytes * 8) } else { result.bits };
        let undef = result.undef & mask(bytes * 8);
        write_through(machine, 1, bytes, Value { bits, undef, ..result })?;
    }
    Ok(true)
}

/// What a thread that joins another one waits for.
pub(super) fn joins() -> Stop {
    Stop::Blocked("it waits for a thread to end".into())
}

fn join(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let bytes = machine.code.pointer_bytes;
    if join_with(machine, arguments, bytes)? { arguments.done(0) } else { Err(joins()) }
}

fn try_join(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_joined = join_with(machine, arguments, machine.code.pointer_bytes)?;
    if is_joined { arguments.done(0) } else { arguments.in_vain(machine, EBUSY) }
}

fn timed_join(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let is_joined = join_with(machine, arguments, machine.code.pointer_bytes)?;
    if is_joined { arguments.done(0) } else { arguments.in_vain(machine, ETIMEDOUT) }
}

pub(super) fn detach(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let thread = machine.memory.thread_named(arguments.value(0)?)?;
    for (field, message) in [
        (ThreadField::IsDetached, "a thread is detached twice"),
        (ThreadField::IsJoined, "a thread is detached after it was joined"),
    ] {
        if machine.memory.thread_field(thread, field) != Value::ZERO {
            return Err(Stop::error(Rule::ThreadMisuse, message));
        }
    }
    machine.memory.set_thread_field(thread, ThreadField::IsDetached, Value::number(1));
    arguments.done(0)
}

pub(super) fn exit(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    machine.memory.set_ending(Ending::Thread(arguments.value(0)?));
    machine.end_frames();
    Ok(Effect::Entered)
}

pub(super) fn own_identity(machine: &mut Machine<'_>, _: Arguments<'_>) -> Result<Effect> {
    Ok(Effect::Done(machine.memory.me().pthread_t()))
}

pub(super) fn equal(_: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (left, right) = (arguments.value(0)?, arguments.value(1)?);
    if !left.is_defined() || !right.is_defined() {
        let message = "a `pthread_t` is compared that was never set";
        return Err(Stop::error(Rule::UninitialisedMemory, message));
    }
    arguments.done(i64::from(left == right))
}
