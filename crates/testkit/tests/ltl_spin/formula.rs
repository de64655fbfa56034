//! Random formulas as text, in what SPIN and our reader have in common.

use frontend::ltl::{Atoms, read};
use model::{Diagnostic, Formula, NamedFormula, Span};
use testkit::rng::Rng;

use crate::graph::N_PROPOSITIONS;

/// A formula with `size` operators. As the body of an `ltl` claim (`is_inline`), it
/// may have `W`, and parentheses may be left out, so that the readers are compared
/// as well; for `spin -f`, which has other precedences, they are always there.
pub fn random(rng: &mut Rng, size: u32, is_inline: bool) -> String {
    if size == 0 {
        return match rng.below(14) {
            0 => "true".to_owned(),
            1 => "false".to_owned(),
            _ => format!("p{}", rng.below(N_PROPOSITIONS)),
        };
    }
    let left_size = rng.below(size);
    let kind = rng.below(14);
    if kind < 5 {
        let operator = ["!", "[]", "<>", "[]", "<>"][kind as usize];
        return format!("{operator} {}", operand(rng, size - 1, is_inline));
    }
    let (left, right) =
        (operand(rng, left_size, is_inline), operand(rng, size - 1 - left_size, is_inline));
    let operator = match kind {
        5 | 6 => "&&",
        7 | 8 => "||",
        9 => "->",
        // SPIN needs minutes for equivalences of anything larger.
        10 if size == 1 => "<->",
        11 if is_inline => "W",
        12 => "V",
        _ => "U",
    };
    format!("{left} {operator} {right}")
}

fn operand(rng: &mut Rng, size: u32, is_inline: bool) -> String {
    let text = random(rng, size, is_inline);
    if size > 0 && !(is_inline && rng.chance(25)) { format!("({text})") } else { text }
}

/// The propositions `p0`, `p1`, … in the order of their numbers.
struct Numbered;

impl Atoms for Numbered {
    fn is_atom(&self, _text: &str) -> bool {
        false
    }

    fn atom(&mut self, text: &str, span: Span) -> Result<Formula, Diagnostic> {
        let number = text.strip_prefix('p').and_then(|number| number.parse().ok());
        number.map(Formula::Proposition).ok_or_else(|| Diagnostic::error("LT004", text, span))
    }

    fn propositions(&self) -> Vec<String> {
        (0..N_PROPOSITIONS).map(|idx| format!("p{idx}")).collect()
    }
}

/// The formula that a text means.
pub fn parse(text: &str) -> NamedFormula {
    let (formula, diagnostics) = read(0, text, &mut Numbered);
    formula.unwrap_or_else(|| panic!("`{text}`: {diagnostics:?}"))
}
