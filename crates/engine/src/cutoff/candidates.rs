//! Candidate triples: where a thread state might be reached passively that is not in R.
//!
//! A step (r, h) -> (s, l) of one thread takes every other thread from (r, k) to (s, k).
//! If (r, h) and (r, k) are in R but (s, k) is not, the three thread states (r, h),
//! (r, k), (s, l) are a candidate; it is realizable if two threads can be in (r, h) and
//! (r, k) at once. With a broadcast, the other thread goes from (r, k) to (s, p) for any
//! p that the broadcast lets it choose: then (s, p) takes the place of (s, k).
//!
//! **Why that is enough** (Lemma 6 of the paper, for broadcasts as well). Let R be R_n,
//! and t a thread state outside that is reached with the fewest threads, and of those
//! first. All thread states before it are in R. If the thread that steps is the one in
//! t, then it could have stepped among n threads. So it is another one, and the two
//! thread states before the step are a candidate that is realized. The environment's
//! steps need no second thread. A step that creates threads needs as many more: a thread
//! state that it leads to and that is not in R is reached with more threads, surely;
//! `grows` tells so.

use model::StopReason;
use rustc_hash::{FxHashMap, FxHashSet};

use super::reached::Reached;
use super::table::{ENDED, Local, Shared, Table};

/// Two thread states that must not be there at once for R to be all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidatePair {
    /// Their shared store.
    pub shared: Shared,
    /// The local stores, the smaller number first.
    pub locals: (Local, Local),
}

/// The candidates of a set R.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The first two thread states of each triple, ascending. These are counted: their
    /// numbers agree with the paper's figures where the encodings do.
    pub pairs: Vec<CandidatePair>,
    /// Does a step that creates threads lead out of R?
    pub grows: bool,
}

impl Candidates {
    /// The candidates of R as it is.
    ///
    /// # Errors
    /// The program cannot say what a thread does.
    pub fn of(table: &mut Table<'_>, reached: &Reached) -> Result<Candidates, StopReason> {
        let mut found = Candidates::default();
        let mut pairs = FxHashSet::default();
        for shared in 0..table.n_shared() as Shared {
            let locals = reached.locals(shared);
            if !locals.is_empty() {
                found.at(table, reached, (shared, &locals), &mut pairs)?;
            }
        }
        found.pairs = pairs.into_iter().collect();
        found.pairs.sort_unstable();
        Ok(found)
    }

    fn at(
        &mut self,
        table: &mut Table<'_>,
        reached: &Reached,
        (shared, locals): (Shared, &[Local]),
        pairs: &mut FxHashSet<CandidatePair>,
    ) -> Result<(), StopReason> {
        // Who can go where, and what becomes of it, by what happens to the others.
        let mut ways: FxHashMap<_, Vec<(Local, Local)>> = FxHashMap::default();
        for &local in locals {
            let answer = table.known(shared, local)?;
            for step in table.steps(answer) {
                let created = step.spawned.iter().chain([&step.after]);
                let mut leaves = created.filter(|&&local| local != ENDED);
                self.grows |= leaves.any(|&local| !reached.contains(step.to, local));
                let way = ways.entry((step.to, step.broadcast)).or_default();
                if !way.contains(&(local, step.after)) {
                    way.push((local, step.after));
                }
            }
        }
        for ((to, broadcast), active) in ways {
            let lost = match broadcast {
                None => reached.lost(shared, to),
                Some(broadcast) => {
                    let mut leaves = |local: &Local| {
                        let mut becomes = table.passive(broadcast, *local);
                        becomes.any(|local| !reached.contains(to, local))
                    };
                    locals.iter().copied().filter(&mut leaves).collect()
                }
            };
            for &(one, _) in &active {
                for &other in &lost {
                    pairs
                        .insert(CandidatePair { shared, locals: (one.min(other), one.max(other)) });
                }
            }
        }
        Ok(())
    }
}
