//! Findings that are known: `RULE@FILE:LINE`.

use model::Rule;

/// Rules that are broken at a place, and so can be accepted there.
const RULES: [Rule; 11] = [
    Rule::Assertion,
    Rule::MemorySafety,
    Rule::InvalidFree,
    Rule::UninitialisedMemory,
    Rule::MutexMisuse,
    Rule::ThreadMisuse,
    Rule::InvalidCall,
    Rule::Overflow,
    Rule::Division,
    Rule::Alignment,
    Rule::Race,
];

/// A rule that is known to be broken at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The rule.
    pub rule: Rule,
    /// The file, as the user names it.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// Reads `RULE@FILE:LINE`.
pub fn accepted(text: &str) -> Result<Accepted, String> {
    let shape = || "a finding is accepted by RULE@FILE:LINE".to_owned();
    let (name, place) = text.split_once('@').ok_or_else(shape)?;
    let (file, line) = place.rsplit_once(':').ok_or_else(shape)?;
    let line = line.parse().ok().filter(|&line| line > 0).ok_or_else(shape)?;
    let rule = RULES.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
        let names: Vec<&str> = RULES.iter().map(|rule| rule.name()).collect();
        format!("`{name}` is no rule that is broken at a line: {}", names.join(", "))
    })?;
    Ok(Accepted { rule, file: file.to_owned(), line })
}

#[cfg(test)]
mod tests {
    use super::accepted;
    use model::Rule;

    #[test]
    fn a_finding_is_a_rule_at_a_line() {
        let known = accepted("data-race@src/a.c:12").expect("it is well formed");
        assert_eq!((known.rule, &*known.file, known.line), (Rule::Race, "src/a.c", 12));
        for wrong in ["data-race", "data-race@a.c", "deadlock@a.c:3", "data-race@a.c:0", "x@a.c:1"]
        {
            assert!(accepted(wrong).is_err(), "{wrong}");
        }
    }
}
