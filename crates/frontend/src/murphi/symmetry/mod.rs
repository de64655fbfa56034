//! How the states of a Murphi model may be permuted.
//!
//! Every scalarset type may be permuted by itself: the language has no way to tell
//! its elements apart, except by the order in which `for` takes them and by `clear`.
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

#[cfg(test)]
mod equivariance;
#[cfg(test)]
mod tests;

use model::Symmetry;

use super::layout::Layouts;
use super::typed::Program;

/// The symmetries of a model.
pub(super) fn symmetry(program: &Program, layouts: &Layouts) -> Symmetry {
    let mut symmetry = shape::symmetry(program, layouts);
    for refusal in independence::refusals(program) {
        for scalarset in shape::scalarsets_within(&program.types, refusal.ty) {
            let scalarset = &mut symmetry.scalarsets[scalarset.0 as usize];
            scalarset.not_symmetric.get_or_insert_with(|| refusal.reason.clone());
        }
    }
    symmetry
}
