//! A Boolean program as it is written. Both dialects give the same tree; names are
//! not looked up yet.

use model::Span;

/// A name, a number that is a label, or a number in an expression, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// How a program is written; it also says who runs `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Procedures with `begin` and `end`: any number of threads run `main`.
    Satabs,
    /// Procedures with braces: one thread runs `main` and creates the others.
    Cuba,
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub dialect: Dialect,
    pub globals: Vec<Decl>,
    pub procedures: Vec<Procedure>,
    /// `init p;`: a thread runs `p` at the start.
    pub starts: Vec<Name>,
    /// Labels outside of all procedures: to go there is an error.
    pub error_labels: Vec<Name>,
}

/// What a variable can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    /// A lock with an owner.
    Lock,
    /// Numbers: read, but their statements have no meaning here.
    Number,
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    pub name: Name,
    pub kind: Type,
    pub init: Option<Expr>,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    pub name: Name,
    pub params: Vec<Decl>,
    pub n_results: u32,
    pub body: Vec<Stmt>,
    /// The last token, where a thread is that has come to the end.
    pub end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    pub labels: Vec<Name>,
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    Skip,
    Decl(Vec<Decl>),
    /// `enforce e;`: no step of the procedure leads to where `e` is false.
    Enforce(Expr),
    Assign {
        targets: Vec<Target>,
        values: Vec<Expr>,
        constrain: Option<Expr>,
    },
    Call {
        targets: Vec<Target>,
        procedure: Name,
        args: Vec<Expr>,
    },
    Goto(Vec<Name>),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    /// Statements in braces.
    Block(Vec<Stmt>),
    Break,
    Continue,
    /// `assume(e)`, `wait(e)`; `abortif(e)` is `assume(!e)`.
    Assume(Expr),
    Assert(Expr),
    StartThread(Name),
    CreateThread(Name),
    EndThread,
    AtomicBegin,
    AtomicEnd,
    Atomic(Vec<Stmt>),
    Return(Vec<Expr>),
    Dead(Vec<Name>),
    Acquire(Name),
    Release(Name),
    /// Something that has no meaning here: arithmetic, or a word that nobody declared.
    Opaque(String),
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub name: Name,
    /// `x$`: the local of every other thread.
    pub is_passive: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Const(bool),
    /// A number that is neither 0 nor 1.
    Number(String),
    /// `*`: nobody controls it.
    Star,
    Var(String),
    /// `'x`: the value after the assignment.
    Next(String),
    /// `x$`: a local of each other thread.
    Passive(String),
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `schoose[a, b]`: true if `a`, else false if `b`, else any.
    Schoose(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The only thing on the right of an assignment.
    Call(String, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Xor,
    Equal,
    Implies,
    /// `+`, `<` and the like: of numbers only.
    Arithmetic(&'static str),
}
