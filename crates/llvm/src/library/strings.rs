//! Strings in memory: measured, copied, compared, searched.

use std::cmp::Ordering;

use super::heap::{Fresh, new_memory, usual_align};
use super::memory::{self, End, at};
use super::{Effect, Entry, LibraryCall, pointers};
use crate::machine::{Result, Rule, Stop};
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
pub(super) fn shown(call: &LibraryCall<'_, '_>, pointer: Value) -> Option<String> {
    let object = call.object(pointer.base.origin())?;
    let bytes = object.bytes().get(usize::try_from(pointer.bits).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..end.min(MAX_SHOWN)]).into_owned())
}

/// The characters at an address up to the terminating zero, or `max` of them.
pub(super) fn read(call: &mut LibraryCall<'_, '_>, pointer: Value, max: u64) -> Result<Vec<u8>> {
    let location = call.locate(pointer, 0, AccessMode::ATOMIC_READ)?;
    let size = call.object(location.origin).map_or(0, Object::size);
    let mut text = Vec::new();
    for at in location.at..size {
        if text.len() as u64 >= max {
            break;
        }
        match byte(call, location.origin, at)? {
            0 => {
                call.locate(pointer, text.len() as u64 + 1, AccessMode::PLAIN_READ)?;
                return Ok(text);
            }
            byte => text.push(byte),
        }
    }
    // Without a zero, one more byte is read than there are.
    let is_whole = text.len() as u64 >= max;
    let len = if is_whole { max } else { text.len() as u64 + 1 };
    call.locate(pointer, len, AccessMode::PLAIN_READ)?;
    Ok(text)
}

/// The string that an argument points to.
pub(super) fn argument(call: &mut LibraryCall<'_, '_>, idx: usize) -> Result<Vec<u8>> {
    let pointer = call.argument(idx)?;
    read(call, pointer, u64::MAX)
}

/// A byte of an object that decides something.
pub(super) fn byte(call: &mut LibraryCall<'_, '_>, origin: Origin, at: u32) -> Result<u8> {
    let torn = || Stop::refused("a part of an address is read as a number");
    let Some(object) = call.object(origin) else { return Err(torn()) };
    let value = object.read(at, 1, 8).map_err(|_| torn())?;
    if value.base == Base::NUMBER && value.is_defined() {
        return Ok(value.bits as u8);
    }
    if !value.is_defined() {
        let message = "a character that was never set decides something";
        return Err(Stop::error(Rule::UninitialisedMemory, message));
    }
    let is_shared = matches!(value.base.origin(), Origin::Shared(_));
    if is_shared && !call.has_shared_argument() {
        return Err(Stop::refused("a string contains an input that threads share"));
    }
    call.number(value, 8, "a character").map(|bits| bits as u8)
}

/// Writes a string's characters, with a zero behind them.
pub(super) fn write(call: &mut LibraryCall<'_, '_>, to: Value, text: &[u8]) -> Result<()> {
    let location = call.locate(to, text.len() as u64 + 1, AccessMode::PLAIN_WRITE)?;
    call.write_bytes(location, text);
    Ok(())
}

fn bound(call: &mut LibraryCall<'_, '_>, idx: usize) -> Result<u64> {
    call.number_argument(idx, "a number of characters")
}

fn length(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let text = argument(call, 0)?;
    call.done(text.len() as i64)
}

fn bounded_length(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let max = bound(call, 1)?;
    let text = read(call, call.argument(0)?, max)?;
    call.done(text.len() as i64)
}

