//! Time: sleeping takes as long as it takes, and what clocks show is an input.

use super::item::{Item, ahead};
use super::{Arguments, Effect, Entry, pointers, succeed, too_few};
use crate::machine::{Machine, Result};
use crate::memory::AccessMode;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("sleep", succeed),
    pointers("usleep", succeed),
    pointers("nanosleep", succeed),
    pointers("clock_nanosleep", succeed),
    pointers("thrd_sleep", succeed),
    pointers("time", time),
    pointers("clock", clock),
    pointers("gettimeofday", time_of_day),
    pointers("clock_gettime", clock_time),
    pointers("timespec_get", time_spec),
];

const MAX_SECONDS: u64 = i32::MAX as u64;

/// An input from 0 to `last`.
pub(super) fn input(machine: &mut Machine<'_>, last: u64) -> Value {
    machine.new_symbol_up_to(last)
}

fn time(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let seconds = input(machine, MAX_SECONDS);
    if Item::is_null(machine, 0) {
        return Ok(Effect::Done(seconds));
    }
    let bytes = machine.code.pointer_bytes;
    let location =
        machine.memory.locate(arguments.value(0)?, u64::from(bytes), AccessMode::PLAIN_WRITE)?;
    machine.memory.write_at(location, seconds);
    machine.memory.read_at(location, bytes * 8).map(Effect::Done)
}

fn clock(machine: &mut Machine<'_>, _: Arguments<'_>) -> Result<Effect> {
    Ok(Effect::Done(input(machine, MAX_SECONDS)))
}

/// Writes seconds, and parts of a second below `parts`, where an argument points to.
fn write(machine: &mut Machine<'_>, argument: usize, parts: u64) -> Result<()> {
    let bytes = u64::from(machine.code.pointer_bytes);
    for (at, last) in [(0, MAX_SECONDS), (bytes, parts - 1)] {
        let value = input(machine, last);
        let pointer = machine.argument(argument).ok_or_else(too_few)?;
        let location =
            machine.memory.locate(ahead(machine, pointer, at), bytes, AccessMode::PLAIN_WRITE)?;
        machine.memory.write_at(location, value);
    }
    Ok(())
}

fn time_of_day(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    write(machine, 0, 1_000_000)?;
    arguments.done(0)
}

fn clock_time(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    write(machine, 1, 1_000_000_000)?;
    arguments.done(0)
}

fn time_spec(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let base = arguments.number(machine, 1, "the base of a time")?;
    if base != 1 {
        return arguments.done(0);
    }
    write(machine, 0, 1_000_000_000)?;
    arguments.done(1)
}
