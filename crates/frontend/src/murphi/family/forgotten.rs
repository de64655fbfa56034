//! What is known of fields that may have been forgotten: that they have some value.

use model::Span;

use crate::murphi::typed::{Argument, ExprKind, Place, Stmt, StmtKind};

use super::scope::{Refused, Scope};
use super::truth::{Known, condition, not};
use super::uses::field_of;

impl Scope<'_> {
    /// When a value is known that may have been forgotten: one that is always there, or that of
    /// an element, which may be compared without being there. `shown` is where it lies in a view.
    pub(super) fn remembered(&self, place: &Place, shown: &Place, is_compared: bool) -> Known {
        let field = field_of(place);
        match field.and_then(|field| self.forgettable.get(&field)) {
            Some(is_defined) if *is_defined || is_compared => {
                let kind = ExprKind::IsUndefined(Box::new(shown.clone()));
                Known::When(not(condition(place.span, kind)))
            }
            _ => Known::Always,
        }
    }

    /// When an element that is compared is known.
    pub(super) fn element_remembered(&mut self, place: &Place) -> Refused<Known> {
        if self.elements.is_range || !self.is_forgettable(place) {
            return Ok(Known::Always);
        }
        let (shown, known) = self.place(place)?;
        Ok(known.and(self.remembered(place, &shown, true)))
    }

    /// An assignment between fields that may both have been forgotten: the target is, if the
    /// source is.
    pub(super) fn copy_forgotten(
        &mut self,
        (target, shown): (&Place, &Place),
        source: &Argument,
        span: Span,
    ) -> Refused<Option<Vec<Stmt>>> {
        let Argument::Place(source) = source else { return Ok(None) };
        if !self.is_forgettable(target) || !self.is_forgettable(source) {
            return Ok(None);
        }
        let (from, known) = self.place(source)?;
        let kind = StmtKind::Assign(shown.clone(), Argument::Place(from));
        Ok(matches!(known, Known::Always).then(|| vec![Stmt { kind, span }]))
    }
}
