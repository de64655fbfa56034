//! Shows a diagnostic at its place in the input.
//!
//! ariadne draws; this module decides what it gets to see: the lines that labels
//! point into and a few around them, cut to a window when they are very long (a
//! whole net on one line is common), without characters that could steer a
//! terminal, and with every span moved to where text exists.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use ariadne::{Color, Config, Label as Mark, Report, ReportKind, Source};
use model::{Diagnostic, Label, Severity, SourceFile};

use crate::layout::{plain, steers_a_terminal};

/// Bytes of a long line that are shown before and after the start of a label.
const WINDOW: usize = 70;
/// Labels further from the main one become a line of text.
const MAX_LINES_APART: usize = 40;

/// The diagnostic with its places, ending in a newline.
pub fn render(files: &[SourceFile], diagnostic: &Diagnostic, colour: bool) -> String {
    let mut excerpts =
        Excerpts { files, shown: BTreeMap::new(), elsewhere: Vec::new(), heading: None };
    let marks: Vec<(Spot, &Label)> = diagnostic
        .labels
        .iter()
        .filter_map(|label| Some((excerpts.place(label)?, label)))
        .collect();
    let Some((main, _)) = marks.first() else {
        return without_place(diagnostic, &excerpts.elsewhere);
    };
    let (kind, ink) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let mut report = Report::build(kind, main.clone())
        .with_config(Config::default().with_color(colour))
        .with_code(diagnostic.code)
        .with_message(plain(&diagnostic.message));
    for (idx, (spot, label)) in marks.iter().enumerate() {
        let ink = if idx == 0 { ink } else { Color::Cyan };
        let mark = Mark::new(spot.clone()).with_color(ink);
        let remark = if label.message.is_empty() { "here" } else { &label.message };
        report.add_label(mark.with_message(plain(remark)));
    }
    for note in &excerpts.elsewhere {
        report.add_note(note);
    }
    for help in &diagnostic.helps {
        report.add_help(plain(help));
    }
    let mut out = Vec::new();
    let elsewhere = std::mem::take(&mut excerpts.elsewhere);
    let heading = excerpts.heading.take();
    match report.finish().write(excerpts.sources(), &mut out) {
        Ok(()) => {
            let text = trim_line_ends(&String::from_utf8_lossy(&out));
            match heading {
                Some((shown, true_place)) => text.replacen(&shown, &true_place, 1),
                None => text,
            }
        }
        Err(_) => without_place(diagnostic, &elsewhere),
    }
}

/// Line and column of a byte, both from 1; the column counts characters.
pub fn position(text: &str, byte: usize) -> (usize, usize) {
    let byte = floor_boundary(text, byte);
    let line_start = text[..byte].rfind('\n').map_or(0, |idx| idx + 1);
    let n_lines_before = text.as_bytes()[..line_start].iter().filter(|&&b| b == b'\n').count();
    (n_lines_before + 1, text[line_start..byte].chars().count() + 1)
}

/// A range of characters in an excerpt, as ariadne takes it.
#[derive(Clone, Debug)]
struct Spot {
    id: Id,
    chars: Range<usize>,
}

/// A file of the run, with the name that ariadne shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id {
    file: usize,
    name: String,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl ariadne::Span for Spot {
    type SourceId = Id;

    fn source(&self) -> &Id {
        &self.id
    }

    fn start(&self) -> usize {
        self.chars.start
    }

    fn end(&self) -> usize {
        self.chars.end
    }
}

/// The part of one file that is shown.
struct ShownLines {
    text: String,
    first_line: usize,
    /// For each shown line: its bytes in the file, and where it starts in `text`,
    /// in characters. A cut line starts and ends with `…` in `text`.
    lines: Vec<ShownLine>,
}

struct ShownLine {
    bytes: Range<usize>,
    first_char: usize,
    /// Does it begin with `…`?
    is_cut_before: bool,
}

struct Excerpts<'a> {
    files: &'a [SourceFile],
    shown: BTreeMap<usize, ShownLines>,
    elsewhere: Vec<String>,
    /// The place of the main label as ariadne counts it in a line that is cut, and as the
    /// file has it.
    heading: Option<(String, String)>,
}

impl Excerpts<'_> {
    /// Where the label is within its file's excerpt. A label that does not fit in
    /// is noted in `elsewhere`.
    fn place(&mut self, label: &Label) -> Option<Spot> {
        let file_idx = label.span.file as usize;
        let file = self.files.get(file_idx)?;
        let start = floor_boundary(&file.text, label.span.start as usize);
        let end = floor_boundary(&file.text, label.span.end as usize).max(start);
        let excerpt = self.shown.entry(file_idx).or_insert_with(|| excerpt(&file.text, start));
        let chars = excerpt.chars_of(&file.text, start..end);
        let (line, column) = position(&file.text, start);
        let Some(chars) = chars else {
            let place = format!("{}:{line}:{column}", plain(&file.name));
            self.elsewhere.push(format!("{place}: {}", plain(&label.message)));
            return None;
        };
        let cut = excerpt.lines.iter();
        let mut cut = cut.filter(|line| line.bytes.contains(&start) && line.is_cut(&file.text));
        if let Some(shown) = cut.next() {
            let name = plain(&file.name);
            let before = &file.text[shown.bytes.start..start];
            let shown_column = before.chars().count() + 1 + usize::from(shown.is_cut_before);
            let places =
                (format!("{name}:{line}:{shown_column} "), format!("{name}:{line}:{column} "));
            self.heading.get_or_insert(places);
            let place =
                format!("line {line}, column {column}; the line is long, only a part is shown");
            self.elsewhere.push(place);
        }
        Some(Spot { id: Id { file: file_idx, name: plain(&file.name) }, chars })
    }

    fn sources(self) -> impl ariadne::Cache<Id> {
        Sources(
            self.shown
                .into_iter()
                .map(|(idx, excerpt)| (idx, Source::from(excerpt.numbered())))
                .collect(),
        )
    }
}

