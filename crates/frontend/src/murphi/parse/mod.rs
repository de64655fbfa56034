//! Tokens to syntax tree. After a mistake reading goes on at the next `;`, closer
//! or section, so that independent mistakes are all reported.
//!
//! **Read first** `rule.rs`, then `stmt.rs`; `expr.rs` has the precedences.

mod decl;
mod expr;
mod rule;
mod stmt;

use model::{Diagnostic, Span};

use super::ast::{Expr, ExprKind, Item, Name};
use super::lex::{Kind, Piece, Token, lex};
use crate::sink::Sink;
use crate::source::join;

/// Statements, rules and types are nested at most this deep, and expressions are
/// at most this high, so that every walk over a model fits the stack of a thread.
pub(crate) const MAX_DEPTH: u32 = 160;

/// The mistake is reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// What was read, unless a mistake was reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// Words of the looser dialect, which may also be names.
const EXTENDED_WORDS: &[&str] = &["assume", "cover", "liveness"];

/// Reads a whole model.
pub(crate) fn parse(piece: Piece<'_>, strict: bool, sink: &mut Sink) -> Vec<Item> {
    let mut parser = Parser::new(piece, strict, sink);
    parser.items()
}

/// Reads a text that is one expression and nothing else.
pub(crate) fn parse_expression(piece: Piece<'_>, strict: bool, sink: &mut Sink) -> Parsed<Expr> {
    let mut parser = Parser::new(piece, strict, sink);
    let expr = parser.expr()?;
    match parser.kind() {
        Kind::End => Ok(expr),
        _ => Err(parser.unexpected("the end of the expression")),
    }
}

pub(crate) struct Parser<'a, 's> {
    piece: Piece<'a>,
    tokens: Vec<Token>,
    pos: usize,
    depth: u32,
    strict: bool,
    /// Is the rest of the text left unread, after a mistake that hides its sense?
    gave_up: bool,
    sink: &'s mut Sink,
}

impl<'a, 's> Parser<'a, 's> {
    fn new(piece: Piece<'a>, strict: bool, sink: &'s mut Sink) -> Parser<'a, 's> {
        let tokens = lex(piece, sink);
        Parser { piece, tokens, pos: 0, depth: 0, strict, gave_up: false, sink }
    }

    fn token(&self) -> Token {
        self.ahead(0)
    }

