//! What a loop does for elements without a slot: how much it writes, and whether doing it often
//! is doing it a few times.

use std::collections::BTreeSet;

use crate::murphi::typed::{Argument, Expr, Place, Root, Stmt, StmtKind};
use crate::murphi::visit::Visit;

/// The number of statements that change something.
pub(super) fn n_writes(statements: &[Stmt]) -> usize {
    let mut effects = Effects::default();
    effects.block(statements);
    effects.n_writes
}

/// Is the effect of any number of turns that of at most as many turns as there are writes? It is
/// where no turn looks at what another one writes: the last write to each place counts.
pub(super) fn is_repeatable(statements: &[Stmt]) -> bool {
    let mut effects = Effects::default();
    effects.block(statements);
    effects.is_plain && effects.written.is_disjoint(&effects.read)
}

/// What statements read and write, by the variables and names that it belongs to.
struct Effects {
    n_writes: usize,
    written: BTreeSet<(bool, u32)>,
    read: BTreeSet<(bool, u32)>,
    /// No calls, returns, loops or faults.
    is_plain: bool,
}

impl Default for Effects {
    fn default() -> Effects {
        Effects { n_writes: 0, written: BTreeSet::new(), read: BTreeSet::new(), is_plain: true }
    }
}

impl Visit for Effects {
    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(target, source) => {
                self.write(target);
                self.argument(source);
            }
            StmtKind::Undefine(target) | StmtKind::Clear(target) => self.write(target),
            StmtKind::Assert(..) | StmtKind::Error(_) => self.parts_of_statement(statement),
            StmtKind::If(_) | StmtKind::Switch { .. } => self.parts_of_statement(statement),
            StmtKind::Alias { target: Argument::Value(_), .. } => {
                self.parts_of_statement(statement)
            }
            _ => {
                self.is_plain = false;
                self.n_writes += 1;
                self.parts_of_statement(statement);
            }
        }
    }

    fn place(&mut self, place: &Place) {
        self.read.insert(root(place));
        self.parts_of_place(place);
    }

    fn expr(&mut self, expr: &Expr) {
        self.parts_of_expr(expr);
    }
}

impl Effects {
    fn write(&mut self, target: &Place) {
        self.n_writes += 1;
        self.written.insert(root(target));
        self.parts_of_place(target);
    }
}

fn root(place: &Place) -> (bool, u32) {
    match place.root {
        Root::Variable(variable) => (true, variable),
        Root::Local(local) => (false, local.0),
    }
}
