//! The canonical order of multisets: sorts those that an action wrote to.
//!
//! What was written is known when the code is made, except which element of an
//! array: for short arrays of multisets a register has one bit for each element.

use model::rule_code::{BinaryOp, Op, Reg};

use super::super::typed::{TypeId, TypeKind};
use super::Lowering;
use super::facts::Fact;
use super::place::{Member, Region, Site, Spot};

/// Longer arrays of multisets are sorted whole: the code has one branch for each
/// element.
const MAX_MARKED_ELEMENTS: u32 = 16;

/// Elements of arrays up to this long are sorted one after the other, not in a loop.
const MAX_UNROLLED_ELEMENTS: u32 = 8;

/// Which elements of an array were written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    /// First bit of the array.
    array: u32,
    /// One bit for each element.
    bits: Reg,
    /// Is there code that sets one?
    is_used: bool,
}

/// Everything was written.
const EVERYTHING: [(u32, u32); 1] = [(0, u32::MAX)];

impl Lowering<'_, '_> {
    /// Nothing is written yet.
    pub(super) fn start_marks(&mut self) {
        self.touched.clear();
        self.marks.clear();
        for (idx, variable) in self.unit.program.variables.iter().enumerate() {
            self.mark_arrays(self.unit.layouts.variables[idx], variable.ty);
        }
    }

    fn mark_arrays(&mut self, bit: u32, ty: TypeId) {
        if !self.unit.has_multisets(ty) {
            return;
        }
        let layout = self.unit.layouts.of(ty);
        match self.unit.program.types.kind(ty) {
            TypeKind::Record { fields } => {
                for (start, (_, field)) in layout.fields.iter().zip(fields) {
                    self.mark_arrays(bit + start, *field);
                }
            }
            TypeKind::Array { .. } if layout.n_elements <= MAX_MARKED_ELEMENTS => {
                let bits = self.code.constant(0);
                self.marks.push(Marks { array: bit, bits, is_used: false });
            }
            _ => {}
        }
    }

    /// A place that is an element, if writes to it are to be noted one by one.
    pub(super) fn member_of(
        &self,
        site: Site,
        element: TypeId,
        (index, addend): (Option<Reg>, i64),
    ) -> Site {
        let is_marked = site.region == Region::World
            && site.index.is_none()
            && site.member.is_none()
            && self.unit.has_multisets(element);
        if !is_marked {
            return site;
        }
        Site { member: Some(Member { array: site.bit, index, addend }), ..site }
    }

    /// Notes that a place in the state was written.
    pub(super) fn touch(&mut self, site: Site) {
        let marks = site.member.and_then(|member| {
            let marks = self.marks.iter_mut().find(|marks| marks.array == member.array)?;
            marks.is_used = true;
            Some((marks.bits, member))
        });
        match marks {
            Some((bits, member)) => self.mark(bits, member),
            None => self.touched.push(site.extent),
        }
    }

    fn mark(&mut self, bits: Reg, member: Member) {
        let Member { array, index, addend } = member;
        let bit = match index {
            None => self.code.constant(1_i64.wrapping_shl(addend as u32)),
            Some(index) => {
                let fact = Fact::Marked { array, index, addend };
                if self.code.facts.has(&fact) {
                    return;
                }
                self.code.facts.add(fact);
                let index = self.code.plus(index, addend);
                let one = self.code.constant(1);
                self.code.binary(BinaryOp::Shl, one, index)
            }
        };
        let src = self.code.binary(BinaryOp::Or, bits, bit);
        self.code.emit(Op::Move { dst: bits, src });
    }

    /// Puts the multisets of the state that were written into canonical order.
    pub(super) fn sort_touched(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        for (idx, variable) in self.unit.program.variables.iter().enumerate() {
            let bit = self.unit.layouts.variables[idx];
            let site = self.whole(Region::World, bit, variable.ty);
            self.sort_within(site, variable.ty, &touched);
        }
    }

    fn sort_within(&mut self, site: Site, ty: TypeId, touched: &[(u32, u32)]) {
        if !self.unit.has_multisets(ty) {
            return;
        }
        let (start, end) = site.extent;
        let is_touched = touched.iter().any(|extent| extent.0 < end && start < extent.1);
        let has_marks =
            self.marks.iter().any(|marks| marks.is_used && (start..end).contains(&marks.array));
        if !is_touched && !has_marks {
            return;
        }
        match self.unit.program.types.kind(ty) {
            TypeKind::Record { fields } => {
                let layout = self.unit.layouts.of(ty);
                for (start, (_, field)) in layout.fields.iter().zip(fields) {
                    let inner = self.inner(site, *start, *field);
                    self.sort_within(inner, *field, touched);
                }
            }
            TypeKind::Array { element, .. } if is_touched => {
                self.sort_elements((site, ty), *element);
            }
            TypeKind::Array { element, .. } => self.sort_marked((site, ty), *element),
            TypeKind::Multiset { element, .. } => self.sort_multiset((site, ty), *element),
            _ => {}
        }
    }

    fn sort_multiset(&mut self, (site, ty): (Site, TypeId), element: TypeId) {
        if self.unit.has_multisets(element) {
            self.sort_elements((site, ty), element);
        }
        let layout = self.unit.layouts.of(ty);
        let (stride, n) = (layout.stride, layout.n_elements);
        if n > 0 {
            let address = self.address(site);
            self.code.emit(Op::Sort { address, stride, n });
            self.code.facts.written(&self.bits(Spot::Memory(site), layout.bits));
        }
    }

    fn sort_elements(&mut self, (site, ty): (Site, TypeId), element: TypeId) {
        let layout = self.unit.layouts.of(ty);
        let (stride, n) = (layout.stride, layout.n_elements);
        if n <= MAX_UNROLLED_ELEMENTS {
            for idx in 0..n {
                let inner = self.inner(site, idx * stride, element);
                self.sort_within(inner, element, &EVERYTHING);
            }
            return;
        }
        self.each_element((site, ty), &mut |this, inner| {
            this.sort_within(inner, element, &EVERYTHING);
        });
    }

    /// Sorts the elements that were marked.
    fn sort_marked(&mut self, (site, ty): (Site, TypeId), element: TypeId) {
        let Some(marks) = self.marks.iter().find(|marks| marks.array == site.bit).copied() else {
            return;
        };
        let layout = self.unit.layouts.of(ty);
        for idx in 0..layout.n_elements {
            let (marked, next) = (self.code.block(), self.code.block());
            let is_marked = self.code.binary_const(BinaryOp::And, marks.bits, 1 << idx);
            self.code.branch(is_marked, marked, next);
            self.code.start(marked);
            let inner = self.inner(site, idx * layout.stride, element);
            self.sort_within(inner, element, &EVERYTHING);
            self.code.jump(next);
            self.code.start(next);
        }
    }
}
