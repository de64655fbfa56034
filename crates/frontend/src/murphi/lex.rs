//! Tokens of a Murphi model. Keywords are recognised in any case; characters
//! without a meaning are reported here, once per run of them, and left out.

use model::{Diagnostic, Span};

use crate::sink::Sink;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    Text,
    /// A reserved word, in lower case.
    Word(&'static str),
    /// A closer: the word behind `end`, in lower case; empty for `end` itself.
    Closer(&'static str),
    /// An operator or a bracket, in its ASCII spelling.
    Symbol(&'static str),
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Is it spelled in a way that only the looser dialect has?
    pub extended: bool,
}

/// A text, and where it stands in its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub text: &'a str,
    pub file: u32,
    /// Offset of the first byte in the file.
    pub offset: u32,
}

impl Piece<'_> {
    /// The span of some bytes of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.offset as usize + start, self.offset as usize + end)
    }

    /// The text that a span of this piece covers.
    pub fn slice(&self, span: Span) -> &str {
        let start = span.start.saturating_sub(self.offset) as usize;
        let end = span.end.saturating_sub(self.offset) as usize;
        self.text.get(start..end).unwrap_or("")
    }
}

/// The words that cannot be names.
const WORDS: &[&str] = &[
    "alias",
    "array",
    "assert",
    "begin",
    "boolean",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "do",
    "else",
    "elsif",
    "enum",
    "error",
    "exists",
    "false",
    "for",
    "forall",
    "function",
    "if",
    "invariant",
    "ismember",
    "isundefined",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "of",
    "procedure",
    "put",
    "record",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "switch",
    "then",
    "to",
    "true",
    "type",
    "undefine",
    "union",
    "var",
    "while",
];

/// What may follow `end` in one word.
const CLOSERS: &[&str] = &[
    "",
    "alias",
    "aliasrule",
    "choose",
    "exists",
    "for",
    "forall",
    "function",
    "if",
    "procedure",
    "record",
    "rule",
    "ruleset",
    "startstate",
    "switch",
    "while",
];

/// Operators and brackets: longer ones before their beginnings.
const SYMBOLS: &[&str] = &[
    "==>", "->", ":=", "..", "!=", "<=", ">=", "==", "&&", "||", "<<", ">>", "+", "-", "*", "/",
    "%", "=", "<", ">", "&", "|", "^", "~", "!", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{",
    "}",
];

/// Other spellings, in the looser dialect only.
const OTHER_SPELLINGS: &[(&str, Kind)] = &[
    ("→", Kind::Symbol("->")),
    ("⇒", Kind::Symbol("==>")),
    ("≔", Kind::Symbol(":=")),
    ("≠", Kind::Symbol("!=")),
    ("≤", Kind::Symbol("<=")),
    ("≥", Kind::Symbol(">=")),
    ("¬", Kind::Symbol("!")),
    ("∧", Kind::Symbol("&")),
    ("∨", Kind::Symbol("|")),
    ("÷", Kind::Symbol("/")),
    ("∕", Kind::Symbol("/")),
    ("×", Kind::Symbol("*")),
    ("−", Kind::Symbol("-")),
    ("∀", Kind::Word("forall")),
    ("∃", Kind::Word("exists")),
    ("“", Kind::Text),
];

/// Operators that the standard dialect lacks.
const EXTENDED: &[&str] = &["==", "&&", "||", "<<", ">>", "^", "~"];

/// The tokens of a text; the last one is `End`.
pub(crate) fn lex(piece: Piece<'_>, sink: &mut Sink) -> Vec<Token> {
    let mut lexer = Lexer { piece, pos: 0, sink, tokens: Vec::new() };
    lexer.tokens.reserve(piece.text.len() / 4);
    if piece.text.starts_with('\u{feff}') {
        lexer.pos = '\u{feff}'.len_utf8();
    }
    while lexer.pos < piece.text.len() {
        lexer.step();
    }
    let end = piece.text.len();
    lexer.push(Kind::End, end, false);
    lexer.tokens
}

struct Lexer<'a, 's> {
    piece: Piece<'a>,
    pos: usize,
    sink: &'s mut Sink,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.piece.text[self.pos..]
    }

    /// Reads one token, comment or run of spaces or unknown characters.
    fn step(&mut self) {
        let start = self.pos;
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('\0');
        if first.is_whitespace() {
            self.pos += first.len_utf8();
        } else if rest.starts_with("--") {
            self.pos += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            self.comment(comment);
        } else if first == '"' {
            self.text(rest, 1, '"');
        } else if first == '“' {
            self.text(rest, '“'.len_utf8(), '”');
        } else if first.is_ascii_digit() {
            self.pos += run(rest, |c| c.is_ascii_alphanumeric());
            let extended = rest.starts_with("0x") || rest.starts_with("0X");
            self.push(Kind::Number, start, extended);
        } else if first.is_alphabetic() || first == '_' {
            self.pos += run(rest, |c| c.is_alphanumeric() || c == '_');
            self.push(word(&self.piece.text[start..self.pos]), start, false);
        } else if let Some((kind, len, extended)) = symbol(rest) {
            self.pos += len;
            self.push(kind, start, extended);
        } else {
            self.pos += run(rest, is_unknown).max(first.len_utf8());
            self.refuse(start, "has no meaning in a model");
        }
    }

    fn push(&mut self, kind: Kind, start: usize, extended: bool) {
        let span = self.piece.span(start, self.pos);
        self.tokens.push(Token { kind, span, extended });
    }

    fn comment(&mut self, inside: &str) {
        let start = self.pos;
        match inside.find("*/") {
            Some(len) => self.pos += 2 + len + 2,
            None => {
                self.pos = self.piece.text.len();
                let span = self.piece.span(start, start + 2);
                self.sink.push(Diagnostic::error("MU001", "a comment without an end", span));
            }
        }
    }

    /// A text in quotes. It ends on its line: a missing quote spoils one line.
    fn text(&mut self, rest: &str, open: usize, close: char) {
        let start = self.pos;
        let mut escaped = false;
        for (at, c) in rest[open..].char_indices() {
            if c == '\n' {
                break;
            }
            if c == close && !escaped {
                self.pos += open + at + c.len_utf8();
                self.push(Kind::Text, start, close != '"');
                return;
            }
            escaped = c == '\\' && !escaped;
        }
        self.pos += rest.find('\n').unwrap_or(rest.len());
        let span = self.piece.span(start, start + open);
        self.sink.push(Diagnostic::error("MU001", "a text without a closing quote", span));
        self.push(Kind::Text, start, false);
    }

    fn refuse(&mut self, start: usize, why: &str) {
        let span = self.piece.span(start, self.pos);
        let message = format!("`{}` {why}", self.piece.slice(span).escape_debug());
        self.sink.push(Diagnostic::error("MU001", message, span));
    }
}

