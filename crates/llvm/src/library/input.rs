//! What programs read from outside: any bytes. Texts of every length cannot be tried,
//! so some are, and then nothing is proven; numbers and single bytes are exact.

use super::clock::input;
use super::item::ahead;
use super::scan::{Directive, Wanted, directives};
use super::{Arguments, Effect, Entry, always, environment, never, pointers, too_few};
use crate::machine::{Machine, Result, Rule, Stop};
use crate::memory::{AccessMode, Kind, Object};
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    always("scanf", |m, a| scan(m, a, 0)),
    always("__isoc99_scanf", |m, a| scan(m, a, 0)),
    always("__isoc23_scanf", |m, a| scan(m, a, 0)),
    always("fscanf", |m, a| scan(m, a, 1)),
    always("__isoc99_fscanf", |m, a| scan(m, a, 1)),
    always("__isoc23_fscanf", |m, a| scan(m, a, 1)),
    pointers("fgets", get_line),
    pointers("gets", get_any_line),
    pointers("read", |m, a| get_bytes(m, a, 1)),
    pointers("recv", |m, a| get_bytes(m, a, 1)),
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
fn character(machine: &mut Machine<'_>, at: u64) -> Value {
    machine.is_cut = true;
    let n = if at < VARIED { CHARACTERS.len() } else { 1 };
    Value::number(CHARACTERS[machine.choose(n as u32) as usize].into())
}

/// Writes a value of so many bytes where an argument points to.
pub(super) fn put(
    machine: &mut Machine<'_>,
    argument: usize,
    (at, bytes): (u64, u32),
    value: Value,
) -> Result<()> {
    let pointer = machine.argument(argument).ok_or_else(too_few)?;
    let location = machine.memory.locate(
        ahead(machine, pointer, at),
        u64::from(bytes),
        AccessMode::PLAIN_WRITE,
    )?;
    machine.memory.write_at(location, value);
    Ok(())
}

/// One of some lengths up to `max`; all of them if they are few.
fn some_length(machine: &mut Machine<'_>, max: u64) -> u64 {
    let lengths: Vec<u64> = match max {
        0..=2 => (1..=max).collect(),
        3..=MAX_TEXT => vec![1, 2, max],
        _ => vec![1, 2],
    };
    machine.is_cut |= max > 2;
    match lengths.len() {
        0 => 0,
        n => lengths[machine.choose(n as u32) as usize],
    }
}

/// Reads as many of the conversions as there is input for.
fn scan(machine: &mut Machine<'_>, arguments: Arguments<'_>, format: usize) -> Result<Effect> {
    let template = super::strings::argument(machine, arguments, format)?;
    let all = directives(&template);
    let wanted = all.iter().filter_map(|directive| match directive {
        Directive::Conversion(wanted) if !wanted.is_dropped => Some(wanted),
        _ => None,
    });
    let assigned: Vec<&Wanted> = wanted.collect();
    let n_counted = assigned.iter().filter(|wanted| wanted.letter != b'n').count() as u32;
    let n_read = machine.choose(n_counted + 2);
    if n_read > n_counted {
        return arguments.done(-1);
    }
    let mut n_done = 0;
    for (wanted, argument) in assigned.into_iter().zip(format + 1..) {
        if n_done == n_read {
            break;
        }
        scan_one(machine, wanted, argument)?;
        n_done += u32::from(wanted.letter != b'n');
    }
    arguments.done(n_read.into())
}

fn scan_one(machine: &mut Machine<'_>, wanted: &Wanted, argument: usize) -> Result<()> {
    let bytes = wanted.bytes(machine.code.pointer_bytes);
    match wanted.letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            let value = machine.new_symbol(bytes * 8);
            put(machine, argument, (0, bytes), value)
        }
        b'n' => {
            let value = input(machine, i32::MAX as u64);
            put(machine, argument, (0, bytes), value)
        }
        b'c' => {
            for at in 0..wanted.width.max(1) {
                let value = machine.new_symbol(8);
                put(machine, argument, (at, 1), value)?;
            }
            Ok(())
        }
        b'f' | b'e' | b'g' | b'a' if !wanted.size.contains(&b'L') => {
            let is_double = wanted.size.contains(&b'l');
            let value = float(machine, if is_double { 64 } else { 32 });
            put(machine, argument, (0, if is_double { 8 } else { 4 }), value)
        }
        b's' => scan_text(machine, wanted.width, argument),
        letter => {
            let letter = char::from(letter);
            Err(Stop::refused(format!("the conversion `%{letter}` of an input")))
        }
    }
}

