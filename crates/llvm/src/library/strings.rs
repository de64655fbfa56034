//! Strings in memory.

use crate::machine::{LOOK, Machine, READ, Result, Rule, Stop};
use crate::value::{Base, Origin, Value};

/// Longer texts are cut in messages.
const MAX_SHOWN: usize = 200;

/// The text at an address, for messages: nothing is touched, and what cannot be
/// shown is left out.
pub(super) fn shown(machine: &Machine<'_>, pointer: Value) -> Option<String> {
    let object = machine.object_at(pointer.base.origin())?;
    let bytes = object.bytes.get(usize::try_from(pointer.bits).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..end.min(MAX_SHOWN)]).into_owned())
}

/// The characters at an address up to the terminating zero, or `max` of them.
pub(super) fn read(machine: &mut Machine<'_>, pointer: Value, max: u64) -> Result<Vec<u8>> {
    let spot = machine.locate(pointer, 0, LOOK)?;
    let size = machine.object_at(spot.origin).map_or(0, |object| object.bytes.len() as u32);
    let mut text = Vec::new();
    for at in spot.at..size {
        if text.len() as u64 >= max {
            break;
        }
        match byte(machine, spot.origin, at)? {
            0 => {
                machine.locate(pointer, text.len() as u64 + 1, READ)?;
                return Ok(text);
            }
            byte => text.push(byte),
        }
    }
    // Without a zero, one more byte is read than there are.
    let is_whole = text.len() as u64 >= max;
    let len = if is_whole { max } else { text.len() as u64 + 1 };
    machine.locate(pointer, len, READ)?;
    Ok(text)
}

/// A byte of an object that decides something.
pub(super) fn byte(machine: &mut Machine<'_>, origin: Origin, at: u32) -> Result<u8> {
    let torn = || Stop::refused("a part of an address is read as a number");
    let Some(object) = machine.object_at(origin) else { return Err(torn()) };
    let value = object.read(at, 1, 8).map_err(|_| torn())?;
    if value.base == Base::NUMBER && value.is_defined() {
        return Ok(value.bits as u8);
    }
    if !value.is_defined() {
        let message = "a character that was never set decides something";
        return Err(Stop::error(Rule::Uninitialised, message));
    }
    let is_shared = matches!(value.base.origin(), Origin::Shared(_));
    if is_shared && !machine.has_shared_argument() {
        return Err(Stop::refused("an input that threads share is looked at within a string"));
    }
    machine.number(value, 8, "a character").map(|bits| bits as u8)
}
