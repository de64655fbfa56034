//! Reads a model, and keeps what its names mean for propositions.

use std::collections::BTreeSet;

use model::{Diagnostic, PropertyKind, Span};

use super::super::lex::Piece;
use super::super::parse::{parse, parse_expression};
use super::super::typed::{Predicate, Program};
use super::{Knowledge, Owner, Resolver, SizedType, User};
use crate::sink::Sink;

/// How a model is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Refuse what the standard dialect does not have.
    pub strict: bool,
    /// Values that replace those of the model's constants.
    pub constants: Vec<(String, i64)>,
    /// Declared types that become scalarsets of these sizes, whatever sizes they are given by
    /// the model: subranges or scalarsets.
    pub resized: Vec<(String, u32)>,
}

/// A model that was read, to which propositions can be added.
#[derive(Debug)]
pub struct Reader {
    /// The model.
    pub program: Program,
    known: Knowledge,
    strict: bool,
}

/// Reads a model from file number `file`. There is none exactly when one of the
/// diagnostics is an error.
pub fn read(text: &str, file: u32, options: &ReadOptions) -> (Option<Reader>, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    if u32::try_from(text.len()).is_err() {
        let span = Span::new(file, 0, 0);
        sink.push(Diagnostic::error("FE002", "the model is larger than 4 GiB", span));
        return (None, sink.finish());
    }
    let piece = Piece { text, file, offset: 0 };
    let items = parse(piece, options.strict, &mut sink);
    let mut resolver = Resolver::new(options, &mut sink);
    resolver.items(&items);
    resolver.finish(piece.span(0, 0));
    let Resolver { program, known, strict, .. } = resolver;
    let reader = (sink.n_errors() == 0).then_some(Reader { program, known, strict });
    (reader, sink.finish())
}

impl Reader {
    /// The simple types that are declared with a size, in order.
    pub(in crate::murphi) fn sized_types(&self) -> &[SizedType] {
        &self.known.sized_types
    }

    /// The constants that the size of a declared type is computed from, in order.
    pub(in crate::murphi) fn size_constants(&self, ty: &str) -> Vec<String> {
        let mut users = BTreeSet::from([User::SizedType(ty.to_owned())]);
        loop {
            let named = self.known.named_constants.iter().filter(|(user, _)| users.contains(user));
            let more: Vec<User> = named.map(|(_, name)| User::Constant(name.clone())).collect();
            let n_before = users.len();
            users.extend(more);
            if users.len() == n_before {
                break;
            }
        }
        let names = self.program.constants.iter().map(|(name, _)| name.clone());
        names.filter(|name| users.contains(&User::Constant(name.clone()))).collect()
    }

    /// Is one of these constants, or one that is computed from them, named outside of
    /// declarations of constants? The size of a type that was resized is not read.
    pub(in crate::murphi) fn depends_on(&self, constants: &[String]) -> bool {
        let mut concerned: BTreeSet<&str> = constants.iter().map(String::as_str).collect();
        loop {
            let n_before = concerned.len();
            for (user, name) in &self.known.named_constants {
                match user {
                    User::Constant(user) if concerned.contains(name.as_str()) => {
                        concerned.insert(user);
                    }
                    User::SizedType(_) | User::Other if concerned.contains(name.as_str()) => {
                        return true;
                    }
                    _ => {}
                }
            }
            if concerned.len() == n_before {
                return false;
            }
        }
    }

    /// Is this text an expression of the language? Names do not matter.
    pub fn is_expression(&self, text: &str) -> bool {
        let mut sink = Sink::default();
        let piece = Piece { text, file: 0, offset: 0 };
        u32::try_from(text.len()).is_ok()
            && parse_expression(piece, false, &mut sink).is_ok()
            && sink.n_errors() == 0
    }

    /// Adds a proposition: a boolean expression over the state variables, or the
    /// name of a boolean function without parameters. `span` is where `text` stands.
    /// Gives its number in [`Program::propositions`].
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn add_proposition(&mut self, text: &str, span: Span) -> Result<u32, Diagnostic> {
        let mut sink = Sink::default();
        let predicate = self.proposition(text, span, &mut sink);
        let first = sink.finish().into_iter().find(Diagnostic::is_error);
        match (first, predicate) {
            (None, Some(predicate)) => {
                let number = self.program.propositions.len() as u32;
                self.program.propositions.push(predicate);
                Ok(number)
            }
            (Some(mut error), _) => {
                for label in &mut error.labels {
                    label.span = within(label.span, span);
                }
                Err(error)
            }
            (None, None) => Err(Diagnostic::error("MU002", "this is not a proposition", span)),
        }
    }

    fn proposition(&mut self, text: &str, span: Span, sink: &mut Sink) -> Option<Predicate> {
        let piece = Piece { text, file: span.file, offset: span.start };
        let expr = parse_expression(piece, self.strict, sink).ok()?;
        let options = ReadOptions { strict: self.strict, ..ReadOptions::default() };
        let mut resolver = Resolver::new(&options, sink);
        resolver.program = std::mem::take(&mut self.program);
        resolver.known = std::mem::take(&mut self.known);
        resolver.owner = Owner::default();
        resolver.bare_calls = true;
        let condition = resolver.boolean(&expr);
        if let Some(condition) = &condition {
            resolver.check_proposition(condition);
        }
        let locals = std::mem::take(&mut resolver.owner.locals);
        self.program = std::mem::take(&mut resolver.program);
        self.known = std::mem::take(&mut resolver.known);
        let kind = PropertyKind::Invariant;
        Some(Predicate { name: text.to_owned(), kind, locals, condition: condition?, span })
    }
}

/// A place in a proposition, moved into what the caller says it covers.
fn within(inner: Span, outer: Span) -> Span {
    if inner.file != outer.file {
        return inner;
    }
    let start = inner.start.clamp(outer.start, outer.end.max(outer.start));
    let end = inner.end.clamp(start, outer.end.max(start));
    Span { file: outer.file, start, end }
}
