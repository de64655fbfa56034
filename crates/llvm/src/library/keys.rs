//! Values that each thread has for itself, by key: `pthread_key_t`, which `tss_t` is
//! as well.

use super::item::write_through;
use super::{Effect, Entry, LibraryCall, always};
use crate::machine::{Result, Rule, Stop};
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

pub(super) fn create(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.access_keys(true);
    if call.n_keys() >= MAX_KEYS {
        return Err(Stop::refused(format!("more than {MAX_KEYS} keys are created")));
    }
    let destructor = call.argument(1)?;
    let key = call.create_key(destructor);
    write_through(call, 0, 4, Value::number(key as u64))?;
    call.done(0)
}

/// The number of a key that is in use.
fn known(call: &mut LibraryCall<'_, '_>) -> Result<usize> {
    let key = call.number_argument(0, "a key")?;
    let key = usize::try_from(key).unwrap_or(usize::MAX);
    match call.key(key) {
        Key::Known => Ok(key),
        Key::Deleted => Err(Stop::error(Rule::ThreadMisuse, "a key is used after it was deleted")),
        Key::Unknown => {
            Err(Stop::error(Rule::ThreadMisuse, "a key is used that was never created"))
        }
    }
}

pub(super) fn delete(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.access_keys(true);
    let key = known(call)?;
    call.delete_key(key);
    call.done(0)
}

pub(super) fn set(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.access_keys(false);
    let key = known(call)?;
    let value = call.argument(1)?;
    call.set_specific(key, value);
    call.done(0)
}

pub(super) fn get(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.access_keys(false);
    let key = known(call)?;
    Ok(Effect::Done(call.specific(key)))
}
