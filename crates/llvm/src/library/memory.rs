//! Bytes: copied, filled, compared, searched.

use std::cmp::Ordering;

use super::item::ahead;
use super::{Effect, Entry, LibraryCall, pointers, strings};
use crate::machine::{Result, Rule, Stop};
use crate::memory::{AccessMode, Kind, Location};
use crate::value::{Base, Origin, Value};

pub(super) static TABLE: &[Entry] = &[
    pointers("memcpy", copy_apart),
    pointers("mempcpy", copy_to_end),
    pointers("memmove", copy_anywhere),
    pointers("memset", set),
    pointers("explicit_bzero", zero),
    pointers("bzero", zero),
    pointers("memcmp", compare_bytes),
    pointers("bcmp", compare_bytes),
    pointers("memchr", find_byte),
    pointers("__threadproof_is_same", same),
];

/// A place that an argument of the call points to. It is looked up whenever it is
/// used, because publishing renames objects.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Which argument.
    pub argument: usize,
    /// How many bytes behind it.
    pub ahead: u64,
}

/// Where an argument points to.
pub(super) fn at(argument: usize) -> End {
    End { argument, ahead: 0 }
}

impl End {
    /// The address.
    pub fn pointer(self, call: &LibraryCall<'_, '_>) -> Result<Value> {
        let pointer = call.argument(self.argument)?;
        Ok(ahead(call, pointer, self.ahead))
    }
}

/// Copies bytes with all they are; `uses` says how the source is read and how the
/// target is written.
pub(super) fn copy(
    call: &mut LibraryCall<'_, '_>,
    (to, from): (End, End),
    len: u64,
    uses: (AccessMode, AccessMode),
) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let pointers = (to.pointer(call)?, from.pointer(call)?);
    let source = call.locate(pointers.1, len, uses.0)?;
    let target = call.locate(pointers.0, len, uses.1)?;
    call.copy(target, source);
    Ok(())
}

/// Are the bytes of two places the same, whatever they are?
fn same(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 2)?;
    let mut pieces = Vec::new();
    for idx in 0..2 {
        let location = call.locate(call.argument(idx)?, len, AccessMode::PLAIN_READ)?;
        pieces.push(call.copy_of(location));
    }
    call.done(i64::from(pieces[0] == pieces[1]))
}

/// Refuses places that overlap, unless they are one.
pub(super) fn must_be_apart(
    call: &LibraryCall<'_, '_>,
    (to, from): (End, End),
    len: u64,
) -> Result<()> {
    let (to, from) = (to.pointer(call)?, from.pointer(call)?);
    let distance = to.bits.abs_diff(from.bits);
    if to.base == from.base && distance > 0 && distance < len {
        let message = format!("{len} bytes are copied to a place that overlaps them");
        return Err(Stop::error(Rule::MemorySafety, message));
    }
    Ok(())
}

fn length(call: &mut LibraryCall<'_, '_>, idx: usize) -> Result<u64> {
    call.number_argument(idx, "a number of bytes")
}

/// The first argument, as it is now.
pub(super) fn first(call: &LibraryCall<'_, '_>) -> Result<Effect> {
    call.argument(0).map(Effect::Done)
}

fn copy_apart(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 2)?;
    must_be_apart(call, (at(0), at(1)), len)?;
    copy(call, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    first(call)
}

fn copy_to_end(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 2)?;
    copy_apart(call)?;
    End { argument: 0, ahead: len }.pointer(call).map(Effect::Done)
}

fn copy_anywhere(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 2)?;
    copy(call, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_WRITE))?;
    first(call)
}

/// Sets bytes to a number.
pub(super) fn fill(call: &mut LibraryCall<'_, '_>, to: End, len: u64, byte: u8) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let pointer = to.pointer(call)?;
    let location = call.locate(pointer, len, AccessMode::PLAIN_WRITE)?;
    call.fill(location, byte);
    Ok(())
}

fn set(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 2)?;
    if call.argument(1)?.is_defined() {
        let byte = call.number_argument(1, "the byte for `memset`")? as u8;
        fill(call, at(0), len, byte)?;
        return first(call);
    }
    if len > 0 {
        let location = call.locate(call.argument(0)?, len, AccessMode::PLAIN_WRITE)?;
        call.make_undefined(location);
    }
    first(call)
}

fn zero(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 1)?;
    fill(call, at(0), len, 0)?;
    Ok(Effect::Done(Value::ZERO))
}

/// What comes of comparing bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    /// They are in this order as numbers.
    Ordered(Ordering),
    /// They are not the same, and where an object lies decides which are larger.
    ByPlace(Base),
}

