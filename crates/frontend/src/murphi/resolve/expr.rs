//! Expressions: their types, and what they become.

use model::Span;

use super::super::ast::{
    BinaryOp, Binding, Domain, Expr, ExprKind, Name, TypeExpr, TypeExprKind, UnaryOp,
};
use super::super::typed::{self, BOOLEAN, LocalKind, Place, TypeId, TypeKind};
use super::constant::{apply_binary, apply_conditional, apply_unary, constant, value_of};
use super::scope::Symbol;
use super::wrap::WholeCall;
use super::{Resolver, Ty};

/// What an expression stands for.
pub(super) enum Operand {
    /// Something that has a place.
    Place(Place),
    /// A simple value.
    Value(typed::Expr, Ty),
    /// A record, array or multiset that a function gives, or a part of it.
    Whole(WholeCall),
}

const TRUTH: Ty = Ty::Of(BOOLEAN);

impl Resolver<'_> {
    /// An expression of any type.
    pub(super) fn operand(&mut self, written: &Expr) -> Option<Operand> {
        let span = written.span;
        let value = match &written.kind {
            ExprKind::Bad => return None,
            ExprKind::Name(name) => return self.named(name, span),
            ExprKind::Field(base, field) => return self.field(base, field, span),
            ExprKind::Index(base, index) => return self.element(base, index, span),
            ExprKind::Call(name, arguments) => return self.called(name, arguments, span),
            ExprKind::Number(value) => (constant(*value, span), Ty::Number),
            ExprKind::Boolean(value) => (constant(i64::from(*value), span), TRUTH),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span)?,
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span)?,
            ExprKind::Conditional(condition, left, right) => {
                self.conditional(condition, left, right, span)?
            }
            ExprKind::Quantified { forall, binding, body } => {
                (self.quantified(*forall, binding, body, span)?, TRUTH)
            }
            ExprKind::IsUndefined(inner) => (self.is_undefined(inner, span)?, TRUTH),
            ExprKind::IsMember(inner, ty) => (self.is_member(inner, ty, span)?, TRUTH),
            ExprKind::MultisetCount { name, multiset, body } => {
                (self.multiset_count(name, multiset, body, span)?, Ty::Number)
            }
        };
        Some(Operand::Value(value.0, value.1))
    }

    /// An expression of simple type.
    pub(super) fn value(&mut self, written: &Expr) -> Option<(typed::Expr, Ty)> {
        match self.operand(written)? {
            Operand::Place(place) => self.read(place),
            Operand::Value(expr, ty) => Some((expr, ty)),
            Operand::Whole(call) => self.simple_result(call),
        }
    }

    /// The value at a place.
    pub(super) fn read(&mut self, place: Place) -> Option<(typed::Expr, Ty)> {
        if !self.program.types.is_simple(place.ty) {
            let message =
                format!("a simple value is expected here, not {}", self.type_name(place.ty));
            return self.fail("MU008", message, place.span);
        }
        let ty = self.ty(place.ty);
        let bounds = self.program.types.bounds(place.ty);
        let span = place.span;
        Some((typed::Expr { kind: typed::ExprKind::Read(Box::new(place)), bounds, span }, ty))
    }

    /// An expression that is true or false.
    pub(super) fn boolean(&mut self, written: &Expr) -> Option<typed::Expr> {
        let (expr, ty) = self.value(written)?;
        if Self::is_boolean(ty) {
            return Some(expr);
        }
        let message = format!("a condition is expected here, not {}", self.ty_name(ty));
        self.fail("MU008", message, written.span)
    }

    /// An expression that is a number.
    pub(super) fn number(&mut self, written: &Expr) -> Option<typed::Expr> {
        let (expr, ty) = self.value(written)?;
        if ty == Ty::Number {
            return Some(expr);
        }
        let message = format!("a number is expected here, not {}", self.ty_name(ty));
        self.fail("MU008", message, written.span)
    }

    fn named(&mut self, name: &str, span: Span) -> Option<Operand> {
        let symbol = self.lookup(name, span)?;
        match symbol {
            Symbol::Bad => None,
            Symbol::Constant(value, ty) => {
                let user = self.known.user.clone();
                self.known.named_constants.insert((user, name.to_owned()));
                Some(Operand::Value(constant(value, span), ty))
            }
            Symbol::Variable(idx) => {
                let ty = self.program.variables[idx as usize].ty;
                let root = typed::Root::Variable(idx);
                Some(Operand::Place(Place { root, path: Vec::new(), ty, span }))
            }
            Symbol::Local(local) => Some(Operand::Place(self.local_place(local, span))),
            Symbol::Type(_) => self.fail("MU007", format!("`{name}` is a type, not a value"), span),
            Symbol::Function(_) if self.bare_calls => {
                let name = Name { text: name.to_owned(), span };
                self.called(&name, &[], span)
            }
            Symbol::Function(_) => {
                let message = format!("`{name}` is a function: call it with parentheses");
                self.fail("MU007", message, span)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Option<(typed::Expr, Ty)> {
        let (operand, ty) = match op {
            UnaryOp::Not => (self.boolean(operand)?, TRUTH),
            UnaryOp::Negate | UnaryOp::BitNot => (self.number(operand)?, Ty::Number),
        };
        Some((apply_unary(op, operand, span), ty))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<(typed::Expr, Ty)> {
        match op {
            BinaryOp::And | BinaryOp::Or => self.and_or(op, left, right, span),
            BinaryOp::Eq | BinaryOp::Ne => {
                Some((self.equality(op == BinaryOp::Ne, left, right, span)?, TRUTH))
            }
            BinaryOp::Implies => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                Some((apply_binary(op, left?, right?, span), TRUTH))
            }
            _ => {
                let (left, right) = (self.number(left), self.number(right));
                let compares =
                    matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
                let ty = if compares { TRUTH } else { Ty::Number };
                Some((apply_binary(op, left?, right?, span), ty))
            }
        }
    }

    /// `&` and `|`: of truth values, or bit by bit of numbers.
    fn and_or(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<(typed::Expr, Ty)> {
        let (left_span, right_span) = (left.span, right.span);
        let (left, right) = (self.value(left), self.value(right));
        let ((left, left_ty), (right, right_ty)) = (left?, right?);
        if left_ty == Ty::Number && right_ty == Ty::Number {
            self.extension("an operator on bits", span);
            let op = if op == BinaryOp::And { BinaryOp::BitAnd } else { BinaryOp::BitOr };
            return Some((apply_binary(op, left, right, span), Ty::Number));
        }
        for (ty, span) in [(left_ty, left_span), (right_ty, right_span)] {
            if !Self::is_boolean(ty) {
                let message = format!("a condition is expected here, not {}", self.ty_name(ty));
                return self.fail("MU008", message, span);
            }
        }
        Some((apply_binary(op, left, right, span), TRUTH))
    }

    fn equality(
        &mut self,
        negated: bool,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<typed::Expr> {
        let (left, right) = (self.operand(left), self.operand(right));
        let (left, right) = match (left?, right?) {
            (Operand::Place(left), Operand::Place(right)) if self.are_whole(&left, &right) => {
                return self.same_place(negated, left, right, span);
            }
            (Operand::Place(left), Operand::Place(right)) if self.are_elements(&left, &right) => {
                return self.same_element(negated, left, right, span);
            }
            both => both,
        };
        let (left, left_ty) = self.simple(left)?;
        let (right, right_ty) = self.simple(right)?;
        self.check_comparable(left_ty, right_ty, span)?;
        let op = if negated { BinaryOp::Ne } else { BinaryOp::Eq };
        Some(apply_binary(op, left, right, span))
    }

    fn check_comparable(&mut self, left: Ty, right: Ty, span: Span) -> Option<()> {
        if self.overlap(left, right) {
            return Some(());
        }
        let (left, right) = (self.ty_name(left), self.ty_name(right));
        self.fail("MU008", format!("{left} and {right} cannot be compared"), span)
    }

    /// May both be compared although they may be undefined? Two bound names always
    /// have values.
    fn are_elements(&self, left: &Place, right: &Place) -> bool {
        !self.strict
            && self.names_elements(left)
            && self.names_elements(right)
            && !(self.is_value(left) && self.is_value(right))
    }

    fn same_element(
        &mut self,
        negated: bool,
        left: Place,
        right: Place,
        span: Span,
    ) -> Option<typed::Expr> {
        self.check_comparable(self.ty(left.ty), self.ty(right.ty), span)?;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = typed::ExprKind::SameElement { negated, left, right };
        Some(typed::Expr { kind, bounds: (0, 1), span })
    }

    fn names_elements(&self, place: &Place) -> bool {
        matches!(
            self.program.types.kind(place.ty),
            TypeKind::Scalarset { .. } | TypeKind::Union { .. }
        )
    }

    fn are_whole(&self, left: &Place, right: &Place) -> bool {
        let types = &self.program.types;
        !types.is_simple(left.ty) && !types.is_simple(right.ty)
    }

    fn same_place(
        &mut self,
        negated: bool,
        left: Place,
        right: Place,
        span: Span,
    ) -> Option<typed::Expr> {
        if left.ty != right.ty {
            let message = "values of different types cannot be compared";
            return self.fail("MU008", message, span);
        }
        if self.program.types.has_multisets(left.ty) {
            let message = "multisets cannot be compared";
            return self.fail("MU008", message, span);
        }
        self.extension("a comparison of records or arrays", span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = typed::ExprKind::SamePlace { negated, left, right };
        Some(typed::Expr { kind, bounds: (0, 1), span })
    }

    /// An operand as a simple value.
    pub(super) fn simple(&mut self, operand: Operand) -> Option<(typed::Expr, Ty)> {
        match operand {
            Operand::Place(place) => self.read(place),
            Operand::Value(expr, ty) => Some((expr, ty)),
            Operand::Whole(call) => self.simple_result(call),
        }
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<(typed::Expr, Ty)> {
        let condition = self.boolean(condition);
        let (left, right) = (self.value(left), self.value(right));
        let ((left, left_ty), (right, right_ty)) = (left?, right?);
        let ty = if self.covers(left_ty, right_ty) {
            left_ty
        } else if self.covers(right_ty, left_ty) {
            right_ty
        } else {
            let message = format!(
                "the two sides have different types: {} and {}",
                self.ty_name(left_ty),
                self.ty_name(right_ty)
            );
            return self.fail("MU008", message, span);
        };
        Some((apply_conditional(condition?, left, right, span), ty))
    }

    /// Is every value of type `narrow` also one of type `wide`?
    fn covers(&self, wide: Ty, narrow: Ty) -> bool {
        match (wide, narrow) {
            (Ty::Of(wide_id), Ty::Of(narrow_id)) if wide != narrow => {
                match self.program.types.kind(wide_id) {
                    TypeKind::Union { members } => members.contains(&narrow_id),
                    _ => false,
                }
            }
            _ => wide == narrow,
        }
    }

    fn quantified(
        &mut self,
        forall: bool,
        binding: &Binding,
        body: &Expr,
        span: Span,
    ) -> Option<typed::Expr> {
        let domain = self.domain(&binding.domain);
        self.known.scopes.open();
        let bound = domain
            .map(|(domain, ty)| (self.bind(&binding.name, ty, LocalKind::Value, true), domain));
        if bound.is_none() {
            self.declare(&binding.name, Symbol::Bad);
        }
        let body = self.boolean(body);
        self.known.scopes.close();
        let ((local, domain), body) = (bound?, Box::new(body?));
        let kind = typed::ExprKind::Quantified { forall, local, domain, body };
        Some(typed::Expr { kind, bounds: (0, 1), span })
    }

    /// The values of a bound name, and its type.
    pub(super) fn domain(&mut self, written: &Domain) -> Option<(typed::Domain, TypeId)> {
        let (from, to, by) = match written {
            Domain::Type(written) => {
                let ty = self.type_of(written, "")?;
                if !self.program.types.is_simple(ty) {
                    let message = "the values of this type cannot be counted through";
                    return self.fail("MU008", message, written.span);
                }
                return Some((typed::Domain::Type(ty), ty));
            }
            Domain::Range { from, to, by } => (from, to, by),
        };
        let span = crate::source::join(from.span, by.as_ref().unwrap_or(to).span);
        let explicit = by.is_some();
        let (from, to) = (self.number(from), self.number(to));
        let by = match by {
            Some(by) => self.number(by)?,
            None => constant(1, span),
        };
        let (from, to) = (from?, to?);
        self.check_steps(&from, &to, &by, explicit)?;
        let bounds = super::bounds::hull(from.bounds, to.bounds);
        let ty = self.type_for(Ty::Number, bounds, span)?;
        let (from, to, by) = (Box::new(from), Box::new(to), Box::new(by));
        Some((typed::Domain::Range { from, to, by }, ty))
    }

    /// Reports constant bounds between which there is nothing.
    fn check_steps(
        &mut self,
        from: &typed::Expr,
        to: &typed::Expr,
        by: &typed::Expr,
        explicit: bool,
    ) -> Option<()> {
        let step = value_of(by);
        if step == Some(0) {
            return self.fail("MU010", "the distance must not be zero", by.span);
        }
        if let (Some(first), Some(last), Some(step)) = (value_of(from), value_of(to), step)
            && (if step > 0 { first > last } else { first < last })
        {
            let message = format!("nothing lies between {first} and {last} in steps of {step}");
            let span = crate::source::join(from.span, to.span);
            if explicit {
                return self.fail("MU016", message, span);
            }
            self.push(model::Diagnostic::warning("MU016", message, span));
        }
        Some(())
    }

    fn is_undefined(&mut self, inner: &Expr, span: Span) -> Option<typed::Expr> {
        let place = self.place(inner)?;
        if !self.program.types.is_simple(place.ty) {
            let message = format!("{} is not undefined as a whole", self.type_name(place.ty));
            let error = model::Diagnostic::error("MU008", message, inner.span);
            self.push(error.help("ask for one of its parts"));
            return None;
        }
        if self.is_value(&place) {
            return Some(constant(0, span));
        }
        let kind = typed::ExprKind::IsUndefined(Box::new(place));
        Some(typed::Expr { kind, bounds: (0, 1), span })
    }

    fn is_member(&mut self, inner: &Expr, ty: &TypeExpr, span: Span) -> Option<typed::Expr> {
        let value = self.value(inner);
        let ty = self.repeated_enumeration(ty).or_else(|| self.type_of(ty, ""));
        let ((value, of), ty) = (value?, ty?);
        if !self.overlap(of, self.ty(ty)) {
            let message = format!(
                "a value of {} is never a member of {}",
                self.ty_name(of),
                self.type_name(ty)
            );
            return self.fail("MU008", message, span);
        }
        let kind = typed::ExprKind::IsMember(Box::new(value), ty);
        Some(typed::Expr { kind, bounds: (0, 1), span })
    }

    /// An enumeration without a name is meant by writing it again.
    fn repeated_enumeration(&self, written: &TypeExpr) -> Option<TypeId> {
        let TypeExprKind::Enum(names) = &written.kind else { return None };
        let Symbol::Constant(_, Ty::Of(ty)) = self.known.scopes.get(&names.first()?.text)? else {
            return None;
        };
        let TypeKind::Enum { literals, .. } = self.program.types.kind(ty) else { return None };
        names.iter().map(|name| &name.text).eq(literals).then_some(ty)
    }

    fn multiset_count(
        &mut self,
        name: &Name,
        multiset: &Expr,
        body: &Expr,
        span: Span,
    ) -> Option<typed::Expr> {
        let slots = self.slots(multiset);
        self.known.scopes.open();
        let bound = slots.map(|(multiset, slot, capacity)| {
            (self.bind(name, slot, LocalKind::Value, true), multiset, capacity)
        });
        if bound.is_none() {
            self.declare(name, Symbol::Bad);
        }
        let body = self.boolean(body);
        self.known.scopes.close();
        let ((local, multiset, capacity), body) = (bound?, Box::new(body?));
        let kind = typed::ExprKind::MultisetCount { local, multiset: Box::new(multiset), body };
        Some(typed::Expr { kind, bounds: (0, i64::from(capacity)), span })
    }
}
