//! Goes through statements and expressions, in the order in which they are evaluated.

use super::typed::{
    Argument, Binder, Domain, Expr, ExprKind, FunctionId, Place, Projection, PutItem, Stmt,
    StmtKind,
};

/// What to do with each part of a rule, function or property. As it is, nothing but to
/// look at its parts.
pub(in crate::murphi) trait Visit {
    /// A statement.
    fn statement(&mut self, statement: &Stmt) {
        self.parts_of_statement(statement);
    }

    /// An expression.
    fn expr(&mut self, expr: &Expr) {
        self.parts_of_expr(expr);
    }

    /// A place, whether it is read, written or bound to a name.
    fn place(&mut self, place: &Place) {
        self.parts_of_place(place);
    }

    /// A call, as an expression or as a statement.
    fn call(&mut self, _function: FunctionId, arguments: &[Argument]) {
        arguments.iter().for_each(|argument| self.argument(argument));
    }

    /// What surrounds a rule.
    fn binder(&mut self, binder: &Binder) {
        match binder {
            Binder::Each { domain, .. } => self.domain(domain),
            Binder::Choose { multiset, .. } => self.place(multiset),
            Binder::Alias { target, .. } => self.argument(target),
        }
    }

    /// Statements one after the other.
    fn block(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// What is assigned, passed or bound.
    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Place(place) => self.place(place),
            Argument::Value(value) => self.expr(value),
        }
    }

    /// The values of a bound name.
    fn domain(&mut self, domain: &Domain) {
        if let Domain::Range { from, to, by } = domain {
            [from, to, by].into_iter().for_each(|bound| self.expr(bound));
        }
    }

    /// All parts of a statement.
    fn parts_of_statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, argument) | StmtKind::MultisetAdd(place, argument) => {
                self.argument(argument);
                self.place(place);
            }
            StmtKind::If(arms) => {
                for (condition, body) in arms {
                    condition.iter().for_each(|condition| self.expr(condition));
                    self.block(body);
                }
            }
            StmtKind::Switch { subject, arms, otherwise } => {
                self.expr(subject);
                for (values, body) in arms {
                    values.iter().for_each(|value| self.expr(value));
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::For { domain, body, .. } => {
                self.domain(domain);
                self.block(body);
            }
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Alias { target, body, .. } => {
                self.argument(target);
                self.block(body);
            }
            StmtKind::Call(function, arguments) => self.call(*function, arguments),
            _ => self.parts_of_simple_statement(statement),
        }
    }

    /// All parts of a statement that has no others inside of it.
    fn parts_of_simple_statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Clear(place) | StmtKind::Undefine(place) => self.place(place),
            StmtKind::Assert(condition, _)
            | StmtKind::Assume(condition)
            | StmtKind::Cover(condition, _) => self.expr(condition),
            StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::MultisetRemove(multiset, value)
            | StmtKind::MultisetRemoveIf { multiset, condition: value, .. } => {
                self.place(multiset);
                self.expr(value);
            }
            StmtKind::Put(items) => {
                for item in items {
                    match item {
                        PutItem::Text(_) => {}
                        PutItem::Value(value) => self.expr(value),
                        PutItem::Place(place) => self.place(place),
                    }
                }
            }
            _ => {}
        }
    }

    /// All parts of an expression.
    fn parts_of_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::IsMember(operand, _) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, left, right) => {
                [condition, left, right].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::SameElement { left, right, .. } | ExprKind::SamePlace { left, right, .. } => {
                self.place(left);
                self.place(right);
            }
            ExprKind::Quantified { domain, body, .. } => {
                self.domain(domain);
                self.expr(body);
            }
            ExprKind::Let { target, body, .. } => {
                self.argument(target);
                self.expr(body);
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            ExprKind::MultisetCount { multiset, body, .. } => {
                self.place(multiset);
                self.expr(body);
            }
        }
    }

    /// All indices of a place.
    fn parts_of_place(&mut self, place: &Place) {
        for step in &place.path {
            if let Projection::Index(index) | Projection::Slot(index) = step {
                self.expr(index);
            }
        }
    }
}
