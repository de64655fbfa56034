//! Fields that always have a value: each start state gives them one, and no rule takes it.
//!
//! Of such a field a view knows that it has some value, even if it was forgotten which. This is
//! a condition of soundness: where something may be undefined, to look at it may be a fault.

use std::collections::BTreeSet;

use crate::murphi::typed::{
    ExprKind, LocalId, LocalKind, Place, Program, Projection, Root, Rule, Stmt, StmtKind, TypeKind,
};
use crate::murphi::visit::Visit;

use super::uses::{Field, RuleUses, Source, Uses, Write, field_of};

/// Those among `fields`, of simple types, that always have a value.
pub(super) fn defined(
    program: &Program,
    uses: &Uses<'_>,
    fields: &BTreeSet<Field>,
) -> BTreeSet<Field> {
    let starts = program.starts.iter().zip(uses.starts());
    let is_started = |field: &&Field| {
        starts.clone().all(|(rule, uses)| !returns(rule) && defines(program, (rule, uses), field))
    };
    let mut found: BTreeSet<Field> = match program.starts.is_empty() {
        true => BTreeSet::new(),
        false => fields.iter().filter(is_started).cloned().collect(),
    };
    found.retain(|field| !uses.is_bare(field));
    let rules = program.starts.iter().chain(&program.rules).zip(&uses.rules);
    loop {
        let n_before = found.len();
        for (rule, uses) in rules.clone() {
            for write in &uses.writes {
                let Some(field) = field_of(write.place) else { continue };
                if !gives_value(rule, write, &found) {
                    found.retain(|one| one.0 != field.0 || !one.1.starts_with(&field.1));
                }
            }
        }
        if found.len() == n_before {
            return found;
        }
    }
}

/// Does the start give a value to the field of all elements?
fn defines(program: &Program, (rule, uses): (&Rule, &RuleUses<'_>), field: &Field) -> bool {
    uses.writes.iter().any(|write| {
        field_of(write.place).as_ref() == Some(field)
            && write.always
            && gives_value(rule, write, &BTreeSet::new())
            && is_of_all(program, write)
    })
}

/// Is each index on the way the name of a loop of its own through all values?
fn is_of_all(program: &Program, write: &Write<'_>) -> bool {
    let Root::Variable(variable) = write.place.root else { return false };
    let mut ty = program.variables[variable as usize].ty;
    let mut left: Vec<LocalId> = write.loops.iter().map(|(local, _)| *local).collect();
    for step in &write.place.path {
        ty = match (step, program.types.kind(ty)) {
            (Projection::Field(field), TypeKind::Record { fields }) => fields[*field as usize].1,
            (Projection::Index(index), TypeKind::Array { index: over, element }) => {
                let ExprKind::Read(name) = &index.kind else { return false };
                let Root::Local(local) = name.root else { return false };
                let covers = write.loops.contains(&(local, *over));
                let Some(idx) = left.iter().position(|one| *one == local) else { return false };
                left.remove(idx);
                if !covers || !name.path.is_empty() {
                    return false;
                }
                *element
            }
            _ => return false,
        };
    }
    true
}

/// Has the field a value after the assignment, if `found` have?
fn gives_value(rule: &Rule, write: &Write<'_>, found: &BTreeSet<Field>) -> bool {
    match write.source {
        // What is computed is defined, or it is a fault.
        Source::Constant(_) | Source::Value => true,
        Source::Place(place) => match field_of(place) {
            Some(field) => found.contains(&field),
            None => is_value(rule, place),
        },
        Source::Nothing => false,
    }
}

/// Is it a name that stands for a value?
fn is_value(rule: &Rule, place: &Place) -> bool {
    match place.root {
        Root::Local(local) => {
            place.path.is_empty() && matches!(rule.locals[local.0 as usize].kind, LocalKind::Value)
        }
        Root::Variable(_) => false,
    }
}

fn returns(rule: &Rule) -> bool {
    let mut returns = Returns(false);
    returns.block(&rule.body);
    returns.0
}

struct Returns(bool);

impl Visit for Returns {
    fn statement(&mut self, statement: &Stmt) {
        self.0 |= matches!(statement.kind, StmtKind::Return(_));
        self.parts_of_statement(statement);
    }
}
