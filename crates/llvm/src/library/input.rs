//! What programs read from outside: any bytes. Texts of every length cannot be tried,
//! so some are, and then nothing is proven; numbers and single bytes are exact.

use super::clock::input;
use super::item::ahead;
use super::scan::{Directive, Wanted, directives};
use super::{Effect, Entry, LibraryCall, always, environment, never, pointers};
use crate::machine::{Result, Rule, Stop};
use crate::memory::{AccessMode, Kind, Object};
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    always("scanf", |c| scan(c, 0)),
    always("__isoc99_scanf", |c| scan(c, 0)),
    always("__isoc23_scanf", |c| scan(c, 0)),
    always("fscanf", |c| scan(c, 1)),
    always("__isoc99_fscanf", |c| scan(c, 1)),
    always("__isoc23_fscanf", |c| scan(c, 1)),
    pointers("fgets", get_line),
    pointers("gets", get_any_line),
    pointers("read", |c| get_bytes(c, 1)),
    pointers("recv", |c| get_bytes(c, 1)),
    pointers("fread", get_items),
    pointers("write", put_bytes),
    pointers("send", put_bytes),
    always("open", open_number),
    always("open64", open_number),
    always("close", fails_or_not),
    always("unlink", fails_or_not),
    always("remove", fails_or_not),
    always("rename", fails_or_not),
    always("mkdir", fails_or_not),
    pointers("fseek", fails_or_not),
    pointers("ftell", position),
    always("fopen", open),
    always("fopen64", open),
    always("fdopen", open),
    always("tmpfile", open),
    pointers("fclose", close),
    pointers("feof", truth),
    pointers("ferror", truth),
    never("isatty", truth),
    pointers("clearerr", nothing),
    pointers("rewind", nothing),
    never("__VERIFIER_nondet_float", some_float),
    never("__VERIFIER_nondet_double", some_float),
];

/// Floats that stand for all of them.
const FLOATS: [f64; 7] = [0.0, 1.0, -1.0, 0.5, 1e30, f64::INFINITY, f64::NAN];

/// Characters that stand for all but spaces.
const CHARACTERS: &[u8] = b"a7-";

/// So many characters of a text are varied.
const VARIED: u64 = 2;

/// The largest reason for a failure, and the largest number of an open file.
const MAX_ERRNO: u64 = 133;
const MAX_FILE: u64 = 1023;

/// Texts of more bytes than this are not tried.
const MAX_TEXT: u64 = 16;

/// The character of a text at this place.
fn character(call: &mut LibraryCall<'_, '_>, at: u64) -> Value {
    call.cut_inputs();
    let n = if at < VARIED { CHARACTERS.len() } else { 1 };
    Value::number(CHARACTERS[call.choose(n as u32) as usize].into())
}

/// Writes a value of so many bytes where an argument points to.
pub(super) fn put(
    call: &mut LibraryCall<'_, '_>,
    argument: usize,
    (at, bytes): (u64, u32),
    value: Value,
) -> Result<()> {
    let pointer = call.argument(argument)?;
    let location =
        call.locate(ahead(call, pointer, at), u64::from(bytes), AccessMode::PLAIN_WRITE)?;
    call.write_at(location, value);
    Ok(())
}

/// One of some lengths up to `max`; all of them if they are few.
fn some_length(call: &mut LibraryCall<'_, '_>, max: u64) -> u64 {
    let lengths: Vec<u64> = match max {
        0..=2 => (1..=max).collect(),
        3..=MAX_TEXT => vec![1, 2, max],
        _ => vec![1, 2],
    };
    if max > 2 {
        call.cut_inputs();
    }
    match lengths.len() {
        0 => 0,
        n => lengths[call.choose(n as u32) as usize],
    }
}

/// Reads as many of the conversions as there is input for.
fn scan(call: &mut LibraryCall<'_, '_>, format: usize) -> Result<Effect> {
    let template = super::strings::argument(call, format)?;
    let all = directives(&template);
    let wanted = all.iter().filter_map(|directive| match directive {
        Directive::Conversion(wanted) if !wanted.is_dropped => Some(wanted),
        _ => None,
    });
    let assigned: Vec<&Wanted> = wanted.collect();
    let n_counted = assigned.iter().filter(|wanted| wanted.letter != b'n').count() as u32;
    let n_read = call.choose(n_counted + 2);
    if n_read > n_counted {
        return call.done(-1);
    }
    let mut n_done = 0;
    for (wanted, argument) in assigned.into_iter().zip(format + 1..) {
        if n_done == n_read {
            break;
        }
        scan_one(call, wanted, argument)?;
        n_done += u32::from(wanted.letter != b'n');
    }
    call.done(n_read.into())
}

