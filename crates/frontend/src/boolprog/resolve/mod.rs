//! Settles names and makes control flow flat: `ast` to `code`.
//!
//! In the dialect with braces, which is also used for sketches, a statement that has no
//! meaning here (arithmetic, a variable or label that nobody declared) is a warning, and
//! nothing is said about what happens after it. In the other dialect it is an error.
//!
//! **Read first** `scope.rs`, then `stmt.rs`.

mod declare;
mod expr;
mod jumps;
mod scope;
mod stmt;
mod threads;

use model::{BitExpr, Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::ast::{self, Dialect, ExprKind, Name, Program, Type};
use super::code::{Code, Label, Procedure, SharedVariable};
use crate::sink::Sink;
use crate::source::Source;

/// The mistake is reported.
struct Reported;

/// What a statement means, or why it has no meaning here.
enum Trouble {
    Reported,
    Opaque(String),
}

impl From<Reported> for Trouble {
    fn from(_: Reported) -> Trouble {
        Trouble::Reported
    }
}

/// Settles all names; `None` only after an error.
pub(crate) fn resolve(program: &Program, source: Source<'_>, sink: &mut Sink) -> Option<Code> {
    let mut resolver = Resolver::new(program, source, sink);
    resolver.declare_globals();
    resolver.declare_procedures();
    let procedures = resolver.procedures();
    let entries = threads::entries(&mut resolver, &procedures);
    threads::refuse_broadcasts_beside_others(&mut resolver, &procedures, &entries);
    let Resolver { shared, owned, labels, .. } = resolver;
    (sink.n_errors() == 0).then_some(Code { shared, owned, procedures, entries, labels })
}

/// What a global name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Global {
    Shared(u32),
    /// A lock with an owner: the shared variable, and its position among such locks.
    Lock(u32, usize),
    Number,
}

struct Resolver<'a, 's> {
    program: &'a Program,
    source: Source<'a>,
    sink: &'s mut Sink,
    globals: FxHashMap<&'a str, Global>,
    shared: Vec<SharedVariable>,
    owned: Vec<u32>,
    /// Procedures by name: their position.
    procedures: FxHashMap<&'a str, usize>,
    labels: Vec<Label>,
    /// The locals of all other threads that are spoken of.
    broadcasts: Vec<(String, Span)>,
}

impl<'a, 's> Resolver<'a, 's> {
    fn new(program: &'a Program, source: Source<'a>, sink: &'s mut Sink) -> Resolver<'a, 's> {
        Resolver {
            program,
            source,
            sink,
            globals: FxHashMap::default(),
            shared: Vec::new(),
            owned: Vec::new(),
            procedures: FxHashMap::default(),
            labels: Vec::new(),
            broadcasts: Vec::new(),
        }
    }

    fn declare_globals(&mut self) {
        for decl in &self.program.globals {
            let (shared_idx, owned_idx) = (self.shared.len() as u32, self.owned.len());
            let global = match decl.kind {
                Type::Bool => Global::Shared(shared_idx),
                Type::Lock => Global::Lock(shared_idx, owned_idx),
                Type::Number => Global::Number,
            };
            if self.globals.insert(&decl.name.text, global).is_some() {
                self.declared_twice(&decl.name);
                continue;
            }
            if global == Global::Number {
                continue;
            }
            if decl.kind == Type::Lock {
                self.owned.push(shared_idx);
            }
            let initial = self.initial(decl);
            let name = decl.name.text.clone();
            self.shared.push(SharedVariable { name, initial });
        }
    }

    /// The value at the start: locks are free, and variables have any value that is not
    /// said to be another.
    fn initial(&mut self, decl: &ast::Decl) -> Option<bool> {
        match (&decl.kind, decl.init.as_ref().map(|init| &init.kind)) {
            (Type::Lock, None) => Some(false),
            (_, Some(ExprKind::Const(value))) => Some(*value),
            (_, None | Some(ExprKind::Star)) => None,
            (_, Some(_)) => {
                let message = format!("`{}` begins with a constant or with `*`", decl.name.text);
                let span = decl.init.as_ref().map_or(decl.name.span, |init| init.span);
                self.error("BP009", message, span);
                None
            }
        }
    }

    fn declare_procedures(&mut self) {
        for (idx, procedure) in self.program.procedures.iter().enumerate() {
            if self.procedures.insert(&procedure.name.text, idx).is_some() {
                self.declared_twice(&procedure.name);
            }
        }
    }

    fn procedures(&mut self) -> Vec<Procedure> {
        let program = self.program;
        program.procedures.iter().map(|procedure| stmt::procedure(self, procedure)).collect()
    }

    fn is_sketch(&self) -> bool {
        self.program.dialect == Dialect::Cuba
    }

    fn declared_twice(&mut self, name: &Name) {
        self.error("BP006", format!("`{}` is declared twice", name.text), name.span);
    }

    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Reported {
        self.sink.push(Diagnostic::error(code, message, span));
        Reported
    }

    /// A name or a label that nobody declared: an error, or in a sketch a statement
    /// without a meaning.
    fn unknown(&mut self, diagnostic: Diagnostic) -> Trouble {
        if self.is_sketch() {
            return Trouble::Opaque(diagnostic.message);
        }
        self.sink.push(diagnostic);
        Trouble::Reported
    }

    /// The number of the label of a statement, made anew.
    fn label(&mut self, span: Span) -> u32 {
        let text = self.source.slice(span);
        let line = text.lines().next().unwrap_or("").trim();
        let text = line.trim_end_matches(';').trim_end().to_owned();
        self.labels.push(Label { text, span });
        self.labels.len() as u32 - 1
    }
}

/// Both sides have the same value.
fn equal(left: BitExpr, right: BitExpr) -> BitExpr {
    left.xor(right).negated()
}
