//! States that are passed through without being stored.
//!
//! To many shared stores only one step of the whole program leads, such as those halfway
//! through the firing of a transition. A state there has one state before it, so it is
//! new exactly if that one is: nobody need remember it. From a stored state the search
//! walks on through such states at once.
//!
//! **Ends.** A circle of such stores could only be entered by a second step to one of
//! them, or if a run starts there; both make it a crossing (`Table::crossings`).
//!
//! Steps become known on the way, so a store may turn out to be a crossing late. From
//! then on its states are stored; that some of them were passed before means that they
//! are followed up once more, and nothing else. Which ones were, their number tells: a
//! state passes a store if it was stored before that became a crossing.

use super::rows::{Change, Rows};
use super::standing::Standing;
use super::states::RowId;
use super::table::Shared;

/// Where the search may walk on, and what it has still to look at.
#[derive(Default)]
pub struct Walk {
    rows: Rows,
    standings: Vec<Standing>,
    /// By shared store, the first state that does not pass it.
    closed_from: Vec<RowId>,
    n_crossings: usize,
}

/// Does the search walk on through a shared store?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// It does.
    Always,
    /// It did until that turned out to be a crossing, then it started again.
    AtFirst,
    /// It does not.
    No,
}

impl Walk {
    /// Nothing left to look at but `row`.
    pub fn start(&mut self, row: &[u32]) {
        self.rows.truncate(0);
        self.standings.clear();
        self.rows.push(row);
        self.standings.push(Standing::of(row));
    }

    /// One more to look at: what a step makes of `row`, with who is there then.
    pub fn push(&mut self, row: &[u32], change: Change, standing: Standing) {
        self.rows.push_after(row, change);
        self.standings.push(standing);
    }

    /// Makes `row` the one that was added last, and says who is there.
    pub fn pop(&mut self, row: &mut Vec<u32>) -> Option<Standing> {
        self.rows.pop(row);
        self.standings.pop()
    }

    /// Does the search walk on through `shared` when it comes from the state `from`?
    #[inline]
    pub fn passed(&self, shared: Shared, from: RowId) -> Passed {
        match self.closed_from.get(shared as usize) {
            Some(&closed) if from > closed => Passed::No,
            Some(&closed) if from == closed => Passed::AtFirst,
            _ => Passed::Always,
        }
    }

    /// Learns of all crossings, for `from` and later states; false if it knew them.
    pub fn learn(&mut self, crossings: &[Shared], from: RowId) -> bool {
        for &shared in &crossings[self.n_crossings..] {
            let shared = shared as usize;
            if self.closed_from.len() <= shared {
                self.closed_from.resize(shared + 1, RowId::MAX);
            }
            self.closed_from[shared] = from;
        }
        let is_new = self.n_crossings < crossings.len();
        self.n_crossings = crossings.len();
        is_new
    }
}
