//! Values of which nothing is held: forgotten variables, memory at an unknown offset, and
//! inputs that threads share.
//!
//! Such a value is undefined, as memory that was never set is. The machine takes it for any
//! value wherever somebody looks (`Options::over_approximates`), each time anew.
//!
//! **Over-approximates**: what is read is anything, and what is written is dropped, or makes
//! all that it may have changed anything. What cannot be told so is refused: an address of
//! which nothing is known leads nowhere.

use model::Access;

use super::Memory;
use super::access::{AccessMode, Location};
use super::object::{Kind, Mark, MarkKind, Object};
use super::stores::{Frame, SharedStore, ThreadStore};
use crate::forgotten::{Forgotten, Held};
use crate::machine::{Result, Stop};
use crate::value::{Base, Origin, Value, mask};

/// How much of an object of unknown size an access may touch.
const ALL_BYTES: u32 = u32::MAX;

impl SharedStore {
    /// Holds nothing of these variables.
    pub fn forget(&mut self, forgotten: &Forgotten) {
        for variable in forgotten.iter() {
            if let Held::Global(number) = variable
                && let Some(object) = self.objects.get_mut(number)
            {
                object.forget();
            }
        }
    }
}

impl Object {
    /// Takes away the values of all its bytes.
    fn make_undefined(&mut self) {
        let len = self.size();
        self.fill(0, len, 0);
        if len > 0 && !self.is_forgotten() {
            self.marks.push(Mark { at: 0, len, kind: MarkKind::Undef });
        }
    }
}

