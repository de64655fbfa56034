//! Finds what treats the elements of a scalarset differently: `for` loops whose
//! turns depend on each other, and `clear`.
//!
//! A loop is accepted only where the text shows that its turns may be done in any
//! order: what one turn writes, no other one reads or writes, unless all of them
//! write the same, or add to the same. Everything else is refused, with the reason.

use super::access::{Base, Meaning, Region, Value};
use super::calls::called;
use super::collect::{Collector, meaning, value};
use super::conflict::why_dependent;
use super::shape::scalarsets_within;
use crate::murphi::faults::Scope;
use crate::murphi::typed::{
    Argument, Binder, Domain, Expr, ExprKind, Function, Local, LocalId, LocalKind, Place, Program,
    Projection, Root, Rule, Stmt, StmtKind, TypeId, TypeKind,
};

/// Why the scalarsets within a type must not be permuted.
pub(super) struct Refusal {
    /// A simple type.
    pub(super) ty: TypeId,
    /// A sentence without a full stop.
    pub(super) reason: String,
}

/// All that treats elements differently in rules and in functions that rules or
/// properties call.
pub(super) fn refusals(program: &Program) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    for rule in &program.rules {
        refusals.extend(Owner::rule(program, rule).look_through(&rule.body));
    }
    let called = called(program);
    for id in called.functions {
        let function = &program.functions[id.0 as usize];
        refusals.extend(Owner::function(program, function).look_through(&function.body));
    }
    for ty in called.disturbed.into_iter().flat_map(|ty| simple_types_within(program, ty)) {
        let reason = "a quantifier or count over it calls a function with effects".to_owned();
        refusals.push(Refusal { ty, reason });
    }
    refusals
}

/// The simple types that a value of type `ty` consists of.
fn simple_types_within(program: &Program, ty: TypeId) -> Vec<TypeId> {
    match program.types.kind(ty) {
        TypeKind::Record { fields } => {
            fields.iter().flat_map(|(_, ty)| simple_types_within(program, *ty)).collect()
        }
        // The order of slots follows all that lies in them.
        TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => {
            simple_types_within(program, *element)
        }
        _ => vec![ty],
    }
}

/// The rule or function that is looked through.
struct Owner<'a> {
    program: &'a Program,
    /// What it is called in reasons.
    name: String,
    locals: &'a [Local],
    meanings: Vec<Meaning>,
    refusals: Vec<Refusal>,
}