/// Length of the longest beginning made of such characters.
fn run(text: &str, inside: impl Fn(char) -> bool) -> usize {
    text.find(|c| !inside(c)).unwrap_or(text.len())
}

fn word(text: &str) -> Kind {
    // No keyword is longer.
    if text.len() > 24 {
        return Kind::Name;
    }
    let lower = text.to_ascii_lowercase();
    if let Ok(idx) = WORDS.binary_search(&lower.as_str()) {
        return Kind::Word(WORDS[idx]);
    }
    let closer = lower.strip_prefix("end").and_then(|rest| CLOSERS.binary_search(&rest).ok());
    closer.map_or(Kind::Name, |idx| Kind::Closer(CLOSERS[idx]))
}

/// Can the word not be a name?
pub(crate) fn is_reserved(text: &str) -> bool {
    word(text) != Kind::Name
}

fn symbol(rest: &str) -> Option<(Kind, usize, bool)> {
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return Some((Kind::Symbol(symbol), symbol.len(), EXTENDED.contains(symbol)));
    }
    let other = OTHER_SPELLINGS.iter().find(|(spelling, _)| rest.starts_with(spelling))?;
    Some((other.1, other.0.len(), true))
}

/// Could no token begin with it?
fn is_unknown(c: char) -> bool {
    let mut buffer = [0; 4];
    !c.is_whitespace()
        && !c.is_alphanumeric()
        && c != '_'
        && c != '"'
        && symbol(c.encode_utf8(&mut buffer)).is_none()
}

#[cfg(test)]
mod tests {
    use super::{CLOSERS, Kind, Piece, WORDS, lex};
    use crate::sink::Sink;

    fn check(text: &str) -> (Vec<Kind>, usize) {
        let mut sink = Sink::default();
        let tokens = lex(Piece { text, file: 0, offset: 0 }, &mut sink);
        (tokens.iter().map(|token| token.kind).collect(), sink.n_errors())
    }

    #[test]
    fn the_tables_are_sorted_for_the_search() {
        assert!(WORDS.is_sorted());
        assert!(CLOSERS.is_sorted());
    }

    #[test]
    fn keywords_have_no_case_and_names_do() {
        let (kinds, n_errors) = check("EndRule RULE Rules x..2 /* a -- */ \"\\\"\" -- b");
        use Kind::*;
        let wanted =
            [Closer("rule"), Word("rule"), Name, Name, Symbol(".."), Number, Text, Kind::End];
        assert_eq!((kinds.as_slice(), n_errors), (&wanted[..], 0));
    }

    #[test]
    fn an_open_text_or_comment_is_one_error() {
        assert_eq!(check("put \"a\\\" ;\nput").1, 1);
        assert_eq!(check("/* put").1, 1);
        assert_eq!(check("x $@$ y").1, 1);
    }
}
