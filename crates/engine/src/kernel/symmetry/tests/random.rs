//! Random descriptions of symmetry, and random states that fit them.

use model::Symmetry;
use model::symmetry::{CodeSegment, IndexSegment, Placed, Scalarset, ScalarsetId, Shape};

use super::permute;

/// A small generator (xorshift), so that seeds mean the same for ever.
pub(super) struct Random {
    state: u64,
    /// How many contents a plain field can have. Few make many elements alike.
    n_kinds: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, n_kinds: 1 }
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n
    }

    fn up_to(&mut self, n: u32) -> u32 {
        self.below(u64::from(n) + 1) as u32
    }

    /// A permutation of `n` elements.
    pub(super) fn shuffled(&mut self, n: u32) -> Vec<u32> {
        let mut elements: Vec<u32> = (0..n).collect();
        for last in (1..elements.len()).rev() {
            elements.swap(last, self.below(last as u64 + 1) as usize);
        }
        elements
    }

    /// A description and the number of bits of its states.
    pub(super) fn symmetry(&mut self) -> (Symmetry, u32) {
        let n_scalarsets = 1 + self.up_to(2);
        let scalarsets: Vec<Scalarset> = (0..n_scalarsets).map(|_| self.scalarset()).collect();
        let mut builder = Builder { random: self, scalarsets: &scalarsets };
        let (mut state, mut n_bits) = (Vec::new(), 0);
        for _ in 0..1 + builder.random.up_to(3) {
            let (shape, bits) = builder.shape(3);
            if bits > 150 {
                continue;
            }
            state.push(Placed { bit: n_bits, shape });
            n_bits += bits + builder.random.up_to(1);
        }
        (Symmetry { scalarsets, state }, n_bits)
    }

    fn scalarset(&mut self) -> Scalarset {
        let not_symmetric = (self.below(10) == 0).then(|| "it is not".to_owned());
        let n_elements = 1 + self.up_to(3);
        Scalarset { name: "S".to_owned(), n_elements, not_symmetric }
    }

    /// A state with multisets in order.
    pub(super) fn state(&mut self, symmetry: &Symmetry, n_bits: u32) -> Vec<u64> {
        let mut state = vec![0; n_bits.div_ceil(64).max(1) as usize];
        self.n_kinds = 1 + self.below(4);
        for placed in &symmetry.state {
            self.fill(symmetry, &placed.shape, placed.bit, &mut state);
        }
        permute(symmetry, &[], &state)
    }

    fn fill(&mut self, all: &Symmetry, shape: &Shape, at: u32, state: &mut [u64]) {
        match shape {
            Shape::Plain { bits } => {
                let kind = self.below(self.n_kinds);
                for idx in 0..*bits {
                    write(state, at + idx, kind >> (idx % 2) & 1);
                }
            }
            Shape::Value { bits, segments } => {
                let mut code = self.below(1 << bits.min(&2));
                if let Some(segment) = segments.get(self.below(segments.len() as u64 + 1) as usize)
                {
                    let n = all.scalarsets[segment.scalarset.0 as usize].n_elements;
                    code = segment.first + self.below(u64::from(n));
                }
                for idx in 0..*bits {
                    write(state, at + idx, code >> idx & 1);
                }
            }
            Shape::Record { parts } => {
                for part in parts {
                    self.fill(all, &part.shape, at + part.bit, state);
                }
            }
            Shape::Array { stride, n_elements, element, .. } => {
                for idx in 0..*n_elements {
                    self.fill(all, element, at + idx * stride, state);
                }
            }
            Shape::Multiset { stride, n_slots, element } => {
                for slot in 0..*n_slots {
                    if self.below(3) > 0 {
                        self.fill(all, element, at + slot * stride, state);
                        write(state, at + slot * stride + stride - 1, 1);
                    }
                }
            }
        }
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    scalarsets: &'a [Scalarset],
}

impl Builder<'_> {
    /// A shape and its size.
    fn shape(&mut self, depth: u32) -> (Shape, u32) {
        let kinds = if depth == 0 { 4 } else { 10 };
        match self.random.below(kinds) {
            0 => {
                let bits = 1 + self.random.up_to(2);
                (Shape::Plain { bits }, bits)
            }
            1..=3 => self.value(),
            4 => self.record(depth - 1),
            5..=7 => self.array(depth - 1),
            8 => self.multiset(depth - 1),
            _ => {
                let bits = 60 + self.random.up_to(10);
                (Shape::Plain { bits }, bits)
            }
        }
    }

    fn any_scalarset(&mut self) -> (ScalarsetId, u32) {
        let id = self.random.below(self.scalarsets.len() as u64) as usize;
        (ScalarsetId(id as u32), self.scalarsets[id].n_elements)
    }

    fn value(&mut self) -> (Shape, u32) {
        let (mut segments, mut n_codes) = (Vec::new(), self.random.below(3));
        for _ in 0..1 + self.random.up_to(1) {
            let (scalarset, n) = self.any_scalarset();
            segments.push(CodeSegment { first: n_codes, scalarset });
            n_codes += u64::from(n) + self.random.below(2);
        }
        let bits = (64 - (n_codes - 1).leading_zeros()).max(1);
        (Shape::Value { bits, segments }, bits)
    }

    fn record(&mut self, depth: u32) -> (Shape, u32) {
        let (mut parts, mut size) = (Vec::new(), 0);
        for _ in 0..1 + self.random.up_to(2) {
            let (shape, bits) = self.shape(depth);
            parts.push(Placed { bit: size, shape });
            size += bits + self.random.up_to(1);
        }
        (Shape::Record { parts }, size)
    }

    fn array(&mut self, depth: u32) -> (Shape, u32) {
        let (element, bits) = self.shape(depth);
        let (mut segments, mut n_elements) = (Vec::new(), self.random.up_to(1));
        for _ in 0..(1 + self.random.up_to(5)) / 3 {
            let (scalarset, n) = self.any_scalarset();
            segments.push(IndexSegment { first: n_elements, scalarset });
            n_elements += n + self.random.up_to(1);
        }
        let stride = bits + self.random.up_to(1);
        let size = stride * n_elements;
        (Shape::Array { stride, n_elements, segments, element: Box::new(element) }, size)
    }

    fn multiset(&mut self, depth: u32) -> (Shape, u32) {
        let (element, bits) = self.shape(depth);
        let (stride, n_slots) = (bits + 1 + self.random.up_to(1), 1 + self.random.up_to(3));
        let shape = Shape::Multiset { stride, n_slots, element: Box::new(element) };
        (shape, stride * n_slots)
    }
}

fn write(state: &mut [u64], bit: u32, value: u64) {
    let word = &mut state[bit as usize / 64];
    *word = *word & !(1 << (bit % 64)) | value << (bit % 64);
}
