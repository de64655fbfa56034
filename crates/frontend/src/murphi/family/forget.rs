//! Fields whose value no longer matters: a message that is not under way still has a sender and
//! data, of which views would be many.
//!
//! A field is *governed* by others if rules and properties look at it only where these have
//! certain values. When they have not, the field is forgotten, by `undefine` at the end of the
//! rule.
//!
//! **Sound** whatever is forgotten. Of a field that always has a value (see `defined`), and of an
//! element that is compared, it is unknown once it was forgotten. Any other is read as a value
//! that must be defined, so that a rule which does look at it is a fault, and the proof fails.
//! What is found here has to be good, not right.

use std::collections::{BTreeMap, BTreeSet};

use model::Span;

use crate::murphi::typed::{
    BinaryOp, Domain, Expr, ExprKind, Local, LocalId, LocalKind, Place, Program, Projection, Root,
    Rule, Stmt, StmtKind, TypeId, TypeKind,
};
use crate::murphi::visit::Visit;

use super::defined::defined;
use super::scope::Elements;
use super::truth::{and, binary, condition, not, number, or, truth_constant};
use super::uses::{
    Fact, Field, Purpose, Read, RuleUses, Source, Uses, Write, field_of, indices, same_index,
};

/// More values of a governing field are not looked at.
const MAX_VALUES: u64 = 64;

/// More conditions under which a field matters are not told apart: each rule would look at all.
const MAX_REGIONS: usize = 8;

/// Fields, each of which has one of some values.
type Region = BTreeMap<Field, BTreeSet<i64>>;

/// A field that matters only where others have certain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Governed {
    pub field: Field,
    /// It matters in each of these cases.
    needed: Vec<Region>,
    /// Has it always a value?
    pub is_defined: bool,
}

/// The governed fields of a model.
pub(super) fn governed(program: &Program, elements: &Elements) -> Vec<Governed> {
    let uses = Uses::of(program);
    let mut fields = BTreeMap::new();
    for (variable, declared) in (0..).zip(&program.variables) {
        fields_within(program, declared.ty, (variable, Vec::new()), &mut fields);
    }
    let defined = defined(program, &uses, &fields.keys().cloned().collect());
    let is_governing = |ty: &TypeId| {
        matches!(program.types.kind(*ty), TypeKind::Enum { .. })
            && program.types.n_values(*ty) <= MAX_VALUES
    };
    let values_of = |ty: &TypeId| -> BTreeSet<i64> {
        (1..=program.types.n_values(*ty))
            .filter_map(|code| program.types.value_of(*ty, code))
            .collect()
    };
    let governing = fields.iter().filter(|(_, ty)| is_governing(ty));
    let governors = Governors {
        uses: &uses,
        values: governing.map(|(field, ty)| (field.clone(), values_of(ty))).collect(),
        is_range: elements.is_range,
    };
    let irrelevant = irrelevant(&uses, &fields);
    let mut found = Vec::new();
    for field in fields.keys().filter(|field| !uses.is_bare(field)) {
        let is_defined = defined.contains(field);
        let needed = match irrelevant.contains(field) {
            true => Some(Vec::new()),
            false => governors.needed(field, is_defined),
        };
        if let Some(needed) = needed {
            found.push(Governed { field: field.clone(), needed, is_defined });
        }
    }
    found
}

/// The fields of records within a value that have simple types.
fn fields_within(program: &Program, ty: TypeId, field: Field, out: &mut BTreeMap<Field, TypeId>) {
    match program.types.kind(ty) {
        TypeKind::Array { element, .. } => fields_within(program, *element, field, out),
        TypeKind::Record { fields } => {
            for (idx, (_, ty)) in (0..).zip(fields) {
                let mut inner = field.clone();
                inner.1.push(idx);
                fields_within(program, *ty, inner, out);
            }
        }
        _ if program.types.is_simple(ty) => {
            out.insert(field, ty);
        }
        _ => {}
    }
}

