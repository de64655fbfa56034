//! Breaks lines, pads columns and makes foreign text safe to show.

/// Text from an input without anything that could steer a terminal: control and
/// direction characters become `?`.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if steers_a_terminal(c) { '?' } else { c }).collect()
}

/// `text` in at most `width` characters; what is cut off becomes `…`.
pub fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut clipped: String = text.chars().take(width.saturating_sub(1)).collect();
    clipped.push('…');
    clipped
}

/// `text` followed by spaces up to `width` characters.
pub fn pad(text: &str, width: usize) -> String {
    let n_chars = text.chars().count();
    let mut padded = text.to_owned();
    padded.extend(std::iter::repeat_n(' ', width.saturating_sub(n_chars)));
    padded
}

/// A count with its noun: `1 step`, `2 steps`.
pub fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// A paragraph: `first` opens it, later lines start with `indent` spaces, and
/// lines break at spaces where they would pass `width`.
pub fn paragraph(first: &str, indent: usize, text: &str, width: usize) -> String {
    flow(first, indent, text.split(' ').filter(|word| !word.is_empty()), width)
}

/// The same for a list of items with commas: lines break only between items, and within
/// those that no line has room for.
pub fn item_list(first: &str, indent: usize, text: &str, width: usize) -> String {
    let room = width.saturating_sub(indent);
    let pieces = text.split_inclusive(", ").map(str::trim_end).flat_map(|item| {
        match item.chars().count() > room {
            true => item.split(' ').collect(),
            false => vec![item],
        }
    });
    flow(first, indent, pieces, width)
}

fn flow<'a>(
    first: &str,
    indent: usize,
    pieces: impl Iterator<Item = &'a str>,
    width: usize,
) -> String {
    let mut out = first.to_owned();
    let mut column = first.chars().count();
    let mut at_line_start = true;
    for piece in pieces {
        let n_chars = piece.chars().count();
        if !at_line_start && column + 1 + n_chars > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
            at_line_start = true;
        }
        if !at_line_start {
            out.push(' ');
            column += 1;
        }
        out.push_str(piece);
        column += n_chars;
        at_line_start = false;
    }
    out.push('\n');
    out
}

pub(crate) fn steers_a_terminal(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{clip, item_list, paragraph, plain};

    #[test]
    fn a_list_breaks_between_items_only() {
        assert_eq!(item_list("", 2, "a >= 1, b >= 2, c", 10), "a >= 1,\n  b >= 2,\n  c\n");
        assert_eq!(item_list("", 2, "a, b of c of d", 10), "a, b of c\n  of d\n");
    }

    #[test]
    fn escape_sequences_from_an_input_lose_their_power() {
        assert_eq!(plain("a\u{1b}[31mb\u{202e}"), "a?[31mb?");
    }

    #[test]
    fn long_text_is_clipped_to_the_width() {
        assert_eq!(clip("abcdef", 4), "abc…");
        assert_eq!(clip("abcd", 4), "abcd");
    }

    #[test]
    fn a_paragraph_breaks_at_spaces_and_never_inside_a_word() {
        assert_eq!(paragraph("p  ", 3, "aa bb cccccccccc d", 9), "p  aa bb\n   cccccccccc\n   d\n");
    }
}
