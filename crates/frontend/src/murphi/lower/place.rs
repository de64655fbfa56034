//! Places: where they lie, what they hold, and how they are written.
//!
//! A place is found once, to a constant bit plus at most one register. Local
//! variables of simple type live in registers, as codes.

use model::rule_code::{Address, Base, BinaryOp, End, Op, Reg};

use super::super::typed::{Expr, LocalKind, Place, Projection, Root, TypeId, TypeKind};
use super::facts::{Bits, Fact, Held, Memory};
use super::operand::{Operand, Relative};
use super::unit::{SiteKind, World};
use super::{Binding, Lowering};

/// Where a place lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// A local variable of simple type: its code is in the register.
    Register(Reg),
    /// In memory.
    Memory(Site),
}

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// Which memory.
    pub(super) region: Region,
    /// First bit.
    pub(super) bit: u32,
    /// Added to `bit`.
    pub(super) index: Option<Reg>,
    /// Whatever the index, the place lies within these bits.
    pub(super) extent: (u32, u32),
    /// The element of an array of the state that it lies in, where writes to
    /// elements of that array are noted one by one.
    pub(super) member: Option<Member>,
}

/// An element of an array in the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// First bit of the array.
    pub(super) array: u32,
    /// Number of the element, before `addend` is added; `None` is zero.
    pub(super) index: Option<Reg>,
    /// Added to `index`.
    pub(super) addend: i64,
}

/// Which memory. The state is one name in guards and another in actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// The state that the code works on.
    World,
    /// The memory of this call.
    Frame,
    /// Whatever the register refers to.
    Reference(Reg),
}

