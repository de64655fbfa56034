//! The current token and the small questions asked of it.

use super::lex::{Placed, Token, decode_text};
use super::{ReadError, Reader};

/// What reading a piece yields.
pub(super) type Read<T> = Result<T, ReadError>;

/// How deep types, constants and metadata may nest. Compilers stay far below; the
/// bound keeps recursion off the end of the stack.
pub(super) const MAX_NESTING: u32 = 128;

impl<'a> Reader<'a> {
    pub(super) fn token(&self) -> Token<'a> {
        self.current.token
    }

    pub(super) fn advance(&mut self) -> Placed<'a> {
        let next = self.lexer.next();
        self.last_end = self.current.span.1;
        std::mem::replace(&mut self.current, next)
    }

    /// An error at the current token.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(ReadError {
            line: self.current.line,
            column: self.current.column,
            message: message.into(),
        })
    }

    /// An error: something else was expected here.
    pub(super) fn expected<T>(&self, what: &str) -> Read<T> {
        match self.token() {
            Token::End => self.fail(format!("expected {what}, but the text ends")),
            _ => self.fail(format!("expected {what}, found `{}`", self.current_text())),
        }
    }

    /// The text of the current token, cut where it is long.
    pub(super) fn current_text(&self) -> String {
        let (begin, end) = self.current.span;
        self.lexer.slice(begin, end).chars().take(40).collect()
    }

    /// The text from `begin` to the end of the last token, cut where it is long.
    pub(super) fn text_from(&self, begin: usize) -> String {
        self.lexer.slice(begin, self.last_end).chars().take(200).collect()
    }

    pub(super) fn at(&self, mark: u8) -> bool {
        self.token() == Token::Mark(mark)
    }

    pub(super) fn eat(&mut self, mark: u8) -> bool {
        let found = self.at(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: u8) -> Read<()> {
        if self.eat(mark) { Ok(()) } else { self.expected(&format!("`{}`", char::from(mark))) }
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.token() == Token::Word(word)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Read<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// A number without a sign.
    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Read<N> {
        let Token::Integer(digits) = self.token() else {
            return self.expected("a number");
        };
        match digits.parse() {
            Ok(number) => {
                self.advance();
                Ok(number)
            }
            Err(_) => self.expected("a smaller number"),
        }
    }

    /// A quoted text.
    pub(super) fn quoted(&mut self) -> Read<String> {
        let Token::Text(raw) = self.token() else {
            return self.expected("a quoted text");
        };
        self.advance();
        Ok(decode_text(raw))
    }

    /// Passes a bracket and all up to its partner, if the current token is one.
    pub(super) fn skip_group(&mut self) -> Read<()> {
        let mut depth = 0u32;
        loop {
            match self.token() {
                Token::Mark(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Token::Mark(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                Token::End if depth > 0 => return self.expected("a closing bracket"),
                _ => {}
            }
            if depth == 0 {
                if matches!(self.token(), Token::Mark(b')' | b']' | b'}' | b'>')) {
                    self.advance();
                }
                return Ok(());
            }
            self.advance();
        }
    }

    /// Passes what is left of the line.
    pub(super) fn skip_line(&mut self) {
        loop {
            self.advance();
            if self.current.is_first || self.token() == Token::End {
                return;
            }
        }
    }

    /// Passes attributes, flags and their arguments up to a token that is none, or
    /// a word for which `stops` is true.
    pub(super) fn skip_attributes(&mut self, stops: impl Fn(&str) -> bool) -> Read<()> {
        loop {
            match self.token() {
                Token::Word(word) if !stops(word) => self.skip_attribute(word)?,
                Token::Text(_) => {
                    self.advance();
                    if self.eat(b'=') {
                        self.quoted()?;
                    }
                }
                Token::Hash(_) => {
                    self.advance();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Passes one attribute, with its argument.
    pub(super) fn skip_attribute(&mut self, word: &str) -> Read<()> {
        self.advance();
        if self.at(b'(') {
            return self.skip_group();
        }
        let takes_number = matches!(word, "align" | "alignstack" | "cc");
        if takes_number && matches!(self.token(), Token::Integer(_)) {
            self.advance();
        }
        Ok(())
    }

    /// Reads one level deeper, where that is allowed.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_NESTING {
            return self.fail("nested too deeply");
        }
        self.depth += 1;
        let outcome = inner(self);
        self.depth -= 1;
        outcome
    }
}
