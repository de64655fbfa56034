//! Declarations of locals, and what is enforced of them.
//!
//! A declaration is no statement: the locals of a procedure are there, with the values that
//! its first declarations give them, as soon as it begins, and no thread takes a step for
//! that. A declaration after the first statement or label gives its variable a value
//! whenever control comes by, but is no step that `enforce` speaks of. One whose value is
//! computed is short for an assignment, which is.
//!
//! Values that nobody gives are any but those that `enforce` excludes by conditions on
//! locals alone. What is enforced of anything shared is asked of steps only, so that a
//! variable that is declared and not used changes nothing.
//!
//! **Source** Boolean programs of SLAM and SatAbs declare locals before the first statement
//! and without values; there, too, a declaration is no statement.

use model::{Bit, BitExpr, Span};

use super::Trouble;
use super::expr::Context;
use super::scope::Local;
use super::stmt::{Body, assign};
use crate::boolprog::ast::{Decl, Expr, ExprKind, Name, Stmt, StmtKind};
use crate::boolprog::code::{Action, Place};

/// What the declarations of a procedure say.
#[derive(Default)]
pub(super) struct Declared {
    enforced: Vec<Enforced>,
    /// The locals that begin with a value.
    values: Vec<(u32, bool)>,
    /// The instructions that stand for declarations, with the locals they declare.
    places: Vec<(usize, Vec<u32>)>,
}

/// A condition that is true after each step of the procedure.
struct Enforced {
    condition: BitExpr,
    /// The locals that it speaks of, where it speaks of nothing else.
    about: Option<Vec<u32>>,
}

/// What a declaration gives its variable.
enum Given<'a> {
    Any,
    Constant(bool),
    Computed(&'a Expr),
}

impl<'a> Given<'a> {
    fn by(decl: &'a Decl) -> Given<'a> {
        match &decl.init {
            None | Some(Expr { kind: ExprKind::Star, .. }) => Given::Any,
            Some(Expr { kind: ExprKind::Const(value), .. }) => Given::Constant(*value),
            Some(computed) => Given::Computed(computed),
        }
    }
}

impl<'a> Body<'_, 'a, '_> {
    /// The declarations before the first statement or label: what locals begin with. The
    /// number of statements that they are.
    pub(super) fn first_declarations(&mut self, statements: &'a [Stmt]) -> usize {
        let is_first = |statement: &&Stmt| {
            let is_declaring = matches!(statement.kind, StmtKind::Decl(_) | StmtKind::Enforce(_));
            is_declaring && statement.labels.is_empty()
        };
        let n_first = statements.iter().take_while(is_first).count();
        let first = &statements[..n_first];
        self.begin(first);
        for statement in first {
            match &statement.kind {
                StmtKind::Decl(decls) => {
                    for decl in decls {
                        self.first_value(decl, statement.span);
                    }
                }
                _ => self.statement(statement),
            }
        }
        n_first
    }

    /// The procedure begins only with values that are not excluded.
    fn begin(&mut self, first: &'a [Stmt]) {
        let mut declared = Vec::new();
        for statement in first {
            let StmtKind::Decl(decls) = &statement.kind else { continue };
            let decls = decls.iter().filter(|decl| !matches!(Given::by(decl), Given::Computed(_)));
            declared.extend(decls.filter_map(|decl| self.local(&decl.name)));
        }
        let Some(statement) = first.first().filter(|_| self.scope.has_enforce) else { return };
        if !declared.is_empty() {
            self.declare(declared, Vec::new(), statement.span);
        }
    }

    fn first_value(&mut self, decl: &'a Decl, span: Span) {
        match (Given::by(decl), self.local(&decl.name)) {
            (Given::Any, _) => {}
            (Given::Constant(value), Some(idx)) => self.declared.values.push((idx, value)),
            _ => self.or_opaque(span, |body| body.declaration(decl, span)),
        }
    }

    /// Declarations behind the first statement or label.
    pub(super) fn declarations(&mut self, decls: &'a [Decl], span: Span) -> Result<(), Trouble> {
        decls.iter().try_for_each(|decl| self.declaration(decl, span))
    }

