//! Objects of the library that lie in the program's memory: locks, condition
//! variables, attributes. Their fields are read and written like atomics, so that
//! lock operations are never half of a data race, and static initialisers, `memset`
//! and struct copies mean what they mean.

use super::LibraryCall;
use model::Lock;

use super::naming;
use crate::machine::{Result, Rule, Stop};
use crate::memory::{AccessMode, Object, Owner};
use crate::value::{Origin, Value, mask};

/// Marks objects that were destroyed.
const DESTROYED: u64 = 0xdead;

/// How a kind of object lies in memory.
#[derive(Debug)]
pub(super) struct Layout {
    /// What people call it: "mutex".
    pub what: &'static str,
    /// Its bytes, with pointers of 4 bytes and of 8.
    pub sizes: (u32, u32),
    /// Where it says that it was destroyed, with pointers of 4 bytes and of 8.
    pub mark_at: Option<(u32, u32)>,
}

/// An object of the library: what an argument of the call points to. The argument is
/// looked up at every access, because publishing renames objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    argument: usize,
    layout: &'static Layout,
}

impl Item {
    /// The object that an argument points to, which must be in use.
    pub fn open(
        call: &mut LibraryCall<'_, '_>,
        argument: usize,
        layout: &'static Layout,
    ) -> Result<Item> {
        let item = Item::raw(call, argument, layout)?;
        if item.mark(call)? == DESTROYED {
            let message = format!("{} is used after it was destroyed", item.name(call));
            return Err(Stop::error(Rule::MutexMisuse, message));
        }
        Ok(item)
    }

    /// The object that an argument points to, which need not be initialised.
    pub fn raw(
        call: &mut LibraryCall<'_, '_>,
        argument: usize,
        layout: &'static Layout,
    ) -> Result<Item> {
        let item = Item { argument, layout };
        let pointer = item.pointer(call)?;
        let location = call.locate(pointer, 0, AccessMode::ATOMIC_READ)?;
        let object = call.object(location.origin);
        if object.is_some_and(Object::is_forgotten) {
            let why = format!("{} lies in memory of which nothing is held", item.name(call));
            return Err(Stop::refused(why));
        }
        let room = object.map_or(0, |object| u64::from(object.size() - location.at));
        if room > 0 && room < item.size(call) {
            let why = format!("{} has {room} bytes, fewer than usual", item.name(call));
            return Err(Stop::refused(why));
        }
        Ok(item)
    }

    /// Its address, as it is now.
    pub fn pointer(self, call: &LibraryCall<'_, '_>) -> Result<Value> {
        call.argument(self.argument)
    }

    /// Is it the null pointer?
    pub fn is_null(call: &LibraryCall<'_, '_>, argument: usize) -> bool {
        !call.argument(argument).is_ok_and(|value| value != Value::ZERO)
    }

    /// What it is called in messages: "the mutex `m`".
    pub fn name(self, call: &LibraryCall<'_, '_>) -> String {
        let what = self.layout.what;
        match call.argument(self.argument) {
            Ok(pointer) => format!("the {what} {}", naming::name_at(call, pointer)),
            Err(_) => format!("a {what}"),
        }
    }

    fn size(self, call: &LibraryCall<'_, '_>) -> u64 {
        u64::from(pick(call, self.layout.sizes))
    }

    /// A broken rule about it; `what` completes "the mutex `m` ...".
    pub fn misuse(self, call: &LibraryCall<'_, '_>, what: &str) -> Stop {
        Stop::error(Rule::MutexMisuse, format!("{} {what}", self.name(call)))
    }

    /// Notes that the running thread waits for it, a lock.
    pub fn want(self, call: &mut LibraryCall<'_, '_>) -> Result<()> {
        let pointer = self.pointer(call)?;
        if let Origin::Shared(object) = pointer.base.origin() {
            let (at, len) = (pointer.bits as u32, pick(call, self.layout.sizes));
            call.want(Lock { object, at, len });
        }
        Ok(())
    }

    /// Overwrites it with zeros: a fresh object.
    pub fn clear(self, call: &mut LibraryCall<'_, '_>) -> Result<()> {
        let (pointer, size) = (self.pointer(call)?, self.size(call));
        let location = call.locate(pointer, size, AccessMode::ATOMIC_WRITE)?;
        call.fill(location, 0);
        Ok(())
    }

