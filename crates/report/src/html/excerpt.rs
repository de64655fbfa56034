//! Decides how much of the input a page shows: all of it, or of a long file only the
//! lines around the steps.

use std::collections::BTreeSet;

use model::SourceFile;
use serde::Serialize;

use crate::layout::{clip, plain, steers_a_terminal};
use crate::story::{SourceRange, Story};

/// Files with at most so many lines are shown whole.
const MAX_LINES: usize = 3000;
/// Lines shown around a place in a longer file.
const LINES_AROUND: usize = 40;
/// Lines of a longer file without any place.
const FIRST_LINES: usize = 200;
/// Longer lines are cut.
const MAX_LINE: usize = 1000;

/// A file as the page shows it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Excerpt {
    name: String,
    n_lines: usize,
    parts: Vec<Part>,
}

/// Lines that follow each other.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Part {
    first_line: usize,
    lines: Vec<String>,
}

/// The files, with the lines that the story speaks of.
pub(super) fn excerpts(files: &[SourceFile], story: Option<&Story>) -> Vec<Excerpt> {
    let places = story.map(places_of).unwrap_or_default();
    let file = |(idx, file): (usize, &SourceFile)| {
        let lines = places.iter().filter(|place| place.file as usize == idx);
        let lines = lines.flat_map(|place| [place.line, place.end_line]);
        excerpt(file, &lines.collect())
    };
    files.iter().enumerate().map(file).collect()
}

fn places_of(story: &Story) -> BTreeSet<SourceRange> {
    let trouble = &story.trouble;
    let mut places: BTreeSet<SourceRange> =
        story.start.place.into_iter().chain(trouble.place).collect();
    places.extend(story.start.next.iter().filter_map(|next| next.1));
    for step in &story.steps {
        places.extend(step.place);
        places.extend(step.next.iter().filter_map(|next| next.1));
    }
    places.extend(trouble.waits.iter().filter_map(|wait| wait.place));
    let holders = trouble.waits.iter().flat_map(|wait| &wait.holders);
    places.extend(holders.filter_map(|holder| holder.place));
    places.extend(trouble.accesses.iter().filter_map(|access| access.place));
    places
}

fn excerpt(file: &SourceFile, wanted: &BTreeSet<usize>) -> Excerpt {
    let lines: Vec<&str> = file.text.lines().collect();
    let is_shown = |line: usize| {
        let around = line.saturating_sub(LINES_AROUND)..=line + LINES_AROUND;
        lines.len() <= MAX_LINES
            || wanted.range(around).next().is_some()
            || wanted.is_empty() && line <= FIRST_LINES
    };
    let mut parts: Vec<Part> = Vec::new();
    let mut is_open = false;
    for (idx, text) in lines.iter().enumerate() {
        let was_open = std::mem::replace(&mut is_open, is_shown(idx + 1));
        match parts.last_mut() {
            Some(part) if is_open && was_open => part.lines.push(shown(text)),
            _ if is_open => {
                parts.push(Part { first_line: idx + 1, lines: vec![shown(text)] });
            }
            _ => {}
        }
    }
    Excerpt { name: plain(&file.name), n_lines: lines.len(), parts }
}

/// A line without characters that could reorder what is read. Tabs stay.
fn shown(line: &str) -> String {
    let harmless = |c: char| if c != '\t' && steers_a_terminal(c) { '?' } else { c };
    clip(&line.chars().map(harmless).collect::<String>(), MAX_LINE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::SourceFile;

    use super::{LINES_AROUND, MAX_LINES, excerpt};

    #[test]
    fn a_long_file_is_shown_around_the_places_only() {
        let file = SourceFile { name: "long.c".into(), text: "x\n".repeat(MAX_LINES + 1) };
        let shown = excerpt(&file, &BTreeSet::from([100, 110, 2000]));
        let ranges: Vec<(usize, usize)> =
            shown.parts.iter().map(|part| (part.first_line, part.lines.len())).collect();
        let around = 2 * LINES_AROUND + 1;
        assert_eq!(ranges, [(100 - LINES_AROUND, around + 10), (2000 - LINES_AROUND, around)]);
    }

    #[test]
    fn direction_marks_do_not_reach_the_page() {
        let file = SourceFile { name: "a.c".into(), text: "\tx = \u{202e}1;\n".into() };
        assert_eq!(excerpt(&file, &BTreeSet::new()).parts[0].lines, ["\tx = ?1;"]);
    }
}
