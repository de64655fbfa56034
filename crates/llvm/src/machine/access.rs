//! Reading and writing memory, with everything that can be wrong about it.

use super::Machine;
use super::object::{Kind, Object, TornRead};
use super::stop::{Result, Rule, Stop};
use super::touched::{Strength, Touch};
use crate::code::{Access, IntOp, Op, Order, Src};
use crate::ir::RmwOp;
use crate::value::{Base, Origin, Value, mask, signed};

/// A checked place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The object.
    pub origin: Origin,
    /// The first byte.
    pub at: u32,
    /// How many.
    pub len: u32,
}

/// What is done to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Is it written?
    pub is_write: bool,
    /// Can it not be half of a data race?
    pub is_atomic: bool,
    /// What it orders, if it is atomic.
    pub strength: Strength,
}

impl Use {
    fn of(access: Access, is_write: bool) -> Use {
        let strength = Strength { order: access.order, reads: !is_write };
        Use { is_write, is_atomic: access.is_atomic, strength }
    }
}

/// From reading the word that a bit-field lies in until the field is masked out, clang
/// fits and shifts the new value.
const MAX_OPS_TO_MASK: usize = 5;

const ALL: Strength = Strength { order: Order::TOTAL, reads: true };

/// A plain read.
pub const READ: Use = Use { is_write: false, is_atomic: false, strength: ALL };
/// A plain write.
pub const WRITE: Use = Use { is_write: true, is_atomic: false, strength: ALL };
/// An atomic write, or what the library does to its own objects.
pub const UPDATE: Use = Use { is_write: true, is_atomic: true, strength: ALL };
/// An atomic read, or one by the library of its own objects.
pub const LOOK: Use = Use { is_write: false, is_atomic: true, strength: ALL };

