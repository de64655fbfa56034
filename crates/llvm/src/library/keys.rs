//! Values that each thread has for itself, by key: `pthread_key_t`, which `tss_t` is
//! as well. Numbers of deleted keys are not used again: other threads may still have
//! values for them.

use super::item::write_through;
use super::{Arguments, Effect, Entry, always, too_few};
use crate::machine::{Machine, Result, Rule, Stop, Touch};
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    always("pthread_key_create", create),
    always("pthread_key_delete", delete),
    always("pthread_setspecific", set),
    always("pthread_getspecific", get),
];

/// A byte of the first thread's object that stands for the table of keys, so that
/// the order of changes to it counts.
const KEYS: u32 = 5;

/// More keys than any system has.
const MAX_KEYS: usize = 1024;

fn touch(machine: &mut Machine<'_>, is_write: bool) {
    let object = machine.main_thread();
    machine.touched.add(Touch { object, at: KEYS, len: 1, is_write, is_atomic: true });
}

pub(super) fn create(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    touch(machine, true);
    if machine.shared.keys.len() >= MAX_KEYS {
        return Err(Stop::refused(format!("more than {MAX_KEYS} keys are created")));
    }
    let destructor = arguments.value(1)?;
    let key = machine.shared.keys.len() as u64;
    machine.shared.keys.push(Some(destructor));
    write_through(machine, 0, 4, Value::number(key))?;
    arguments.done(0)
}

/// The number of a key that is in use.
fn known(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<usize> {
    let key = arguments.number(machine, 0, "a key")?;
    let key = usize::try_from(key).unwrap_or(usize::MAX);
    match machine.shared.keys.get(key) {
        Some(Some(_)) => Ok(key),
        Some(None) => Err(Stop::error(Rule::ThreadMisuse, "a key is used after it was deleted")),
        None => Err(Stop::error(Rule::ThreadMisuse, "a key is used that was never created")),
    }
}

pub(super) fn delete(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    touch(machine, true);
    let key = known(machine, arguments)?;
    machine.shared.keys[key] = None;
    arguments.done(0)
}

pub(super) fn set(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    touch(machine, false);
    let key = known(machine, arguments)?;
    let value = machine.argument(1).ok_or_else(too_few)?;
    let specifics = &mut machine.thread.specifics;
    if specifics.len() <= key {
        specifics.resize(key + 1, Value::ZERO);
    }
    specifics[key] = value;
    // Equal threads have equal tables.
    let used = specifics.iter().rposition(|&value| value != Value::ZERO);
    specifics.truncate(used.map_or(0, |last| last + 1));
    arguments.done(0)
}

pub(super) fn get(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    touch(machine, false);
    let key = known(machine, arguments)?;
    let value = machine.thread.specifics.get(key).copied();
    Ok(Effect::Done(value.unwrap_or(Value::ZERO)))
}
