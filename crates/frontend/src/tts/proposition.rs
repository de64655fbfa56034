//! What formulas say of a thread transition system: `shared == n` and
//! `local[n] >= k`, and the other signs of comparison.
//!
//! A proposition is a condition on the shared state, or that at least so many
//! threads are in a local state; `local[n] == k` is made of two of these.

use model::{Diagnostic, Formula, Span, TargetShape};

use crate::ltl::Atoms;
use crate::source::number;
use crate::tts::ast::Size;

/// The propositions of a formula.
#[derive(Clone, Debug)]
pub(crate) struct Propositions {
    size: Size,
    conditions: Vec<Condition>,
    shapes: Vec<TargetShape>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// The shared state is this one.
    Shared(u32),
    /// The shared state is below this one.
    SharedBelow(u32),
    /// At least so many threads are in this local state.
    Local { state: u32, at_least: u32 },
}

impl Propositions {
    /// None, for a system of this size.
    pub fn new(size: Size) -> Propositions {
        Propositions { size, conditions: Vec::new(), shapes: Vec::new() }
    }

    /// The patterns that the propositions are.
    pub fn shapes(&self) -> &[TargetShape] {
        &self.shapes
    }

    /// Does the shared state fit?
    pub fn fits_shared(&self, proposition: usize, shared: u32) -> bool {
        match self.conditions.get(proposition) {
            Some(Condition::Shared(wanted)) => shared == *wanted,
            Some(Condition::SharedBelow(bound)) => shared < *bound,
            Some(Condition::Local { .. }) => true,
            None => false,
        }
    }

    /// Does a thread in this local state count?
    pub fn fits_local(&self, proposition: usize, local: u32) -> bool {
        match self.conditions.get(proposition) {
            Some(Condition::Local { state, .. }) => local == *state,
            _ => false,
        }
    }

    fn proposition(&mut self, condition: Condition) -> Formula {
        let known = self.conditions.iter().position(|other| *other == condition);
        let idx = known.unwrap_or_else(|| {
            let (name, slots) = match condition {
                Condition::Shared(n) => (format!("shared == {n}"), Vec::new()),
                Condition::SharedBelow(n) => (format!("shared < {n}"), Vec::new()),
                Condition::Local { state, at_least } => {
                    (format!("local[{state}] >= {at_least}"), vec![at_least])
                }
            };
            self.conditions.push(condition);
            self.shapes.push(TargetShape { name, slots });
            self.shapes.len() - 1
        });
        Formula::Proposition(idx as u32)
    }

    fn at_least(&mut self, state: u32, at_least: u64) -> Formula {
        match u32::try_from(at_least) {
            Ok(0) => Formula::True,
            Ok(at_least) => self.proposition(Condition::Local { state, at_least }),
            Err(_) => Formula::False,
        }
    }

    fn shared_below(&mut self, bound: u64) -> Formula {
        match u32::try_from(bound) {
            Ok(0) => Formula::False,
            Ok(bound) => self.proposition(Condition::SharedBelow(bound)),
            Err(_) => Formula::True,
        }
    }

    fn formula(&mut self, Comparison { local, sign, value }: Comparison) -> Formula {
        let n = u64::from(value);
        let below = |own: &mut Propositions, bound: u64| match local {
            Some(state) => not(own.at_least(state, bound)),
            None => own.shared_below(bound),
        };
        match sign {
            "<" => below(self, n),
            "<=" => below(self, n + 1),
            ">" => not(below(self, n + 1)),
            ">=" => not(below(self, n)),
            _ => {
                let equal = match local {
                    None => self.proposition(Condition::Shared(value)),
                    Some(state) => Formula::And(
                        Box::new(self.at_least(state, n)),
                        Box::new(not(self.at_least(state, n + 1))),
                    ),
                };
                if sign == "!=" { not(equal) } else { equal }
            }
        }
    }
}

/// `!formula`, where `!!p` is `p`.
fn not(formula: Formula) -> Formula {
    match formula {
        Formula::Not(inner) => *inner,
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        other => Formula::Not(Box::new(other)),
    }
}

