//! Finds places: from a root along fields, elements and slots.

use super::super::faults::Scope;
use super::super::typed::{Argument, Local, LocalKind, Place, Projection, Root, TypeId, TypeKind};
use super::machine::{Binding, Location, Machine, fail};
use super::{Exit, bits};

/// What a place of simple type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// A value.
    Value(i64),
    /// None.
    Undefined,
}

impl<'a> Machine<'a> {
    /// What a place stands for: the value of a name that is bound to a value, or
    /// else a location.
    pub(super) fn resolve(&mut self, place: &'a Place) -> Result<Binding, Exit> {
        let (mut location, mut ty) = match place.root {
            Root::Variable(idx) => {
                let bit = self.layouts.variables[idx as usize] as usize;
                let ty = self.program.variables[idx as usize].ty;
                (Location { in_state: true, bit }, ty)
            }
            Root::Local(id) => match self.binding(id) {
                Binding::Place(location) => (location, self.frame.locals[id.0 as usize].ty),
                bound => return Ok(bound),
            },
        };
        for step in 0..place.path.len() {
            (location, ty) = self.step(place, step, (location, ty))?;
        }
        Ok(Binding::Place(location))
    }

    /// The location of a place that is no value.
    pub(super) fn locate(&mut self, place: &'a Place) -> Result<Location, Exit> {
        match self.resolve(place)? {
            Binding::Place(location) => Ok(location),
            Binding::Value(_) | Binding::Unbound => fail(self.scope().undefined(place)),
        }
    }

    /// What a place of simple type holds.
    pub(super) fn contents(&mut self, place: &'a Place) -> Result<Contents, Exit> {
        Ok(match self.resolve(place)? {
            Binding::Value(value) => Contents::Value(value),
            Binding::Unbound => Contents::Undefined,
            Binding::Place(location) => {
                let code = self.code(location, place.ty);
                let value = self.codes.value_of(place.ty, code);
                value.map_or(Contents::Undefined, Contents::Value)
            }
        })
    }

    /// The value at a place of simple type.
    pub(super) fn read(&mut self, place: &'a Place) -> Result<i64, Exit> {
        match self.contents(place)? {
            Contents::Value(value) => Ok(value),
            Contents::Undefined => fail(self.scope().undefined(place)),
        }
    }

    /// What an alias stands for.
    pub(super) fn target(&mut self, target: &'a Argument) -> Result<Binding, Exit> {
        match target {
            Argument::Place(place) => self.resolve(place),
            Argument::Value(value) => Ok(Binding::Value(self.eval(value)?)),
        }
    }

    /// What a parameter stands for; `None` when the value is not of its type.
    pub(super) fn argument(
        &mut self,
        parameter: &Local,
        argument: &'a Argument,
    ) -> Result<Option<Binding>, Exit> {
        let value = match argument {
            Argument::Value(value) => self.eval(value)?,
            Argument::Place(place) if self.is_passed_by_value(parameter, place) => {
                self.read(place)?
            }
            Argument::Place(place) => match self.resolve(place)? {
                Binding::Value(value) => value,
                bound => return Ok(Some(bound)),
            },
        };
        let code = self.codes.code_of(parameter.ty, value);
        Ok(code.map(|_| Binding::Value(value)))
    }

    fn is_passed_by_value(&self, parameter: &Local, place: &Place) -> bool {
        parameter.kind == LocalKind::ReadOnly
            && parameter.ty != place.ty
            && self.program.types.is_simple(place.ty)
    }

    /// One step of a path.
    fn step(
        &mut self,
        place: &'a Place,
        step: usize,
        (location, ty): (Location, TypeId),
    ) -> Result<(Location, TypeId), Exit> {
        match (&place.path[step], self.program.types.kind(ty)) {
            (Projection::Field(field), TypeKind::Record { fields }) => {
                let start = self.layouts.of(ty).fields[*field as usize];
                Ok((location.plus(start as usize), fields[*field as usize].1))
            }
            (Projection::Index(index), TypeKind::Array { index: index_ty, element }) => {
                let value = self.eval(index)?;
                let Some(code) = self.codes.code_of(*index_ty, value) else {
                    return fail(self.scope().index_out_of_range(place, step));
                };
                let stride = self.layouts.of(ty).stride as usize;
                Ok((location.plus((code - 1) as usize * stride), *element))
            }
            (Projection::Slot(slot), TypeKind::Multiset { element, .. }) => {
                let value = self.eval(slot)?;
                match self.slot_in_use(location, ty, value) {
                    Some(slot) => Ok((slot, *element)),
                    None => fail(self.scope().slot_not_in_use(place, step)),
                }
            }
            _ => unreachable!("the resolver gives each projection a place of its kind"),
        }
    }

    /// Where a slot of a multiset lies, if it is in use.
    pub(super) fn slot_in_use(&self, at: Location, ty: TypeId, slot: i64) -> Option<Location> {
        let layout = self.layouts.of(ty);
        let slot = u32::try_from(slot).ok().filter(|slot| *slot < layout.n_elements)?;
        let start = at.plus(slot as usize * layout.stride as usize);
        let used = start.plus(layout.stride as usize - 1);
        bits::is_set(self.words(used), used.bit).then_some(start)
    }

    /// Assigns to a location of simple type; `None` when the value is not of it.
    pub(super) fn store(&mut self, to: Location, ty: TypeId, contents: Contents) -> Option<()> {
        let code = match contents {
            Contents::Value(value) => self.codes.code_of(ty, value)?,
            Contents::Undefined => 0,
        };
        self.set_code(to, ty, code);
        Some(())
    }
}

/// Where an argument stands in the text.
pub(super) fn span_of(argument: &Argument) -> model::Span {
    match argument {
        Argument::Place(place) => place.span,
        Argument::Value(value) => value.span,
    }
}

/// The fault of a value that parameter number `idx` cannot take.
pub(super) fn bad_argument(
    scope: Scope<'_>,
    function: &super::super::typed::Function,
    idx: usize,
    argument: &Argument,
) -> Exit {
    scope.argument_out_of_range(function, idx as u32, span_of(argument)).into()
}
