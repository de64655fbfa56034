//! Reads properties (`s|l1,l2`) and initial states (`s|l1,l2/l3`).

use model::Diagnostic;

use crate::sink::Sink;
use crate::source::{Source, number};
use crate::tts::ast::{Initial, Pattern, Size};
use crate::tts::parse::{out_of_range, too_large};

/// The patterns of a `.prop` file or of `--target`: one per line, or separated by
/// `;`. None at all is an error.
pub(crate) fn patterns(source: Source<'_>, size: Size, sink: &mut Sink) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    let mut n_seen = 0;
    for (start, line) in source.lines() {
        let mut offset = start;
        for part in line.split(';') {
            if !part.trim().is_empty() {
                n_seen += 1;
                patterns.extend(pattern(source, offset, part, size, sink));
            }
            offset += part.len() + 1;
        }
    }
    if n_seen == 0 {
        let span = source.span(0, source.text.len());
        sink.push(Diagnostic::error("TT007", "the property is empty", span).help(PATTERN));
    }
    patterns
}

/// One pattern, which begins at `start` in the source.
pub(crate) fn pattern(
    source: Source<'_>,
    start: usize,
    text: &str,
    size: Size,
    sink: &mut Sink,
) -> Option<Pattern> {
    let mut reader =
        Reader { source, start, text, pos: 0, size, sink, code: "TT007", help: PATTERN };
    reader.blank();
    let shared = reader.state(true)?;
    reader.expect(b'|')?;
    let mut locals = reader.list()?;
    reader.end()?;
    locals.sort_unstable();
    Some(Pattern { shared, locals })
}

/// What comes before the initial states in a comment of their own.
pub(crate) const INITIAL_COMMENT: &str = "# init:";

/// The initial states in a line `# init: …`, as `convert` writes it: the format has no other
/// place for them, and tools that do not know of it read a comment. A comment that says
/// something else is one.
pub(crate) fn initial_in_comment(source: Source<'_>, size: Size) -> Option<Initial> {
    let text = source.text.lines().find_map(|line| line.strip_prefix(INITIAL_COMMENT))?;
    let mut unheard = Sink::default();
    initial(Source { text, ..source }, size, &mut unheard)
}

/// The text of `--init`.
pub(crate) fn initial(source: Source<'_>, size: Size, sink: &mut Sink) -> Option<Initial> {
    let text = source.text.trim_end();
    let mut reader =
        Reader { source, start: 0, text, pos: 0, size, sink, code: "TT008", help: INITIAL };
    reader.blank();
    let shared = reader.state(true)?;
    let has_exact = reader.at(b'|');
    let mut exact = if has_exact { reader.list_after()? } else { Vec::new() };
    let has_any = reader.at(b'/');
    let mut any = if has_any { reader.list_after()? } else { Vec::new() };
    if !has_exact && !has_any {
        return reader.fail("`|` or `/`");
    }
    reader.end()?;
    exact.sort_unstable();
    any.sort_unstable();
    any.dedup();
    Some(Initial { shared, exact, any })
}

const PATTERN: &str = "a property is `s|l1,l2`: shared state s with threads in l1 and l2";
const INITIAL: &str = "`0|1,2` is one thread each in 1 and 2, `0/3` any number in 3, `0|1/3` both";

struct Reader<'a, 's> {
    source: Source<'a>,
    start: usize,
    text: &'a str,
    pos: usize,
    size: Size,
    sink: &'s mut Sink,
    code: &'static str,
    help: &'static str,
}

impl Reader<'_, '_> {
    fn at(&self, byte: u8) -> bool {
        self.text.as_bytes().get(self.pos) == Some(&byte)
    }

    fn blank(&mut self) {
        let rest = &self.text[self.pos..];
        self.pos += rest.len() - rest.trim_start().len();
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        if !self.at(byte) {
            return self.fail(&format!("`{}`", char::from(byte)));
        }
        self.pos += 1;
        self.blank();
        Some(())
    }

    fn list_after(&mut self) -> Option<Vec<u32>> {
        self.pos += 1;
        self.blank();
        self.list()
    }

    /// Local states separated by commas; may be empty.
    fn list(&mut self) -> Option<Vec<u32>> {
        let mut list = Vec::new();
        if !self.text.as_bytes().get(self.pos).is_some_and(u8::is_ascii_digit) {
            return Some(list);
        }
        list.push(self.state(false)?);
        while self.at(b',') {
            self.pos += 1;
            self.blank();
            list.push(self.state(false)?);
        }
        Some(list)
    }

    fn state(&mut self, shared: bool) -> Option<u32> {
        let rest = &self.text[self.pos..];
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if len == 0 {
            return self.fail("a number");
        }
        let from = self.start + self.pos;
        let span = self.source.span(from, from + len);
        let id = number(&rest[..len]);
        self.pos += len;
        self.blank();
        let (limit, what, code) = match shared {
            true => (self.size.n_shared, "shared state", "TT004"),
            false => (self.size.n_local, "local state", "TT005"),
        };
        match id {
            Some(id) if id < limit => return Some(id),
            Some(id) if self.code == "TT007" => {
                // Others accept such properties, which no run can violate.
                let message = format!("the property asks for {what} `{id}`, which does not exist");
                let warning = Diagnostic::warning("TT009", message, span);
                self.sink.push(warning.help("it holds of every run for that reason alone"));
                return Some(id);
            }
            Some(id) => self.sink.push(out_of_range(code, what, id, limit, span)),
            None => self.sink.push(too_large(self.source, span)),
        }
        None
    }

    fn end(&mut self) -> Option<()> {
        if self.pos < self.text.len() { self.fail("`,` or the end") } else { Some(()) }
    }

    fn fail<T>(&mut self, expected: &str) -> Option<T> {
        let found = self.text[self.pos..].chars().next();
        let from = self.start + self.pos;
        let span = self.source.span(from, from + found.map_or(0, char::len_utf8));
        let message = match found {
            Some(found) => format!("expected {expected}, found `{}`", found.escape_debug()),
            None => format!("expected {expected}, found the end"),
        };
        self.sink.push(Diagnostic::error(self.code, message, span).help(self.help));
        None
    }
}