/// Compares bytes as numbers.
pub(super) fn compare(
    call: &mut LibraryCall<'_, '_>,
    (left, right): (End, End),
    len: u64,
    uses: (AccessMode, AccessMode),
) -> Result<Difference> {
    if len == 0 {
        return Ok(Difference::Ordered(Ordering::Equal));
    }
    let pointers = (left.pointer(call)?, right.pointer(call)?);
    let left = call.locate(pointers.0, len, uses.0)?;
    let right = call.locate(pointers.1, len, uses.1)?;
    if are_alike(call, left, right) {
        return Ok(Difference::Ordered(Ordering::Equal));
    }
    let mut idx = 0;
    while idx < len as u32 {
        let rest = (ahead_of(left, idx), ahead_of(right, idx));
        if let Some(difference) = compare_addresses(call, rest)? {
            if difference != Difference::Ordered(Ordering::Equal) {
                return Ok(difference);
            }
            idx += call.pointer_bytes();
            continue;
        }
        let bytes = (
            strings::byte(call, left.origin, left.at + idx)?,
            strings::byte(call, right.origin, right.at + idx)?,
        );
        if bytes.0 != bytes.1 {
            return Ok(Difference::Ordered(bytes.0.cmp(&bytes.1)));
        }
        idx += 1;
    }
    Ok(Difference::Ordered(Ordering::Equal))
}

fn ahead_of(location: Location, by: u32) -> Location {
    Location { at: location.at + by, len: location.len - by, ..location }
}

/// Compares what the places begin with, where that is an address and an address or null.
fn compare_addresses(
    call: &LibraryCall<'_, '_>,
    (left, right): (Location, Location),
) -> Result<Option<Difference>> {
    let whole = |location: Location| {
        let bytes = call.pointer_bytes();
        let object = call.object(location.origin).filter(|_| bytes <= location.len)?;
        object.read(location.at, bytes, bytes * 8).ok().filter(|value| value.is_defined())
    };
    let is_address = |value: Value| match value.base.origin() {
        Origin::Number => false,
        origin => call.object(origin).is_none_or(|object| object.kind() != Kind::Symbol),
    };
    let (Some(left), Some(right)) = (whole(left), whole(right)) else { return Ok(None) };
    if is_pthread_t(left.base) || is_pthread_t(right.base) {
        return Err(Stop::refused("names of threads are compared, and any number have none"));
    }
    Ok(match (is_address(left), is_address(right)) {
        (true, true) if left == right => Some(Difference::Ordered(Ordering::Equal)),
        (true, true) if left.base != right.base && !call.are_apart(left, right) => {
            let why = "bytes of addresses are compared that may be equal by chance";
            return Err(Stop::refused(why));
        }
        (true, true) => Some(Difference::ByPlace(left.base)),
        // The first byte in which they differ is zero on one side.
        (true, false) if right == Value::ZERO => Some(Difference::Ordered(Ordering::Greater)),
        (false, true) if left == Value::ZERO => Some(Difference::Ordered(Ordering::Less)),
        _ => None,
    })
}

/// Do two places hold the same, addresses included, and nothing without a value?
fn are_alike(call: &LibraryCall<'_, '_>, left: Location, right: Location) -> bool {
    let (left, right) = (call.copy_of(left), call.copy_of(right));
    left == right && left.is_known() && !left.bases().any(is_pthread_t)
}

/// Is it what a `pthread_t` is where threads have no names? Equal ones may be two threads.
fn is_pthread_t(base: Base) -> bool {
    matches!(base.origin(), Origin::PthreadT(_))
}

fn compare_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = length(call, 2)?;
    let order =
        compare(call, (at(0), at(1)), len, (AccessMode::PLAIN_READ, AccessMode::PLAIN_READ))?;
    match order {
        Difference::Ordered(order) => call.done(order as i64),
        // As unequal to zero as an address is, and as undecided in all else.
        Difference::ByPlace(base) => Ok(Effect::Done(Value { base, bits: 0, undef: 0 })),
    }
}

fn find_byte(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let wanted = call.number_argument(1, "the byte that is looked for")? as u8;
    let len = length(call, 2)?;
    let pointer = call.argument(0)?;
    for idx in 0..len {
        let location = call.locate(ahead(call, pointer, idx), 1, AccessMode::PLAIN_READ)?;
        if strings::byte(call, location.origin, location.at)? == wanted {
            return End { argument: 0, ahead: idx }.pointer(call).map(Effect::Done);
        }
    }
    Ok(Effect::Done(Value::ZERO))
}