    /// Marks it as destroyed.
    pub fn destroy(self, call: &mut LibraryCall<'_, '_>) -> Result<()> {
        self.clear(call)?;
        match self.layout.mark_at {
            None => Ok(()),
            Some(places) => self.set(call, pick(call, places), DESTROYED),
        }
    }

    fn mark(self, call: &mut LibraryCall<'_, '_>) -> Result<u64> {
        match self.layout.mark_at {
            None => Ok(0),
            Some(places) => self.get(call, pick(call, places)),
        }
    }

    /// A field of four bytes.
    pub fn get(self, call: &mut LibraryCall<'_, '_>, at: u32) -> Result<u64> {
        let value = self.read(call, at, 4)?;
        value.as_number().ok_or_else(|| self.misuse(call, "does not hold what it should"))
    }

    /// Sets a field of four bytes.
    pub fn set(self, call: &mut LibraryCall<'_, '_>, at: u32, number: u64) -> Result<()> {
        self.write(call, at, 4, Value::number(number & mask(32)))
    }

    /// A field that is an address or null.
    pub fn get_address(self, call: &mut LibraryCall<'_, '_>, at: u32) -> Result<Value> {
        self.read(call, at, call.pointer_bytes())
    }

    /// Sets a field that is an address or null.
    pub fn set_address(self, call: &mut LibraryCall<'_, '_>, at: u32, value: Value) -> Result<()> {
        self.write(call, at, call.pointer_bytes(), value)
    }

    /// Who holds it, by a field that names its owner.
    pub fn owner(self, call: &mut LibraryCall<'_, '_>, at: u32) -> Result<Owner> {
        let field = self.get_address(call, at)?;
        Ok(call.owner_named(field, self.field(call, at)?))
    }

    /// Makes the running thread its owner.
    pub fn take(self, call: &mut LibraryCall<'_, '_>, at: u32) -> Result<()> {
        self.set_address(call, at, call.owned_by_me())?;
        let lock = self.field(call, at)?;
        call.note_held(lock);
        Ok(())
    }

    /// Takes its owner away.
    pub fn give_up(self, call: &mut LibraryCall<'_, '_>, at: u32) -> Result<()> {
        let lock = self.field(call, at)?;
        call.note_given_up(lock);
        self.set_address(call, at, Value::ZERO)
    }

    fn read(self, call: &mut LibraryCall<'_, '_>, at: u32, len: u32) -> Result<Value> {
        let location =
            call.locate(self.field(call, at)?, u64::from(len), AccessMode::ATOMIC_READ)?;
        let value = call.read_at(location, len * 8)?;
        match value.is_defined() {
            true => Ok(value),
            false => Err(self.misuse(call, "is used before it was initialised")),
        }
    }

    fn write(self, call: &mut LibraryCall<'_, '_>, at: u32, len: u32, value: Value) -> Result<()> {
        let location =
            call.locate(self.field(call, at)?, u64::from(len), AccessMode::ATOMIC_WRITE)?;
        call.write_at(location, value);
        Ok(())
    }

    fn field(self, call: &LibraryCall<'_, '_>, at: u32) -> Result<Value> {
        Ok(ahead(call, self.pointer(call)?, u64::from(at)))
    }
}

/// An address so many bytes further on.
pub(super) fn ahead(call: &LibraryCall<'_, '_>, pointer: Value, by: u64) -> Value {
    let bits = pointer.bits.wrapping_add(by) & mask(call.pointer_bytes() * 8);
    Value { bits, ..pointer }
}

/// The first for pointers of 4 bytes, the second for pointers of 8.
pub(super) fn pick(call: &LibraryCall<'_, '_>, (narrow, wide): (u32, u32)) -> u32 {
    if call.pointer_bytes() == 4 { narrow } else { wide }
}

/// Writes a number of `bytes` bytes through an argument that is a pointer.
pub(super) fn write_through(
    call: &mut LibraryCall<'_, '_>,
    argument: usize,
    bytes: u32,
    value: Value,
) -> Result<()> {
    let pointer = call.argument(argument)?;
    if call.write_somewhere(pointer)? {
        return Ok(());
    }
    let location = call.locate(pointer, u64::from(bytes), AccessMode::PLAIN_WRITE)?;
    call.write_at(location, value);
    Ok(())
}
