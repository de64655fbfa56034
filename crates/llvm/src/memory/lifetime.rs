//! Lifetimes of objects: allocation, the end of scopes and threads, `free`.
//!
//! An object whose lifetime has ended stays, dead, as long as somebody remembers its
//! address, so that using it can be told from using another one.

use std::collections::BTreeSet;

use super::Memory;
use super::access::{AccessMode, Location};
use super::history::Deed;
use super::object::{Kind, Mark, MarkKind, Object};
use super::stores::Frame;
use crate::machine::{Result, Stop};
use crate::value::{Base, Origin, Value};

/// Each time a thread has so many more objects, dead ones are looked for.
const SWEEP_EVERY: u32 = 64;

/// More objects than a thread may have to itself.
const MAX_PRIVATE_OBJECTS: u32 = 1 << 20;

impl Memory<'_> {
    /// New memory that only this thread knows.
    ///
    /// # Errors
    /// It is larger than the options allow.
    pub fn allocate(&mut self, mut object: Object) -> Result<Value> {
        self.forget_allocated(&mut object);
        let (size, kind) = (u64::from(object.size()), object.kind);
        if size > self.options.max_object && !object.is_forgotten() {
            return Err(Stop::refused(format!("an object of {size} bytes is too large")));
        }
        let number = self.thread.objects.add(object);
        self.note_birth(self.me(), number, size as u32);
        self.note_new(number, kind);
        if number >= MAX_PRIVATE_OBJECTS {
            return Err(Stop::refused("a thread has more than a million objects"));
        }
        Ok(Value::address(Origin::Private(number), 0))
    }

    /// New memory that ends with the running function.
    ///
    /// # Errors
    /// It is larger than the options allow.
    pub fn allocate_in_frame(&mut self, object: Object) -> Result<Value> {
        let address = self.allocate(object)?;
        self.frame_mut().allocas.push(address.base);
        if let Origin::Private(number) = address.base.origin()
            && number > 0
            && number.is_multiple_of(SWEEP_EVERY)
        {
            self.sweep();
        }
        Ok(address)
    }

    /// The address that names the call of a function, by the number of its frame, for jumps
    /// back to it.
    pub fn jump_point_of(&self, frame: usize) -> Option<Value> {
        let is_point = |base: &&Base| {
            let object = self.object(base.origin());
            object.is_some_and(|it| it.kind == Kind::Stack && it.log2_align == Object::JUMP_POINT)
        };
        let base = self.thread.frames.get(frame)?.allocas.iter().find(is_point)?;
        Some(Value::address(base.origin(), 0))
    }

    /// Ends the life of an object. For other threads that is a write to all of it.
    pub fn end_object(&mut self, base: Base) {
        let origin = base.origin();
        if let Origin::Shared(object) = origin {
            let len = self.shared.object(object).map_or(0, Object::size);
            self.record(Location { origin, at: 0, len: len.max(1) }, AccessMode::PLAIN_WRITE);
        }
        if let Origin::Private(number) = origin {
            self.note(Deed::Forget(number));
        }
        if let Some(object) = self.object_mut(origin) {
            object.kill();
        }
        self.note_dead(base);
    }

    /// Ends memory of the running function before its end.
    pub fn expire(&mut self, base: Base) {
        let frame = self.frame_mut();
        if let Some(idx) = frame.allocas.iter().position(|&other| other == base) {
            frame.allocas.remove(idx);
            self.end_object(base);
        }
    }

    /// Takes away the values of memory of a function that no other thread knows.
    pub fn renew(&mut self, base: Base) {
        if let Origin::Private(number) = base.origin()
            && let Some(object) = self.thread.objects.get_mut(number)
            && object.kind == Kind::Stack
            && object.is_live
        {
            let len = object.size();
            object.fill(0, len, 0);
            let is_held = len > 0 && !object.is_forgotten();
            object.marks.extend(is_held.then_some(Mark { at: 0, len, kind: MarkKind::Undef }));
            self.note_birth(self.me(), number, len);
        }
    }

    /// Ends the running function, with its local variables.
    pub fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.thread.frames.pop()?;
        frame.allocas.iter().for_each(|&base| self.end_object(base));
        Some(frame)
    }

    /// Forgets all functions that run; their local variables stay as they are.
    pub fn abandon_frames(&mut self) {
        self.thread.frames.clear();
    }

    /// Ends the thread's copies of thread-local variables.
    pub fn end_thread_locals(&mut self) {
        for idx in 0..self.thread.thread_locals.len() {
            self.end_object(self.thread.thread_locals[idx].base);
        }
    }

    /// Gives an object the contents of the beginning of another, without an access: for
    /// memory that moves, which is an access to all of it anyway.
    pub fn move_contents(&mut self, from: Origin, to: Origin) {
        let before = self.object(from).cloned();
        if let (Some(before), Some(after)) = (before, self.object_mut(to)) {
            let len = before.size().min(after.size());
            after.copy_from(0, &before, 0, len);
        }
    }

    /// Drops memory of ended scopes that no pointer names.
    pub(super) fn sweep(&mut self) {
        let private = |base: Base| match base.origin() {
            Origin::Private(number) => Some(number),
            _ => None,
        };
        let mut waiting: Vec<u32> = self.thread.roots().filter_map(private).collect();
        let mut reached: BTreeSet<u32> = BTreeSet::new();
        while let Some(number) = waiting.pop() {
            if reached.insert(number)
                && let Some(object) = self.thread.objects.get(number)
            {
                waiting.extend(object.bases().filter_map(private));
            }
        }
        self.thread.objects.drop_if(|number, object| {
            object.kind == Kind::Stack && !object.is_live && !reached.contains(&number)
        });
        self.forget_dropped();
    }
}
