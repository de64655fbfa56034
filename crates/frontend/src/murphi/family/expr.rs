//! Values and conditions of a model as far as a view shows them.
//!
//! An element without a slot is *the rest*: two of these may be the same or not, and nothing
//! that belongs to one is known.

use model::Span;

use crate::murphi::typed::{
    Argument, BOOLEAN, BinaryOp, Domain, Expr, ExprKind, FunctionId, LocalId, Place, Projection,
    TypeId, TypeKind, UnaryOp,
};

use super::inline;
use super::scope::{Meaning, Refused, Scope, refuse};
use super::truth::{
    Known, Truth, Value, and, binary, condition, not, number, or, truth_constant, truth_of,
};

/// Calls that are written out within one rule, at the most.
const MAX_INLINED: u32 = 64;

/// A side of an equality between elements.
enum Side {
    /// The rest.
    Rest,
    /// It is not known.
    Hidden,
    /// What lies at a place, where that is known, and whether it may be the rest.
    At(Place, Known, bool),
}

impl Scope<'_> {
    /// A value.
    pub(super) fn value(&mut self, expr: &Expr) -> Refused<Value> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Constant(_) => Ok(Value::known(expr.clone())),
            ExprKind::Read(place) => self.read(place, expr),
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Quantified { .. }
            | ExprKind::SameElement { .. }
            | ExprKind::SamePlace { .. }
            | ExprKind::IsUndefined(_) => Ok(self.truth(expr)?.into_value()),
            ExprKind::Unary(op, operand) => {
                let Value { expr: operand, known } = self.value(operand)?;
                let kind = ExprKind::Unary(*op, Box::new(operand));
                Ok(Value { expr: Expr { kind, ..*expr }, known })
            }
            ExprKind::Binary(op, left, right) if is_truth(*op) => {
                Ok(self.connective(*op, left, right, expr)?.into_value())
            }
            ExprKind::Binary(op, left, right) => self.arithmetic(*op, left, right, expr),
            ExprKind::Conditional(asked, left, right) => {
                let asked = self.truth(asked)?.exactly();
                let (left, right) = (self.value(left)?, self.value(right)?);
                Ok(conditional(asked, left, right, expr))
            }
            ExprKind::Let { local, target, body } => {
                let (target, known) = self.bind(*local, target)?;
                let body = self.value(body)?;
                let Some(target) = target else { return Ok(body) };
                Ok(within(*local, &target, body, known))
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, expr),
            ExprKind::IsMember(operand, ty) => {
                let Value { expr: operand, known } = self.value(operand)?;
                let kind = ExprKind::IsMember(Box::new(operand), *ty);
                Ok(Value { expr: condition(span, kind), known })
            }
            ExprKind::MultisetCount { .. } => refuse("multisets are not supported", span),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, expr: &Expr) -> Refused<Truth> {
        let span = expr.span;
        let truth = match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.truth(operand)?.not(),
            ExprKind::Binary(op, left, right) if is_truth(*op) => {
                self.connective(*op, left, right, expr)?
            }
            ExprKind::Quantified { forall, local, domain, body } => {
                self.quantified(*forall, *local, domain, (body, span))?
            }
            ExprKind::SameElement { negated, left, right }
                if self.elements.is_range
                    || self.is_forgettable(left)
                    || self.is_forgettable(right) =>
            {
                // As a subrange the parameter has values that must be defined to be compared, and
                // what was forgotten must not be looked at.
                let op = if *negated { BinaryOp::Ne } else { BinaryOp::Eq };
                let same = self.connective(op, &read_of(left), &read_of(right), expr)?;
                let known = self.element_remembered(left)?.and(self.element_remembered(right)?);
                where_known(known, same)
            }
            ExprKind::SameElement { negated, left, right } => {
                let (left, right) = (self.side(left)?, self.side(right)?);
                let same = self.same_element(left, right, span);
                if *negated { same.not() } else { same }
            }
            ExprKind::SamePlace { negated, left, right } => {
                self.same_place(*negated, left, right, span)?
            }
            ExprKind::IsUndefined(place) => self.is_undefined(place, span)?,
            ExprKind::Conditional(asked, left, right) => {
                let asked = self.truth(asked)?.exactly();
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                choice_of(asked, left, right, span)
            }
            ExprKind::Let { local, target, body } => {
                let (target, known) = self.bind(*local, target)?;
                let body = self.truth(body)?;
                match target {
                    None => body,
                    Some(target) => {
                        let inner = |part: Expr| bound(*local, &target, part);
                        let body = match body {
                            Truth::Exact(part) => Truth::Exact(inner(part)),
                            Truth::Split { may, must } => {
                                Truth::Split { may: inner(may), must: inner(must) }
                            }
                        };
                        where_known(known, body)
                    }
                }
            }
            ExprKind::Read(place) => match self.read_shadowed(place, span)? {
                Some(truth) => truth,
                None => self.value(expr)?.into_truth(),
            },
            ExprKind::Call(function, arguments) => match self.inlined(*function, arguments)? {
                Some(inlined) => self.truth(&inlined)?,
                None => self.value(expr)?.into_truth(),
            },
            _ => self.value(expr)?.into_truth(),
        };
        Ok(truth.exactly())
    }

    fn read(&mut self, place: &Place, expr: &Expr) -> Refused<Value> {
        match self.name_of(place) {
            Some(Meaning::Rest) => {
                return Ok(Value::known(number(self.elements.rest(), expr.span)));
            }
            Some(Meaning::Hidden) => return Ok(Value::unknown(expr.span)),
            _ => {}
        }
        let (shown, known) = self.place(place)?;
        let known = known.and(self.remembered(place, &shown, false));
        let kind = ExprKind::Read(Box::new(shown));
        Ok(Value { expr: Expr { kind, ..*expr }, known })
    }

    /// A place, and when it is one that the view shows.
    pub(super) fn place(&mut self, place: &Place) -> Refused<(Place, Known)> {
        self.located(place, |scope, index, _| scope.value(index))
    }

    /// A place that is written, and when it is one that the view shows. Where nobody knows which
    /// one it is, it is chosen: it may be one that the view shows.
    pub(super) fn target(&mut self, place: &Place) -> Refused<(Place, Known)> {
        self.located(place, |scope, index, ty| {
            let Value { expr, known } = scope.value(index)?;
            let known = match known {
                Known::Always => return Ok(Value::known(expr)),
                Known::When(known) => known,
                Known::Never => truth_constant(false, expr.span),
            };
            scope.n_chosen_targets += 1;
            let (span, chosen) = (expr.span, scope.choose(ty, expr.span)?);
            let bounds = chosen.bounds;
            let parts = (Box::new(known), Box::new(expr), Box::new(chosen));
            let kind = match truth_of(&parts.0) {
                Some(false) => parts.2.kind,
                _ => ExprKind::Conditional(parts.0, parts.1, parts.2),
            };
            Ok(Value::known(Expr { kind, bounds, span }))
        })
    }

    fn located(
        &mut self,
        place: &Place,
        value: impl Fn(&mut Self, &Expr, TypeId) -> Refused<Value>,
    ) -> Refused<(Place, Known)> {
        let mut known = match place.root {
            crate::murphi::typed::Root::Local(local)
                if matches!(self.meaning(local), Meaning::Hidden | Meaning::Rest) =>
            {
                Known::Never
            }
            _ => Known::Always,
        };
        let mut path = Vec::with_capacity(place.path.len());
        let mut ty = self.type_of_root(place);
        for step in &place.path {
            let around = self.types().kind(ty);
            match step {
                Projection::Field(field) => {
                    path.push(Projection::Field(*field));
                    if let TypeKind::Record { fields } = around {
                        ty = fields[*field as usize].1;
                    }
                }
                Projection::Index(index) => {
                    let TypeKind::Array { index: of, element } = around else {
                        return refuse("this index is not supported", index.span);
                    };
                    let Value { expr, known: of_index } = value(self, index, *of)?;
                    ty = *element;
                    known = known.and(of_index);
                    if self.may_be_rest(&expr) {
                        known = known.and(self.has_slot(expr.clone()));
                    }
                    path.push(Projection::Index(expr));
                }
                Projection::Slot(slot) => {
                    return refuse("multisets are not supported", slot.span);
                }
            }
        }
        Ok((Place { path, ..place.clone() }, known))
    }

    /// When an element has a slot.
    fn has_slot(&self, element: Expr) -> Known {
        let (span, rest) = (element.span, self.elements.rest());
        match element.kind {
            ExprKind::Constant(value) if value == rest => Known::Never,
            _ => Known::When(binary(BinaryOp::Ne, element, number(rest, span))),
        }
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
    ) -> Refused<Value> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Ok(Value { expr: Expr { kind, ..*expr }, known: left.known.and(right.known) })
    }

    fn connective(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
    ) -> Refused<Truth> {
        match op {
            BinaryOp::And => Ok(self.truth(left)?.and(self.truth(right)?)),
            BinaryOp::Or => Ok(self.truth(left)?.or(self.truth(right)?)),
            BinaryOp::Implies => Ok(self.truth(left)?.not().or(self.truth(right)?)),
            BinaryOp::Eq | BinaryOp::Ne => {
                let may_be_the_same = self.may_be_rest(left) && self.may_be_rest(right);
                let equal = self.arithmetic(BinaryOp::Eq, left, right, expr)?;
                let equal = match may_be_the_same {
                    true => self.same_value(equal),
                    false => equal.into_truth(),
                };
                Ok(if op == BinaryOp::Eq { equal } else { equal.not() })
            }
            _ => Ok(self.arithmetic(op, left, right, expr)?.into_truth()),
        }
    }

    /// Equality of two values each of which may be the rest.
    fn same_value(&self, equal: Value) -> Truth {
        let ExprKind::Binary(_, left, _) = &equal.expr.kind else {
            return equal.into_truth();
        };
        let rest = number(self.elements.rest(), equal.expr.span);
        let has_slot = match left.kind {
            ExprKind::Constant(_) => truth_constant(false, equal.expr.span),
            _ => binary(BinaryOp::Ne, (**left).clone(), rest),
        };
        let must = and(equal.expr.clone(), has_slot);
        where_known(equal.known, Truth::Split { may: equal.expr, must })
    }

    fn side(&mut self, place: &Place) -> Refused<Side> {
        match self.name_of(place) {
            Some(Meaning::Rest) => return Ok(Side::Rest),
            Some(Meaning::Hidden) => return Ok(Side::Hidden),
            _ => {}
        }
        let may_be_rest = self.place_may_hold_rest(place);
        let (place, known) = self.place(place)?;
        Ok(Side::At(place, known, may_be_rest))
    }

    /// Equality of elements that may be undefined, which is no fault.
    fn same_element(&self, left: Side, right: Side, span: Span) -> Truth {
        match (left, right) {
            (Side::Hidden, _) | (_, Side::Hidden) | (Side::Rest, Side::Rest) => {
                Truth::unknown(span)
            }
            (Side::Rest, Side::At(place, known, may_be_rest))
            | (Side::At(place, known, may_be_rest), Side::Rest) => {
                let equal = match may_be_rest {
                    true => Truth::Split {
                        may: and(not(is_undefined(&place, span)), self.is_rest(&place, span)),
                        must: truth_constant(false, span),
                    },
                    false => Truth::Exact(truth_constant(false, span)),
                };
                where_known(known, equal)
            }
            (Side::At(left, left_known, left_rest), Side::At(right, right_known, right_rest)) => {
                let known = left_known.and(right_known);
                let sides = (Box::new(left.clone()), Box::new(right));
                let (left_side, right_side) = sides;
                let kind =
                    ExprKind::SameElement { negated: false, left: left_side, right: right_side };
                let equal = condition(span, kind);
                let truth = match left_rest && right_rest {
                    true => {
                        let settled = or(is_undefined(&left, span), not(self.is_rest(&left, span)));
                        Truth::Split { may: equal.clone(), must: and(equal, settled) }
                    }
                    false => Truth::Exact(equal),
                };
                where_known(known, truth)
            }
        }
    }

    /// Is the rest what lies at a place that is defined?
    fn is_rest(&self, place: &Place, span: Span) -> Expr {
        let bounds = self.types().bounds(place.ty);
        let read = Expr { kind: ExprKind::Read(Box::new(place.clone())), bounds, span };
        binary(BinaryOp::Eq, read, number(self.elements.rest(), span))
    }

    fn same_place(
        &mut self,
        negated: bool,
        left: &Place,
        right: &Place,
        span: Span,
    ) -> Refused<Truth> {
        if self.elements.are_within(self.types(), left.ty) {
            return refuse(
                format!(
                    "records and arrays that hold or are indexed by `{}` cannot be compared as a \
                     whole",
                    self.types().get(self.elements.ty).name
                ),
                span,
            );
        }
        let (left, left_known) = self.place(left)?;
        let (right, right_known) = self.place(right)?;
        let kind = ExprKind::SamePlace { negated, left: Box::new(left), right: Box::new(right) };
        Ok(where_known(left_known.and(right_known), Truth::Exact(condition(span, kind))))
    }

    fn is_undefined(&mut self, place: &Place, span: Span) -> Refused<Truth> {
        match self.name_of(place) {
            Some(Meaning::Rest) => return Ok(Truth::Exact(truth_constant(false, span))),
            Some(Meaning::Hidden) => return Ok(Truth::unknown(span)),
            _ => {}
        }
        let (place, known) = self.place(place)?;
        Ok(where_known(known, Truth::Exact(is_undefined(&place, span))))
    }

    /// A quantifier: the elements that have slots, and the rest as one, if there is any.
    fn quantified(
        &mut self,
        forall: bool,
        local: LocalId,
        domain: &Domain,
        (body, span): (&Expr, Span),
    ) -> Refused<Truth> {
        let mut all = Truth::Exact(truth_constant(forall, span));
        for (domain, meaning) in self.parts(domain, span)? {
            self.mean(local, meaning);
            let body = self.truth(body)?;
            let part = match domain {
                // There may be no element without a slot.
                None if forall => body.or(Truth::unknown(span)),
                None => body.and(Truth::unknown(span)),
                Some(domain) => quantify(forall, local, &domain, body, span),
            };
            all = if forall { all.and(part) } else { all.or(part) };
        }
        self.mean(local, Meaning::Known);
        Ok(all)
    }

    /// The values of a domain, part by part; the rest has no domain.
    pub(super) fn parts(
        &mut self,
        domain: &Domain,
        span: Span,
    ) -> Refused<Vec<(Option<Domain>, Meaning)>> {
        match domain {
            Domain::Range { from, to, by } => {
                let mut bound = |expr: &Expr| {
                    let Value { expr: value, known } = self.value(expr)?;
                    match known {
                        Known::Always => Ok(Box::new(value)),
                        _ => {
                            refuse("a bound that depends on elements beside is not supported", span)
                        }
                    }
                };
                let (from, to, by) = (bound(from)?, bound(to)?, bound(by)?);
                Ok(vec![(Some(Domain::Range { from, to, by }), Meaning::Known)])
            }
            Domain::Type(ty) => Ok(self.parts_of_type(*ty, span)),
        }
    }

    fn parts_of_type(
        &self,
        ty: crate::murphi::typed::TypeId,
        span: Span,
    ) -> Vec<(Option<Domain>, Meaning)> {
        let elements = &self.elements;
        if ty == elements.ty {
            return vec![(Some(elements.used(span)), Meaning::Slot), (None, Meaning::Rest)];
        }
        match self.types().kind(ty) {
            TypeKind::Union { members } if members.contains(&elements.ty) => {
                members.iter().flat_map(|member| self.parts_of_type(*member, span)).collect()
            }
            _ => vec![(Some(Domain::Type(ty)), Meaning::Known)],
        }
    }

    /// Binds an alias. Gives what it is bound to, where that is known, and when it is. Nothing is
    /// written through it.
    pub(super) fn bind(
        &mut self,
        local: LocalId,
        target: &Argument,
    ) -> Refused<(Option<Argument>, Known)> {
        let (target, known, meaning) = match target {
            Argument::Place(place) => {
                let named = self.name_of(place);
                let (place, known) = self.place(place)?;
                let meaning = named.unwrap_or(Meaning::Known);
                (Argument::Place(place), known, meaning)
            }
            Argument::Value(value) => {
                let Value { expr, known } = self.value(value)?;
                let meaning = match expr.kind {
                    ExprKind::Constant(value) if value == self.elements.rest() => Meaning::Rest,
                    _ if self.may_be_rest(&expr) => Meaning::Known,
                    _ => Meaning::Slot,
                };
                (Argument::Value(expr), known, meaning)
            }
        };
        match known {
            Known::Never if meaning == Meaning::Rest => {
                self.mean(local, Meaning::Rest);
                Ok((None, Known::Always))
            }
            Known::Never => {
                self.mean(local, Meaning::Hidden);
                Ok((None, Known::Always))
            }
            known => {
                self.mean(local, meaning);
                Ok((Some(target), known))
            }
        }
    }

    /// The expression of a function that is one and gives a truth value, with its arguments bound.
    fn inlined(&mut self, function: FunctionId, arguments: &[Argument]) -> Refused<Option<Expr>> {
        let called = &self.program.functions[function.0 as usize];
        let Some(value) = inline::expression(called) else { return Ok(None) };
        if called.returns != Some(BOOLEAN) || self.n_inlined == MAX_INLINED {
            return Ok(None);
        }
        let passed = called.locals.iter().zip(arguments);
        let passed: Option<Vec<Argument>> = passed
            .map(|(parameter, argument)| inline::passed(parameter, argument, self.types()))
            .collect();
        let Some(passed) = passed else { return Ok(None) };
        self.n_inlined += 1;
        let offset = self.locals.len() as u32;
        self.locals.extend(called.locals.iter().cloned());
        self.meanings.extend(called.locals.iter().map(|_| Meaning::Known));
        let value = inline::renamed(value, &|local| LocalId(local.0 + offset));
        let bound = (offset..)
            .zip(&passed)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .fold(value, |body, (local, argument)| bound(LocalId(local), argument, body));
        Ok(Some(bound))
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        expr: &Expr,
    ) -> Refused<Value> {
        if self.program.functions[function.0 as usize].has_effects {
            // An expression of the model becomes two, and would take effect twice.
            return refuse("functions with effects are not supported in expressions", expr.span);
        }
        match self.arguments(function, arguments, expr.span)? {
            Some((function, arguments, known)) => {
                let kind = ExprKind::Call(function, arguments);
                Ok(Value { expr: Expr { kind, ..*expr }, known })
            }
            None => Ok(Value::unknown(expr.span)),
        }
    }
}

