//! From a node that covers a target to a schedule that reaches it: each
//! acceleration on the way becomes as many repetitions as are needed.
//!
//! Walks from the node up to its root with the demand that the rest of the
//! schedule makes. Where an acceleration put a `*`, its path is repeated until the
//! demand is within what was there before; each repetition is walked backward
//! like any other part, so demands on older `*` are met further up.

use std::ops::ControlFlow;

use model::{StopReason, TransitionId};

use super::tree::{Acceleration, Birth, NodeId, Tree};
use crate::coverability::rules::precede::Preceding;
use crate::coverability::rules::source::{RuleSource, TargetHit};
use crate::coverability::slice::Schedule;
use crate::kernel::sparse::{OMEGA, idx_of, le, sum, value_at, value_of};

/// Longer schedules are given up: nobody could use them.
const MAX_STEPS: usize = 1_000_000;

/// The schedule behind `node`, whose vector covers a target.
///
/// # Errors
/// When the schedule gets too long.
pub fn schedule<S: RuleSource>(
    tree: &Tree,
    source: &S,
    node: NodeId,
    hit: TargetHit,
) -> Result<Schedule, StopReason> {
    let TargetHit { target, lower } = hit;
    let mut walk = Unrolling { tree, source, demand: lower, reversed: Vec::new() };
    let mut node = node;
    loop {
        for acceleration in tree.accelerations(node).iter().rev() {
            walk.repeat(node, acceleration)?;
        }
        match tree.birth(node) {
            Birth::Root(initial) => {
                let transitions = walk.reversed.into_iter().rev().map(TransitionId).collect();
                return Ok(Schedule { initial, transitions, target });
            }
            Birth::Child { parent, rule } => {
                walk.back(rule, tree.vector(parent))?;
                node = parent;
            }
        }
    }
}

struct Unrolling<'a, S> {
    tree: &'a Tree,
    source: &'a S,
    demand: Vec<u64>,
    reversed: Vec<u32>,
}

impl<S: RuleSource> Unrolling<'_, S> {
    /// Repeats the path from the acceleration's ancestor to `node` until the demand
    /// on the counters it grew is met.
    fn repeat(&mut self, node: NodeId, acceleration: &Acceleration) -> Result<(), StopReason> {
        let before = self.tree.vectors().get(acceleration.before);
        while self.exceeds(before) {
            let mut at = node;
            while at != acceleration.ancestor {
                let Birth::Child { parent, rule } = self.tree.birth(at) else {
                    unreachable!("the ancestor is above the node");
                };
                // Any demand is met along a repetition: nothing bounds it from above.
                self.back(rule, &[])?;
                at = parent;
            }
        }
        Ok(())
    }

    /// Does the demand exceed a finite count of `before`?
    fn exceeds(&self, before: &[u64]) -> bool {
        self.demand.iter().any(|&e| {
            let have = value_at(before, idx_of(e));
            have != OMEGA && value_of(e) > have
        })
    }

    /// The demand before `rule` fires: of several the smallest within `within`; an
    /// empty `within` stands for no bound.
    fn back(&mut self, rule: u32, within: &[u64]) -> Result<(), StopReason> {
        if self.reversed.len() >= MAX_STEPS {
            let why = "the counterexample has more than a million steps".to_string();
            return Err(StopReason::Incomplete { why });
        }
        let mut best: Option<Vec<u64>> = None;
        let mut buffer = Vec::new();
        let keep = &mut |demand: &[u64]| {
            let fits = within.is_empty() || le(demand, within);
            if fits && best.as_ref().is_none_or(|best| sum(demand) < sum(best)) {
                best = Some(demand.to_vec());
            }
            ControlFlow::Continue(())
        };
        let can_hold = |counter| within.is_empty() || value_at(within, counter) > 0;
        let preceding = Preceding {
            rule: self.source.rule(rule),
            n_counters: self.source.n_counters(),
            can_hold: &can_hold,
        };
        preceding.for_each(&self.demand, &mut buffer, keep)?;
        self.demand = best.ok_or_else(|| StopReason::Incomplete {
            why: "a path of the coverability tree could not be made concrete".to_string(),
        })?;
        self.reversed.push(rule);
        Ok(())
    }
}