    /// The token `n` places further on.
    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.pos + n).min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span from `start` to the last token that was read.
    fn since(&self, start: Span) -> Span {
        join(start, self.tokens[self.pos.saturating_sub(1)].span)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.extended {
            self.extension("this spelling", token.span);
        }
        if token.kind != Kind::End {
            self.pos += 1;
        }
        token
    }

    fn at(&self, symbol: &'static str) -> bool {
        self.kind() == Kind::Symbol(symbol)
    }

    fn at_word(&self, word: &'static str) -> bool {
        self.kind() == Kind::Word(word)
    }

    fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.at(symbol);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &'static str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn expect_word(&mut self, word: &'static str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn name(&mut self) -> Parsed<Name> {
        if self.kind() != Kind::Name {
            return Err(self.unexpected("a name"));
        }
        let span = self.bump().span;
        Ok(Name { text: self.piece.slice(span).to_owned(), span })
    }

    /// One name or more, with commas between them.
    fn names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.eat(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// A text in quotes, if there is one here.
    fn text(&mut self) -> Option<String> {
        if self.kind() != Kind::Text {
            return None;
        }
        let span = self.bump().span;
        let quotes = ['"', '“', '”'];
        let inside = self.piece.slice(span).trim_start_matches(quotes);
        let inside = inside.strip_suffix(quotes).unwrap_or(inside);
        Some(unescaped(inside))
    }

    /// Is the token a name that is a word of the looser dialect?
    fn extended_word(&self) -> Option<&'static str> {
        if self.kind() != Kind::Name {
            return None;
        }
        let text = self.piece.slice(self.span());
        EXTENDED_WORDS.iter().find(|word| text.eq_ignore_ascii_case(word)).copied()
    }

    /// Reports that something else is expected here.
    fn unexpected(&mut self, wanted: &str) -> Reported {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.piece.slice(token.span)),
        };
        let message = format!("{wanted} is expected here, not {found}");
        self.report("MU002", message, token.span)
    }

    fn report(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Reported {
        if !self.gave_up {
            self.sink.push(Diagnostic::error(code, message, span));
        }
        Reported
    }

    /// Reports the use of an extension where the standard dialect is asked.
    fn extension(&mut self, what: &str, span: Span) {
        if self.strict {
            let message = format!("{what} is not in the standard dialect");
            let diagnostic = Diagnostic::error("MU015", message, span);
            self.sink.push(diagnostic.help("leave out `--strict` to allow it"));
        }
    }

    /// Reads something that may contain its like, to a bounded depth.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            let reported = self.report("MU004", "this is nested too deeply", span);
            // What surrounds it cannot be made sense of any more.
            self.pos = self.tokens.len() - 1;
            self.gave_up = true;
            return Err(reported);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips to a token that satisfies `stop`, to a section or to the end.
    fn skip_to(&mut self, stop: impl Fn(Kind) -> bool) {
        while !stop(self.kind()) && !is_section(self.kind()) && self.kind() != Kind::End {
            self.pos += 1;
        }
    }

    /// An expression that is followed by the keyword `word`, which is read too.
    /// After a mistake in the expression reading goes on behind the keyword.
    fn expr_before(&mut self, word: &'static str) -> Parsed<Expr> {
        let start = self.span();
        let read = |parser: &mut Self| {
            let expr = parser.expr()?;
            parser.expect_word(word)?;
            Ok(expr)
        };
        match read(self) {
            Ok(expr) => Ok(expr),
            Err(reported) => {
                self.resume_after(word, reported)?;
                Ok(Expr { kind: ExprKind::Bad, span: start, height: 1 })
            }
        }
    }

    /// Is there a name with a `:` behind it, `n` tokens from here?
    fn at_bound_name(&self, n: usize) -> bool {
        self.ahead(n).kind == Kind::Name && self.ahead(n + 1).kind == Kind::Symbol(":")
    }

    /// Goes on behind the next `word` if nothing else begins or ends before it.
    fn resume_after(&mut self, word: &'static str, reported: Reported) -> Parsed<()> {
        let stop = |kind| {
            kind == Kind::Word(word)
                || matches!(kind, Kind::Symbol(";") | Kind::Closer(_) | Kind::Word("begin"))
        };
        self.skip_to(stop);
        // Several names where there can be only one: still the same header.
        while self.at(";") && self.at_bound_name(1) {
            self.pos += 1;
            self.skip_to(stop);
        }
        if self.eat_word(word) { Ok(()) } else { Err(reported) }
    }

    /// The closer of what began at `open`: `end`, or `end` with one of `names`.
    fn close(&mut self, names: &[&'static str], open: Span) {
        match self.kind() {
            Kind::Closer(name) if name.is_empty() || names.contains(&name) => {
                self.bump();
            }
            Kind::Closer(_) => {
                let first = names.first().unwrap_or(&"");
                let message = format!("`end` or `end{first}` is expected here");
                let diagnostic = Diagnostic::error("MU002", message, self.span());
                self.sink.push(diagnostic.label(open, "to close this"));
                self.bump();
            }
            _ => {
                let wanted = format!("`end{}`", names.first().unwrap_or(&""));
                self.unexpected(&wanted);
            }
        }
    }
}

/// Does a new part of the model begin here, whatever came before?
fn is_section(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Word("rule" | "ruleset" | "startstate" | "invariant" | "function" | "procedure")
    )
}

fn unescaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => result.push('\n'),
            ('\\', Some('t')) => result.push('\t'),
            ('\\', Some(escaped)) => result.push(escaped),
            _ => result.push(c),
        }
    }
    result
}
