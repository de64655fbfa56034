//! The names of one procedure: its parameters and locals, wherever it declares them.

use rustc_hash::FxHashMap;

use super::Resolver;
use crate::boolprog::ast::{self, Decl, Stmt, StmtKind, Type};

/// What a local name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Bool(u32),
    Number,
}

/// The locals of a procedure.
#[derive(Default)]
pub(super) struct Scope<'a> {
    names: FxHashMap<&'a str, Local>,
    /// The Boolean ones, in the order of their numbers.
    pub locals: Vec<String>,
    /// Does the procedure enforce anything?
    pub has_enforce: bool,
}

impl<'a> Scope<'a> {
    /// The scope of a procedure: a declaration counts for the whole of it.
    pub fn of(resolver: &mut Resolver<'a, '_>, procedure: &'a ast::Procedure) -> Scope<'a> {
        let mut scope = Scope::default();
        for param in &procedure.params {
            scope.declare(resolver, param);
        }
        scope.declare_in(resolver, &procedure.body);
        scope
    }

    pub fn get(&self, name: &str) -> Option<Local> {
        self.names.get(name).copied()
    }

    /// All names, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.names.keys().copied()
    }

    fn declare(&mut self, resolver: &mut Resolver<'a, '_>, decl: &'a Decl) {
        let local = match decl.kind {
            Type::Bool => Local::Bool(self.locals.len() as u32),
            Type::Number => Local::Number,
            Type::Lock => {
                let message = format!("the lock `{}` is declared in a procedure", decl.name.text);
                resolver.error("BP010", message, decl.name.span);
                return;
            }
        };
        if self.names.insert(&decl.name.text, local).is_some() {
            resolver.declared_twice(&decl.name);
        } else if local != Local::Number {
            self.locals.push(decl.name.text.clone());
        }
    }

    fn declare_in(&mut self, resolver: &mut Resolver<'a, '_>, statements: &'a [Stmt]) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Decl(decls) => {
                    for decl in decls {
                        self.declare(resolver, decl);
                    }
                }
                StmtKind::Enforce(_) => self.has_enforce = true,
                StmtKind::If { then, otherwise, .. } => {
                    self.declare_in(resolver, then);
                    self.declare_in(resolver, otherwise);
                }
                StmtKind::While { body, .. } | StmtKind::Block(body) | StmtKind::Atomic(body) => {
                    self.declare_in(resolver, body);
                }
                _ => {}
            }
        }
    }
}
