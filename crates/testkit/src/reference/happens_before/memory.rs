//! Accesses to memory: do they race, and what do they order?
//!
//! Written after C11 5.1.2.4 and 7.17, for executions in which every read sees the last write.
//! A thread's clock says what happens before its next operation. Two accesses race if one of
//! them writes, one of them is not atomic, and the later one's thread does not know the earlier.

use super::Fault;
use super::state::{Cell, Clock, Kind, ObjectId, State, Value};
use crate::random::sharing::{Base, Order, Place};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Does it write?
    pub writes: bool,
    /// Is it atomic?
    pub is_atomic: bool,
}

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The object, which lives.
    pub object: ObjectId,
    /// Its part.
    pub part: u8,
}

impl State {
    /// What a place means to a thread.
    ///
    /// # Errors
    /// There is no such object, or it has ended.
    pub fn location(&self, thread: usize, place: Place) -> Result<Location, Fault> {
        let object = self.object_at(thread, place.base)?;
        let object = object.ok_or(Fault::Memory { is_unordered: false })?;
        match self.objects[usize::from(object)].lives() {
            true => Ok(Location { object, part: place.part }),
            false => Err(self.gone(thread, object)),
        }
    }

    /// A thread uses an object that has ended, or ends one that must not be ended.
    fn gone(&self, thread: usize, object: ObjectId) -> Fault {
        let now = self.threads[thread].now;
        let ended = self.objects[usize::from(object)].ended;
        let is_unordered = ended.is_some_and(|(by, stretch)| {
            usize::from(by) != thread && stretch > now.0[usize::from(by)]
        });
        Fault::Memory { is_unordered }
    }

    /// The object that a base means, which may have ended.
    ///
    /// # Errors
    /// The program is not one that C gives a meaning.
    pub fn object_at(&self, thread: usize, base: Base) -> Result<Option<ObjectId>, Fault> {
        let running = &self.threads[thread];
        match base {
            Base::Behind(pointer) => Ok(running.pointers[usize::from(pointer)]),
            Base::Local(local) => {
                let object = running.locals[usize::from(local)];
                object.map(Some).ok_or(Fault::Unclear("a variable is used outside of its block"))
            }
            Base::Global(number) => {
                let own = running.own.iter().find(|(global, _)| *global == number);
                Ok(Some(own.map_or(number, |(_, object)| *object)))
            }
        }
    }

    /// The part there.
    pub fn cell(&mut self, at: Location) -> &mut Cell {
        &mut self.objects[usize::from(at.object)].cells[usize::from(at.part)]
    }

    /// Notes an access; does it race with an earlier one?
    pub fn access(&mut self, thread: usize, at: Location, access: Access) -> bool {
        let now = self.threads[thread].now;
        let cell = self.cell(at);
        let is_new = |clock: &Clock| {
            let mut threads = clock.0.iter().zip(now.0).enumerate();
            threads.any(|(other, (&last, known))| other != thread && last > known)
        };
        let conflicts: &[Clock] = match (access.writes, access.is_atomic) {
            (true, false) => &[cell.reads, cell.writes, cell.atomic_reads, cell.atomic_writes],
            (true, true) => &[cell.reads, cell.writes],
            (false, false) => &[cell.writes, cell.atomic_writes],
            (false, true) => &[cell.writes],
        };
        let races = conflicts.iter().any(is_new);
        let noted = match (access.writes, access.is_atomic) {
            (true, false) => &mut cell.writes,
            (true, true) => &mut cell.atomic_writes,
            (false, false) => &mut cell.reads,
            (false, true) => &mut cell.atomic_reads,
        };
        noted.0[thread] = now.0[thread];
        races
    }

    /// An atomic read has seen the value there.
    pub fn acquire(&mut self, thread: usize, at: Location, order: Order) {
        let released = self.cell(at).released;
        let reader = &mut self.threads[thread];
        for clock in released {
            match order.acquires() {
                true => reader.now.join(clock),
                // An acquire fence after this read makes up for it.
                false => reader.read_relaxed.join(clock),
            }
        }
    }

    /// An atomic write has set the value there; `reads` if it has read the old one as well.
    /// A release sequence goes on with what its thread stores, and with every
    /// read-modify-write (5.1.2.4p10).
    pub fn release(&mut self, thread: usize, at: Location, order: Order, reads: bool) {
        let writer = &self.threads[thread];
        // A fence before it makes a relaxed write head a sequence (7.17.4p2, p3).
        let known = if order.releases() { writer.now } else { writer.at_fence };
        let released = &mut self.cell(at).released;
        for (head, clock) in released.iter_mut().enumerate() {
            if !reads && head != thread {
                *clock = Clock::default();
            }
        }
        released[thread].join(known);
        self.next_stretch(thread);
    }

    /// A fence.
    pub fn fence(&mut self, thread: usize, order: Order) {
        let running = &mut self.threads[thread];
        if order.acquires() {
            let learned = running.read_relaxed;
            running.now.join(learned);
        }
        if order.releases() {
            running.at_fence = running.now;
        }
        self.next_stretch(thread);
    }

    /// What a thread does from now on is not known to those who acquire what it has released.
    pub fn next_stretch(&mut self, thread: usize) {
        self.threads[thread].now.0[thread] += 1;
    }

    /// Ends the life of an object, which counts as a write to all of it; does that race?
    pub fn end_life(&mut self, thread: usize, object: ObjectId) -> bool {
        let n_parts = self.objects[usize::from(object)].cells.len();
        let write = Access { writes: true, is_atomic: false };
        let mut races = false;
        for part in 0..n_parts {
            races |= self.access(thread, Location { object, part: part as u8 }, write);
        }
        let stretch = self.threads[thread].now.0[thread];
        let object = &mut self.objects[usize::from(object)];
        object.cells.clear();
        object.ended = Some((thread as u8, stretch));
        races
    }

    /// The object, if it is a block of memory.
    ///
    /// # Errors
    /// It is none, or it has ended.
    pub fn allocation(&self, thread: usize, object: ObjectId) -> Result<ObjectId, Fault> {
        let it = &self.objects[usize::from(object)];
        match it.kind == Kind::Heap && it.lives() {
            true => Ok(object),
            false => Err(self.gone(thread, object)),
        }
    }

    /// The blocks of memory that cannot be reached from these objects.
    pub fn unreachable_blocks(&self, roots: &[ObjectId]) -> bool {
        let mut reached = vec![false; self.objects.len()];
        let mut stack = roots.to_vec();
        while let Some(object) = stack.pop() {
            if std::mem::replace(&mut reached[usize::from(object)], true) {
                continue;
            }
            for cell in &self.objects[usize::from(object)].cells {
                if let Value::Pointer(Some(next)) = cell.value {
                    stack.push(next);
                }
            }
        }
        let blocks = self.objects.iter().zip(reached);
        blocks
            .into_iter()
            .any(|(it, is_reached)| it.kind == Kind::Heap && it.lives() && !is_reached)
    }
}