    fn declaration(&mut self, decl: &'a Decl, span: Span) -> Result<(), Trouble> {
        let is_call = matches!(&decl.init, Some(Expr { kind: ExprKind::Call(..), .. }));
        let local = self.local(&decl.name);
        let place = match local {
            Some(idx) => Bit::Local(idx),
            // The call has effects, whatever becomes of its result.
            None if is_call => self.variable(&decl.name.text, decl.name.span)?,
            None => return Ok(()),
        };
        if let Some(Expr { kind: ExprKind::Call(name, args), span: at }) = &decl.init {
            let procedure = Name { text: name.clone(), span: *at };
            return self.call_into(vec![place], &procedure, args, span);
        }
        let end = decl.init.as_ref().map_or(decl.name.span, |init| init.span);
        let at = crate::source::join(decl.name.span, end);
        let value = match Given::by(decl) {
            Given::Computed(value) => {
                let value = self.expr(value, Context::Plain)?;
                self.push(assign(vec![(place, value)]), at);
                return Ok(());
            }
            Given::Constant(value) => BitExpr::Const(value),
            Given::Any => {
                self.n_choices = 1;
                BitExpr::Choice(0)
            }
        };
        self.declare(local.into_iter().collect(), vec![(place, value)], at);
        Ok(())
    }

    fn declare(&mut self, locals: Vec<u32>, assigns: Vec<(Place, BitExpr)>, span: Span) {
        let at = self.push(Action::Declare { assigns, guard: BitExpr::TRUE }, span);
        self.declared.places.push((at, locals));
    }

    /// The number of a local that is Boolean.
    fn local(&self, name: &Name) -> Option<u32> {
        match self.scope.get(&name.text)? {
            Local::Bool(idx) => Some(idx),
            Local::Number => None,
        }
    }

    pub(super) fn enforce(&mut self, expr: &Expr) -> Result<(), Trouble> {
        let condition = self.expr(expr, Context::Enforced)?;
        if self.n_choices > 0 {
            self.resolver.error("BP011", "`enforce` has no `*`", expr.span);
        }
        let mut about = Some(Vec::new());
        expr.each_name(&mut |name| {
            let local = match self.scope.get(name) {
                Some(Local::Bool(idx)) => Some(idx),
                _ => None,
            };
            match (&mut about, local) {
                (Some(known), Some(idx)) => known.push(idx),
                _ => about = None,
            }
        });
        self.declared.enforced.push(Enforced { condition, about });
        Ok(())
    }

    /// All that is enforced after each step.
    pub(super) fn all_enforced(&self) -> BitExpr {
        all(self.declared.enforced.iter().map(|one| one.condition.clone()))
    }

    /// At the end of the procedure all that is enforced is known.
    pub(super) fn settle_declarations(&mut self) {
        let Declared { enforced, places, .. } = &self.declared;
        for (at, locals) in places {
            let about = enforced.iter().filter(|one| one.is_about(locals));
            if let Action::Declare { assigns, guard } = &mut self.instructions[*at].action {
                *guard = all(about.map(|one| one.before(assigns)));
            }
        }
    }

    /// What each local has when the procedure begins.
    pub(super) fn initial_values(&self) -> Vec<Option<bool>> {
        let mut initial = vec![None; self.scope.locals.len()];
        for &(idx, value) in &self.declared.values {
            initial[idx as usize] = Some(value);
        }
        initial
    }
}

impl Enforced {
    /// The condition on the values before these assignments that makes it true after them.
    fn before(&self, assigns: &[(Place, BitExpr)]) -> BitExpr {
        self.condition.map_leaves(&mut |leaf| match leaf {
            BitExpr::After(bit) => {
                let assigned = assigns.iter().find(|(place, _)| place == bit);
                assigned.map_or(BitExpr::Before(*bit), |(_, value)| value.clone())
            }
            other => other.clone(),
        })
    }

    /// Does it speak of nothing but locals, these among them?
    fn is_about(&self, locals: &[u32]) -> bool {
        self.about.as_ref().is_some_and(|about| about.iter().any(|idx| locals.contains(idx)))
    }
}

/// All of them, as a tree that is no higher than it must be: walks over it are recursive.
fn all(conditions: impl Iterator<Item = BitExpr>) -> BitExpr {
    let mut conditions: Vec<BitExpr> = conditions.collect();
    while conditions.len() > 1 {
        let mut halved = Vec::with_capacity(conditions.len().div_ceil(2));
        let mut rest = conditions.into_iter();
        while let Some(one) = rest.next() {
            halved.push(one.and(rest.next().unwrap_or(BitExpr::TRUE)));
        }
        conditions = halved;
    }
    conditions.pop().unwrap_or(BitExpr::TRUE)
}
