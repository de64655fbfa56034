//! Where a step goes on: at locations where no other thread can notice.

use model::{BooleanFlow, LocationId};

use crate::boolprog::reduce::Reductions;
use crate::boolprog::reduce::merge::{is_quiet, watched};

/// Per location, whether a step goes on there.
#[derive(Clone, Debug)]
pub(super) struct Quiet {
    goes_on: Vec<bool>,
}

impl Quiet {
    /// A step goes on in atomic sections and at quiet locations, as `reductions` has it.
    pub fn of(flow: &BooleanFlow, reductions: Reductions) -> Quiet {
        let mut quiet = Quiet::never(flow);
        if reductions.merging {
            quiet.add_quiet(flow);
        }
        // A step has one effect on other threads at most, and creates one thread at most: a
        // section may do so without end.
        let has_many_effects = flow.edges.iter().any(|edge| {
            (!edge.passive.is_empty() || edge.spawn.is_some())
                && flow.locations[edge.from.0 as usize].is_atomic
        });
        for (goes_on, location) in quiet.goes_on.iter_mut().zip(&flow.locations) {
            if location.is_atomic {
                *goes_on = reductions.sections && !has_many_effects;
            }
        }
        quiet
    }

    /// Each edge is a step.
    pub fn never(flow: &BooleanFlow) -> Quiet {
        Quiet { goes_on: vec![false; flow.locations.len()] }
    }

    pub fn is_never(&self) -> bool {
        self.goes_on.iter().all(|goes_on| !goes_on)
    }

    pub fn goes_on(&self, location: LocationId) -> bool {
        self.goes_on[location.0 as usize]
    }

    /// Quiet locations, but for one on each circle of them: steps end.
    fn add_quiet(&mut self, flow: &BooleanFlow) {
        let is_watched = watched(flow);
        for idx in 0..flow.locations.len() {
            let mut edges = flow.edges_from(LocationId(idx as u32)).peekable();
            self.goes_on[idx] = edges.peek().is_some()
                && !flow.locations[idx].is_atomic
                && edges.all(|(_, edge)| is_quiet(flow, &is_watched, edge));
        }
        let mut state = vec![Visit::Not; flow.locations.len()];
        for idx in 0..flow.locations.len() {
            self.cut_circles(flow, idx, &mut state);
        }
    }

    /// Depth first over quiet locations; where the search comes back to one that it has not
    /// left yet, a step ends.
    fn cut_circles(&mut self, flow: &BooleanFlow, start: usize, state: &mut [Visit]) {
        if state[start] != Visit::Not {
            return;
        }
        let successors = |idx: usize| -> Vec<usize> {
            let edges = flow.edges_from(LocationId(idx as u32));
            edges.filter_map(|(_, edge)| edge.to).map(|to| to.0 as usize).collect()
        };
        let mut stack = vec![(start, successors(start))];
        state[start] = Visit::On;
        while let Some((idx, rest)) = stack.last_mut() {
            let Some(next) = rest.pop() else {
                state[*idx] = Visit::Done;
                stack.pop();
                continue;
            };
            if !self.goes_on[next] {
                continue;
            }
            match state[next] {
                Visit::On => self.goes_on[next] = false,
                Visit::Done => {}
                Visit::Not => {
                    state[next] = Visit::On;
                    stack.push((next, successors(next)));
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Not,
    On,
    Done,
}
