//! Attributes of threads, and whether a thread could be cancelled (none ever is).

use super::item::write_through;
use super::mutex::EINVAL;
use super::thread::{DETACH_STATE, attribute};
use super::{Effect, Entry, LibraryCall, pointers, succeed};
use crate::machine::{Result, Stop};
use crate::memory::ThreadField;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("pthread_attr_init", init),
    pointers("pthread_attr_destroy", destroy),
    pointers("pthread_attr_setdetachstate", set_detach_state),
    pointers("pthread_attr_getdetachstate", get_detach_state),
    pointers("pthread_attr_setstacksize", set_stack_size),
    pointers("pthread_attr_getstacksize", get_stack_size),
    pointers("pthread_attr_setguardsize", succeed),
    pointers("pthread_attr_setscope", succeed),
    pointers("pthread_attr_setinheritsched", succeed),
    pointers("pthread_attr_setschedpolicy", succeed),
    pointers("pthread_attr_setschedparam", succeed),
    pointers("pthread_setcancelstate", set_cancel_state),
    pointers("pthread_setcanceltype", set_cancel_type),
];

const STACK_SIZE: u32 = 8;
const USUAL_STACK: u64 = 8 << 20;

fn init(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let attribute = attribute(call, 0)?;
    attribute.clear(call)?;
    attribute.set_address(call, STACK_SIZE, Value::number(USUAL_STACK))?;
    call.done(0)
}

fn destroy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    attribute(call, 0)?.get(call, DETACH_STATE)?;
    call.done(0)
}

fn set_detach_state(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let state = call.number_argument(1, "the detach state of a thread")?;
    if state > 1 {
        return call.done(EINVAL);
    }
    let attribute = attribute(call, 0)?;
    attribute.get(call, DETACH_STATE)?;
    attribute.set(call, DETACH_STATE, state)?;
    call.done(0)
}

fn get_detach_state(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let state = attribute(call, 0)?.get(call, DETACH_STATE)?;
    write_through(call, 1, 4, Value::number(state))?;
    call.done(0)
}

fn set_stack_size(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let size = call.argument(1)?;
    attribute(call, 0)?.set_address(call, STACK_SIZE, size)?;
    call.done(0)
}

fn get_stack_size(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let size = attribute(call, 0)?.get_address(call, STACK_SIZE)?;
    write_through(call, 1, call.pointer_bytes(), size)?;
    call.done(0)
}

/// Sets a field of the running thread's object and writes the old value through the
/// second argument.
fn set_own(call: &mut LibraryCall<'_, '_>, field: ThreadField) -> Result<Effect> {
    let new = call.number_argument(0, "whether a thread can be cancelled")?;
    if new > 1 {
        return call.done(EINVAL);
    }
    if call.has_anonymous_threads() {
        let why = "whether a thread may be cancelled is kept by its name, and any number of \
                   threads have none";
        return Err(Stop::refused(why));
    }
    let old = call.replace_own_field(field, Value::number(new));
    if !super::item::Item::is_null(call, 1) {
        write_through(call, 1, 4, old)?;
    }
    call.done(0)
}

fn set_cancel_state(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    set_own(call, ThreadField::CancelState)
}

fn set_cancel_type(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    set_own(call, ThreadField::CancelType)
}
