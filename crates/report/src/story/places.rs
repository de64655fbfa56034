//! Where spans of an input lie, in lines and columns.

use model::{SourceFile, Span};
use serde::Serialize;

/// A range of an input. Lines and columns count from 1, columns in characters; the end
/// is the column behind the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct SourceRange {
    pub file: u32,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

/// Finds places quickly: the starts of all lines are known.
pub(crate) struct SourceMap<'a> {
    files: &'a [SourceFile],
    line_starts: Vec<Vec<usize>>,
}

impl<'a> SourceMap<'a> {
    pub fn new(files: &'a [SourceFile]) -> SourceMap<'a> {
        let starts = |file: &SourceFile| {
            let breaks = file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        };
        SourceMap { files, line_starts: files.iter().map(starts).collect() }
    }

    /// The files that places speak of.
    pub fn files(&self) -> &'a [SourceFile] {
        self.files
    }

    /// Where a span is; `None` if it lies in no input. A span that ends with line breaks
    /// ends before them.
    pub fn of(&self, span: Span) -> Option<SourceRange> {
        let text = &self.files.get(span.file as usize)?.text;
        let start = floor(text, span.start as usize);
        let end = floor(text, span.end as usize).max(start);
        let end = start + text[start..end].trim_end().len();
        let (line, column) = self.position(span.file, start)?;
        let (end_line, end_column) = self.position(span.file, end)?;
        Some(SourceRange { file: span.file, line, column, end_line, end_column })
    }

    fn position(&self, file: u32, byte: usize) -> Option<(usize, usize)> {
        let starts = self.line_starts.get(file as usize)?;
        let line = starts.partition_point(|&start| start <= byte);
        let start = *starts.get(line.checked_sub(1)?)?;
        let text = &self.files.get(file as usize)?.text;
        Some((line, text[start..byte].chars().count() + 1))
    }
}

/// The last boundary between characters at or before `byte`.
fn floor(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use model::{SourceFile, Span};

    use super::{SourceMap, SourceRange};

    #[test]
    fn columns_count_characters_and_ends_leave_out_line_breaks() {
        let text = "a\nä = b;\n".to_owned();
        let files = [SourceFile { name: "x".into(), text }];
        let place = SourceMap::new(&files).of(Span::new(0, 5, 10));
        let expected = SourceRange { file: 0, line: 2, column: 3, end_line: 2, end_column: 7 };
        assert_eq!(place, Some(expected));
    }

    #[test]
    fn spans_outside_of_the_inputs_have_a_place_or_none() {
        let files = [SourceFile { name: "x".into(), text: "ab".into() }];
        let end = SourceMap::new(&files).of(Span::new(0, 70, 90)).map(|place| place.column);
        assert_eq!(end, Some(3));
        assert_eq!(SourceMap::new(&files).of(Span::new(1, 0, 1)), None);
    }
}
