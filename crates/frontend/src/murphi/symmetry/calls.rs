//! Which functions can be called from the rules and properties of a model, and which
//! calls with effects stand in a quantifier, where elements take turns?

use crate::murphi::typed::{
    Argument, Binder, Domain, Expr, ExprKind, FunctionId, Place, Program, Projection, PutItem,
    Stmt, StmtKind, TypeId,
};

/// What is called.
pub(super) struct Called {
    /// The functions that are called from rules, properties, assumptions and
    /// propositions, at first or second hand. Those that only start states call are
    /// not among them.
    pub(super) functions: Vec<FunctionId>,
    /// Types of elements or multisets that a quantifier or count goes through while
    /// it calls a function with effects.
    pub(super) disturbed: Vec<TypeId>,
}

/// Looks through rules, properties and all that they call.
pub(super) fn called(program: &Program) -> Called {
    let mut calls = Calls {
        program,
        some_function_assumes: program.functions.iter().any(|f| assumes(&f.body)),
        found: Vec::new(),
        open: Vec::new(),
        disturbed: Vec::new(),
    };
    for rule in &program.rules {
        rule.binders.iter().for_each(|binder| calls.binder(binder));
        rule.guard.iter().for_each(|guard| calls.expr(guard));
        calls.block(&rule.body);
    }
    let predicates = [&program.properties, &program.assumptions, &program.propositions];
    for predicate in predicates.into_iter().flatten() {
        calls.expr(&predicate.condition);
    }
    let mut n_done = 0;
    while let Some(id) = calls.found.get(n_done) {
        calls.block(&program.functions[id.0 as usize].body);
        n_done += 1;
    }
    Called { functions: calls.found, disturbed: calls.disturbed }
}

/// Is there an `assume` among the statements?
fn assumes(statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Assume(_) => true,
        StmtKind::If(arms) => arms.iter().any(|(_, body)| assumes(body)),
        StmtKind::Switch { arms, otherwise, .. } => {
            arms.iter().any(|(_, body)| assumes(body)) || assumes(otherwise)
        }
        StmtKind::For { body, .. } | StmtKind::While(_, body) | StmtKind::Alias { body, .. } => {
            assumes(body)
        }
        _ => false,
    })
}

struct Calls<'a> {
    program: &'a Program,
    some_function_assumes: bool,
    found: Vec<FunctionId>,
    /// What the quantifiers around here go through.
    open: Vec<TypeId>,
    disturbed: Vec<TypeId>,
}

impl Calls<'_> {
    fn call(&mut self, id: FunctionId, arguments: &[Argument]) {
        if self.program.functions[id.0 as usize].has_effects || self.some_function_assumes {
            self.disturbed.extend(&self.open);
        }
        if !self.found.contains(&id) {
            self.found.push(id);
        }
        arguments.iter().for_each(|argument| self.argument(argument));
    }

    fn binder(&mut self, binder: &Binder) {
        match binder {
            Binder::Each { domain, .. } => self.domain(domain),
            Binder::Choose { multiset, .. } => self.place(multiset),
            Binder::Alias { target, .. } => self.argument(target),
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Place(place) => self.place(place),
            Argument::Value(value) => self.expr(value),
        }
    }

    fn domain(&mut self, domain: &Domain) {
        if let Domain::Range { from, to, by } = domain {
            [from, to, by].into_iter().for_each(|bound| self.expr(bound));
        }
    }

    fn place(&mut self, place: &Place) {
        for step in &place.path {
            if let Projection::Index(index) | Projection::Slot(index) = step {
                self.expr(index);
            }
        }
    }

    fn block(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
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
            _ => self.simple(statement),
        }
    }

    fn simple(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Clear(place) | StmtKind::Undefine(place) => self.place(place),
            StmtKind::Assert(condition, _) | StmtKind::Assume(condition) => self.expr(condition),
            StmtKind::Put(items) => items.iter().for_each(|item| self.put(item)),
            StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::MultisetRemove(multiset, value)
            | StmtKind::MultisetRemoveIf { multiset, condition: value, .. } => {
                self.place(multiset);
                self.expr(value);
            }
            _ => {}
        }
    }

    /// Looks through what is evaluated once for each value or slot of `ty`.
    fn within(&mut self, ty: TypeId, body: &Expr) {
        self.open.push(ty);
        self.expr(body);
        self.open.pop();
    }

    fn put(&mut self, item: &PutItem) {
        match item {
            PutItem::Text(_) => {}
            PutItem::Value(value) => self.expr(value),
            PutItem::Place(place) => self.place(place),
        }
    }

    fn expr(&mut self, expr: &Expr) {
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
                if let Domain::Type(ty) = domain {
                    self.within(*ty, body);
                } else {
                    self.expr(body);
                }
            }
            ExprKind::Let { target, body, .. } => {
                self.argument(target);
                self.expr(body);
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            ExprKind::MultisetCount { multiset, body, .. } => {
                self.place(multiset);
                self.within(multiset.ty, body);
            }
        }
    }
}
