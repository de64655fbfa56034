//! Decides coverability exactly for plain counter systems by the tree of Karp
//! and Miller (1969), without any pruning beyond the original's.

use super::ReferenceAnswer;
use super::rules::{Rule, Rules, Start, Vector};

/// Any number.
const OMEGA: u32 = u32::MAX;

struct Node {
    vector: Vector,
    parent: Option<usize>,
}

/// Searches with at most `max_nodes` nodes; `None` when a rule moves counters.
pub fn search(rules: &Rules, max_nodes: usize) -> Option<ReferenceAnswer> {
    if rules.rules.iter().any(|rule| !rule.moves.is_empty()) {
        return None;
    }
    let starts = rules.initial.iter().filter_map(start);
    let mut nodes: Vec<Node> = starts.map(|vector| Node { vector, parent: None }).collect();
    let mut next_idx = 0;
    while next_idx < nodes.len() {
        let vector = nodes[next_idx].vector.clone();
        if rules.targets.iter().any(|target| is_below(target, &vector)) {
            return Some(ReferenceAnswer::Reachable { depth: 0 });
        }
        if nodes.len() > max_nodes {
            return Some(ReferenceAnswer::NotWithin);
        }
        if !ancestors(&nodes, nodes[next_idx].parent).any(|older| *older == vector) {
            for rule in &rules.rules {
                if let Some(mut successor) = fire(rule, &vector) {
                    accelerate(&nodes, next_idx, &mut successor);
                    nodes.push(Node { vector: successor, parent: Some(next_idx) });
                }
            }
        }
        next_idx += 1;
    }
    Some(ReferenceAnswer::Unreachable)
}

/// The largest initial vector, or `None` for an empty start.
pub(super) fn start(start: &Start) -> Option<Vector> {
    let is_empty = start.min.iter().zip(&start.max).any(|(&min, max)| max.is_some_and(|m| m < min));
    let counts = start.max.iter().map(|max| max.unwrap_or(OMEGA)).collect();
    (!is_empty).then_some(Vector { control: start.control, counts })
}

/// Is every count of `small` at most that of `large`?
pub(super) fn is_below(small: &Vector, large: &Vector) -> bool {
    small.control == large.control && small.counts.iter().zip(&large.counts).all(|(a, b)| a <= b)
}

/// The successor by a rule without moves.
pub(super) fn fire(rule: &Rule, vector: &Vector) -> Option<Vector> {
    if rule.from != vector.control {
        return None;
    }
    let mut counts = Vec::new();
    for (idx, &count) in vector.counts.iter().enumerate() {
        if count == OMEGA {
            counts.push(OMEGA);
            continue;
        }
        if count < rule.guard[idx] {
            return None;
        }
        let left = i64::from(count) - i64::from(rule.take[idx]);
        let after = left + rule.delta[idx];
        if left < 0 || after < 0 {
            return None;
        }
        counts.push(u32::try_from(after).expect("small counts stay small before acceleration"));
    }
    Some(Vector { control: rule.to, counts })
}

/// `large` with `*` where it exceeds `small`.
pub(super) fn closure(small: &Vector, large: &Vector) -> Vector {
    let counts = small.counts.iter().zip(&large.counts);
    let counts = counts.map(|(&a, &b)| if a < b { OMEGA } else { b }).collect();
    Vector { control: large.control, counts }
}

fn ancestors(nodes: &[Node], from: Option<usize>) -> impl Iterator<Item = &Vector> {
    let chain = std::iter::successors(from, |&idx| nodes[idx].parent);
    chain.map(|idx| &nodes[idx].vector)
}

fn accelerate(nodes: &[Node], parent: usize, vector: &mut Vector) {
    for older in ancestors(nodes, Some(parent)) {
        if is_below(older, vector) && older != vector {
            *vector = closure(older, vector);
        }
    }
}
