//! Formulas of linear temporal logic over numbered propositions.

use std::fmt;

/// A formula. `W`, `R`, `<->` and the rest are spelled out by the reader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Always true.
    True,
    /// Never true.
    False,
    /// Proposition number `.0` holds in the first state.
    Proposition(u32),
    /// Not.
    Not(Box<Formula>),
    /// And.
    And(Box<Formula>, Box<Formula>),
    /// Or.
    Or(Box<Formula>, Box<Formula>),
    /// In the next state.
    Next(Box<Formula>),
    /// The first holds until the second does, and the second does at last.
    Until(Box<Formula>, Box<Formula>),
    /// The second holds up to and including the moment when the first does, or
    /// for ever.
    Release(Box<Formula>, Box<Formula>),
}

/// A formula as the user wrote it, with what its propositions are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFormula {
    /// The text.
    pub text: String,
    /// The formula.
    pub formula: Formula,
    /// The text of each proposition.
    pub propositions: Vec<String>,
}

/// Which actors are assumed to be fair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// None.
    #[default]
    None,
    /// Weak fairness: an actor that from some point on can always step does step
    /// again and again, and steps for no reason happen finitely often.
    Weak,
}

impl Formula {
    /// Does the operator `X` occur?
    pub fn has_next(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Proposition(_) => false,
            Formula::Next(_) => true,
            Formula::Not(inner) => inner.has_next(),
            Formula::And(left, right)
            | Formula::Or(left, right)
            | Formula::Until(left, right)
            | Formula::Release(left, right) => left.has_next() || right.has_next(),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::True => write!(f, "true"),
            Formula::False => write!(f, "false"),
            Formula::Proposition(idx) => write!(f, "p{idx}"),
            Formula::Not(inner) => write!(f, "!{inner}"),
            Formula::And(left, right) => write!(f, "({left} && {right})"),
            Formula::Or(left, right) => write!(f, "({left} || {right})"),
            Formula::Next(inner) => write!(f, "X {inner}"),
            Formula::Until(left, right) => write!(f, "({left} U {right})"),
            Formula::Release(left, right) => write!(f, "({left} V {right})"),
        }
    }
}
