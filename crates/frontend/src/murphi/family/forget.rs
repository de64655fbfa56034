//! Fields whose value no longer matters: a message that is not under way still has a sender and
//! data, of which views would be many.
//!
//! A field is *governed* by a sibling if rules look at it only where their guard says that the
//! sibling has one of certain values. When it has another one, the field is forgotten, by
//! `undefine` at the end of the rule.
//!
//! **Sound** whatever is forgotten: a governed field is read as a value that must be defined, so
//! that a rule which does look at it is a fault, and the proof fails; a rule that copies a record
//! with such a field as a whole is refused. What is found here has to be good, not right.

use std::collections::{BTreeMap, BTreeSet};

use model::Span;

use crate::murphi::typed::{
    Argument, BinaryOp, Binder, Domain, Expr, ExprKind, Function, Local, LocalId, LocalKind, Place,
    Program, Projection, Root, Rule, Stmt, StmtKind, TypeId, TypeKind, UnaryOp,
};
use crate::murphi::visit::Visit;

use super::scope::Elements;
use super::truth::{and, binary, condition, not, number, or, truth_constant};

/// More values of a governing field are not looked at.
const MAX_VALUES: u64 = 64;

/// A field by its variable and the fields on the way; indices do not count.
pub(super) type Field = (u32, Vec<u32>);

/// A field that matters only where a sibling has one of some values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Governed {
    pub field: Field,
    /// The sibling, by its number, and its values for which the field matters; `None` where
    /// nobody looks at the field at all.
    governor: Option<(u32, BTreeSet<i64>)>,
}

/// The governed fields of a model.
pub(super) fn governed(program: &Program) -> Vec<Governed> {
    let Some(uses) = Uses::of(program) else { return Vec::new() };
    let mut found = Vec::new();
    for (variable, declared) in (0..).zip(&program.variables) {
        let mut records = Vec::new();
        records_within(program, declared.ty, &mut Vec::new(), &mut records);
        for (path, ty) in records {
            let TypeKind::Record { fields } = program.types.kind(ty) else { continue };
            for (idx, (_, field_ty)) in (0..).zip(fields) {
                let field = (variable, path.iter().copied().chain([idx]).collect::<Vec<u32>>());
                if !program.types.is_simple(*field_ty) || uses.is_bare(&field) {
                    continue;
                }
                let siblings = (0..).zip(fields).filter(|(other, _)| *other != idx);
                let governor = siblings
                    .filter(|(_, (_, ty))| is_governing(program, *ty))
                    .find_map(|(other, (_, ty))| uses.values(program, &field, other, *ty));
                if governor.is_some() || !uses.is_read(&field) {
                    found.push(Governed { field, governor });
                }
            }
        }
    }
    // A field whose governor is forgotten itself would be looked at for nothing.
    let forgotten: BTreeSet<Field> = found.iter().map(|one| one.field.clone()).collect();
    found.retain(|one| one.governing().is_none_or(|governing| !forgotten.contains(&governing)));
    found
}

impl Governed {
    fn governing(&self) -> Option<Field> {
        let (governor, _) = self.governor.as_ref()?;
        let mut path = self.field.1.clone();
        path.pop();
        path.push(*governor);
        Some((self.field.0, path))
    }
}

fn is_governing(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.kind(ty), TypeKind::Enum { .. })
        && program.types.n_values(ty) <= MAX_VALUES
}

/// The records within a value, by the fields that lead there.
fn records_within(
    program: &Program,
    ty: TypeId,
    path: &mut Vec<u32>,
    out: &mut Vec<(Vec<u32>, TypeId)>,
) {
    match program.types.kind(ty) {
        TypeKind::Array { element, .. } => records_within(program, *element, path, out),
        TypeKind::Record { fields } => {
            out.push((path.clone(), ty));
            for (idx, (_, field)) in (0..).zip(fields) {
                path.push(idx);
                records_within(program, *field, path, out);
                path.pop();
            }
        }
        _ => {}
    }
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

/// What the rules of a model do with fields.
struct Uses<'a> {
    rules: Vec<RuleUses<'a>>,
    /// Places that are looked at or changed as a whole, or in properties, functions and aliases.
    bare: BTreeSet<Field>,
}

