//! The text of inline assembly: its statements, and the names of instructions.

use crate::ir::RmwOp;

/// Words that only tell the processor or the compiler something.
const IDLE: [&str; 7] = ["nop", "pause", "rep", "rep nop", "rep ret", "yield", "isb"];

/// Words that order memory.
const FENCES: [&str; 6] = ["mfence", "lfence", "sfence", "dmb ish", "dmb sy", "sync"];

/// Where the stack is: updating its top with nothing is a fence.
const STACK_TOPS: [&str; 4] = ["(%rsp)", "(%esp)", "0(%rsp)", "0(%esp)"];

/// Is it a statement without an effect on the program?
pub(super) fn is_idle(line: &str) -> bool {
    IDLE.contains(&line) || line.starts_with("prefetch")
}

/// The statements of a text, with single spaces; a prefix is one with what follows it.
pub(super) fn statements(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.split([';', '\n']) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        if line.is_empty() {
            continue;
        }
        match lines.last_mut() {
            Some(last) if last == "lock" => *last = format!("lock {line}"),
            _ => lines.push(line),
        }
    }
    lines
}

/// Does a statement order all of memory?
pub(super) fn is_fence(line: &str) -> bool {
    if FENCES.contains(&line) {
        return true;
    }
    let rest = line.strip_prefix("lock ").and_then(|rest| rest.split_once(' '));
    let Some((name, operands)) = rest else { return false };
    let Some((number, place)) = operands.split_once(',') else { return false };
    matches!(name, "add" | "addl" | "addq" | "or" | "orl" | "orq")
        && matches!(number.trim(), "$$0" | "$$0x0")
        && STACK_TOPS.contains(&place.trim())
}

/// The name of an instruction without the letter for its width, and that width.
pub(super) fn stem_of(name: &str) -> Option<(&str, Option<u8>)> {
    const STEMS: [&str; 12] =
        ["cmpxchg", "xchg", "xadd", "inc", "dec", "add", "sub", "or", "and", "xor", "not", "mov"];
    STEMS.into_iter().find_map(|stem| match name.strip_prefix(stem)? {
        "" => Some((stem, None)),
        "b" => Some((stem, Some(8))),
        "w" => Some((stem, Some(16))),
        "l" => Some((stem, Some(32))),
        "q" => Some((stem, Some(64))),
        _ => None,
    })
}

/// The arithmetic that an instruction does.
pub(super) fn op_of(stem: &str) -> Option<RmwOp> {
    Some(match stem {
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "or" => RmwOp::Or,
        "and" => RmwOp::And,
        "xor" => RmwOp::Xor,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_fence, statements, stem_of};

    #[test]
    fn a_prefix_belongs_to_what_follows() {
        assert_eq!(statements("lock; cmpxchgl $2, $1"), ["lock cmpxchgl $2, $1"]);
        assert_eq!(statements("lock\n\tdecl $0;\n\tsete $1;"), ["lock decl $0", "sete $1"]);
        assert_eq!(statements("rep; nop"), ["rep", "nop"]);
        assert!(statements(" \n").is_empty());
    }

    #[test]
    fn an_update_of_the_top_of_the_stack_with_nothing_is_a_fence() {
        assert!(is_fence("lock addl $$0,0(%rsp)") && is_fence("mfence"));
        assert!(!is_fence("lock addl $$1,0(%rsp)") && !is_fence("lock addl $$0,$0"));
    }

    #[test]
    fn a_letter_says_how_wide_it_is() {
        assert_eq!(stem_of("cmpxchgq"), Some(("cmpxchg", Some(64))));
        assert_eq!(stem_of("xadd"), Some(("xadd", None)));
        assert_eq!(stem_of("cmpxchg16b"), None);
    }
}
