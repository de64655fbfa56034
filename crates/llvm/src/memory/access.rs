//! Reading and writing memory, with everything that can be wrong about it.

use model::Access;

use super::Memory;
use super::footprint::AccessOrder;
use super::object::{Kind, Object, TornRead};
use crate::code::{IntOp, Op, ScalarAccess, Src};
use crate::machine::{Result, Rule, Stop};
use crate::value::{Origin, Value, mask, signed};

/// Some bytes of an object, checked to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The object.
    pub origin: Origin,
    /// The first byte.
    pub at: u32,
    /// How many.
    pub len: u32,
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessMode {
    /// Is it written?
    pub is_write: bool,
    /// Can it not be half of a data race?
    pub is_atomic: bool,
    /// What it orders, if it is atomic.
    pub order: AccessOrder,
}

impl AccessMode {
    /// A plain read.
    pub const PLAIN_READ: AccessMode = AccessMode::new(false, false);
    /// A plain write.
    pub const PLAIN_WRITE: AccessMode = AccessMode::new(true, false);
    /// An atomic read, or one by the library of its own objects.
    pub const ATOMIC_READ: AccessMode = AccessMode::new(false, true);
    /// An atomic write, or one by the library to its own objects.
    pub const ATOMIC_WRITE: AccessMode = AccessMode::new(true, true);

    const fn new(is_write: bool, is_atomic: bool) -> AccessMode {
        AccessMode { is_write, is_atomic, order: AccessOrder::ALL }
    }

    fn of(access: ScalarAccess, is_write: bool) -> AccessMode {
        let order = AccessOrder { order: access.order, reads: !is_write };
        AccessMode { is_write, is_atomic: access.is_atomic, order }
    }
}

/// From reading the word that a bit-field lies in until the field is masked out, clang
/// fits and shifts the new value.
const MAX_OPS_TO_MASK: usize = 5;

/// Smaller numbers are taken for null pointers with an offset.
const NULL_PAGE: u64 = 4096;

