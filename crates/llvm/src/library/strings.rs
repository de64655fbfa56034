//! Strings in memory: measured, copied, compared, searched.

use std::cmp::Ordering;

use super::heap::{Fresh, new_memory, usual_align};
use super::memory::{self, End, at};
use super::{Arguments, Effect, Entry, pointers};
use crate::machine::{Machine, Result, Rule, Stop};
use crate::memory::{AccessMode, Object};
use crate::value::{Base, Origin, Value};

pub(super) static TABLE: &[Entry] = &[
    pointers("strlen", length),
    pointers("strnlen", bounded_length),
    pointers("strcpy", copy),
    pointers("stpcpy", copy_to_end),
    pointers("strncpy", copy_bounded),
    pointers("strcat", append),
    pointers("strncat", append_bounded),
    pointers("strcmp", compare),
    pointers("strncmp", compare_bounded),
    pointers("strcasecmp", compare_any_case),
    pointers("strchr", find_first),
    pointers("strrchr", find_last),
    pointers("strstr", find_text),
    pointers("strspn", span),
    pointers("strcspn", span_until),
    pointers("strdup", duplicate),
    pointers("strndup", duplicate_bounded),
];

/// Longer texts are cut in messages.
const MAX_SHOWN: usize = 200;

/// The text at an address, for messages: nothing is touched, and what cannot be
/// shown is left out.
pub(super) fn shown(machine: &Machine<'_>, pointer: Value) -> Option<String> {
    let object = machine.memory.object(pointer.base.origin())?;
    let bytes = object.bytes().get(usize::try_from(pointer.bits).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..end.min(MAX_SHOWN)]).into_owned())
}

/// The characters at an address up to the terminating zero, or `max` of them.
pub(super) fn read(machine: &mut Machine<'_>, pointer: Value, max: u64) -> Result<Vec<u8>> {
    let location = machine.memory.locate(pointer, 0, AccessMode::ATOMIC_READ)?;
    let size = machine.memory.object(location.origin).map_or(0, Object::size);
    let mut text = Vec::new();
    for at in location.at..size {
        if text.len() as u64 >= max {
            break;
        }
        match byte(machine, location.origin, at)? {
            0 => {
                machine.memory.locate(pointer, text.len() as u64 + 1, AccessMode::PLAIN_READ)?;
                return Ok(text);
            }
            byte => text.push(byte),
        }
    }
    // Without a zero, one more byte is read than there are.
    let is_whole = text.len() as u64 >= max;
    let len = if is_whole { max } else { text.len() as u64 + 1 };
    machine.memory.locate(pointer, len, AccessMode::PLAIN_READ)?;
    Ok(text)
}

/// The string that an argument points to.
pub(super) fn argument(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    idx: usize,
) -> Result<Vec<u8>> {
    let pointer = arguments.value(idx)?;
    read(machine, pointer, u64::MAX)
}

/// A byte of an object that decides something.
pub(super) fn byte(machine: &mut Machine<'_>, origin: Origin, at: u32) -> Result<u8> {
    let torn = || Stop::refused("a part of an address is read as a number");
    let Some(object) = machine.memory.object(origin) else { return Err(torn()) };
    let value = object.read(at, 1, 8).map_err(|_| torn())?;
    if value.base == Base::NUMBER && value.is_defined() {
        return Ok(value.bits as u8);
    }
    if !value.is_defined() {
        let message = "a character that was never set decides something";
        return Err(Stop::error(Rule::UninitialisedMemory, message));
    }
    let is_shared = matches!(value.base.origin(), Origin::Shared(_));
    if is_shared && !machine.has_shared_argument() {
        return Err(Stop::refused("an input that threads share is looked at within a string"));
    }
    machine.number(value, 8, "a character").map(|bits| bits as u8)
}

/// Writes a string's characters, with a zero behind them.
pub(super) fn write(machine: &mut Machine<'_>, to: Value, text: &[u8]) -> Result<()> {
    let location = machine.memory.locate(to, text.len() as u64 + 1, AccessMode::PLAIN_WRITE)?;
    machine.memory.write_bytes(location, text);
    Ok(())
}

fn bound(machine: &mut Machine<'_>, arguments: Arguments<'_>, idx: usize) -> Result<u64> {
    arguments.number(machine, idx, "a number of characters")
}

fn length(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let text = argument(machine, arguments, 0)?;
    arguments.done(text.len() as i64)
}

fn bounded_length(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let max = bound(machine, arguments, 1)?;
    let text = read(machine, arguments.value(0)?, max)?;
    arguments.done(text.len() as i64)
}