/// Fields at which nobody looks but to copy them to each other.
fn irrelevant(uses: &Uses<'_>, fields: &BTreeMap<Field, TypeId>) -> BTreeSet<Field> {
    let mut irrelevant: BTreeSet<Field> =
        fields.keys().filter(|field| !uses.is_bare(field)).cloned().collect();
    loop {
        let is_irrelevant = |field: &Field| {
            uses.reads(field).iter().all(|read| match read.purpose {
                Purpose::Copied(target) => field_of(target).is_some_and(|target| {
                    irrelevant.contains(&target) && fields.get(&target) == fields.get(field)
                }),
                Purpose::Value | Purpose::Compared => false,
            })
        };
        let left: BTreeSet<Field> =
            irrelevant.iter().filter(|field| is_irrelevant(field)).cloned().collect();
        if left.len() == irrelevant.len() {
            return irrelevant;
        }
        irrelevant = left;
    }
}

/// Fields that may govern others.
struct Governors<'a> {
    uses: &'a Uses<'a>,
    /// All values of each.
    values: BTreeMap<Field, BTreeSet<i64>>,
    /// Is the parameter a subrange, whose elements must be defined to be compared?
    is_range: bool,
}

impl Governors<'_> {
    /// Where a field matters; `None` if nothing better than "everywhere" is known.
    fn needed(&self, field: &Field, is_defined: bool) -> Option<Vec<Region>> {
        let reads = self.uses.reads(field);
        let regions = reads.iter().map(|read| self.region(read, is_defined));
        let regions: Vec<Region> = regions.collect();
        let mut governing: BTreeSet<Field> =
            regions.iter().flat_map(|region| region.keys().cloned()).collect();
        governing.remove(field);
        loop {
            let narrow = |region: &Region| -> Region {
                let kept = region.iter().filter(|(field, _)| governing.contains(*field));
                kept.map(|(field, values)| (field.clone(), values.clone())).collect()
            };
            let needed = self.simplified(regions.iter().map(narrow).collect());
            if needed.iter().any(Region::is_empty) || governing.is_empty() && !needed.is_empty() {
                return None;
            }
            let culprit = self.culprit(field, &needed);
            match culprit {
                None if needed.len() <= MAX_REGIONS => return Some(needed),
                None => governing.remove(&rarest(&needed)?),
                Some(culprit) => governing.remove(&culprit),
            };
        }
    }

    /// What is known of other fields where this one is looked at.
    fn region(&self, read: &Read<'_>, is_defined: bool) -> Region {
        let may_be_unknown =
            is_defined || (matches!(read.purpose, Purpose::Compared) && !self.is_range);
        let facts = if may_be_unknown { &read.facts[..] } else { &read.facts[..read.n_before] };
        self.said(facts, read.place)
    }

    /// What facts say of fields that belong to no others than a place.
    fn said(&self, facts: &[Fact<'_>], place: &Place) -> Region {
        let mut region = Region::new();
        for fact in facts.iter().filter(|fact| is_about(fact.place, place)) {
            let Some(field) = field_of(fact.place) else { continue };
            let Some(all) = self.values.get(&field) else { continue };
            let left = region.entry(field).or_insert_with(|| all.clone());
            left.retain(|value| (*value == fact.value) == fact.holds);
        }
        region
    }

    /// Fewer regions that are the same together.
    fn simplified(&self, regions: Vec<Region>) -> Vec<Region> {
        let mut kept: Vec<Region> = Vec::new();
        for mut region in regions {
            while let Some(idx) = kept.iter().position(|other| is_joined(&region, other).is_some())
            {
                let other = kept.swap_remove(idx);
                region = is_joined(&region, &other).unwrap_or(other);
            }
            region.retain(|field, values| self.values.get(field) != Some(values));
            if !kept.contains(&region) {
                kept.push(region);
            }
        }
        kept
    }

    /// A governing field that rules change so that a forgotten field would matter again.
    fn culprit(&self, field: &Field, needed: &[Region]) -> Option<Field> {
        let mut culprits: BTreeMap<Field, usize> = BTreeMap::new();
        for rule in self.uses.steps() {
            for write in &rule.writes {
                let Some(governor) = field_of(write.place) else { continue };
                let is_governor = needed.iter().any(|region| region.contains_key(&governor));
                if is_governor && !self.keeps(rule, write, field, needed) {
                    *culprits.entry(governor).or_default() += 1;
                }
            }
        }
        let is_far = |other: &Field| {
            other.1.split_last().map(|(_, r)| r) != field.1.split_last().map(|(_, r)| r)
        };
        culprits.into_iter().max_by_key(|(other, n)| (is_far(other), *n)).map(|(other, _)| other)
    }

    /// Is the field written, or did it matter, or does it not, where a rule writes one that
    /// governs it?
    fn keeps(
        &self,
        rule: &RuleUses<'_>,
        write: &Write<'_>,
        field: &Field,
        needed: &[Region],
    ) -> bool {
        let is_written = rule
            .writes
            .iter()
            .any(|other| field_of(other.place).as_ref() == Some(field) && is_of_same(other, write));
        let before = self.said(&rule.known, write.place);
        let mattered = |region: &Region| {
            region.iter().all(|(field, values)| {
                before.get(field).is_some_and(|before| before.is_subset(values))
            })
        };
        let may_matter = |region: &Region| {
            region.iter().all(|(field, values)| {
                let after = self.after(rule, (field, write.place), before.get(field));
                !after.is_disjoint(values)
            })
        };
        is_written || needed.iter().any(mattered) || !needed.iter().any(may_matter)
    }

    /// The values that a field of the same elements as `place` may have after a rule.
    fn after(
        &self,
        rule: &RuleUses<'_>,
        (field, place): (&Field, &Place),
        before: Option<&BTreeSet<i64>>,
    ) -> BTreeSet<i64> {
        let all = &self.values[field];
        let mut after = before.unwrap_or(all).clone();
        let writes = rule.writes.iter();
        for write in writes.filter(|write| field_of(write.place).as_ref() == Some(field)) {
            match write.source {
                Source::Constant(value) => {
                    if write.always && write.loops.is_empty() && is_about(write.place, place) {
                        after.clear();
                    }
                    after.insert(value);
                }
                _ => return all.clone(),
            }
        }
        after
    }
}

