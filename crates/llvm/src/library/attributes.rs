//! Attributes of threads, and whether a thread could be cancelled (none ever is).

use super::item::write_through;
use super::mutex::EINVAL;
use super::thread::{DETACH_STATE, attribute};
use super::{Arguments, Effect, Entry, pointers, succeed};
use crate::machine::{Machine, Result};
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

fn init(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let attribute = attribute(machine, 0)?;
    attribute.clear(machine)?;
    attribute.set_address(machine, STACK_SIZE, Value::number(USUAL_STACK))?;
    arguments.done(0)
}

fn destroy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    attribute(machine, 0)?.get(machine, DETACH_STATE)?;
    arguments.done(0)
}

fn set_detach_state(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let state = arguments.number(machine, 1, "the detach state of a thread")?;
    if state > 1 {
        return arguments.done(EINVAL);
    }
    let attribute = attribute(machine, 0)?;
    attribute.get(machine, DETACH_STATE)?;
    attribute.set(machine, DETACH_STATE, state)?;
    arguments.done(0)
}

fn get_detach_state(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let state = attribute(machine, 0)?.get(machine, DETACH_STATE)?;
    write_through(machine, 1, 4, Value::number(state))?;
    arguments.done(0)
}

fn set_stack_size(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let size = arguments.value(1)?;
    attribute(machine, 0)?.set_address(machine, STACK_SIZE, size)?;
    arguments.done(0)
}

fn get_stack_size(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let size = attribute(machine, 0)?.get_address(machine, STACK_SIZE)?;
    write_through(machine, 1, machine.code.pointer_bytes, size)?;
    arguments.done(0)
}

/// Sets a field of the running thread's object and writes the old value through the
/// second argument.
fn set_own(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    field: ThreadField,
) -> Result<Effect> {
    let new = arguments.number(machine, 0, "whether a thread can be cancelled")?;
    if new > 1 {
        return arguments.done(EINVAL);
    }
    let old = machine.memory.replace_own_field(field, Value::number(new));
    if !super::item::Item::is_null(machine, 1) {
        write_through(machine, 1, 4, old)?;
    }
    arguments.done(0)
}

fn set_cancel_state(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    set_own(machine, arguments, ThreadField::CancelState)
}

fn set_cancel_type(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    set_own(machine, arguments, ThreadField::CancelType)
}
