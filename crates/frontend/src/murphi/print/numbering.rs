//! Which enumerations and scalarsets are written as numbers, and as which.
//!
//! Other tools know no unions. Members that meet in unions get numbers one after the other, in
//! an order in which each union is an interval.

use std::collections::{BTreeMap, BTreeSet};

use crate::murphi::typed::{BOOLEAN, TypeId, TypeKind, Types};

/// Orders of more members are not tried.
const MAX_MEMBERS: usize = 7;

/// What is written as numbers: each type with its first number.
pub(super) type Numbering = BTreeMap<TypeId, i64>;

/// Numbers for the types in `wanted` and all that meet one of them in a union; those of `last`
/// come last. Fails with a type in `wanted` for which there is no order.
pub(super) fn numbering(
    types: &Types,
    wanted: &BTreeSet<TypeId>,
    last: Option<TypeId>,
) -> Result<Numbering, TypeId> {
    let mut numbers = Numbering::new();
    for ty in wanted {
        if numbers.contains_key(ty) {
            continue;
        }
        let (mut members, unions) = company(types, *ty);
        let ends = last.filter(|last| members.remove(last));
        let front: Vec<TypeId> = members.into_iter().collect();
        let order = order(&front, ends, &unions).ok_or(*ty)?;
        // Elements are counted from one where they are alone.
        let mut next = i64::from(order.len() == 1);
        for member in order {
            numbers.insert(member, next);
            next += i64::try_from(types.n_values(member)).unwrap_or(0);
        }
    }
    Ok(numbers)
}

/// All types that meet this one in unions, directly or not, and these unions by their members.
fn company(types: &Types, ty: TypeId) -> (BTreeSet<TypeId>, Vec<BTreeSet<TypeId>>) {
    let unions = types.all.iter().filter_map(|one| match &one.kind {
        TypeKind::Union { members } => Some(members.iter().copied().collect::<BTreeSet<_>>()),
        _ => None,
    });
    let unions: Vec<BTreeSet<TypeId>> = unions.collect();
    let mut members = BTreeSet::from([ty]);
    loop {
        let met = unions.iter().filter(|union| !union.is_disjoint(&members));
        let all: BTreeSet<TypeId> = met.flatten().copied().chain(members.clone()).collect();
        if all == members {
            break;
        }
        members = all;
    }
    let unions = unions.into_iter().filter(|union| !union.is_disjoint(&members)).collect();
    (members, unions)
}

/// An order of members, with this one at its end, in which each union is an interval.
fn order(
    front: &[TypeId],
    end: Option<TypeId>,
    unions: &[BTreeSet<TypeId>],
) -> Option<Vec<TypeId>> {
    if front.len() > MAX_MEMBERS || front.contains(&BOOLEAN) {
        return None;
    }
    let mut found = None;
    let mut order = Vec::new();
    permutations(front, &mut order, &mut |order| {
        let order: Vec<TypeId> = order.iter().copied().chain(end).collect();
        let fits = unions.iter().all(|union| is_interval(&order, union));
        if fits && found.is_none() {
            found = Some(order);
        }
        found.is_some()
    });
    found
}

/// Visits all orders until one is enough.
fn permutations(
    all: &[TypeId],
    order: &mut Vec<TypeId>,
    is_enough: &mut dyn FnMut(&[TypeId]) -> bool,
) -> bool {
    if order.len() == all.len() {
        return is_enough(order);
    }
    for ty in all {
        if order.contains(ty) {
            continue;
        }
        order.push(*ty);
        let done = permutations(all, order, is_enough);
        order.pop();
        if done {
            return true;
        }
    }
    false
}

fn is_interval(order: &[TypeId], union: &BTreeSet<TypeId>) -> bool {
    order.windows(union.len()).any(|window| window.iter().all(|ty| union.contains(ty)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::numbering;
    use crate::murphi::typed::{Type, TypeId, TypeKind, Types};

    fn check(unions: &[&[u32]]) -> Option<Vec<i64>> {
        let boolean = TypeKind::Enum { base: 0, literals: vec!["false".into(), "true".into()] };
        let scalarset = |n: u32| TypeKind::Scalarset { base: 2 + i64::from(n) * 2, n_elements: 2 };
        let union = |members: &&[u32]| TypeKind::Union {
            members: members.iter().map(|member| TypeId(*member)).collect(),
        };
        let kinds = std::iter::once(boolean).chain((0..4).map(scalarset));
        let kinds = kinds.chain(unions.iter().map(union));
        let all = kinds.map(|kind| Type { name: String::new(), kind }).collect();
        let numbers = numbering(&Types { all }, &BTreeSet::from([TypeId(4)]), Some(TypeId(4)));
        numbers.ok().map(|numbers| numbers.into_values().collect())
    }

    #[test]
    fn each_union_is_an_interval() {
        assert_eq!(check(&[]), Some(vec![1]));
        assert_eq!(check(&[&[4, 1]]), Some(vec![0, 2]));
        assert_eq!(check(&[&[4, 2, 1], &[4, 1]]), Some(vec![2, 0, 4]));
        assert_eq!(check(&[&[4, 1], &[4, 2]]), None);
        assert_eq!(check(&[&[4, 0]]), None);
    }
}
