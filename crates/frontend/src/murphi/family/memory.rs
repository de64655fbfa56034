//! Nodes that elements share: a scalarset of which a model has as many as are needed.
//!
//! A list that any number of threads change needs any number of nodes, since each thread may
//! hold on to some that nobody else reaches. So a proof for any number of elements is one for
//! any number of nodes as well, and a view shows those that can be reached from it, see
//! [`model::parameterized::Memory`].
//!
//! **Nodes are taken** by rules that choose one, `ruleset n : Node do rule … holder[n] = Free`.
//! What their guard says of the node alone, its *mark*, has to tell that it is fresh: as at the
//! start. That is a claim about each node of each view. Nodes that no view shows are nobody's;
//! the engine sees to it that such a node is fresh.
//! **Nodes are given back** by a loop over all of them, where it is known that nobody reaches
//! one. Elements beside may reach it: then it is given back *in doubt*, and the engine sees to it
//! that no element in sight reaches it. Nothing may happen in a rule after that.
//! **Refused**: all else that is done for all nodes in rules, since there is no end of them.

use std::collections::BTreeMap;

use model::{PropertyKind, Span};

use crate::murphi::layout::Layouts;
use crate::murphi::typed::{
    Argument, BOOLEAN, BinaryOp, Binder, Domain, Expr, ExprKind, Local, LocalId, LocalKind, Place,
    Predicate, Program, Projection, Root, Rule, Stmt, StmtKind, Type, TypeId, TypeKind, Types,
    Variable,
};
use crate::murphi::visit::Visit;

use super::inline;
use super::scope::{Refused, refuse};
use super::truth::{and, binary, condition, not, number, or, truth_constant};

/// The memory of a model.
#[derive(Clone, Debug)]
pub(super) struct NodeType {
    /// The scalarset.
    pub ty: TypeId,
    /// Its name.
    pub name: String,
    /// The variable that says which nodes were given back in doubt.
    pub doubt: u32,
    /// Nodes that one rule takes, at the most.
    pub n_taken: u32,
    /// What belongs to a node: the way there, and the value in a fresh node.
    fields: Vec<(Field, Option<i64>)>,
    /// What guards say of nodes that they take, and by which name.
    marks: Vec<(LocalId, Expr)>,
}

/// A simple value that belongs to a node: variable, fields behind the index, and its type.
#[derive(Clone, Debug)]
struct Field {
    variable: u32,
    path: Vec<u32>,
    ty: TypeId,
}

impl NodeType {
    /// Makes a type the memory of the model, which gets one more variable.
    pub(super) fn new(program: &mut Program, ty: TypeId) -> Refused<NodeType> {
        let name = program.types.get(ty).name.clone();
        let fresh = fresh_values(program, ty);
        let fields = fields(program, ty)?;
        let fields = fields.into_iter().map(|field| {
            let value = fresh.get(&(field.variable, field.path.clone())).copied();
            (field, value)
        });
        let fields = fields.collect();
        let mut marks = Vec::new();
        let mut n_taken = 1;
        for rule in &program.rules {
            let before = marks.len();
            marks_of(program, ty, rule, &mut marks)?;
            n_taken = n_taken.max((marks.len() - before) as u32);
        }
        let array = TypeId(program.types.all.len() as u32);
        let kind = TypeKind::Array { index: ty, element: BOOLEAN };
        program.types.all.push(Type { name: String::new(), kind });
        let doubt = program.variables.len() as u32;
        let span = program.variables.first().map_or(Span::new(0, 0, 0), |first| first.span);
        let variable = Variable { name: format!("doubt of {name}"), ty: array, span };
        program.variables.push(variable);
        Ok(NodeType { ty, name, doubt, n_taken, fields, marks })
    }

    /// Are nodes among the values of a type?
    pub(super) fn is_in(&self, types: &Types, ty: TypeId) -> bool {
        are_in(types, self.ty, ty)
    }

    /// Is each node that could be taken fresh?
    pub(super) fn claim(&self, types: &Types, span: Span) -> Predicate {
        let local = LocalId(0);
        let locals =
            vec![Local { name: "n".to_owned(), ty: self.ty, kind: LocalKind::Value, span }];
        let body = Box::new(self.fresh_if_marked(types, local, span));
        let domain = Domain::Type(self.ty);
        let kind = ExprKind::Quantified { forall: true, local, domain, body };
        let name = format!("`{}` that may be taken are fresh", self.name);
        let condition = condition(span, kind);
        Predicate { name, kind: PropertyKind::Invariant, locals, condition, span }
    }

    /// `mark(n) -> fresh(n)`, for each mark.
    pub(super) fn fresh_if_marked(&self, types: &Types, node: LocalId, span: Span) -> Expr {
        let fresh = self.fresh(types, node, span);
        let marks = self.marks.iter().map(|(name, mark)| {
            inline::renamed(mark, &|local| if local == *name { node } else { local })
        });
        marks.fold(truth_constant(true, span), |all, mark| and(all, or(not(mark), fresh.clone())))
    }