impl<'a> Owner<'a> {
    fn rule(program: &'a Program, rule: &'a Rule) -> Owner<'a> {
        let mut owner = Owner::new(program, format!("rule `{}`", rule.name), &rule.locals);
        for binder in &rule.binders {
            match binder {
                Binder::Each { local, .. } | Binder::Choose { local, .. } => owner.fix(*local),
                Binder::Alias { local, target } => owner.alias(*local, target),
            }
        }
        owner
    }

    fn function(program: &'a Program, function: &'a Function) -> Owner<'a> {
        let mut owner = Owner::new(program, format!("`{}`", function.name), &function.locals);
        for id in 0..function.n_parameters {
            let base = Base::Parameter(LocalId(id));
            owner.mean(LocalId(id), Meaning::Place(Region { base, steps: Vec::new() }));
        }
        owner
    }

    fn new(program: &'a Program, name: String, locals: &'a [Local]) -> Owner<'a> {
        let meanings = locals.iter().enumerate().map(|(id, local)| match local.kind {
            LocalKind::Variable => {
                let base = Base::Local(LocalId(id as u32));
                Meaning::Place(Region { base, steps: Vec::new() })
            }
            _ => Meaning::Value(Value::Unknown),
        });
        Owner { program, name, locals, meanings: meanings.collect(), refusals: Vec::new() }
    }

    fn look_through(mut self, body: &'a [Stmt]) -> Vec<Refusal> {
        self.block(body);
        self.refusals
    }

    fn block(&mut self, statements: &'a [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::If(arms) => arms.iter().for_each(|(_, body)| self.block(body)),
            StmtKind::Switch { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, body)| self.block(body));
                self.block(otherwise);
            }
            StmtKind::For { local, domain, body } => {
                if let Domain::Type(ty) = domain {
                    self.judge_loop(*local, *ty, body);
                }
                self.fix(*local);
                self.block(body);
            }
            StmtKind::While(_, body) => self.block(body),
            StmtKind::Alias { local, target, body } => {
                self.alias(*local, target);
                self.block(body);
            }
            StmtKind::Clear(place) => self.judge_clear(place),
            StmtKind::MultisetRemoveIf { local, multiset, condition } => {
                self.judge_removal(*local, multiset, condition);
            }
            _ => {}
        }
    }

    fn judge_loop(&mut self, local: LocalId, ty: TypeId, body: &'a [Stmt]) {
        let types = &self.program.types;
        if scalarsets_within(types, ty).is_empty() {
            return;
        }
        let mut meanings = self.meanings.clone();
        meanings[local.0 as usize] = Meaning::Value(Value::Turn);
        let turn = Collector::collect(self.program, self.locals, meanings, body);
        if let Some(why) = why_dependent(types, ty, &turn) {
            let name = &self.locals[local.0 as usize].name;
            let reason =
                format!("the `for` over `{name}` in {} depends on order: {why}", self.name);
            self.refusals.push(Refusal { ty, reason });
        }
    }

    /// `clear` gives scalarsets their first element.
    fn judge_clear(&mut self, place: &'a Place) {
        let text = self.scope().place_text(place);
        for ty in simple_types_within(self.program, place.ty) {
            let first = match self.program.types.kind(ty) {
                TypeKind::Union { members } => members[0],
                _ => ty,
            };
            let reason = format!("`clear {text}` in {} takes its first element", self.name);
            self.refusals.push(Refusal { ty: first, reason });
        }
    }

    /// `multisetremovepred` goes through the slots in order. That means nothing as
    /// long as the condition looks at its own slot alone, and not at what is still
    /// there.
    fn judge_removal(&mut self, local: LocalId, multiset: &'a Place, condition: &'a Expr) {
        if !looks_elsewhere(condition, local) {
            return;
        }
        let text = self.scope().place_text(multiset);
        for ty in simple_types_within(self.program, multiset.ty) {
            let reason = format!(
                "the condition of `multisetremovepred` on `{text}` in {} may depend on order",
                self.name
            );
            self.refusals.push(Refusal { ty, reason });
        }
    }

    fn alias(&mut self, local: LocalId, target: &'a Argument) {
        let stands_for = match target {
            Argument::Place(place) => meaning(&self.meanings, place),
            // A value that is found once before the loop is the same in all turns.
            Argument::Value(expr) => match value(&self.meanings, expr) {
                Value::Unknown => Meaning::Value(Value::Fixed(local)),
                known => Meaning::Value(known),
            },
        };
        self.mean(local, stands_for);
    }

    fn fix(&mut self, local: LocalId) {
        self.mean(local, Meaning::Value(Value::Fixed(local)));
    }

    fn mean(&mut self, local: LocalId, meaning: Meaning) {
        self.meanings[local.0 as usize] = meaning;
    }

    fn scope(&self) -> Scope<'a> {
        Scope { program: self.program, locals: self.locals }
    }
}

/// Might the value depend on slots of a multiset other than `slot`? Calls are not
/// looked through.
fn looks_elsewhere(expr: &Expr, slot: LocalId) -> bool {
    let elsewhere = |expr: &Expr| looks_elsewhere(expr, slot);
    match &expr.kind {
        ExprKind::Constant(_) => false,
        ExprKind::Read(place) | ExprKind::IsUndefined(place) => place_looks_elsewhere(place, slot),
        ExprKind::SameElement { left, right, .. } => {
            place_looks_elsewhere(left, slot) || place_looks_elsewhere(right, slot)
        }
        ExprKind::Unary(_, operand) | ExprKind::IsMember(operand, _) => elsewhere(operand),
        ExprKind::Binary(_, left, right) => elsewhere(left) || elsewhere(right),
        ExprKind::Conditional(condition, left, right) => {
            elsewhere(condition) || elsewhere(left) || elsewhere(right)
        }
        ExprKind::Quantified { domain: Domain::Type(_), body, .. } => elsewhere(body),
        ExprKind::Quantified { .. }
        | ExprKind::Let { .. }
        | ExprKind::SamePlace { .. }
        | ExprKind::Call(..)
        | ExprKind::MultisetCount { .. } => true,
    }
}

fn place_looks_elsewhere(place: &Place, slot: LocalId) -> bool {
    place.path.iter().any(|step| match step {
        Projection::Field(_) => false,
        Projection::Index(index) => looks_elsewhere(index, slot),
        Projection::Slot(index) => match &index.kind {
            ExprKind::Read(read) => read.root != Root::Local(slot) || !read.path.is_empty(),
            _ => true,
        },
    })
}
