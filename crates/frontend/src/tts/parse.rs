//! Produces the syntax tree of a `.tts` file, line by line: a mistake spoils its
//! own line only.

use model::Diagnostic;

use crate::sink::Sink;
use crate::source::{MAX_NUMBER, Source, number};
use crate::tts::ast::{Arrow, Initial, Pair, Size, System, Transition};
use crate::tts::property;

/// Parses a file; `None` when its header cannot be read, since nothing can be
/// checked without it. Also says whether there was a property, right or wrong.
pub(crate) fn parse(source: Source<'_>, sink: &mut Sink) -> Option<(System, bool)> {
    let mut lines = source.lines().filter(|(_, line)| !line.trim_matches(BLANK).is_empty());
    let Some((start, line)) = lines.next() else {
        let end = source.text.len();
        let message = "the header is missing";
        sink.push(Diagnostic::error("TT001", message, source.span(end, end)).help(HEADER));
        return None;
    };
    let size = header(Line::new(source, start, line, sink))?;
    let mut system =
        System { size, transitions: Vec::new(), initial: Initial::default(), patterns: Vec::new() };
    let mut saw_property = false;
    for (start, line) in lines {
        if line.contains('|') {
            saw_property = true;
            system.patterns.extend(property::pattern(source, start, line, size, sink));
        } else {
            let parsed = transition(&mut Line::new(source, start, line, sink), size);
            system.transitions.extend(parsed);
        }
    }
    Some((system, saw_property))
}

const HEADER: &str = "the first line is the number of shared states and of local states: `3 4`";

/// What `trim` does not know: a byte order mark.
const BLANK: &[char] = &[' ', '\t', '\u{feff}'];

fn header(mut line: Line<'_, '_>) -> Option<Size> {
    let n_shared = line.number()?;
    let n_local = line.number()?;
    let size = match (n_shared, n_local, line.peek()) {
        (Some(n_shared), Some(n_local), None) if n_shared > 0 && n_local > 0 => {
            Some(Size { n_shared, n_local })
        }
        _ => None,
    };
    if size.is_none() {
        let span = line.source.span(line.start, line.start + line.text.len());
        let message = "the header is not two positive numbers";
        line.sink.push(Diagnostic::error("TT001", message, span).help(HEADER));
    }
    size
}

/// Parses `s l -> s' l' a ~> b …`.
fn transition(line: &mut Line<'_, '_>, size: Size) -> Option<Transition> {
    let from = pair(line, size)?;
    let arrow = match line.peek() {
        Some("->") => Arrow::Step,
        Some("+>") => Arrow::Spawn,
        Some("~>") => Arrow::Transfer,
        _ => return line.unexpected("`->`, `+>` or `~>`"),
    };
    line.skip();
    let to = pair(line, size)?;
    let mut passive = Vec::new();
    while line.peek().is_some() {
        let source = local(line, size)?;
        if line.peek() != Some("~>") {
            return line.unexpected("`~>`");
        }
        line.skip();
        passive.push((source, local(line, size)?));
    }
    if arrow == Arrow::Transfer {
        passive.push((from.local, to.local));
    }
    passive.sort_unstable();
    passive.dedup();
    let (start, end) = (line.start, line.start + line.text.len());
    let span = Some(line.source.span(start, end));
    Some(Transition { arrow, from, to, passive, span })
}

fn pair(line: &mut Line<'_, '_>, size: Size) -> Option<Pair> {
    let shared = state(line, size.n_shared, "shared state", "TT004")?;
    Some(Pair { shared, local: local(line, size)? })
}

fn local(line: &mut Line<'_, '_>, size: Size) -> Option<u32> {
    state(line, size.n_local, "local state", "TT005")
}

fn state(line: &mut Line<'_, '_>, limit: u32, what: &str, code: &'static str) -> Option<u32> {
    let start = line.pos;
    let Some(id) = line.number()? else { return line.unexpected(&format!("a {what}")) };
    if id < limit {
        return Some(id);
    }
    let span = line.source.span(line.start + start, line.start + line.pos);
    line.sink.push(out_of_range(code, what, id, limit, span));
    None
}

/// The error that a state is beyond what the header says.
pub(crate) fn out_of_range(
    code: &'static str,
    what: &str,
    id: u32,
    limit: u32,
    span: model::Span,
) -> Diagnostic {
    let message = format!("{what} `{id}` is out of range");
    let help = format!("the header allows {what}s 0 to {}", limit.saturating_sub(1));
    Diagnostic::error(code, message, span).help(help)
}

/// The error that a number is beyond what we count.
pub(crate) fn too_large(source: Source<'_>, span: model::Span) -> Diagnostic {
    let message = format!("`{}` is too large", source.slice(span));
    Diagnostic::error("TT003", message, span).help(format!("numbers go up to {MAX_NUMBER}"))
}

/// One line and a position in it, always at the beginning of a word.
struct Line<'a, 's> {
    source: Source<'a>,
    /// Where the line begins in the source.
    start: usize,
    text: &'a str,
    pos: usize,
    sink: &'s mut Sink,
}

impl<'a, 's> Line<'a, 's> {
    fn new(source: Source<'a>, start: usize, text: &'a str, sink: &'s mut Sink) -> Line<'a, 's> {
        let trimmed = text.trim_start_matches(BLANK);
        let start = start + text.len() - trimmed.len();
        Line { source, start, text: trimmed, pos: 0, sink }
    }

    /// The word here: an arrow, digits, or a run of anything else.
    fn peek(&self) -> Option<&'a str> {
        let rest = &self.text[self.pos..];
        let first = rest.chars().next()?;
        if ["->", "+>", "~>"].iter().any(|arrow| rest.starts_with(arrow)) {
            return rest.get(..2);
        }
        let other = |c: char| c.is_whitespace() || c.is_ascii_digit() != first.is_ascii_digit();
        let end = rest.find(other).unwrap_or(rest.len()).max(first.len_utf8());
        rest.get(..end)
    }

    fn skip(&mut self) {
        self.pos += self.peek().map_or(0, str::len);
        let rest = &self.text[self.pos..];
        self.pos += rest.len() - rest.trim_start().len();
    }

    /// `Some(None)`: there is no number here. `None`: a mistake was reported.
    fn number(&mut self) -> Option<Option<u32>> {
        let Some(word) = self.peek().filter(|word| word.as_bytes()[0].is_ascii_digit()) else {
            return Some(None);
        };
        let from = self.start + self.pos;
        let value = number(word);
        if value.is_none() {
            let span = self.source.span(from, from + word.len());
            self.sink.push(too_large(self.source, span));
            return None;
        }
        self.skip();
        Some(value)
    }

    fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        let word = self.peek();
        let from = self.start + self.pos;
        let span = self.source.span(from, from + word.map_or(0, str::len));
        let message = match word {
            Some(word) => format!("expected {expected}, found `{}`", word.escape_debug()),
            None => format!("expected {expected}, found the end of the line"),
        };
        let help = "a transition is `s l -> s' l'`, and may go on with broadcasts `a ~> b`";
        self.sink.push(Diagnostic::error("TT002", message, span).help(help));
        None
    }
}
