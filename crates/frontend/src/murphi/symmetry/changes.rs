//! Which multisets may lose elements, by type, in a piece of a model?
//!
//! A multiset loses what is removed from it, all when it is made empty or when
//! something else is assigned to it or to what it is a part of. Additions are not
//! noted: what is there stays where it is.

use std::collections::BTreeSet;

use crate::murphi::typed::{Argument, Expr, FunctionId, Place, Program, Stmt, StmtKind, TypeId};
use crate::murphi::visit::Visit;

/// Types of places that are emptied, assigned or removed from. Other types than those
/// of multisets, or of what has multisets as its parts, are not noted.
pub(super) type Changed = BTreeSet<TypeId>;

/// What each function of a model may change, at first or second hand.
pub(super) struct Changes<'a> {
    program: &'a Program,
    functions: Vec<Changed>,
}

impl<'a> Changes<'a> {
    /// Looks through all functions.
    pub(super) fn new(program: &'a Program) -> Changes<'a> {
        let functions = vec![Changed::new(); program.functions.len()];
        let mut changes = Changes { program, functions };
        loop {
            let mut has_grown = false;
            for (idx, function) in program.functions.iter().enumerate() {
                let found = changes.by_block(&function.body);
                has_grown |= found != changes.functions[idx];
                changes.functions[idx] = found;
            }
            if !has_grown {
                return changes;
            }
        }
    }

    /// What a call may change.
    pub(super) fn by_call(&self, function: FunctionId) -> &Changed {
        &self.functions[function.0 as usize]
    }

    /// What statements may change.
    pub(super) fn by_block(&self, statements: &[Stmt]) -> Changed {
        let mut search = Search { changes: self, found: Changed::new() };
        search.block(statements);
        search.found
    }

    /// What an expression may change.
    pub(super) fn by_expr(&self, expr: &Expr) -> Changed {
        let mut search = Search { changes: self, found: Changed::new() };
        search.expr(expr);
        search.found
    }

    /// What may change while arguments are evaluated.
    pub(super) fn by_arguments(&self, arguments: &[Argument]) -> Changed {
        let mut search = Search { changes: self, found: Changed::new() };
        arguments.iter().for_each(|argument| search.argument(argument));
        search.found
    }

    /// What may change while places are found.
    pub(super) fn by_places<'p>(&self, places: impl IntoIterator<Item = &'p Place>) -> Changed {
        let mut search = Search { changes: self, found: Changed::new() };
        places.into_iter().for_each(|place| search.place(place));
        search.found
    }

    /// What this statement itself may change, apart from its parts.
    pub(super) fn by_statement_itself(&self, statement: &Stmt) -> Option<TypeId> {
        let place = match &statement.kind {
            StmtKind::Assign(place, _)
            | StmtKind::Clear(place)
            | StmtKind::Undefine(place)
            | StmtKind::MultisetRemove(place, _)
            | StmtKind::MultisetRemoveIf { multiset: place, .. } => place,
            _ => return None,
        };
        self.program.types.has_multisets(place.ty).then_some(place.ty)
    }
}

struct Search<'c, 'a> {
    changes: &'c Changes<'a>,
    found: Changed,
}

impl Visit for Search<'_, '_> {
    fn statement(&mut self, statement: &Stmt) {
        self.found.extend(self.changes.by_statement_itself(statement));
        self.parts_of_statement(statement);
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        self.found.extend(self.changes.by_call(function));
        arguments.iter().for_each(|argument| self.argument(argument));
    }
}
