//! A formula as it is written.

use model::Span;

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ast {
    Constant(bool),
    /// What the language of the model must make sense of.
    Atom(Span),
    Unary(Unary, Box<Ast>),
    Binary(Binary, Box<Ast>, Box<Ast>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Next,
    Always,
    Eventually,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Until,
    WeakUntil,
    Release,
    And,
    Or,
    Implies,
    Equivalent,
}

impl Binary {
    /// How tightly it binds; more is tighter.
    pub fn tightness(self) -> u32 {
        match self {
            Binary::Until | Binary::WeakUntil | Binary::Release => 4,
            Binary::And => 3,
            Binary::Or => 2,
            Binary::Implies | Binary::Equivalent => 1,
        }
    }
}
