//! How the states of a Murphi model may be permuted.
//!
//! Every scalarset type may be permuted by itself: the language has no way to tell
//! its elements apart, except by the order in which `for` takes them, by `clear`, by
//! liveness goals, and by the order of the slots of multisets.
//! `shape` says where scalarset values and arrays over scalarsets lie in a state;
//! `independence` finds what treats elements differently, and so forbids to permute.
//!
//! Start states are not looked at: a reduction is sound for any set of start states,
//! as long as rules and properties do not tell the elements apart.
//! Quantifiers over elements evaluate all of them, so whether there is a fault does
//! not depend on their order; which of two faults comes first may.

mod shape;

mod independence;

mod access;
mod calls;
mod collect;
mod conflict;
mod facts;

mod slots;

mod changes;
mod site;

#[cfg(test)]
mod equivariance;
#[cfg(test)]
mod tests;

use model::Symmetry;
use model::symmetry::ScalarsetId;

use super::layout::Layouts;
use super::typed::Program;

/// The symmetries of a model.
pub(super) fn symmetry(program: &Program, layouts: &Layouts) -> Symmetry {
    let mut symmetry = shape::symmetry(program, layouts);
    for refusal in independence::refusals(program) {
        let refused = match refusal.ty {
            Some(ty) => shape::scalarsets_within(&program.types, ty),
            None => (0..symmetry.scalarsets.len() as u32).map(ScalarsetId).collect(),
        };
        for id in refused {
            let scalarset = &mut symmetry.scalarsets[id.0 as usize];
            scalarset.not_symmetric.get_or_insert_with(|| refusal.reason.clone());
        }
    }
    symmetry
}
