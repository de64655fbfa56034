//! Finds the parenthesis that closes a call: there the formats place what calls return.

/// The byte of the parenthesis that closes the call of `function` which starts at byte
/// `start`; `None` if the text there is something else, such as a macro.
pub(super) fn closing(text: &str, start: usize, function: &str) -> Option<usize> {
    let rest = text.get(start..)?.strip_prefix(function)?;
    if rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let blank = rest.len() - rest.trim_start().len();
    let open = start + function.len() + blank;
    let mut depth = 0u32;
    let mut at = open;
    loop {
        let here = text.get(at..)?;
        let c = here.chars().next()?;
        match c {
            '(' => depth += 1,
            // The first character is no parenthesis: this is no call.
            _ if depth == 0 => return None,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            '"' | '\'' => at += quoted(here)?,
            '/' if here.starts_with("//") => at += here.find('\n')?,
            '/' if here.starts_with("/*") => at += here.find("*/")? + 1,
            _ => {}
        }
        at += text.get(at..)?.chars().next()?.len_utf8();
    }
}

/// Bytes from the quote that a text starts with to the one that ends it.
fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[track_caller]
    fn check(text: &str, before: Option<&str>) {
        let found = closing(text, 0, "f").map(|at| &text[..at]);
        assert_eq!(found, before);
    }

    #[test]
    fn parentheses_in_texts_and_comments_do_not_count() {
        check("f(a, (b)) + (c)", Some("f(a, (b)"));
        check("f (\")\", ')', '\\'') x", Some("f (\")\", ')', '\\''"));
        check("f(/* ) */ 1 // )\n) y", Some("f(/* ) */ 1 // )\n"));
    }

    #[test]
    fn what_is_no_call_of_the_function_has_none() {
        check("fx(1)", None);
        check("f + (1)", None);
        check("g(1)", None);
        check("f(1", None);
        check("f(\"", None);
    }
}
