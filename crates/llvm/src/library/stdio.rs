//! Output: it is kept for the trace. Input: characters are inputs.
//!
//! Files are not looked into; whatever is written goes to one text.

use super::format::{Following, Text, format};
use super::heap::{Fresh, new_memory, usual_align};
use super::item::{ahead, write_through};
use super::{Arguments, Effect, Entry, always, clock, never, pointers, strings, succeed, too_few};
use crate::machine::{Machine, Result, Stop};
use crate::memory::AccessMode;
use crate::value::{Value, mask};

pub(super) static TABLE: &[Entry] = &[
    pointers("printf", |m, a| print(m, a, given(0))),
    pointers("fprintf", |m, a| print(m, a, given(1))),
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
    pointers("sprintf", |m, a| print_to(m, a, None, given(1))),
    pointers("snprintf", |m, a| print_to(m, a, Some(1), given(2))),
    pointers("asprintf", |m, a| print_new(m, a, given(1))),
    pointers("dprintf", |m, a| print(m, a, given(1))),
    // What a list leads to may be shared even if the list is not.
    always("vprintf", |m, a| print(m, a, listed(0))),
    always("vfprintf", |m, a| print(m, a, listed(1))),
    always("vdprintf", |m, a| print(m, a, listed(1))),
    always("vsprintf", |m, a| print_to(m, a, None, listed(1))),
    always("vsnprintf", |m, a| print_to(m, a, Some(1), listed(2))),
    always("vasprintf", |m, a| print_new(m, a, listed(1))),
    pointers("__printf_chk", |m, a| print(m, a, given(1))),
    pointers("__fprintf_chk", |m, a| print(m, a, given(2))),
    pointers("__sprintf_chk", |m, a| print_to(m, a, Some(2), given(3))),
    pointers("__snprintf_chk", |m, a| print_to(m, a, Some(1), given(4))),
    never("getchar", get_character),
    pointers("getc", get_character),
    pointers("fgetc", get_character),
];

fn show(machine: &mut Machine<'_>, bytes: &[u8]) {
    machine.output.push_str(&String::from_utf8_lossy(bytes));
}

/// Where a format is among the arguments, and where what it speaks of is.
#[derive(Clone, Copy)]
struct Template {
    format: usize,
    is_listed: bool,
}

const fn given(format: usize) -> Template {
    Template { format, is_listed: false }
}

const fn listed(format: usize) -> Template {
    Template { format, is_listed: true }
}

/// Where a list of 64-bit x86 has the address of its next argument.
const NEXT_AT: u64 = 8;

/// The text that a format argument and what follows it make.
fn formatted(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    template: Template,
) -> Result<Text> {
    let text = strings::argument(machine, arguments, template.format)?;
    let first = template.format + 1;
    if !template.is_listed {
        return format(machine, &text, &mut Following::Given(arguments, first));
    }
    let list = arguments.value(first)?;
    if machine.code.pointer_bytes == 4 {
        return format(machine, &text, &mut Following::Listed(list));
    }
    let field = ahead(machine, list, NEXT_AT);
    let location = machine.memory.locate(field, 8, AccessMode::PLAIN_READ)?;
    let next = machine.memory.read_at(location, 64)?;
    let made = format(machine, &text, &mut Following::Listed(next))?;
    // C11 7.21.6.8: the list has no value any more.
    let location = machine.memory.locate(field, 8, AccessMode::PLAIN_WRITE)?;
    machine.memory.write_at(location, Value::undefined(64));
    Ok(made)
}

fn print(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    template: Template,
) -> Result<Effect> {
    let text = formatted(machine, arguments, template)?;
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
        let location = machine.memory.locate(arguments.value(0)?, len, AccessMode::PLAIN_READ)?;
        let object = machine.memory.object(location.origin);
        let range = location.at as usize..(location.at + location.len) as usize;
        let bytes = object.map_or(Vec::new(), |object| object.bytes()[range].to_vec());
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
    template: Template,
) -> Result<Effect> {
    let room = match size {
        None => u64::MAX,
        Some(size) => arguments.number(machine, size, "the room for a text")?,
    };
    let text = known(formatted(machine, arguments, template)?)?;
    if room > 0 {
        let len = (text.bytes.len() as u64).min(room - 1) as usize;
        let to = machine.argument(0).ok_or_else(too_few)?;
        strings::write(machine, to, &text.bytes[..len])?;
    }
    arguments.done(text.bytes.len() as i64)
}

fn known(text: Text) -> Result<Text> {
    match text.is_vague {
        true => Err(Stop::refused("a text is made from what is not known")),
        false => Ok(text),
    }
}

/// Writes a text to new memory.
fn print_new(
    machine: &mut Machine<'_>,
    arguments: Arguments<'_>,
    template: Template,
) -> Result<Effect> {
    let text = known(formatted(machine, arguments, template)?)?;
    let align = usual_align(machine);
    let size = text.bytes.len() as u64 + 1;
    let Some(new) = new_memory(machine, size, Fresh::Undefined, align)? else {
        return arguments.done(-1);
    };
    strings::write(machine, new, &text.bytes)?;
    write_through(machine, 0, machine.code.pointer_bytes, new)?;
    arguments.done(text.bytes.len() as i64)
}

/// A character, or -1 for the end.
fn get_character(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let input = clock::input(machine, 256);
    let bits = input.bits.wrapping_sub(1) & mask(arguments.result_width.max(1));
    Ok(Effect::Done(Value { bits, ..input }))
}
