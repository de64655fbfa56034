//! Finds a reachable state from which a goal is out of reach (AG EF goal fails).
//!
//! After an exhaustive search with exact storage, all edges are computed again and
//! kept backwards, four bytes each; from the states where the goal is true, all
//! states are marked that can reach one. Of those that remain, the shallowest with
//! the smallest words is reported.

use model::{Ending, Judgement, PropertyKind, StopReason};

use super::breadth::Exploration;
use super::finding::{FoundError, offer};
use super::stepping::Stepping;
use super::visited::Visited;
use crate::kernel::state_table::{Arena, ExactTable, StateId, hash, room_for};

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: u64 = 2048;

/// A state from which a goal cannot be reached.
///
/// # Errors
/// A limit was reached.
pub(super) fn stranded(exploration: &Exploration<'_>) -> Result<Option<FoundError>, StopReason> {
    let properties = exploration.search.problem.system.properties();
    let goals: Vec<u32> = (0..properties.len() as u32)
        .filter(|&number| properties[number as usize].kind == PropertyKind::AlwaysReachable)
        .collect();
    let Visited::Exact(table) = &exploration.visited else { return Ok(None) };
    if goals.is_empty() {
        return Ok(None);
    }
    let mut walk = Reexpansion { exploration, table, stepping: exploration.search.stepping() };
    let backward = walk.edges_backward()?;
    let mut best = None;
    for goal in goals {
        let can_reach = backward.closure(walk.states_with(goal)?);
        if let Some((depth, state)) = shallowest_outside(exploration, table.arena(), &can_reach) {
            offer(&mut best, depth, Ending::Stranded(goal), &state);
        }
    }
    Ok(best)
}

/// Goes over all stored states once more.
struct Reexpansion<'w> {
    exploration: &'w Exploration<'w>,
    table: &'w ExactTable,
    stepping: Stepping<'w>,
}

/// The predecessors of each state: those of `id` are `from[starts[id]..starts[id + 1]]`.
struct Predecessors {
    starts: Vec<u64>,
    from: Vec<StateId>,
}

impl Reexpansion<'_> {
    fn edges_backward(&mut self) -> Result<Predecessors, StopReason> {
        let limits = self.exploration.search.context.limits;
        let n_ids = self.table.arena().end() as usize;
        room_for(8 * n_ids as u64, limits)?;
        let mut starts = vec![0u64; n_ids + 2];
        // Counted two places further on, so that filling moves them to where they
        // belong.
        self.each_edge(|_, to| starts[to as usize + 2] += 1)?;
        for id in 1..starts.len() {
            starts[id] += starts[id - 1];
        }
        let n_edges = starts[n_ids + 1];
        room_for(4 * n_edges, limits)?;
        let mut from = vec![0; n_edges as usize];
        self.each_edge(|source, to| {
            let at = &mut starts[to as usize + 1];
            from[*at as usize] = source;
            *at += 1;
        })?;
        Ok(Predecessors { starts, from })
    }

    fn each_edge(&mut self, mut visit: impl FnMut(StateId, StateId)) -> Result<(), StopReason> {
        let table = self.table;
        let problem = self.exploration.search.problem;
        self.each_state(|id, stepping| {
            stepping.out.clear();
            stepping.expand(problem)?;
            stepping.canonicalize_all();
            for idx in 0..stepping.out.len() {
                let state = stepping.out.state(idx);
                if let Some(to) = table.find(state, hash(state)) {
                    visit(id, to);
                }
            }
            Ok(())
        })
    }

    /// The numbers of the states where property `goal` is true.
    fn states_with(&mut self, goal: u32) -> Result<Vec<StateId>, StopReason> {
        let mut judgement = Judgement::default();
        let mut reached = Vec::new();
        self.each_state(|id, stepping| {
            judgement.clear();
            stepping.stepper.judge(&stepping.state, &mut judgement)?;
            if judgement.reached.contains(&goal) {
                reached.push(id);
            }
            Ok(())
        })?;
        Ok(reached)
    }

    fn each_state(
        &mut self,
        mut visit: impl FnMut(StateId, &mut Stepping<'_>) -> Result<(), StopReason>,
    ) -> Result<(), StopReason> {
        for id in self.exploration.levels.iter().flatten().flat_map(Clone::clone) {
            if id.is_multiple_of(STATES_BETWEEN_LOOKS) {
                self.exploration.search.context.limits.check()?;
            }
            self.table.arena().read(id as StateId, &mut self.stepping.state);
            visit(id as StateId, &mut self.stepping)?;
        }
        Ok(())
    }
}

impl Predecessors {
    /// All states from which one of `targets` can be reached.
    fn closure(&self, mut targets: Vec<StateId>) -> Vec<bool> {
        let mut is_inside = vec![false; self.starts.len()];
        targets.iter().for_each(|&id| is_inside[id as usize] = true);
        while let Some(id) = targets.pop() {
            let (start, end) = (self.starts[id as usize], self.starts[id as usize + 1]);
            for &before in &self.from[start as usize..end as usize] {
                if !std::mem::replace(&mut is_inside[before as usize], true) {
                    targets.push(before);
                }
            }
        }
        is_inside
    }
}

/// The depth and words of the first state that is not inside.
fn shallowest_outside(
    exploration: &Exploration<'_>,
    arena: &Arena,
    is_inside: &[bool],
) -> Option<(u32, Vec<u64>)> {
    let mut words = vec![0; arena.state_words()];
    for (depth, level) in exploration.levels.iter().enumerate() {
        let outside = level.iter().flat_map(Clone::clone).filter(|&id| !is_inside[id as usize]);
        let smallest = outside
            .map(|id| {
                arena.read(id as StateId, &mut words);
                words.clone()
            })
            .min();
        if let Some(state) = smallest {
            return Some((depth as u32, state));
        }
    }
    None
}
