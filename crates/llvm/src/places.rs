//! Places of the compiled code in the source files that the user gave.

use model::{SourceFile, Span};
use rustc_hash::FxHashMap;

use crate::code::{Code, Place};

/// The source files that places speak of.
pub struct Sources {
    /// Number of the input by the name that the compiler was told.
    files: FxHashMap<String, usize>,
    /// Of each input: its text, and where its lines start.
    texts: Vec<(String, Vec<usize>)>,
}

impl Sources {
    /// Finds the files that the code's places name among the inputs.
    pub fn new(code: &Code, inputs: &[SourceFile]) -> Sources {
        let mut files = FxHashMap::default();
        for place in &code.places {
            let found = inputs.iter().position(|input| is_same_file(&input.name, &place.file));
            if let Some(idx) = found {
                files.insert(place.file.clone(), idx);
            }
        }
        let texts = inputs.iter().map(|input| (input.text.clone(), line_starts(&input.text)));
        Sources { files, texts: texts.collect() }
    }

    /// Where a place is.
    pub fn span(&self, place: &Place) -> Option<Span> {
        let (file, start, end) = self.range(place)?;
        let (text, _) = &self.texts[file];
        let line = &text[start..end];
        let at = start + column_offset(line, place.column);
        Some(Span::new(file as u32, at, end.max(at)))
    }

    /// The text of a place's line, without the blanks around it.
    pub fn line(&self, place: &Place) -> Option<String> {
        let (file, start, end) = self.range(place)?;
        let line = self.texts[file].0[start..end].trim();
        (!line.is_empty()).then(|| line.to_owned())
    }

    fn range(&self, place: &Place) -> Option<(usize, usize, usize)> {
        let &file = self.files.get(&place.file)?;
        let (text, starts) = &self.texts[file];
        let line = (place.line as usize).checked_sub(1)?;
        let start = *starts.get(line)?;
        let end = starts.get(line + 1).copied().unwrap_or(text.len());
        let len = text[start..end].trim_end().len();
        Some((file, start, start + len))
    }
}

/// Is the file that the compiler names the one that the user named?
pub fn is_same_file(input: &str, place: &str) -> bool {
    let bare = |name: &str| name.trim_start_matches("./").to_owned();
    let (input, place) = (bare(input), bare(place));
    input == place || input.ends_with(&format!("/{place}")) || place.ends_with(&format!("/{input}"))
}

fn line_starts(text: &str) -> Vec<usize> {
    let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(after_breaks.map(|(at, _)| at + 1)).collect()
}

/// Bytes before a column; columns count bytes from 1.
fn column_offset(line: &str, column: u32) -> usize {
    let mut at = (column as usize).saturating_sub(1).min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    at
}
