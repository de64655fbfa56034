//! The types of a Murphi model: their values, and the codes of values in memory.

use std::collections::BTreeSet;

use super::typed::TypeId;

/// All types of a model.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// By [`TypeId`].
    pub all: Vec<Type>,
}

/// A type with the name under which it was declared (empty when it has none).
#[derive(Clone, Debug)]
pub struct Type {
    /// Name, or empty.
    pub name: String,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `first .. last`, not empty.
    Range {
        /// Smallest value.
        first: i64,
        /// Largest value.
        last: i64,
    },
    /// An enumeration; `boolean` is one.
    Enum {
        /// Number of the first literal.
        base: i64,
        /// The literals.
        literals: Vec<String>,
    },
    /// `scalarset(n)`.
    Scalarset {
        /// Number of the first element.
        base: i64,
        /// Number of elements.
        n_elements: u32,
    },
    /// Scalarsets and enumerations side by side; at least two.
    Union {
        /// The members; none is a union.
        members: Vec<TypeId>,
    },
    /// A record.
    Record {
        /// Fields in order.
        fields: Vec<(String, TypeId)>,
    },
    /// An array.
    Array {
        /// A simple type.
        index: TypeId,
        /// Any type.
        element: TypeId,
    },
    /// A multiset with room for `capacity` elements.
    Multiset {
        /// Number of slots.
        capacity: u32,
        /// Any type but a multiset.
        element: TypeId,
    },
    /// What a variable bound by `choose`, `multisetcount` or `multisetremovepred`
    /// holds: the number of a slot, from 0.
    Slot {
        /// Number of slots.
        capacity: u32,
    },
}

impl Types {
    /// Is it a scalarset, or a union with one?
    pub fn has_elements(&self, id: TypeId) -> bool {
        match self.kind(id) {
            TypeKind::Scalarset { .. } => true,
            TypeKind::Union { members } => members.iter().any(|member| self.has_elements(*member)),
            _ => false,
        }
    }

    /// Is there a multiset in it, or is it one?
    pub fn has_multisets(&self, id: TypeId) -> bool {
        let mut seen = BTreeSet::from([id]);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let parts: Vec<TypeId> = match self.kind(id) {
                TypeKind::Multiset { .. } => return true,
                TypeKind::Record { fields } => fields.iter().map(|(_, ty)| *ty).collect(),
                TypeKind::Array { element, .. } => vec![*element],
                _ => Vec::new(),
            };
            open.extend(parts.into_iter().filter(|part| seen.insert(*part)));
        }
        false
    }

    /// The type named by `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
    }

    /// What the type named by `id` is.
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.get(id).kind
    }

    /// Do values of this type have a code?
    pub fn is_simple(&self, id: TypeId) -> bool {
        !matches!(
            self.kind(id),
            TypeKind::Record { .. } | TypeKind::Array { .. } | TypeKind::Multiset { .. }
        )
    }

    /// Number of values of a simple type; zero for other types.
    pub fn n_values(&self, id: TypeId) -> u64 {
        match self.kind(id) {
            TypeKind::Range { first, last } => {
                last.wrapping_sub(*first).cast_unsigned().saturating_add(1)
            }
            TypeKind::Enum { literals, .. } => literals.len() as u64,
            TypeKind::Scalarset { n_elements, .. } => u64::from(*n_elements),
            TypeKind::Union { members } => {
                members.iter().map(|member| self.n_values(*member)).sum()
            }
            TypeKind::Slot { capacity } => u64::from(*capacity),
            TypeKind::Record { .. } | TypeKind::Array { .. } | TypeKind::Multiset { .. } => 0,
        }
    }

    /// The code of a value of a simple type: 1 for the first. `None` when the type
    /// has no such value.
    pub fn code_of(&self, id: TypeId, value: i64) -> Option<u64> {
        if let TypeKind::Union { members } = self.kind(id) {
            let mut before = 0;
            for member in members {
                if let Some(code) = self.code_of(*member, value) {
                    return Some(before + code);
                }
                before += self.n_values(*member);
            }
            return None;
        }
        let distance = value.checked_sub(self.first_value(id))?;
        let code = u64::try_from(distance).ok()?;
        (code < self.n_values(id)).then_some(code + 1)
    }

    /// The value with this code, 1 or more. `None` when the type has no such code.
    pub fn value_of(&self, id: TypeId, code: u64) -> Option<i64> {
        if let TypeKind::Union { members } = self.kind(id) {
            let mut before = 0;
            for member in members {
                let n_values = self.n_values(*member);
                if code > before && code <= before + n_values {
                    return self.value_of(*member, code - before);
                }
                before += n_values;
            }
            return None;
        }
        let valid = code >= 1 && code <= self.n_values(id);
        valid.then(|| self.first_value(id).wrapping_add_unsigned(code - 1))
    }

    /// The value with code 1 of a simple type.
    pub fn first_value(&self, id: TypeId) -> i64 {
        match self.kind(id) {
            TypeKind::Range { first, .. } => *first,
            TypeKind::Enum { base, .. } | TypeKind::Scalarset { base, .. } => *base,
            TypeKind::Union { members } => self.first_value(members[0]),
            _ => 0,
        }
    }

    /// The smallest and largest value of a simple type.
    pub fn bounds(&self, id: TypeId) -> (i64, i64) {
        if let TypeKind::Union { members } = self.kind(id) {
            let bounds = members.iter().map(|member| self.bounds(*member));
            let both = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
            return bounds.reduce(both).unwrap_or((0, 0));
        }
        let first = self.first_value(id);
        (first, first.saturating_add_unsigned(self.n_values(id).saturating_sub(1)))
    }

    /// A value of a simple type as it is written in the text.
    pub fn value_name(&self, id: TypeId, value: i64) -> String {
        match self.kind(id) {
            TypeKind::Enum { base, literals } => {
                let idx = usize::try_from(value.wrapping_sub(*base)).ok();
                let literal = idx.and_then(|idx| literals.get(idx));
                literal.cloned().unwrap_or_else(|| value.to_string())
            }
            TypeKind::Scalarset { base, .. } => {
                let name = &self.get(id).name;
                let name = if name.is_empty() { "scalarset" } else { name };
                format!("{name}_{}", value.wrapping_sub(*base) + 1)
            }
            TypeKind::Union { members } => {
                let home = members.iter().find(|member| self.code_of(**member, value).is_some());
                home.map_or_else(|| value.to_string(), |member| self.value_name(*member, value))
            }
            _ => value.to_string(),
        }
    }
}
