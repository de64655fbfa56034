//! What the rules of a model do with fields: where they look at them, what they write, and what
//! is known of other fields then.

use std::collections::BTreeSet;

use crate::murphi::typed::{
    Argument, BinaryOp, Binder, Domain, Expr, ExprKind, LocalId, Place, Program, Projection, Root,
    Stmt, StmtKind, TypeId, Types, UnaryOp,
};
use crate::murphi::visit::Visit;

/// A field by its variable and the fields on the way; indices do not count.
pub(super) type Field = (u32, Vec<u32>);

/// What the rules of a model do with fields.
pub(super) struct Uses<'a> {
    /// The rules, after those that are start states.
    pub rules: Vec<RuleUses<'a>>,
    pub n_starts: usize,
    /// What properties look at.
    pub claims: RuleUses<'a>,
    /// Places that are used in ways that are not followed.
    pub bare: BTreeSet<Field>,
}

/// What one rule does.
#[derive(Default)]
pub(super) struct RuleUses<'a> {
    pub reads: Vec<Read<'a>>,
    pub writes: Vec<Write<'a>>,
    /// What its guard says.
    pub known: Vec<Fact<'a>>,
}

/// What is known of a place: the value that it has, or does not have.
#[derive(Clone, Copy)]
pub(super) struct Fact<'a> {
    pub place: &'a Place,
    pub value: i64,
    pub holds: bool,
}

/// A look at a place.
pub(super) struct Read<'a> {
    pub place: &'a Place,
    /// What is known wherever the value matters; the first `n_before`, wherever it is looked at.
    pub facts: Vec<Fact<'a>>,
    pub n_before: usize,
    pub purpose: Purpose<'a>,
}

/// What something is looked at for.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// For its value, which must be defined.
    Value,
    /// It is compared as an element, and may be undefined.
    Compared,
    /// It is copied, and may be undefined.
    Copied(&'a Place),
}

/// An assignment.
pub(super) struct Write<'a> {
    pub place: &'a Place,
    pub source: Source<'a>,
    /// Is it done whenever the rule is?
    pub always: bool,
    /// The loops around it, which go through all values of a type.
    pub loops: Vec<(LocalId, TypeId)>,
}

/// What is assigned.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Constant(i64),
    Value,
    Place(&'a Place),
    Nothing,
}

/// The field that a place is, if it belongs to a state variable.
pub(super) fn field_of(place: &Place) -> Option<Field> {
    let Root::Variable(variable) = place.root else { return None };
    let fields = place.path.iter().filter_map(|step| match step {
        Projection::Field(field) => Some(*field),
        _ => None,
    });
    Some((variable, fields.collect()))
}

/// The indices on the way to a place.
pub(super) fn indices(place: &Place) -> impl Iterator<Item = &Expr> {
    place.path.iter().filter_map(|step| match step {
        Projection::Index(index) => Some(index),
        _ => None,
    })
}

/// Are both the same name or constant?
pub(super) fn same_index(one: &Expr, other: &Expr) -> bool {
    match (&one.kind, &other.kind) {
        (ExprKind::Constant(one), ExprKind::Constant(other)) => one == other,
        (ExprKind::Read(one), ExprKind::Read(other)) => {
            matches!(one.root, Root::Local(_))
                && one.root == other.root
                && one.path.is_empty()
                && other.path.is_empty()
        }
        _ => false,
    }
}

fn same_place(one: &Place, other: &Place) -> bool {
    one.root == other.root
        && field_of(one) == field_of(other)
        && indices(one).count() == indices(other).count()
        && indices(one).zip(indices(other)).all(|(one, other)| same_index(one, other))
}

