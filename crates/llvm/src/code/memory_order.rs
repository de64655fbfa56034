//! What atomic accesses order, and whether a program relies on more than that.

use super::{Code, Op};
use crate::library;

/// What an atomic access or a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOrder {
    /// Does what was released before become known with what is read?
    pub acquires: bool,
    /// Does whoever acquires what is written learn of all that came before?
    pub releases: bool,
    /// Is it one of a total order that all threads agree on?
    pub is_seq_cst: bool,
}

impl MemoryOrder {
    /// `memory_order_relaxed`.
    pub const RELAXED: MemoryOrder =
        MemoryOrder { acquires: false, releases: false, is_seq_cst: false };
    /// `memory_order_acquire`.
    pub const ACQUIRE: MemoryOrder =
        MemoryOrder { acquires: true, releases: false, is_seq_cst: false };
    /// `memory_order_release`.
    pub const RELEASE: MemoryOrder =
        MemoryOrder { acquires: false, releases: true, is_seq_cst: false };
    /// `memory_order_seq_cst`.
    pub const SEQ_CST: MemoryOrder =
        MemoryOrder { acquires: true, releases: true, is_seq_cst: true };
}

impl Code {
    /// Can a thread learn from another one without being ordered after it: by relaxed
    /// atomics, or by trying a lock in vain?
    pub fn orders_weakly(&self) -> bool {
        self.functions.iter().any(|function| match &function.body {
            Some(body) => body.ops.iter().any(|instr| is_weak(&instr.op)),
            None => function.builtin.is_some_and(library::orders_weakly),
        })
    }

    /// Makes every `volatile` access an atomic one, sequentially consistent.
    pub fn make_volatile_atomic(&mut self) {
        let bodies = self.functions.iter_mut().filter_map(|function| function.body.as_mut());
        for instr in bodies.flat_map(|body| &mut body.ops) {
            if let Op::Load { access, .. } | Op::Store { access, .. } = &mut instr.op
                && access.is_volatile
            {
                access.is_atomic = true;
                access.order = MemoryOrder::SEQ_CST;
            }
        }
    }

    /// Are there stores that other threads may see later than other things?
    pub fn has_stores_that_wait(&self) -> bool {
        let bodies = self.functions.iter().filter_map(|function| function.body.as_ref());
        bodies.flat_map(|body| &body.ops).any(|instr| may_wait(&instr.op))
    }
}

fn may_wait(op: &Op) -> bool {
    matches!(op, Op::Store { access, .. } if access.is_atomic && !access.order.is_seq_cst)
}

fn is_weak(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } => access.is_atomic && !access.order.acquires,
        Op::Store { access, .. } => access.is_atomic && !access.order.releases,
        Op::ReadModifyWrite { access, .. } => !(access.order.acquires && access.order.releases),
        Op::CompareExchange { access, on_failure, .. } => {
            !(access.order.acquires && access.order.releases && on_failure.acquires)
        }
        _ => false,
    }
}
