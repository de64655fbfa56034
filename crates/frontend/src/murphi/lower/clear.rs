//! `clear`: the smallest value of each part, written as few constants as possible.

use model::rule_code::Op;

use super::super::typed::{TypeId, TypeKind};
use super::Lowering;
use super::facts::Held;
use super::place::{Site, Spot};

/// Values of at most this many bits are written as constants without a loop.
const MAX_PATTERN_BITS: u32 = 448;

/// Bits that can be stored at any bit.
const CHUNK_BITS: u32 = 56;

impl Lowering<'_, '_> {
    /// Gives each part its smallest value; multisets become empty.
    pub(super) fn clear(&mut self, spot: Spot, ty: TypeId) {
        let bits = self.unit.layouts.bits(ty);
        match spot {
            Spot::Register(_) => self.store(spot, bits, Held::Const(1)),
            Spot::Memory(_) if self.unit.program.types.is_simple(ty) => {
                self.store(spot, bits, Held::Const(1));
            }
            Spot::Memory(site) => self.clear_parts(site, ty),
        }
    }

    fn clear_parts(&mut self, site: Site, ty: TypeId) {
        let layout = self.unit.layouts.of(ty);
        if layout.bits <= MAX_PATTERN_BITS {
            self.clear_by_pattern(site, ty);
            return;
        }
        match self.unit.program.types.kind(ty) {
            TypeKind::Record { fields } => {
                for (start, (_, field)) in layout.fields.iter().zip(fields) {
                    let part = self.inner(site, *start, *field);
                    self.clear(Spot::Memory(part), *field);
                }
            }
            TypeKind::Array { element, .. } => {
                let element = *element;
                self.each_element((site, ty), &mut |this, part| {
                    this.clear(Spot::Memory(part), element);
                });
            }
            _ => self.undefine(Spot::Memory(site), ty),
        }
    }

    fn clear_by_pattern(&mut self, site: Site, ty: TypeId) {
        let bits = self.unit.layouts.bits(ty);
        let mut ones = Vec::new();
        self.ones(ty, 0, &mut ones);
        let mut start = 0;
        while start < bits {
            let n = CHUNK_BITS.min(bits - start);
            let inside = ones.iter().filter(|one| (start..start + n).contains(one));
            let pattern = inside.fold(0_i64, |all, one| all | 1 << (one - start));
            let address = self.address(Site { bit: site.bit.saturating_add(start), ..site });
            let src = self.code.constant(pattern);
            self.code.emit(Op::Store { address, src, bits: n });
            start += n;
        }
        self.written(Spot::Memory(site), bits);
    }

    /// The bits that are one in a cleared value: the lowest of each simple part.
    fn ones(&self, ty: TypeId, start: u32, ones: &mut Vec<u32>) {
        let layout = self.unit.layouts.of(ty);
        match self.unit.program.types.kind(ty) {
            TypeKind::Record { fields } => {
                for (offset, (_, field)) in layout.fields.iter().zip(fields) {
                    self.ones(*field, start + offset, ones);
                }
            }
            TypeKind::Array { element, .. } => {
                for idx in 0..layout.n_elements {
                    self.ones(*element, start + idx * layout.stride, ones);
                }
            }
            TypeKind::Multiset { .. } => {}
            _ if layout.bits > 0 => ones.push(start),
            _ => {}
        }
    }
}
