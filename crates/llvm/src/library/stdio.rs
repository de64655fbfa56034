//! Output: it is kept for the trace. Input: characters are inputs.
//!
//! Files are not looked into; whatever is written goes to one text.

use super::format::{Following, Text, format};
use super::heap::{Fresh, new_memory, usual_align};
use super::item::{ahead, write_through};
use super::{Effect, Entry, LibraryCall, always, clock, never, pointers, strings, succeed};
use crate::machine::{Result, Stop};
use crate::memory::AccessMode;
use crate::value::{Value, mask};

pub(super) static TABLE: &[Entry] = &[
    pointers("printf", |c| print(c, given(0))),
    pointers("fprintf", |c| print(c, given(1))),
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
    pointers("sprintf", |c| print_to(c, None, given(1))),
    pointers("snprintf", |c| print_to(c, Some(1), given(2))),
    pointers("asprintf", |c| print_new(c, given(1))),
    pointers("dprintf", |c| print(c, given(1))),
    // What a list leads to may be shared even if the list is not.
    always("vprintf", |c| print(c, listed(0))),
    always("vfprintf", |c| print(c, listed(1))),
    always("vdprintf", |c| print(c, listed(1))),
    always("vsprintf", |c| print_to(c, None, listed(1))),
    always("vsnprintf", |c| print_to(c, Some(1), listed(2))),
    always("vasprintf", |c| print_new(c, listed(1))),
    pointers("__printf_chk", |c| print(c, given(1))),
    pointers("__fprintf_chk", |c| print(c, given(2))),
    pointers("__sprintf_chk", |c| print_to(c, Some(2), given(3))),
    pointers("__snprintf_chk", |c| print_to(c, Some(1), given(4))),
    never("getchar", get_character),
    pointers("getc", get_character),
    pointers("fgetc", get_character),
];

fn show(call: &mut LibraryCall<'_, '_>, bytes: &[u8]) {
    call.show(&String::from_utf8_lossy(bytes));
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
fn formatted(call: &mut LibraryCall<'_, '_>, template: Template) -> Result<Text> {
    let text = strings::argument(call, template.format)?;
    let first = template.format + 1;
    if !template.is_listed {
        return format(call, &text, &mut Following::Given(first));
    }
    let list = call.argument(first)?;
    if call.pointer_bytes() == 4 {
        return format(call, &text, &mut Following::Listed(list));
    }
    let field = ahead(call, list, NEXT_AT);
    let location = call.locate(field, 8, AccessMode::PLAIN_READ)?;
    let next = call.read_at(location, 64)?;
    let made = format(call, &text, &mut Following::Listed(next))?;
    // C11 7.21.6.8: the list has no value any more.
    let location = call.locate(field, 8, AccessMode::PLAIN_WRITE)?;
    call.write_at(location, Value::undefined(64));
    Ok(made)
}

fn print(call: &mut LibraryCall<'_, '_>, template: Template) -> Result<Effect> {
    let text = formatted(call, template)?;
    show(call, &text.bytes);
    if text.is_vague && call.result_width() > 0 {
        return Ok(Effect::Done(clock::input(call, i32::MAX as u64)));
    }
    call.done(text.bytes.len() as i64)
}

fn put_line(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let mut text = strings::argument(call, 0)?;
    text.push(b'\n');
    show(call, &text);
    call.done(text.len() as i64)
}

fn put_string(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let text = strings::argument(call, 0)?;
    show(call, &text);
    call.done(1)
}

fn put_character(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let value = call.argument(0)?;
    let Some(number) = value.as_number() else {
        show(call, b"?");
        return Ok(Effect::Done(clock::input(call, 255)));
    };
    show(call, &[number as u8]);
    call.done(i64::from(number as u8))
}

fn put_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let size = call.number_argument(1, "the size of what is written")?;
    let count = call.number_argument(2, "the number of what is written")?;
    let len = size.saturating_mul(count);
    if len > 0 {
        let location = call.locate(call.argument(0)?, len, AccessMode::PLAIN_READ)?;
        let object = call.object(location.origin);
        let range = location.at as usize..(location.at + location.len) as usize;
        let bytes = object.and_then(|object| object.bytes().get(range)).map(<[u8]>::to_vec);
        let bytes = bytes.unwrap_or_default();
        show(call, &bytes);
    }
    let is_empty = size == 0;
    call.done(if is_empty { 0 } else { count as i64 })
}

fn put_error(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.argument(0)? != Value::ZERO {
        let text = strings::argument(call, 0)?;
        show(call, &text);
        show(call, b": ");
    }
    show(call, b"error\n");
    Ok(Effect::Done(Value::ZERO))
}

/// Writes a text to memory; `size` is the argument with the room for it.
fn print_to(
    call: &mut LibraryCall<'_, '_>,
    size: Option<usize>,
    template: Template,
) -> Result<Effect> {
    let room = match size {
        None => u64::MAX,
        Some(size) => call.number_argument(size, "the room for a text")?,
    };
    let text = known(formatted(call, template)?)?;
    if room > 0 {
        let len = (text.bytes.len() as u64).min(room - 1) as usize;
        let to = call.argument(0)?;
        strings::write(call, to, &text.bytes[..len])?;
    }
    call.done(text.bytes.len() as i64)
}

fn known(text: Text) -> Result<Text> {
    match text.is_vague {
        true => Err(Stop::refused("a text is made from what is not known")),
        false => Ok(text),
    }
}

/// Writes a text to new memory.
fn print_new(call: &mut LibraryCall<'_, '_>, template: Template) -> Result<Effect> {
    let text = known(formatted(call, template)?)?;
    let align = usual_align(call);
    let size = text.bytes.len() as u64 + 1;
    let Some(new) = new_memory(call, size, Fresh::Undefined, align)? else {
        return call.done(-1);
    };
    strings::write(call, new, &text.bytes)?;
    write_through(call, 0, call.pointer_bytes(), new)?;
    call.done(text.bytes.len() as i64)
}

/// A character, or -1 for the end.
fn get_character(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let input = clock::input(call, 256);
    let bits = input.bits.wrapping_sub(1) & mask(call.result_width().max(1));
    Ok(Effect::Done(Value { bits, ..input }))
}