impl Memory<'_> {
    /// What a register holds of a value that is written to it.
    pub(super) fn held(&self, function: u32, reg: u32, value: Value) -> Value {
        if !self.options.forgotten.has(Held::Register(function, reg)) {
            return value;
        }
        let body = self.code.functions.get(function as usize).and_then(|it| it.body.as_ref());
        let width = body.and_then(|body| body.widths.get(reg as usize));
        Value::undefined(width.map_or(64, |&width| u32::from(width)))
    }

    /// Forgets what the first registers of a frame hold of forgotten variables.
    pub(super) fn forget_registers(&self, frame: &mut Frame) {
        if self.options.forgotten.is_empty() {
            return;
        }
        let function = self.code.functions.get(frame.function as usize);
        let Some(body) = function.and_then(|function| function.body.as_ref()) else { return };
        for &reg in &body.parameters {
            let value = frame.registers[reg as usize];
            frame.registers[reg as usize] = self.held(frame.function, reg, value);
        }
    }

    /// The same for a thread that is about to start.
    pub fn forget_arguments(&self, thread: &mut ThreadStore) {
        thread.frames.iter_mut().for_each(|frame| self.forget_registers(frame));
    }

    /// Forgets what is in an object, if nothing is held of what is allocated there.
    pub(super) fn forget_allocated(&self, object: &mut Object) {
        let is_named = matches!(object.kind, Kind::Heap | Kind::Stack)
            && object.log2_align != Object::JUMP_POINT;
        if is_named && self.options.forgotten.has(Held::Allocation(object.site)) {
            object.forget();
        }
    }

    /// An address in the object of another one, nobody knows where.
    pub fn somewhere_at(&self, pointer: Value) -> Value {
        let undef = mask(self.code.pointer_bytes * 8);
        let has_object = self
            .object(pointer.base.origin())
            .is_some_and(|it| matches!(it.kind, Kind::Variable | Kind::Heap | Kind::Stack));
        match self.options.over_approximates && has_object {
            true => Value { base: pointer.base, bits: 0, undef },
            false => Value::undefined(self.code.pointer_bytes * 8),
        }
    }

    /// Touches all of the object that an address lies in of which nobody knows where; `None`
    /// for other addresses.
    ///
    /// # Errors
    /// It may not be accessed.
    pub(super) fn touch_somewhere(
        &mut self,
        pointer: Value,
        mode: AccessMode,
    ) -> Result<Option<Origin>> {
        if !self.options.over_approximates || pointer.is_defined() {
            return Ok(None);
        }
        let origin = pointer.base.origin();
        let Some(object) = self.object(origin) else { return Ok(None) };
        if !object.is_live || matches!(object.kind, Kind::Symbol | Kind::Thread) {
            return Err(Stop::refused("memory is accessed of which nothing is known"));
        }
        if self.options.refuses_unbounded {
            let why = "an access may be out of bounds, since nothing is held of its index";
            return Err(Stop::refused(why));
        }
        let may_be_unset = !mode.is_write && !self.joins_each_once();
        if self.options.refuses_unset && may_be_unset && object.kind != Kind::Variable {
            return Err(Stop::refused("memory is read that may never have been set"));
        }
        self.may_access(origin, mode)?;
        if let Origin::Shared(object) = origin {
            let is_atomic = mode.is_atomic || self.is_in_section();
            let is_write = mode.is_write;
            self.footprint.add(Access { object, at: 0, len: ALL_BYTES, is_write, is_atomic });
        }
        Ok(Some(origin))
    }

    /// Does the thread stand in a loop that joins each thread of an array once?
    pub fn joins_each_once(&self) -> bool {
        let Some(frame) = self.thread.frames.last() else { return false };
        let mut loops = self.code.fork_joins.iter();
        loops.any(|it| it.function == frame.function && (it.head..it.exit).contains(&frame.pc))
    }

    /// Writes to the object that an address lies in of which nobody knows where, so that its
    /// contents are anything afterwards; false for other addresses.
    ///
    /// # Errors
    /// It may not be accessed.
    pub fn write_somewhere(&mut self, pointer: Value, mode: AccessMode) -> Result<bool> {
        let origin = self.touch_somewhere(pointer, mode)?;
        if let Some(origin) = origin {
            self.forget_contents(origin);
        }
        Ok(origin.is_some())
    }

    /// Holds nothing any more of what an object contains, but its size.
    pub(super) fn forget_contents(&mut self, origin: Origin) {
        if let Some(object) = self.object_mut(origin) {
            object.make_undefined();
        }
    }

    /// Was a value that is read set by somebody, as far as that is asked? Of what nothing is held
    /// nobody knows.
    ///
    /// # Errors
    /// It may never have been set.
    pub(super) fn must_not_be_unset(&self, location: Location, value: Value) -> Result<()> {
        if !self.options.refuses_unset || value.is_defined() || self.sets_bits() {
            return Ok(());
        }
        // Global variables are set from the start, and so are handles that are joined in a loop
        // where another one has written all of them.
        let is_known = self.object(location.origin).is_some_and(|object| {
            object.is_forgotten() && (object.kind == Kind::Variable || self.joins_each_once())
        });
        if is_known {
            return Ok(());
        }
        Err(Stop::refused("memory is read that may never have been set, or holds any value"))
    }

    /// Is it an input of which nothing is held where threads share it?
    pub(super) fn forgets_input(&self, base: Base) -> bool {
        let object = || self.object(base.origin());
        self.options.over_approximates && object().is_some_and(|it| it.kind == Kind::Symbol)
    }

    /// A value of `width` bits where other threads can reach it.
    pub fn publish_as(&mut self, value: Value, width: u32) -> Value {
        match self.forgets_input(value.base) {
            true => Value::undefined(width),
            false => self.publish(value),
        }
    }

    /// Forgets the inputs that an object holds.
    pub(super) fn forget_inputs(&self, object: &mut Object) {
        if !self.options.over_approximates {
            return;
        }
        let is_input = |mark: &&Mark| mark.kind.base().is_some_and(|it| self.forgets_input(it));
        let inputs: Vec<Mark> = object.marks.iter().filter(is_input).copied().collect();
        for Mark { at, len, .. } in inputs {
            object.write(at, len, Value::undefined(len * 8));
        }
    }
}
