//! Reads XML into a tree of elements with positions. Entities that the document
//! itself defines are not expanded, so no text is larger than the file.

use model::{Diagnostic, Span};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::sink::Sink;
use crate::source::Source;

/// Trees are walked by recursion; nets in practice are ten levels deep.
const MAX_DEPTH: usize = 128;

/// An element.
#[derive(Debug)]
pub(crate) struct Element {
    /// Without a namespace prefix.
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    /// All text directly inside, trimmed.
    pub text: String,
    /// The start tag.
    pub span: Span,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first child with this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The children with this name.
    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// The root element of a document.
pub(crate) fn read(source: Source<'_>, sink: &mut Sink) -> Option<Element> {
    match Builder::new(source).run() {
        Ok(root) => Some(root),
        Err(diagnostic) => {
            sink.push(diagnostic);
            None
        }
    }
}

struct Builder<'a> {
    source: Source<'a>,
    reader: Reader<&'a [u8]>,
    /// Elements that are open, the innermost last.
    open: Vec<Element>,
    root: Option<Element>,
}

impl<'a> Builder<'a> {
    fn new(source: Source<'a>) -> Builder<'a> {
        Builder { source, reader: Reader::from_str(source.text), open: Vec::new(), root: None }
    }

    fn run(mut self) -> Result<Element, Diagnostic> {
        loop {
            let start = self.position();
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = usize::try_from(self.reader.error_position()).unwrap_or(start);
                    return Err(self.malformed(at, at + 1, &error.to_string()));
                }
            };
            let end = self.position();
            match event {
                Event::Start(tag) => self.start(&tag, start, end)?,
                Event::Empty(tag) => {
                    self.start(&tag, start, end)?;
                    self.end();
                }
                Event::End(_) => self.end(),
                Event::Text(text) => match text.unescape() {
                    Ok(text) => self.text(&text, start, end)?,
                    Err(error) => return Err(self.malformed(start, end, &error.to_string())),
                },
                Event::CData(text) => {
                    self.text(&String::from_utf8_lossy(&text.into_inner()), start, end)?;
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        self.finish()
    }

    fn finish(self) -> Result<Element, Diagnostic> {
        if let Some(open) = self.open.last() {
            let message = format!("element `{}` is never closed", open.name);
            return Err(Diagnostic::error("PN001", message, open.span));
        }
        let end = self.source.text.len();
        match self.root {
            Some(root) => Ok(root),
            None => Err(self.malformed(end, end, "there is no element in it")),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Result<(), Diagnostic> {
        let span = self.source.span(start, end);
        if self.open.len() == MAX_DEPTH {
            let message = format!("elements are nested more than {MAX_DEPTH} deep");
            return Err(Diagnostic::error("PN002", message, span));
        }
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.malformed(start, end, "there is a second root element"));
        }
        let mut attributes = Vec::new();
        // The reader's own check for repeated attributes takes quadratic time.
        for attribute in tag.attributes().with_checks(false) {
            let attribute =
                attribute.map_err(|error| self.malformed(start, end, &error.to_string()))?;
            let value = attribute
                .unescape_value()
                .map_err(|error| self.malformed(start, end, &error.to_string()))?;
            let key = String::from_utf8_lossy(attribute.key.local_name().into_inner()).into_owned();
            attributes.push((key, value.trim().to_owned()));
        }
        let name = String::from_utf8_lossy(tag.local_name().into_inner()).into_owned();
        let children = Vec::new();
        self.open.push(Element { name, attributes, children, text: String::new(), span });
        Ok(())
    }

    fn end(&mut self) {
        let Some(mut closed) = self.open.pop() else { return };
        closed.text = closed.text.trim().to_owned();
        match self.open.last_mut() {
            Some(parent) => parent.children.push(closed),
            None => self.root = Some(closed),
        }
    }

    fn text(&mut self, text: &str, start: usize, end: usize) -> Result<(), Diagnostic> {
        match self.open.last_mut() {
            Some(parent) => parent.text.push_str(text),
            None if text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() => {}
            None => {
                return Err(self.malformed(start, end, "there is text outside of all elements"));
            }
        }
        Ok(())
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(self.source.text.len())
    }

    fn malformed(&self, start: usize, end: usize, why: &str) -> Diagnostic {
        let message = format!("this is not well-formed XML: {}", why.trim_end_matches('.'));
        Diagnostic::error("PN001", message, self.source.span(start, end))
    }
}
