//! Which functions can be called from the rules and properties of a model, and which
//! calls with effects stand in a quantifier, where elements take turns?

use crate::murphi::typed::{
    Argument, Domain, Expr, ExprKind, FunctionId, Program, Stmt, StmtKind, TypeId,
};
use crate::murphi::visit::Visit;

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

/// Is a function called in `expr`?
pub(super) fn has_call(expr: &Expr) -> bool {
    struct Any(bool);
    impl Visit for Any {
        fn call(&mut self, _function: FunctionId, _arguments: &[Argument]) {
            self.0 = true;
        }
    }
    let mut any = Any(false);
    any.expr(expr);
    any.0
}

/// Is there an `assume` among the statements?
fn assumes(statements: &[Stmt]) -> bool {
    struct Any(bool);
    impl Visit for Any {
        fn statement(&mut self, statement: &Stmt) {
            self.0 |= matches!(statement.kind, StmtKind::Assume(_));
            self.parts_of_statement(statement);
        }
    }
    let mut any = Any(false);
    any.block(statements);
    any.0
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
    /// Looks through what is evaluated once for each value or slot of `ty`.
    fn within(&mut self, ty: TypeId, body: &Expr) {
        self.open.push(ty);
        self.expr(body);
        self.open.pop();
    }
}

impl Visit for Calls<'_> {
    fn call(&mut self, id: FunctionId, arguments: &[Argument]) {
        if self.program.functions[id.0 as usize].has_effects || self.some_function_assumes {
            self.disturbed.extend(&self.open);
        }
        if !self.found.contains(&id) {
            self.found.push(id);
        }
        arguments.iter().for_each(|argument| self.argument(argument));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Quantified { domain: Domain::Type(ty), body, .. } => self.within(*ty, body),
            ExprKind::MultisetCount { multiset, body, .. } => {
                self.place(multiset);
                self.within(multiset.ty, body);
            }
            _ => self.parts_of_expr(expr),
        }
    }
}
