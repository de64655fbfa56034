//! One input text, and spans that are always inside of it.

use model::Span;

/// A text with its number in the run's list of files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// Index in the list of files.
    pub file: u32,
    /// The text; shorter than 4 GiB.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// The span from `start` to `end`, moved to character boundaries in the text.
    pub fn span(self, start: usize, end: usize) -> Span {
        let start = self.boundary(start);
        Span::new(self.file, start, self.boundary(end).max(start))
    }

    /// The last character boundary up to `pos`.
    fn boundary(self, pos: usize) -> usize {
        let pos = pos.min(self.text.len());
        (0..=pos).rev().find(|&pos| self.text.is_char_boundary(pos)).unwrap_or(0)
    }

    /// The text that a span of this source covers.
    pub fn slice(self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The lines with the offset of each, without comments and line ends.
    pub fn lines(self) -> impl Iterator<Item = (usize, &'a str)> {
        let mut offset = 0;
        self.text.split_inclusive('\n').map(move |line| {
            let start = offset;
            offset += line.len();
            let code = line.split('#').next().unwrap_or("");
            (start, code.trim_end())
        })
    }
}

/// The span from the beginning of one to the end of another.
pub(crate) fn join(first: Span, last: Span) -> Span {
    Span { file: first.file, start: first.start, end: last.end.max(first.start) }
}

/// A natural number that fits our counts. `None`: too large.
///
/// The limit is 2^31-1, so that sums of two stay within 32 bits.
pub(crate) fn number(digits: &str) -> Option<u32> {
    digits.parse::<u32>().ok().filter(|&n| n <= MAX_NUMBER)
}

/// The largest number that an input may mention.
pub(crate) const MAX_NUMBER: u32 = i32::MAX as u32;

#[cfg(test)]
mod tests {
    use super::{Source, number};

    #[test]
    fn spans_never_leave_the_text_nor_split_a_character() {
        let source = Source { file: 0, text: "aé" };
        let span = source.span(2, 99);
        assert_eq!((span.start, span.end), (1, 3));
        assert_eq!(source.slice(span), "é");
    }

    #[test]
    fn numbers_up_to_31_bits_are_read() {
        assert_eq!(number("2147483647"), Some(2_147_483_647));
        assert_eq!(number("2147483648"), None);
        assert_eq!(number("99999999999999999999"), None);
    }

    #[test]
    fn lines_come_without_comments_and_carriage_returns() {
        let source = Source { file: 0, text: "1 2\r\n#c\n3#4" };
        let lines: Vec<_> = source.lines().collect();
        assert_eq!(lines, vec![(0, "1 2"), (5, ""), (8, "3")]);
    }
}