impl Atoms for Propositions {
    fn is_atom(&self, text: &str) -> bool {
        parse(text).is_some()
    }

    fn atom(&mut self, text: &str, span: Span) -> Result<Formula, Diagnostic> {
        let Some(comparison) = parse(text) else {
            let message = format!("`{text}` says nothing of a thread transition system");
            let help = "a proposition is `shared == n` or `local[n] >= k`; the signs are `==`, \
                        `!=`, `<`, `<=`, `>` and `>=`";
            return Err(Diagnostic::error("LT004", message, span).help(help));
        };
        let (what, state, limit) = match (comparison.local, comparison.sign) {
            (Some(local), _) => ("local", local, self.size.n_local),
            (None, "==" | "=" | "!=") => ("shared", comparison.value, self.size.n_shared),
            (None, _) => return Ok(self.formula(comparison)),
        };
        if state >= limit {
            let message = format!("there is no {what} state `{state}`");
            let help = format!("the {what} states are 0 to {}", limit.saturating_sub(1));
            return Err(Diagnostic::error("LT004", message, span).help(help));
        }
        Ok(self.formula(comparison))
    }

    fn propositions(&self) -> Vec<String> {
        self.shapes.iter().map(|shape| shape.name.clone()).collect()
    }
}

/// `shared == 2`, or `local[3] >= 2` where `local` is 3.
#[derive(Clone, Copy)]
struct Comparison<'a> {
    local: Option<u32>,
    sign: &'a str,
    value: u32,
}

fn parse(text: &str) -> Option<Comparison<'_>> {
    let signs = ["==", "!=", "<=", ">=", "=", "<", ">"];
    let at = text.find(['=', '!', '<', '>'])?;
    let sign = signs.into_iter().find(|sign| text[at..].starts_with(sign))?;
    let value = digits(&text[at + sign.len()..])?;
    let side = text[..at].trim();
    let local = match side.strip_prefix("local") {
        Some(index) => {
            let index = index.trim().strip_prefix('[')?.strip_suffix(']')?;
            Some(digits(index)?)
        }
        None if side == "shared" => None,
        None => return None,
    };
    Some(Comparison { local, sign: &text[at..at + sign.len()], value })
}

fn digits(text: &str) -> Option<u32> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { number(text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::Propositions;
    use crate::ltl;
    use crate::tts::ast::Size;

    /// The formula with its propositions, or the code and the message.
    fn check(text: &str) -> String {
        let mut propositions = Propositions::new(Size { n_shared: 3, n_local: 2 });
        match ltl::read(0, text, &mut propositions) {
            (Some(read), _) => format!("{}: {}", read.formula, read.propositions.join(", ")),
            (None, diagnostics) => diagnostics[0].message.clone(),
        }
    }

    #[test]
    fn every_sign_is_made_of_two_kinds_of_propositions() {
        assert_eq!(check("shared == 1"), "p0: shared == 1");
        assert_eq!(check("(shared != 1)"), "!p0: shared == 1");
        assert_eq!(check("shared >= 2"), "!p0: shared < 2");
        assert_eq!(check("shared <= 0"), "p0: shared < 1");
        assert_eq!(check("local[1] > 0"), "p0: local[1] >= 1");
        assert_eq!(check("local[1] < 2"), "!p0: local[1] >= 2");
        assert_eq!(check("local[ 0 ] >= 0"), "true: ");
        assert_eq!(check("local[0] == 1"), "(p0 && !p1): local[0] >= 1, local[0] >= 2");
        assert_eq!(check("[] (shared = 2 -> local[0] >= 1)"), {
            "(false V (!p0 || p1)): shared == 2, local[0] >= 1"
        });
    }

    #[test]
    fn states_that_do_not_exist_are_pointed_out() {
        assert_eq!(check("shared == 3"), "there is no shared state `3`");
        assert_eq!(check("local[2] >= 1"), "there is no local state `2`");
        assert_eq!(check("other == 3"), "`other == 3` says nothing of a thread transition system");
    }
}
