//! Decides which of several errors is reported: a fixed order over what is wrong.

use std::cmp::Ordering;

use model::{Ending, FaultPlace};

/// An error, with the stored state that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundError {
    /// Steps from an initial state.
    pub depth: u32,
    /// The state; empty when there is none, as an initial one cannot be computed.
    pub state: Vec<u64>,
    /// What is wrong.
    pub ending: Ending,
}

/// What errors are ordered by: the shortest run first, then the kind, its number,
/// and the state. All of it is the same however many threads search.
type ErrorRank<'a> = (u32, u8, u64, &'a [u64]);

impl FoundError {
    fn key(&self) -> ErrorRank<'_> {
        key(self.depth, &self.ending, &self.state)
    }
}

fn key<'a>(depth: u32, ending: &Ending, state: &'a [u64]) -> ErrorRank<'a> {
    let (rank, number) = match ending {
        Ending::Invariant(property) => (0, u64::from(*property)),
        Ending::Fault { place: FaultPlace::Start(choice), .. } => (1, choice.0),
        Ending::Fault { place: FaultPlace::Property(property), .. } => (2, u64::from(*property)),
        Ending::Fault { place: FaultPlace::Step(choice), .. } => (3, choice.0),
        Ending::Fault { place: FaultPlace::Proposition, .. } => (4, 0),
        Ending::Deadlock(_) => (5, 0),
        Ending::Stranded(property) => (6, u64::from(*property)),
        Ending::Uncovered(property) => (7, u64::from(*property)),
        Ending::Lasso { .. } => (8, 0),
    };
    (depth, rank, number, state)
}

/// Makes `best` the better of itself and the error given by its parts.
pub(super) fn offer(best: &mut Option<FoundError>, depth: u32, ending: Ending, state: &[u64]) {
    let is_better = match best {
        None => true,
        Some(best) => key(depth, &ending, state).cmp(&best.key()) == Ordering::Less,
    };
    if is_better {
        *best = Some(FoundError { depth, state: state.to_vec(), ending });
    }
}
