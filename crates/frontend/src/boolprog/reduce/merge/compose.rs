//! Two edges in a row as one.

use model::{Bit, BitExpr, FlowEdge};

/// Leaves of one expression; larger ones are not worth it.
const MAX_LEAVES: usize = 64;

/// Choices of one edge: each doubles what has to be looked at.
const MAX_CHOICES: u32 = 8;

/// Variables of a condition that is looked at for all their values.
const MAX_VARIABLES: usize = 10;

/// `first`, then `second`, which is quiet; `None` if that is too large, or cannot be said.
pub(super) fn compose(first: &FlowEdge, second: &FlowEdge) -> Option<FlowEdge> {
    let mut speaks_of_locals_after = false;
    first.constraint.each_leaf(&mut |leaf| {
        speaks_of_locals_after |= matches!(leaf, BitExpr::After(Bit::Local(_)));
    });
    let n_choices = first.n_choices + second.n_choices;
    if speaks_of_locals_after || n_choices > MAX_CHOICES.max(first.n_choices) {
        return None;
    }
    let after = |expr: &BitExpr| {
        expr.map_leaves(&mut |leaf| match leaf {
            BitExpr::Before(bit) => {
                let assigned = first.assigns.iter().find(|(known, _)| known == bit);
                assigned.map_or_else(|| leaf.clone(), |(_, value)| value.clone())
            }
            BitExpr::Choice(idx) => BitExpr::Choice(idx + first.n_choices),
            other => other.clone(),
        })
    };
    let is_kept = |bit: &Bit| second.assigns.iter().all(|(assigned, _)| assigned != bit);
    let kept = first.assigns.iter().filter(|(bit, _)| is_kept(bit)).cloned();
    let changed = second.assigns.iter().map(|(bit, value)| (*bit, after(value)));
    let edge = FlowEdge {
        to: second.to,
        guard: first.guard.clone().and(after(&second.guard)),
        assigns: kept.chain(changed).collect(),
        n_choices,
        ..first.clone()
    };
    let is_small = |expr: &BitExpr| n_leaves(expr) <= MAX_LEAVES;
    let all_small = is_small(&edge.guard) && edge.assigns.iter().all(|(_, value)| is_small(value));
    all_small.then_some(edge)
}

fn n_leaves(expr: &BitExpr) -> usize {
    let mut n = 0;
    expr.each_leaf(&mut |_| n += 1);
    n
}

/// When a quiet edge can be taken: its guard, for some value of its choices.
pub(super) fn possible(edge: &FlowEdge) -> Option<BitExpr> {
    let mut choices: Vec<u32> = Vec::new();
    edge.guard.each_leaf(&mut |leaf| {
        if let BitExpr::Choice(idx) = leaf {
            choices.push(*idx);
        }
    });
    choices.sort_unstable();
    choices.dedup();
    if choices.len() > 3 {
        return None;
    }
    let with = |guard: BitExpr, idx: u32, value: bool| {
        guard.map_leaves(&mut |leaf| match leaf {
            BitExpr::Choice(known) if *known == idx => BitExpr::Const(value),
            other => other.clone(),
        })
    };
    Some(choices.into_iter().fold(edge.guard.clone(), |guard, idx| {
        with(guard.clone(), idx, true).or(with(guard, idx, false))
    }))
}

/// Is a condition over locals true for some values? `None` if there are too many to try.
pub(super) fn is_satisfiable(expr: &BitExpr) -> Option<bool> {
    let mut variables: Vec<BitExpr> = Vec::new();
    expr.each_leaf(&mut |leaf| variables.push(leaf.clone()));
    variables.sort();
    variables.dedup();
    variables.retain(|leaf| !matches!(leaf, BitExpr::Const(_)));
    if variables.len() > MAX_VARIABLES {
        return None;
    }
    let value = |values: u32, leaf: &BitExpr| {
        let idx = variables.binary_search(leaf).expect("all leaves are listed");
        values >> idx & 1 == 1
    };
    Some((0..1_u32 << variables.len()).any(|values| expr.eval(&|leaf| value(values, leaf))))
}

#[cfg(test)]
mod tests {
    use model::{Bit, BitExpr};

    use super::is_satisfiable;

    #[test]
    fn a_contradiction_is_not_satisfiable() {
        let x = BitExpr::Before(Bit::Local(0));
        let contradiction =
            BitExpr::And(Box::new(x.clone()), Box::new(BitExpr::Not(Box::new(x.clone()))));
        assert_eq!(is_satisfiable(&contradiction), Some(false));
        assert_eq!(is_satisfiable(&x), Some(true));
    }
}
