//! Time: sleeping takes as long as it takes, and what clocks show is an input.

use super::item::{Item, ahead};
use super::{Effect, Entry, LibraryCall, pointers, succeed};
use crate::machine::Result;
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
pub(super) fn input(call: &mut LibraryCall<'_, '_>, last: u64) -> Value {
    call.new_symbol_up_to(last)
}

fn time(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let seconds = input(call, MAX_SECONDS);
    if Item::is_null(call, 0) {
        return Ok(Effect::Done(seconds));
    }
    let bytes = call.pointer_bytes();
    let location = call.locate(call.argument(0)?, u64::from(bytes), AccessMode::PLAIN_WRITE)?;
    call.write_at(location, seconds);
    call.read_at(location, bytes * 8).map(Effect::Done)
}

fn clock(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Ok(Effect::Done(input(call, MAX_SECONDS)))
}

/// Writes seconds, and parts of a second below `parts`, where an argument points to.
fn write(call: &mut LibraryCall<'_, '_>, argument: usize, parts: u64) -> Result<()> {
    let bytes = u64::from(call.pointer_bytes());
    for (at, last) in [(0, MAX_SECONDS), (bytes, parts - 1)] {
        let value = input(call, last);
        let pointer = call.argument(argument)?;
        let location = call.locate(ahead(call, pointer, at), bytes, AccessMode::PLAIN_WRITE)?;
        call.write_at(location, value);
    }
    Ok(())
}

fn time_of_day(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    write(call, 0, 1_000_000)?;
    call.done(0)
}

fn clock_time(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    write(call, 1, 1_000_000_000)?;
    call.done(0)
}

fn time_spec(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let base = call.number_argument(1, "the base of a time")?;
    if base != 1 {
        return call.done(0);
    }
    write(call, 0, 1_000_000_000)?;
    call.done(1)
}