/// What one rule does.
#[derive(Default)]
struct RuleUses<'a> {
    reads: Vec<&'a Place>,
    writes: Vec<(&'a Place, Option<i64>)>,
    /// What its guard says: places and the value that they have, or do not have.
    known: Vec<(&'a Place, i64, bool)>,
}

impl<'a> Uses<'a> {
    fn of(program: &'a Program) -> Option<Uses<'a>> {
        let mut uses = Uses { rules: Vec::new(), bare: BTreeSet::new() };
        let mut bare = Bare { fields: &mut uses.bare };
        program.properties.iter().for_each(|property| bare.expr(&property.condition));
        program.assumptions.iter().for_each(|assumption| bare.expr(&assumption.condition));
        program.functions.iter().for_each(|function: &Function| bare.block(&function.body));
        for rule in program.starts.iter().chain(&program.rules) {
            let mut of_rule = RuleUses::default();
            for binder in &rule.binders {
                if let Binder::Alias { target: Argument::Place(place), .. } = binder {
                    uses.bare.extend(field_of(place));
                }
            }
            if let Some(guard) = &rule.guard {
                of_rule.learn(guard, true);
                of_rule.look(guard, &mut uses.bare);
            }
            of_rule.block(&rule.body, &mut uses.bare);
            uses.rules.push(of_rule);
        }
        Some(uses)
    }

    /// Is the field, or something around it, used in ways that are not followed?
    fn is_bare(&self, field: &Field) -> bool {
        let reads = self.rules.iter().flat_map(|rule| &rule.reads);
        // Where all of a record is read, undefined fields are copied, which is no fault.
        let mut wholes = reads.filter_map(|place| field_of(place)).filter(|read| read != field);
        self.bare.iter().any(|bare| is_within(field, bare))
            || wholes.any(|whole| is_within(field, &whole))
    }

    /// Does any rule look at the field?
    fn is_read(&self, field: &Field) -> bool {
        let mut reads = self.rules.iter().flat_map(|rule| &rule.reads);
        reads.any(|place| field_of(place).as_ref() == Some(field))
    }

    /// The values of a sibling for which the field matters, if there are others.
    fn values(
        &self,
        program: &Program,
        field: &Field,
        governor: u32,
        ty: TypeId,
    ) -> Option<(u32, BTreeSet<i64>)> {
        let all: BTreeSet<i64> = (1..=program.types.n_values(ty))
            .filter_map(|code| program.types.value_of(ty, code))
            .collect();
        let mut needed = BTreeSet::new();
        for rule in &self.rules {
            for read in rule.reads.iter().filter(|place| field_of(place).as_ref() == Some(field)) {
                needed.extend(rule.values_of(read, governor, &all)?);
            }
        }
        let is_useful = !needed.is_empty() && needed.len() < all.len();
        let is_kept = self.rules.iter().all(|rule| rule.keeps(field, governor, &needed, &all));
        (is_useful && is_kept).then_some((governor, needed))
    }
}

impl<'a> RuleUses<'a> {
    /// Notes what a guard says, as far as it is a conjunction.
    fn learn(&mut self, guard: &'a Expr, holds: bool) {
        match &guard.kind {
            ExprKind::Binary(BinaryOp::And, left, right) if holds => {
                self.learn(left, true);
                self.learn(right, true);
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                if let (ExprKind::Read(place), ExprKind::Constant(value)) =
                    (&left.kind, &right.kind)
                {
                    self.known.push((place, *value, (*op == BinaryOp::Eq) == holds));
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.learn(inner, !holds),
            ExprKind::Read(place) => self.known.push((place, 1, holds)),
            _ => {}
        }
    }

    fn look(&mut self, expr: &'a Expr, bare: &mut BTreeSet<Field>) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Read(place) => self.read(place, bare),
            ExprKind::SameElement { left, right, .. } => {
                self.read(left, bare);
                self.read(right, bare);
            }
            ExprKind::Unary(_, operand) => self.look(operand, bare),
            ExprKind::Binary(_, left, right) => {
                self.look(left, bare);
                self.look(right, bare);
            }
            ExprKind::Conditional(asked, left, right) => {
                [asked, left, right].into_iter().for_each(|part| self.look(part, bare));
            }
            ExprKind::Quantified { body, .. } => self.look(body, bare),
            _ => Bare { fields: bare }.expr(expr),
        }
    }

    fn read(&mut self, place: &'a Place, bare: &mut BTreeSet<Field>) {
        self.reads.push(place);
        self.indices(place, bare);
    }

    fn indices(&mut self, place: &'a Place, bare: &mut BTreeSet<Field>) {
        for step in &place.path {
            if let Projection::Index(index) = step {
                self.look(index, bare);
            }
        }
    }

    fn block(&mut self, statements: &'a [Stmt], bare: &mut BTreeSet<Field>) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Assign(target, source) => {
                    self.indices(target, bare);
                    let value = match source {
                        Argument::Value(Expr { kind: ExprKind::Constant(value), .. }) => {
                            Some(*value)
                        }
                        Argument::Value(value) => {
                            self.look(value, bare);
                            None
                        }
                        Argument::Place(place) => {
                            self.read(place, bare);
                            None
                        }
                    };
                    self.writes.push((target, value));
                }
                StmtKind::If(arms) => {
                    for (asked, body) in arms {
                        asked.iter().for_each(|asked| self.look(asked, bare));
                        self.block(body, bare);
                    }
                }
                StmtKind::For { body, .. } => self.block(body, bare),
                StmtKind::Undefine(place) => {
                    self.indices(place, bare);
                    self.writes.push((place, None));
                }
                _ => Bare { fields: bare }.statement(statement),
            }
        }
    }

    /// The values that the guard leaves for a sibling of `place`; `None` if it says nothing.
    fn values_of(
        &self,
        place: &Place,
        governor: u32,
        all: &BTreeSet<i64>,
    ) -> Option<BTreeSet<i64>> {
        let mut left = all.clone();
        for (known, value, is_it) in &self.known {
            if is_sibling(known, place, governor) {
                left.retain(|one| (one == value) == *is_it);
            }
        }
        (left.len() < all.len()).then_some(left)
    }

    /// Is the field written whenever the sibling may come to have a value for which it matters?
    fn keeps(
        &self,
        field: &Field,
        governor: u32,
        needed: &BTreeSet<i64>,
        all: &BTreeSet<i64>,
    ) -> bool {
        self.writes.iter().all(|(target, value)| {
            let Some(written) = field_of(target) else { return true };
            let is_governor = written.0 == field.0
                && written.1.len() == field.1.len()
                && written.1[..written.1.len() - 1] == field.1[..field.1.len() - 1]
                && written.1.last() == Some(&governor);
            if !is_governor || value.is_some_and(|value| !needed.contains(&value)) {
                return true;
            }
            let was_needed = self.known.iter().any(|(known, ..)| same_place(known, target))
                && self.values_of(target, governor, all).is_some_and(|left| left.is_subset(needed));
            let is_written =
                self.writes.iter().any(|(other, _)| field_of(other).as_ref() == Some(field));
            was_needed || is_written
        })
    }
}

