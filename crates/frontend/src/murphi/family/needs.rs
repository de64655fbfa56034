//! How many elements a view needs so that each claim, and each fault, is seen in one.

use std::collections::BTreeSet;

use crate::murphi::typed::{
    Argument, BinaryOp, Binder, Domain, Expr, ExprKind, FunctionId, LocalId, LocalKind, Place,
    Program, Projection, Root, Rule, Stmt, StmtKind, UnaryOp,
};
use crate::murphi::visit::Visit;

use super::scope::Elements;

/// Elements that a view of the model needs, at least one.
pub(super) fn n_needed(program: &Program, elements: &Elements) -> u32 {
    let mut most = 1;
    for property in &program.properties {
        most = most.max(deepest((program, elements), Vec::new(), 0, |needs| {
            needs.claim(&property.condition);
        }));
    }
    for rule in &program.rules {
        most = most.max(of_rule(program, elements, rule, true));
    }
    for start in &program.starts {
        // What is bound at the start may have no slot.
        most = most.max(of_rule(program, elements, start, false));
    }
    for function in &program.functions {
        // Its parameters may be any elements.
        let n_bound = function.locals.iter().filter(|local| {
            local.kind != LocalKind::Variable && elements.are_in(&program.types, local.ty)
        });
        most =
            most.max(deepest((program, elements), Vec::new(), n_bound.count() as u32, |needs| {
                needs.block(&function.body);
            }));
    }
    most
}

/// Elements that a view needs to show all actors of any rule, and what it asserts of others.
pub(super) fn n_with_actors(program: &Program, elements: &Elements) -> u32 {
    let binds = |binder: &Binder| match binder {
        Binder::Each { domain: Domain::Type(ty), .. } => elements.are_in(&program.types, *ty),
        _ => false,
    };
    let of_rule = |rule: &Rule| {
        let mut asserted = Asserted { program, elements, most: 0 };
        asserted.block(&rule.body);
        let n_actors = rule.binders.iter().filter(|binder| binds(binder)).count();
        asserted.most.saturating_add(u32::try_from(n_actors).unwrap_or(u32::MAX))
    };
    program.rules.iter().map(of_rule).max().unwrap_or(1).max(1)
}

/// The number of elements that assertions speak of.
struct Asserted<'a> {
    program: &'a Program,
    elements: &'a Elements,
    most: u32,
}

impl Visit for Asserted<'_> {
    fn statement(&mut self, statement: &Stmt) {
        if let StmtKind::Assert(claim, _) = &statement.kind {
            self.most = self.most.max(claimed(self.program, self.elements, claim, true));
        }
        self.parts_of_statement(statement);
    }
}

fn of_rule(program: &Program, elements: &Elements, rule: &Rule, have_slots: bool) -> u32 {
    let bound = rule.binders.iter().filter_map(|binder| match binder {
        crate::murphi::typed::Binder::Each { local, domain: Domain::Type(ty) }
            if elements.are_in(&program.types, *ty) =>
        {
            Some(*local)
        }
        _ => None,
    });
    let bound: Vec<LocalId> = bound.collect();
    let n_bound = bound.len() as u32;
    let (slots, n_bound) = if have_slots { (bound, 0) } else { (Vec::new(), n_bound) };
    deepest((program, elements), slots, n_bound, |needs| {
        rule.guard.iter().for_each(|guard| needs.expr(guard));
        needs.block(&rule.body);
    })
}

/// The number of elements that a claim speaks of at the same time.
fn claimed(program: &Program, elements: &Elements, expr: &Expr, positive: bool) -> u32 {
    let of = |expr: &Expr, positive| claimed(program, elements, expr, positive);
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => of(operand, !positive),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
            let left = of(left, positive != (*op == BinaryOp::Implies));
            let right = of(right, positive);
            // Both claims have to be true: each can be seen by itself.
            if (*op == BinaryOp::And) == positive { left.max(right) } else { left + right }
        }
        ExprKind::Quantified { forall, domain, body, .. } if *forall == positive => {
            let binds = match domain {
                Domain::Type(ty) => elements.are_in(&program.types, *ty),
                Domain::Range { .. } => false,
            };
            u32::from(binds) + of(body, positive)
        }
        ExprKind::Let { body, .. } => of(body, positive),
        _ => 0,
    }
}

/// The largest number of elements that have to be seen together, but for those that have slots
/// anyway. Claims speak of `n_bound` more.
fn deepest(
    (program, elements): (&Program, &Elements),
    have_slots: Vec<LocalId>,
    n_bound: u32,
    look: impl FnOnce(&mut Needs<'_>),
) -> u32 {
    let open_calls = Vec::new();
    let mut needs =
        Needs { program, elements, counted: have_slots, n_around: 0, n_bound, open_calls, most: 0 };
    look(&mut needs);
    needs.most
}

struct Needs<'a> {
    program: &'a Program,
    elements: &'a Elements,
    /// Names of elements that have slots, or that `n_around` counts.
    counted: Vec<LocalId>,
    /// Elements that must be seen together with whatever is looked at: those of loops around
    /// it, as turns of elements without a slot may be left out, and those that the claim
    /// around it speaks of.
    n_around: u32,
    /// Parameters that may have no slot.
    n_bound: u32,
    /// Functions that are being looked at.
    open_calls: Vec<FunctionId>,
    most: u32,
}