fn scan_one(call: &mut LibraryCall<'_, '_>, wanted: &Wanted, argument: usize) -> Result<()> {
    let bytes = wanted.bytes(call.pointer_bytes());
    match wanted.letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            let value = call.new_symbol(bytes * 8);
            put(call, argument, (0, bytes), value)
        }
        b'n' => {
            let value = input(call, i32::MAX as u64);
            put(call, argument, (0, bytes), value)
        }
        b'c' => {
            for at in 0..wanted.width.max(1) {
                let value = call.new_symbol(8);
                put(call, argument, (at, 1), value)?;
            }
            Ok(())
        }
        b'f' | b'e' | b'g' | b'a' if !wanted.size.contains(&b'L') => {
            let is_double = wanted.size.contains(&b'l');
            let value = float(call, if is_double { 64 } else { 32 });
            put(call, argument, (0, if is_double { 8 } else { 4 }), value)
        }
        b's' => scan_text(call, wanted.width, argument),
        letter => {
            let letter = char::from(letter);
            Err(Stop::refused(format!("the conversion `%{letter}` of an input")))
        }
    }
}

fn scan_text(call: &mut LibraryCall<'_, '_>, width: u64, argument: usize) -> Result<()> {
    if width == 0 && call.choose(2) == 1 {
        return Err(too_long());
    }
    let len = some_length(call, if width == 0 { 1 } else { width });
    for at in 0..len {
        let value = character(call, at);
        put(call, argument, (at, 1), value)?;
    }
    put(call, argument, (len, 1), Value::ZERO)
}

fn too_long() -> Stop {
    let message = "an input of any length is read into memory: it may be longer than that";
    Stop::error(Rule::MemorySafety, message)
}

fn get_any_line(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Err(too_long())
}

/// A line, or null at the end.
fn get_line(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let room = call.number_argument(1, "the room for a line")?;
    if room < 2 || call.choose(2) == 1 {
        return Ok(Effect::Done(Value::ZERO));
    }
    call.locate(call.argument(0)?, room.min(2), AccessMode::PLAIN_WRITE)?;
    let len = some_length(call, room - 1);
    for at in 0..len {
        let is_end = at + 1 == len && call.choose(2) == 1;
        let value = if is_end { Value::number(b'\n'.into()) } else { character(call, at) };
        put(call, 0, (at, 1), value)?;
    }
    put(call, 0, (len, 1), Value::ZERO)?;
    call.argument(0).map(Effect::Done)
}

/// Bytes read into memory, and how many.
fn fill(call: &mut LibraryCall<'_, '_>, argument: usize, room: u64) -> Result<u64> {
    let len = if room > 0 && call.choose(2) == 1 { some_length(call, room) } else { 0 };
    for at in 0..len {
        let value = call.new_symbol(8);
        put(call, argument, (at, 1), value)?;
    }
    Ok(len)
}

fn get_bytes(call: &mut LibraryCall<'_, '_>, to: usize) -> Result<Effect> {
    let room = call.number_argument(to + 1, "the room for what is read")?;
    if call.choose(2) == 1 {
        return fail(call);
    }
    let len = fill(call, to, room)?;
    call.done(len as i64)
}

fn get_items(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let size = call.number_argument(1, "the size of what is read")?;
    let count = call.number_argument(2, "the number of what is read")?;
    let len = fill(call, 0, size.saturating_mul(count))?;
    call.done(len.checked_div(size).unwrap_or(0) as i64)
}

/// Any number of bytes up to all of them is written, or none with an error.
fn put_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = call.number_argument(2, "the number of what is written")?;
    if len > 0 {
        call.locate(call.argument(1)?, len, AccessMode::PLAIN_READ)?;
    }
    match call.choose(2) {
        0 => Ok(Effect::Done(input(call, len))),
        _ => fail(call),
    }
}

/// Says that something failed, for any reason.
fn fail(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let reason = input(call, MAX_ERRNO - 1);
    environment::set_errno(call, Value { bits: 1, ..reason })?;
    call.done(-1)
}

fn fails_or_not(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.choose(2) {
        0 => call.done(0),
        _ => fail(call),
    }
}

/// The number of a file that was opened.
fn open_number(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.choose(2) == 1 {
        return fail(call);
    }
    let number = input(call, MAX_FILE);
    Ok(Effect::Done(number))
}

fn position(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.choose(2) {
        0 => Ok(Effect::Done(input(call, i32::MAX as u64))),
        _ => fail(call),
    }
}

/// A file that can be opened or not.
fn open(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.choose(2) == 1 {
        fail(call)?;
        return Ok(Effect::Done(Value::ZERO));
    }
    let place = call.place();
    call.allocate(Object::zeroed(Kind::Heap, 1, 4, place)).map(Effect::Done)
}

fn close(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    super::heap::release(call, call.argument(0)?, "closed")?;
    call.done(0)
}

fn truth(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let chosen = call.choose(2);
    call.done(chosen.into())
}

fn nothing(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Ok(Effect::Done(Value::ZERO))
}

fn float(call: &mut LibraryCall<'_, '_>, width: u32) -> Value {
    call.cut_inputs();
    let chosen = FLOATS[call.choose(FLOATS.len() as u32) as usize];
    Value::number(match width {
        32 => u64::from((chosen as f32).to_bits()),
        _ => chosen.to_bits(),
    })
}

fn some_float(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Ok(Effect::Done(float(call, call.result_width())))
}
