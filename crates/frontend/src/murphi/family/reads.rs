//! Which bits of a state a rule reads, of any slot.

use std::collections::BTreeMap;

use crate::murphi::layout::Layouts;
use crate::murphi::typed::{
    Argument, Binder, Domain, Expr, ExprKind, FunctionId, Local, LocalId, Place, Program,
    Projection, Root, Rule, Stmt, StmtKind, TypeId, TypeKind,
};
use crate::murphi::visit::Visit;

use super::memory::is_held;
use super::scope::Elements;

/// The bits that the rules, functions and assumptions of `program` read, whatever indices are.
/// What is written alone is not in it.
pub(super) fn reads(program: &Program, layouts: &Layouts) -> Vec<u64> {
    bits_read(program, layouts, |_| BTreeMap::new())
}

/// The same where elements share memory: what is read of an actor is not read of others. Views of
/// several elements are not told this. Which actors may be beside them depends on what belongs to
/// each, and where the same is read of all, they are compared in it.
///
/// Of nodes only those are read, or changed, that what is read names, and fresh ones: a loop over
/// all nodes counts as if it read whatever names nodes.
pub(super) fn reads_of_actors(program: &Program, layouts: &Layouts) -> Vec<u64> {
    bits_read(program, layouts, actors)
}

fn bits_read(
    program: &Program,
    layouts: &Layouts,
    known: impl Fn(&Rule) -> BTreeMap<LocalId, i64>,
) -> Vec<u64> {
    let words = (layouts.state_bits as usize).div_ceil(64);
    let mut reads = Reads { program, layouts, known: BTreeMap::new(), bits: vec![0; words] };
    program.functions.iter().for_each(|function| reads.block(&function.body));
    program.assumptions.iter().for_each(|assumption| reads.expr(&assumption.condition));
    for rule in &program.rules {
        reads.known = known(rule);
        rule.binders.iter().for_each(|binder| reads.binder(binder));
        rule.guard.iter().for_each(|guard| reads.expr(guard));
        reads.block(&rule.body);
    }
    reads.bits
}

/// The names of a rule that are bound to one value: its actors.
fn actors(rule: &Rule) -> BTreeMap<LocalId, i64> {
    let bound = rule.binders.iter().filter_map(|binder| {
        let Binder::Each { local, domain: Domain::Range { from, to, .. } } = binder else {
            return None;
        };
        match (&from.kind, &to.kind) {
            (ExprKind::Constant(from), ExprKind::Constant(to)) if from == to => {
                Some((*local, *from))
            }
            _ => None,
        }
    });
    bound.collect()
}

struct Reads<'a> {
    program: &'a Program,
    layouts: &'a Layouts,
    /// Names of the rule at hand with their values.
    known: BTreeMap<LocalId, i64>,
    bits: Vec<u64>,
}

impl Visit for Reads<'_> {
    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(target, source) => {
                self.parts_of_place(target);
                self.argument(source);
            }
            StmtKind::Clear(target) | StmtKind::Undefine(target) => self.parts_of_place(target),
            StmtKind::For { domain: Domain::Type(ty), .. } => {
                self.note_names_of(*ty);
                self.parts_of_statement(statement);
            }
            // What an alias is read for is found where it is used; which, is not looked at.
            StmtKind::Alias { target: Argument::Value(_), .. } => {
                self.parts_of_statement(statement)
            }
            _ => self.parts_of_statement(statement),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            _ => self.parts_of_expr(expr),
        }
    }

    fn place(&mut self, place: &Place) {
        self.parts_of_place(place);
        let Root::Variable(variable) = place.root else { return };
        let start = self.layouts.variables[variable as usize];
        let ty = self.program.variables[variable as usize].ty;
        self.note(start, ty, &place.path);
    }
}