/// Is a field another one, or within it?
pub(super) fn is_within(field: &Field, around: &Field) -> bool {
    field.0 == around.0 && field.1.starts_with(&around.1)
}

/// Is `known` the governing sibling of `place`, or that itself?
fn is_sibling(known: &Place, place: &Place, governor: u32) -> bool {
    let Some((Projection::Field(last), before)) = known.path.split_last() else { return false };
    let Some((_, around)) = place.path.split_last() else { return false };
    *last == governor
        && known.root == place.root
        && before.len() == around.len()
        && before.iter().zip(around).all(|(one, other)| same_step(one, other))
}

fn same_place(one: &Place, other: &Place) -> bool {
    one.root == other.root
        && one.path.len() == other.path.len()
        && one.path.iter().zip(&other.path).all(|(one, other)| same_step(one, other))
}

fn same_step(one: &Projection, other: &Projection) -> bool {
    match (one, other) {
        (Projection::Field(one), Projection::Field(other)) => one == other,
        (Projection::Index(one), Projection::Index(other)) => match (&one.kind, &other.kind) {
            (ExprKind::Constant(one), ExprKind::Constant(other)) => one == other,
            (ExprKind::Read(one), ExprKind::Read(other)) => {
                matches!(one.root, Root::Local(_)) && same_place(one, other)
            }
            _ => false,
        },
        _ => false,
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

/// Statements for the end of a rule: they forget what no longer matters of the elements in a
/// view, where the rule may have changed a governing field.
pub(super) fn forgetting(
    program: &Program,
    elements: &Elements,
    n_visible: u32,
    governed: &[Governed],
    rule: &mut Rule,
) {
    let mut written = Written { fields: BTreeMap::new(), returns: false };
    written.block(&rule.body);
    if written.returns {
        return;
    }
    let span = rule.span;
    for one in governed {
        let touches = |field: &Field| {
            written.fields.keys().any(|other| {
                other.0 == field.0
                    && (field.1.starts_with(&other.1) || other.1.starts_with(&field.1))
            })
        };
        if one.governing().is_some_and(|governing| touches(&governing)) || touches(&one.field) {
            let mut turns = Turns { program, elements, n_visible, locals: &mut rule.locals, span };
            rule.body.extend(turns.forget(one));
        }
    }
}

/// What a rule writes.
struct Written {
    fields: BTreeMap<Field, ()>,
    returns: bool,
}

impl Visit for Written {
    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, _) | StmtKind::Undefine(place) | StmtKind::Clear(place) => {
                self.fields.extend(field_of(place).map(|field| (field, ())));
            }
            StmtKind::Return(_) => self.returns = true,
            _ => {}
        }
        self.parts_of_statement(statement);
    }
}

