//! Tokens of a `.spec` file. Unknown characters are reported here, once per run
//! of them, and left out.

use model::{Diagnostic, Span};

use crate::sink::Sink;
use crate::source::Source;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    Vars,
    Rules,
    Init,
    Target,
    Invariants,
    True,
    In,
    Arrow,
    AtLeast,
    Equal,
    Comma,
    Semicolon,
    Bar,
    Prime,
    Plus,
    Minus,
    Open,
    Close,
    End,
}

impl Kind {
    /// Does it open a section?
    pub fn is_section(self) -> bool {
        matches!(self, Kind::Vars | Kind::Rules | Kind::Init | Kind::Target | Kind::Invariants)
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// The tokens of a text; the last one is `End`.
pub(crate) fn lex(source: Source<'_>, sink: &mut Sink) -> Vec<Token> {
    let bytes = source.text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 3);
    let mut pos = if source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while pos < bytes.len() {
        let start = pos;
        match bytes[pos] {
            b' ' | b'\t' | b'\r' | b'\n' => pos += 1,
            b'#' => pos = end_of(bytes, pos, |byte| byte != b'\n'),
            _ => match token(&bytes[pos..]) {
                Some((kind, len)) => {
                    pos += len;
                    tokens.push(Token { kind, span: Span::new(source.file, start, pos) });
                }
                None => {
                    pos = end_of(bytes, pos, is_unknown);
                    refuse(source, start, pos.max(start + 1), sink);
                    pos = pos.max(start + 1);
                }
            },
        }
    }
    tokens.push(Token { kind: Kind::End, span: source.span(pos, pos) });
    tokens
}

fn end_of(bytes: &[u8], from: usize, inside: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|&byte| !inside(byte)).map_or(bytes.len(), |len| from + len)
}

fn token(rest: &[u8]) -> Option<(Kind, usize)> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let single = match (rest[0], rest.get(1)) {
        (b'-', Some(b'>')) => return Some((Kind::Arrow, 2)),
        (b'>', Some(b'=')) => return Some((Kind::AtLeast, 2)),
        (b'0'..=b'9', _) => {
            return Some((Kind::Number, end_of(rest, 0, |byte| byte.is_ascii_digit())));
        }
        (b'a'..=b'z' | b'A'..=b'Z' | b'_', _) => {
            let len = end_of(rest, 0, is_name);
            return Some((word(&rest[..len]), len));
        }
        (b'=', _) => Kind::Equal,
        (b',', _) => Kind::Comma,
        (b';', _) => Kind::Semicolon,
        (b'|', _) => Kind::Bar,
        (b'\'', _) => Kind::Prime,
        (b'+', _) => Kind::Plus,
        (b'-', _) => Kind::Minus,
        (b'[', _) => Kind::Open,
        (b']', _) => Kind::Close,
        _ => return None,
    };
    Some((single, 1))
}

fn word(text: &[u8]) -> Kind {
    match text {
        b"vars" => Kind::Vars,
        b"rules" => Kind::Rules,
        b"init" => Kind::Init,
        b"target" => Kind::Target,
        b"invariants" => Kind::Invariants,
        b"true" => Kind::True,
        b"in" => Kind::In,
        _ => Kind::Name,
    }
}

/// Could no token begin with it? Bytes of multi-byte characters are among these.
fn is_unknown(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && byte != b'#' && token(&[byte]).is_none()
}

fn refuse(source: Source<'_>, start: usize, end: usize, sink: &mut Sink) {
    let span = source.span(start, end);
    let message = format!("`{}` has no meaning in a net", source.slice(span).escape_debug());
    let mut diagnostic = Diagnostic::error("SP001", message, span);
    if source.slice(span).contains(['<', '>', '!']) {
        diagnostic = diagnostic.help("constraints are `x = n`, `x >= n` and `x in [a,b]`");
    }
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use super::{Kind, lex};
    use crate::sink::Sink;
    use crate::source::Source;

    fn check(text: &str) -> (Vec<Kind>, Vec<&'static str>) {
        let mut sink = Sink::default();
        let kinds = lex(Source { file: 0, text }, &mut sink).iter().map(|t| t.kind).collect();
        (kinds, sink.finish().iter().map(|diagnostic| diagnostic.code).collect())
    }

    #[test]
    fn operators_need_no_spaces_and_comments_vanish() {
        let (kinds, codes) = check("x>=1->x'=x-1;#;\r\n");
        use Kind::*;
        let expected =
            [Name, AtLeast, Number, Arrow, Name, Prime, Equal, Name, Minus, Number, Semicolon, End];
        assert_eq!(kinds, expected);
        assert!(codes.is_empty());
    }

    #[test]
    fn a_run_of_unknown_characters_is_one_error() {
        let (kinds, codes) = check("x <=€€ 1");
        assert_eq!(kinds, [Kind::Name, Kind::Equal, Kind::Number, Kind::End]);
        assert_eq!(codes, ["SP001", "SP001"]);
    }
}