fn scan_text(machine: &mut Machine<'_>, width: u64, argument: usize) -> Result<()> {
    if width == 0 && machine.choose(2) == 1 {
        return Err(too_long());
    }
    let len = some_length(machine, if width == 0 { 1 } else { width });
    for at in 0..len {
        let value = character(machine, at);
        put(machine, argument, (at, 1), value)?;
    }
    put(machine, argument, (len, 1), Value::ZERO)
}

fn too_long() -> Stop {
    let message = "an input of any length is read into memory: it may be longer than that";
    Stop::error(Rule::MemorySafety, message)
}

fn get_any_line(_: &mut Machine<'_>, _: Arguments<'_>) -> Result<Effect> {
    Err(too_long())
}

/// A line, or null at the end.
fn get_line(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let room = arguments.number(machine, 1, "the room for a line")?;
    if room < 2 || machine.choose(2) == 1 {
        return Ok(Effect::Done(Value::ZERO));
    }
    machine.memory.locate(arguments.value(0)?, room.min(2), AccessMode::PLAIN_WRITE)?;
    let len = some_length(machine, room - 1);
    for at in 0..len {
        let is_end = at + 1 == len && machine.choose(2) == 1;
        let value = if is_end { Value::number(b'\n'.into()) } else { character(machine, at) };
        put(machine, 0, (at, 1), value)?;
    }
    put(machine, 0, (len, 1), Value::ZERO)?;
    machine.argument(0).map(Effect::Done).ok_or_else(too_few)
}

/// Bytes read into memory, and how many.
fn fill(machine: &mut Machine<'_>, argument: usize, room: u64) -> Result<u64> {
    let len = if room > 0 && machine.choose(2) == 1 { some_length(machine, room) } else { 0 };
    for at in 0..len {
        let value = machine.new_symbol(8);
        put(machine, argument, (at, 1), value)?;
    }
    Ok(len)
}

fn get_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>, to: usize) -> Result<Effect> {
    let room = arguments.number(machine, to + 1, "the room for what is read")?;
    if machine.choose(2) == 1 {
        return fail(machine, arguments);
    }
    let len = fill(machine, to, room)?;
    arguments.done(len as i64)
}

fn get_items(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let size = arguments.number(machine, 1, "the size of what is read")?;
    let count = arguments.number(machine, 2, "the number of what is read")?;
    let len = fill(machine, 0, size.saturating_mul(count))?;
    arguments.done(len.checked_div(size).unwrap_or(0) as i64)
}

/// Any number of bytes up to all of them is written, or none with an error.
fn put_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = arguments.number(machine, 2, "the number of what is written")?;
    if len > 0 {
        machine.memory.locate(arguments.value(1)?, len, AccessMode::PLAIN_READ)?;
    }
    match machine.choose(2) {
        0 => Ok(Effect::Done(input(machine, len))),
        _ => fail(machine, arguments),
    }
}

/// Says that something failed, for any reason.
fn fail(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let reason = input(machine, MAX_ERRNO - 1);
    environment::set_errno(machine, Value { bits: 1, ..reason })?;
    arguments.done(-1)
}

fn fails_or_not(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    match machine.choose(2) {
        0 => arguments.done(0),
        _ => fail(machine, arguments),
    }
}

/// The number of a file that was opened.
fn open_number(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if machine.choose(2) == 1 {
        return fail(machine, arguments);
    }
    let number = input(machine, MAX_FILE);
    Ok(Effect::Done(number))
}

fn position(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    match machine.choose(2) {
        0 => Ok(Effect::Done(input(machine, i32::MAX as u64))),
        _ => fail(machine, arguments),
    }
}

/// A file that can be opened or not.
fn open(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if machine.choose(2) == 1 {
        fail(machine, arguments)?;
        return Ok(Effect::Done(Value::ZERO));
    }
    let place = machine.instr().place;
    machine.memory.allocate(Object::zeroed(Kind::Heap, 1, 4, place)).map(Effect::Done)
}

fn close(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    super::heap::release(machine, arguments.value(0)?, "closed")?;
    arguments.done(0)
}

fn truth(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let chosen = machine.choose(2);
    arguments.done(chosen.into())
}

fn nothing(_: &mut Machine<'_>, _: Arguments<'_>) -> Result<Effect> {
    Ok(Effect::Done(Value::ZERO))
}

fn float(machine: &mut Machine<'_>, width: u32) -> Value {
    machine.is_cut = true;
    let chosen = FLOATS[machine.choose(FLOATS.len() as u32) as usize];
    Value::number(match width {
        32 => u64::from((chosen as f32).to_bits()),
        _ => chosen.to_bits(),
    })
}

fn some_float(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    Ok(Effect::Done(float(machine, arguments.result_width)))
}
