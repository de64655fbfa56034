//! Decides whether summaries of calls prove that no step of a program with stacks is an error.
//!
//! **The claim.** Take a reachable state in which nobody is in an atomic section, and its
//! world: its shared store, and how many threads are in each exposed class. For each thread
//! there are entries, one for each call on its stack, such that the edge from the entry of the
//! innermost call to the state's world and the thread's view is in the claim, and each caller
//! waits for the entry of its callee. In a section, the same is true of the thread in it, and
//! of the others before it began. It is shown by induction over runs:
//! 1. threads start in entries (`start.rs`);
//! 2. own steps, calls and returns lead to edges of the claim, whatever the counts of several
//!    stand for, and all that others see of them is in the guarantee (`own.rs`);
//! 3. a pair of the guarantee leads from edges to edges, for each thread that may be where it is
//!    at the same time as the thread that steps (`others_keep`).
//!
//! Since no step after an edge of the claim is an error, none is reachable.
//!
//! **Sound, not complete.** The set must be closed as it stands. Who waits for which entry is
//! found out here; it is no part of the claim.

mod claim;
mod own;
mod start;

use std::collections::{BTreeMap, BTreeSet};

use model::{LabelId, Limits, Store, Summaries, SummaryEdge, ThreadCount, ThreadProgram};

use self::claim::Claim;
use crate::Assurance;
use crate::budget::Budget;
use crate::rejection::Rejection;

/// Do these summaries show that no error is reachable by `scope` threads?
pub(crate) fn check(
    program: &dyn ThreadProgram,
    scope: ThreadCount,
    summaries: &Summaries,
    limits: &Limits,
) -> Result<Assurance, Rejection> {
    let stacks = program.pushdown();
    let stacks = stacks.ok_or_else(|| Rejection::malformed("the program has no stacks"))?;
    let asked = program.requirements();
    if !asked.targets().is_empty() || asked.beyond_targets().is_some() {
        return Err(Rejection::malformed("summaries say nothing about what is asked"));
    }
    let claim = Claim::read(stacks, summaries)?;
    let budget = Budget::new(limits);
    let (callers, roots) = (BTreeMap::new(), BTreeSet::new());
    let mut obligations = Obligations { claim, budget, callers, roots };
    obligations.threads_start(scope)?;
    obligations.steps_stay()?;
    obligations.returns_stay()?;
    obligations.others_keep()?;
    Ok(Assurance::Proved)
}

/// What is to be shown, and what was found out on the way.
struct Obligations<'a> {
    claim: Claim<'a>,
    budget: Budget<'a>,
    /// Per entry, who waits for it.
    callers: BTreeMap<(u32, u32), BTreeSet<Caller>>,
    /// The entries in which threads start.
    roots: BTreeSet<(u32, u32)>,
}

/// A caller that waits: how its own procedure was entered, and its frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Caller {
    entry: (u32, u32),
    frame: Store,
}

impl Obligations<'_> {
    /// Whatever a thread may do, the others stay within the claim.
    fn others_keep(&self) -> Result<(), Rejection> {
        let claim = &self.claim;
        let mut pairs_from = vec![Vec::new(); claim.summaries.worlds.len()];
        for pair in &claim.summaries.guarantee {
            pairs_from[pair.from as usize].push(pair);
        }
        for edge in &claim.summaries.edges {
            if claim.is_atomic[edge.view as usize] {
                continue;
            }
            let own = &claim.members[edge.view as usize];
            for pair in &pairs_from[edge.world as usize] {
                self.budget.tick()?;
                let counts = claim.counts_of(pair.from);
                let can_be = counts
                    .iter()
                    .zip(own)
                    .zip(&pair.members)
                    .all(|((count, own), other)| u8::from(*own) + u8::from(*other) <= *count);
                let after = SummaryEdge { world: pair.to, ..*edge };
                if can_be && !claim.has_edge(after) {
                    let step = "a step of another thread".to_owned();
                    let why = "a summary has no such end".to_owned();
                    return Err(Rejection::NotInductive { step, why });
                }
            }
        }
        Ok(())
    }
}

impl Claim<'_> {
    fn leads_out(&self, label: LabelId, why: &str) -> Rejection {
        let narrator = self.program.threads().narrator();
        Rejection::NotInductive { step: narrator.label(label).text, why: why.to_owned() }
    }
}
