//! Can two threads be in the thread states of a candidate at once, for some number of
//! threads? Coverability says so, for all candidates in one call, confined to R: as long as
//! no candidate was realized, no thread is anywhere else.

use super::candidates::CandidatePair;
use super::reached::Reached;
use super::table::Table;
use crate::coverability::Confined;

/// The question about `pairs` within `reached`, and about the program's errors as well if
/// so asked.
pub fn question(
    table: &Table<'_>,
    (reached, pairs): (&Reached, &[CandidatePair]),
    asks_for_errors: bool,
) -> Confined {
    let all = reached.all().iter();
    let thread_states =
        all.map(|state| (table.shared(state.shared).clone(), table.local(state.local).clone()));
    let stores = |pair: &CandidatePair| {
        let (one, other) = pair.locals;
        (table.shared(pair.shared).clone(), table.local(one).clone(), table.local(other).clone())
    };
    Confined {
        thread_states: thread_states.collect(),
        pairs: pairs.iter().map(stores).collect(),
        asks_for_errors,
    }
}
