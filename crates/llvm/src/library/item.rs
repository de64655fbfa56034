//! Objects of the library that lie in the program's memory: locks, condition
//! variables, attributes. Their fields are read and written like atomics, so that
//! lock operations are never half of a data race, and static initialisers, `memset`
//! and struct copies mean what they mean.

use model::Lock;

use super::{naming, too_few};
use crate::machine::{Machine, Result, Rule, Stop};
use crate::memory::{AccessMode, Owner};
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
        machine: &mut Machine<'_>,
        argument: usize,
        layout: &'static Layout,
    ) -> Result<Item> {
        let item = Item::raw(machine, argument, layout)?;
        if item.mark(machine)? == DESTROYED {
            let message = format!("{} is used after it was destroyed", item.name(machine));
            return Err(Stop::error(Rule::MutexMisuse, message));
        }
        Ok(item)
    }

    /// The object that an argument points to, which need not be initialised.
    pub fn raw(
        machine: &mut Machine<'_>,
        argument: usize,
        layout: &'static Layout,
    ) -> Result<Item> {
        let item = Item { argument, layout };
        let pointer = item.pointer(machine)?;
        let location = machine.memory.locate(pointer, 0, AccessMode::ATOMIC_READ)?;
        let object = machine.memory.object(location.origin);
        let room = object.map_or(0, |object| u64::from(object.size() - location.at));
        if room > 0 && room < item.size(machine) {
            let why = format!("{} has {room} bytes, fewer than usual", item.name(machine));
            return Err(Stop::refused(why));
        }
        Ok(item)
    }

    /// Its address, as it is now.
    pub fn pointer(self, machine: &Machine<'_>) -> Result<Value> {
        machine.argument(self.argument).ok_or_else(too_few)
    }

    /// Is it the null pointer?
    pub fn is_null(machine: &Machine<'_>, argument: usize) -> bool {
        machine.argument(argument).is_none_or(|value| value == Value::ZERO)
    }

    /// What it is called in messages: "the mutex `m`".
    pub fn name(self, machine: &Machine<'_>) -> String {
        let what = self.layout.what;
        match machine.argument(self.argument) {
            Some(pointer) => format!("the {what} {}", naming::name_at(machine, pointer)),
            None => format!("a {what}"),
        }
    }

    fn size(self, machine: &Machine<'_>) -> u64 {
        u64::from(pick(machine, self.layout.sizes))
    }

    /// A broken rule about it; `what` completes "the mutex `m` ...".
    pub fn misuse(self, machine: &Machine<'_>, what: &str) -> Stop {
        Stop::error(Rule::MutexMisuse, format!("{} {what}", self.name(machine)))
    }

    /// Notes that the running thread waits for it, a lock.
    pub fn want(self, machine: &mut Machine<'_>) -> Result<()> {
        let pointer = self.pointer(machine)?;
        if let Origin::Shared(object) = pointer.base.origin() {
            let (at, len) = (pointer.bits as u32, pick(machine, self.layout.sizes));
            machine.wanted = Some(Lock { object, at, len });
        }
        Ok(())
    }

    /// Overwrites it with zeros: a fresh object.
    pub fn clear(self, machine: &mut Machine<'_>) -> Result<()> {
        let (pointer, size) = (self.pointer(machine)?, self.size(machine));
        let location = machine.memory.locate(pointer, size, AccessMode::ATOMIC_WRITE)?;
        machine.memory.fill(location, 0);
        Ok(())
    }

    /// Marks it as destroyed.
    pub fn destroy(self, machine: &mut Machine<'_>) -> Result<()> {
        self.clear(machine)?;
        match self.layout.mark_at {
            None => Ok(()),
            Some(places) => self.set(machine, pick(machine, places), DESTROYED),
        }
    }

    fn mark(self, machine: &mut Machine<'_>) -> Result<u64> {
        match self.layout.mark_at {
            None => Ok(0),
            Some(places) => self.get(machine, pick(machine, places)),
        }
    }

    /// A field of four bytes.
    pub fn get(self, machine: &mut Machine<'_>, at: u32) -> Result<u64> {
        let value = self.read(machine, at, 4)?;
        value.as_number().ok_or_else(|| self.misuse(machine, "does not hold what it should"))
    }

    /// Sets a field of four bytes.
    pub fn set(self, machine: &mut Machine<'_>, at: u32, number: u64) -> Result<()> {
        self.write(machine, at, 4, Value::number(number & mask(32)))
    }

    /// A field that is an address or null.
    pub fn get_address(self, machine: &mut Machine<'_>, at: u32) -> Result<Value> {
        self.read(machine, at, machine.code.pointer_bytes)
    }

    /// Sets a field that is an address or null.
    pub fn set_address(self, machine: &mut Machine<'_>, at: u32, value: Value) -> Result<()> {
        self.write(machine, at, machine.code.pointer_bytes, value)
    }

    /// Who holds it, by a field that names its owner.
    pub fn owner(self, machine: &mut Machine<'_>, at: u32) -> Result<Owner> {
        let field = self.get_address(machine, at)?;
        Ok(machine.memory.owner_named(field))
    }

    /// Makes the running thread its owner.
    pub fn take(self, machine: &mut Machine<'_>, at: u32) -> Result<()> {
        self.set_address(machine, at, machine.memory.owned_by_me())
    }

    /// Takes its owner away.
    pub fn give_up(self, machine: &mut Machine<'_>, at: u32) -> Result<()> {
        self.set_address(machine, at, Value::ZERO)
    }

    fn read(self, machine: &mut Machine<'_>, at: u32, len: u32) -> Result<Value> {
        let location = machine.memory.locate(
            self.field(machine, at)?,
            u64::from(len),
            AccessMode::ATOMIC_READ,
        )?;
        let value = machine.memory.read_at(location, len * 8)?;
        match value.is_defined() {
            true => Ok(value),
            false => Err(self.misuse(machine, "is used before it was initialised")),
        }
    }

    fn write(self, machine: &mut Machine<'_>, at: u32, len: u32, value: Value) -> Result<()> {
        let location = machine.memory.locate(
            self.field(machine, at)?,
            u64::from(len),
            AccessMode::ATOMIC_WRITE,
        )?;
        machine.memory.write_at(location, value);
        Ok(())
    }

    fn field(self, machine: &Machine<'_>, at: u32) -> Result<Value> {
        Ok(ahead(machine, self.pointer(machine)?, u64::from(at)))
    }
}

/// An address so many bytes further on.
pub(super) fn ahead(machine: &Machine<'_>, pointer: Value, by: u64) -> Value {
    let bits = pointer.bits.wrapping_add(by) & mask(machine.code.pointer_bytes * 8);
    Value { bits, ..pointer }
}

/// The first for pointers of 4 bytes, the second for pointers of 8.
pub(super) fn pick(machine: &Machine<'_>, (narrow, wide): (u32, u32)) -> u32 {
    if machine.code.pointer_bytes == 4 { narrow } else { wide }
}

/// Writes a number of `bytes` bytes through an argument that is a pointer.
pub(super) fn write_through(
    machine: &mut Machine<'_>,
    argument: usize,
    bytes: u32,
    value: Value,
) -> Result<()> {
    let pointer = machine.argument(argument).ok_or_else(too_few)?;
    let location = machine.memory.locate(pointer, u64::from(bytes), AccessMode::PLAIN_WRITE)?;
    machine.memory.write_at(location, value);
    Ok(())
}
