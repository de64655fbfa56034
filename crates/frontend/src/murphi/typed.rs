//! A Murphi model after names and types are settled: what the interpreter runs
//! and what is lowered to rule code.
//!
//! **Values.** An expression of simple type has a 64-bit value. A subrange value
//! is the number itself. Enumeration literals and scalarset elements of all types
//! have numbers of their own (`base`, `base + 1`, …; `false` is 0, `true` is 1), so
//! that members of a union never coincide.
//! **Codes.** In memory a simple value of a type with n values has a code: 0 is
//! undefined, 1 to n are its values in order (see [`Types::code_of`]).
//! **Places** are what can be assigned or passed by reference. Reading a simple
//! place whose code is 0 is a fault; copying a whole place is not.
//! **Order.** Choices number the instances of all rules in the order of the text,
//! the outermost parameter slowest.

use model::Span;

pub use super::types::{Type, TypeKind, Types};

/// Index in [`Program::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// Index in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// Index in the `locals` of the rule, function or property at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// Index in [`Program::covers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoverId(pub u32);

/// The type `boolean`, always the first.
pub const BOOLEAN: TypeId = TypeId(0);

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All types.
    pub types: Types,
    /// The state variables, in order.
    pub variables: Vec<Variable>,
    /// Functions and procedures.
    pub functions: Vec<Function>,
    /// Start states; their choices are numbered from 0.
    pub starts: Vec<Rule>,
    /// Rules; their choices are numbered from 0.
    pub rules: Vec<Rule>,
    /// Invariants, covers and liveness goals.
    pub properties: Vec<Predicate>,
    /// The `cover` statements of rules and functions.
    pub covers: Vec<CoverStatement>,
    /// States where one of these is false are not explored.
    pub assumptions: Vec<Predicate>,
    /// The propositions of the LTL formula, where one is asked.
    pub propositions: Vec<Predicate>,
    /// The constants, for reports and for `--const`.
    pub constants: Vec<(String, i64)>,
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
}

/// A name that is bound inside a rule, function or predicate.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// What it stands for.
    pub kind: LocalKind,
    /// Where it is bound.
    pub span: Span,
}

/// What a local name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A value that never changes while it is bound: parameters of rulesets,
    /// variables of `for`, quantifiers and `choose`, aliases of values.
    Value,
    /// A variable of its own, undefined at the start of each execution of its scope.
    Variable,
    /// Another place, fixed when it is bound: `var` parameters, aliases of places.
    Reference,
    /// A parameter without `var`: a reference where the argument is a place of the
    /// same type, a value otherwise. Never assigned.
    ReadOnly,
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: String,
    /// The parameters: the first locals, in order, of kind `Reference` or `ReadOnly`.
    pub n_parameters: u32,
    /// All locals.
    pub locals: Vec<Local>,
    /// A simple type; `None` for a procedure.
    pub returns: Option<TypeId>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// May it write to state variables or to its `var` parameters, itself or
    /// through what it calls?
    pub has_effects: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A rule or start state with all of its instances.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Name; `rule 3` or the like where the text gives none.
    pub name: String,
    /// What surrounds it, outermost first.
    pub binders: Vec<Binder>,
    /// All locals.
    pub locals: Vec<Local>,
    /// The guard; `None` is true.
    pub guard: Option<Expr>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Only enabled rules with the smallest number fire.
    pub priority: i64,
    /// The choice of its first instance.
    pub first_choice: u64,
    /// Number of instances: the product of the binders' sizes.
    pub n_instances: u64,
    /// Where it stands.
    pub span: Span,
}

/// What a ruleset binds.
#[derive(Clone, Debug)]
pub enum Binder {
    /// All values of a domain.
    Each {
        /// The name.
        local: LocalId,
        /// The domain; its bounds are constant.
        domain: Domain,
    },
    /// All slots of a multiset that are in use; as many instances as there are slots.
    Choose {
        /// The name of the slot.
        local: LocalId,
        /// The multiset.
        multiset: Place,
    },
    /// An alias.
    Alias {
        /// The name.
        local: LocalId,
        /// What it stands for.
        target: Argument,
    },
}

/// Something that is true or false of a state.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Name.
    pub name: String,
    /// What is asked.
    pub kind: model::PropertyKind,
    /// All locals.
    pub locals: Vec<Local>,
    /// The condition. Surrounding rulesets have become quantifiers (aliases are
    /// [`ExprKind::Let`]).
    pub condition: Expr,
    /// Where it stands.
    pub span: Span,
}

