//! A Murphi model as written: names are not yet resolved.

use model::Span;

pub(crate) use super::typed::{BinaryOp, UnaryOp};

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// What stands at the top of a model.
#[derive(Debug)]
pub(crate) enum Item {
    Decl(Decl),
    Function(Function),
    Rule(Rule),
    /// A function whose mistakes are reported.
    Broken(Name),
}

/// A declaration.
#[derive(Debug)]
pub(crate) enum Decl {
    Const(Vec<Name>, Expr),
    Type(Vec<Name>, TypeExpr),
    Var(Vec<Name>, TypeExpr),
}

/// A type as written.
#[derive(Debug)]
pub(crate) struct TypeExpr {
    pub kind: TypeExprKind,
    pub span: Span,
}

/// What a type is written as.
#[derive(Debug)]
pub(crate) enum TypeExprKind {
    /// Already reported.
    Bad,
    Boolean,
    Named(String),
    Range(Box<Expr>, Box<Expr>),
    Enum(Vec<Name>),
    Scalarset(Box<Expr>),
    Union(Vec<TypeExpr>),
    Record(Vec<(Vec<Name>, TypeExpr)>),
    Array(Box<TypeExpr>, Box<TypeExpr>),
    Multiset(Box<Expr>, Box<TypeExpr>),
}

/// A function or, without `returns`, a procedure.
#[derive(Debug)]
pub(crate) struct Function {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub returns: Option<TypeExpr>,
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
}

/// Parameters with a common type.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub is_var: bool,
    pub names: Vec<Name>,
    pub ty: TypeExpr,
}

/// A rule, property or group of rules.
#[derive(Debug)]
pub(crate) struct Rule {
    pub kind: RuleKind,
    /// Its beginning: the keyword and the name.
    pub span: Span,
}

/// What a rule is.
#[derive(Debug)]
pub(crate) enum RuleKind {
    Simple(SimpleRule),
    Property { kind: PropertyWord, name: Option<String>, condition: Expr },
    Ruleset(Vec<Binding>, Vec<Rule>),
    Choose(Name, Expr, Vec<Rule>),
    Alias(Vec<(Name, Expr)>, Vec<Rule>),
}

/// A rule or start state.
#[derive(Debug)]
pub(crate) struct SimpleRule {
    pub is_start: bool,
    pub name: Option<String>,
    pub priority: Option<Expr>,
    pub guard: Option<Expr>,
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
}

/// The keyword of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyWord {
    Invariant,
    Assume,
    Cover,
    Liveness,
}

/// A name with the values that it takes.
#[derive(Debug)]
pub(crate) struct Binding {
    pub name: Name,
    pub domain: Domain,
}

/// The values of a bound name.
#[derive(Debug)]
pub(crate) enum Domain {
    Type(TypeExpr),
    Range { from: Box<Expr>, to: Box<Expr>, by: Option<Box<Expr>> },
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// Height of the tree, which the parser bounds.
    pub height: u32,
}

/// What an expression is.
#[derive(Debug)]
pub(crate) enum ExprKind {
    /// Already reported.
    Bad,
    Number(i64),
    Boolean(bool),
    Name(String),
    Field(Box<Expr>, Name),
    Index(Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Quantified {
        forall: bool,
        binding: Box<Binding>,
        body: Box<Expr>,
    },
    Call(Name, Vec<Expr>),
    IsUndefined(Box<Expr>),
    IsMember(Box<Expr>, Box<TypeExpr>),
    MultisetCount {
        name: Name,
        multiset: Box<Expr>,
        body: Box<Expr>,
    },
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub(crate) enum StmtKind {
    Assign(Expr, Expr),
    Call(Name, Vec<Expr>),
    If(Vec<(Option<Expr>, Vec<Stmt>)>),
    Switch { subject: Expr, arms: Vec<(Vec<Expr>, Vec<Stmt>)>, otherwise: Vec<Stmt> },
    For(Binding, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Alias(Vec<(Name, Expr)>, Vec<Stmt>),
    Clear(Expr),
    Undefine(Expr),
    Error(String),
    Assert(Expr, Option<String>),
    Assume(Expr),
    Cover(Expr, Option<String>),
    PutText(String),
    PutValue(Expr),
    Return(Option<Expr>),
    MultisetAdd(Expr, Expr),
    MultisetRemove(Expr, Expr),
    MultisetRemoveIf { name: Name, multiset: Expr, condition: Expr },
}
