//! Statements.

use model::{Diagnostic, Span};

use super::super::ast::{Binding, Expr, Name, Stmt, StmtKind};
use super::super::parse::MAX_DEPTH;
use super::super::typed::{
    self, Argument, CoverId, CoverStatement, LocalId, LocalKind, Place, Projection, PutItem,
    TypeId, TypeKind,
};
use super::expr::Operand;
use super::scope::Symbol;
use super::{Outcome, Resolver};

impl Resolver<'_> {
    /// Statements; those with mistakes are left out.
    pub(super) fn stmts(&mut self, written: &[Stmt]) -> Vec<typed::Stmt> {
        let mut stmts = Vec::with_capacity(written.len());
        for stmt in written {
            if let Some(kind) = self.stmt(stmt, &mut stmts) {
                stmts.push(typed::Stmt { kind, span: stmt.span });
            }
        }
        stmts
    }

    /// One statement. What has to be done before it goes to `out`.
    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<typed::Stmt>) -> Option<typed::StmtKind> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.assign(target, value, out),
            StmtKind::Call(name, arguments) => self.call_stmt(name, arguments, span),
            StmtKind::If(arms) => self.if_stmt(arms),
            StmtKind::Switch { subject, arms, otherwise } => self.switch(subject, arms, otherwise),
            StmtKind::For(binding, body) => self.for_stmt(binding, body),
            StmtKind::While(condition, body) => {
                let condition = self.boolean(condition);
                let body = self.stmts(body);
                Some(typed::StmtKind::While(condition?, body))
            }
            StmtKind::Alias(aliases, body) => self.alias_stmt(aliases, body, span),
            StmtKind::Clear(target) => {
                let place = self.target(target)?;
                self.check_clear(place.ty, target.span)?;
                Some(typed::StmtKind::Clear(place))
            }
            StmtKind::Undefine(target) => Some(typed::StmtKind::Undefine(self.target(target)?)),
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span, out),
            StmtKind::MultisetAdd(value, multiset) => {
                let target = self.multiset_target(multiset);
                let (target, element) = target?;
                Some(typed::StmtKind::MultisetAdd(target, self.stored(value, element)?))
            }
            StmtKind::MultisetRemove(slot, multiset) => {
                let slots = self.slots(multiset);
                let slot_value = self.value(slot);
                let ((target, slot_ty, _), (value, ty)) = (slots?, slot_value?);
                self.check_fits(ty, slot_ty, slot.span)?;
                self.refuse_read_only(&target)?;
                Some(typed::StmtKind::MultisetRemove(target, value))
            }
            StmtKind::MultisetRemoveIf { name, multiset, condition } => {
                self.multiset_remove_if(name, multiset, condition)
            }
            _ => self.short_stmt(stmt),
        }
    }

    /// Statements without parts.
    fn short_stmt(&mut self, stmt: &Stmt) -> Option<typed::StmtKind> {
        match &stmt.kind {
            StmtKind::Error(text) => Some(typed::StmtKind::Error(text.clone())),
            StmtKind::Assert(condition, message) => {
                let message = message.clone().unwrap_or_default();
                Some(typed::StmtKind::Assert(self.boolean(condition)?, message))
            }
            StmtKind::Assume(condition) => Some(typed::StmtKind::Assume(self.boolean(condition)?)),
            StmtKind::Cover(condition, name) => {
                let condition = self.boolean(condition)?;
                let id = CoverId(self.program.covers.len() as u32);
                let name = name.clone().unwrap_or_else(|| format!("cover statement {}", id.0 + 1));
                self.program.covers.push(CoverStatement { name, span: stmt.span });
                Some(typed::StmtKind::Cover(condition, id))
            }
            StmtKind::PutText(text) => {
                Some(typed::StmtKind::Put(vec![PutItem::Text(text.clone())]))
            }
            StmtKind::PutValue(value) => {
                let item = match self.operand(value)? {
                    Operand::Place(place) if !self.is_value(&place) => PutItem::Place(place),
                    operand => PutItem::Value(self.simple(operand)?.0),
                };
                Some(typed::StmtKind::Put(vec![item]))
            }
            _ => None,
        }
    }

    fn assign(
        &mut self,
        target: &Expr,
        value: &Expr,
        out: &mut Vec<typed::Stmt>,
    ) -> Option<typed::StmtKind> {
        let place = self.target(target);
        let Some(place) = place else {
            // Mistakes on the other side are reported all the same.
            self.operand(value);
            return None;
        };
        if self.is_undefined_word(value) {
            return Some(typed::StmtKind::Undefine(place));
        }
        let is_simple = self.program.types.is_simple(place.ty);
        if is_simple || place.path.iter().all(|step| matches!(step, Projection::Field(_))) {
            return self.store(place, value);
        }
        // A call is over before the target is looked for, and may decide where it is.
        if let super::super::ast::ExprKind::Call(..) = &value.kind {
            let result = self.nameless(place.ty, value.span);
            let result = self.local_place(result, value.span);
            let kind = self.store(result.clone(), value)?;
            out.push(typed::Stmt { kind, span: value.span });
            return Some(typed::StmtKind::Assign(place, Argument::Place(result)));
        }
        self.store(place, value)
    }

    fn store(&mut self, target: Place, value: &Expr) -> Option<typed::StmtKind> {
        if let super::super::ast::ExprKind::Call(name, arguments) = &value.kind
            && !self.program.types.is_simple(target.ty)
        {
            return self.assign_whole(target, (name, arguments), value.span);
        }
        let stored = self.stored(value, target.ty)?;
        Some(typed::StmtKind::Assign(target, stored))
    }

    /// `target := f(…)` where `f` gives a record, array or multiset.
    fn assign_whole(
        &mut self,
        target: Place,
        (name, arguments): (&Name, &[Expr]),
        span: Span,
    ) -> Option<typed::StmtKind> {
        let (function, mut arguments) = self.call(name, arguments, span)?;
        if self.signature(function).result != Outcome::Whole(target.ty) {
            let message = format!("`{}` does not give {}", name.text, self.type_name(target.ty));
            return self.fail("MU008", message, span);
        }
        arguments.push(Argument::Place(target));
        Some(typed::StmtKind::Call(function, arguments))
    }

    fn call_stmt(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Option<typed::StmtKind> {
        let (function, mut arguments) = self.call(name, arguments, span)?;
        match self.signature(function).result {
            Outcome::Nothing => {}
            Outcome::Simple(_) => self.extension("a call that ignores the result", span),
            Outcome::Whole(ty) => {
                self.extension("a call that ignores the result", span);
                let unused = self.nameless(ty, span);
                arguments.push(Argument::Place(self.local_place(unused, span)));
            }
        }
        Some(typed::StmtKind::Call(function, arguments))
    }

    /// A variable without a name of its own.
    pub(super) fn nameless(&mut self, ty: TypeId, span: Span) -> LocalId {
        let id = LocalId(self.owner.locals.len() as u32);
        let (name, kind) = ("unused".to_owned(), LocalKind::Variable);
        self.owner.locals.push(typed::Local { name, ty, kind, span });
        self.owner.read_only.push(false);
        id
    }

    fn if_stmt(&mut self, written: &[(Option<Expr>, Vec<Stmt>)]) -> Option<typed::StmtKind> {
        let mut arms = Vec::new();
        let mut complete = true;
        for (condition, body) in written {
            let condition = match condition {
                None => None,
                Some(condition) => {
                    let condition = self.boolean(condition);
                    complete &= condition.is_some();
                    condition
                }
            };
            arms.push((condition, self.stmts(body)));
        }
        complete.then_some(typed::StmtKind::If(arms))
    }

    fn switch(
        &mut self,
        subject: &Expr,
        written: &[(Vec<Expr>, Vec<Stmt>)],
        otherwise: &[Stmt],
    ) -> Option<typed::StmtKind> {
        let subject = self.value(subject);
        let mut arms = Vec::new();
        for (values, body) in written {
            let mut typed_values = Vec::new();
            for value in values {
                typed_values.extend(self.case_value(value, subject.as_ref().map(|one| one.1)));
            }
            arms.push((typed_values, self.stmts(body)));
        }
        let otherwise = self.stmts(otherwise);
        Some(typed::StmtKind::Switch { subject: subject?.0, arms, otherwise })
    }

    fn case_value(&mut self, written: &Expr, subject: Option<super::Ty>) -> Option<typed::Expr> {
        let (value, ty) = self.value(written)?;
        if let Some(subject) = subject
            && !self.overlap(ty, subject)
        {
            let message = format!("{} is never {}", self.ty_name(subject), self.ty_name(ty));
            return self.fail("MU008", message, written.span);
        }
        if super::constant::value_of(&value).is_none() {
            self.extension("a case that is not constant", written.span);
        }
        Some(value)
    }

    fn for_stmt(&mut self, binding: &Binding, body: &[Stmt]) -> Option<typed::StmtKind> {
        let domain = self.domain(&binding.domain);
        self.known.scopes.open();
        let bound = domain
            .map(|(domain, ty)| (self.bind(&binding.name, ty, LocalKind::Value, true), domain));
        if bound.is_none() {
            self.declare(&binding.name, Symbol::Bad);
        }
        let body = self.stmts(body);
        self.known.scopes.close();
        let (local, domain) = bound?;
        Some(typed::StmtKind::For { local, domain, body })
    }

    fn alias_stmt(
        &mut self,
        aliases: &[(Name, Expr)],
        body: &[Stmt],
        span: Span,
    ) -> Option<typed::StmtKind> {
        self.known.scopes.open();
        let mut bound = Vec::new();
        for (name, target) in aliases {
            bound.extend(self.alias(name, target));
        }
        let too_deep = self.owner.n_aliases > MAX_DEPTH;
        let body = if too_deep { Vec::new() } else { self.stmts(body) };
        self.known.scopes.close();
        self.owner.n_aliases -= bound.len() as u32;
        if too_deep {
            return self.fail("MU004", "too many aliases inside of each other", span);
        }
        let nest = |body, (local, target)| {
            vec![typed::Stmt { kind: typed::StmtKind::Alias { local, target, body }, span }]
        };
        let mut nested = bound.into_iter().rev().fold(body, nest);
        nested.pop().map(|stmt| stmt.kind)
    }

    /// Binds a name to a place or a value.
    pub(super) fn alias(&mut self, name: &Name, target: &Expr) -> Option<(LocalId, Argument)> {
        let mut constant = None;
        let bound = match self.operand(target) {
            Some(Operand::Place(place)) if !self.is_value(&place) => Some((
                place.ty,
                LocalKind::Reference,
                self.is_read_only(&place),
                Argument::Place(place),
            )),
            Some(operand) => self.simple(operand).and_then(|(value, ty)| {
                constant = super::constant::value_of(&value).map(|value| (value, ty));
                let ty = self.type_for(ty, value.bounds, target.span)?;
                Some((ty, LocalKind::Value, true, Argument::Value(value)))
            }),
            None => None,
        };
        let Some((ty, kind, read_only, argument)) = bound else {
            self.declare(name, Symbol::Bad);
            return None;
        };
        self.owner.n_aliases += 1;
        let local = self.nameless(ty, name.span);
        let bound = &mut self.owner.locals[local.0 as usize];
        (bound.name, bound.kind) = (name.text.clone(), kind);
        self.owner.read_only[local.0 as usize] = read_only;
        // An alias of a constant may stand where a constant has to.
        let symbol = match constant {
            Some((value, ty)) => Symbol::Constant(value, ty),
            None => Symbol::Local(local),
        };
        self.declare(name, symbol);
        Some((local, argument))
    }

    fn return_stmt(
        &mut self,
        value: Option<&Expr>,
        span: Span,
        out: &mut Vec<typed::Stmt>,
    ) -> Option<typed::StmtKind> {
        let result = self.owner.function.unwrap_or(Outcome::Nothing);
        match (result, value) {
            (Outcome::Nothing, None) => Some(typed::StmtKind::Return(None)),
            (Outcome::Nothing, Some(value)) => {
                self.fail("MU018", "there is nothing to return a value to", value.span)
            }
            (_, None) => self.fail("MU018", "a function has to return a value", span),
            (Outcome::Simple(ty), Some(value)) => {
                let (expr, of) = self.value(value)?;
                self.check_fits(of, ty, value.span)?;
                Some(typed::StmtKind::Return(Some(expr)))
            }
            (Outcome::Whole(_), Some(value)) => {
                let local = self.owner.result.expect("bound with the parameters");
                let target = self.local_place(local, span);
                let kind = self.store(target, value)?;
                out.push(typed::Stmt { kind, span });
                Some(typed::StmtKind::Return(None))
            }
        }
    }

    fn multiset_target(&mut self, written: &Expr) -> Option<(Place, TypeId)> {
        let place = self.target(written)?;
        match self.program.types.kind(place.ty) {
            TypeKind::Multiset { element, .. } => {
                let element = *element;
                Some((place, element))
            }
            _ => {
                let message = format!("{} is not a multiset", self.type_name(place.ty));
                self.fail("MU008", message, written.span)
            }
        }
    }

    fn multiset_remove_if(
        &mut self,
        name: &Name,
        multiset: &Expr,
        condition: &Expr,
    ) -> Option<typed::StmtKind> {
        let slots = self.slots(multiset);
        self.known.scopes.open();
        let bound = slots
            .map(|(multiset, slot, _)| (self.bind(name, slot, LocalKind::Value, true), multiset));
        if bound.is_none() {
            self.declare(name, Symbol::Bad);
        }
        let condition = self.boolean(condition);
        self.known.scopes.close();
        let ((local, multiset), condition) = (bound?, condition?);
        self.refuse_read_only(&multiset)?;
        Some(typed::StmtKind::MultisetRemoveIf { local, multiset, condition })
    }

    fn refuse_read_only(&mut self, place: &Place) -> Option<()> {
        if self.is_read_only(place) {
            return self.fail("MU011", "this cannot be changed", place.span);
        }
        Some(())
    }

    /// The smallest value of a scalarset is no better than the others.
    fn check_clear(&mut self, ty: TypeId, span: Span) -> Option<()> {
        if !matches!(self.program.types.kind(ty), TypeKind::Scalarset { .. }) {
            return Some(());
        }
        let error = Diagnostic::error("MU019", "a scalarset has no smallest value", span);
        self.push(error.help("use `undefine`"));
        None
    }
}
