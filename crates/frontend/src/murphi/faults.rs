//! The faults of a Murphi model: for each place in the text where an evaluation can
//! fail, what is reported.
//!
//! The interpreter and the lowering both take their faults from here, so that they
//! report equal ones. A message names what stands in the text and never a value, so
//! that each place in the text has one fault.
//!
//! **Order.** Both evaluate in this order, so that the same fault comes first.
//! Operands from left to right. A place: from its root outwards; an index is
//! evaluated and checked before the path goes on. An assignment (and
//! `multisetadd`): the value, or the place it is copied from (whose contents are
//! read at once when the type is simple); then the target's place; then the check of
//! the value against the target's type; for `multisetadd`, then whether there is
//! room. `multisetremove`: the multiset's place, then the slot. `switch`: the
//! subject once, then the values of the arms until one is equal. A domain `from to
//! by`: in this order, then whether `by` is zero. Calls: for each argument in turn
//! its place or value, then the check against the parameter's type; then the depth.
//!
//! **Parameters.** A value given for a parameter, and a value returned, must lie in
//! the declared type. A place of simple type given for a parameter without `var` of
//! another type is read, and so is a fault where it is undefined.
//! **Loops.** A turn of `while` is counted after its condition was true; the turn
//! after the last allowed one is the fault.
//! **Division.** `/` and `%` of the smallest 64-bit number by -1 are faults.

use model::{Fault, FaultKind, Span};

use super::typed::{
    BinaryOp, Expr, ExprKind, Function, Local, LocalId, Place, Program, Projection, Root, Stmt,
    TypeId, TypeKind,
};

/// How deeply calls may nest: a call within this many others is a fault.
pub const MAX_CALL_DEPTH: u32 = 1000;

/// How often a `while` loop may turn unless the user says otherwise.
pub const DEFAULT_MAX_LOOP_TURNS: u64 = 1_000_000;

/// Index expressions in messages are written out to this depth.
const MAX_TEXT_DEPTH: u32 = 4;

/// The names that are visible where a fault happens.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The model.
    pub program: &'a Program,
    /// The locals of the rule, function or predicate at hand.
    pub locals: &'a [Local],
}

impl Scope<'_> {
    /// `place`, of simple type, is read and has no value.
    pub fn undefined(&self, place: &Place) -> Fault {
        let message = format!("`{}` is undefined", self.place_text(place));
        fault(FaultKind::Undefined, message, place.span)
    }

    /// The value assigned to `target`, of simple type, is not of its type. `span` is
    /// where the value stands.
    pub fn out_of_range(&self, target: &Place, span: Span) -> Fault {
        let place = self.place_text(target);
        let message = format!("value out of range: `{place}` is {}", self.type_text(target.ty));
        fault(FaultKind::Range, message, span)
    }

    /// The value added to `multiset` is not of its element type. `span` is where the
    /// value stands.
    pub fn element_out_of_range(&self, multiset: &Place, span: Span) -> Fault {
        let place = self.place_text(multiset);
        let message = match self.program.types.kind(multiset.ty) {
            TypeKind::Multiset { element, .. } => {
                let element = self.type_text(*element);
                format!("value out of range: elements of `{place}` are {element}")
            }
            _ => format!("value out of range: elements of `{place}`"),
        };
        fault(FaultKind::Range, message, span)
    }

    /// Step number `step` of the path of `place` is an index outside of the array's.
    pub fn index_out_of_range(&self, place: &Place, step: usize) -> Fault {
        let message = format!("index out of range: `{}`", self.path_text(place, step + 1));
        fault(FaultKind::Range, message, step_span(place, step))
    }

    /// Step number `step` of the path of `place` is a slot that is not in use.
    pub fn slot_not_in_use(&self, place: &Place, step: usize) -> Fault {
        let multiset = self.path_text(place, step);
        self.absent(&multiset, step_span(place, step))
    }

    /// `multisetremove` of a slot of `multiset` that is not in use. `span` is where
    /// the slot is named.
    pub fn removed_not_in_use(&self, multiset: &Place, span: Span) -> Fault {
        self.absent(&self.place_text(multiset), span)
    }

    /// `multisetadd` to a `multiset` that is full. `span` is the statement.
    pub fn multiset_full(&self, multiset: &Place, span: Span) -> Fault {
        let message = format!("multiset `{}` is full", self.place_text(multiset));
        fault(FaultKind::Multiset, message, span)
    }

    /// The value given for parameter number `parameter` of `function` is not of its
    /// type. `span` is where the value stands.
    pub fn argument_out_of_range(&self, function: &Function, parameter: u32, span: Span) -> Fault {
        let (name, ty) = match function.locals.get(parameter as usize) {
            Some(local) => (local.name.as_str(), self.type_text(local.ty)),
            None => ("parameter", String::from("of another type")),
        };
        let message = format!("value out of range: `{name}` of `{}` is {ty}", function.name);
        fault(FaultKind::Range, message, span)
    }

    /// What `function` returns is not of its type. `span` is the returned
    /// expression.
    pub fn returned_out_of_range(&self, function: &Function, span: Span) -> Fault {
        let ty = function.returns.map_or_else(String::new, |ty| self.type_text(ty));
        let message = format!("value out of range: `{}` returns {ty}", function.name);
        fault(FaultKind::Range, message, span)
    }

    fn absent(&self, multiset: &str, span: Span) -> Fault {
        let message = format!("this slot of multiset `{multiset}` is not in use");
        fault(FaultKind::Multiset, message, span)
    }

    /// A place as it is written.
    pub fn place_text(&self, place: &Place) -> String {
        self.path_text(place, place.path.len())
    }

    fn path_text(&self, place: &Place, n_steps: usize) -> String {
        self.path_text_within(place, n_steps, MAX_TEXT_DEPTH)
    }

    fn path_text_within(&self, place: &Place, n_steps: usize, depth: u32) -> String {
        let (mut text, mut ty) = match place.root {
            Root::Variable(idx) => {
                let variable = self.program.variables.get(idx as usize);
                variable.map_or((String::new(), None), |v| (v.name.clone(), Some(v.ty)))
            }
            Root::Local(id) => {
                let local = self.local(id);
                local.map_or((String::new(), None), |l| (l.name.clone(), Some(l.ty)))
            }
        };
        for step in place.path.iter().take(n_steps) {
            ty = self.step_text(&mut text, ty, step, depth);
        }
        text
    }

    fn step_text(
        &self,
        text: &mut String,
        ty: Option<TypeId>,
        step: &Projection,
        depth: u32,
    ) -> Option<TypeId> {
        let kind = ty.map(|ty| self.program.types.kind(ty));
        match (step, kind) {
            (Projection::Field(idx), Some(TypeKind::Record { fields })) => {
                let (name, ty) = fields.get(*idx as usize)?;
                text.push('.');
                text.push_str(name);
                Some(*ty)
            }
            (Projection::Index(index), Some(TypeKind::Array { index: of, element })) => {
                text.push_str(&format!("[{}]", self.index_text(index, Some(*of), depth)));
                Some(*element)
            }
            (Projection::Slot(slot), Some(TypeKind::Multiset { element, .. })) => {
                text.push_str(&format!("[{}]", self.index_text(slot, None, depth)));
                Some(*element)
            }
            _ => None,
        }
    }

    /// Names and constants are written out, anything longer is `…`.
    fn index_text(&self, index: &Expr, ty: Option<TypeId>, depth: u32) -> String {
        match (&index.kind, ty) {
            (ExprKind::Constant(value), Some(ty)) => self.program.types.value_name(ty, *value),
            (ExprKind::Constant(value), None) => value.to_string(),
            (ExprKind::Read(place), _) if depth > 0 => {
                self.path_text_within(place, place.path.len(), depth - 1)
            }
            _ => String::from("…"),
        }
    }

    fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.0 as usize)
    }

    fn type_text(&self, ty: TypeId) -> String {
        let ty = self.program.types.get(ty);
        match &ty.kind {
            TypeKind::Range { first, last } => format!("`{first}..{last}`"),
            _ if ty.name.is_empty() => String::from("of another type"),
            _ => format!("of type `{}`", ty.name),
        }
    }
}

