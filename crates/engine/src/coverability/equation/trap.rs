//! Finds traps: sets of places that, once marked, stay marked.
//!
//! Every transition that takes from a trap must surely leave a token in it: it
//! puts one there, or its guard asks for more on a member than it takes away
//! (arcs that only read are such guards). A trap is useful here when every initial configuration marks it and a solution of the
//! state equation leaves it empty: that solution is then no reachable
//! configuration.

use model::{CounterId, CounterSystem, CounterTransition};

use super::effects::Effects;

/// How transitions move tokens between rows.
pub(super) struct Flows {
    flows: Vec<TransitionArcs>,
    /// For each row the flows that leave a token on it or move to it: those to
    /// look at again when the row is no longer in the set.
    feeding: Vec<Vec<u32>>,
    /// For each initial zone the rows that surely hold a token.
    marked: Vec<Vec<u32>>,
}

/// One transition. Places without a row are never in a trap.
struct TransitionArcs {
    takes: Vec<u32>,
    /// Rows that surely hold a token afterwards.
    leaves: Vec<u32>,
    moves: Vec<FlowMove>,
}

struct FlowMove {
    from: u32,
    to: Vec<u32>,
    /// Can tokens go to a place without a row, or vanish?
    leaks: bool,
}

impl Flows {
    pub(super) fn new(system: &CounterSystem, effects: &Effects) -> Flows {
        let flows: Vec<TransitionArcs> = system
            .transitions
            .iter()
            .map(|transition| TransitionArcs::new(transition, effects))
            .filter(|flow| !(flow.takes.is_empty() && flow.moves.is_empty()))
            .collect();
        let mut feeding = vec![Vec::new(); effects.n_rows()];
        for (idx, flow) in flows.iter().enumerate() {
            let moved = flow.moves.iter().flat_map(|moved| &moved.to);
            for &row in flow.leaves.iter().chain(moved) {
                feeding[row as usize].push(idx as u32);
            }
        }
        Flows { flows, feeding, marked: effects.marked.clone() }
    }

    /// A trap among the rows in `allowed` that every initial configuration
    /// marks, and of which no smaller one is left by dropping members in order.
    pub(super) fn marked_trap(&self, allowed: Vec<bool>) -> Option<Vec<u32>> {
        let mut members = allowed;
        self.shrink(&mut members, (0..self.flows.len() as u32).collect());
        if !self.is_marked(&members) {
            return None;
        }
        for row in 0..members.len() {
            if members[row] {
                let mut fewer = members.clone();
                fewer[row] = false;
                self.shrink(&mut fewer, self.feeding[row].clone());
                if self.is_marked(&fewer) {
                    members = fewer;
                }
            }
        }
        Some((0..members.len() as u32).filter(|&row| members[row as usize]).collect())
    }

    fn is_marked(&self, members: &[bool]) -> bool {
        self.marked.iter().all(|rows| rows.iter().any(|&row| members[row as usize]))
    }

    /// Removes members until the set is a trap; `open` are the flows that may
    /// take from it without putting back.
    fn shrink(&self, members: &mut [bool], mut open: Vec<u32>) {
        while let Some(flow_idx) = open.pop() {
            let flow = &self.flows[flow_idx as usize];
            if flow.leaves.iter().any(|&row| members[row as usize]) {
                continue;
            }
            let lost = flow.moves.iter().filter(|moved| moved.loses(members));
            let lost: Vec<u32> = lost.map(|moved| moved.from).chain(flow.takes.clone()).collect();
            for row in lost {
                if std::mem::replace(&mut members[row as usize], false) {
                    open.extend(&self.feeding[row as usize]);
                }
            }
        }
    }
}

impl TransitionArcs {
    fn new(transition: &CounterTransition, effects: &Effects) -> TransitionArcs {
        let mut flow = TransitionArcs { takes: Vec::new(), leaves: Vec::new(), moves: Vec::new() };
        if transition.from != transition.to {
            flow.takes.extend(effects.control_row(transition.from));
        }
        flow.leaves.extend(effects.control_row(transition.to));
        for &(counter, change) in &transition.delta {
            let row = effects.counter_row(counter);
            if change > 0 {
                flow.leaves.extend(row);
            } else {
                flow.takes.extend(row);
            }
        }
        flow.leaves.extend(kept_by_guard(transition).filter_map(|kept| effects.counter_row(kept)));
        for moved in &transition.moves {
            let Some(from) = effects.counter_row(moved.from) else { continue };
            let to: Vec<u32> = moved.to.iter().filter_map(|&to| effects.counter_row(to)).collect();
            let leaks = to.is_empty() || to.len() < moved.to.len();
            flow.moves.push(FlowMove { from, to, leaks });
        }
        flow
    }
}

/// Counters that stay non-zero because the guard asks for more than is taken.
fn kept_by_guard(transition: &CounterTransition) -> impl Iterator<Item = CounterId> {
    let change_of = |counter: &CounterId| {
        let found = transition.delta.binary_search_by_key(counter, |entry| entry.0);
        found.map_or(0, |idx| transition.delta[idx].1)
    };
    let is_moved = |counter: &CounterId| {
        transition.moves.binary_search_by_key(counter, |moved| moved.from).is_ok()
    };
    let guard = transition.guard.iter();
    let kept = guard.filter(move |(counter, bounds)| {
        !is_moved(counter) && i64::from(bounds.min).saturating_add(change_of(counter)) > 0
    });
    kept.map(|&(counter, _)| counter)
}

impl FlowMove {
    fn loses(&self, members: &[bool]) -> bool {
        self.leaks || self.to.iter().any(|&row| !members[row as usize])
    }
}