/// A `cover` statement: some evaluation should reach it while its condition is true.
#[derive(Clone, Debug)]
pub struct CoverStatement {
    /// Name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// The values that a bound name takes, in order.
#[derive(Clone, Debug)]
pub enum Domain {
    /// All values of a simple type.
    Type(TypeId),
    /// `from`, `from + by`, … while not beyond `to`. `by` is not zero (a fault
    /// otherwise, where it is not constant).
    Range {
        /// First value.
        from: Box<Expr>,
        /// Last value.
        to: Box<Expr>,
        /// Distance.
        by: Box<Expr>,
    },
}

/// An expression of simple type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The smallest and largest value that it can have.
    pub bounds: (i64, i64),
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant: a number, a literal, a constant name.
    Constant(i64),
    /// The value at a place of simple type; a fault where it is undefined.
    Read(Box<Place>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands. `And`, `Or` and `Implies` evaluate the right
    /// one only where it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? left : right`, only one of which is evaluated.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Equality of two places that name elements of scalarsets or hold values of
    /// unions. They may be undefined: no element is equal to none, as CMurphi has it.
    /// Each place is found, and its contents read, once.
    SameElement {
        /// Is it `!=`?
        negated: bool,
        /// One place.
        left: Box<Place>,
        /// Another.
        right: Box<Place>,
    },
    /// Equality of two places of the same record or array type without multisets,
    /// compared as they lie in memory (undefined parts are equal to each other).
    SamePlace {
        /// Is it `!=`?
        negated: bool,
        /// One place.
        left: Box<Place>,
        /// Another.
        right: Box<Place>,
    },
    /// `forall` or `exists`; stops at the first value that decides, unless the values
    /// have no order ([`Domain::is_unordered`]): then all are tried, since a fault must
    /// not depend on which element comes first.
    Quantified {
        /// Is it `forall`?
        forall: bool,
        /// The bound name.
        local: LocalId,
        /// Its values.
        domain: Domain,
        /// The condition.
        body: Box<Expr>,
    },
    /// An alias around an expression.
    Let {
        /// The name.
        local: LocalId,
        /// What it stands for.
        target: Box<Argument>,
        /// Where it is visible.
        body: Box<Expr>,
    },
    /// A call of a function.
    Call(FunctionId, Vec<Argument>),
    /// `isundefined`: is the code 0?
    IsUndefined(Box<Place>),
    /// `ismember`: is the value one of this type's?
    IsMember(Box<Expr>, TypeId),
    /// `multisetcount`: the number of slots in use for which the condition is true.
    MultisetCount {
        /// The bound slot.
        local: LocalId,
        /// The multiset.
        multiset: Box<Place>,
        /// The condition.
        body: Box<Expr>,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`; a fault beyond 64 bits.
    Negate,
    /// `~`
    BitNot,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`; this and the other arithmetic is a fault beyond 64 bits.
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero; by zero is a fault.
    Div,
    /// `%`, with the sign of the dividend; by zero is a fault.
    Rem,
    /// `&` on truth values.
    And,
    /// `|` on truth values.
    Or,
    /// `->`
    Implies,
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&` on numbers.
    BitAnd,
    /// `|` on numbers.
    BitOr,
    /// `^`
    BitXor,
    /// `<<`; see `model::rule_code::BinaryOp::Shl`.
    Shl,
    /// `>>`; see `model::rule_code::BinaryOp::Shr`.
    Shr,
}

/// What can be assigned or passed by reference.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// How it goes on.
    pub path: Vec<Projection>,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A state variable, by index in [`Program::variables`].
    Variable(u32),
    /// A local name. One of kind `Value` has no path and is only read.
    Local(LocalId),
}

/// One step into a place.
#[derive(Clone, Debug)]
pub enum Projection {
    /// A field of a record, by index.
    Field(u32),
    /// An element of an array. An index outside of the index type is a fault.
    Index(Expr),
    /// The element in a slot of a multiset. A slot that is not in use is a fault.
    Slot(Expr),
}

/// What a name is bound to, or what is assigned.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A place. Bound: the place itself, found once. Assigned: its contents, which
    /// may be undefined.
    Place(Place),
    /// A value, computed once.
    Value(Expr),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `target := value`. A value outside of the target's type is a fault. A place
    /// of simple type may be undefined (the target becomes undefined) and may have
    /// another type (a defined value is then checked). Other places have the same
    /// type, and are copied whole.
    Assign(Place, Argument),
    /// `if`; the last arm has no condition where there is an `else`.
    If(Vec<(Option<Expr>, Vec<Stmt>)>),
    /// `switch`: the first arm with an equal value; values are evaluated in order.
    Switch {
        /// What is compared.
        subject: Expr,
        /// Values and statements.
        arms: Vec<(Vec<Expr>, Vec<Stmt>)>,
        /// Where no arm fits.
        otherwise: Vec<Stmt>,
    },
    /// `for`. Bounds are evaluated once.
    For {
        /// The bound name.
        local: LocalId,
        /// Its values.
        domain: Domain,
        /// What is done for each.
        body: Vec<Stmt>,
    },
    /// `while`.
    While(Expr, Vec<Stmt>),
    /// `alias`.
    Alias {
        /// The name.
        local: LocalId,
        /// What it stands for.
        target: Argument,
        /// Where it is visible.
        body: Vec<Stmt>,
    },
    /// A call of a procedure, or of a function whose value is not used.
    Call(FunctionId, Vec<Argument>),
    /// `clear`: the smallest value of each part; multisets become empty.
    Clear(Place),
    /// `undefine`: no part has a value; multisets become empty.
    Undefine(Place),
    /// `error`: a fault.
    Error(String),
    /// `assert`: a fault where it is false.
    Assert(Expr, String),
    /// `assume`: where it is false, the rule has no successor and is not a fault.
    Assume(Expr),
    /// `cover`: reached where it is true. It changes nothing.
    Cover(Expr, CoverId),
    /// `put`: evaluated for its faults alone; shown in traces.
    Put(Vec<PutItem>),
    /// `return`. In a rule it ends the rule.
    Return(Option<Expr>),
    /// `multisetadd`: into the first slot that is not in use; a fault when full.
    MultisetAdd(Place, Argument),
    /// `multisetremove`: the slot is no longer in use. A slot not in use is a fault.
    MultisetRemove(Place, Expr),
    /// `multisetremovepred`: all slots in use for which the condition is true.
    MultisetRemoveIf {
        /// The bound slot.
        local: LocalId,
        /// The multiset.
        multiset: Place,
        /// The condition.
        condition: Expr,
    },
}

/// What `put` prints.
#[derive(Clone, Debug)]
pub enum PutItem {
    /// A text.
    Text(String),
    /// A value.
    Value(Expr),
    /// A whole place.
    Place(Place),
}

impl Domain {
    /// Are these elements of a scalarset, which may be permuted?
    pub fn is_unordered(&self, types: &Types) -> bool {
        match self {
            Domain::Type(ty) => types.has_elements(*ty),
            Domain::Range { .. } => false,
        }
    }

    /// How many values a binder's domain has.
    pub fn n_values(&self, types: &Types) -> u64 {
        match self {
            Domain::Type(ty) => types.n_values(*ty),
            Domain::Range { from, to, by } => {
                let n = n_numbers(from.constant(), to.constant(), by.constant());
                n.expect("the resolver refuses ranges that cannot be counted")
            }
        }
    }

    /// Number `idx` of the values of a binder's domain.
    pub fn nth_value(&self, types: &Types, idx: u64) -> Option<i64> {
        match self {
            Domain::Type(ty) => types.value_of(*ty, idx.checked_add(1)?),
            Domain::Range { from, by, .. } => {
                let distance = i128::from(idx) * i128::from(by.constant());
                i64::try_from(i128::from(from.constant()) + distance).ok()
            }
        }
    }
}

impl Expr {
    /// The value of a bound of a binder's domain, which is constant.
    ///
    /// # Panics
    /// It is not.
    pub fn constant(&self) -> i64 {
        match self.kind {
            ExprKind::Constant(value) => value,
            _ => unreachable!("the resolver gives binders constant bounds"),
        }
    }
}

/// How many numbers `from`, `from + by`, … are not beyond `to`; `None` where `by` is
/// zero or there are more than can be counted.
pub fn n_numbers(from: i64, to: i64, by: i64) -> Option<u64> {
    let (from, to, by) = (i128::from(from), i128::from(to), i128::from(by));
    let n_steps = (to - from).checked_div(by)?;
    if (to - from) * by.signum() < 0 { Some(0) } else { u64::try_from(n_steps + 1).ok() }
}