impl<'a> Uses<'a> {
    pub(super) fn of(program: &'a Program) -> Uses<'a> {
        let mut bare = BTreeSet::new();
        let mut all = Bare { fields: &mut bare };
        program.assumptions.iter().for_each(|assumption| all.expr(&assumption.condition));
        program.functions.iter().for_each(|function| all.block(&function.body));
        let mut claims = RuleUses::default();
        let mut walk = Walk::new(&program.types, &mut claims, &mut bare);
        for property in &program.properties {
            walk.look(&property.condition, &Facts::default());
        }
        let mut rules = Vec::new();
        for rule in program.starts.iter().chain(&program.rules) {
            let mut uses = RuleUses::default();
            for binder in &rule.binders {
                if let Binder::Alias { target: Argument::Place(place), .. } = binder {
                    bare.extend(field_of(place));
                }
            }
            let mut walk = Walk::new(&program.types, &mut uses, &mut bare);
            let mut facts = Facts::default();
            if let Some(guard) = &rule.guard {
                walk.look(guard, &facts);
                learn(guard, true, &mut facts.before);
                walk.uses.known.clone_from(&facts.before);
            }
            walk.block(&rule.body, &facts);
            rules.push(uses);
        }
        Uses { rules, n_starts: program.starts.len(), claims, bare }
    }

    /// Is the field, or something around it, used in ways that are not followed?
    pub(super) fn is_bare(&self, field: &Field) -> bool {
        self.bare.iter().any(|bare| bare.0 == field.0 && field.1.starts_with(&bare.1))
    }

    /// The rules that are no start states.
    pub(super) fn steps(&self) -> &[RuleUses<'a>] {
        &self.rules[self.n_starts..]
    }

    /// The start states.
    pub(super) fn starts(&self) -> &[RuleUses<'a>] {
        &self.rules[..self.n_starts]
    }

    /// Where rules and properties look at a field.
    pub(super) fn reads(&self, field: &Field) -> Vec<&Read<'a>> {
        let all = self.steps().iter().chain([&self.claims]).flat_map(|rule| &rule.reads);
        all.filter(|read| field_of(read.place).as_ref() == Some(field)).collect()
    }
}

/// What is known where something is looked at.
#[derive(Clone, Default)]
struct Facts<'a> {
    /// From what was looked at before.
    before: Vec<Fact<'a>>,
    /// From what is looked at afterwards: otherwise the value does not matter.
    after: Vec<Fact<'a>>,
}

impl<'a> Facts<'a> {
    fn with_before(&self, expr: &'a Expr, holds: bool) -> Facts<'a> {
        let mut facts = self.clone();
        learn(expr, holds, &mut facts.before);
        facts
    }

    fn with_after(&self, expr: &'a Expr, holds: bool) -> Facts<'a> {
        let mut facts = self.clone();
        learn(expr, holds, &mut facts.after);
        facts
    }
}

/// Adds what a condition says, as far as it is a conjunction.
fn learn<'a>(expr: &'a Expr, holds: bool, facts: &mut Vec<Fact<'a>>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) if holds => {
            learn(left, true, facts);
            learn(right, true, facts);
        }
        ExprKind::Binary(BinaryOp::Or, left, right) if !holds => {
            learn(left, false, facts);
            learn(right, false, facts);
        }
        ExprKind::Binary(BinaryOp::Implies, left, right) if !holds => {
            learn(left, true, facts);
            learn(right, false, facts);
        }
        ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
            if let (ExprKind::Read(place), ExprKind::Constant(value)) = (&left.kind, &right.kind) {
                let holds = (*op == BinaryOp::Eq) == holds;
                facts.push(Fact { place, value: *value, holds });
            }
        }
        ExprKind::Unary(UnaryOp::Not, inner) => learn(inner, !holds, facts),
        ExprKind::Read(place) => facts.push(Fact { place, value: 1, holds }),
        _ => {}
    }
}

/// Goes through a rule.
struct Walk<'a, 'b> {
    types: &'a Types,
    uses: &'b mut RuleUses<'a>,
    bare: &'b mut BTreeSet<Field>,
    /// What the rule may have written.
    written: BTreeSet<Field>,
    /// What it has written in any case.
    assigned: Vec<&'a Place>,
    loops: Vec<(LocalId, TypeId)>,
    is_conditional: bool,
}

impl<'a, 'b> Walk<'a, 'b> {
    fn new(
        types: &'a Types,
        uses: &'b mut RuleUses<'a>,
        bare: &'b mut BTreeSet<Field>,
    ) -> Walk<'a, 'b> {
        let (written, assigned, loops) = (BTreeSet::new(), Vec::new(), Vec::new());
        Walk { types, uses, bare, written, assigned, loops, is_conditional: false }
    }

