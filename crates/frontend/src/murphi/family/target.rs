//! Where statements write, as far as a view shows it.
//!
//! What belongs to the rest is not shown, and a write to it changes no view. That is so only if
//! it is known to belong to the rest: a write to `set[key[p]]`, where `key[p]` is not known, may
//! be one to a shared place, and must not be dropped.

use crate::murphi::typed::{Place, Projection, Root, Stmt, StmtKind};

use super::scope::{Meaning, Refused, Scope, refuse};
use super::truth::{Known, Value, and, not};

/// What a write to a place that is not known is called, as a fault and as a refusal.
const UNLOCATED: &str = "a place that is written depends on elements beside";

/// A place that is written.
pub(super) struct Target {
    pub place: Place,
    /// When the view shows it.
    pub known: Known,
    /// When it does not belong to the rest: then it must be known.
    is_shown: Known,
    /// Does it depend on something that may be unknown?
    may_be_unknown: bool,
}

impl Scope<'_> {
    /// A place that is written.
    pub(super) fn target(&mut self, written: &Place) -> Refused<Target> {
        let (place, known) = self.place(written)?;
        let is_shown = self.is_shown(written)?;
        let may_be_unknown = self.meaning_beside(written)? == Meaning::Anywhere;
        match (&known, &is_shown) {
            (Known::Never, Known::Always | Known::When(_)) => refuse(UNLOCATED, place.span),
            _ => Ok(Target { place, known, is_shown, may_be_unknown }),
        }
    }

    /// When no element without a slot owns the place.
    fn is_shown(&mut self, place: &Place) -> Refused<Known> {
        let mut is_shown = match place.root {
            Root::Local(local) => match self.meaning(local) {
                Meaning::Hidden | Meaning::Rest => Known::Never,
                Meaning::Anywhere | Meaning::Known | Meaning::Slot => Known::Always,
            },
            Root::Variable(_) => Known::Always,
        };
        for step in &place.path {
            let Projection::Index(index) = step else { continue };
            let Value { expr, known } = self.value(index)?;
            if !self.may_be_rest(&expr) {
                continue;
            }
            is_shown = is_shown.and(match (known, self.has_slot(expr)) {
                (Known::Always, has_slot) => has_slot,
                // It is known to be the rest only where it is known at all.
                (Known::When(known), Known::When(has_slot)) => {
                    Known::When(not(and(known, not(has_slot))))
                }
                _ => Known::Always,
            });
        }
        Ok(is_shown)
    }

    /// What a name for the place stands for where the view does not show it.
    pub(super) fn meaning_beside(&mut self, place: &Place) -> Refused<Meaning> {
        let mut is_known = !matches!(
            place.root,
            Root::Local(local) if self.meaning(local) == Meaning::Anywhere
        );
        for step in &place.path {
            if let Projection::Index(index) = step {
                is_known &= matches!(self.value(index)?.known, Known::Always);
            }
        }
        Ok(if is_known { Meaning::Hidden } else { Meaning::Anywhere })
    }
}

impl Target {
    /// Writes to the place, where the view shows it.
    pub(super) fn where_shown(self, writes: Vec<Stmt>) -> Vec<Stmt> {
        let known = match self.known {
            Known::Always => return writes,
            Known::Never => return Vec::new(),
            Known::When(known) => known,
        };
        let span = known.span;
        let mut arms = vec![(Some(known), writes)];
        let error = vec![Stmt { kind: StmtKind::Error(UNLOCATED.to_owned()), span }];
        match self.is_shown {
            Known::Always if self.may_be_unknown => arms.push((None, error)),
            Known::When(is_shown) if self.may_be_unknown => arms.push((Some(is_shown), error)),
            _ => {}
        }
        vec![Stmt { kind: StmtKind::If(arms), span }]
    }
}
