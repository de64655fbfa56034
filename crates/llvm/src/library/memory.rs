//! Bytes: copied, filled, compared, searched.

use std::cmp::Ordering;

use super::item::ahead;
use super::{Arguments, Effect, Entry, pointers, strings, too_few};
use crate::machine::{Machine, Result, Rule, Stop};
use crate::memory::{AccessMode, Location};
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("memcpy", copy_apart),
    pointers("mempcpy", copy_to_end),
    pointers("memmove", copy_anywhere),
    pointers("memset", set),
    pointers("explicit_bzero", zero),
    pointers("bzero", zero),
    pointers("memcmp", compare_bytes),
    pointers("bcmp", compare_bytes),
    pointers("memchr", find_byte),
    pointers("__threadproof_is_same", same),
];

/// A place that an argument of the call points to. It is looked up whenever it is
/// used, because publishing renames objects.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Which argument.
    pub argument: usize,
    /// How many bytes behind it.
    pub ahead: u64,
}

/// Where an argument points to.
pub(super) fn at(argument: usize) -> End {
    End { argument, ahead: 0 }
}

impl End {
    /// The address.
    pub fn pointer(self, machine: &Machine<'_>) -> Result<Value> {
        let pointer = machine.argument(self.argument).ok_or_else(too_few)?;
        Ok(ahead(machine, pointer, self.ahead))
    }
}

/// Copies bytes with all they are; `uses` says how the source is read and how the
/// target is written.
pub(super) fn copy(
    machine: &mut Machine<'_>,
    (to, from): (End, End),
    len: u64,
    uses: (AccessMode, AccessMode),
) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let pointers = (to.pointer(machine)?, from.pointer(machine)?);
    let source = machine.memory.locate(pointers.1, len, uses.0)?;
    let target = machine.memory.locate(pointers.0, len, uses.1)?;
    machine.memory.copy(target, source);
    Ok(())
}

/// Are the bytes of two places the same, whatever they are?
fn same(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 2)?;
    let mut pieces = Vec::new();
    for idx in 0..2 {
        let location = machine.memory.locate(arguments.value(idx)?, len, AccessMode::PLAIN_READ)?;
        pieces.push(machine.memory.copy_of(location));
    }
    arguments.done(i64::from(pieces[0] == pieces[1]))
}

/// Refuses places that overlap, unless they are one.
pub(super) fn must_be_apart(machine: &Machine<'_>, (to, from): (End, End), len: u64) -> Result<()> {
    let (to, from) = (to.pointer(machine)?, from.pointer(machine)?);
    let distance = to.bits.abs_diff(from.bits);
    if to.base == from.base && distance > 0 && distance < len {
        let message = format!("{len} bytes are copied to a place that overlaps them");
        return Err(Stop::error(Rule::MemorySafety, message));
    }
    Ok(())
}

fn length(machine: &mut Machine<'_>, arguments: Arguments<'_>, idx: usize) -> Result<u64> {
    arguments.number(machine, idx, "a number of bytes")
}

/// The first argument, as it is now.
pub(super) fn first(machine: &Machine<'_>) -> Result<Effect> {
    machine.argument(0).map(Effect::Done).ok_or_else(too_few)
}

fn copy_apart(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 2)?;
    must_be_apart(machine, (at(0), at(1)), len)?;
    copy(machine, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    first(machine)
}

fn copy_to_end(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 2)?;
    copy_apart(machine, arguments)?;
    End { argument: 0, ahead: len }.pointer(machine).map(Effect::Done)
}

fn copy_anywhere(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 2)?;
    copy(machine, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    first(machine)
}

/// Sets bytes to a number.
pub(super) fn fill(machine: &mut Machine<'_>, to: End, len: u64, byte: u8) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let pointer = to.pointer(machine)?;
    let location = machine.memory.locate(pointer, len, AccessMode::PLAIN_WRITE)?;
    machine.memory.fill(location, byte);
    Ok(())
}

fn set(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 2)?;
    if arguments.value(1)?.is_defined() {
        let byte = arguments.number(machine, 1, "the byte for `memset`")? as u8;
        fill(machine, at(0), len, byte)?;
        return first(machine);
    }
    if len > 0 {
        let location = machine.memory.locate(arguments.value(0)?, len, AccessMode::PLAIN_WRITE)?;
        machine.memory.make_undefined(location);
    }
    first(machine)
}

fn zero(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 1)?;
    fill(machine, at(0), len, 0)?;
    Ok(Effect::Done(Value::ZERO))
}

/// Compares bytes as numbers.
pub(super) fn compare(
    machine: &mut Machine<'_>,
    (left, right): (End, End),
    len: u64,
    uses: (AccessMode, AccessMode),
) -> Result<Ordering> {
    if len == 0 {
        return Ok(Ordering::Equal);
    }
    let pointers = (left.pointer(machine)?, right.pointer(machine)?);
    let left = machine.memory.locate(pointers.0, len, uses.0)?;
    let right = machine.memory.locate(pointers.1, len, uses.1)?;
    if are_alike(machine, left, right) {
        return Ok(Ordering::Equal);
    }
    for idx in 0..len as u32 {
        let bytes = (
            strings::byte(machine, left.origin, left.at + idx)?,
            strings::byte(machine, right.origin, right.at + idx)?,
        );
        if bytes.0 != bytes.1 {
            return Ok(bytes.0.cmp(&bytes.1));
        }
    }
    Ok(Ordering::Equal)
}

/// Do two places hold the same, addresses included, and nothing without a value?
fn are_alike(machine: &Machine<'_>, left: Location, right: Location) -> bool {
    let (left, right) = (machine.memory.copy_of(left), machine.memory.copy_of(right));
    left == right && left.is_known()
}

fn compare_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = length(machine, arguments, 2)?;
    let order =
        compare(machine, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_READ))?;
    arguments.done(order as i64)
}

fn find_byte(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let wanted = arguments.number(machine, 1, "the byte that is looked for")? as u8;
    let len = length(machine, arguments, 2)?;
    let pointer = arguments.value(0)?;
    for idx in 0..len {
        let location =
            machine.memory.locate(ahead(machine, pointer, idx), 1, AccessMode::PLAIN_READ)?;
        if strings::byte(machine, location.origin, location.at)? == wanted {
            return End { argument: 0, ahead: idx }.pointer(machine).map(Effect::Done);
        }
    }
    Ok(Effect::Done(Value::ZERO))
}
