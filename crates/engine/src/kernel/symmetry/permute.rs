//! Permutes a state straight from the description of its symmetry.
//!
//! Slow and simple: what the canonical forms are tested against.

use model::Symmetry;
use model::symmetry::{Placed, ScalarsetId, Shape};

/// What `permutations` make of `state`: element i of scalarset s becomes element
/// `permutations[s][i]`. Scalarsets without a permutation, and elements beyond
/// one, stay.
pub fn permute(symmetry: &Symmetry, permutations: &[Vec<u32>], state: &[u64]) -> Vec<u64> {
    let mut permuted = state.to_vec();
    let mut permuter = Permuter { symmetry, permutations, from: state, to: &mut permuted };
    permuter.parts(&symmetry.state, 0, 0);
    permuted
}

struct Permuter<'a> {
    symmetry: &'a Symmetry,
    permutations: &'a [Vec<u32>],
    from: &'a [u64],
    to: &'a mut [u64],
}

impl Permuter<'_> {
    fn parts(&mut self, parts: &[Placed], from: u32, to: u32) {
        for part in parts {
            self.shape(&part.shape, from + part.bit, to + part.bit);
        }
    }

    fn shape(&mut self, shape: &Shape, from: u32, to: u32) {
        match shape {
            Shape::Plain { bits } => (0..*bits).for_each(|idx| self.copy(from + idx, to + idx)),
            Shape::Value { bits, segments } => {
                let mut code = field(self.from, from, *bits);
                let segment = segments.iter().find(|segment| {
                    let n = self.symmetry.scalarsets[segment.scalarset.0 as usize].n_elements;
                    (segment.first..segment.first + u64::from(n)).contains(&code)
                });
                if let Some(segment) = segment {
                    let element = (code - segment.first) as u32;
                    code = segment.first + u64::from(self.image(segment.scalarset, element));
                }
                set_field(self.to, to, *bits, code);
            }
            Shape::Record { parts } => self.parts(parts, from, to),
            Shape::Array { stride, n_elements, segments, element } => {
                for idx in 0..*n_elements {
                    let segment = segments.iter().find(|segment| {
                        let n = self.symmetry.scalarsets[segment.scalarset.0 as usize].n_elements;
                        (segment.first..segment.first + n).contains(&idx)
                    });
                    let image = segment.map_or(idx, |segment| {
                        segment.first + self.image(segment.scalarset, idx - segment.first)
                    });
                    self.shape(element, from + idx * stride, to + image * stride);
                }
            }
            Shape::Multiset { stride, n_slots, element } => {
                for slot in 0..*n_slots {
                    let (from, to) = (from + slot * stride, to + slot * stride);
                    set_field_to_zero(self.to, to, *stride);
                    if bit(self.from, from + stride - 1) {
                        self.shape(element, from, to);
                        self.copy(from + stride - 1, to + stride - 1);
                    }
                }
                sort_slots(self.to, to, *stride, *n_slots);
            }
        }
    }

    fn image(&self, scalarset: ScalarsetId, element: u32) -> u32 {
        let permutation = self.permutations.get(scalarset.0 as usize);
        let image = permutation.and_then(|permutation| permutation.get(element as usize));
        image.copied().unwrap_or(element)
    }

    fn copy(&mut self, from: u32, to: u32) {
        set_bit(self.to, to, bit(self.from, from));
    }
}

fn sort_slots(state: &mut [u64], at: u32, stride: u32, n_slots: u32) {
    let read = |slot: u32| -> Vec<bool> {
        (0..stride).rev().map(|idx| bit(state, at + slot * stride + idx)).collect()
    };
    let mut slots: Vec<Vec<bool>> = (0..n_slots).map(read).collect();
    slots.sort_by(|left, right| right.cmp(left));
    for (number, slot) in (0..).zip(&slots) {
        for (idx, &value) in (0..stride).rev().zip(slot) {
            set_bit(state, at + number * stride + idx, value);
        }
    }
}

fn bit(state: &[u64], bit: u32) -> bool {
    state[bit as usize / 64] >> (bit % 64) & 1 == 1
}

fn set_bit(state: &mut [u64], bit: u32, value: bool) {
    let word = &mut state[bit as usize / 64];
    *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
}

fn field(state: &[u64], at: u32, bits: u32) -> u64 {
    (0..bits).map(|idx| u64::from(bit(state, at + idx)) << idx).sum()
}

fn set_field(state: &mut [u64], at: u32, bits: u32, value: u64) {
    (0..bits).for_each(|idx| set_bit(state, at + idx, value >> idx & 1 == 1));
}

fn set_field_to_zero(state: &mut [u64], at: u32, bits: u32) {
    (0..bits).for_each(|idx| set_bit(state, at + idx, false));
}