/// The arithmetic of `expr`, a `Unary` or `Binary` expression, has no result.
pub fn arithmetic(expr: &Expr) -> Fault {
    let (kind, message) = match &expr.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, left, right) => {
            let message =
                if left.bounds.0 == i64::MIN && right.bounds.0 <= -1 && right.bounds.1 >= -1 {
                    "division by zero, or a quotient that does not fit 64 bits"
                } else {
                    "division by zero"
                };
            (FaultKind::Division, message)
        }
        _ => (FaultKind::Overflow, "the result does not fit 64 bits"),
    };
    fault(kind, String::from(message), expr.span)
}

/// An `assert` at `span` is false. `message` may be empty.
pub fn assertion(message: &str, span: Span) -> Fault {
    let message = if message.is_empty() { "the assertion is false" } else { message };
    fault(FaultKind::Assertion, String::from(message), span)
}

/// An `error` statement at `span` is reached.
pub fn error(message: &str, span: Span) -> Fault {
    let message = if message.is_empty() { "an error statement is reached" } else { message };
    fault(FaultKind::ErrorStatement, String::from(message), span)
}

/// `function` ends without `return`.
pub fn missing_return(function: &Function) -> Fault {
    let message = format!("function `{}` ends without `return`", function.name);
    fault(FaultKind::MissingReturn, message, function.span)
}

/// Calls nest more than [`MAX_CALL_DEPTH`] deep. The same wherever it happens.
pub fn recursion() -> Fault {
    let message = format!("calls nest more than {MAX_CALL_DEPTH} deep");
    Fault { kind: FaultKind::Recursion, message, span: None }
}

/// The `while` statement turns more often than the bound allows.
pub fn loop_bound(statement: &Stmt) -> Fault {
    let message = "the loop turns more often than the bound allows";
    fault(FaultKind::Loop, String::from(message), statement.span)
}

/// The step `by` of a `for` or a quantifier is zero.
pub fn zero_step(by: &Expr) -> Fault {
    fault(FaultKind::Loop, String::from("the step of the loop is zero"), by.span)
}

fn step_span(place: &Place, step: usize) -> Span {
    match place.path.get(step) {
        Some(Projection::Index(index) | Projection::Slot(index)) => index.span,
        _ => place.span,
    }
}

fn fault(kind: FaultKind, message: String, span: Span) -> Fault {
    Fault { kind, message, span: Some(span) }
}
