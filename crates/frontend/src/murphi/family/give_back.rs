//! How nodes are given back where elements beside may still reach them.
//!
//! Whether a node is dead depends on all elements, so in a view it may be unknown. A local array
//! of truth values over nodes keeps what is known of each: whether it must and whether it may be
//! true. A node that may be dead is given back in doubt.

use model::Span;

use crate::murphi::typed::{
    Argument, BOOLEAN, Expr, ExprKind, Local, LocalId, LocalKind, Place, Root, Stmt, StmtKind,
    TypeKind,
};

use super::expr::where_known;
use super::scope::{Meaning, Refused, Scope, refuse};
use super::stmt::where_shown;
use super::truth::{Known, Truth};

/// Said where a node that may be taken again is not as it was at the start.
const NOT_FRESH: &str = "a node is given back that may be taken as it is";

impl Scope<'_> {
    /// Gives each local array of truth values over nodes a second one.
    pub(super) fn shadow_locals(&mut self) {
        let Some(nodes) = self.functions.memory.clone() else { return };
        for idx in 0..self.locals.len() {
            let local = &self.locals[idx];
            let TypeKind::Array { index, element } = self.program.types.kind(local.ty) else {
                continue;
            };
            if local.kind != LocalKind::Variable || *element != BOOLEAN || *index != nodes.ty {
                continue;
            }
            let name = format!("{} (maybe)", local.name);
            let shadow = Local { name, ..local.clone() };
            self.shadows.insert(LocalId(idx as u32), LocalId(self.locals.len() as u32));
            self.locals.push(shadow);
            self.meanings.push(Meaning::Known);
        }
    }

    /// The same part of the array that says what may be true, where there is one.
    pub(super) fn shadow(&self, place: &Place) -> Option<Place> {
        let Root::Local(local) = place.root else { return None };
        let shadow = self.shadows.get(&local)?;
        Some(Place { root: Root::Local(*shadow), ..place.clone() })
    }

    /// A truth value that may be unknown, as it was assigned.
    pub(super) fn read_shadowed(&mut self, place: &Place, span: Span) -> Refused<Option<Truth>> {
        let Some(shadow) = self.shadow(place) else { return Ok(None) };
        let mut read = |place: &Place| -> Refused<(Expr, Known)> {
            let (place, known) = self.place(place)?;
            let kind = ExprKind::Read(Box::new(place));
            Ok((Expr { kind, bounds: (0, 1), span }, known))
        };
        let (must, known) = read(place)?;
        let (may, _) = read(&shadow)?;
        Ok(Some(where_known(known, Truth::Split { may, must })))
    }

    /// Assigns a truth value that may be unknown. Is the target one that keeps such?
    pub(super) fn assign_shadowed(
        &mut self,
        target: &Place,
        source: &Argument,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Refused<bool> {
        let Some(shadow) = self.shadow(target) else { return Ok(false) };
        let Argument::Value(value) = source else {
            return refuse("an array of what is known of nodes is copied", span);
        };
        let truth = self.truth(value)?.exactly();
        for (place, value) in [(target, truth.must()), (&shadow, truth.may())] {
            let (place, known) = self.target(place)?;
            let kind = StmtKind::Assign(place, Argument::Value(value));
            out.extend(where_shown(known, vec![Stmt { kind, span }]));
        }
        Ok(true)
    }

    /// Gives back a node that may be dead, if the statements do that and no more.
    pub(super) fn give_back(&mut self, dead: &Truth, body: &[Stmt], span: Span) -> Option<Stmt> {
        let nodes = self.functions.memory.clone()?;
        let node = self.node?;
        let Truth::Split { may, must } = dead else { return None };
        if !nodes.is_about(node, body) {
            return None;
        }
        self.doubts = true;
        let fresh = nodes.fresh_if_marked(self.types(), node, span);
        let mut in_doubt = vec![Stmt { kind: StmtKind::Assert(fresh, NOT_FRESH.to_owned()), span }];
        in_doubt.extend_from_slice(body);
        in_doubt.push(nodes.doubted(node, span));
        let arms = vec![(Some(must.clone()), body.to_vec()), (Some(may.clone()), in_doubt)];
        Some(Stmt { kind: StmtKind::If(arms), span })
    }
}
