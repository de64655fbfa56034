//! Which private nodes of two views may be the same nodes?
//!
//! In a state, a node that two elements reach and the shared values do not is private in the
//! views of both. It holds the same in both, so that nodes which it names are the same as well.

use super::layout::Layout;
use super::sight::View;
use super::values::Value;
use crate::rejection::Rejection;

/// Matchings of two views at the most. Nodes differ in what they hold, so that there are few.
const MAX_MATCHINGS: usize = 1 << 16;

/// For each private node of one view, the node of the other that it is.
pub(crate) type Matching = Vec<Option<u32>>;

/// What a value is that one element sees as `one` and another as `other`, in a state in which
/// they are in slots 0 and 1. Nodes are left to the caller. `None` if there is no such value.
pub(crate) fn joined(one: Value, other: Value) -> Option<Value> {
    match (one, other) {
        (Value::Element(0), Value::Rest) => Some(Value::Element(0)),
        (Value::Rest, Value::Element(0)) => Some(Value::Element(1)),
        (Value::Rest, Value::Rest) => Some(Value::Rest),
        (Value::Code(code), Value::Code(same)) if code == same => Some(Value::Code(code)),
        (Value::Node(node), Value::Node(same)) if node == same => Some(Value::Node(node)),
        _ => None,
    }
}

/// Adds to `all` every matching that goes on as `begun` does.
///
/// The nodes of `v` are matched one by one: with none, or with one of `w` that nobody else is.
/// What is inconsistent stays so however it goes on, and is given up at once.
pub(crate) fn matchings(
    layout: &Layout,
    (v, w): (&View, &View),
    begun: &mut Matching,
    all: &mut Vec<Matching>,
) -> Result<(), Rejection> {
    if all.len() == MAX_MATCHINGS {
        return Err(Rejection::TooLarge { what: "nodes of two views that may be the same" });
    }
    if v.n_shared + begun.len() == v.n_reached {
        all.push(begun.clone());
        return Ok(());
    }
    let others = (w.n_shared as u32..w.n_reached as u32).map(Some);
    for other in std::iter::once(None).chain(others) {
        if other.is_some() && begun.contains(&other) {
            continue;
        }
        begun.push(other);
        if is_consistent(layout, (v, w), begun) {
            matchings(layout, (v, w), begun, all)?;
        }
        begun.pop();
    }
    Ok(())
}

/// Do matched nodes hold the same, as far as nodes are decided?
fn is_consistent(layout: &Layout, (v, w): (&View, &View), begun: &Matching) -> bool {
    begun.iter().enumerate().all(|(private, other)| {
        let Some(other) = other else { return true };
        let fields = &layout.nodes[v.n_shared + private];
        let others = &layout.nodes[*other as usize];
        fields.iter().zip(others).all(|(idx, other)| match (v.values[*idx], w.values[*other]) {
            (Value::Node(one), Value::Node(other)) => may_be_same((v, w), begun, (one, other)),
            (one, other) => joined(one, other).is_some(),
        })
    })
}

/// May a node of `v` be this node of `w`? One that is not decided yet may be any private one
/// that nobody else is.
fn may_be_same((v, w): (&View, &View), begun: &Matching, (one, other): (u32, u32)) -> bool {
    let is_private = |view: &View, node: u32| node as usize >= view.n_shared;
    match (is_private(v, one), is_private(w, other)) {
        (false, false) => one == other,
        (true, true) => match begun.get(one as usize - v.n_shared) {
            Some(decided) => *decided == Some(other),
            None => !begun.contains(&Some(other)),
        },
        _ => false,
    }
}
