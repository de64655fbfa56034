//! The heap: `malloc` and its kin, and `free`.

use super::item::write_through;
use super::mutex::EINVAL;
use super::{Effect, Entry, LibraryCall, pointers};
use crate::machine::{Result, Rule, Stop};
use crate::memory::{Kind, Object};
use crate::value::{Origin, Value, mask};

pub(super) static TABLE: &[Entry] = &[
    pointers("malloc", malloc),
    pointers("calloc", calloc),
    pointers("realloc", realloc),
    pointers("reallocarray", realloc_array),
    pointers("aligned_alloc", aligned_alloc),
    pointers("memalign", aligned_alloc),
    pointers("valloc", page_alloc),
    pointers("posix_memalign", posix_memalign),
    pointers("free", free),
    pointers("cfree", free),
    pointers("munmap", unmap),
];

const ENOMEM: i64 = 12;
const LOG2_PAGE: u8 = 12;
const PAGE: u64 = 1 << LOG2_PAGE;

/// What the contents of new memory are.
#[derive(Clone, Copy)]
pub(super) enum Fresh {
    /// Zeros.
    Zeroed,
    /// Nothing yet.
    Undefined,
}

/// New memory, or `None` if there is none left.
pub(super) fn new_memory(
    call: &mut LibraryCall<'_, '_>,
    size: u64,
    fresh: Fresh,
    log2_align: u8,
) -> Result<Option<Value>> {
    if call.options().allocation_fails && call.choose(2) == 1 {
        return Ok(None);
    }
    if size > call.options().max_object {
        return Err(Stop::refused(format!("an allocation of {size} bytes is too large")));
    }
    let place = call.place();
    let object = match fresh {
        Fresh::Zeroed => Object::zeroed(Kind::Heap, size as usize, log2_align, place),
        Fresh::Undefined => Object::undefined(Kind::Heap, size as usize, log2_align, place),
    };
    call.allocate(object).map(Some)
}

/// The alignment that every allocation has.
pub(super) fn usual_align(call: &LibraryCall<'_, '_>) -> u8 {
    if call.pointer_bytes() == 4 { 3 } else { 4 }
}

fn size(call: &mut LibraryCall<'_, '_>, idx: usize) -> Result<u64> {
    call.number_argument(idx, "the size of an allocation")
}

fn or_null(address: Option<Value>) -> Effect {
    Effect::Done(address.unwrap_or(Value::ZERO))
}

/// New memory of which nothing is held, if one of the arguments that say how much is wanted is
/// not known.
fn of_unknown_size(
    call: &mut LibraryCall<'_, '_>,
    arguments: std::ops::Range<usize>,
) -> Result<Option<Effect>> {
    if !call.options().over_approximates {
        return Ok(None);
    }
    for idx in arguments {
        let value = call.concrete(call.argument(idx)?, call.width(idx))?;
        if !value.is_defined() {
            if call.options().allocation_fails && call.choose(2) == 1 {
                return Ok(Some(Effect::Done(Value::ZERO)));
            }
            let object = Object::of_unknown_size(Kind::Heap, call.place());
            return call.allocate(object).map(|address| Some(Effect::Done(address)));
        }
    }
    Ok(None)
}

fn malloc(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if let Some(effect) = of_unknown_size(call, 0..1)? {
        return Ok(effect);
    }
    let size = size(call, 0)?;
    let align = usual_align(call);
    new_memory(call, size, Fresh::Undefined, align).map(or_null)
}

/// The product of two sizes, if a program can have so much.
fn product(call: &mut LibraryCall<'_, '_>, first: usize) -> Result<Option<u64>> {
    let (count, each) = (size(call, first)?, size(call, first + 1)?);
    let limit = mask(call.pointer_bytes() * 8);
    Ok(count.checked_mul(each).filter(|&bytes| bytes <= limit))
}

fn calloc(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if let Some(effect) = of_unknown_size(call, 0..2)? {
        return Ok(effect);
    }
    let Some(size) = product(call, 0)? else {
        return Ok(Effect::Done(Value::ZERO));
    };
    let align = usual_align(call);
    new_memory(call, size, Fresh::Zeroed, align).map(or_null)
}

fn realloc(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let size = size(call, 1)?;
    resize(call, call.argument(0)?, size)
}

fn realloc_array(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match product(call, 1)? {
        None => Ok(Effect::Done(Value::ZERO)),
        Some(size) => resize(call, call.argument(0)?, size),
    }
}

