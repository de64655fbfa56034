//! Can the order of two turns matter?

use std::collections::BTreeSet;

use super::access::{Access, Base, Effect, Region, Step, Turn, Value};
use crate::murphi::typed::{TypeId, TypeKind, Types};

/// Why the order of turns may matter, as the end of a sentence; `None` when it
/// cannot. `domain` is the type of the loop's variable.
pub(super) fn why_dependent(types: &Types, domain: TypeId, turn: &Turn) -> Option<String> {
    if let Some(reason) = turn.opaque {
        return Some(String::from(reason));
    }
    let writes = turn.accesses.iter().filter(|access| access.effect.writes());
    for write in writes {
        for other in &turn.accesses {
            let is_harmless = commute(write.effect, other.effect)
                || apart(types, domain, write, other)
                || spares(types, write, other);
            if !is_harmless {
                return Some(explain(write, other));
            }
        }
    }
    None
}

fn explain(write: &Access, other: &Access) -> String {
    match (write.text == other.text, other.effect.writes()) {
        (true, true) => format!("several turns may write `{}`", write.text),
        (true, false) => format!("a turn may read `{}` that another one writes", write.text),
        (false, true) => format!("turns may write `{}` as `{}`", write.text, other.text),
        (false, false) => {
            format!("a turn may write `{}` that another one reads as `{}`", write.text, other.text)
        }
    }
}

/// Is the order of two effects on one place without meaning?
fn commute(left: Effect, right: Effect) -> bool {
    match (left, right) {
        (Effect::Read | Effect::Write, _) | (_, Effect::Read | Effect::Write) => false,
        _ => left == right,
    }
}

/// Is the write an addition that leaves alone what the other access reads?
///
/// What is added goes to a slot that is not in use. A place that is read and does not hold
/// the whole multiset lies apart from it or in one of its slots, which is then in use: the
/// place was found when it was, and models in which a name may outlive its slot are
/// refused as a whole (`slots`).
fn spares(types: &Types, write: &Access, other: &Access) -> bool {
    write.effect == Effect::Insert
        && other.effect == Effect::Read
        && !contains(types, other.ty, write.ty)
}

/// Do two accesses, in two different turns, never meet?
fn apart(types: &Types, domain: TypeId, left: &Access, right: &Access) -> bool {
    if left.turn.equal.is_some_and(|value| value.is_stable()) && left.turn.equal == right.turn.equal
    {
        return true;
    }
    if left.region.base != right.region.base {
        return bases_apart(types, left, right);
    }
    let Region { steps, .. } = &left.region;
    steps.iter().zip(&right.region.steps).any(|pair| match pair {
        (Step::Field(left), Step::Field(right)) => left != right,
        (Step::Index(a), Step::Index(b)) => values_apart(types, domain, (*a, left), (*b, right)),
        _ => false,
    })
}

fn bases_apart(types: &Types, left: &Access, right: &Access) -> bool {
    let is_parameter = |access: &Access| matches!(access.region.base, Base::Parameter(_));
    let is_local = |access: &Access| matches!(access.region.base, Base::Local(_) | Base::Fresh);
    if is_local(left) || is_local(right) || !(is_parameter(left) || is_parameter(right)) {
        return true;
    }
    !contains(types, left.ty, right.ty) && !contains(types, right.ty, left.ty)
}

/// Can a value of type `part` be a part of a value of type `whole`, or be it?
pub(super) fn contains(types: &Types, whole: TypeId, part: TypeId) -> bool {
    let mut seen = BTreeSet::from([whole]);
    let mut open = vec![whole];
    while let Some(ty) = open.pop() {
        if types.kind(ty) == types.kind(part) {
            return true;
        }
        let parts: Vec<TypeId> = match types.kind(ty) {
            TypeKind::Record { fields } => fields.iter().map(|(_, ty)| *ty).collect(),
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => vec![*element],
            _ => Vec::new(),
        };
        open.extend(parts.into_iter().filter(|part| seen.insert(*part)));
    }
    false
}

/// Are two indices, in two different turns, never the same?
fn values_apart(
    types: &Types,
    domain: TypeId,
    (left, in_left): (Value, &Access),
    (right, in_right): (Value, &Access),
) -> bool {
    let turn_apart = |other: Value, access: &Access| match other {
        Value::Constant(value) if types.code_of(domain, value).is_none() => true,
        _ => access.turn.different.contains(&other),
    };
    match (left, right) {
        (Value::Turn, Value::Turn) => true,
        (Value::Constant(left), Value::Constant(right)) => left != right,
        (Value::Turn, other) => turn_apart(other, in_left),
        (other, Value::Turn) => turn_apart(other, in_right),
        _ => false,
    }
}
