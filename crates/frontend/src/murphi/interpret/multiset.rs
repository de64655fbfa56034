//! Multisets: statements and expressions on them, and their canonical order.
//!
//! The order of slots means nothing. At the end of a step the multisets of the state
//! are put in descending order, so that equal multisets have equal bits; unused
//! slots, all zero, come last.

use super::super::layout::Layouts;
use super::super::typed::{Argument, Expr, LocalId, Place, Stmt, TypeId, TypeKind, Types};
use super::machine::{Binding, Location, Machine, fail};
use super::place::{Contents, span_of};
use super::{Exit, bits};

/// What is to be added.
enum Element {
    Simple(Contents),
    Whole(Location),
}

impl<'a> Machine<'a> {
    pub(super) fn multiset_count(
        &mut self,
        local: LocalId,
        multiset: &'a Place,
        body: &'a Expr,
    ) -> Result<i64, Exit> {
        let at = self.locate(multiset)?;
        let mut n = 0;
        for slot in self.slots(multiset.ty) {
            self.tick()?;
            if self.slot_in_use(at, multiset.ty, slot).is_some() {
                self.bind(local, Binding::Value(slot));
                n += i64::from(self.holds(body)?);
            }
        }
        Ok(n)
    }

    pub(super) fn multiset_add(
        &mut self,
        statement: &'a Stmt,
        multiset: &'a Place,
        element: &'a Argument,
    ) -> Result<(), Exit> {
        let TypeKind::Multiset { element: ty, .. } = self.program.types.kind(multiset.ty) else {
            unreachable!("the resolver gives `multisetadd` a multiset");
        };
        let source = self.element(element, *ty)?;
        let at = self.locate(multiset)?;
        if let Element::Simple(Contents::Value(value)) = source
            && self.codes.code_of(*ty, value).is_none()
        {
            return fail(self.scope().element_out_of_range(multiset, span_of(element)));
        }
        let mut slots = self.slots(multiset.ty);
        let free = slots.find(|slot| self.slot_in_use(at, multiset.ty, *slot).is_none());
        let Some(free) = free else {
            return fail(self.scope().multiset_full(multiset, statement.span));
        };
        self.fill(self.slot(at, multiset.ty, free), multiset.ty, (*ty, source));
        Ok(())
    }

    fn element(&mut self, element: &'a Argument, ty: TypeId) -> Result<Element, Exit> {
        match element {
            Argument::Place(place) if !self.program.types.is_simple(ty) => {
                Ok(Element::Whole(self.locate(place)?))
            }
            _ => Ok(Element::Simple(self.source(element)?)),
        }
    }

    fn fill(&mut self, slot: Location, multiset: TypeId, (ty, element): (TypeId, Element)) {
        match element {
            Element::Whole(from) => self.copy(slot, from, self.layouts.bits(ty)),
            Element::Simple(contents) => {
                self.store(slot, ty, contents).expect("the value was checked before");
            }
        }
        let used = slot.plus(self.layouts.of(multiset).stride as usize - 1);
        bits::write(self.words_mut(used), used.bit, 1, 1);
    }

    pub(super) fn multiset_remove(
        &mut self,
        multiset: &'a Place,
        slot: &'a Expr,
    ) -> Result<(), Exit> {
        let at = self.locate(multiset)?;
        let number = self.eval(slot)?;
        match self.slot_in_use(at, multiset.ty, number) {
            Some(location) => {
                self.erase(location, self.layouts.of(multiset.ty).stride);
                Ok(())
            }
            None => fail(self.scope().removed_not_in_use(multiset, slot.span)),
        }
    }

    pub(super) fn multiset_remove_if(
        &mut self,
        local: LocalId,
        multiset: &'a Place,
        condition: &'a Expr,
    ) -> Result<(), Exit> {
        let at = self.locate(multiset)?;
        for slot in self.slots(multiset.ty) {
            self.tick()?;
            if let Some(location) = self.slot_in_use(at, multiset.ty, slot) {
                self.bind(local, Binding::Value(slot));
                if self.holds(condition)? {
                    self.erase(location, self.layouts.of(multiset.ty).stride);
                }
            }
        }
        Ok(())
    }

    /// The numbers of all slots.
    pub(super) fn slots(&self, multiset: TypeId) -> std::ops::Range<i64> {
        0..i64::from(self.layouts.of(multiset).n_elements)
    }

    fn slot(&self, at: Location, multiset: TypeId, slot: i64) -> Location {
        at.plus(slot as usize * self.layouts.of(multiset).stride as usize)
    }

    /// Puts all multisets of the state into canonical order.
    pub(super) fn sort_multisets(&mut self) {
        let sorter = Sorter { types: &self.program.types, layouts: self.layouts };
        for (variable, start) in self.program.variables.iter().zip(&self.layouts.variables) {
            if sorter.has_multisets(variable.ty) {
                sorter.sort(&mut self.state, *start as usize, variable.ty);
            }
        }
    }
}

struct Sorter<'a> {
    types: &'a Types,
    layouts: &'a Layouts,
}

impl Sorter<'_> {
    fn has_multisets(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Record { fields } => fields.iter().any(|(_, ty)| self.has_multisets(*ty)),
            TypeKind::Array { element, .. } => self.has_multisets(*element),
            TypeKind::Multiset { .. } => true,
            _ => false,
        }
    }

    fn sort(&self, words: &mut [u64], at: usize, ty: TypeId) {
        let layout = self.layouts.of(ty);
        match self.types.kind(ty) {
            TypeKind::Record { fields } => {
                for (start, (_, field)) in layout.fields.iter().zip(fields) {
                    self.sort(words, at + *start as usize, *field);
                }
            }
            TypeKind::Array { element, .. } if self.has_multisets(*element) => {
                self.sort_each(words, at, ty, *element);
            }
            TypeKind::Multiset { element, .. } => {
                if self.has_multisets(*element) {
                    self.sort_each(words, at, ty, *element);
                }
                self.sort_slots(words, at, ty);
            }
            _ => {}
        }
    }

    fn sort_each(&self, words: &mut [u64], at: usize, ty: TypeId, element: TypeId) {
        let layout = self.layouts.of(ty);
        for idx in 0..layout.n_elements as usize {
            self.sort(words, at + idx * layout.stride as usize, element);
        }
    }

    /// Does nothing but look where the slots are in order, as they mostly are. An
    /// alias may have written to a slot that was removed before: that is as if not.
    fn sort_slots(&self, words: &mut [u64], at: usize, ty: TypeId) {
        let layout = self.layouts.of(ty);
        let slot = |idx: usize| at + idx * layout.stride as usize;
        let n_slots = layout.n_elements as usize;
        for start in (0..n_slots).map(slot) {
            if !bits::is_set(words, start + layout.stride as usize - 1) {
                bits::clear(words, start, layout.stride);
            }
        }
        let is_low = |idx| bits::compare(words, slot(idx), slot(idx + 1), layout.stride).is_lt();
        if !(0..n_slots.saturating_sub(1)).any(is_low) {
            return;
        }
        let mut contents: Vec<Vec<u64>> =
            (0..n_slots).map(|idx| bits::number(words, slot(idx), layout.stride)).collect();
        contents.sort_unstable_by(|left, right| right.cmp(left));
        for (idx, number) in contents.iter().enumerate() {
            bits::set_number(words, slot(idx), layout.stride, number);
        }
    }
}