fn resize(call: &mut LibraryCall<'_, '_>, old: Value, size: u64) -> Result<Effect> {
    let align = usual_align(call);
    if old == Value::ZERO {
        return new_memory(call, size, Fresh::Undefined, align).map(or_null);
    }
    if size == 0 {
        return Err(Stop::refused("`realloc` to no bytes means different things"));
    }
    let origin = allocation(call, old, "given to `realloc`")?;
    let Some(new) = new_memory(call, size, Fresh::Undefined, align)? else {
        return Ok(Effect::Done(Value::ZERO));
    };
    call.move_contents(origin, new.base.origin());
    call.note_moved(old.base, new.base);
    call.end_object(old.base);
    Ok(Effect::Done(new))
}

fn aligned_alloc(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let align = call.number_argument(0, "the alignment of an allocation")?;
    let size = size(call, 1)?;
    if !align.is_power_of_two() {
        return Ok(Effect::Done(Value::ZERO));
    }
    new_memory(call, size, Fresh::Undefined, log2(align)).map(or_null)
}

fn page_alloc(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let size = size(call, 0)?;
    new_memory(call, size, Fresh::Undefined, LOG2_PAGE).map(or_null)
}

fn posix_memalign(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let align = call.number_argument(1, "the alignment of an allocation")?;
    let size = size(call, 2)?;
    let pointer_bytes = call.pointer_bytes();
    if !align.is_power_of_two() || align < u64::from(pointer_bytes) {
        return call.done(EINVAL);
    }
    let Some(new) = new_memory(call, size, Fresh::Undefined, log2(align))? else {
        return call.done(ENOMEM);
    };
    write_through(call, 0, pointer_bytes, new)?;
    call.done(0)
}

/// Alignments are kept up to 2^15.
fn log2(align: u64) -> u8 {
    align.ilog2().min(15) as u8
}

fn free(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let pointer = call.argument(0)?;
    if pointer != Value::ZERO {
        release(call, pointer, "freed")?;
    }
    Ok(Effect::Done(Value::ZERO))
}

/// Gives all of a mapping back. Of parts nothing is known.
fn unmap(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let pointer = call.argument(0)?;
    let len = call.number_argument(1, "the size of a mapping")?;
    let origin = allocation(call, pointer, "unmapped");
    let size = origin.ok().and_then(|it| call.object(it)).map(|it| u64::from(it.size()));
    if size.is_none_or(|size| len.next_multiple_of(PAGE) < size) {
        return Err(Stop::refused("a part of a mapping is unmapped, or what is none"));
    }
    call.end_object(pointer.base);
    call.done(0)
}

/// Ends the life of an allocation; `done` is what is done to it.
pub(super) fn release(call: &mut LibraryCall<'_, '_>, pointer: Value, done: &str) -> Result<()> {
    allocation(call, pointer, done)?;
    call.end_object(pointer.base);
    Ok(())
}

/// The allocation that begins at an address and was not freed yet; `done` is what
/// is done to it.
fn allocation(call: &mut LibraryCall<'_, '_>, pointer: Value, done: &str) -> Result<Origin> {
    let origin = pointer.base.origin();
    let is_dead = call.object(origin).is_some_and(|object| !object.is_live());
    live_allocation(call, pointer, done).map_err(|stop| match is_dead {
        true => call.after_end_of_all(stop, origin),
        false => stop,
    })
}

fn live_allocation(call: &mut LibraryCall<'_, '_>, pointer: Value, done: &str) -> Result<Origin> {
    let wrong = |message: String| Err(Stop::error(Rule::InvalidFree, message));
    if !pointer.is_defined() && call.options().over_approximates {
        return Err(Stop::refused(format!("a pointer of which nothing is known is {done}")));
    }
    if !pointer.is_defined() {
        return wrong(format!("a pointer that was never set is {done}"));
    }
    let origin = pointer.base.origin();
    let name = call.name_of(origin);
    let Some(object) = call.object(origin) else {
        return wrong(format!("a pointer is {done} that names no memory"));
    };
    match object.kind() {
        Kind::Symbol if !object.is_input() => {
            wrong(format!("a pointer that was never set is {done}"))
        }
        Kind::Symbol => Err(Stop::refused(format!("an input is {done}"))),
        Kind::Heap if !object.is_live() => wrong(format!("{name} is {done} after it was freed")),
        Kind::Heap if pointer.bits != 0 => {
            let at = pointer.bits;
            wrong(format!("a pointer is {done} that is not the start of {name}: offset {at}"))
        }
        Kind::Heap => Ok(origin),
        _ => wrong(format!("{name} is {done}, but it is not from `malloc`")),
    }
}