impl Machine<'_> {
    /// The place of `len` bytes at `pointer`, if they may be used so.
    ///
    /// # Errors
    /// They may not.
    pub fn locate(&mut self, pointer: Value, len: u64, how: Use) -> Result<Spot> {
        let verb = if how.is_write { "written" } else { "read" };
        if !pointer.is_defined() {
            let message = format!("memory is {verb} through a pointer that was never set");
            return Err(Stop::error(Rule::MemorySafety, message));
        }
        let pointer = self.settled(pointer, self.code.pointer_bytes * 8);
        let origin = pointer.base.origin();
        let Some(object) = self.object_at(origin) else {
            return Err(self.no_object(pointer, verb));
        };
        if object.kind == Kind::Symbol {
            return Err(Stop::refused("memory is accessed at an address that is an input"));
        }
        if object.kind == Kind::Thread {
            return Err(Stop::refused("the program looks into a `pthread_t`"));
        }
        let offset = signed(pointer.bits, self.code.pointer_bytes * 8);
        let size = object.bytes.len() as u64;
        if !object.is_live {
            let end = if object.kind == Kind::Heap { "freed" } else { "gone" };
            let message = format!("memory is {verb} after it was {end}: {}", self.name_of(origin));
            return Err(Stop::error(Rule::MemorySafety, message));
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
        self.may_use(origin, how)?;
        let spot = Spot { origin, at: offset as u32, len: len as u32 };
        self.touch(spot, how);
        Ok(spot)
    }

    fn may_use(&self, origin: Origin, how: Use) -> Result<()> {
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
        if how.is_write && matches!(origin, Origin::Constant(_)) {
            let message = format!("`{}` is written, but it is constant", variable.name);
            return Err(Stop::error(Rule::MemorySafety, message));
        }
        Ok(())
    }

    fn no_object(&self, pointer: Value, verb: &str) -> Stop {
        let message = match pointer.base.origin() {
            Origin::Number if pointer.bits < 4096 => {
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

    /// The object with this origin.
    pub fn object_at(&self, origin: Origin) -> Option<&Object> {
        match origin {
            Origin::Shared(number) => self.shared.object(number),
            Origin::Private(number) => self.thread.object(number),
            Origin::Constant(number) => self.constants.get(number as usize),
            _ => None,
        }
    }

    /// The object with this origin, to be changed; not for constants.
    pub fn object_mut(&mut self, origin: Origin) -> Option<&mut Object> {
        match origin {
            Origin::Shared(number) => self.shared.objects.get_mut(number as usize)?.as_mut(),
            Origin::Private(number) => self.thread.objects.get_mut(number as usize)?.as_mut(),
            _ => None,
        }
    }

    pub(super) fn touch(&mut self, spot: Spot, how: Use) {
        let Origin::Shared(object) = spot.origin else { return };
        if spot.len == 0 {
            return;
        }
        let is_atomic = how.is_atomic || self.atomic_depth > 0;
        let (at, len, is_write) = (spot.at, spot.len, how.is_write);
        // In sections that are one step for others, all is ordered.
        let strength = if self.atomic_depth > 0 { ALL } else { how.strength };
        self.touched.add_with(Touch { object, at, len, is_write, is_atomic }, strength);
    }

    /// What an object is called in a message.
    pub fn name_of(&self, origin: Origin) -> String {
        let Some(object) = self.object_at(origin) else { return "memory".into() };
        let place = || match self.code.places.get(object.site as usize) {
            Some(place) if place.line > 0 => format!(" of line {}", place.line),
            _ => String::new(),
        };
        match (object.kind, origin) {
            (Kind::Variable, Origin::Constant(number)) => {
                format!("`{}`", self.code.constants[number as usize].name)
            }
            (Kind::Variable, Origin::Shared(number))
                if (number as usize) < self.code.globals.len() =>
            {
                format!("`{}`", self.code.globals[number as usize].name)
            }
            (Kind::Variable, _) => {
                let variable = self.code.thread_locals.get(object.site as usize);
                format!("`{}`", variable.map_or("?", |variable| &variable.name))
            }
            (Kind::Heap, _) => format!("the allocation{}", place()),
            (Kind::Stack, _) => format!("the local variable{}", place()),
            (Kind::Thread, _) => "a thread".into(),
            (Kind::Symbol, _) => "an input".into(),
        }
    }

    /// Reads a scalar.
    ///
    /// # Errors
    /// It may not be read, or it is a part of an address.
    pub fn read(&mut self, pointer: Value, access: Access) -> Result<Value> {
        if let Some(value) = self.delayed_value(pointer, access) {
            return Ok(value);
        }
        let spot = self.locate(pointer, u64::from(access.bytes), Use::of(access, false))?;
        let value = self.read_spot(spot, u32::from(access.width))?;
        self.was_set(spot, value, access)?;
        if access.is_atomic && !value.is_defined() {
            let message = "an atomic variable is read that was never set";
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        }
        Ok(value)
    }

    /// Reads a scalar of `width` bits from a checked place.
    ///
    /// # Errors
    /// It is a part of an address.
    pub fn read_spot(&self, spot: Spot, width: u32) -> Result<Value> {
        let object = self.object_at(spot.origin).expect("the place was checked");
        let torn = |_: TornRead| Stop::refused("a part of an address is read as a number");
        object.read(spot.at, spot.len, width).map_err(torn)
    }

    /// Writes a scalar.
    ///
    /// # Errors
    /// It may not be written.
    pub fn write(&mut self, pointer: Value, access: Access, value: Value) -> Result<()> {
        let delays = self.may_delay(access) && matches!(pointer.base.origin(), Origin::Shared(_));
        let n_touched = self.touched.as_slice().len();
        let spot = self.locate(pointer, u64::from(access.bytes), Use::of(access, true))?;
        if delays {
            // Nobody sees it yet.
            self.touched.truncate(n_touched);
            self.delay(spot, value);
        } else {
            self.write_spot(spot, value);
        }
        Ok(())
    }

    /// Is a value of shared memory one that somebody has set?
    fn was_set(&self, spot: Spot, value: Value, access: Access) -> Result<()> {
        let is_unset = value.undef == mask(u32::from(access.width)) && access.bytes > 1;
        let is_shared = matches!(spot.origin, Origin::Shared(_));
        if !(self.options.checks_unset && is_unset && is_shared) || self.sets_bits() {
            return Ok(());
        }
        let message = format!("memory is read that was never set: {}", self.name_of(spot.origin));
        Err(Stop::error(Rule::UninitialisedMemory, message))
    }

    /// Does the load at hand belong to a write of a bit-field? What it reads beside the
    /// field is masked and written back, which is no use of it.
    fn sets_bits(&self) -> bool {
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

    /// Writes a scalar to a checked place. What other threads can reach from there
    /// becomes shared.
    pub fn write_spot(&mut self, spot: Spot, value: Value) {
        let value = match spot.origin {
            Origin::Shared(_) => self.publish(value),
            _ => value,
        };
        let object = self.object_mut(spot.origin).expect("the place was checked");
        object.write(spot.at, spot.len, value);
    }

    /// Reads, computes and writes at once; gives the old value.
    pub(crate) fn read_modify_write(
        &mut self,
        op: RmwOp,
        pointer: Value,
        operand: Value,
        access: Access,
    ) -> Result<Value> {
        let strength = Strength { order: access.order, reads: true };
        let spot = self.locate(pointer, u64::from(access.bytes), Use { strength, ..UPDATE })?;
        let width = u32::from(access.width);
        let old = self.read_spot(spot, width)?;
        let new = match op {
            RmwOp::Xchg => operand,
            _ => self.modified(op, width, old, operand)?,
        };
        // Computing may have settled inputs, so the place is looked at again.
        self.write_spot(spot, new);
        Ok(old)
    }

    fn modified(&mut self, op: RmwOp, width: u32, old: Value, operand: Value) -> Result<Value> {
        use crate::code::Binary;
        use crate::ir::IntPredicate;
        let arithmetic = |op| Binary {
            op,
            width: width as u8,
            to: 0,
            operands: (Src::Reg(0), Src::Reg(0)),
            no_signed_wrap: false,
            no_unsigned_wrap: false,
        };
        let greater = |machine: &mut Self, predicate| {
            let is_left = machine.compare(predicate, width, (old, operand))?;
            machine.select(is_left, (old, operand))
        };
        match op {
            RmwOp::Add => self.binary(&arithmetic(IntOp::Add), old, operand),
            RmwOp::Sub => self.binary(&arithmetic(IntOp::Sub), old, operand),
            RmwOp::And => self.binary(&arithmetic(IntOp::And), old, operand),
            RmwOp::Or => self.binary(&arithmetic(IntOp::Or), old, operand),
            RmwOp::Xor => self.binary(&arithmetic(IntOp::Xor), old, operand),
            RmwOp::Nand => {
                let both = self.binary(&arithmetic(IntOp::And), old, operand)?;
                self.binary(&arithmetic(IntOp::Xor), both, Value::number(mask(width)))
            }
            RmwOp::Max => greater(self, IntPredicate::Sgt),
            RmwOp::Min => greater(self, IntPredicate::Slt),
            RmwOp::UMax => greater(self, IntPredicate::Ugt),
            RmwOp::UMin => greater(self, IntPredicate::Ult),
            _ => Err(Stop::refused(format!("`atomicrmw` with {op:?}"))),
        }
    }

    /// Compares and writes at once; gives the old value and whether it was equal. If it
    /// was not, the read is one of the order `in_vain`.
    pub(crate) fn compare_exchange(
        &mut self,
        pointer: Value,
        values: (Value, Value),
        (access, in_vain): (Access, Order),
    ) -> Result<(Value, bool)> {
        let strength = |order| Strength { order, reads: true };
        let look = Use { strength: strength(in_vain), ..LOOK };
        let spot = self.locate(pointer, u64::from(access.bytes), look)?;
        let width = u32::from(access.width);
        let old = self.read_spot(spot, width)?;
        let equal = self.compare(crate::ir::IntPredicate::Eq, width, (old, values.0))?;
        let Some(equal) = equal.as_number() else {
            let message = "a value that was never set is compared";
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        };
        if equal != 0 {
            self.touch(spot, Use { strength: strength(access.order), ..UPDATE });
            self.write_spot(spot, values.1);
        }
        Ok((old, equal != 0))
    }

    /// New memory that only this thread knows.
    ///
    /// # Errors
    /// It is larger than the options allow.
    pub fn allocate(&mut self, object: Object) -> Result<Value> {
        let size = object.bytes.len() as u64;
        if size > self.options.max_object {
            return Err(Stop::refused(format!("an object of {size} bytes is too large")));
        }
        let number = self.thread.add(object);
        if number >= 1 << 20 {
            return Err(Stop::refused("a thread has more than a million objects"));
        }
        Ok(Value::address(Origin::Private(number), 0))
    }

    /// Ends the life of an object.
    pub fn end_object(&mut self, base: Base) {
        let origin = base.origin();
        if let Origin::Shared(object) = origin {
            let len = self.shared.object(object).map_or(0, |object| object.bytes.len() as u32);
            self.touch(Spot { origin, at: 0, len: len.max(1) }, WRITE);
        }
        if let Some(object) = self.object_mut(origin) {
            object.kill();
        }
    }
}