/// Does the operator give a truth value?
fn is_truth(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
    )
}

/// The condition where it is known, and nothing elsewhere.
pub(super) fn where_known(known: Known, truth: Truth) -> Truth {
    match known {
        Known::Always => truth,
        Known::Never => Truth::unknown(truth.may().span),
        Known::When(known) => Truth::Split {
            may: or(not(known.clone()), truth.may()),
            must: and(known, truth.must()),
        },
    }
}

fn quantify(forall: bool, local: LocalId, domain: &Domain, body: Truth, span: Span) -> Truth {
    let one = |body: Expr| match super::truth::truth_of(&body) {
        // There is at least one slot.
        Some(_) => body,
        None => {
            let (domain, body) = (domain.clone(), Box::new(body));
            condition(span, ExprKind::Quantified { forall, local, domain, body })
        }
    };
    match body {
        Truth::Exact(body) => Truth::Exact(one(body)),
        Truth::Split { may, must } => Truth::Split { may: one(may), must: one(must) },
    }
}

/// `asked ? left : right` of truth values.
fn choice_of(asked: Truth, left: Truth, right: Truth, span: Span) -> Truth {
    let Truth::Exact(asked) = asked else {
        return asked.clone().and(left).or(asked.not().and(right));
    };
    let either = |left: Expr, right: Expr| {
        let (asked, left, right) = (Box::new(asked.clone()), Box::new(left), Box::new(right));
        condition(span, ExprKind::Conditional(asked, left, right))
    };
    match (left, right) {
        (Truth::Exact(left), Truth::Exact(right)) => Truth::Exact(either(left, right)),
        (left, right) => Truth::Split {
            may: either(left.may(), right.may()),
            must: either(left.must(), right.must()),
        },
    }
}

