//! Lays JSON out for people and for size: the outer two levels get a line per
//! entry, everything deeper stays on that line. A certificate of a hundred
//! thousand numbers would otherwise take as many lines.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Levels that get a line per entry.
const SPREAD_LEVELS: usize = 2;

/// The document, ending in a newline.
pub(crate) fn to_text(document: &impl Serialize) -> String {
    let mut out = Vec::new();
    let layout = Layout { depth: 0, has_entries: false };
    document
        .serialize(&mut Serializer::with_formatter(&mut out, layout))
        .expect("keys are strings, and writing to memory does not fail");
    out.push(b'\n');
    String::from_utf8(out).expect("serde_json writes UTF-8")
}

struct Layout {
    depth: usize,
    has_entries: bool,
}

impl Layout {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_entries = false;
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let is_spread = self.depth <= SPREAD_LEVELS;
        self.depth = self.depth.saturating_sub(1);
        if is_spread && self.has_entries {
            self.new_line(writer)?;
        }
        self.has_entries = true;
        writer.write_all(bracket)
    }

    fn entry<W: ?Sized + Write>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        let is_spread = self.depth <= SPREAD_LEVELS;
        match (is_first, is_spread) {
            (true, _) => {}
            (false, true) => writer.write_all(b",")?,
            (false, false) => writer.write_all(b", ")?,
        }
        if is_spread { self.new_line(writer) } else { Ok(()) }
    }

    fn new_line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.entry(w, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.has_entries = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.entry(w, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.has_entries = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::to_text;

    #[test]
    fn deep_values_stay_on_one_line_and_empty_ones_stay_closed() {
        let document = BTreeMap::from([("a", vec![vec![1, 2], vec![]]), ("b", vec![])]);
        let expected = "{\n  \"a\": [\n    [1, 2],\n    []\n  ],\n  \"b\": []\n}\n";
        assert_eq!(to_text(&document), expected);
    }
}
