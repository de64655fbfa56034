//! Functions that are one expression, written where they are called.
//!
//! A function that gives a value which depends on elements beside cannot be called: of a call,
//! only that it is known or not can be said. Its expression, with the arguments bound to names,
//! says more.

use crate::murphi::typed::{
    Argument, BOOLEAN, Domain, Expr, ExprKind, Function, Local, LocalId, Place, Projection, Root,
    Stmt, StmtKind, TypeId, TypeKind, Types,
};

/// The expression that a function gives, if it does nothing else.
pub(super) fn expression(function: &Function) -> Option<&Expr> {
    match function.body.as_slice() {
        [Stmt { kind: StmtKind::Return(Some(value)), .. }] if !function.has_effects => Some(value),
        _ => None,
    }
}

/// The expression with other locals.
pub(super) fn renamed(expr: &Expr, names: &dyn Fn(LocalId) -> LocalId) -> Expr {
    let mut expr = expr.clone();
    Rename { names }.expr(&mut expr);
    expr
}

/// What a parameter stands for: a place only where it has the parameter's type. `None` where a
/// call would have to check the value.
pub(super) fn passed(parameter: &Local, argument: &Argument, types: &Types) -> Option<Argument> {
    match argument {
        Argument::Place(place) if place.ty == parameter.ty => Some(argument.clone()),
        Argument::Place(place) => {
            let (bounds, span) = (types.bounds(place.ty), place.span);
            let kind = ExprKind::Read(Box::new(place.clone()));
            let value = Argument::Value(Expr { kind, bounds, span });
            is_part(types, place.ty, parameter.ty).then_some(value)
        }
        Argument::Value(value) => fits(types, value, parameter.ty).then(|| argument.clone()),
    }
}

/// Are all values of `part` values of `whole`?
fn is_part(types: &Types, part: TypeId, whole: TypeId) -> bool {
    match (types.kind(part), types.kind(whole)) {
        (_, TypeKind::Union { members }) => members.contains(&part),
        (TypeKind::Range { first, last }, TypeKind::Range { first: from, last: to }) => {
            from <= first && last <= to
        }
        _ => part == whole,
    }
}

fn fits(types: &Types, value: &Expr, ty: TypeId) -> bool {
    match &value.kind {
        ExprKind::Constant(value) => types.code_of(ty, *value).is_some(),
        ExprKind::Read(place) => place.ty == ty || is_part(types, place.ty, ty),
        _ => match types.kind(ty) {
            TypeKind::Range { first, last } => *first <= value.bounds.0 && value.bounds.1 <= *last,
            _ => ty == BOOLEAN,
        },
    }
}

struct Rename<'a> {
    names: &'a dyn Fn(LocalId) -> LocalId,
}

impl Rename<'_> {
    fn local(&self, local: &mut LocalId) {
        *local = (self.names)(*local);
    }

    fn expr(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::IsMember(operand, _) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(asked, left, right) => {
                [asked, left, right].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::SameElement { left, right, .. } | ExprKind::SamePlace { left, right, .. } => {
                self.place(left);
                self.place(right);
            }
            ExprKind::Quantified { local, domain, body, .. } => {
                self.local(local);
                self.domain(domain);
                self.expr(body);
            }
            ExprKind::Let { local, target, body } => {
                self.local(local);
                self.argument(target);
                self.expr(body);
            }
            ExprKind::Call(_, arguments) => {
                arguments.iter_mut().for_each(|argument| self.argument(argument));
            }
            ExprKind::MultisetCount { local, multiset, body } => {
                self.local(local);
                self.place(multiset);
                self.expr(body);
            }
        }
    }

    fn place(&self, place: &mut Place) {
        if let Root::Local(local) = &mut place.root {
            self.local(local);
        }
        for step in &mut place.path {
            match step {
                Projection::Field(_) => {}
                Projection::Index(index) | Projection::Slot(index) => self.expr(index),
            }
        }
    }

    fn argument(&self, argument: &mut Argument) {
        match argument {
            Argument::Place(place) => self.place(place),
            Argument::Value(value) => self.expr(value),
        }
    }

    fn domain(&self, domain: &mut Domain) {
        if let Domain::Range { from, to, by } = domain {
            [from, to, by].into_iter().for_each(|bound| self.expr(bound));
        }
    }
}