/// Copies the second string behind `ahead` characters of the first; gives its length.
fn copy_behind(machine: &mut Machine<'_>, arguments: Arguments<'_>, ahead: u64) -> Result<u64> {
    let len = argument(machine, arguments, 1)?.len() as u64;
    let ends = (End { argument: 0, ahead }, at(1));
    memory::must_be_apart(machine, ends, len + 1)?;
    memory::copy(machine, ends, len + 1, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    Ok(len)
}

fn copy(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    copy_behind(machine, arguments, 0)?;
    memory::first(machine)
}

fn copy_to_end(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let ahead = copy_behind(machine, arguments, 0)?;
    End { argument: 0, ahead }.pointer(machine).map(Effect::Done)
}

fn copy_bounded(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let max = bound(machine, arguments, 2)?;
    let len = read(machine, arguments.value(1)?, max)?.len() as u64;
    memory::must_be_apart(machine, (at(0), at(1)), len)?;
    memory::copy(machine, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    memory::fill(machine, End { argument: 0, ahead: len }, max - len, 0)?;
    memory::first(machine)
}

fn append(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let ahead = argument(machine, arguments, 0)?.len() as u64;
    copy_behind(machine, arguments, ahead)?;
    memory::first(machine)
}

fn append_bounded(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let ahead = argument(machine, arguments, 0)?.len() as u64;
    let max = bound(machine, arguments, 2)?;
    let len = read(machine, arguments.value(1)?, max)?.len() as u64;
    let to = End { argument: 0, ahead };
    memory::must_be_apart(machine, (to, at(1)), len)?;
    memory::copy(machine, (to, at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    memory::fill(machine, End { argument: 0, ahead: ahead + len }, 1, 0)?;
    memory::first(machine)
}

/// Compares texts; of one that is the beginning of the other, the shorter is less.
fn order(left: &[u8], right: &[u8]) -> Ordering {
    left.cmp(right)
}

fn compare(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let left = argument(machine, arguments, 0)?;
    let right = argument(machine, arguments, 1)?;
    arguments.done(order(&left, &right) as i64)
}

fn compare_any_case(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let left = argument(machine, arguments, 0)?.to_ascii_lowercase();
    let right = argument(machine, arguments, 1)?.to_ascii_lowercase();
    arguments.done(order(&left, &right) as i64)
}

fn compare_bounded(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let max = bound(machine, arguments, 2)?;
    let left = read(machine, arguments.value(0)?, max)?;
    let right = read(machine, arguments.value(1)?, max)?;
    arguments.done(order(&left, &right) as i64)
}

/// The address of the character with this index, or null.
fn found(machine: &Machine<'_>, idx: Option<usize>) -> Result<Effect> {
    match idx {
        None => Ok(Effect::Done(Value::ZERO)),
        Some(idx) => End { argument: 0, ahead: idx as u64 }.pointer(machine).map(Effect::Done),
    }
}

/// The first string with its zero, and the character that is looked for.
fn haystack(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<(Vec<u8>, u8)> {
    let wanted = arguments.number(machine, 1, "the character that is looked for")? as u8;
    let mut text = argument(machine, arguments, 0)?;
    text.push(0);
    Ok((text, wanted))
}

fn find_first(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (text, wanted) = haystack(machine, arguments)?;
    found(machine, text.iter().position(|&byte| byte == wanted))
}

fn find_last(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let (text, wanted) = haystack(machine, arguments)?;
    found(machine, text.iter().rposition(|&byte| byte == wanted))
}

fn find_text(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let text = argument(machine, arguments, 0)?;
    let wanted = argument(machine, arguments, 1)?;
    if wanted.is_empty() {
        return found(machine, Some(0));
    }
    found(machine, text.windows(wanted.len()).position(|part| part == wanted))
}

/// How many characters at the start are, or are not, in the second string.
fn span_while(machine: &mut Machine<'_>, arguments: Arguments<'_>, is_in: bool) -> Result<Effect> {
    let text = argument(machine, arguments, 0)?;
    let set = argument(machine, arguments, 1)?;
    let n = text.iter().take_while(|byte| set.contains(byte) == is_in).count();
    arguments.done(n as i64)
}

fn span(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    span_while(machine, arguments, true)
}

fn span_until(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    span_while(machine, arguments, false)
}

fn copy_of(machine: &mut Machine<'_>, text: &[u8]) -> Result<Effect> {
    let align = usual_align(machine);
    let size = text.len() as u64 + 1;
    let Some(new) = new_memory(machine, size, Fresh::Undefined, align)? else {
        return Ok(Effect::Done(Value::ZERO));
    };
    write(machine, new, text)?;
    Ok(Effect::Done(new))
}

fn duplicate(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let text = argument(machine, arguments, 0)?;
    copy_of(machine, &text)
}

fn duplicate_bounded(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let max = bound(machine, arguments, 1)?;
    let text = read(machine, arguments.value(0)?, max)?;
    copy_of(machine, &text)
}
