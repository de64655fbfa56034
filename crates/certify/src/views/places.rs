//! Which variable of the check's diagrams says what.
//!
//! The order is the check's own, whatever the certificate's is: shared variables first,
//! each with its new value below, then the members of a view one after the other, then one
//! more thread, then the choices of each thread.

use model::{Bit, BooleanFlow, ViewBit};

use super::diagrams::Variable;
use crate::rejection::Rejection;

/// The order of variables.
pub(super) struct VariableOrder {
    pub(super) size: usize,
    pub(super) n_locations: usize,
    n_shared: usize,
    n_locals: usize,
    n_bits: usize,
    n_choices: usize,
}

impl VariableOrder {
    pub(super) fn new(flow: &BooleanFlow, size: usize) -> VariableOrder {
        let n_choices = flow.edges.iter().map(|edge| edge.n_choices).max().unwrap_or(0) as usize;
        // The location of threads that do not exist is the largest number.
        let n_locations = flow.locations.len();
        let mut n_bits = 0;
        while n_locations >> n_bits > 0 {
            n_bits += 1;
        }
        let (n_shared, n_locals) = (flow.shared.len(), flow.locals.len());
        VariableOrder { size, n_locations, n_shared, n_locals, n_bits, n_choices }
    }

    pub(super) fn n_variables(&self) -> u32 {
        self.choice(self.size + 1, 0)
    }

    /// Is a thread at an atomic location?
    pub(super) fn in_atomic(&self) -> Variable {
        0
    }

    pub(super) fn shared(&self, idx: usize) -> Variable {
        2 + 2 * idx as u32
    }

    /// The new value of a shared variable, or of whether a thread is at an atomic location.
    pub(super) fn renewed(&self, shared: Variable) -> Variable {
        shared + 1
    }

    /// One past the last member is one more thread.
    fn thread(&self, thread: usize) -> usize {
        2 + 2 * self.n_shared + thread * (self.n_bits + self.n_locals)
    }

    pub(super) fn local(&self, thread: usize, idx: usize) -> Variable {
        (self.thread(thread) + self.n_bits + idx) as u32
    }

    pub(super) fn locals(&self, thread: usize) -> Vec<Variable> {
        (0..self.n_locals).map(|idx| self.local(thread, idx)).collect()
    }

    /// The place of a bit of a thread's location; the highest bit stands first.
    pub(super) fn location_bit(&self, thread: usize, bit: usize) -> Variable {
        (self.thread(thread) + self.n_bits - 1 - bit) as u32
    }

    pub(super) fn n_bits(&self) -> usize {
        self.n_bits
    }

    /// A choice that a thread makes in a step, its own or one that is done to it.
    pub(super) fn choice(&self, thread: usize, idx: usize) -> Variable {
        (self.thread(self.size + 1) + thread * self.n_choices + idx) as u32
    }

    pub(super) fn bit(&self, thread: usize, bit: Bit) -> Variable {
        match bit {
            Bit::Shared(idx) => self.shared(idx as usize),
            Bit::Local(idx) => self.local(thread, idx as usize),
        }
    }

    /// A thread's location as values of variables.
    pub(super) fn at(&self, thread: usize, location: usize) -> Vec<(Variable, bool)> {
        let bits = 0..self.n_bits;
        bits.map(|bit| (self.location_bit(thread, bit), location >> bit & 1 == 1)).collect()
    }

    /// The place of what a certificate's variable says.
    pub(super) fn of(&self, bit: ViewBit) -> Result<Variable, Rejection> {
        let within = |idx: u32, end: usize| (idx as usize) < end;
        match bit {
            ViewBit::InAtomic => Ok(self.in_atomic()),
            ViewBit::Shared(idx) if within(idx, self.n_shared) => Ok(self.shared(idx as usize)),
            ViewBit::Location { member, bit }
                if within(member, self.size) && within(bit, self.n_bits) =>
            {
                Ok(self.location_bit(member as usize, bit as usize))
            }
            ViewBit::Local { member, local }
                if within(member, self.size) && within(local, self.n_locals) =>
            {
                Ok(self.local(member as usize, local as usize))
            }
            _ => Err(Rejection::malformed("a view has a variable that the program has not")),
        }
    }
}