impl Reads<'_> {
    /// Notes a part of a value that starts at a bit.
    fn note(&mut self, start: u32, ty: TypeId, path: &[Projection]) {
        let layout = self.layouts.of(ty);
        match (path.split_first(), self.program.types.kind(ty)) {
            (Some((Projection::Field(field), rest)), TypeKind::Record { fields }) => {
                let idx = *field as usize;
                self.note(start + layout.fields[idx], fields[idx].1, rest);
            }
            (Some((Projection::Index(index), rest)), TypeKind::Array { index: of, element }) => {
                let value = self.known_value(index);
                let code = value.and_then(|value| self.program.types.code_of(*of, value));
                let all = 0..layout.n_elements;
                let indices = code.map_or(all, |code| code as u32 - 1..code as u32);
                for idx in indices {
                    self.note(start + idx * layout.stride, *element, rest);
                }
            }
            _ => {
                for bit in start..start + layout.bits {
                    self.bits[(bit / 64) as usize] |= 1 << (bit % 64);
                }
            }
        }
    }

    fn known_value(&self, index: &Expr) -> Option<i64> {
        let ExprKind::Read(place) = &index.kind else { return None };
        match place.root {
            Root::Local(local) if place.path.is_empty() => self.known.get(&local).copied(),
            _ => None,
        }
    }

    /// Notes all variables that may hold something of a type.
    fn note_names_of(&mut self, ty: TypeId) {
        for (variable, start) in self.program.variables.iter().zip(&self.layouts.variables) {
            if is_held(self.program, ty, variable.ty) {
                self.note(*start, variable.ty, &[]);
            }
        }
    }
}

/// Does the guard of a rule look at nothing that belongs to other elements than these actors?
pub(super) fn is_guarded_by(
    program: &Program,
    elements: &Elements,
    rule: &Rule,
    actors: &[LocalId],
) -> bool {
    let mut guard = Guard { program, elements, locals: &rule.locals, actors, is_of_actors: true };
    let around = rule.binders.iter().filter(|binder| !matches!(binder, Binder::Each { .. }));
    around.for_each(|binder| guard.binder(binder));
    rule.guard.iter().for_each(|condition| guard.expr(condition));
    guard.is_of_actors && program.assumptions.is_empty()
}

struct Guard<'a> {
    program: &'a Program,
    elements: &'a Elements,
    locals: &'a [Local],
    actors: &'a [LocalId],
    is_of_actors: bool,
}

impl Visit for Guard<'_> {
    fn place(&mut self, place: &Place) {
        let mut ty = match place.root {
            Root::Variable(variable) => self.program.variables[variable as usize].ty,
            Root::Local(local) => self.locals[local.0 as usize].ty,
        };
        for step in &place.path {
            ty = match (step, self.program.types.kind(ty)) {
                (Projection::Field(field), TypeKind::Record { fields }) => {
                    fields[*field as usize].1
                }
                (Projection::Index(index), TypeKind::Array { index: over, element }) => {
                    let is_of_element = self.elements.are_in(&self.program.types, *over);
                    self.is_of_actors &= !is_of_element || self.is_actor(index);
                    *element
                }
                _ => {
                    self.is_of_actors = false;
                    return;
                }
            };
        }
        // A whole array shows what belongs to everybody.
        self.is_of_actors &= self.program.types.is_simple(ty);
        self.parts_of_place(place);
    }

    fn call(&mut self, _function: FunctionId, _arguments: &[Argument]) {
        self.is_of_actors = false;
    }

    fn domain(&mut self, domain: &Domain) {
        if let Domain::Type(ty) = domain {
            self.is_of_actors &= !self.elements.are_in(&self.program.types, *ty);
        }
    }
}

impl Guard<'_> {
    fn is_actor(&self, index: &Expr) -> bool {
        let ExprKind::Read(place) = &index.kind else { return false };
        match place.root {
            Root::Local(local) => place.path.is_empty() && self.actors.contains(&local),
            Root::Variable(_) => false,
        }
    }
}
