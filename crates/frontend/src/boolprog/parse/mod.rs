//! Tokens to syntax tree, for both dialects at once: `begin … end` and braces, `:=` and
//! `=`, `if … then … fi` and `if (…) …` may be mixed; how `main` is written says which of
//! them it is. After a mistake reading goes on at
//! the next statement, so that independent mistakes are all reported.
//!
//! **Read first** `program.rs`, then `stmt.rs`; `expr.rs` has the precedences.

mod expr;
mod program;
mod simple;
mod stmt;

use model::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::ast::{Name, Program};
use super::lex::{Kind, Token, lex};
use crate::sink::Sink;
use crate::source::{Source, join};

/// Statements and expressions are nested at most this deep, so that every walk over a
/// program fits the stack of a thread.
const MAX_DEPTH: u32 = 200;

/// The mistake is reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// What was read, unless a mistake was reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// Reads a whole program.
pub(crate) fn parse(source: Source<'_>, sink: &mut Sink) -> Program {
    let tokens = lex(source, sink);
    let mut parser = Parser {
        source,
        tokens,
        pos: 0,
        depth: 0,
        height: 0,
        n_results: 0,
        gave_up: false,
        procedures: FxHashSet::default(),
        sink,
    };
    parser.note_procedures();
    parser.program()
}

struct Parser<'a, 's> {
    source: Source<'a>,
    tokens: Vec<Token>,
    pos: usize,
    depth: u32,
    /// How high the tree of the expression is that was read last.
    height: u32,
    /// Results of all procedures so far.
    n_results: usize,
    /// Procedures that are declared somewhere.
    procedures: FxHashSet<&'a str>,
    /// Is the rest of the text left unread, after a mistake that hides its sense?
    gave_up: bool,
    sink: &'s mut Sink,
}

impl<'a> Parser<'a, '_> {
    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.pos + n).min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> Kind {
        self.ahead(0).kind
    }

    fn span(&self) -> Span {
        self.ahead(0).span
    }

    /// The text of the next token.
    fn text(&self) -> &'a str {
        self.source.slice(self.span())
    }

    /// The span from `start` to the last token that was read.
    fn since(&self, start: Span) -> Span {
        join(start, self.tokens[self.pos.saturating_sub(1)].span)
    }

    fn bump(&mut self) -> Token {
        let token = self.ahead(0);
        if token.kind != Kind::End {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn at_word(&self, word: &str) -> bool {
        self.kind() == Kind::Name && self.text() == word
    }

    fn at_one_of(&self, words: &[&str]) -> bool {
        self.kind() == Kind::Name && words.contains(&self.text())
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.kind() != Kind::Name {
            return Err(self.unexpected(what));
        }
        Ok(self.taken())
    }

    /// The next token as a name, whatever it is.
    fn taken(&mut self) -> Name {
        let (text, span) = (self.text().to_owned(), self.span());
        self.bump();
        Name { text, span }
    }

    /// Reports that something else is expected here.
    fn unexpected(&mut self, what: &str) -> Reported {
        if self.gave_up {
            return Reported;
        }
        let found = match self.kind() {
            Kind::End => "the text ends here".to_owned(),
            _ => format!("`{}` is unexpected", self.text()),
        };
        let message = format!("{found}: {what} is expected");
        self.sink.push(Diagnostic::error("BP002", message, self.span()));
        Reported
    }

    /// Items separated by commas; at least one.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Kind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Goes one level deeper for the time of `inner`.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(MAX_DEPTH));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Reports that something is nested too deeply, and gives up.
    fn too_deep(&mut self, limit: u32) -> Reported {
        let message = format!("this is nested deeper than {limit} levels");
        self.sink.push(Diagnostic::error("BP003", message, self.span()));
        self.pos = self.tokens.len() - 1;
        self.gave_up = true;
        Reported
    }

    /// Does the next token stand on a later line than the one before it?
    fn on_new_line(&self) -> bool {
        let Some(before) = self.pos.checked_sub(1) else { return true };
        let gap = self.tokens[before].span.end as usize..self.span().start as usize;
        self.source.text.get(gap).is_some_and(|gap| gap.contains('\n'))
    }
}
