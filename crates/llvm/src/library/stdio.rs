//! Output: it is kept for the trace. Input: characters are inputs.
//!
//! Files are not looked into; whatever is written goes to one text.

use super::format::{Text, format};
use super::{Arguments, Effect, Entry, clock, never, pointers, strings, succeed, too_few};
use crate::machine::{Machine, READ, Result, Stop};
use crate::value::{Value, mask};

pub(super) static TABLE: &[Entry] = &[
    pointers("printf", |m, a| print(m, a, 0)),
    pointers("fprintf", |m, a| print(m, a, 1)),
    pointers("puts", put_line),
    pointers("fputs", put_string),
    pointers("putchar", put_character),
    pointers("putc", put_character),
    pointers("fputc", put_character),
    pointers("_IO_putc", put_character),
    pointers("fwrite", put_bytes),
    pointers("perror", put_error),
    pointers("fflush", succeed),
    pointers("setbuf", succeed),
    pointers("setvbuf", succeed),
    pointers("sprintf", |m, a| print_to(m, a, None, 1)),
    pointers("snprintf", |m, a| print_to(m, a, Some(1), 2)),
    never("getchar", get_character),
    pointers("getc", get_character),
    pointers("fgetc", get_character),
];

fn show(machine: &mut Machine<'_>, bytes: &[u8]) {
    machine.output.push_str(&String::from_utf8_lossy(bytes));
}

/// The text that a format argument and what follows it make.
fn formatted(machine: &mut Machine<'_>, arguments: Arguments<'_>, idx: usize) -> Result<Text> {
    let template = strings::argument(machine, arguments, idx)?;
    format(machine, arguments, &template, idx + 1)
}

fn print(machine: &mut Machine<'_>, arguments: Arguments<'_>, idx: usize) -> Result<Effect> {
    let text = formatted(machine, arguments, idx)?;
    show(machine, &text.bytes);
    if text.is_vague && arguments.result_width > 0 {
        return Ok(Effect::Done(clock::input(machine, i32::MAX as u64)));
    }
    arguments.done(text.bytes.len() as i64)
}

fn put_line(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let mut text = strings::argument(machine, arguments, 0)?;
    text.push(b'\n');
    show(machine, &text);
    arguments.done(text.len() as i64)
}

fn put_string(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let text = strings::argument(machine, arguments, 0)?;
    show(machine, &text);
    arguments.done(1)
}

fn put_character(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let value = arguments.value(0)?;
    let Some(number) = value.as_number() else {
        show(machine, b"?");
        return Ok(Effect::Done(clock::input(machine, 255)));
    };
    show(machine, &[number as u8]);
    arguments.done(i64::from(number as u8))
}

fn put_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let size = arguments.number(machine, 1, "the size of what is written")?;
    let count = arguments.number(machine, 2, "the number of what is written")?;
    let len = size.saturating_mul(count);
    if len > 0 {
        let spot = machine.locate(arguments.value(0)?, len, READ)?;
        let object = machine.object_at(spot.origin);
        let range = spot.at as usize..(spot.at + spot.len) as usize;
        let bytes = object.map_or(Vec::new(), |object| object.bytes[range].to_vec());
        show(machine, &bytes);
    }
    let is_empty = size == 0;
    arguments.done(if is_empty { 0 } else { count as i64 })
}

fn put_error(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    if arguments.value(0)? != Value::ZERO {
        let text = strings::argument(machine, arguments, 0)?;
        show(machine, &text);
        show(machine, b": ");
    }
    show(machine, b"error\n");
    Ok(Effect::Done(Value::ZERO))
}

/// Writes a text to memory; `size` is the argument with the room for it.
fn print_to(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    size: Option<usize>,
    idx: usize,
) -> Result<Effect> {
    let room = match size {
        None => u64::MAX,
        Some(size) => arguments.number(machine, size, "the room for a text")?,
    };
    let text = formatted(machine, arguments, idx)?;
    if text.is_vague {
        return Err(Stop::refused("a text is made from what is not known"));
    }
    if room > 0 {
        let len = (text.bytes.len() as u64).min(room - 1) as usize;
        let to = machine.argument(0).ok_or_else(too_few)?;
        strings::write(machine, to, &text.bytes[..len])?;
    }
    arguments.done(text.bytes.len() as i64)
}

/// A character, or -1 for the end.
fn get_character(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let input = clock::input(machine, 256);
    let bits = input.bits.wrapping_sub(1) & mask(arguments.result_width.max(1));
    Ok(Effect::Done(Value { bits, ..input }))
}