/// Does what a place belongs to belong to another one, too?
fn is_about(one: &Place, other: &Place) -> bool {
    let mut left = indices(other);
    indices(one).all(|index| left.next().is_some_and(|other| same_index(index, other)))
}

/// Is each place that `governor` is for also one that `write` is for?
fn is_of_same(write: &Write<'_>, governor: &Write<'_>) -> bool {
    let is_loop = |index: &Expr, write: &Write<'_>| match &index.kind {
        ExprKind::Read(name) => {
            let is_it = |local: &LocalId| name.root == Root::Local(*local);
            name.path.is_empty() && write.loops.iter().any(|(local, _)| is_it(local))
        }
        _ => false,
    };
    let mut left = indices(governor.place);
    indices(write.place).all(|index| {
        left.next().is_some_and(|other| same_index(index, other)) || is_loop(index, write)
    })
}

/// Two regions as one, if that is what they are together.
fn is_joined(one: &Region, other: &Region) -> Option<Region> {
    let implies = |one: &Region, other: &Region| {
        other.iter().all(|(field, values)| one.get(field).is_some_and(|one| one.is_subset(values)))
    };
    if implies(one, other) {
        return Some(other.clone());
    }
    if implies(other, one) {
        return Some(one.clone());
    }
    let is_same = one.keys().eq(other.keys());
    let mut differing = one.iter().filter(|(field, values)| other.get(*field) != Some(*values));
    let (field, values) = differing.next().filter(|_| is_same)?;
    if differing.next().is_some() {
        return None;
    }
    let mut joined = other.clone();
    joined.get_mut(field)?.extend(values);
    Some(joined)
}

