//! Stores as people read them: variables by name, numbers and addresses in C's
//! terms.

use model::Access;

use crate::code::{Code, NumberStyle, Shape};
use crate::machine::{Ending, Kind, Object, Shared, Thread, ThreadField};
use crate::value::{Origin, Value, signed};

/// Elements of an array that are shown before it is cut.
const MAX_ELEMENTS: u64 = 8;

/// A location of the shared store.
pub fn location(code: &Code, shared: &Shared, access: Access) -> String {
    let Some(object) = shared.object(access.object) else { return "memory".into() };
    if let Some(variable) = code.globals.get(access.object as usize) {
        let path = path_to(&variable.shape, u64::from(access.at));
        return format!("`{}{path}`", variable.name);
    }
    let line = code.places.get(object.site as usize).map_or(0, |place| place.line);
    match object.kind {
        Kind::Heap => format!("memory allocated at line {line}"),
        Kind::Stack => format!("a local variable of line {line}"),
        Kind::Thread => "a thread's state".into(),
        Kind::Symbol => "an input".into(),
        Kind::Variable => "a thread-local variable".into(),
    }
}

fn path_to(shape: &Shape, at: u64) -> String {
    match shape {
        Shape::Record(members) => {
            let member = members.iter().rev().find(|(_, offset, _)| *offset <= at);
            member.map_or_else(String::new, |(name, offset, shape)| {
                format!(".{name}{}", path_to(shape, at - offset))
            })
        }
        Shape::Array(_, size, element) if *size > 0 => {
            format!("[{}]{}", at / size, path_to(element, at % size))
        }
        _ => String::new(),
    }
}

/// The shared store: variables and memory.
pub fn shared(code: &Code, shared: &Shared) -> String {
    parts(code, shared).join(", ")
}

/// What of the shared store is not as it was before.
pub fn change(code: &Code, before: &Shared, after: &Shared) -> String {
    let old = parts(code, before);
    let changed = parts(code, after).into_iter().filter(|part| !old.contains(part));
    changed.collect::<Vec<_>>().join(", ")
}

fn parts(code: &Code, shared: &Shared) -> Vec<String> {
    let mut parts = Vec::new();
    for (idx, object) in shared.objects.iter().enumerate() {
        let Some(object) = object else { continue };
        match code.globals.get(idx) {
            Some(variable) => {
                let value = contents(code, object, 0, &variable.shape, variable.size);
                parts.push(format!("{} = {value}", variable.name));
            }
            None => parts.extend(other_object(code, idx, object)),
        }
    }
    if shared.is_over {
        parts.push("the program has ended".into());
    }
    parts
}

fn other_object(code: &Code, idx: usize, object: &Object) -> Option<String> {
    let number = idx - code.globals.len();
    match object.kind {
        Kind::Thread => {
            let field = |field: ThreadField| {
                let (at, len) = field.place();
                object.read(at, len, len * 8).ok()
            };
            let has_ended = field(ThreadField::HasEnded).is_some_and(|value| value.bits != 0);
            has_ended.then(|| format!("thread object {number} has ended"))
        }
        Kind::Symbol => None,
        _ if !object.is_live => Some(format!("object {number} is freed")),
        _ => {
            let bytes = contents(code, object, 0, &Shape::Bytes, object.bytes.len() as u64);
            Some(format!("object {number} = {bytes}"))
        }
    }
}