    fn fresh(&self, types: &Types, node: LocalId, span: Span) -> Expr {
        let parts = self.fields.iter().map(|(field, value)| {
            let place = self.place(field, node, span);
            let bounds = types.bounds(field.ty);
            let read = Expr { kind: ExprKind::Read(Box::new(place.clone())), bounds, span };
            let is_undefined = condition(span, ExprKind::IsUndefined(Box::new(place)));
            match value {
                None => is_undefined,
                Some(value) => {
                    and(not(is_undefined), binary(BinaryOp::Eq, read, number(*value, span)))
                }
            }
        });
        parts.fold(truth_constant(true, span), and)
    }

    fn place(&self, field: &Field, node: LocalId, span: Span) -> Place {
        let mut path = vec![Projection::Index(self.read(node, span))];
        path.extend(field.path.iter().map(|field| Projection::Field(*field)));
        Place { root: Root::Variable(field.variable), path, ty: field.ty, span }
    }

    fn read(&self, node: LocalId, span: Span) -> Expr {
        let place = Place { root: Root::Local(node), path: Vec::new(), ty: self.ty, span };
        let bounds = (i64::MIN, i64::MAX);
        Expr { kind: ExprKind::Read(Box::new(place)), bounds, span }
    }

    /// Is the node with this number, in this state, as fresh nodes are said to be?
    pub(super) fn is_fresh_in(
        &self,
        program: &Program,
        layouts: &Layouts,
        (state, node): (&[u64], u32),
    ) -> bool {
        let types = &program.types;
        self.fields.iter().all(|(field, value)| {
            let array = program.variables[field.variable as usize].ty;
            let TypeKind::Array { index, mut element } = *types.kind(array) else { return false };
            let number = types.first_value(self.ty) + i64::from(node);
            let Some(code) = types.code_of(index, number) else { return false };
            let mut bit = layouts.variables[field.variable as usize];
            bit += layouts.of(array).stride * (code as u32 - 1);
            for field in &field.path {
                let TypeKind::Record { fields } = types.kind(element) else { return false };
                bit += layouts.of(element).fields[*field as usize];
                element = fields[*field as usize].1;
            }
            let held = bits_at(state, bit, layouts.of(element).bits);
            held == value.map_or(0, |value| types.code_of(element, value).unwrap_or(u64::MAX))
        })
    }

    /// Says that a node is given back in doubt.
    pub(super) fn doubted(&self, node: LocalId, span: Span) -> Stmt {
        let path = vec![Projection::Index(self.read(node, span))];
        let place = Place { root: Root::Variable(self.doubt), path, ty: BOOLEAN, span };
        let kind = StmtKind::Assign(place, Argument::Value(truth_constant(true, span)));
        Stmt { kind, span }
    }

    /// Do these statements write to one node alone, and nothing that they read?
    pub(super) fn is_about(&self, node: LocalId, statements: &[Stmt]) -> bool {
        let is_field = |place: &Place| {
            let Root::Variable(_) = place.root else { return false };
            matches!(place.path.first(), Some(Projection::Index(index)) if is_name(index, node))
        };
        statements.iter().all(|statement| match &statement.kind {
            StmtKind::Undefine(place) => is_field(place),
            StmtKind::Assign(place, Argument::Value(value)) => {
                is_field(place) && matches!(value.kind, ExprKind::Constant(_))
            }
            _ => false,
        })
    }
}

/// A stretch of bits of a state.
pub(super) fn bits_at(state: &[u64], bit: u32, bits: u32) -> u64 {
    let (word, shift) = ((bit / 64) as usize, bit % 64);
    let low = state[word] >> shift;
    let high = if shift + bits > 64 { state[word + 1] << (64 - shift) } else { 0 };
    (low | high) & (u64::MAX >> (64 - bits))
}

/// The scalarset of nodes in a model: what is pointed to from somewhere in its own arrays, as
/// variables are that hold its elements and arrays over it.
pub(super) fn candidate(program: &Program, parameter: TypeId) -> Option<TypeId> {
    let ids = (0..program.types.all.len() as u32).map(TypeId);
    let mut found = ids.filter(|ty| {
        *ty != parameter
            && matches!(program.types.kind(*ty), TypeKind::Scalarset { .. })
            && program.variables.iter().any(|variable| is_index(program, *ty, variable.ty))
            && program.variables.iter().any(|variable| is_held(program, *ty, variable.ty))
    });
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

fn are_in(types: &Types, node: TypeId, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Union { members } => members.contains(&node),
        _ => ty == node,
    }
}

fn is_index(program: &Program, node: TypeId, ty: TypeId) -> bool {
    match program.types.kind(ty) {
        TypeKind::Array { index, element } => {
            are_in(&program.types, node, *index) || is_index(program, node, *element)
        }
        TypeKind::Record { fields } => fields.iter().any(|(_, ty)| is_index(program, node, *ty)),
        _ => false,
    }
}

/// Does a variable of this type hold something of type `node`?
pub(super) fn is_held(program: &Program, node: TypeId, ty: TypeId) -> bool {
    match program.types.kind(ty) {
        TypeKind::Array { element, .. } => is_held(program, node, *element),
        TypeKind::Record { fields } => fields.iter().any(|(_, ty)| is_held(program, node, *ty)),
        _ => are_in(&program.types, node, ty),
    }
}

