//! Reads the text of `--target` and `--init` for nets whose place names are not
//! identifiers: `p1>=1, p2=0; p3 in [1,2]`.
//!
//! A name is whatever stands before the operator; it may be quoted with `"`.

use model::{Bounds, Diagnostic, Span};

use crate::sink::Sink;
use crate::source::{Source, number};

/// A constraint on a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition<'a> {
    pub name: &'a str,
    pub bounds: Bounds,
    pub span: Span,
}

/// Conjunctions, separated by `;` or `|`. Mistakes are reported as PN012.
pub(crate) fn parse<'a>(source: Source<'a>, sink: &mut Sink) -> Vec<Vec<Condition<'a>>> {
    let mut reader = Reader { source, pos: 0, sink };
    let mut disjunction = Vec::new();
    loop {
        reader.skip(|c| c.is_whitespace() || c == ';' || c == '|');
        if reader.rest().is_empty() {
            break;
        }
        match reader.conjunction() {
            Some(conjunction) => disjunction.push(conjunction),
            None => return disjunction,
        }
    }
    if disjunction.is_empty() {
        reader.fail("a constraint such as `p1>=1`");
    }
    disjunction
}

struct Reader<'a, 's> {
    source: Source<'a>,
    pos: usize,
    sink: &'s mut Sink,
}

impl<'a> Reader<'a, '_> {
    fn conjunction(&mut self) -> Option<Vec<Condition<'a>>> {
        let mut conjunction = vec![self.condition()?];
        while self.take(",") {
            conjunction.push(self.condition()?);
        }
        if self.rest().starts_with([';', '|']) || self.rest().is_empty() {
            return Some(conjunction);
        }
        self.fail("`,`, `;` or the end");
        None
    }

    fn condition(&mut self) -> Option<Condition<'a>> {
        self.skip(char::is_whitespace);
        let start = self.pos;
        let name = self.name();
        if name.is_empty() {
            self.fail("the name of a place");
            return None;
        }
        let bounds = if self.take(">=") {
            Bounds::at_least(self.number()?)
        } else if self.take("=") {
            Bounds::exactly(self.number()?)
        } else if self.take("in ") || self.take("in[") {
            self.interval()?
        } else {
            self.fail("`>=`, `=` or `in`");
            return None;
        };
        let span = self.source.span(start, self.pos);
        self.skip(char::is_whitespace);
        Some(Condition { name, bounds, span })
    }

    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(end) = quoted.find('"') else { return "" };
            self.pos += end + 2;
            self.skip(char::is_whitespace);
            return &quoted[..end];
        }
        let operator = rest.find(['>', '=', ',', ';', '|']).unwrap_or(rest.len());
        let end = rest[..operator].find(" in ").or(rest[..operator].find(" in["));
        let name = rest[..end.unwrap_or(operator)].trim_end();
        self.pos += name.len();
        self.skip(char::is_whitespace);
        name
    }

    fn interval(&mut self) -> Option<Bounds> {
        // `in[` has taken the bracket already.
        let _ = self.take("[");
        let min = self.number()?;
        self.expect(",")?;
        let max = self.number()?;
        self.expect("]")?;
        Some(Bounds { min, max: Some(max) })
    }

    fn number(&mut self) -> Option<u32> {
        self.skip(char::is_whitespace);
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let value = number(&rest[..len]);
        if value.is_none() {
            self.fail("a number up to 2147483647");
        }
        self.pos += len;
        value
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        if self.take(text) {
            return Some(());
        }
        self.fail(&format!("`{text}`"));
        None
    }

    fn take(&mut self, text: &str) -> bool {
        self.skip(char::is_whitespace);
        let found = self.rest().starts_with(text);
        if found {
            self.pos += text.len();
        }
        found
    }

    fn skip(&mut self, inside: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start_matches(inside).len();
    }

    fn rest(&self) -> &'a str {
        &self.source.text[self.pos..]
    }

    fn fail(&mut self, expected: &str) {
        let found = self.rest().chars().next();
        let span = self.source.span(self.pos, self.pos + found.map_or(0, char::len_utf8));
        let message = match found {
            Some(found) => format!("expected {expected}, found `{}`", found.escape_debug()),
            None => format!("expected {expected}, found the end"),
        };
        let help = "write for example `p1>=1,p2=0; p3>=2`: `,` is and, `;` is or";
        self.sink.push(Diagnostic::error("PN012", message, span).help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::sink::Sink;
    use crate::source::Source;

    fn check(text: &str) -> String {
        let mut sink = Sink::default();
        let parsed = parse(Source { file: 0, text }, &mut sink);
        let shown: Vec<String> = parsed
            .iter()
            .map(|conjunction| {
                let parts: Vec<String> = conjunction
                    .iter()
                    .map(|one| crate::bounds::describe(one.name, one.bounds))
                    .collect();
                parts.join(" & ")
            })
            .collect();
        let codes: String = sink.finish().iter().map(|diagnostic| diagnostic.code).collect();
        format!("{}{codes}", shown.join(" or "))
    }

    #[test]
    fn names_may_hold_blanks_and_be_quoted() {
        assert_eq!(check("a b >= 1,\"c,d\"=2"), "a b >= 1 & c,d = 2");
        assert_eq!(check("p in [1,2]; q>=3 | r=0;"), "p in [1,2] or q >= 3 or r = 0");
        assert_eq!(check("p in[ 1 , 2 ]"), "p in [1,2]");
    }

    #[test]
    fn mistakes_are_reported_where_they_are() {
        for text in
            ["", "p", "p>1", ">=1", "p>=", "p>=99999999999", "p>=1 q>=1", "\"p>=1", "p in [1"]
        {
            assert_eq!(check(text), "PN012", "{text}");
        }
    }
}