/// `asked ? left : right` of values.
fn conditional(asked: Truth, left: Value, right: Value, expr: &Expr) -> Value {
    let Truth::Exact(asked) = asked else { return Value::unknown(expr.span) };
    let known = match (left.known, right.known) {
        (Known::Always, Known::Always) => Known::Always,
        (left, right) => {
            let part = |known| match known {
                Known::Always => truth_constant(true, expr.span),
                Known::When(known) => known,
                Known::Never => truth_constant(false, expr.span),
            };
            let (left, right) = (Box::new(part(left)), Box::new(part(right)));
            let kind = ExprKind::Conditional(Box::new(asked.clone()), left, right);
            Known::When(condition(expr.span, kind))
        }
    };
    let (left, right) = (Box::new(left.expr), Box::new(right.expr));
    Value {
        expr: Expr { kind: ExprKind::Conditional(Box::new(asked), left, right), ..*expr },
        known,
    }
}

fn within(local: LocalId, target: &Argument, body: Value, known: Known) -> Value {
    let inner = |part: Expr| bound(local, target, part);
    let of_body = match body.known {
        Known::When(part) => Known::When(inner(part)),
        other => other,
    };
    Value { expr: inner(body.expr), known: known.and(of_body) }
}

fn bound(local: LocalId, target: &Argument, body: Expr) -> Expr {
    let (bounds, span) = (body.bounds, body.span);
    let kind = ExprKind::Let { local, target: Box::new(target.clone()), body: Box::new(body) };
    Expr { kind, bounds, span }
}

fn is_undefined(place: &Place, span: Span) -> Expr {
    condition(span, ExprKind::IsUndefined(Box::new(place.clone())))
}

fn read_of(place: &Place) -> Expr {
    let kind = ExprKind::Read(Box::new(place.clone()));
    Expr { kind, bounds: (i64::MIN, i64::MAX), span: place.span }
}
