//! Stores that other threads see later.
//!
//! A processor keeps stores in a queue before memory gets them, and goes on; C allows
//! that for atomic stores that are not sequentially consistent. So a thread may keep a
//! few such stores to itself: it reads them, others do not, and memory gets them in
//! their order, some time, at the latest before the thread's next update, sequentially
//! consistent store or fence, lock, or other call of the library.
//!
//! Sound for: errors. Each such run is one that C allows, given that the program has no
//! data races. Not all that C allows is run (loads are not reordered, stores of different
//! places are not), so that nothing is found proves sequentially consistent runs only.

use super::access::{Spot, UPDATE};
use super::state::Delayed;
use super::{Machine, MemoryModel};
use crate::code::{Access, Op};
use crate::value::{Base, Origin, Value, signed};

/// Stores that a thread keeps to itself at most.
const MAX_DELAYED: usize = 3;

/// How a place lies to the stores that are kept.
enum Overlap {
    /// No store touches it.
    None,
    /// The last store that touches it is one of exactly this place.
    Exact(Value),
    /// A store touches other bytes as well.
    Partial,
}

impl Machine<'_> {
    /// Gives stores to memory that cannot wait longer, since this operation comes.
    pub(super) fn settle_delays(&mut self, op: &Op) {
        if self.thread.delayed.is_empty() {
            return;
        }
        let must_settle = match op {
            Op::Load { pointer, access, .. } => {
                matches!(self.overlap(self.value(*pointer), *access), Overlap::Partial)
            }
            Op::Store { pointer, access, .. } => {
                let is_apart = matches!(self.overlap(self.value(*pointer), *access), Overlap::None);
                !self.may_delay(*access) && (access.is_atomic || !is_apart)
            }
            Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => true,
            Op::Fence(order) => order.is_total,
            Op::Call(call) => self
                .called(call)
                .is_none_or(|function| function.body.as_ref().is_none_or(|body| body.is_atomic)),
            Op::Return(_) => {
                let is_shared = |base: &Base| matches!(base.origin(), Origin::Shared(_));
                let frame = self.thread.frames.last();
                self.thread.frames.len() == 1
                    || frame.is_some_and(|frame| frame.allocas.iter().any(is_shared))
            }
            _ => false,
        };
        if must_settle {
            self.settle_all();
        }
    }

    /// May a store be kept for some time?
    pub(super) fn may_delay(&self, access: Access) -> bool {
        self.options.memory_model == MemoryModel::StoreBuffers
            && access.is_atomic
            && !access.order.is_total
            && self.atomic_depth == 0
    }

    /// Keeps a store.
    pub(super) fn delay(&mut self, spot: Spot, value: Value) {
        if self.thread.delayed.len() >= MAX_DELAYED {
            self.settle_first();
        }
        let value = self.publish(value);
        let place = Value::address(spot.origin, u64::from(spot.at));
        let by = self.thread.frames.last().map_or((0, 0), |frame| (frame.function, frame.pc));
        self.thread.delayed.push(Delayed { place, len: spot.len, value, by });
    }

    /// What the thread's own stores say about a place, if memory has not got them yet.
    pub(super) fn delayed_value(&self, pointer: Value, access: Access) -> Option<Value> {
        match self.overlap(pointer, access) {
            Overlap::Exact(value) => Some(value),
            Overlap::None | Overlap::Partial => None,
        }
    }

    fn overlap(&self, pointer: Value, access: Access) -> Overlap {
        let at = |place: Value| signed(place.bits, self.code.pointer_bytes * 8);
        let (start, len) = (at(pointer), i64::from(access.bytes));
        let mut touching = self.thread.delayed.iter().rev().filter(|store| {
            let first = at(store.place);
            store.place.base == pointer.base
                && first < start + len
                && start < first + i64::from(store.len)
        });
        match touching.next() {
            None => Overlap::None,
            Some(store) if at(store.place) == start && i64::from(store.len) == len => {
                Overlap::Exact(store.value)
            }
            Some(_) => Overlap::Partial,
        }
    }

    /// Memory gets the oldest store that the thread has kept.
    pub(super) fn settle_first(&mut self) {
        let store = self.thread.delayed.remove(0);
        let Origin::Shared(number) = store.place.base.origin() else { return };
        if !self.shared.object(number).is_some_and(|object| object.is_live) {
            return;
        }
        let at = store.place.bits as u32;
        let spot = Spot { origin: store.place.base.origin(), at, len: store.len };
        self.touch(spot, UPDATE);
        self.write_spot(spot, store.value);
        self.touched.made_by(store.by.0, store.by.1);
    }

    /// Memory gets all stores that the thread has kept.
    pub(super) fn settle_all(&mut self) {
        while !self.thread.delayed.is_empty() {
            self.settle_first();
        }
    }
}