/// Loops over the indices on the way to a field.
struct Turns<'a> {
    program: &'a Program,
    elements: &'a Elements,
    n_visible: u32,
    locals: &'a mut Vec<Local>,
    span: Span,
}

impl Turns<'_> {
    fn forget(&mut self, governed: &Governed) -> Vec<Stmt> {
        let (variable, path) = &governed.field;
        let ty = self.program.variables[*variable as usize].ty;
        let place =
            Place { root: Root::Variable(*variable), path: Vec::new(), ty, span: self.span };
        self.descend(place, path, governed)
    }

    fn descend(&mut self, place: Place, path: &[u32], governed: &Governed) -> Vec<Stmt> {
        match self.program.types.kind(place.ty) {
            TypeKind::Array { index, element } => {
                let (index, element) = (*index, *element);
                let domain = match index == self.elements.ty {
                    true => self.elements.slots(0, self.n_visible, self.span),
                    false => Domain::Type(index),
                };
                let local = LocalId(self.locals.len() as u32);
                let name = format!("each_{}", local.0);
                self.locals.push(Local {
                    name,
                    ty: index,
                    kind: LocalKind::Value,
                    span: self.span,
                });
                let here = Place {
                    root: Root::Local(local),
                    path: Vec::new(),
                    ty: index,
                    span: self.span,
                };
                let bounds = self.program.types.bounds(index);
                let here = Expr { kind: ExprKind::Read(Box::new(here)), bounds, span: self.span };
                let mut inner = place;
                inner.path.push(Projection::Index(here));
                inner.ty = element;
                let body = self.descend(inner, path, governed);
                vec![Stmt { kind: StmtKind::For { local, domain, body }, span: self.span }]
            }
            TypeKind::Record { fields } if path.len() > 1 => {
                let mut inner = place;
                inner.path.push(Projection::Field(path[0]));
                inner.ty = fields[path[0] as usize].1;
                self.descend(inner, &path[1..], governed)
            }
            TypeKind::Record { fields } => {
                let part = |field: u32| {
                    let mut part = place.clone();
                    part.path.push(Projection::Field(field));
                    part.ty = fields[field as usize].1;
                    part
                };
                let Some((governor, values)) = &governed.governor else {
                    let kind = StmtKind::Undefine(part(path[0]));
                    return vec![Stmt { kind, span: self.span }];
                };
                vec![self.unless_needed(part(*governor), part(path[0]), values)]
            }
            _ => Vec::new(),
        }
    }

    fn unless_needed(&self, governor: Place, field: Place, values: &BTreeSet<i64>) -> Stmt {
        let span = self.span;
        let bounds = self.program.types.bounds(governor.ty);
        let is_undefined = condition(span, ExprKind::IsUndefined(Box::new(governor.clone())));
        let read = Expr { kind: ExprKind::Read(Box::new(governor)), bounds, span };
        let needed = values.iter().fold(truth_constant(false, span), |any, value| {
            or(any, binary(BinaryOp::Eq, read.clone(), number(*value, span)))
        });
        let asked = or(is_undefined, and(not(needed), truth_constant(true, span)));
        let body = vec![Stmt { kind: StmtKind::Undefine(field), span }];
        Stmt { kind: StmtKind::If(vec![(Some(asked), body)]), span }
    }
}
