//! Store buffers: atomic stores that other threads see later.
//!
//! A processor puts stores into a buffer before memory gets them, and goes on; C allows
//! that for atomic stores that are not `memory_order_seq_cst`. So a thread may keep a few
//! such stores in a first-in-first-out buffer: its own loads are forwarded from there,
//! others read memory, and the oldest store is flushed to memory some time, all of them at
//! the latest before the thread's next atomic update, `seq_cst` store or fence, lock, or
//! other call of the library.
//!
//! **Answers** errors. Each such execution is one that C11 allows, given that the program
//! has no data races. **Not for** proofs: not all that C11 allows is executed (loads are
//! not reordered, nor are stores to different locations), so that nothing is found proves
//! something about sequentially consistent executions only.
//! **Source** the operational x86-TSO machine of Owens, Sarkar and Sewell, *A better x86
//! memory model: x86-TSO*, TPHOLs 2009. We differ: (1) only atomic stores below `seq_cst`
//! are buffered, since a race-free program cannot tell when a plain store happened;
//! (2) the buffer holds [`MAX_BUFFERED`] stores.

use super::Memory;
use super::access::{AccessMode, Location};
use crate::code::{Op, ScalarAccess};
use crate::machine::MemoryModel;
use crate::value::{Base, Origin, Value, signed};

/// Stores in a buffer at most. Two show store buffering between two variables; chosen so
/// that a third variable can lag as well.
const MAX_BUFFERED: usize = 3;

/// A store that memory has not got yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BufferedStore {
    /// Where it goes.
    pub address: Value,
    /// How many bytes.
    pub len: u32,
    /// What.
    pub value: Value,
    /// The function and the operation that made it.
    pub by: (u32, u32),
}

impl BufferedStore {
    /// What it is relative to.
    pub fn bases(&self) -> [Base; 2] {
        [self.address.base, self.value.base]
    }

    /// What it is relative to.
    pub fn bases_mut(&mut self) -> [&mut Base; 2] {
        [&mut self.address.base, &mut self.value.base]
    }
}

/// How a location lies to the stores in the buffer.
enum Overlap {
    /// No store touches it.
    None,
    /// The last store that touches it is one of exactly this location.
    Exact(Value),
    /// A store touches other bytes as well.
    Partial,
}

impl Memory<'_> {
    /// Is a store waiting in the buffer of the running thread?
    pub fn has_buffered(&self) -> bool {
        !self.thread.buffered.is_empty()
    }

    /// Flushes the buffer if the operation that comes next must not overtake it.
    pub fn flush_before(&mut self, op: &Op) {
        if !self.has_buffered() {
            return;
        }
        let must_flush = match op {
            Op::Load { pointer, access, .. } => {
                matches!(self.overlap(self.operand(*pointer), *access), Overlap::Partial)
            }
            Op::Store { pointer, access, .. } => {
                let overlap = self.overlap(self.operand(*pointer), *access);
                let is_apart = matches!(overlap, Overlap::None);
                !self.may_buffer(*access) && (access.is_atomic || !is_apart)
            }
            Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } | Op::Resume(_) => true,
            Op::Fence(order) => order.is_seq_cst,
            // Calls of the library, and sections that are one step for others.
            Op::Call(call) => {
                let number = self.operand(call.callee).as_function();
                let function = number.and_then(|number| self.code.functions.get(number as usize));
                let body = function.and_then(|function| function.body.as_ref());
                body.is_none_or(|body| body.is_atomic)
            }
            Op::Return(_) => {
                let frames = &self.thread.frames;
                frames.len() == 1 || frames.last().is_some_and(|frame| frame.has_shared_variables())
            }
            _ => false,
        };
        if must_flush {
            self.flush();
        }
    }

    /// May a store go into the buffer?
    pub(super) fn may_buffer(&self, access: ScalarAccess) -> bool {
        self.options.memory_model == MemoryModel::StoreBuffers
            && access.is_atomic
            && !access.order.is_seq_cst
            && !self.is_in_section()
    }

    /// Puts a store into the buffer.
    pub(super) fn buffer(&mut self, location: Location, value: Value) {
        if self.thread.buffered.len() >= MAX_BUFFERED {
            self.flush_oldest();
        }
        let value = self.publish(value);
        let address = Value::address(location.origin, u64::from(location.at));
        let by = self.position();
        self.thread.buffered.push(BufferedStore { address, len: location.len, value, by });
    }

    /// What a load gets from the thread's own buffer.
    pub(super) fn forwarded(&self, pointer: Value, access: ScalarAccess) -> Option<Value> {
        match self.overlap(pointer, access) {
            Overlap::Exact(value) => Some(value),
            Overlap::None | Overlap::Partial => None,
        }
    }

    fn overlap(&self, pointer: Value, access: ScalarAccess) -> Overlap {
        let at = |address: Value| signed(address.bits, self.code.pointer_bytes * 8);
        let (start, len) = (at(pointer), i64::from(access.bytes));
        let mut touching = self.thread.buffered.iter().rev().filter(|store| {
            let first = at(store.address);
            store.address.base == pointer.base
                && first < start + len
                && start < first + i64::from(store.len)
        });
        match touching.next() {
            None => Overlap::None,
            Some(store) if at(store.address) == start && i64::from(store.len) == len => {
                Overlap::Exact(store.value)
            }
            Some(_) => Overlap::Partial,
        }
    }

    /// Memory gets the oldest store of the buffer.
    pub fn flush_oldest(&mut self) {
        let store = self.thread.buffered.remove(0);
        let origin = store.address.base.origin();
        let is_live = |number| self.shared.object(number).is_some_and(|object| object.is_live);
        if !matches!(origin, Origin::Shared(number) if is_live(number)) {
            return;
        }
        let location = Location { origin, at: store.address.bits as u32, len: store.len };
        self.record(location, AccessMode::ATOMIC_WRITE);
        self.write_at(location, store.value);
        self.footprint.made_by(store.by);
    }

    /// Memory gets all stores of the buffer.
    fn flush(&mut self) {
        while self.has_buffered() {
            self.flush_oldest();
        }
    }
}
