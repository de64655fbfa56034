//! How many elements a view needs so that each claim, and each fault, is seen in one.

use crate::murphi::typed::{
    BinaryOp, Binder, Domain, Expr, ExprKind, LocalId, Place, Program, Projection, Root, Rule,
    Stmt, StmtKind, UnaryOp,
};
use crate::murphi::visit::Visit;

use super::scope::Elements;

/// Elements that a view of the model needs, at least one.
pub(super) fn n_needed(program: &Program, elements: &Elements) -> u32 {
    let mut most = 1;
    for property in &program.properties {
        most = most.max(claimed(program, elements, &property.condition, true));
        most = most
            .max(deepest(program, elements, Vec::new(), |needs| needs.expr(&property.condition)));
    }
    for rule in &program.rules {
        most = most.max(of_rule(program, elements, rule));
    }
    for function in &program.functions {
        // Its parameters may be any elements.
        most =
            most.max(deepest(program, elements, Vec::new(), |needs| needs.block(&function.body)));
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

fn of_rule(program: &Program, elements: &Elements, rule: &Rule) -> u32 {
    let actors = rule.binders.iter().filter_map(|binder| match binder {
        Binder::Each { local, domain: Domain::Type(ty) }
            if elements.are_in(&program.types, *ty) =>
        {
            Some(*local)
        }
        _ => None,
    });
    deepest(program, elements, actors.collect(), |needs| {
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

/// The largest number of elements, actors aside, that one place goes through.
fn deepest(
    program: &Program,
    elements: &Elements,
    actors: Vec<LocalId>,
    look: impl FnOnce(&mut Needs<'_>),
) -> u32 {
    let mut needs = Needs { program, elements, actors, most: 0 };
    look(&mut needs);
    needs.most
}

struct Needs<'a> {
    program: &'a Program,
    elements: &'a Elements,
    actors: Vec<LocalId>,
    most: u32,
}

impl Visit for Needs<'_> {
    fn statement(&mut self, statement: &Stmt) {
        if let StmtKind::Assert(claim, _) = &statement.kind {
            self.most = self.most.max(claimed(self.program, self.elements, claim, true));
        }
        self.parts_of_statement(statement);
    }

    fn place(&mut self, place: &Place) {
        self.most = self.most.max(self.depth(place));
        self.parts_of_place(place);
    }
}

impl Needs<'_> {
    fn depth(&self, place: &Place) -> u32 {
        let steps = place.path.iter().map(|step| match step {
            Projection::Index(index) => self.depth_of_index(index),
            _ => 0,
        });
        steps.sum()
    }

    fn depth_of_index(&self, index: &Expr) -> u32 {
        let ExprKind::Read(place) = &index.kind else { return 0 };
        if !self.elements.are_in(&self.program.types, place.ty) {
            return self.depth(place);
        }
        let is_actor = match place.root {
            Root::Local(local) => place.path.is_empty() && self.actors.contains(&local),
            Root::Variable(_) => false,
        };
        u32::from(!is_actor) + self.depth(place)
    }
}