impl<'p> Lowering<'_, 'p> {
    /// What a place stands for.
    pub(super) fn resolve(&mut self, place: &'p Place) -> Binding {
        let (spot, mut ty) = match place.root {
            Root::Variable(idx) => {
                let ty = self.unit.program.variables[idx as usize].ty;
                let bit = self.unit.layouts.variables[idx as usize];
                (Spot::Memory(self.whole(Region::World, bit, ty)), ty)
            }
            Root::Local(id) => match self.scope.bindings[id.0 as usize] {
                Binding::Place(spot) => (spot, self.scope.locals[id.0 as usize].ty),
                bound => return bound,
            },
        };
        let Spot::Memory(mut site) = spot else { return Binding::Place(spot) };
        for step in 0..place.path.len() {
            (site, ty) = self.step(place, step, (site, ty));
        }
        Binding::Place(Spot::Memory(site))
    }

    /// A place of type `ty` at a fixed bit.
    pub(super) fn whole(&self, region: Region, bit: u32, ty: TypeId) -> Site {
        let end = bit.saturating_add(self.unit.layouts.bits(ty));
        Site { region, bit, index: None, extent: (bit, end), member: None }
    }

    /// The site of a place that is no simple local variable. Those and values have
    /// none; the resolver never asks for it.
    pub(super) fn site(&mut self, place: &'p Place) -> Option<Site> {
        match self.resolve(place) {
            Binding::Place(Spot::Memory(site)) => Some(site),
            _ => None,
        }
    }

    fn step(
        &mut self,
        place: &'p Place,
        step: usize,
        (site, ty): (Site, TypeId),
    ) -> (Site, TypeId) {
        match (&place.path[step], self.unit.program.types.kind(ty)) {
            (Projection::Field(field), TypeKind::Record { fields }) => {
                let ty_of_field = fields[*field as usize].1;
                let start = self.unit.layouts.of(ty).fields[*field as usize];
                (self.inner(site, start, ty_of_field), ty_of_field)
            }
            (Projection::Index(index), TypeKind::Array { index: of, element }) => {
                (self.element(place, step, (site, ty), (index, *of, *element)), *element)
            }
            (Projection::Slot(slot), TypeKind::Multiset { element, .. }) => {
                let slot = self.value(slot);
                let unit = &mut *self.unit;
                let scope = self.scope.names(unit.program);
                let fault =
                    unit.fault(place, SiteKind::Slot, step, || scope.slot_not_in_use(place, step));
                let site = self.slot_in_use((site, ty), slot, fault).unwrap_or(site);
                (site, *element)
            }
            _ => (site, ty),
        }
    }

    /// A part that starts `start` bits after the start.
    pub(super) fn inner(&self, site: Site, start: u32, ty: TypeId) -> Site {
        let bit = site.bit.saturating_add(start);
        let extent = match site.index {
            None => (bit, bit.saturating_add(self.unit.layouts.bits(ty))),
            Some(_) => site.extent,
        };
        Site { bit, extent, ..site }
    }

    fn element(
        &mut self,
        place: &'p Place,
        step: usize,
        (site, ty): (Site, TypeId),
        (index, of, element): (&'p Expr, TypeId, TypeId),
    ) -> Site {
        let index = self.value(index);
        let stride = self.unit.layouts.of(ty).stride;
        let relative = self.relative(index, of);
        if let Relative::Const(Some(code)) = relative {
            let site = self.member_of(site, element, (None, code as i64 - 1));
            return self.inner(site, (code as u32 - 1).saturating_mul(stride), element);
        }
        let unit = &mut *self.unit;
        let scope = self.scope.names(unit.program);
        let fault =
            unit.fault(place, SiteKind::Index, step, || scope.index_out_of_range(place, step));
        match relative {
            Relative::Affine { reg, addend, is_inside } => {
                if !is_inside {
                    self.check_within(index, of, fault);
                }
                let site = self.member_of(site, element, (Some(reg), addend.wrapping_sub(1)));
                self.shifted(site, reg, addend.wrapping_sub(1), stride)
            }
            Relative::Searched(code) => {
                self.code.nonzero(code, fault);
                let site = self.member_of(site, element, (Some(code), -1));
                self.shifted(site, code, -1, stride)
            }
            Relative::Const(_) => {
                self.code.end(End::Fault(fault));
                site
            }
        }
    }

    /// The place `(reg + addend) * stride` bits further on.
    pub(super) fn shifted(&mut self, site: Site, reg: Reg, addend: i64, stride: u32) -> Site {
        let constant = addend.checked_mul(i64::from(stride));
        let folded = constant.and_then(|shift| u32::try_from(i64::from(site.bit) + shift).ok());
        let (bit, addend) = match folded {
            Some(bit) => (bit, 0),
            None => (site.bit, addend),
        };
        let scaled = self.scaled(reg, addend, stride);
        let index = match site.index {
            None => scaled,
            Some(before) => self.sum(before, scaled),
        };
        Site { bit, index: Some(index), ..site }
    }

    fn scaled(&mut self, factor: Reg, addend: i64, stride: u32) -> Reg {
        if let Some(result) = self.code.facts.scaled(factor, addend, stride) {
            return result;
        }
        let shifted = self.code.plus(factor, addend);
        if stride == 1 {
            return shifted;
        }
        let result = self.code.binary_const(BinaryOp::Mul, shifted, i64::from(stride));
        self.code.facts.add(Fact::Scaled { factor, addend, stride, result });
        result
    }

    fn sum(&mut self, left: Reg, right: Reg) -> Reg {
        if let Some(result) = self.code.facts.sum(left, right) {
            return result;
        }
        let result = self.code.binary(BinaryOp::Add, left, right);
        self.code.facts.add(Fact::Sum { left, right, result });
        result
    }

    /// The address of a site, for an operation.
    pub(super) fn address(&self, site: Site) -> Address {
        let base = match site.region {
            Region::World => self.world.base(),
            Region::Frame => Base::Frame,
            Region::Reference(reg) => Base::Reference(reg),
        };
        Address { base, bit: site.bit, index: site.index }
    }

    /// The bits of a place.
    pub(super) fn bits(&self, spot: Spot, n: u32) -> Bits {
        match spot {
            Spot::Register(reg) => {
                Bits { memory: Memory::Local(reg), bit: 0, index: None, n, extent: (0, n) }
            }
            Spot::Memory(site) => {
                let memory = match (site.region, self.world) {
                    (Region::World, World::State) => Memory::State,
                    (Region::World, World::Next) => Memory::Next,
                    (Region::Frame, _) => Memory::Frame,
                    (Region::Reference(reg), _) => Memory::Reference(reg),
                };
                Bits { memory, bit: site.bit, index: site.index, n, extent: site.extent }
            }
        }
    }

    /// The `n` bits at a place.
    pub(super) fn load(&mut self, spot: Spot, n: u32) -> Held {
        if n == 0 {
            return Held::Const(0);
        }
        let bits = self.bits(spot, n);
        if let Some(held) = self.code.facts.held(&bits) {
            return held;
        }
        let dst = self.code.reg();
        match spot {
            // A copy, for the variable may change while this value is in use.
            Spot::Register(src) => self.code.emit(Op::Move { dst, src }),
            Spot::Memory(site) => {
                let address = self.address(site);
                self.code.emit(Op::Load { dst, address, bits: n });
            }
        }
        self.code.facts.add(Fact::Held(bits, Held::Reg(dst)));
        Held::Reg(dst)
    }

    /// The code of the simple value at a place.
    pub(super) fn code_at(&mut self, spot: Spot, ty: TypeId) -> Held {
        self.load(spot, self.unit.layouts.bits(ty))
    }

    /// Writes `n` bits.
    pub(super) fn store(&mut self, spot: Spot, n: u32, held: Held) {
        if n == 0 {
            return;
        }
        let src = match held {
            Held::Reg(reg) => reg,
            Held::Const(code) => self.code.constant(code.cast_signed()),
        };
        match spot {
            Spot::Register(dst) => self.code.emit(Op::Move { dst, src }),
            Spot::Memory(site) => {
                let address = self.address(site);
                self.code.emit(Op::Store { address, src, bits: n });
            }
        }
        self.written(spot, n);
        let bits = self.bits(spot, n);
        self.code.facts.add(Fact::Held(bits, held));
    }

    /// Notes that `n` bits at a place are no longer what they were.
    pub(super) fn written(&mut self, spot: Spot, n: u32) {
        let bits = self.bits(spot, n);
        self.code.facts.written(&bits);
        if let Spot::Memory(site) = spot {
            match site.region {
                Region::World => self.touch(site),
                Region::Reference(_) => self.touched.push((0, u32::MAX)),
                Region::Frame => {}
            }
        }
    }

    /// A register as a number, whatever holds it.
    pub(super) fn register(&mut self, held: Held) -> Reg {
        match held {
            Held::Reg(reg) => reg,
            Held::Const(code) => self.code.constant(code.cast_signed()),
        }
    }

    /// The value at a place of simple type; the fault where it is undefined.
    pub(super) fn read(&mut self, place: &'p Place) -> Operand {
        match self.resolve(place) {
            Binding::Value(operand) => operand,
            Binding::Unbound => Operand::Const(0),
            Binding::Place(spot) => {
                let held = self.code_at(spot, place.ty);
                if let Held::Const(code @ 1..) = held {
                    return self.decoded(Held::Const(code), place.ty);
                }
                let code = self.register(held);
                if !self.code.facts.is_nonzero(code) {
                    let unit = &mut *self.unit;
                    let scope = self.scope.names(unit.program);
                    let fault =
                        unit.fault(place, SiteKind::Undefined, 0, || scope.undefined(place));
                    self.code.nonzero(code, fault);
                }
                self.decoded(Held::Reg(code), place.ty)
            }
        }
    }

    /// Gives local variables their memory, all undefined.
    pub(super) fn declare_variables(&mut self) {
        for (idx, local) in self.scope.locals.iter().enumerate() {
            if local.kind != LocalKind::Variable {
                continue;
            }
            let spot = if self.unit.program.types.is_simple(local.ty) {
                Spot::Register(self.code.reg())
            } else {
                let layout = self.unit.layouts.of(local.ty);
                let bit = self.code.frame(layout.bits, layout.byte_aligned);
                Spot::Memory(self.whole(Region::Frame, bit, local.ty))
            };
            self.scope.bindings[idx] = Binding::Place(spot);
            self.undefine(spot, local.ty);
        }
    }

    /// Makes a place undefined.
    pub(super) fn undefine(&mut self, spot: Spot, ty: TypeId) {
        let n = self.unit.layouts.bits(ty);
        match spot {
            Spot::Memory(site) if n > 0 && !self.unit.program.types.is_simple(ty) => {
                let address = self.address(site);
                self.code.emit(Op::Clear { address, bits: n });
                self.written(spot, n);
            }
            _ => self.store(spot, n, Held::Const(0)),
        }
    }
}