/// All that belongs to a node.
fn fields(program: &Program, node: TypeId) -> Refused<Vec<Field>> {
    let mut found = Vec::new();
    for (variable, declared) in (0..).zip(&program.variables) {
        if !is_index(program, node, declared.ty) {
            continue;
        }
        match program.types.kind(declared.ty) {
            TypeKind::Array { index, element } if are_in(&program.types, node, *index) => {
                fields_within(program, (variable, *element), &mut Vec::new(), &mut found)
                    .ok_or_else(|| not_simple(declared))?;
            }
            _ => return Err(not_simple(declared)),
        }
    }
    Ok(found)
}

fn not_simple(variable: &Variable) -> Box<model::Diagnostic> {
    let what = format!("`{}` has to be an array over nodes of values or records", variable.name);
    match refuse::<()>(what, variable.span) {
        Err(diagnostic) => diagnostic,
        Ok(()) => unreachable!("`refuse` always refuses"),
    }
}

fn fields_within(
    program: &Program,
    (variable, ty): (u32, TypeId),
    path: &mut Vec<u32>,
    found: &mut Vec<Field>,
) -> Option<()> {
    match program.types.kind(ty) {
        TypeKind::Record { fields } => {
            for (idx, (_, ty)) in (0..).zip(fields) {
                path.push(idx);
                fields_within(program, (variable, *ty), path, found)?;
                path.pop();
            }
            Some(())
        }
        TypeKind::Array { .. } | TypeKind::Multiset { .. } => None,
        _ => {
            found.push(Field { variable, path: path.clone(), ty });
            Some(())
        }
    }
}

/// What start states give to all nodes, by variable and fields.
fn fresh_values(program: &Program, node: TypeId) -> BTreeMap<(u32, Vec<u32>), i64> {
    let mut values = BTreeMap::new();
    for statement in program.starts.iter().flat_map(|start| &start.body) {
        let StmtKind::For { local, domain: Domain::Type(ty), body } = &statement.kind else {
            continue;
        };
        if !are_in(&program.types, node, *ty) {
            continue;
        }
        for statement in body {
            let StmtKind::Assign(place, Argument::Value(value)) = &statement.kind else { continue };
            let (Root::Variable(variable), ExprKind::Constant(value)) = (place.root, &value.kind)
            else {
                continue;
            };
            let Some((Projection::Index(index), rest)) = place.path.split_first() else { continue };
            let fields = rest.iter().map(|step| match step {
                Projection::Field(field) => Some(*field),
                _ => None,
            });
            if let (true, Some(fields)) = (is_name(index, *local), fields.collect()) {
                values.insert((variable, fields), *value);
            }
        }
    }
    values
}

fn is_name(expr: &Expr, local: LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Read(place)
        if place.path.is_empty() && place.root == Root::Local(local))
}

/// What the guard of a rule says of each node that the rule takes.
fn marks_of(
    program: &Program,
    node: TypeId,
    rule: &Rule,
    marks: &mut Vec<(LocalId, Expr)>,
) -> Refused<()> {
    for binder in &rule.binders {
        let Binder::Each { local, domain: Domain::Type(ty) } = binder else { continue };
        if !are_in(&program.types, node, *ty) {
            continue;
        }
        let mut parts = Vec::new();
        if let Some(guard) = &rule.guard {
            conjuncts(guard, &mut parts);
        }
        let about = parts.into_iter().filter(|part| is_about_alone(part, *local));
        let mark = about.cloned().reduce(and);
        match mark {
            Some(mark) if *ty == node => marks.push((*local, mark)),
            _ => {
                let what = format!(
                    "the guard of `{}` has to say of the node that it takes, by itself, that it is \
                     free",
                    rule.name
                );
                return refuse(what, rule.span);
            }
        }
    }
    Ok(())
}

fn conjuncts<'a>(expr: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(expr),
    }
}

/// Does a condition look at nothing but what belongs to one node?
fn is_about_alone(expr: &Expr, node: LocalId) -> bool {
    let mut about = About { node, is_alone: true, looks: false };
    about.expr(expr);
    about.is_alone && about.looks
}

struct About {
    node: LocalId,
    is_alone: bool,
    looks: bool,
}

impl Visit for About {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Quantified { .. }
            | ExprKind::Let { .. }
            | ExprKind::Call(..)
            | ExprKind::MultisetCount { .. }
            | ExprKind::SamePlace { .. } => self.is_alone = false,
            _ => self.parts_of_expr(expr),
        }
    }

    fn place(&mut self, place: &Place) {
        let is_field = matches!(place.path.first(), Some(Projection::Index(index))
            if is_name(index, self.node))
            && place.path[1..].iter().all(|step| matches!(step, Projection::Field(_)));
        match place.root {
            Root::Variable(_) if is_field => self.looks = true,
            Root::Local(local) if local == self.node && place.path.is_empty() => {}
            _ => self.is_alone = false,
        }
    }
}
