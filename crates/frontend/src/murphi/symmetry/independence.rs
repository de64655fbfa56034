//! Finds what treats the elements of a scalarset differently: `for` loops whose
//! turns depend on each other, `clear`, liveness goals that name single elements, and
//! uses of the order of slots.
//!
//! A loop is accepted only where the text shows that its turns may be done in any
//! order: what one turn writes, no other one reads or writes, unless all of them
//! write the same, or add to the same. Everything else is refused, with the reason.

use super::access::{Base, Meaning, Region, Step, Value};
use super::calls::called;
use super::collect::{Collector, meaning, value};
use super::conflict::why_dependent;
use super::shape::scalarsets_within;
use super::slots::order_of_slots;
use crate::murphi::faults::Scope;
use crate::murphi::typed::{
    Argument, Binder, Domain, Expr, ExprKind, Function, Local, LocalId, LocalKind, Place,
    Predicate, Program, Rule, Stmt, StmtKind, TypeId, TypeKind,
};

/// Why some scalarsets must not be permuted.
pub(super) struct Refusal {
    /// Those within this simple type; `None` is all.
    pub(super) ty: Option<TypeId>,
    /// A sentence without a full stop.
    pub(super) reason: String,
}

/// All that treats elements differently in rules, in properties, and in functions that
/// these call.
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
    for ty in called.disturbed {
        // The order of slots may be that of a loop over any scalarset.
        let is_multiset = matches!(program.types.kind(ty), TypeKind::Multiset { .. });
        let reason = if is_multiset {
            "a count calls a function with effects"
        } else {
            "a quantifier over it calls a function with effects"
        };
        refusals.push(Refusal { ty: (!is_multiset).then_some(ty), reason: reason.to_owned() });
    }
    refusals.extend(program.properties.iter().flat_map(judge_goal));
    let slots = order_of_slots(program);
    refusals.extend(slots.map(|reason| Refusal { ty: None, reason }));
    refusals
}

/// A liveness goal is a property for each instance of its rulesets, which names the
/// elements of that instance.
fn judge_goal(goal: &Predicate) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let mut inner = &goal.condition;
    while let ExprKind::Let { local, target, body } = &inner.kind {
        if let Argument::Value(Expr { kind: ExprKind::Constant(_), .. }) = **target {
            let reason = "a liveness goal is asked of each element by itself".to_owned();
            refusals.push(Refusal { ty: Some(goal.locals[local.0 as usize].ty), reason });
        }
        inner = body;
    }
    refusals
}

/// The simple types of all values in a place of type `ty`.
fn simple_types_within(program: &Program, ty: TypeId) -> Vec<TypeId> {
    match program.types.kind(ty) {
        TypeKind::Record { fields } => {
            fields.iter().flat_map(|(_, ty)| simple_types_within(program, *ty)).collect()
        }
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
            self.refusals.push(Refusal { ty: Some(ty), reason });
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
            self.refusals.push(Refusal { ty: Some(first), reason });
        }
    }

    fn alias(&mut self, local: LocalId, target: &'a Argument) {
        let stands_for = match target {
            Argument::Place(place) => match meaning(&self.meanings, place) {
                Meaning::Place(region) => Meaning::Place(self.frozen(region)),
                known => known,
            },
            // A value that is found once before the loop is the same in all turns.
            Argument::Value(expr) => match value(&self.meanings, expr) {
                Value::Unknown => Meaning::Value(Value::Fixed(local)),
                Value::Fixed(id) if self.may_change(id) => Meaning::Value(Value::Fixed(local)),
                known => Meaning::Value(known),
            },
        };
        self.mean(local, stands_for);
    }

    /// An alias stays where it was when it was bound, whatever is assigned to the
    /// parameter that was its index.
    fn frozen(&self, mut region: Region) -> Region {
        for step in &mut region.steps {
            if matches!(step, Step::Index(Value::Fixed(id)) if self.may_change(*id)) {
                *step = Step::Index(Value::Unknown);
            }
        }
        region
    }

    /// May the name be assigned while it is bound?
    fn may_change(&self, id: LocalId) -> bool {
        self.locals[id.0 as usize].kind != LocalKind::Value
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
