//! A Boolean program as it is written. Both dialects give the same tree; names are
//! not looked up yet.

use model::Span;

/// A name, a number that is a label, or a number in an expression, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is written.
    pub text: String,
    /// Where it stands.
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
    /// How it is written.
    pub dialect: Dialect,
    /// The variables of all threads.
    pub globals: Vec<Decl>,
    /// The procedures.
    pub procedures: Vec<Procedure>,
    /// `init p;`: a thread runs `p` at the start.
    pub starts: Vec<Name>,
    /// Labels outside of all procedures: to go there is an error.
    pub error_labels: Vec<Name>,
}

/// What a variable can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// True or false.
    Bool,
    /// A lock with an owner.
    Lock,
    /// Numbers: read, but their statements have no meaning here.
    Number,
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// Its name.
    pub name: Name,
    /// What it can hold.
    pub kind: Type,
    /// What it begins with.
    pub init: Option<Expr>,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Its parameters, passed by value.
    pub params: Vec<Decl>,
    /// How many values it returns.
    pub n_results: u32,
    /// Its statements, declarations among them.
    pub body: Vec<Stmt>,
    /// The last token, where a thread is that has come to the end.
    pub end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// In the order they are written.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands, without its labels.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Nothing.
    Skip,
    /// Declares variables of the procedure.
    Decl(Vec<Decl>),
    /// `enforce e;`: no step of the procedure leads to where `e` is false.
    Enforce(Expr),
    /// Parallel assignment.
    Assign {
        /// What is assigned.
        targets: Vec<Target>,
        /// One value for each.
        values: Vec<Expr>,
        /// What must be true of the values before and after it.
        constrain: Option<Expr>,
    },
    /// A call.
    Call {
        /// Where its results go; none: they are ignored.
        targets: Vec<Target>,
        /// What is called.
        procedure: Name,
        /// One value for each parameter.
        args: Vec<Expr>,
    },
    /// To any of the labels.
    Goto(Vec<Name>),
    /// A branch.
    If {
        /// Looked at once.
        condition: Expr,
        /// Where it is true.
        then: Vec<Stmt>,
        /// Where it is false.
        otherwise: Vec<Stmt>,
    },
    /// A loop.
    While {
        /// Looked at before each round.
        condition: Expr,
        /// A round.
        body: Vec<Stmt>,
    },
    /// Statements in braces.
    Block(Vec<Stmt>),
    /// Leaves the innermost loop, or outside of loops the innermost branch.
    Break,
    /// Begins the next round of the innermost loop.
    Continue,
    /// `assume(e)`, `wait(e)`; `abortif(e)` is `assume(!e)`.
    Assume(Expr),
    /// An error if it is false.
    Assert(Expr),
    /// A new thread goes on at the label, with a copy of the locals.
    StartThread(Name),
    /// A new thread runs the procedure.
    CreateThread(Name),
    /// The thread ends.
    EndThread,
    /// Nobody else steps from here on.
    AtomicBegin,
    /// Others may step again.
    AtomicEnd,
    /// Statements during which nobody else steps.
    Atomic(Vec<Stmt>),
    /// Back to the caller.
    Return(Vec<Expr>),
    /// The values no longer matter.
    Dead(Vec<Name>),
    /// Waits for a lock and takes it.
    Acquire(Name),
    /// Gives a lock back.
    Release(Name),
    /// Something that has no meaning here: arithmetic, or a word that nobody declared.
    Opaque(String),
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable.
    pub name: Name,
    /// `x$`: the local of every other thread.
    pub is_passive: bool,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is made of.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// Every variable that it speaks of, as often as it does.
    pub fn each_name<'e>(&'e self, visit: &mut dyn FnMut(&'e str)) {
        match &self.kind {
            ExprKind::Var(name) | ExprKind::Next(name) | ExprKind::Passive(name) => visit(name),
            ExprKind::Not(inner) => inner.each_name(visit),
            ExprKind::Binary(_, left, right) | ExprKind::Schoose(left, right) => {
                left.each_name(visit);
                right.each_name(visit);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| part.each_name(visit));
            }
            ExprKind::Call(_, args) => args.iter().for_each(|arg| arg.each_name(visit)),
            ExprKind::Const(_) | ExprKind::Number(_) | ExprKind::Star => {}
        }
    }
}

/// What an expression is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `0`, `1`, `false`, `true`.
    Const(bool),
    /// A number that is neither 0 nor 1.
    Number(String),
    /// `*`: nobody controls it.
    Star,
    /// The value of a variable.
    Var(String),
    /// `'x`: the value after the assignment.
    Next(String),
    /// `x$`: a local of each other thread.
    Passive(String),
    /// The opposite.
    Not(Box<Expr>),
    /// Two operands.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `schoose[a, b]`: true if `a`, else false if `b`, else any.
    Schoose(Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The only thing on the right of an assignment.
    Call(String, Vec<Expr>),
}

/// What joins two operands; `!=` is the opposite of `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `=`, `<->`.
    Equal,
    /// `->`.
    Implies,
    /// `+`, `<` and the like: of numbers only.
    Arithmetic(&'static str),
}
