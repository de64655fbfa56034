//! Multisets: slots in use, adding, removing and counting.

use model::rule_code::{BlockId, End, FaultId, Op, Reg};

use super::super::typed::{Argument, Expr, LocalId, Place, Stmt, TypeId, TypeKind};
use super::facts::Held;
use super::operand::{Operand, Truth};
use super::place::{Site, Spot};
use super::unit::SiteKind;
use super::{Binding, Lowering};

impl<'p> Lowering<'_, 'p> {
    /// A slot of a multiset. A number that is no slot is one that is not in use:
    /// `used_bit` must be asked before the slot is touched.
    pub(super) fn slot_of(&mut self, multiset: Site, ty: TypeId, slot: Operand) -> Site {
        let layout = self.unit.layouts.of(ty);
        let (stride, n) = (layout.stride, layout.n_elements);
        match slot {
            Operand::Const(slot) if (0..i64::from(n)).contains(&slot) => {
                let start = (slot as u32).saturating_mul(stride);
                let bit = multiset.bit.saturating_add(start);
                match multiset.index {
                    None => Site { bit, extent: (bit, bit.saturating_add(stride)), ..multiset },
                    Some(_) => Site { bit, ..multiset },
                }
            }
            Operand::Affine { reg, offset, bounds } if is_slot(bounds, n) => {
                self.shifted(multiset, reg, offset, stride)
            }
            _ => multiset,
        }
    }

    /// Whether a slot is in use.
    pub(super) fn used_bit(&mut self, slot: Site, ty: TypeId) -> Held {
        let bit = slot.bit.saturating_add(self.unit.layouts.of(ty).stride.saturating_sub(1));
        self.load(Spot::Memory(Site { bit, ..slot }), 1)
    }

    /// Does `body` for each slot in use, with its number and place.
    pub(super) fn each_slot(
        &mut self,
        (multiset, ty): (Site, TypeId),
        writes: bool,
        body: &mut dyn FnMut(&mut Self, Operand, Site),
    ) {
        let n = self.unit.layouts.of(ty).n_elements;
        if n == 0 {
            return;
        }
        let counter = self.code.constant(0);
        let (head, known) = self.code.enter_loop(writes);
        if n > 1000 {
            self.code.emit(Op::Tick);
        }
        let (used, next, exit) = (self.code.block(), self.code.block(), self.code.block());
        let slot = Operand::Affine { reg: counter, offset: 0, bounds: (0, i64::from(n) - 1) };
        let site = self.slot_of(multiset, ty, slot);
        self.if_used((site, ty), used, next);
        self.code.start(used);
        body(self, slot, site);
        self.code.jump(next);
        self.code.start(next);
        self.count_up(counter, i64::from(n), (head, exit));
        self.code.start(exit);
        if self.code.is_live() {
            self.code.facts = known;
        }
    }

    /// Goes to `used` where the slot is in use.
    pub(super) fn if_used(&mut self, (slot, ty): (Site, TypeId), used: BlockId, free: BlockId) {
        let truth = match self.used_bit(slot, ty) {
            Held::Const(bit) => Truth::Known(bit != 0),
            Held::Reg(reg) => Truth::Reg(reg),
        };
        if let Truth::Reg(bit) = truth {
            // On the way to `used` the bit is one: accesses need no second look.
            self.code.branch_nonzero(bit, used, free);
        } else {
            self.go(truth, used, free);
        }
    }

    pub(super) fn multiset_count(
        &mut self,
        local: LocalId,
        multiset: &'p Place,
        body: &'p Expr,
    ) -> Operand {
        let Some(site) = self.site(multiset) else { return Operand::Const(0) };
        let n = i64::from(self.unit.layouts.of(multiset.ty).n_elements);
        let total = self.code.constant(0);
        let writes = self.writes(body);
        self.each_slot((site, multiset.ty), writes, &mut |this, slot, _| {
            this.scope.bindings[local.0 as usize] = Binding::Value(slot);
            let (counted, next) = (this.code.block(), this.code.block());
            this.branch(body, counted, next);
            this.code.start(counted);
            let more = this.code.plus(total, 1);
            this.code.emit(Op::Move { dst: total, src: more });
            this.code.jump(next);
            this.code.start(next);
        });
        // A copy: the counter is written in a loop, a value is not.
        let result = self.code.reg();
        self.code.emit(Op::Move { dst: result, src: total });
        Operand::number(result, (0, n))
    }

    pub(super) fn multiset_add(
        &mut self,
        statement: &'p Stmt,
        multiset: &'p Place,
        element: &'p Argument,
    ) {
        let TypeKind::Multiset { element: ty, .. } = self.unit.program.types.kind(multiset.ty)
        else {
            return;
        };
        let source = self.source(element, *ty);
        let Some(site) = self.site(multiset) else { return };
        let unit = &mut *self.unit;
        let scope = self.scope.names(unit.program);
        let fault = unit.fault(statement, SiteKind::Range, 0, || {
            scope.element_out_of_range(multiset, super::stmt::span_of(element))
        });
        let source = self.fitted(source, *ty, fault);
        let scope = self.scope.names(self.unit.program);
        let full = self
            .unit
            .fault(statement, SiteKind::Full, 0, || scope.multiset_full(multiset, statement.span));
        let slot = self.find_free((site, multiset.ty), full);
        self.put_into(Spot::Memory(slot), *ty, source);
        let stride = self.unit.layouts.of(multiset.ty).stride;
        let bit = slot.bit.saturating_add(stride.saturating_sub(1));
        self.store(Spot::Memory(Site { bit, ..slot }), 1, Held::Const(1));
    }

    /// The first slot that is not in use.
    fn find_free(&mut self, (multiset, ty): (Site, TypeId), full: FaultId) -> Site {
        let n = self.unit.layouts.of(ty).n_elements;
        if n == 0 {
            self.code.end(End::Fault(full));
            return multiset;
        }
        let counter = self.code.constant(0);
        let (head, _) = self.code.enter_loop(false);
        if n > 1000 {
            self.code.emit(Op::Tick);
        }
        let (next, found, exit) = (self.code.block(), self.code.block(), self.code.block());
        let slot = Operand::Affine { reg: counter, offset: 0, bounds: (0, i64::from(n) - 1) };
        let site = self.slot_of(multiset, ty, slot);
        self.if_used((site, ty), next, found);
        self.code.start(next);
        self.count_up(counter, i64::from(n), (head, exit));
        self.code.start(exit);
        self.code.end(End::Fault(full));
        self.code.start(found);
        site
    }

    pub(super) fn multiset_remove(&mut self, multiset: &'p Place, slot: &'p Expr) {
        let Some(site) = self.site(multiset) else { return };
        let number = self.value(slot);
        let scope = self.scope.names(self.unit.program);
        let fault = self
            .unit
            .fault(slot, SiteKind::Slot, 0, || scope.removed_not_in_use(multiset, slot.span));
        if let Some(slot) = self.slot_in_use((site, multiset.ty), number, fault) {
            self.empty_slot(slot, multiset.ty);
        }
    }

    /// The slot with this number; the fault where it is none, or not in use.
    pub(super) fn slot_in_use(
        &mut self,
        (multiset, ty): (Site, TypeId),
        number: Operand,
        fault: FaultId,
    ) -> Option<Site> {
        let n = self.unit.layouts.of(ty).n_elements;
        let number = self.uncoded(number);
        let bounds = self.bounds(number);
        let slot = match number {
            _ if n == 0 || bounds.1 < 0 || bounds.0 >= i64::from(n) => {
                self.code.end(End::Fault(fault));
                return None;
            }
            Operand::Affine { .. } if !is_slot(bounds, n) => {
                let value = self.number(number);
                let last = i64::from(n) - 1;
                self.code.emit(Op::InRange { value, first: 0, last, fault });
                Operand::number(value, (0, last))
            }
            _ => number,
        };
        let site = self.slot_of(multiset, ty, slot);
        let used = self.used_bit(site, ty);
        match used {
            Held::Const(0) => {
                self.code.end(End::Fault(fault));
                return None;
            }
            Held::Const(_) => {}
            Held::Reg(used) => self.code.nonzero(used, fault),
        }
        Some(site)
    }

    pub(super) fn multiset_remove_if(
        &mut self,
        local: LocalId,
        multiset: &'p Place,
        condition: &'p Expr,
    ) {
        let Some(site) = self.site(multiset) else { return };
        let ty = multiset.ty;
        self.each_slot((site, ty), true, &mut |this, slot, site| {
            this.scope.bindings[local.0 as usize] = Binding::Value(slot);
            let (removed, next) = (this.code.block(), this.code.block());
            this.branch(condition, removed, next);
            this.code.start(removed);
            this.empty_slot(site, ty);
            this.code.jump(next);
            this.code.start(next);
        });
    }

    fn empty_slot(&mut self, slot: Site, ty: TypeId) {
        let stride = self.unit.layouts.of(ty).stride;
        let address = self.address(slot);
        self.code.emit(Op::Clear { address, bits: stride });
        self.written(Spot::Memory(slot), stride);
    }

    /// Does `body` for each element of an array or slot of a multiset, in a loop.
    pub(super) fn each_element(
        &mut self,
        (site, ty): (Site, TypeId),
        body: &mut dyn FnMut(&mut Self, Site),
    ) {
        let layout = self.unit.layouts.of(ty);
        let (stride, n) = (layout.stride, layout.n_elements);
        if n == 0 {
            return;
        }
        let counter: Reg = self.code.constant(0);
        let (head, known) = self.code.enter_loop(true);
        if n > 1000 {
            self.code.emit(Op::Tick);
        }
        let inner = self.shifted(site, counter, 0, stride);
        body(self, inner);
        let exit = self.code.block();
        self.count_up(counter, i64::from(n), (head, exit));
        self.code.start(exit);
        if self.code.is_live() {
            self.code.facts = known;
        }
    }
}

fn is_slot(bounds: (i64, i64), n: u32) -> bool {
    bounds.0 >= 0 && bounds.1 < i64::from(n)
}