    fn look(&mut self, expr: &'a Expr, facts: &Facts<'a>) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Read(place) => self.read(place, facts, Purpose::Value),
            ExprKind::SameElement { left, right, .. } => {
                self.read(left, facts, Purpose::Compared);
                self.read(right, facts, Purpose::Compared);
            }
            ExprKind::Unary(_, operand) => self.look(operand, facts),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Implies), left, right) => {
                self.look(left, &facts.with_after(right, *op == BinaryOp::And));
                self.look(right, &facts.with_before(left, true));
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                self.look(left, &facts.with_after(right, false));
                self.look(right, &facts.with_before(left, false));
            }
            ExprKind::Binary(_, left, right) => {
                self.look(left, facts);
                self.look(right, facts);
            }
            ExprKind::Conditional(asked, left, right) => {
                [asked, left, right].into_iter().for_each(|part| self.look(part, facts));
            }
            ExprKind::Quantified { body, .. } => self.look(body, facts),
            _ => Bare { fields: self.bare }.expr(expr),
        }
    }

    fn read(&mut self, place: &'a Place, facts: &Facts<'a>, purpose: Purpose<'a>) {
        self.indices(place, facts);
        if !self.types.is_simple(place.ty) {
            self.bare.extend(field_of(place));
        }
        if self.assigned.iter().any(|written| same_place(written, place)) {
            return;
        }
        let n_before = facts.before.len();
        let facts = facts.before.iter().chain(&facts.after).copied().collect();
        self.uses.reads.push(Read { place, facts, n_before, purpose });
    }

    fn indices(&mut self, place: &'a Place, facts: &Facts<'a>) {
        indices(place).for_each(|index| self.look(index, facts));
    }

    fn block(&mut self, statements: &'a [Stmt], facts: &Facts<'a>) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Assign(target, source) => {
                    self.indices(target, facts);
                    let source = match source {
                        Argument::Value(Expr { kind: ExprKind::Constant(value), .. }) => {
                            Source::Constant(*value)
                        }
                        Argument::Value(value) => {
                            self.look(value, facts);
                            Source::Value
                        }
                        Argument::Place(place) => {
                            self.read(place, facts, Purpose::Copied(target));
                            Source::Place(place)
                        }
                    };
                    self.write(target, source);
                }
                StmtKind::If(arms) => self.branches(arms, facts),
                StmtKind::For { local, domain, body } => {
                    // Other turns may have come before.
                    written(body, &mut self.written);
                    let facts = &self.unwritten(facts.clone());
                    match domain {
                        Domain::Type(ty) => {
                            self.loops.push((*local, *ty));
                            self.block(body, facts);
                            self.loops.pop();
                        }
                        Domain::Range { from, to, by } => {
                            [from, to, by].into_iter().for_each(|bound| self.look(bound, facts));
                            self.conditional(body, facts);
                        }
                    }
                }
                StmtKind::Undefine(place) => {
                    self.indices(place, facts);
                    self.write(place, Source::Nothing);
                }
                StmtKind::Assert(asked, _) => self.look(asked, facts),
                _ => Bare { fields: self.bare }.statement(statement),
            }
        }
    }

    fn conditional(&mut self, body: &'a [Stmt], facts: &Facts<'a>) {
        let before = std::mem::replace(&mut self.is_conditional, true);
        self.block(body, facts);
        self.is_conditional = before;
    }

    fn write(&mut self, place: &'a Place, source: Source<'a>) {
        if !self.types.is_simple(place.ty) {
            self.bare.extend(field_of(place));
        }
        let (always, loops) = (!self.is_conditional, self.loops.clone());
        self.written.extend(field_of(place));
        if always && loops.is_empty() {
            self.assigned.push(place);
        }
        self.uses.writes.push(Write { place, source, always, loops });
    }

    fn branches(&mut self, arms: &'a [(Option<Expr>, Vec<Stmt>)], facts: &Facts<'a>) {
        let mut facts = facts.clone();
        for (asked, body) in arms {
            let mut inside = facts.clone();
            if let Some(asked) = asked {
                self.look(asked, &facts);
                inside = self.unwritten(inside.with_before(asked, true));
                facts = self.unwritten(facts.with_before(asked, false));
            }
            self.conditional(body, &inside);
        }
    }

    /// What is known within a rule of the state before it: nothing of what the rule changes,
    /// unless its guard says so.
    fn unwritten(&self, mut facts: Facts<'a>) -> Facts<'a> {
        let n_known = self.uses.known.len();
        let mut idx = 0;
        facts.before.retain(|fact| {
            idx += 1;
            idx <= n_known
                || field_of(fact.place).is_some_and(|field| !self.written.contains(&field))
        });
        facts
    }
}

/// Notes all fields that are written, and what is around them.
fn written(statements: &[Stmt], fields: &mut BTreeSet<Field>) {
    let mut written = Written { fields };
    written.block(statements);
}

struct Written<'a> {
    fields: &'a mut BTreeSet<Field>,
}

impl Visit for Written<'_> {
    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, _) | StmtKind::Undefine(place) | StmtKind::Clear(place) => {
                self.fields.extend(field_of(place));
            }
            _ => self.parts_of_statement(statement),
        }
    }
}

/// Notes every place as used in ways that are not followed.
struct Bare<'a> {
    fields: &'a mut BTreeSet<Field>,
}

impl Visit for Bare<'_> {
    fn place(&mut self, place: &Place) {
        self.fields.extend(field_of(place));
        self.parts_of_place(place);
    }
}
