//! What formulas say of a C program: functions `int p(void)`, and variables compared
//! with numbers.

use frontend::ltl::{self, Atoms};
use llvm::{CProgram, Observer};
use model::{Diagnostic, Formula, NamedFormula, SourceFile, Span};

/// A formula with its propositions.
pub struct CFormula {
    /// The formula.
    pub named: NamedFormula,
    /// What it speaks of, in the order of its propositions.
    pub propositions: Vec<(String, Observer)>,
}

/// Reads the formula in `file`, which is number `idx` of the run.
///
/// # Errors
/// What is wrong with it.
pub fn read(program: &CProgram, idx: u32, file: &SourceFile) -> Result<CFormula, Vec<Diagnostic>> {
    let mut propositions = Propositions { program, named: Vec::new() };
    match ltl::read(idx, &file.text, &mut propositions) {
        (Some(named), _) => Ok(CFormula { named, propositions: propositions.named }),
        (None, diagnostics) => Err(diagnostics),
    }
}

/// That every run comes to its end.
pub fn termination(program: &CProgram) -> CFormula {
    let name = "the program has ended".to_owned();
    let named = NamedFormula {
        text: format!("<> ({name})"),
        formula: Formula::Until(Box::new(Formula::True), Box::new(Formula::Proposition(0))),
        propositions: vec![name.clone()],
    };
    CFormula { named, propositions: vec![(name, program.ended())] }
}

struct Propositions<'a> {
    program: &'a CProgram,
    named: Vec<(String, Observer)>,
}

impl Atoms for Propositions<'_> {
    fn is_atom(&self, text: &str) -> bool {
        parse(text).is_some()
    }

    fn atom(&mut self, text: &str, span: Span) -> Result<Formula, Diagnostic> {
        let wrong = |message: String| {
            let help = "a proposition is the name of a function `int p(void)`, or a global \
                        variable compared with a number: `flag == 1`, `queue.size < 3`, \
                        `turn[0] != 2`";
            Diagnostic::error("LT004", message, span).help(help)
        };
        let observer = match parse(text) {
            None => return Err(wrong(format!("`{text}` says nothing of a C program"))),
            Some(Atom::Function(name)) => self
                .program
                .function_named(name)
                .map_err(|why| wrong(format!("`{name}` cannot be a proposition: {why}")))?,
            Some(Atom::Comparison { path, sign, number }) => {
                self.program.comparison(path, sign, number).map_err(wrong)?
            }
        };
        let known = self.named.iter().position(|(_, other)| *other == observer);
        let idx = known.unwrap_or_else(|| {
            self.named.push((text.trim().to_owned(), observer));
            self.named.len() - 1
        });
        Ok(Formula::Proposition(idx as u32))
    }

    fn propositions(&self) -> Vec<String> {
        self.named.iter().map(|(name, _)| name.clone()).collect()
    }
}

enum Atom<'a> {
    Function(&'a str),
    Comparison { path: &'a str, sign: &'a str, number: i64 },
}

fn parse(text: &str) -> Option<Atom<'_>> {
    let text = text.trim();
    let Some(at) = text.find(['=', '!', '<', '>']) else {
        let name = text.strip_suffix("()").unwrap_or(text).trim_end();
        return is_name(name).then_some(Atom::Function(name));
    };
    let signs = ["==", "!=", "<=", ">=", "=", "<", ">"];
    let sign = signs.into_iter().find(|sign| text[at..].starts_with(sign))?;
    let number = number(text[at + sign.len()..].trim())?;
    let path = text[..at].trim();
    let is_path = path.split(['.', '[', ']']).map(str::trim).all(|part| {
        part.is_empty() || is_name(part) || part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let starts_well = path.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    (is_path && starts_well).then_some(Atom::Comparison { path, sign, number })
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(is_part)
}

fn number(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits.trim_start()),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16),
        None if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse(),
        None => return None,
    };
    value.ok().map(|value| if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::{Atom, parse};

    fn check(text: &str) -> String {
        match parse(text) {
            None => "nothing".into(),
            Some(Atom::Function(name)) => format!("{name}()"),
            Some(Atom::Comparison { path, sign, number }) => format!("{path} {sign} {number}"),
        }
    }

    #[test]
    fn a_name_is_a_function_and_a_comparison_is_one() {
        assert_eq!(check("is_idle"), "is_idle()");
        assert_eq!(check(" is_idle() "), "is_idle()");
        assert_eq!(check("flag[1]==0x10"), "flag[1] == 16");
        assert_eq!(check("queue.head != -1"), "queue.head != -1");
    }

    #[test]
    fn what_is_neither_is_nothing() {
        assert_eq!(check("1 == flag"), "nothing");
        assert_eq!(check("flag == other"), "nothing");
        assert_eq!(check("f(1)"), "nothing");
        assert_eq!(check(""), "nothing");
    }
}
