//! How types and their values are written.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::murphi::typed::{BOOLEAN, Program, TypeId, TypeKind, Types};

use super::names::Names;
use super::numbering::{Numbering, numbering};
use super::{Parameter, Unprintable};

/// How a model's types and values are written.
pub(super) struct Spelling<'a> {
    types: &'a Types,
    /// The names of types by [`TypeId`]; empty where they are written out.
    names: Vec<String>,
    /// The names of values that have one.
    literals: BTreeMap<i64, String>,
    numbers: Numbering,
    kept: Option<Kept>,
    /// Scalarsets of which an element has to be written, which have no names of their own.
    pub wanted: RefCell<BTreeSet<TypeId>>,
}

/// The elements of the parameter that are not merged.
struct Kept {
    ty: TypeId,
    n: u32,
    name: String,
}

impl<'a> Spelling<'a> {
    /// Names for all types and values of a program. Elements of the types in `numbered` are
    /// written as numbers.
    pub(super) fn new(
        program: &'a Program,
        parameter: Option<Parameter>,
        numbered: &BTreeSet<TypeId>,
        names: &mut Names,
    ) -> Result<Spelling<'a>, Unprintable> {
        let types = &program.types;
        let ty = parameter.map(|parameter| parameter.ty);
        let mut numbers = numbering(types, numbered, ty).map_err(Unprintable::Unions)?;
        if parameter.is_some() {
            number_other_unions(types, &mut numbers);
        }
        let mut spelling = Spelling {
            types,
            names: Vec::with_capacity(types.all.len()),
            literals: BTreeMap::new(),
            numbers,
            kept: None,
            wanted: RefCell::default(),
        };
        for (id, ty) in (0..).map(TypeId).zip(&types.all) {
            let is_declared = id != BOOLEAN
                && match ty.kind {
                    TypeKind::Enum { .. } | TypeKind::Scalarset { .. } => true,
                    _ => !ty.name.is_empty(),
                };
            let wanted =
                if ty.name.is_empty() { format!("type_{}", id.0) } else { ty.name.clone() };
            spelling.names.push(if is_declared { names.take(&wanted) } else { String::new() });
        }
        spelling.name_literals(parameter, names);
        if let Some(Parameter { ty, n_kept }) = parameter {
            let name = names.take(&format!("{}_kept", types.get(ty).name));
            spelling.kept = Some(Kept { ty, n: n_kept, name });
        }
        Ok(spelling)
    }

    fn name_literals(&mut self, parameter: Option<Parameter>, names: &mut Names) {
        for (id, ty) in (0..).map(TypeId).zip(&self.types.all) {
            match &ty.kind {
                TypeKind::Enum { base, literals } if id != BOOLEAN => {
                    let named = literals.iter().map(|literal| names.take(literal));
                    self.literals.extend((*base..).zip(named));
                }
                TypeKind::Scalarset { base, n_elements } if self.numbers.contains_key(&id) => {
                    let is_parameter = parameter.is_some_and(|parameter| parameter.ty == id);
                    let own = self.names[id.0 as usize].clone();
                    let named = (1..=*n_elements).map(|idx| match is_parameter {
                        true if idx == *n_elements => names.take(&format!("{own}_Other")),
                        _ => names.take(&format!("{own}_{idx}")),
                    });
                    self.literals.extend((*base..).zip(named));
                }
                _ => {}
            }
        }
    }

    /// A value of a type; a number where it is of none.
    pub(super) fn value(&self, ty: Option<TypeId>, value: i64) -> String {
        match ty.map(|ty| (ty, self.types.kind(ty))) {
            Some((BOOLEAN, _)) => (value != 0).to_string(),
            Some((_, TypeKind::Union { members })) => {
                let has = |ty: &&TypeId| self.types.code_of(**ty, value).is_some();
                self.value(members.iter().find(has).copied(), value)
            }
            Some((ty, TypeKind::Enum { .. } | TypeKind::Scalarset { .. })) => {
                match self.literals.get(&value) {
                    Some(name) => name.clone(),
                    None => {
                        self.wanted.borrow_mut().insert(ty);
                        value.to_string()
                    }
                }
            }
            _ => number(value),
        }
    }

    /// Is a value of this type a number in the text, though it is none in the model?
    pub(super) fn is_number(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Union { members } => {
                members.iter().all(|member| self.numbers.contains_key(member))
            }
            _ => self.numbers.contains_key(&ty),
        }
    }

    /// Is it an abstract model that is written?
    pub(super) fn has_parameter(&self) -> bool {
        self.kept.is_some()
    }

    /// A type by its name, or written out.
    pub(super) fn ty(&self, id: TypeId) -> String {
        match self.names[id.0 as usize].as_str() {
            "" if id == BOOLEAN => "boolean".to_owned(),
            "" => self.written_out(id),
            name => name.to_owned(),
        }
    }

    /// The type of these consecutive values of the parameter, where they have one: those that are
    /// not merged, or all.
    pub(super) fn part_of_parameter(&self, ty: TypeId, from: i64, to: i64) -> Option<String> {
        let kept = self.kept.as_ref().filter(|kept| kept.ty == ty)?;
        let first = self.types.first_value(ty);
        let n = u64::try_from(to - from + 1).ok()?;
        match n {
            _ if from != first => None,
            n if n == u64::from(kept.n) => Some(kept.name.clone()),
            n if n == self.types.n_values(ty) => Some(self.ty(ty)),
            _ => None,
        }
    }

    /// The index of an array: nothing belongs to the merged elements.
    fn index(&self, id: TypeId) -> String {
        let Some(kept) = &self.kept else { return self.ty(id) };
        match self.types.kind(id) {
            _ if id == kept.ty => kept.name.clone(),
            TypeKind::Union { members } if members.contains(&kept.ty) => {
                let (first, _) = self.ends(members);
                format!("{first}..{}", self.last_kept(kept))
            }
            _ => self.ty(id),
        }
    }

    fn last_kept(&self, kept: &Kept) -> String {
        self.value(Some(kept.ty), self.types.first_value(kept.ty) + i64::from(kept.n) - 1)
    }

    /// The first and the last value of numbered types.
    fn ends(&self, members: &[TypeId]) -> (String, String) {
        let by_number = |ty: &&TypeId| self.numbers.get(*ty).copied().unwrap_or_default();
        let first = members.iter().min_by_key(by_number).copied().unwrap_or(BOOLEAN);
        let last = members.iter().max_by_key(by_number).copied().unwrap_or(BOOLEAN);
        let (from, to) = (self.types.bounds(first).0, self.types.bounds(last).1);
        (self.value(Some(first), from), self.value(Some(last), to))
    }

    fn written_out(&self, id: TypeId) -> String {
        match self.types.kind(id) {
            TypeKind::Range { first, last } => format!("{}..{}", number(*first), number(*last)),
            TypeKind::Enum { .. } | TypeKind::Scalarset { .. } if self.is_number(id) => {
                let (first, last) = self.ends(&[id]);
                format!("{first}..{last}")
            }
            TypeKind::Enum { base, literals } => {
                let all = (*base..).take(literals.len()).map(|value| self.value(Some(id), value));
                format!("enum {{ {} }}", all.collect::<Vec<_>>().join(", "))
            }
            TypeKind::Scalarset { n_elements, .. } => format!("scalarset({n_elements})"),
            TypeKind::Union { members } if self.is_number(id) => {
                let (first, last) = self.ends(members);
                format!("{first}..{last}")
            }
            TypeKind::Union { members } => {
                let all: Vec<String> = members.iter().map(|member| self.ty(*member)).collect();
                format!("union {{ {} }}", all.join(", "))
            }
            TypeKind::Record { fields } => {
                let field = |(name, ty): &(String, TypeId)| format!("{name} : {};", self.ty(*ty));
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("record {} end", fields.join(" "))
            }
            TypeKind::Array { index, element } => {
                format!("array [{}] of {}", self.index(*index), self.ty(*element))
            }
            TypeKind::Multiset { capacity, element } => {
                format!("multiset [{capacity}] of {}", self.ty(*element))
            }
            TypeKind::Slot { capacity } => format!("0..{}", capacity.saturating_sub(1)),
        }
    }

    /// The sections of constants and types.
    pub(super) fn declarations(&self) -> String {
        let mut constants = Vec::new();
        for (ty, first) in &self.numbers {
            let (from, to) = self.types.bounds(*ty);
            for (value, number) in (from..=to).zip(*first..) {
                constants
                    .push((number, format!("  {} : {number};\n", self.value(Some(*ty), value))));
            }
        }
        let mut text = String::new();
        if !constants.is_empty() {
            text.push_str("const\n");
            constants.iter().for_each(|(_, line)| text.push_str(line));
            text.push('\n');
        }
        let mut declared = Vec::new();
        for (id, name) in (0..).map(TypeId).zip(&self.names) {
            if let Some(kept) = self.kept.as_ref().filter(|kept| kept.ty == id) {
                let first = self.value(Some(id), self.types.first_value(id));
                declared.push(format!("  {} : {first}..{};\n", kept.name, self.last_kept(kept)));
            }
            if !name.is_empty() {
                declared.push(format!("  {name} : {};\n", self.written_out(id)));
            }
        }
        if !declared.is_empty() {
            text.push_str("type\n");
            text.extend(declared);
            text.push('\n');
        }
        text
    }
}

/// Unions without elements of the parameter are numbers as well where there is an order.
fn number_other_unions(types: &Types, numbers: &mut Numbering) {
    for ty in &types.all {
        if let TypeKind::Union { members } = &ty.kind
            && let Ok(more) = numbering(types, &members.iter().copied().take(1).collect(), None)
            && more.keys().all(|member| !numbers.contains_key(member))
        {
            numbers.extend(more);
        }
    }
}

/// A number as it is written.
pub(super) fn number(value: i64) -> String {
    match value {
        // Its absolute value is none of our numbers.
        i64::MIN => format!("(-{} - 1)", i64::MAX),
        _ => value.to_string(),
    }
}
