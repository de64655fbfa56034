//! States and choices in the words of the model.

use model::{Choice, ChoiceLabel, Field};

use super::interpret::{is_set, n_instances, read};
use super::layout::Layouts;
use super::typed::{Binder, Local, Program, Rule, TypeId, TypeKind};

/// The value shown where there is none.
const UNDEFINED: &str = "undefined";

/// Every simple part of every variable, in the order of declaration.
pub(super) fn describe(program: &Program, layouts: &Layouts, state: &[u64]) -> Vec<Field> {
    let mut parts = Parts { program, layouts, state, fields: Vec::new() };
    for (variable, start) in program.variables.iter().zip(&layouts.variables) {
        parts.list(variable.name.clone(), *start as usize, variable.ty);
    }
    parts.fields
}

/// What a choice is called: the name of its rule and the values of its parameters.
pub(super) fn choice_label(
    program: &Program,
    layouts: &Layouts,
    rules: &[Rule],
    choice: Choice,
) -> ChoiceLabel {
    let next = rules.partition_point(|rule| rule.first_choice <= choice.0);
    let owner = rules[..next].iter().rev().find(|rule| rule.n_instances > 0);
    let Some(rule) = owner else {
        return ChoiceLabel { name: String::from("?"), parameters: Vec::new(), span: None };
    };
    let mut rest = choice.0 - rule.first_choice;
    let mut parameters = Vec::new();
    for binder in rule.binders.iter().rev() {
        let n_values = n_instances(&program.types, layouts, binder).max(1);
        parameters.extend(parameter(program, rule, binder, rest % n_values));
        rest /= n_values;
    }
    parameters.reverse();
    ChoiceLabel { name: rule.name.clone(), parameters, span: Some(rule.span) }
}

fn parameter(program: &Program, rule: &Rule, binder: &Binder, idx: u64) -> Option<Field> {
    match binder {
        Binder::Each { local, domain } => {
            let local: &Local = &rule.locals[local.0 as usize];
            let value = domain.nth_value(&program.types, idx)?;
            let value = program.types.value_name(local.ty, value);
            Some(Field { name: local.name.clone(), value })
        }
        Binder::Choose { local, .. } => {
            let name = rule.locals[local.0 as usize].name.clone();
            Some(Field { name, value: idx.to_string() })
        }
        Binder::Alias { .. } => None,
    }
}

struct Parts<'a> {
    program: &'a Program,
    layouts: &'a Layouts,
    state: &'a [u64],
    fields: Vec<Field>,
}

impl Parts<'_> {
    fn list(&mut self, name: String, at: usize, ty: TypeId) {
        let types = &self.program.types;
        match types.kind(ty) {
            TypeKind::Record { fields } => {
                for (start, (field, ty)) in self.layouts.of(ty).fields.iter().zip(fields) {
                    self.list(format!("{name}.{field}"), at + *start as usize, *ty);
                }
            }
            TypeKind::Array { index, element } => {
                self.list_array(&name, at, (ty, *index, *element))
            }
            TypeKind::Multiset { element, .. } => self.list_multiset(&name, at, (ty, *element)),
            _ => {
                let code = read(self.state, at, self.layouts.bits(ty));
                let value = types.value_of(ty, code);
                let shown = value.map(|value| types.value_name(ty, value));
                let value = shown.unwrap_or_else(|| String::from(UNDEFINED));
                self.fields.push(Field { name, value });
            }
        }
    }

    fn list_array(
        &mut self,
        name: &str,
        at: usize,
        (ty, index, element): (TypeId, TypeId, TypeId),
    ) {
        let (stride, n_elements) = (self.layouts.of(ty).stride, self.layouts.of(ty).n_elements);
        for idx in 0..n_elements {
            let value = self.program.types.value_of(index, u64::from(idx) + 1).unwrap_or_default();
            let index = self.program.types.value_name(index, value);
            self.list(format!("{name}[{index}]"), at + (idx * stride) as usize, element);
        }
    }

    fn list_multiset(&mut self, name: &str, at: usize, (ty, element): (TypeId, TypeId)) {
        let (stride, n_slots) = (self.layouts.of(ty).stride, self.layouts.of(ty).n_elements);
        for slot in 0..n_slots {
            let start = at + (slot * stride) as usize;
            if is_set(self.state, start + stride as usize - 1) {
                self.list(format!("{name}[{slot}]"), start, element);
            }
        }
    }
}
