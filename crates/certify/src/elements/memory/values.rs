//! States as lists of values, one for each cell, in which names of elements and of nodes are told
//! from other codes.

use super::super::reading::{bits_at, put_bits};
use super::layout::Layout;
use crate::rejection::Rejection;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// A code that names nothing.
    Code(u64),
    /// The element in this slot.
    Element(u32),
    /// An element without a slot.
    Rest,
    /// This node.
    Node(u32),
}

impl Layout {
    /// The values of a state.
    pub(crate) fn read(&self, state: &[u64]) -> Result<Vec<Value>, Rejection> {
        if state.iter().zip(&self.covered).any(|(word, covered)| word & !covered != 0) {
            return Err(Rejection::malformed("a state has more to it than its cells"));
        }
        Ok(self.decode(state))
    }

    /// The values of what is known to be a state.
    pub(crate) fn decode(&self, state: &[u64]) -> Vec<Value> {
        let cells = self.cells.iter().enumerate();
        cells.map(|(idx, cell)| self.decoded(idx, bits_at(state, cell))).collect()
    }

    /// The state with these values.
    pub(crate) fn packed(&self, values: &[Value]) -> Box<[u64]> {
        let mut state = vec![0; self.state_words];
        for (cell, value) in self.cells.iter().zip(values) {
            let (element, node) = (cell.first_code.unwrap_or(0), cell.first_node_code.unwrap_or(0));
            let code = match *value {
                Value::Code(code) => code,
                Value::Element(slot) => element + u64::from(slot),
                Value::Rest => element + u64::from(self.n_slots),
                Value::Node(number) => node + u64::from(number),
            };
            put_bits(&mut state, cell, code);
        }
        state.into_boxed_slice()
    }

    /// Nothing but this value in these cells.
    pub(crate) fn all_with(&self, cells: &[usize], value: Value) -> Vec<Value> {
        let mut values = vec![Value::Code(0); self.cells.len()];
        cells.iter().for_each(|idx| values[*idx] = value);
        values
    }

    /// The bits of some cells.
    pub(crate) fn bits_of(&self, cells: &[usize]) -> Box<[u64]> {
        let mut bits = vec![0; self.state_words];
        for idx in cells {
            let cell = &self.cells[*idx];
            put_bits(&mut bits, cell, (1 << cell.bits) - 1);
        }
        bits.into_boxed_slice()
    }

    /// What a code means in a cell.
    pub(crate) fn decoded(&self, cell: usize, code: u64) -> Value {
        let number = |first: Option<u64>| first.and_then(|first| code.checked_sub(first));
        let cell = &self.cells[cell];
        if let Some(slot) = number(cell.first_code) {
            let n_slots = u64::from(self.n_slots);
            return match slot {
                _ if slot < n_slots => Value::Element(slot as u32),
                _ if slot == n_slots => Value::Rest,
                _ => Value::Code(code),
            };
        }
        match number(cell.first_node_code) {
            Some(node) if node < self.n_nodes as u64 => Value::Node(node as u32),
            _ => Value::Code(code),
        }
    }
}
