//! A `.spec` file as it is written.

use model::{Bounds, Span};

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// The whole file. Sections that are absent are empty; `saw_*` tells the two
/// kinds of nothing apart.
#[derive(Debug, Default)]
pub(crate) struct Spec<'a> {
    pub vars: Vec<Name<'a>>,
    pub rules: Vec<Rule<'a>>,
    pub init: Vec<Constraint<'a>>,
    pub targets: Vec<Vec<Constraint<'a>>>,
    pub invariants: Vec<Vec<Constraint<'a>>>,
    pub saw_vars: bool,
    pub saw_rules: bool,
    pub saw_init: bool,
    pub saw_target: bool,
}

/// `x = n`, `x >= n` or `x in [a,b]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constraint<'a> {
    pub name: Name<'a>,
    pub bounds: Bounds,
    pub span: Span,
}

/// `guard -> effects;`
#[derive(Debug)]
pub(crate) struct Rule<'a> {
    pub guard: Vec<Constraint<'a>>,
    pub effects: Vec<Effect<'a>>,
    pub span: Span,
}

/// `target' = sources + constant`
#[derive(Debug)]
pub(crate) struct Effect<'a> {
    pub target: Name<'a>,
    pub sources: Vec<Name<'a>>,
    pub constant: i64,
}