/// Copies the second string behind `ahead` characters of the first; gives its length.
fn copy_behind(call: &mut LibraryCall<'_, '_>, ahead: u64) -> Result<u64> {
    let len = argument(call, 1)?.len() as u64;
    let ends = (End { argument: 0, ahead }, at(1));
    memory::must_be_apart(call, ends, len + 1)?;
    memory::copy(call, ends, len + 1, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    Ok(len)
}

fn copy(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    copy_behind(call, 0)?;
    memory::first(call)
}

fn copy_to_end(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let ahead = copy_behind(call, 0)?;
    End { argument: 0, ahead }.pointer(call).map(Effect::Done)
}

fn copy_bounded(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let max = bound(call, 2)?;
    let len = read(call, call.argument(1)?, max)?.len() as u64;
    memory::must_be_apart(call, (at(0), at(1)), len)?;
    memory::copy(call, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    memory::fill(call, End { argument: 0, ahead: len }, max - len, 0)?;
    memory::first(call)
}

fn append(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let ahead = argument(call, 0)?.len() as u64;
    copy_behind(call, ahead)?;
    memory::first(call)
}

fn append_bounded(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let ahead = argument(call, 0)?.len() as u64;
    let max = bound(call, 2)?;
    let len = read(call, call.argument(1)?, max)?.len() as u64;
    let to = End { argument: 0, ahead };
    memory::must_be_apart(call, (to, at(1)), len)?;
    memory::copy(call, (to, at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    memory::fill(call, End { argument: 0, ahead: ahead + len }, 1, 0)?;
    memory::first(call)
}

/// Compares texts; of one that is the beginning of the other, the shorter is less.
fn order(left: &[u8], right: &[u8]) -> Ordering {
    left.cmp(right)
}

fn compare(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let left = argument(call, 0)?;
    let right = argument(call, 1)?;
    call.done(order(&left, &right) as i64)
}

fn compare_any_case(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let left = argument(call, 0)?.to_ascii_lowercase();
    let right = argument(call, 1)?.to_ascii_lowercase();
    call.done(order(&left, &right) as i64)
}

fn compare_bounded(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let max = bound(call, 2)?;
    let left = read(call, call.argument(0)?, max)?;
    let right = read(call, call.argument(1)?, max)?;
    call.done(order(&left, &right) as i64)
}

/// The address of the character with this index, or null.
fn found(call: &LibraryCall<'_, '_>, idx: Option<usize>) -> Result<Effect> {
    match idx {
        None => Ok(Effect::Done(Value::ZERO)),
        Some(idx) => End { argument: 0, ahead: idx as u64 }.pointer(call).map(Effect::Done),
    }
}

/// The first string with its zero, and the character that is looked for.
fn haystack(call: &mut LibraryCall<'_, '_>) -> Result<(Vec<u8>, u8)> {
    let wanted = call.number_argument(1, "the character that is looked for")? as u8;
    let mut text = argument(call, 0)?;
    text.push(0);
    Ok((text, wanted))
}

fn find_first(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (text, wanted) = haystack(call)?;
    found(call, text.iter().position(|&byte| byte == wanted))
}

fn find_last(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let (text, wanted) = haystack(call)?;
    found(call, text.iter().rposition(|&byte| byte == wanted))
}

fn find_text(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let text = argument(call, 0)?;
    let wanted = argument(call, 1)?;
    if wanted.is_empty() {
        return found(call, Some(0));
    }
    found(call, text.windows(wanted.len()).position(|part| part == wanted))
}

/// How many characters at the start are, or are not, in the second string.
fn span_while(call: &mut LibraryCall<'_, '_>, is_in: bool) -> Result<Effect> {
    let text = argument(call, 0)?;
    let set = argument(call, 1)?;
    let n = text.iter().take_while(|byte| set.contains(byte) == is_in).count();
    call.done(n as i64)
}

fn span(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    span_while(call, true)
}

fn span_until(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    span_while(call, false)
}

fn copy_of(call: &mut LibraryCall<'_, '_>, text: &[u8]) -> Result<Effect> {
    let align = usual_align(call);
    let size = text.len() as u64 + 1;
    let Some(new) = new_memory(call, size, Fresh::Undefined, align)? else {
        return Ok(Effect::Done(Value::ZERO));
    };
    write(call, new, text)?;
    Ok(Effect::Done(new))
}

fn duplicate(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let text = argument(call, 0)?;
    copy_of(call, &text)
}

fn duplicate_bounded(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let max = bound(call, 1)?;
    let text = read(call, call.argument(0)?, max)?;
    copy_of(call, &text)
}
