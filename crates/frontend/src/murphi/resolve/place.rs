//! Places: what can be assigned, and parts of records, arrays and multisets.

use model::Span;

use super::super::ast::{Expr, Name};
use super::super::typed::{
    Argument, LocalId, LocalKind, Place, Projection, Root, TypeId, TypeKind,
};
use super::expr::Operand;
use super::wrap::WholeCall;
use super::{Resolver, Ty};
use crate::suggest::did_you_mean;

impl Resolver<'_> {
    /// The place of a local name.
    pub(super) fn local_place(&self, local: LocalId, span: Span) -> Place {
        let ty = self.owner.locals[local.0 as usize].ty;
        Place { root: Root::Local(local), path: Vec::new(), ty, span }
    }

    /// An expression that has a place.
    pub(super) fn place(&mut self, written: &Expr) -> Option<Place> {
        match self.operand(written)? {
            Operand::Place(place) => Some(place),
            _ => self.fail("MU011", "this value has no place of its own", written.span),
        }
    }

    /// An expression whose place may be written.
    pub(super) fn target(&mut self, written: &Expr) -> Option<Place> {
        let place = match self.operand(written)? {
            Operand::Place(place) => place,
            _ => return self.fail("MU011", "only variables can be assigned", written.span),
        };
        if self.is_read_only(&place) {
            let Root::Local(local) = place.root else { return None };
            let name = self.owner.locals[local.0 as usize].name.clone();
            return self.fail("MU011", format!("`{name}` cannot be changed"), written.span);
        }
        Some(place)
    }

    /// May this place not be written?
    pub(super) fn is_read_only(&self, place: &Place) -> bool {
        match place.root {
            Root::Variable(_) => false,
            Root::Local(local) => self.owner.read_only[local.0 as usize],
        }
    }

    /// Is it a name that is bound to a value?
    pub(super) fn is_value(&self, place: &Place) -> bool {
        match place.root {
            Root::Variable(_) => false,
            Root::Local(local) => self.owner.locals[local.0 as usize].kind == LocalKind::Value,
        }
    }

    /// The place itself; or its value where it is a name that is bound to one.
    pub(super) fn place_argument(&mut self, place: Place) -> Option<Argument> {
        if self.is_value(&place) {
            return Some(Argument::Value(self.read(place)?.0));
        }
        Some(Argument::Place(place))
    }

    /// `base.field`
    pub(super) fn field(&mut self, base: &Expr, field: &Name, span: Span) -> Option<Operand> {
        let operand = self.operand(base)?;
        let ty = self.operand_type(&operand, base.span, "a record")?;
        let TypeKind::Record { fields } = self.program.types.kind(ty) else {
            let message = format!("{} is not a record", self.type_name(ty));
            return self.fail("MU008", message, base.span);
        };
        let Some(idx) = fields.iter().position(|(name, _)| *name == field.text) else {
            let help = did_you_mean(&field.text, fields.iter().map(|(name, _)| name.as_str()));
            let message = format!("the record has no field `{}`", field.text);
            let mut error = model::Diagnostic::error("MU005", message, field.span);
            error.helps.extend(help);
            self.push(error);
            return None;
        };
        let ty = fields[idx].1;
        Some(project(operand, Projection::Field(idx as u32), ty, span))
    }

    /// `base[index]`
    pub(super) fn element(&mut self, base: &Expr, index: &Expr, span: Span) -> Option<Operand> {
        let operand = self.operand(base);
        let index_span = index.span;
        let index = self.value(index);
        let operand = operand?;
        let ty = self.operand_type(&operand, base.span, "an array")?;
        let (index, index_ty) = index?;
        let (wanted, element, is_slot) = match *self.program.types.kind(ty) {
            TypeKind::Array { index, element } => (index, element, false),
            TypeKind::Multiset { capacity, element } => {
                (self.intern(TypeKind::Slot { capacity }, "", span)?, element, true)
            }
            _ => {
                let message = format!("{} is not an array", self.type_name(ty));
                return self.fail("MU008", message, base.span);
            }
        };
        if !self.overlap(self.ty(wanted), index_ty) {
            let message = format!(
                "the index is {}, but has to be {}",
                self.ty_name(index_ty),
                self.type_name(wanted)
            );
            return self.fail("MU008", message, index_span);
        }
        let step = if is_slot { Projection::Slot(index) } else { Projection::Index(index) };
        Some(project(operand, step, element, span))
    }

    fn operand_type(&mut self, operand: &Operand, span: Span, wanted: &str) -> Option<TypeId> {
        match operand {
            Operand::Place(place) => Some(place.ty),
            Operand::Whole(call) => Some(call.ty),
            Operand::Value(_, ty) => {
                let message = format!("{wanted} is expected here, not {}", self.ty_name(*ty));
                self.fail("MU008", message, span)
            }
        }
    }

    /// A multiset with the type and the number of its slots.
    pub(super) fn slots(&mut self, written: &Expr) -> Option<(Place, TypeId, u32)> {
        let place = self.place(written)?;
        let TypeKind::Multiset { capacity, .. } = *self.program.types.kind(place.ty) else {
            let message = format!("{} is not a multiset", self.type_name(place.ty));
            return self.fail("MU008", message, written.span);
        };
        let slot = self.intern(TypeKind::Slot { capacity }, "", written.span)?;
        Some((place, slot, capacity))
    }

    /// What is stored in a place of type `target`: of the same type, or a simple
    /// value of a type that goes with it.
    pub(super) fn stored(&mut self, written: &Expr, target: TypeId) -> Option<Argument> {
        match self.operand(written)? {
            Operand::Place(place) if !self.program.types.is_simple(place.ty) => {
                if place.ty == target {
                    return Some(Argument::Place(place));
                }
                let (found, wanted) = (self.type_name(place.ty), self.type_name(target));
                self.fail("MU008", format!("{wanted} is expected here, not {found}"), written.span)
            }
            Operand::Place(place) => {
                self.check_fits(self.ty(place.ty), target, written.span)?;
                self.place_argument(place)
            }
            Operand::Value(value, ty) => {
                self.check_fits(ty, target, written.span)?;
                Some(Argument::Value(value))
            }
            Operand::Whole(call) => {
                let (value, ty) = self.simple_result(call)?;
                self.check_fits(ty, target, written.span)?;
                Some(Argument::Value(value))
            }
        }
    }

    /// Can a value of type `ty` be one of type `target`?
    pub(super) fn check_fits(&mut self, ty: Ty, target: TypeId, span: Span) -> Option<()> {
        if self.program.types.is_simple(target) && self.overlap(ty, self.ty(target)) {
            return Some(());
        }
        let message =
            format!("{} is expected here, not {}", self.type_name(target), self.ty_name(ty));
        self.fail("MU008", message, span)
    }
}

fn project(operand: Operand, step: Projection, ty: TypeId, span: Span) -> Operand {
    match operand {
        Operand::Place(mut place) => {
            place.path.push(step);
            Operand::Place(Place { ty, span, ..place })
        }
        Operand::Whole(mut call) => {
            call.path.push(step);
            Operand::Whole(WholeCall { ty, span, ..call })
        }
        value @ Operand::Value(..) => value,
    }
}
