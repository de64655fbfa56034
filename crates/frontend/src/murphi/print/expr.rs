//! Expressions and places.
//!
//! What binds how tightly differs among dialects, so that parentheses are around all but the
//! arithmetic, comparisons, conjunctions and disjunctions that all read alike. An alias within an
//! expression, which no dialect has, is replaced by what it stands for.

use crate::murphi::typed::{
    Argument, BOOLEAN, BinaryOp, Domain, Expr, ExprKind, FunctionId, LocalKind, Place, Projection,
    Root, TypeId, TypeKind, UnaryOp,
};

use super::Printer;
use super::scope::Replacement;

/// How tightly a text binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Loose,
    Implies,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Atom,
}

/// A text, and how tightly it binds.
pub(super) type Written = (String, Level);

impl Printer<'_> {
    /// An expression of this type, or of the one that can be seen; alone.
    pub(super) fn expr(&mut self, expr: &Expr, ty: Option<TypeId>) -> String {
        self.write(expr, ty).0
    }

    /// A condition, alone.
    pub(super) fn condition(&mut self, expr: &Expr) -> String {
        self.expr(expr, Some(BOOLEAN))
    }

    /// A condition among others.
    pub(super) fn conjunct(&mut self, expr: &Expr, loosest: Level) -> String {
        self.operand(expr, Some(BOOLEAN), loosest)
    }

    fn operand(&mut self, expr: &Expr, ty: Option<TypeId>, loosest: Level) -> String {
        let written = self.write(expr, ty);
        enclosed(written, loosest)
    }

    fn write(&mut self, expr: &Expr, ty: Option<TypeId>) -> Written {
        match &expr.kind {
            ExprKind::Constant(value) => {
                let text = self.spelling.value(ty, *value);
                let level = if text.starts_with('-') { Level::Loose } else { Level::Atom };
                (text, level)
            }
            ExprKind::Read(place) => self.write_place(place),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, left, right) => {
                let ty = ty.or_else(|| self.type_of(left)).or_else(|| self.type_of(right));
                let condition = self.operand(condition, Some(BOOLEAN), Level::Implies);
                let left = self.operand(left, ty, Level::Implies);
                let right = self.operand(right, ty, Level::Implies);
                (format!("{condition} ? {left} : {right}"), Level::Loose)
            }
            ExprKind::SameElement { negated, left, right } => {
                self.same_element(*negated, left, right)
            }
            ExprKind::SamePlace { negated, left, right } => {
                let op = if *negated { "!=" } else { "=" };
                let (left, right) = (self.place(left), self.place(right));
                (format!("{left} {op} {right}"), Level::Comparison)
            }
            ExprKind::Quantified { forall, local, domain, body } => {
                let word = if *forall { "forall" } else { "exists" };
                let bound = self.scope.bind(*local);
                let domain = self.domain(domain, self.scope.locals[local.0 as usize].ty);
                let body = self.condition(body);
                self.scope.unbind(*local);
                (format!("{word} {bound}{domain} do {body} end{word}"), Level::Atom)
            }
            ExprKind::Let { local, target, body } => {
                let named = self.scope.locals[local.0 as usize].ty;
                let (written, is_value) = match &**target {
                    Argument::Place(place) => (self.write_place(place), self.is_value(place)),
                    Argument::Value(value) => (self.write(value, Some(named)), true),
                };
                self.scope.replaced.insert(*local, Replacement { written, is_value });
                self.write(body, ty)
            }
            ExprKind::Call(function, arguments) => (self.call(*function, arguments), Level::Atom),
            ExprKind::IsUndefined(place) => {
                (format!("isundefined({})", self.place(place)), Level::Atom)
            }
            ExprKind::IsMember(value, ty) => self.is_member(value, *ty),
            ExprKind::MultisetCount { local, multiset, body } => {
                let multiset = self.place(multiset);
                let bound = self.scope.bind(*local);
                let body = self.condition(body);
                self.scope.unbind(*local);
                (format!("multisetcount({bound} : {multiset}, {body})"), Level::Atom)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Written {
        match (op, &operand.kind) {
            (UnaryOp::Not, ExprKind::Binary(BinaryOp::Eq, left, right)) => {
                self.binary(BinaryOp::Ne, left, right)
            }
            (UnaryOp::Not, ExprKind::Binary(BinaryOp::Ne, left, right)) => {
                self.binary(BinaryOp::Eq, left, right)
            }
            (UnaryOp::Not, ExprKind::SameElement { negated, left, right }) => {
                self.same_element(!negated, left, right)
            }
            (UnaryOp::Not, _) => {
                (format!("!{}", self.operand(operand, Some(BOOLEAN), Level::Atom)), Level::Not)
            }
            (UnaryOp::Negate, _) => {
                (format!("-{}", self.operand(operand, None, Level::Atom)), Level::Loose)
            }
            (UnaryOp::BitNot, _) => {
                (format!("~{}", self.operand(operand, None, Level::Atom)), Level::Loose)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Written {
        let (symbol, level, (of_left, of_right)) = notation(op);
        let ty = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => Some(BOOLEAN),
            BinaryOp::Eq | BinaryOp::Ne => self.type_of(left).or_else(|| self.type_of(right)),
            _ => None,
        };
        let left = self.operand(left, ty, of_left);
        let right = self.operand(right, ty, of_right);
        (format!("{left} {symbol} {right}"), level)
    }

    /// Equality of elements that may be undefined. Where they are numbers in the text, they must
    /// not be compared then; and in no abstract model, for the sake of other tools.
    fn same_element(&mut self, negated: bool, left: &Place, right: &Place) -> Written {
        let is_defined = [self.is_value(left), self.is_value(right)];
        let is_number = self.spelling.is_number(left.ty) || self.spelling.is_number(right.ty);
        let is_plain = !(self.spelling.has_parameter() || is_number);
        let (left, right) = (self.place(left), self.place(right));
        let op = if negated { "!=" } else { "=" };
        let same = format!("{left} {op} {right}");
        let guarded = |asked: &str| match negated {
            true => (format!("isundefined({asked}) | {same}"), Level::Or),
            false => (format!("!isundefined({asked}) & {same}"), Level::And),
        };
        match is_defined {
            _ if is_plain => (same, Level::Comparison),
            [true, true] => (same, Level::Comparison),
            [false, true] => guarded(&left),
            [true, false] => guarded(&right),
            [false, false] => {
                let (none, both) = match negated {
                    true => ("!", format!("isundefined({right}) | {same}")),
                    false => ("", format!("!isundefined({right}) & {same}")),
                };
                let text = format!("isundefined({left}) ? {none}isundefined({right}) : ({both})");
                (text, Level::Loose)
            }
        }
    }

    fn is_member(&mut self, value: &Expr, ty: TypeId) -> Written {
        if let ExprKind::Constant(value) = value.kind {
            let is_member = self.program.types.code_of(ty, value).is_some();
            return (is_member.to_string(), Level::Atom);
        }
        let value = self.expr(value, None);
        (format!("ismember({value}, {})", self.spelling.ty(ty)), Level::Atom)
    }

    /// Is it a name that is bound to a value?
    fn is_value(&self, place: &Place) -> bool {
        match place.root {
            Root::Variable(_) => false,
            Root::Local(local) => {
                let is_value = match self.scope.replaced.get(&local) {
                    Some(replacement) => replacement.is_value,
                    None => self.scope.locals[local.0 as usize].kind == LocalKind::Value,
                };
                is_value && place.path.is_empty()
            }
        }
    }

    /// A place.
    pub(super) fn place(&mut self, place: &Place) -> String {
        enclosed(self.write_place(place), Level::Atom)
    }

    fn write_place(&mut self, place: &Place) -> Written {
        let (root, mut ty) = match place.root {
            Root::Variable(variable) => {
                let name = self.variables[variable as usize].clone();
                ((name, Level::Atom), self.program.variables[variable as usize].ty)
            }
            Root::Local(local) => {
                let ty = self.scope.locals[local.0 as usize].ty;
                match self.scope.replaced.get(&local) {
                    Some(replacement) => (replacement.written.clone(), ty),
                    None => ((self.scope.name(local), Level::Atom), ty),
                }
            }
        };
        if place.path.is_empty() {
            return root;
        }
        let mut text = enclosed(root, Level::Atom);
        for step in &place.path {
            let (index, element) = match (step, self.program.types.kind(ty)) {
                (Projection::Field(field), TypeKind::Record { fields }) => {
                    let (name, element) = &fields[*field as usize];
                    text.push_str(&format!(".{name}"));
                    ty = *element;
                    continue;
                }
                (Projection::Index(index), TypeKind::Array { index: over, element }) => {
                    ((index, Some(*over)), *element)
                }
                (
                    Projection::Index(index) | Projection::Slot(index),
                    TypeKind::Multiset { element, .. },
                ) => ((index, None), *element),
                _ => unreachable!("the path fits the type"),
            };
            let index = self.expr(index.0, index.1);
            text.push_str(&format!("[{index}]"));
            ty = element;
        }
        (text, Level::Atom)
    }

    /// A call of a function or procedure.
    pub(super) fn call(&mut self, function: FunctionId, arguments: &[Argument]) -> String {
        let program = self.program;
        let called = &program.functions[function.0 as usize];
        let pairs = called.locals.iter().zip(arguments);
        let arguments: Vec<String> =
            pairs.map(|(parameter, argument)| self.argument(argument, parameter.ty)).collect();
        format!("{}({})", self.functions[function.0 as usize], arguments.join(", "))
    }

    /// What is passed, assigned or bound as something of this type.
    pub(super) fn argument(&mut self, argument: &Argument, ty: TypeId) -> String {
        match argument {
            Argument::Place(place) => self.place(place),
            Argument::Value(value) => self.expr(value, Some(ty)),
        }
    }

    /// What stands behind a bound name of this type.
    pub(super) fn domain(&mut self, domain: &Domain, ty: TypeId) -> String {
        let (from, to, by) = match domain {
            Domain::Type(ty) => return format!(" : {}", self.spelling.ty(*ty)),
            Domain::Range { from, to, by } => (from, to, by),
        };
        if let (ExprKind::Constant(first), ExprKind::Constant(last)) = (&from.kind, &to.kind)
            && let Some(part) = self.spelling.part_of_parameter(ty, *first, *last)
        {
            return format!(" : {part}");
        }
        let (from, to) = (self.expr(from, Some(ty)), self.expr(to, Some(ty)));
        match by.kind {
            ExprKind::Constant(1) => format!(" := {from} to {to}"),
            _ => format!(" := {from} to {to} by {}", self.expr(by, None)),
        }
    }

    /// The type of a value, where it can be seen; none of a constant.
    pub(super) fn type_of(&self, expr: &Expr) -> Option<TypeId> {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::MultisetCount { .. } => None,
            ExprKind::Read(place) => Some(place.ty),
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::SameElement { .. }
            | ExprKind::SamePlace { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(..) => Some(BOOLEAN),
            ExprKind::Unary(..) => None,
            ExprKind::Binary(op, ..) => gives_truth(*op).then_some(BOOLEAN),
            ExprKind::Conditional(_, left, right) => {
                self.type_of(left).or_else(|| self.type_of(right))
            }
            ExprKind::Let { body, .. } => self.type_of(body),
            ExprKind::Call(function, _) => self.program.functions[function.0 as usize].returns,
        }
    }
}

/// In parentheses where it binds less tightly than needed.
pub(super) fn enclosed((text, level): Written, loosest: Level) -> String {
    if level < loosest { format!("({text})") } else { text }
}

fn gives_truth(op: BinaryOp) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Implies, Le, Lt, Ne, Or};
    matches!(op, And | Or | Implies | Eq | Ne | Lt | Le | Gt | Ge)
}

/// An operator, how tightly it binds, and how tightly its operands have to.
fn notation(op: BinaryOp) -> (&'static str, Level, (Level, Level)) {
    let compared = (Level::Sum, Level::Sum);
    let alone = (Level::Atom, Level::Atom);
    match op {
        BinaryOp::Add => ("+", Level::Sum, (Level::Sum, Level::Product)),
        BinaryOp::Sub => ("-", Level::Sum, (Level::Sum, Level::Product)),
        BinaryOp::Mul => ("*", Level::Product, (Level::Product, Level::Atom)),
        BinaryOp::Div => ("/", Level::Product, (Level::Product, Level::Atom)),
        BinaryOp::Rem => ("%", Level::Product, (Level::Product, Level::Atom)),
        BinaryOp::And => ("&", Level::And, (Level::And, Level::And)),
        BinaryOp::Or => ("|", Level::Or, (Level::Or, Level::Or)),
        BinaryOp::Implies => ("->", Level::Implies, (Level::Or, Level::Or)),
        BinaryOp::Eq => ("=", Level::Comparison, compared),
        BinaryOp::Ne => ("!=", Level::Comparison, compared),
        BinaryOp::Lt => ("<", Level::Comparison, compared),
        BinaryOp::Le => ("<=", Level::Comparison, compared),
        BinaryOp::Gt => (">", Level::Comparison, compared),
        BinaryOp::Ge => (">=", Level::Comparison, compared),
        BinaryOp::BitAnd => ("&", Level::Loose, alone),
        BinaryOp::BitOr => ("|", Level::Loose, alone),
        BinaryOp::BitXor => ("^", Level::Loose, alone),
        BinaryOp::Shl => ("<<", Level::Loose, alone),
        BinaryOp::Shr => (">>", Level::Loose, alone),
    }
}
