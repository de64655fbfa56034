//! Syntax tree to typed model: settles what each name means, checks types, and
//! reports what does not fit. A name that was reported once is not reported again.
//!
//! **Read first** `rule.rs` (rules and properties), then `expr.rs`. `types.rs` says
//! which types go together, `call.rs` how functions with whole results are called.

mod bounds;
mod call;
pub(super) mod constant;
mod decl;
mod effects;
mod expr;
mod function;
mod place;
mod property;
mod reader;
mod rule;
mod scope;
mod stmt;
mod types;
mod wrap;

use std::collections::{BTreeMap, BTreeSet};

use model::{Diagnostic, PropertyKind, Span};
use rustc_hash::FxHashMap;

use super::ast::{Item, Name};
use super::typed::{
    BOOLEAN, FunctionId, Local, LocalId, LocalKind, Program, Type, TypeId, TypeKind,
};
use crate::sink::Sink;
use scope::{Scopes, Symbol};

pub use reader::{ReadOptions, Reader, read};

/// The type of a simple value: all ranges are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Number,
    /// A type that is not a range.
    Of(TypeId),
}

/// What a function takes and gives.
#[derive(Clone, Debug)]
struct Signature {
    /// Type of each parameter, and whether it is a `var` parameter.
    parameters: Vec<(TypeId, bool)>,
    result: Outcome,
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It is a procedure.
    Nothing,
    /// A simple value.
    Simple(TypeId),
    /// A record, array or multiset: written to one more `var` parameter, the last.
    Whole(TypeId),
}

/// What names mean so far, and what was made of them. Outlives the reading, so that
/// propositions can be added.
#[derive(Debug, Default)]
struct Knowledge {
    scopes: Scopes,
    signatures: Vec<Signature>,
    /// Types that need no name of their own, by their text.
    interned: FxHashMap<String, TypeId>,
    /// How deep each type is.
    type_depths: Vec<u32>,
    /// The next number for a literal or an element of a scalarset.
    next_base: i64,
    /// The subranges and scalarsets that are declared, in order.
    sized_types: Vec<SizedType>,
    /// What is being read.
    user: User,
    /// Constants that are named, and where.
    named_constants: BTreeSet<(User, String)>,
}

/// Where constants are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum User {
    /// In the declaration of this constant.
    Constant(String),
    /// In the declaration of this subrange or scalarset.
    SizedType(String),
    #[default]
    Other,
}

/// A subrange or a scalarset by its declaration.
#[derive(Clone, Debug)]
pub(in crate::murphi) struct SizedType {
    /// Its name; the first of several.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The type.
    pub ty: TypeId,
    /// Is it written as a subrange?
    pub is_range: bool,
}

/// The rule, function or predicate at hand.
#[derive(Debug, Default)]
struct Owner {
    locals: Vec<Local>,
    /// Which locals may not be assigned.
    read_only: Vec<bool>,
    /// The function at hand with what it gives.
    function: Option<Outcome>,
    /// Where a whole result goes.
    result: Option<LocalId>,
    /// Aliases that are open, each of which is a level of nesting.
    n_aliases: u32,
}

struct Resolver<'o> {
    program: Program,
    known: Knowledge,
    owner: Owner,
    sink: &'o mut Sink,
    /// Codes and places that were reported already.
    reported: BTreeSet<(&'static str, u32, u32)>,
    strict: bool,
    options: &'o ReadOptions,
    /// Which overriding constants were found in the model.
    overridden: BTreeSet<String>,
    /// Properties so far, by kind.
    n_properties: BTreeMap<PropertyKind, u64>,
    /// May a function be called by its name alone?
    bare_calls: bool,
    /// Calls with whole results that are made after what stands beside them.
    made_late: Vec<(FunctionId, Span)>,
}

impl<'o> Resolver<'o> {
    fn new(options: &'o ReadOptions, sink: &'o mut Sink) -> Resolver<'o> {
        let mut resolver = Resolver {
            program: Program::default(),
            known: Knowledge { next_base: 2, ..Knowledge::default() },
            owner: Owner::default(),
            sink,
            reported: BTreeSet::new(),
            strict: options.strict,
            options,
            overridden: BTreeSet::new(),
            n_properties: BTreeMap::new(),
            bare_calls: false,
            made_late: Vec::new(),
        };
        let literals = vec!["false".to_owned(), "true".to_owned()];
        let kind = TypeKind::Enum { base: 0, literals };
        resolver.program.types.all.push(Type { name: "boolean".to_owned(), kind });
        resolver.known.type_depths.push(1);
        resolver
    }

    /// Resolves a whole model.
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Decl(decl) => self.decl(decl),
                Item::Function(function) => self.function(function),
                Item::Broken(name) => self.declare(name, Symbol::Bad),
                Item::Rule(rule) => self.rule(rule, &mut Vec::new()),
            }
        }
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        let span =
            diagnostic.labels.first().map_or((0, 0), |label| (label.span.start, label.span.end));
        if self.reported.insert((diagnostic.code, span.0, span.1)) {
            self.sink.push(diagnostic);
        }
    }

    /// Reports an error. Gives `None` of anything, for the caller to return.
    fn fail<T>(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Option<T> {
        self.push(Diagnostic::error(code, message, span));
        None
    }

    /// Reports the use of an extension where the standard dialect is asked.
    fn extension(&mut self, what: &str, span: Span) {
        if self.strict {
            let message = format!("{what} is not in the standard dialect");
            self.push(
                Diagnostic::error("MU015", message, span).help("leave out `--strict` to allow it"),
            );
        }
    }

    /// Declares a name, or reports that its scope has it already.
    fn declare(&mut self, name: &Name, symbol: Symbol) {
        if let Err(previous) = self.known.scopes.declare(&name.text, symbol, name.span) {
            let message = format!("`{}` is declared twice", name.text);
            let diagnostic = Diagnostic::error("MU006", message, name.span);
            self.push(diagnostic.label(previous, "it is declared here already"));
        }
    }

    /// The meaning of a name, or a report that it has none.
    fn lookup(&mut self, name: &str, span: Span) -> Option<Symbol> {
        match self.known.scopes.get(name) {
            Some(Symbol::Bad) => None,
            Some(symbol) => Some(symbol),
            None => {
                let mut error =
                    Diagnostic::error("MU005", format!("`{name}` is not declared"), span);
                if name.eq_ignore_ascii_case("undefined") {
                    error = error.help("ask with `isundefined`, and change with `undefine`");
                } else if self.sink.shows_errors()
                    && let Some(help) = self.known.scopes.suggestion(name)
                {
                    error = error.help(help);
                }
                self.push(error);
                None
            }
        }
    }

    /// A new local of the owner, which is declared in the innermost scope.
    fn bind(&mut self, name: &Name, ty: TypeId, kind: LocalKind, read_only: bool) -> LocalId {
        let id = LocalId(self.owner.locals.len() as u32);
        let local = Local { name: name.text.clone(), ty, kind, span: name.span };
        self.owner.locals.push(local);
        self.owner.read_only.push(read_only);
        self.declare(name, Symbol::Local(id));
        id
    }

    fn signature(&self, function: FunctionId) -> &Signature {
        &self.known.signatures[function.0 as usize]
    }

    fn is_boolean(ty: Ty) -> bool {
        ty == Ty::Of(BOOLEAN)
    }
}
