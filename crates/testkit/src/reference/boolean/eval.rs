//! Values of expressions. Each `*` of a statement, and each `schoose`, takes the next of a
//! list of choices, and all lists are tried.

use frontend::boolprog::ast::{Expr, ExprKind, Operator};

use super::code::Code;

/// The variables that an expression speaks of.
#[derive(Clone, Copy)]
pub(super) struct View<'s> {
    pub code: &'s Code<'s>,
    pub procedure: usize,
    pub now: Values<'s>,
    /// What primed names mean.
    pub next: Option<Values<'s>>,
    /// What names with `$` mean: the locals of another thread in the same procedure.
    pub other: Option<&'s [bool]>,
}

#[derive(Clone, Copy)]
pub(super) struct Values<'s> {
    pub globals: &'s [bool],
    pub locals: &'s [bool],
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Global(usize),
    Local(usize),
}

/// Choices, in the order in which they are asked for.
pub(super) struct Choices {
    bits: u64,
}

/// Statements with more `*` are refused.
const MAX_CHOICES: u32 = 16;

impl Choices {
    /// Every list of choices for these expressions.
    pub fn of(exprs: &[&Expr]) -> Result<impl Iterator<Item = Choices> + use<>, String> {
        let n: u32 = exprs.iter().map(|expr| n_choices(expr)).sum();
        if n > MAX_CHOICES {
            return Err(format!("a statement has {n} choices"));
        }
        Ok((0..1_u64 << n).map(|bits| Choices { bits }))
    }

    /// For expressions that choose nothing.
    pub fn none() -> Choices {
        Choices { bits: 0 }
    }

    fn next(&mut self) -> bool {
        let choice = self.bits & 1 == 1;
        self.bits >>= 1;
        choice
    }
}

fn n_choices(expr: &Expr) -> u32 {
    match &expr.kind {
        ExprKind::Star => 1,
        ExprKind::Not(inner) => n_choices(inner),
        ExprKind::Binary(_, left, right) => n_choices(left) + n_choices(right),
        ExprKind::Schoose(yes, no) => n_choices(yes) + n_choices(no) + 1,
        ExprKind::Conditional(condition, then, otherwise) => {
            n_choices(condition) + n_choices(then) + n_choices(otherwise)
        }
        _ => 0,
    }
}

impl View<'_> {
    /// The value of an expression.
    pub fn eval(&self, expr: &Expr, choices: &mut Choices) -> Result<bool, String> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Star => choices.next(),
            ExprKind::Var(name) => value(self.now, self.place(name)?),
            ExprKind::Next(name) => {
                value(self.next.ok_or("a primed name has no value here")?, self.place(name)?)
            }
            ExprKind::Passive(name) => match (self.other, self.place(name)?) {
                (Some(locals), Place::Local(idx)) => locals[idx],
                _ => return Err(format!("`{name}$` has no value here")),
            },
            ExprKind::Not(inner) => !self.eval(inner, choices)?,
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.eval(left, choices)?, self.eval(right, choices)?);
                match operator {
                    Operator::And => left && right,
                    Operator::Or => left || right,
                    Operator::Xor => left != right,
                    Operator::Equal => left == right,
                    Operator::Implies => !left || right,
                    Operator::Arithmetic(symbol) => {
                        return Err(format!("`{symbol}` is of numbers"));
                    }
                }
            }
            ExprKind::Schoose(yes, no) => {
                let (yes, no) = (self.eval(yes, choices)?, self.eval(no, choices)?);
                let any = choices.next();
                if yes { true } else { !no && any }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.eval(condition, choices)?;
                let (then, otherwise) = (self.eval(then, choices)?, self.eval(otherwise, choices)?);
                if condition { then } else { otherwise }
            }
            ExprKind::Number(text) => return Err(format!("{text} is a number")),
            ExprKind::Call(name, _) => return Err(format!("`{name}` is called inside a value")),
        })
    }

    /// The variable of a name: a local hides a global.
    pub fn place(&self, name: &str) -> Result<Place, String> {
        let locals = &self.code.procedures[self.procedure].locals;
        if let Some(idx) = locals.iter().position(|local| *local == name) {
            return Ok(Place::Local(idx));
        }
        let global = self.code.global_names.get(name);
        global.map(|&idx| Place::Global(idx)).ok_or_else(|| format!("`{name}` is not declared"))
    }
}

fn value(values: Values<'_>, place: Place) -> bool {
    match place {
        Place::Global(idx) => values.globals[idx],
        Place::Local(idx) => values.locals[idx],
    }
}
