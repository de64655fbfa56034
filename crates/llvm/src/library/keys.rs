//! Values that each thread has for itself, by key: `pthread_key_t`, which `tss_t` is
//! as well.

use super::item::write_through;
use super::{Arguments, Effect, Entry, always, too_few};
use crate::machine::{Machine, Result, Rule, Stop};
use crate::memory::Key;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    always("pthread_key_create", create),
    always("pthread_key_delete", delete),
    always("pthread_setspecific", set),
    always("pthread_getspecific", get),
];

/// More keys than any system has.
const MAX_KEYS: usize = 1024;

pub(super) fn create(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    machine.memory.access_keys(true);
    if machine.memory.n_keys() >= MAX_KEYS {
        return Err(Stop::refused(format!("more than {MAX_KEYS} keys are created")));
    }
    let destructor = arguments.value(1)?;
    let key = machine.memory.create_key(destructor);
    write_through(machine, 0, 4, Value::number(key as u64))?;
    arguments.done(0)
}

/// The number of a key that is in use.
fn known(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<usize> {
    let key = arguments.number(machine, 0, "a key")?;
    let key = usize::try_from(key).unwrap_or(usize::MAX);
    match machine.memory.key(key) {
        Key::Known => Ok(key),
        Key::Deleted => Err(Stop::error(Rule::ThreadMisuse, "a key is used after it was deleted")),
        Key::Unknown => {
            Err(Stop::error(Rule::ThreadMisuse, "a key is used that was never created"))
        }
    }
}

pub(super) fn delete(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    machine.memory.access_keys(true);
    let key = known(machine, arguments)?;
    machine.memory.delete_key(key);
    arguments.done(0)
}

pub(super) fn set(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    machine.memory.access_keys(false);
    let key = known(machine, arguments)?;
    let value = machine.argument(1).ok_or_else(too_few)?;
    machine.memory.set_specific(key, value);
    arguments.done(0)
}

pub(super) fn get(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    machine.memory.access_keys(false);
    let key = known(machine, arguments)?;
    Ok(Effect::Done(machine.memory.specific(key)))
}
