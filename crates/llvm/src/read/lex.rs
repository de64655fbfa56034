//! Tokens of textual IR, cut on demand, with where they stand.

/// A name after `@` or `%`, or of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Name<'a> {
    /// Numbered by the compiler.
    Number(u32),
    /// As it is written, quotes removed.
    Plain(&'a str),
    /// With escapes in it, which are not decoded yet.
    Escaped(&'a str),
}

impl Name<'_> {
    /// The name as text.
    pub(super) fn text(self) -> String {
        match self {
            Name::Number(number) => number.to_string(),
            Name::Plain(text) => text.to_owned(),
            Name::Escaped(raw) => decode_text(raw),
        }
    }
}

/// A token; texts are slices of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// Nothing is left.
    End,
    /// A keyword, an opcode, a type, `...`.
    Word(&'a str),
    /// A name with a colon: a block, or a field of a metadata node.
    Label(Name<'a>),
    /// `@name`.
    Global(Name<'a>),
    /// `%name`.
    Local(Name<'a>),
    /// `!12`.
    Node(u32),
    /// `!name`.
    NodeName(&'a str),
    /// `#12`, `#dbg_value`.
    Hash(&'a str),
    /// `"..."`, escapes not decoded.
    Text(&'a str),
    /// `c"..."`, escapes not decoded.
    Bytes(&'a str),
    /// Digits, maybe with a sign.
    Integer(&'a str),
    /// A number with a fraction, or `0x` and digits.
    Float(&'a str),
    /// One of `= , * ( ) [ ] { } < > | ! ^ :`.
    Mark(u8),
    /// A byte that begins no token, or a text without end.
    Bad,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    /// Byte offset of its begin, and of its end.
    pub(super) span: (usize, usize),
    pub(super) line: u32,
    pub(super) column: u32,
    /// Is it the first one on its line?
    pub(super) is_first: bool,
}

/// Cuts tokens from a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, bytes: text.as_bytes(), at: 0, line: 1, line_start: 0 }
    }

    /// The text between two byte offsets.
    pub(super) fn slice(&self, begin: usize, end: usize) -> &'a str {
        self.text.get(begin..end).unwrap_or("")
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Placed<'a> {
        let is_first = self.skip_blanks() || self.at == 0;
        let begin = self.at;
        let line = self.line;
        let column = (begin - self.line_start) as u32 + 1;
        let token = self.token();
        Placed { token, span: (begin, self.at), line, column, is_first }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Passes blanks and comments; says whether a line ended.
    fn skip_blanks(&mut self) -> bool {
        let mut ended = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.at;
                    ended = true;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b';' => {
                    let rest = &self.bytes[self.at..];
                    let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    self.at += length;
                }
                _ => break,
            }
        }
        ended
    }

    fn token(&mut self) -> Token<'a> {
        let begin = self.at;
        let Some(&byte) = self.bytes.get(self.at) else {
            return Token::End;
        };
        match byte {
            b'@' => self.name_after(Token::Global),
            b'%' => self.name_after(Token::Local),
            b'!' => self.node(),
            b'#' => {
                self.at += 1;
                self.skip_name();
                Token::Hash(self.slice(begin + 1, self.at))
            }
            b'"' => self.text_or_label(),
            b'0'..=b'9' | b'-' | b'+' => self.number_or_label(),
            b'=' | b',' | b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'|'
            | b'^' | b':' => {
                self.at += 1;
                Token::Mark(byte)
            }
            _ if is_name_byte(byte) => self.word_or_label(),
            _ => {
                self.at += 1;
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                Token::Bad
            }
        }
    }

    fn skip_name(&mut self) {
        while is_name_byte(self.peek(0)) {
            self.at += 1;
        }
    }

    /// The inside of a quoted text; the lexer stands on the quote.
    fn quoted(&mut self) -> Option<&'a str> {
        let begin = self.at + 1;
        let length = self.bytes.get(begin..)?.iter().position(|&b| b == b'"');
        let Some(length) = length else {
            self.at = self.bytes.len();
            return None;
        };
        self.at = begin + length + 1;
        let inside = self.slice(begin, begin + length);
        for (idx, _) in inside.bytes().enumerate().filter(|&(_, b)| b == b'\n') {
            self.line = self.line.saturating_add(1);
            self.line_start = begin + idx + 1;
        }
        Some(inside)
    }

    fn name_after(&mut self, make: fn(Name<'a>) -> Token<'a>) -> Token<'a> {
        self.at += 1;
        if self.peek(0) == b'"' {
            return self.quoted().map_or(Token::Bad, |raw| make(quoted_name(raw)));
        }
        let begin = self.at;
        self.skip_name();
        let text = self.slice(begin, self.at);
        if text.is_empty() {
            return Token::Bad;
        }
        match plain_name(text) {
            Some(name) => make(name),
            None => Token::Bad,
        }
    }

    fn node(&mut self) -> Token<'a> {
        self.at += 1;
        let begin = self.at;
        while is_name_byte(self.peek(0)) || self.peek(0) == b'\\' {
            self.at += 1;
        }
        let text = self.slice(begin, self.at);
        if text.is_empty() {
            return Token::Mark(b'!');
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return text.parse().map_or(Token::Bad, Token::Node);
        }
        Token::NodeName(text)
    }

    fn text_or_label(&mut self) -> Token<'a> {
        let Some(raw) = self.quoted() else {
            return Token::Bad;
        };
        if self.peek(0) == b':' {
            self.at += 1;
            return Token::Label(quoted_name(raw));
        }
        Token::Text(raw)
    }

    fn word_or_label(&mut self) -> Token<'a> {
        let begin = self.at;
        self.skip_name();
        let text = self.slice(begin, self.at);
        match self.peek(0) {
            b':' => {
                self.at += 1;
                Token::Label(Name::Plain(text))
            }
            b'"' if text == "c" => self.quoted().map_or(Token::Bad, Token::Bytes),
            _ => Token::Word(text),
        }
    }

    fn number_or_label(&mut self) -> Token<'a> {
        let begin = self.at;
        self.at += 1;
        self.skip_name();
        if self.peek(0) == b':' {
            let text = self.slice(begin, self.at);
            self.at += 1;
            return plain_name(text).map_or(Token::Bad, Token::Label);
        }
        let ends_in_exponent = matches!(self.bytes[self.at - 1], b'e' | b'E');
        if ends_in_exponent && self.peek(0) == b'+' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.skip_name();
        }
        let text = self.slice(begin, self.at);
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Token::Integer(text);
        }
        Token::Float(text)
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

/// A name without quotes; `None` when its number is out of all reason.
fn plain_name(text: &str) -> Option<Name<'_>> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().map(Name::Number);
    }
    Some(Name::Plain(text))
}

fn quoted_name(raw: &str) -> Name<'_> {
    if raw.contains('\\') { Name::Escaped(raw) } else { Name::Plain(raw) }
}

/// The bytes of a quoted text: `\xx` is a byte, `\\` a backslash.
pub(super) fn decode(raw: &str) -> Vec<u8> {
    let bytes = raw.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte != b'\\' {
            decoded.push(byte);
            continue;
        }
        let digit = |idx: usize| bytes.get(idx).and_then(|&b| char::from(b).to_digit(16));
        match (digit(at), digit(at + 1)) {
            (Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 2;
            }
            _ => {
                decoded.push(b'\\');
                if bytes.get(at) == Some(&b'\\') {
                    at += 1;
                }
            }
        }
    }
    decoded
}

/// A quoted text as text; it stays escaped where it is not UTF-8.
pub(super) fn decode_text(raw: &str) -> String {
    if !raw.contains('\\') {
        return raw.to_owned();
    }
    String::from_utf8(decode(raw)).unwrap_or_else(|_| raw.to_owned())
}
