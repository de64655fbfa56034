//! Types: what a written type is, and which values go together.
//!
//! Ranges, records, arrays, multisets and unions are equal when they are made alike;
//! each enumeration and scalarset is a type of its own.

use model::Span;

use super::super::ast::{Name, TypeExpr, TypeExprKind};
use super::super::typed::{BOOLEAN, Type, TypeId, TypeKind};
use super::scope::Symbol;
use super::{Resolver, Ty};

/// Types are nested at most this deep, through names too.
const MAX_TYPE_DEPTH: u32 = 64;

/// Literals and elements of scalarsets have numbers up to this one.
const MAX_BASE: i64 = 1 << 40;

impl Resolver<'_> {
    /// The type that is written here; `name` is the one that it is declared under.
    pub(super) fn type_of(&mut self, written: &TypeExpr, name: &str) -> Option<TypeId> {
        let span = written.span;
        match &written.kind {
            TypeExprKind::Bad => None,
            TypeExprKind::Boolean => Some(BOOLEAN),
            TypeExprKind::Named(named) => self.named_type(named, span),
            TypeExprKind::Range(first, last) => {
                let first = self.constant_number(first);
                let (first, last) = (first?, self.constant_number(last)?);
                self.range(first, last, name, span)
            }
            TypeExprKind::Enum(literals) => self.enumeration(literals, name, span),
            TypeExprKind::Scalarset(size) => {
                let size = self.constant_number(size)?;
                self.scalarset(size, name, span)
            }
            TypeExprKind::Union(members) => self.union(members, name, span),
            TypeExprKind::Record(fields) => self.record(fields, name, span),
            TypeExprKind::Array(index, element) => {
                let (index_span, index) = (index.span, self.type_of(index, ""));
                let (index, element) = (index?, self.type_of(element, "")?);
                if !self.program.types.is_simple(index) {
                    return self.fail("MU008", "an array needs a simple index type", index_span);
                }
                self.intern(TypeKind::Array { index, element }, name, span)
            }
            TypeExprKind::Multiset(capacity, element) => {
                let capacity_span = capacity.span;
                let capacity = self.constant_number(capacity);
                let (capacity, element) = (capacity?, self.type_of(element, "")?);
                if matches!(self.program.types.kind(element), TypeKind::Multiset { .. }) {
                    return self.fail("MU008", "a multiset cannot hold multisets", span);
                }
                let Some(capacity) = u32::try_from(capacity).ok().filter(|n| *n > 0) else {
                    let message = format!("a multiset cannot have room for {capacity} elements");
                    return self.fail("MU010", message, capacity_span);
                };
                self.intern(TypeKind::Multiset { capacity, element }, name, span)
            }
        }
    }

    fn named_type(&mut self, name: &str, span: Span) -> Option<TypeId> {
        if let Some(ty) = self.known.scopes.get_type(name) {
            return Some(ty);
        }
        self.lookup(name, span)?;
        self.fail("MU007", format!("`{name}` is not a type"), span)
    }

    fn range(&mut self, first: i64, last: i64, name: &str, span: Span) -> Option<TypeId> {
        if first > last {
            let message = format!("the range from {first} to {last} is empty");
            return self.fail("MU010", message, span);
        }
        if last.checked_sub(first).is_none_or(|width| width == i64::MAX) {
            return self.fail("MU003", "this range has too many values", span);
        }
        self.intern(TypeKind::Range { first, last }, name, span)
    }

    fn enumeration(&mut self, literals: &[Name], name: &str, span: Span) -> Option<TypeId> {
        if literals.is_empty() {
            return self.fail("MU010", "an enumeration needs a literal", span);
        }
        let base = self.numbers(literals.len() as i64, span)?;
        let texts = literals.iter().map(|literal| literal.text.clone()).collect();
        let ty = self.add_type(TypeKind::Enum { base, literals: texts }, name, 1);
        for (value, literal) in (base..).zip(literals) {
            self.declare(literal, Symbol::Constant(value, Ty::Of(ty)));
        }
        Some(ty)
    }

    pub(super) fn scalarset(&mut self, size: i64, name: &str, span: Span) -> Option<TypeId> {
        let Some(n_elements) = u32::try_from(size).ok().filter(|n| *n > 0) else {
            return self.fail("MU010", format!("a scalarset cannot have {size} elements"), span);
        };
        let base = self.numbers(size, span)?;
        Some(self.add_type(TypeKind::Scalarset { base, n_elements }, name, 1))
    }

    /// The first of `n` numbers that nothing else has.
    fn numbers(&mut self, n: i64, span: Span) -> Option<i64> {
        let base = self.known.next_base;
        match base.checked_add(n).filter(|end| *end <= MAX_BASE) {
            Some(end) => {
                self.known.next_base = end;
                Some(base)
            }
            None => self.fail("MU017", "the model has too many literals and elements", span),
        }
    }

    fn union(&mut self, written: &[TypeExpr], name: &str, span: Span) -> Option<TypeId> {
        let mut members: Vec<TypeId> = Vec::new();
        let mut complete = true;
        for member in written {
            let Some(ty) = self.type_of(member, "") else {
                complete = false;
                continue;
            };
            let parts = match self.program.types.kind(ty) {
                TypeKind::Union { members } => members.clone(),
                TypeKind::Enum { .. } | TypeKind::Scalarset { .. } => vec![ty],
                _ => {
                    let message = "a union has scalarsets and enumerations only";
                    self.fail::<()>("MU008", message, member.span);
                    complete = false;
                    continue;
                }
            };
            for part in parts {
                if members.contains(&part) {
                    let message = "the union has this member already";
                    self.fail::<()>("MU006", message, member.span);
                    complete = false;
                } else {
                    members.push(part);
                }
            }
        }
        if !complete {
            return None;
        }
        if members.len() < 2 {
            return self.fail("MU010", "a union needs two members", span);
        }
        self.intern(TypeKind::Union { members }, name, span)
    }

    fn record(
        &mut self,
        written: &[(Vec<Name>, TypeExpr)],
        name: &str,
        span: Span,
    ) -> Option<TypeId> {
        let mut fields: Vec<(String, TypeId)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let mut complete = true;
        for (names, ty) in written {
            let ty = self.type_of(ty, "");
            for field in names {
                if !seen.insert(field.text.as_str()) {
                    let message = format!("the record has a field `{}` already", field.text);
                    self.fail::<()>("MU006", message, field.span);
                    complete = false;
                }
                match ty {
                    Some(ty) => fields.push((field.text.clone(), ty)),
                    None => complete = false,
                }
            }
        }
        if complete { self.intern(TypeKind::Record { fields }, name, span) } else { None }
    }

    /// The type of this kind, the same each time.
    pub(super) fn intern(&mut self, kind: TypeKind, name: &str, span: Span) -> Option<TypeId> {
        let key = format!("{kind:?}");
        if let Some(ty) = self.known.interned.get(&key).copied() {
            let known = &mut self.program.types.all[ty.0 as usize];
            if known.name.is_empty() {
                name.clone_into(&mut known.name);
            }
            return Some(ty);
        }
        let depth = |ty: &TypeId| self.known.type_depths[ty.0 as usize];
        let below = match &kind {
            TypeKind::Record { fields } => fields.iter().map(|(_, ty)| depth(ty)).max(),
            TypeKind::Array { index, element } => Some(depth(index).max(depth(element))),
            TypeKind::Multiset { element, .. } => Some(depth(element)),
            _ => None,
        };
        let depth = below.unwrap_or(0) + 1;
        if depth > MAX_TYPE_DEPTH {
            return self.fail("MU004", "this type is nested too deeply", span);
        }
        let ty = self.add_type(kind, name, depth);
        self.known.interned.insert(key, ty);
        Some(ty)
    }

    fn add_type(&mut self, kind: TypeKind, name: &str, depth: u32) -> TypeId {
        let ty = TypeId(self.program.types.all.len() as u32);
        self.program.types.all.push(Type { name: name.to_owned(), kind });
        self.known.type_depths.push(depth);
        ty
    }

    /// The type of a simple value of this type.
    pub(super) fn ty(&self, id: TypeId) -> Ty {
        match self.program.types.kind(id) {
            TypeKind::Range { .. } => Ty::Number,
            _ => Ty::Of(id),
        }
    }

    /// Can values of these two types be equal?
    pub(super) fn overlap(&self, left: Ty, right: Ty) -> bool {
        let (Ty::Of(l), Ty::Of(r)) = (left, right) else { return left == right };
        let members = self.members(r);
        l == r || self.members(l).iter().any(|member| members.contains(member))
    }

    fn members(&self, ty: TypeId) -> Vec<TypeId> {
        match self.program.types.kind(ty) {
            TypeKind::Union { members } => members.clone(),
            _ => vec![ty],
        }
    }

    /// How a type is called in messages.
    pub(super) fn type_name(&self, id: TypeId) -> String {
        let ty = self.program.types.get(id);
        if !ty.name.is_empty() {
            return format!("`{}`", ty.name);
        }
        match &ty.kind {
            TypeKind::Range { first, last } => format!("`{first}..{last}`"),
            TypeKind::Enum { .. } => "an enumeration".to_owned(),
            TypeKind::Scalarset { .. } => "a scalarset".to_owned(),
            TypeKind::Union { .. } => "a union".to_owned(),
            TypeKind::Record { .. } => "a record".to_owned(),
            TypeKind::Array { .. } => "an array".to_owned(),
            TypeKind::Multiset { .. } => "a multiset".to_owned(),
            TypeKind::Slot { .. } => "an index of a multiset".to_owned(),
        }
    }

    /// How the type of a value is called in messages.
    pub(super) fn ty_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Number => "a number".to_owned(),
            Ty::Of(id) => self.type_name(id),
        }
    }

    /// A type for a local that holds a value between these bounds.
    pub(super) fn type_for(&mut self, ty: Ty, bounds: (i64, i64), span: Span) -> Option<TypeId> {
        match ty {
            Ty::Of(id) => Some(id),
            Ty::Number => {
                let kind = TypeKind::Range { first: bounds.0, last: bounds.1 };
                self.intern(kind, "", span)
            }
        }
    }
}
