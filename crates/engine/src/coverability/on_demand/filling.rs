//! Do the threads of a configuration fill the slots of a target? Each thread fills one slot
//! at most, so this is a flow from local stores to slots.

use model::Requirements;

use crate::coverability::flow::TokenFlow;
use crate::kernel::sparse::entry;

/// Threads in one local store.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    /// Its counter.
    pub counter: u32,
    /// How many there are.
    pub count: u32,
    /// The store.
    pub bytes: &'a [u8],
}

/// The threads that fill the slots of a target in a shared store of it, if all are filled.
pub fn filling(
    requirements: &dyn Requirements,
    target: usize,
    shared: &[u8],
    tokens: &[Token<'_>],
) -> Option<Vec<u64>> {
    let slots = &requirements.targets()[target].slots;
    let fits = |token: &Token<'_>, slot: &usize| {
        requirements.target_local(target, *slot, shared, token.bytes)
    };
    let destinations = tokens
        .iter()
        .map(|token| (0..slots.len()).filter(|slot| fits(token, slot)).collect::<Vec<usize>>());
    let destinations: Vec<Vec<usize>> = destinations.collect();
    let has_token =
        |slot: usize| slots[slot] == 0 || destinations.iter().any(|slots| slots.contains(&slot));
    if !(0..slots.len()).all(has_token) {
        return None;
    }
    let mut flow = TokenFlow {
        left: tokens.iter().map(|token| i64::from(token.count)).collect(),
        given: destinations.iter().map(|slots| vec![0; slots.len()]).collect(),
        lacking: slots.iter().map(|&count| i64::from(count)).collect(),
        destinations,
    };
    flow.saturate();
    if flow.lacking.iter().any(|lacking| *lacking > 0) {
        return None;
    }
    let given = flow.given.iter().map(|given| given.iter().sum::<i64>() as u32);
    let used = tokens.iter().zip(given).filter(|(_, given)| *given > 0);
    Some(used.map(|(token, given)| entry(token.counter, given)).collect())
}