impl Visit for Needs<'_> {
    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assert(claim, _) => {
                self.note(self.n_bound);
                self.n_around += self.n_bound;
                self.claim(claim);
                self.n_around -= self.n_bound;
                return;
            }
            StmtKind::Error(_) => self.note(self.n_bound),
            StmtKind::For { local, domain: Domain::Type(ty), .. }
                if self.elements.are_in(&self.program.types, *ty) =>
            {
                self.n_around += 1;
                self.counted.push(*local);
                self.parts_of_statement(statement);
                self.counted.pop();
                self.n_around -= 1;
                return;
            }
            StmtKind::Assign(target, source) => {
                let mut named = Named::new(self);
                named.place(target);
                named.argument(source);
                let n = named.count();
                self.note(n);
            }
            StmtKind::Switch { subject, arms, .. } => {
                for value in arms.iter().flat_map(|(values, _)| values) {
                    let mut named = Named::new(self);
                    named.expr(subject);
                    named.expr(value);
                    let n = named.count();
                    self.note(n);
                }
            }
            _ => {}
        }
        self.parts_of_statement(statement);
    }

    fn expr(&mut self, expr: &Expr) {
        let is_connective = match &expr.kind {
            ExprKind::Binary(op, ..) => {
                matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies)
            }
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Quantified { .. } => true,
            _ => false,
        };
        if !is_connective {
            // Where some part of it is not known, no part is looked at, and no fault is seen.
            let mut named = Named::new(self);
            named.expr(expr);
            let n = named.count();
            self.note(n);
        }
        self.parts_of_expr(expr);
    }

    fn place(&mut self, place: &Place) {
        let mut named = Named::new(self);
        named.place(place);
        let n = named.count();
        self.note(n);
        self.parts_of_place(place);
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        arguments.iter().for_each(|argument| self.argument(argument));
        // Without anything around it a function needs what it needs by itself.
        if self.n_around > 0 && !self.open_calls.contains(&function) {
            self.open_calls.push(function);
            let counted = std::mem::take(&mut self.counted);
            self.block(&self.program.functions[function.0 as usize].body);
            self.counted = counted;
            self.open_calls.pop();
        }
    }
}

impl Needs<'_> {
    /// Notes that `n` elements must be seen together with those around.
    fn note(&mut self, n: u32) {
        self.most = self.most.max(self.n_around + n);
    }

    fn claim(&mut self, claim: &Expr) {
        let n_claimed = claimed(self.program, self.elements, claim, true);
        self.note(n_claimed);
        let n_counted = self.counted.len();
        self.n_around += n_claimed;
        self.bound_by_claim(claim, true);
        self.expr(claim);
        self.counted.truncate(n_counted);
        self.n_around -= n_claimed;
    }

    /// Notes the names of the elements that a claim speaks of.
    fn bound_by_claim(&mut self, expr: &Expr, positive: bool) {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.bound_by_claim(operand, !positive),
            ExprKind::Binary(
                op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies),
                left,
                right,
            ) => {
                self.bound_by_claim(left, positive != (*op == BinaryOp::Implies));
                self.bound_by_claim(right, positive);
            }
            ExprKind::Quantified { forall, local, body, .. } if *forall == positive => {
                self.counted.push(*local);
                self.bound_by_claim(body, positive);
            }
            ExprKind::Let { body, .. } => self.bound_by_claim(body, positive),
            _ => {}
        }
    }
}

/// The elements by which something is found, but for those that are counted anyway.
struct Named<'a> {
    program: &'a Program,
    elements: &'a Elements,
    counted: &'a [LocalId],
    names: BTreeSet<String>,
}

impl<'a> Named<'a> {
    fn new(needs: &'a Needs<'_>) -> Named<'a> {
        let Needs { program, elements, counted, .. } = needs;
        Named { program, elements, counted, names: BTreeSet::new() }
    }

    fn count(&self) -> u32 {
        self.names.len() as u32
    }

    /// What distinguishes an index that is an element; `None` for those that are counted.
    fn name(&self, index: &Expr) -> Option<String> {
        match &index.kind {
            ExprKind::Read(place) => {
                let is_element = self.elements.are_in(&self.program.types, place.ty);
                let is_counted = match place.root {
                    Root::Local(local) => place.path.is_empty() && self.counted.contains(&local),
                    Root::Variable(_) => false,
                };
                (is_element && !is_counted).then(|| written(place))
            }
            ExprKind::Conditional(..) | ExprKind::Call(..) | ExprKind::Let { .. } => {
                Some(format!("{}", index.span.start))
            }
            _ => None,
        }
    }
}

impl Visit for Named<'_> {
    fn place(&mut self, place: &Place) {
        for step in &place.path {
            if let Projection::Index(index) = step {
                self.names.extend(self.name(index));
            }
        }
        self.parts_of_place(place);
    }
}

/// A place as text: the same for the same place.
fn written(place: &Place) -> String {
    let mut text = match place.root {
        Root::Variable(variable) => format!("v{variable}"),
        Root::Local(local) => format!("l{}", local.0),
    };
    for step in &place.path {
        match step {
            Projection::Field(field) => text.push_str(&format!(".{field}")),
            Projection::Index(Expr { kind: ExprKind::Read(index), .. }) => {
                text.push_str(&format!("[{}]", written(index)));
            }
            Projection::Index(index) => text.push_str(&format!("[{}]", index.span.start)),
            Projection::Slot(slot) => text.push_str(&format!("[{}]", slot.span.start)),
        }
    }
    text
}
