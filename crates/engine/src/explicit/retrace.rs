//! Rebuilds the run to a state that a lossy breadth-first search found.
//!
//! The search kept no states but those of its frontier. It is run again, on one
//! thread, with a log that says of each state its signature and from which earlier
//! one it came, until the state is met. The log is walked back, and the run is
//! then made forward from the signatures.
//!
//! **May fail** (`Unknown`) where memory is too small for the log, sixteen bytes a
//! state, or where a signature hides a state of the run.

use model::{Choice, StopReason, Successors};

use super::expand::SharedSearch;
use super::stepping::Stepping;
use crate::kernel::state_table::{SignatureTable, room_for, signature};

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: usize = 2048;

/// Log entries between two looks at the room for more.
const LOGGED_BETWEEN_LOOKS: usize = 1 << 16;

/// The stored states of a run to `target`.
///
/// # Errors
/// A limit was reached, or the run was not found again.
pub(super) fn to_state<'a>(
    search: &'a SharedSearch<'a>,
    target: &[u64],
) -> Result<Vec<Vec<u64>>, StopReason> {
    let signatures = SignatureTable::new().ok_or(StopReason::MemoryLimit)?;
    let mut log =
        Log { search, stepping: search.stepping(), signatures, entries: Vec::new(), target };
    let last = log.run()?;
    let mut chain = Vec::new();
    let mut at = Some(last);
    while let Some(number) = at {
        let entry = &log.entries[number as usize];
        chain.push(entry.signature);
        at = entry.from;
    }
    chain.reverse();
    log.stepping.follow(&chain)
}

struct Log<'a, 't> {
    search: &'a SharedSearch<'a>,
    stepping: Stepping<'a>,
    signatures: SignatureTable,
    entries: Vec<Entry>,
    target: &'t [u64],
}

#[derive(Clone, Copy)]
struct Entry {
    signature: u64,
    from: Option<u32>,
}

fn lost() -> StopReason {
    let why = "an error was found, but the run to it was lost by the lossy storage; \
               search depth first or with exact storage";
    StopReason::Incomplete { why: why.into() }
}

impl Log<'_, '_> {
    /// Searches until the target is met; its number in the log.
    fn run(&mut self) -> Result<u32, StopReason> {
        self.stepping.stepper.initial(&mut self.stepping.out)?;
        let (mut level, mut next) = (Vec::new(), Vec::new());
        let mut first = 0;
        if let Some(found) = self.add(None, &mut level)? {
            return Ok(found);
        }
        let n_words = self.stepping.state.len();
        while !level.is_empty() {
            let end = self.entries.len();
            for number in first..end {
                let at = (number - first) * n_words;
                self.stepping.state.copy_from_slice(&level[at..at + n_words]);
                self.stepping.stepper.expand(&self.stepping.state, &mut self.stepping.out)?;
                let from = u32::try_from(number).map_err(|_| lost())?;
                if let Some(found) = self.add(Some(from), &mut next)? {
                    return Ok(found);
                }
                if number.is_multiple_of(STATES_BETWEEN_LOOKS) {
                    self.search.context.limits.check()?;
                }
            }
            first = end;
            level = std::mem::take(&mut next);
        }
        Err(lost())
    }

    /// Logs the new ones of the computed states.
    fn add(
        &mut self,
        from: Option<u32>,
        frontier: &mut Vec<u64>,
    ) -> Result<Option<u32>, StopReason> {
        self.stepping.canonicalize_all();
        for idx in 0..self.stepping.out.len() {
            let state = self.stepping.out.state(idx);
            let signed = signature(state);
            if !insert(&mut self.signatures, signed, self.search)? {
                continue;
            }
            if self.entries.len().is_multiple_of(LOGGED_BETWEEN_LOOKS) {
                room_for(16 * self.entries.len() as u64, self.search.context.limits)?;
            }
            self.entries.push(Entry { signature: signed, from });
            frontier.extend_from_slice(state);
            if state == self.target {
                return u32::try_from(self.entries.len() - 1).map(Some).map_err(|_| lost());
            }
        }
        self.stepping.out.clear();
        Ok(None)
    }
}

fn insert(
    signatures: &mut SignatureTable,
    signed: u64,
    search: &SharedSearch<'_>,
) -> Result<bool, StopReason> {
    loop {
        match signatures.insert(signed) {
            Ok(is_new) => return Ok(is_new),
            Err(_) => signatures.grow(search.context.limits)?,
        }
    }
}

impl Stepping<'_> {
    /// The stored states with these signatures, each a successor of the one before.
    fn follow(&mut self, chain: &[u64]) -> Result<Vec<Vec<u64>>, StopReason> {
        let mut path: Vec<Vec<u64>> = Vec::with_capacity(chain.len());
        for &signed in chain {
            self.out.clear();
            match path.last() {
                None => self.stepper.initial(&mut self.out)?,
                Some(state) => self.stepper.expand(state, &mut self.out)?,
            }
            self.canonicalize_all();
            path.push(smallest_signed(&self.out, signed).ok_or_else(lost)?);
        }
        Ok(path)
    }
}

/// Among the states with a signature, the one of the smallest choice.
fn smallest_signed(states: &Successors, signed: u64) -> Option<Vec<u64>> {
    let all = (0..states.len()).filter(|&idx| signature(states.state(idx)) == signed);
    let first: Option<(Choice, &[u64])> =
        all.map(|idx| (states.choice(idx), states.state(idx))).min();
    first.map(|(_, state)| state.to_vec())
}
