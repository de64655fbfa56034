//! Decides whether a run of a Boolean flow may start as it does, without a list of all
//! stores that runs start in: there may be too many.

use model::{BooleanFlow, Store, ThreadTrace};

use super::threads::starts;
use crate::rejection::Rejection;

/// Are these a shared store and threads that a run of the flow may start with? How many
/// there are of each kind is ignored.
pub(super) fn check(flow: &BooleanFlow, trace: &ThreadTrace) -> Result<(), Rejection> {
    let not_initial = |why: &str| Err(Rejection::NotInitial { why: why.to_owned() });
    if !is_initial_shared(flow, &trace.shared) {
        return not_initial("the shared store is not an initial one");
    }
    match starts(trace).all(|(local, kind, _)| is_initial_local(flow, kind, local)) {
        true => Ok(()),
        false => not_initial("a thread does not start as its template says"),
    }
}

fn is_initial_shared(flow: &BooleanFlow, store: &Store) -> bool {
    let bytes = store.bytes();
    let values: Vec<bool> =
        (0..flow.shared.len()).map(|idx| flow.shared_value(bytes, idx)).collect();
    let fits = |(variable, value): (&model::BitVariable, &bool)| {
        variable.initial.is_none_or(|initial| initial == *value)
    };
    *store == flow.shared_store(&values, false) && flow.shared.iter().zip(&values).all(fits)
}

fn is_initial_local(flow: &BooleanFlow, kind: usize, store: &Store) -> bool {
    let Some(kind) = flow.threads.get(kind) else { return false };
    let bytes = store.bytes();
    let values: Vec<bool> =
        (0..flow.locals.len()).map(|idx| flow.local_value(bytes, idx)).collect();
    let fits =
        |(initial, value): (&Option<bool>, &bool)| initial.is_none_or(|initial| initial == *value);
    *store == flow.local_store(kind.entry, &values) && kind.locals.iter().zip(&values).all(fits)
}