/// The field that the fewest regions speak of.
fn rarest(regions: &[Region]) -> Option<Field> {
    let mut n_regions: BTreeMap<&Field, usize> = BTreeMap::new();
    regions
        .iter()
        .flat_map(Region::keys)
        .for_each(|field| *n_regions.entry(field).or_default() += 1);
    n_regions.into_iter().min_by_key(|(_, n)| *n).map(|(field, _)| field.clone())
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
        let mut governing = one.needed.iter().flat_map(Region::keys);
        if governing.any(touches) || touches(&one.field) {
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
        self.descend(self.variable(*variable), path, governed)
    }

    fn variable(&self, variable: u32) -> Place {
        let ty = self.program.variables[variable as usize].ty;
        Place { root: Root::Variable(variable), path: Vec::new(), ty, span: self.span }
    }

    fn descend(&mut self, place: Place, path: &[u32], governed: &Governed) -> Vec<Stmt> {
        let span = self.span;
        match self.program.types.kind(place.ty) {
            TypeKind::Array { index, .. } => {
                let index = *index;
                let domain = match index == self.elements.ty {
                    true => self.elements.slots(0, self.n_visible, span),
                    false => Domain::Type(index),
                };
                let local = LocalId(self.locals.len() as u32);
                let name = format!("each_{}", local.0);
                self.locals.push(Local { name, ty: index, kind: LocalKind::Value, span });
                let root = Root::Local(local);
                let here = self.read(Place { root, path: Vec::new(), ty: index, span });
                let body = self.descend(self.inner(place, here), path, governed);
                vec![Stmt { kind: StmtKind::For { local, domain, body }, span }]
            }
            TypeKind::Record { .. } if !path.is_empty() => {
                self.descend(self.part(place, path[0]), &path[1..], governed)
            }
            _ => vec![self.unless_needed(place, &governed.needed)],
        }
    }

    fn read(&self, place: Place) -> Expr {
        let bounds = self.program.types.bounds(place.ty);
        Expr { kind: ExprKind::Read(Box::new(place)), bounds, span: self.span }
    }

    /// A field of a record.
    fn part(&self, mut place: Place, field: u32) -> Place {
        if let TypeKind::Record { fields } = self.program.types.kind(place.ty) {
            place.ty = fields[field as usize].1;
            place.path.push(Projection::Field(field));
        }
        place
    }

    /// An element of an array.
    fn inner(&self, mut place: Place, index: Expr) -> Place {
        if let TypeKind::Array { element, .. } = self.program.types.kind(place.ty) {
            place.ty = *element;
            place.path.push(Projection::Index(index));
        }
        place
    }

    /// A field of the elements that `place` belongs to.
    fn beside(&self, (variable, path): &Field, place: &Place) -> Place {
        let mut left = indices(place);
        let mut beside = self.variable(*variable);
        let mut path = path.iter();
        loop {
            beside = match self.program.types.kind(beside.ty) {
                TypeKind::Array { .. } => match left.next() {
                    Some(index) => self.inner(beside, index.clone()),
                    None => return beside,
                },
                _ => match path.next() {
                    Some(field) => self.part(beside, *field),
                    None => return beside,
                },
            };
        }
    }

    fn unless_needed(&self, field: Place, needed: &[Region]) -> Stmt {
        let span = self.span;
        let is_in = |(governor, values): (&Field, &BTreeSet<i64>)| {
            let governor = self.beside(governor, &field);
            let is_undefined = condition(span, ExprKind::IsUndefined(Box::new(governor.clone())));
            let read = self.read(governor);
            let fits = values.iter().fold(truth_constant(false, span), |any, value| {
                or(any, binary(BinaryOp::Eq, read.clone(), number(*value, span)))
            });
            and(not(is_undefined), fits)
        };
        let matters = |region: &Region| {
            let all = truth_constant(true, span);
            region.iter().fold(all, |all, part| and(all, is_in(part)))
        };
        let nowhere = truth_constant(false, span);
        let asked = not(needed.iter().fold(nowhere, |any, region| or(any, matters(region))));
        let undefine = Stmt { kind: StmtKind::Undefine(field.clone()), span };
        if needed.is_empty() {
            return undefine;
        }
        Stmt { kind: StmtKind::If(vec![(Some(asked), vec![undefine])]), span }
    }
}

#[cfg(test)]
mod tests;