struct Sources(BTreeMap<usize, Source<String>>);

impl ariadne::Cache<Id> for Sources {
    type Storage = String;

    fn fetch(&mut self, id: &Id) -> Result<&Source<String>, impl fmt::Debug> {
        self.0.get(&id.file).ok_or("a label in a file without an excerpt")
    }

    fn display<'a>(&self, id: &'a Id) -> Option<impl fmt::Display + 'a> {
        Some(id)
    }
}

impl ShownLine {
    fn is_cut(&self, text: &str) -> bool {
        let starts = self.bytes.start == 0 || text.as_bytes()[self.bytes.start - 1] == b'\n';
        let ends = text.as_bytes().get(self.bytes.end).is_none_or(|&byte| byte == b'\n');
        !(starts && ends)
    }
}

impl ShownLines {
    /// The text below as many empty lines as the file has lines before it, so that
    /// line numbers are the file's. (ariadne's own offset shows in the heading but
    /// not beside the lines.)
    fn numbered(&self) -> String {
        "\n".repeat(self.first_line) + &self.text
    }

    /// The characters of the excerpt that show these bytes of the file, cut to
    /// the line they start in.
    fn chars_of(&self, text: &str, bytes: Range<usize>) -> Option<Range<usize>> {
        let line = self
            .lines
            .iter()
            .find(|line| line.bytes.start <= bytes.start && bytes.start <= line.bytes.end)?;
        let end = bytes.end.min(line.bytes.end).max(bytes.start);
        let before = text[line.bytes.start..bytes.start].chars().count();
        let inside = text[bytes.start..end].chars().count();
        let start = self.first_line + line.first_char + before;
        Some(start..start + inside)
    }
}

/// The lines around byte `main` of `text`.
fn excerpt(text: &str, main: usize) -> ShownLines {
    let mut start = text[..main].rfind('\n').map_or(0, |idx| idx + 1);
    let mut n_back = 0;
    while start > 0 && n_back < MAX_LINES_APART {
        start = text[..start - 1].rfind('\n').map_or(0, |idx| idx + 1);
        n_back += 1;
    }
    let first_line = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
    let mut shown = ShownLines { text: String::new(), first_line, lines: Vec::new() };
    let mut n_chars = 0;
    for line in text[start..].split_inclusive('\n').take(n_back + 1 + MAX_LINES_APART) {
        let whole = start..start + line.trim_end_matches('\n').len();
        n_chars += shown.push_line(text, whole, main, n_chars);
        start += line.len();
    }
    // A label at the end of a text that ends in a newline is on a line of its own.
    if start == main && (text.is_empty() || text.ends_with('\n')) {
        shown.push_line(text, start..start, main, n_chars);
        shown.text.pop();
        shown.text.push(' ');
    }
    shown
}

impl ShownLines {
    /// Adds a line, cut to a window around `main` or to its beginning; returns the
    /// number of characters added.
    fn push_line(&mut self, text: &str, whole: Range<usize>, main: usize, at: usize) -> usize {
        let centre = main.clamp(whole.start, whole.end);
        let from = floor_boundary(text, centre.saturating_sub(WINDOW)).max(whole.start);
        let to = floor_boundary(text, centre.saturating_add(2 * WINDOW)).min(whole.end);
        let is_short = whole.len() <= 3 * WINDOW;
        let bytes = if is_short { whole.clone() } else { from..to.max(from) };
        let mut line = String::new();
        let is_cut_before = bytes.start > whole.start;
        if is_cut_before {
            line.push('…');
        }
        let first_char = at + line.chars().count();
        line.extend(text[bytes.clone()].chars().map(|c| match c {
            '\t' | '\r' => ' ',
            c if steers_a_terminal(c) => '?',
            c => c,
        }));
        if bytes.end < whole.end {
            line.push('…');
        }
        line.push('\n');
        self.text.push_str(&line);
        self.lines.push(ShownLine { bytes, first_char, is_cut_before });
        line.chars().count()
    }
}

fn without_place(diagnostic: &Diagnostic, elsewhere: &[String]) -> String {
    let kind = if diagnostic.is_error() { "Error" } else { "Warning" };
    let mut out = format!("[{}] {kind}: {}\n", diagnostic.code, plain(&diagnostic.message));
    for note in elsewhere {
        out.push_str(&format!("  note: {note}\n"));
    }
    for help in &diagnostic.helps {
        out.push_str(&format!("  help: {}\n", plain(help)));
    }
    out
}

fn trim_line_ends(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn floor_boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}