/// The contents of some bytes of an object.
fn contents(code: &Code, object: &Object, at: u64, shape: &Shape, size: u64) -> String {
    match shape {
        Shape::Number { bytes, style } => scalar(code, object, at, *bytes, style),
        Shape::Pointer => scalar(code, object, at, code.pointer_bytes, &NumberStyle::Unsigned),
        Shape::Record(members) => {
            let shown = members.iter().map(|(name, offset, shape)| {
                format!("{name}: {}", contents(code, object, at + offset, shape, size))
            });
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
        Shape::Array(n, size, element) => {
            let shown = (0..(*n).min(MAX_ELEMENTS))
                .map(|idx| contents(code, object, at + idx * size, element, *size));
            let mut shown: Vec<String> = shown.collect();
            if *n > MAX_ELEMENTS {
                shown.push("...".into());
            }
            format!("[{}]", shown.join(", "))
        }
        Shape::Sync(_) => sync(code, object, at),
        Shape::Bytes => bytes(code, object, at, size),
    }
}

/// A lock or the like: who holds it.
fn sync(code: &Code, object: &Object, at: u64) -> String {
    let left = (object.bytes.len() as u64).saturating_sub(at);
    let bytes = if left >= u64::from(code.pointer_bytes) { code.pointer_bytes } else { 4 };
    if left < 4 {
        return "?".into();
    }
    match object.read(at as u32, bytes, bytes * 8) {
        Ok(value) if value == Value::ZERO => "free".into(),
        Ok(value) => format!("held by {}", self::value(code, value, code.pointer_bytes * 8)),
        Err(_) => "?".into(),
    }
}

/// Memory of which nothing is known, as words.
fn bytes(code: &Code, object: &Object, at: u64, size: u64) -> String {
    let word = if size.is_multiple_of(8) && code.pointer_bytes == 8 { 8 } else { 4 };
    let n_words = size / word;
    let shown = (0..n_words.min(MAX_ELEMENTS))
        .map(|idx| scalar(code, object, at + idx * word, word as u32, &NumberStyle::Signed));
    let mut shown: Vec<String> = shown.collect();
    if n_words > MAX_ELEMENTS || !size.is_multiple_of(word) {
        shown.push("...".into());
    }
    format!("[{}]", shown.join(", "))
}

fn scalar(code: &Code, object: &Object, at: u64, bytes: u32, style: &NumberStyle) -> String {
    if !(1..=8).contains(&bytes) || at + u64::from(bytes) > object.bytes.len() as u64 {
        return "?".into();
    }
    match object.read(at as u32, bytes, bytes * 8) {
        Ok(read) => match read.as_number() {
            Some(number) => self::number(number, bytes * 8, style),
            None => value(code, read, bytes * 8),
        },
        Err(_) => "?".into(),
    }
}

fn number(bits: u64, width: u32, style: &NumberStyle) -> String {
    match style {
        NumberStyle::Signed => signed(bits, width).to_string(),
        NumberStyle::Unsigned => bits.to_string(),
        NumberStyle::Bool => (bits != 0).to_string(),
        NumberStyle::Char => match char::from_u32(bits as u32) {
            Some(shown) if shown.is_ascii_graphic() => format!("'{shown}'"),
            _ => signed(bits, width).to_string(),
        },
        NumberStyle::Float if width == 32 => f32::from_bits(bits as u32).to_string(),
        NumberStyle::Float => f64::from_bits(bits).to_string(),
        NumberStyle::Enumeration(names) => {
            let value = signed(bits, width);
            let named = names.iter().find(|(_, number)| *number == value);
            named.map_or_else(|| value.to_string(), |(name, _)| name.clone())
        }
    }
}

/// A value of `width` bits.
pub fn value(code: &Code, value: Value, width: u32) -> String {
    if !value.is_defined() {
        return "undefined".into();
    }
    let offset = |name: String| match value.bits {
        0 => name,
        bits => format!("{name} + {}", signed(bits, width)),
    };
    match value.base.origin() {
        Origin::Number => signed(value.bits, width).to_string(),
        Origin::Function(number) => code.functions[number as usize].name.clone(),
        Origin::Constant(number) => offset(format!("&{}", code.constants[number as usize].name)),
        Origin::Shared(number) => match code.globals.get(number as usize) {
            Some(variable) => offset(format!("&{}", variable.name)),
            None => offset(format!("&object {}", number as usize - code.globals.len())),
        },
        Origin::Private(number) => offset(format!("&private {number}")),
        Origin::ThreadLocal(number) => {
            offset(format!("&{}", code.thread_locals[number as usize].name))
        }
    }
}

/// A thread's store: where it is, and its local variables.
pub fn thread(code: &Code, thread: &Thread) -> String {
    let Some(frame) = thread.frames.last() else {
        return match thread.ending {
            Some(Ending::Program) => "the end of the program".into(),
            _ => "its end".into(),
        };
    };
    let function = &code.functions[frame.function as usize];
    let Some(body) = &function.body else { return function.name.clone() };
    let instr = body.ops.get(frame.pc as usize);
    let line = instr.and_then(|instr| code.places.get(instr.place as usize));
    let mut parts = vec![match line {
        Some(place) if place.line > 0 => format!("{}:{}", function.name, place.line),
        _ => function.name.clone(),
    }];
    if !thread.delayed.is_empty() {
        let n = thread.delayed.len();
        parts.push(format!("{n} {} not yet seen", if n == 1 { "store" } else { "stores" }));
    }
    let live = instr.map_or(0, |instr| instr.live);
    let live = body.live_sets.get(live as usize);
    for variable in &body.variables {
        if live.is_some_and(|live| live.binary_search(&variable.register).is_ok()) {
            let width = u32::from(body.widths[variable.register as usize]);
            let shown = frame.registers[variable.register as usize];
            let style =
                if variable.is_signed { NumberStyle::Signed } else { NumberStyle::Unsigned };
            let shown = match shown.as_number() {
                Some(bits) => number(bits, width, &style),
                None => value(code, shown, width),
            };
            parts.push(format!("{} = {shown}", variable.name));
        }
    }
    parts.join(", ")
}