impl Memory<'_> {
    /// The location of `len` bytes at `pointer`, if they may be accessed so. The access
    /// goes into the footprint.
    ///
    /// # Errors
    /// They may not.
    pub fn locate(&mut self, pointer: Value, len: u64, mode: AccessMode) -> Result<Location> {
        let verb = if mode.is_write { "written" } else { "read" };
        if !pointer.is_defined() && self.options.over_approximates {
            let why = format!("memory is {verb} through a pointer of which nothing is known");
            return Err(Stop::refused(why));
        }
        if !pointer.is_defined() {
            return Err(never_set(verb));
        }
        let pointer = self.settled(pointer, self.code.pointer_bytes * 8);
        let origin = pointer.base.origin();
        let Some(object) = self.object(origin) else {
            return Err(no_object(pointer, verb));
        };
        if object.kind == Kind::Symbol && !object.is_input() {
            return Err(never_set(verb));
        }
        if object.kind == Kind::Symbol {
            return Err(Stop::refused("memory is accessed at an address that is an input"));
        }
        if object.kind == Kind::Thread {
            return Err(Stop::refused("the program looks into a `pthread_t`"));
        }
        let offset = signed(pointer.bits, self.code.pointer_bytes * 8);
        let size = u64::from(object.size());
        if object.has_unknown_size() && self.options.refuses_unbounded {
            return Err(Stop::refused("an access may be out of bounds of memory of unknown size"));
        }
        if object.is_forgotten() && len > self.options.max_object {
            return Err(Stop::refused(format!("{len} bytes are {verb} at once")));
        }
        if object.is_forgotten() && !mode.is_write && !self.options.over_approximates {
            return Err(Stop::refused("memory is read of which nothing is held"));
        }
        if !object.is_live {
            let end = if object.kind == Kind::Heap { "freed" } else { "gone" };
            let message = format!("memory is {verb} after it was {end}: {}", self.name_of(origin));
            let stop = Stop::error(Rule::MemorySafety, message);
            let at = u32::try_from(offset).unwrap_or(0);
            let location = Location { origin, at, len: len.min(size.max(1)) as u32 };
            return Err(self.after_end(stop, location, mode));
        }
        let fits = u64::try_from(offset)
            .is_ok_and(|offset| offset.checked_add(len).is_some_and(|end| end <= size));
        if !fits {
            let name = self.name_of(origin);
            let message = format!(
                "memory is {verb} out of bounds: {len} bytes at offset {offset} of {name}, \
                 which has {size} bytes"
            );
            return Err(Stop::error(Rule::MemorySafety, message));
        }
        self.may_access(origin, mode)?;
        let location = Location { origin, at: offset as u32, len: len as u32 };
        self.record(location, mode);
        Ok(location)
    }

    pub(super) fn may_access(&self, origin: Origin, mode: AccessMode) -> Result<()> {
        let variable = match origin {
            Origin::Constant(number) => &self.code.constants[number as usize],
            Origin::Shared(number) => match self.code.globals.get(number as usize) {
                Some(variable) if variable.is_missing || variable.unsupported.is_some() => variable,
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        if variable.is_missing {
            if crate::library::is_variable(&variable.name) {
                return Ok(());
            }
            let message = format!(
                "the variable `{}` is not defined: a C file given with --model can define it",
                variable.name
            );
            return Err(Stop::refused(message));
        }
        if let Some(why) = &variable.unsupported {
            return Err(Stop::refused(format!("the variable `{}`: {why}", variable.name)));
        }
        if mode.is_write && matches!(origin, Origin::Constant(_)) {
            let message = format!("`{}` is written, but it is constant", variable.name);
            return Err(Stop::error(Rule::MemorySafety, message));
        }
        Ok(())
    }

    /// Notes an access; one to shared memory goes into the footprint.
    pub(super) fn record(&mut self, location: Location, mode: AccessMode) {
        if location.len == 0 {
            return;
        }
        let AccessMode { is_write, .. } = mode;
        let is_atomic = mode.is_atomic || self.is_in_section();
        // In sections that are one step for others, all is ordered.
        let order = if self.is_in_section() { AccessOrder::ALL } else { mode.order };
        self.note_access(location, (is_write, is_atomic), order);
        let Location { origin, at, len } = location;
        if let Origin::Shared(object) = origin {
            self.footprint.add(Access { object, at, len, is_write, is_atomic });
        }
    }

    /// Reads a scalar.
    ///
    /// # Errors
    /// It may not be read, or it is a part of an address.
    pub fn read(&mut self, pointer: Value, access: ScalarAccess) -> Result<Value> {
        if let Some(value) = self.forwarded(pointer, access) {
            return Ok(value);
        }
        let mode = AccessMode::of(access, false);
        if self.touch_somewhere(pointer, mode)?.is_some() {
            return Ok(Value::undefined(u32::from(access.width)));
        }
        let location = self.locate(pointer, u64::from(access.bytes), mode)?;
        let value = self.read_at(location, u32::from(access.width))?;
        self.must_be_set(location, value, access)?;
        self.must_not_be_unset(location, value)?;
        if access.is_atomic && !value.is_defined() && !self.options.over_approximates {
            let message = "an atomic variable is read that was never set";
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        }
        Ok(value)
    }

    /// Reads a scalar of `width` bits.
    ///
    /// # Errors
    /// It is a part of an address.
    pub fn read_at(&self, location: Location, width: u32) -> Result<Value> {
        let object = self.object(location.origin).expect("the location was checked");
        let torn = |_: TornRead| match self.options.unset_is_any {
            true => Stop::refused(
                "a part of an address is read as a number, or a copy of what was never set",
            ),
            false => Stop::refused("a part of an address is read as a number"),
        };
        object.read(location.at, location.len, width).map_err(torn)
    }

    /// Writes a scalar.
    ///
    /// # Errors
    /// It may not be written.
    pub fn write(&mut self, pointer: Value, access: ScalarAccess, value: Value) -> Result<()> {
        let is_shared = matches!(pointer.base.origin(), Origin::Shared(_));
        let n_accesses = self.footprint.len();
        let mode = AccessMode::of(access, true);
        if self.write_somewhere(pointer, mode)? {
            return Ok(());
        }
        let location = self.locate(pointer, u64::from(access.bytes), mode)?;
        if is_shared && self.may_buffer(access) {
            // Nobody sees it yet.
            self.footprint.truncate(n_accesses);
            self.buffer(location, value);
        } else {
            self.write_at(location, value);
        }
        Ok(())
    }

    /// Writes a scalar. What other threads can reach from there becomes shared.
    pub fn write_at(&mut self, location: Location, value: Value) {
        let value = match location.origin {
            Origin::Shared(_) => self.publish_as(value, location.len * 8),
            _ => value,
        };
        let object = self.object_mut(location.origin).expect("the location was checked");
        object.write(location.at, location.len, value);
    }

    /// Sets bytes to a number.
    pub fn fill(&mut self, location: Location, byte: u8) {
        if let Some(object) = self.object_mut(location.origin) {
            object.fill(location.at, location.len, byte);
        }
    }

    /// Takes away the values of bytes.
    pub fn make_undefined(&mut self, location: Location) {
        let object = self.object_mut(location.origin).filter(|it| !it.is_forgotten());
        let Some(object) = object else { return };
        for at in location.at..location.at + location.len {
            object.write(at, 1, Value::undefined(8));
        }
    }

    /// Writes plain bytes to the beginning of a location, and zeros behind them.
    pub fn write_bytes(&mut self, location: Location, bytes: &[u8]) {
        if let Some(object) = self.object_mut(location.origin).filter(|it| !it.is_forgotten()) {
            object.fill(location.at, location.len, 0);
            let start = location.at as usize;
            object.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Bytes with all they are, as an object of their own.
    pub fn copy_of(&self, location: Location) -> Object {
        let mut copy = Object::zeroed(Kind::Heap, location.len as usize, 0, 0);
        if let Some(object) = self.object(location.origin) {
            copy.copy_from(0, object, location.at, location.len);
        }
        if self.options.unset_is_any {
            copy.tear_unset();
        }
        copy
    }

    /// Copies bytes with all they are, which may overlap. What other threads can reach
    /// from there becomes shared.
    pub fn copy(&mut self, to: Location, from: Location) {
        let mut from = from;
        if matches!(to.origin, Origin::Shared(_)) {
            // What is published may be the source itself.
            from.origin = self.publish_contents(from);
        }
        let mut copy = self.copy_of(from);
        if matches!(to.origin, Origin::Shared(_)) {
            self.forget_inputs(&mut copy);
        }
        let object = self.object_mut(to.origin).expect("the location was checked");
        object.copy_from(to.at, &copy, 0, to.len);
    }

    /// Was a value of shared memory set by somebody?
    fn must_be_set(&self, location: Location, value: Value, access: ScalarAccess) -> Result<()> {
        let is_unset = value.undef == mask(u32::from(access.width)) && access.bytes > 1;
        let is_shared = matches!(location.origin, Origin::Shared(_));
        if !(self.options.checks_unset && is_unset && is_shared) || self.sets_bits() {
            return Ok(());
        }
        let name = self.name_of(location.origin);
        let message = format!("memory is read that was never set: {name}");
        Err(Stop::error(Rule::UninitialisedMemory, message))
    }

    /// Does the load at hand belong to a write of a bit-field? What it reads beside the
    /// field is masked and written back, which is no use of it.
    pub(super) fn sets_bits(&self) -> bool {
        let Some(frame) = self.thread.frames.last() else { return false };
        let body = self.code.functions[frame.function as usize].body.as_ref();
        let Some(ops) = body.and_then(|body| body.ops.get(frame.pc as usize..)) else {
            return false;
        };
        let Some(Op::Load { to, .. }) = ops.first().map(|instr| &instr.op) else { return false };
        ops.iter().take(MAX_OPS_TO_MASK).any(|instr| {
            matches!(&instr.op, Op::Binary(binary)
                if binary.op == IntOp::And && binary.operands.0 == Src::Reg(*to))
        })
    }

    /// Is an address aligned as an access wants, as far as the alignment of its object
    /// tells?
    ///
    /// # Errors
    /// It is not, and that is asked about.
    pub fn must_be_aligned(&self, pointer: Value, access: ScalarAccess) -> Result<()> {
        if !self.options.checks_alignment {
            return Ok(());
        }
        let object = self.object(pointer.base.origin());
        let is_unknown = |object: &Object| object.is_forgotten() || !pointer.is_defined();
        if self.options.over_approximates
            && object.is_some_and(is_unknown)
            && (pointer.bits | pointer.undef) & mask(access.log2_align.into()) != 0
        {
            return Err(Stop::refused("an access may not be aligned as its type wants"));
        }
        let log2_align = object.map_or(0, |object| object.log2_align).min(access.log2_align);
        if pointer.bits & mask(log2_align.into()) == 0 {
            return Ok(());
        }
        let (at, name) = (pointer.bits, self.name_of(pointer.base.origin()));
        let message = format!(
            "an access to {} bytes at offset {at} of {name} is not aligned as its type wants",
            access.bytes
        );
        Err(Stop::error(Rule::Alignment, message))
    }
}

fn never_set(verb: &str) -> Stop {
    let message = format!("memory is {verb} through a pointer that was never set");
    Stop::error(Rule::MemorySafety, message)
}

fn no_object(pointer: Value, verb: &str) -> Stop {
    if matches!(pointer.base.origin(), Origin::PthreadT(_)) {
        return Stop::refused("the program looks into a `pthread_t`");
    }
    let message = match pointer.base.origin() {
        Origin::Number if pointer.bits < NULL_PAGE => {
            format!("memory is {verb} through a null pointer")
        }
        Origin::Number => {
            format!("memory is {verb} at the address {:#x}, where nothing is", pointer.bits)
        }
        Origin::Function(_) => format!("a function is {verb} as if it were memory"),
        _ => format!("memory is {verb} that does not exist any more"),
    };
    Stop::error(Rule::MemorySafety, message)
}
