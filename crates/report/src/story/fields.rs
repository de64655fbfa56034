//! Takes descriptions of stores apart: `a = 1, b = {x: 2, y: [3, 4]}` becomes `a`, `b.x`,
//! `b.y[0]` and `b.y[1]`, so that a change of one part is seen as such.
//!
//! Descriptions are written for people. What does not have this shape stays whole.

use model::Field;

/// Records and arrays nested deeper stay whole.
const MAX_NESTING: usize = 16;

/// The parts of a description. A part without a name is called `nameless`.
pub(crate) fn fields(text: &str, nameless: &str) -> Vec<Field> {
    let mut found = Vec::new();
    let parts = split(text).unwrap_or_else(|| vec![text]);
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        match part.split_once(" = ") {
            Some((name, value)) => flatten(name, value, MAX_NESTING, &mut found),
            None => bits(part, nameless, &mut found),
        }
    }
    found
}

/// `main:3 a=1 b of a caller=0`: where a thread is, and single bits. Names have spaces, but
/// places have none.
fn bits(text: &str, nameless: &str, found: &mut Vec<Field>) {
    let is_bit = |word: &str| word.ends_with("=0") || word.ends_with("=1");
    if !text.split(' ').any(is_bit) {
        found.push(field(nameless, text));
        return;
    }
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        words.push(word);
        let joined = words.join(" ");
        match joined.split_once('=').filter(|_| is_bit(word)) {
            Some((name, value)) => found.push(field(name, value)),
            None if word.contains(':') => found.push(field(nameless, &joined)),
            None => continue,
        }
        words.clear();
    }
    if !words.is_empty() {
        found.push(field(nameless, &words.join(" ")));
    }
}

fn flatten(name: &str, value: &str, nesting: usize, found: &mut Vec<Field>) {
    let n_before = found.len();
    let is_flat = nesting > 0
        && match (inside(value, '{', '}'), inside(value, '[', ']')) {
            (Some(members), _) => flatten_record(name, members, nesting, found).is_some(),
            (_, Some(elements)) => flatten_array(name, elements, nesting, found).is_some(),
            _ => false,
        };
    if !is_flat || found.len() == n_before {
        found.truncate(n_before);
        found.push(field(name, value));
    }
}

fn flatten_record(name: &str, text: &str, nesting: usize, found: &mut Vec<Field>) -> Option<()> {
    for member in split(text)? {
        let (label, value) = member.split_once(": ")?;
        if label.contains(['{', '[', '(', '\'']) {
            return None;
        }
        flatten(&format!("{name}.{label}"), value, nesting - 1, found);
    }
    Some(())
}

fn flatten_array(name: &str, text: &str, nesting: usize, found: &mut Vec<Field>) -> Option<()> {
    for (idx, value) in split(text)?.into_iter().enumerate().filter(|(_, value)| !value.is_empty())
    {
        if value == "..." {
            found.push(field(&format!("{name}[{idx}..]"), "not shown"));
        } else {
            flatten(&format!("{name}[{idx}]"), value, nesting - 1, found);
        }
    }
    Some(())
}

fn field(name: &str, value: &str) -> Field {
    Field { name: name.to_owned(), value: value.to_owned() }
}

fn inside(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// Splits at commas outside of brackets and quotes; `None` where those do not match.
fn split(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut closers = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            // A character in quotes, such as ','.
            '\'' => {
                let mut ahead = rest.clone();
                if let (Some(_), Some((_, '\''))) = (ahead.next(), ahead.next()) {
                    rest = ahead;
                }
            }
            '(' => closers.push(')'),
            '[' => closers.push(']'),
            '{' => closers.push('}'),
            ')' | ']' | '}' if closers.pop() != Some(c) => return None,
            ',' if closers.is_empty() && text[at..].starts_with(", ") => {
                parts.push(&text[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    closers.is_empty().then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = fields(text, "at");
        let found: Vec<(&str, &str)> =
            found.iter().map(|field| (field.name.as_str(), field.value.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn records_and_arrays_fall_into_their_parts() {
        check(
            "a = 1, b = {x: 2, y: [3, 4, ...]}, main:3",
            &[
                ("a", "1"),
                ("b.x", "2"),
                ("b.y[0]", "3"),
                ("b.y[1]", "4"),
                ("b.y[2..]", "not shown"),
                ("at", "main:3"),
            ],
        );
    }

    #[test]
    fn single_bits_fall_apart() {
        check("a=1 b=0", &[("a", "1"), ("b", "0")]);
        check(
            "main:3 a=1 b of a caller=0",
            &[("at", "main:3"), ("a", "1"), ("b of a caller", "0")],
        );
        check("a=1 in an atomic section", &[("a", "1"), ("at", "in an atomic section")]);
        check("x=12 y", &[("at", "x=12 y")]);
    }

    #[test]
    fn quoted_commas_and_brackets_do_not_split() {
        check("c = ',', d = '{', e = 'x'", &[("c", "','"), ("d", "'{'"), ("e", "'x'")]);
    }

    #[test]
    fn what_does_not_match_stays_whole() {
        check("a = {1, 2}", &[("a", "{1, 2}")]);
        check("a = }, b = 1", &[("a", "}, b = 1")]);
        check("a = []", &[("a", "[]")]);
        check("0", &[("at", "0")]);
        check("", &[]);
    }
}
