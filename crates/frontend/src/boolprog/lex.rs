//! Tokens of a Boolean program. Characters without a meaning are reported once per run
//! of them, and left out.

use logos::{FilterResult, Lexer, Logos};
use model::{Diagnostic, Span};

use crate::sink::Sink;
use crate::source::Source;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip r"//[^\n]*")]
// Lines for a C preprocessor say nothing here.
#[logos(skip r"#[^\n]*")]
pub(crate) enum Kind {
    /// Words of the language are names as well; the parser knows them by their text.
    #[regex(r"[A-Za-z_][A-Za-z0-9_.$]*")]
    Name,
    #[regex(r"[0-9]+")]
    Number,
    #[token(":=")]
    Becomes,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("<->")]
    #[token("<=>")]
    Equivalent,
    #[token("->")]
    #[token("=>")]
    Implies,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[token("&&")]
    #[token("&")]
    And,
    #[token("||")]
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("!")]
    #[token("~")]
    Not,
    #[token("=")]
    Equal,
    #[token("*")]
    Star,
    #[token("'")]
    Prime,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("<")]
    Less,
    #[token(">")]
    More,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    /// Never a token: comments are left out, unless they have no end.
    #[token("/*", comment)]
    Comment,
    /// After the last token.
    End,
}

/// Passes over a comment.
fn comment(lexer: &mut Lexer<'_, Kind>) -> FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(())
        }
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// The tokens of a text; the last is [`Kind::End`].
pub(crate) fn lex(source: Source<'_>, sink: &mut Sink) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut wrong: Option<(usize, usize)> = None;
    for (kind, range) in Kind::lexer(source.text).spanned() {
        let Ok(kind) = kind else {
            wrong = match wrong {
                Some((start, end)) if end == range.start => Some((start, range.end)),
                earlier => {
                    report(source, earlier, sink);
                    Some((range.start, range.end))
                }
            };
            continue;
        };
        tokens.push(Token { kind, span: source.span(range.start, range.end) });
    }
    report(source, wrong, sink);
    let end = source.text.trim_end().len();
    tokens.push(Token { kind: Kind::End, span: source.span(end, end) });
    tokens
}

fn report(source: Source<'_>, wrong: Option<(usize, usize)>, sink: &mut Sink) {
    let Some((start, end)) = wrong else { return };
    let span = source.span(start, end);
    let message = match source.slice(span) {
        text if text.starts_with("/*") => "this comment has no end".to_owned(),
        text => format!("`{text}` has no meaning in a Boolean program"),
    };
    sink.push(Diagnostic::error("BP001", message, span));
}
