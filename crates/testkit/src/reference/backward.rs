//! Decides coverability exactly for every system without upper bounds, backward
//! from the targets, with a plain list of minimal elements.

use std::collections::VecDeque;

use super::ReferenceAnswer;
use super::rules::{Rule, Rules, Start, Vector};

/// Searches with at most `max_elements` minimal elements.
pub fn search(rules: &Rules, max_elements: usize) -> ReferenceAnswer {
    let mut minimal: Vec<Vector> = Vec::new();
    let mut queue: VecDeque<Vector> = rules.targets.iter().cloned().collect();
    while let Some(element) = queue.pop_front() {
        if minimal.iter().any(|known| is_below(known, &element)) {
            continue;
        }
        if rules.initial.iter().any(|start| may_cover(start, &element)) {
            return ReferenceAnswer::Reachable { depth: 0 };
        }
        if minimal.len() >= max_elements {
            return ReferenceAnswer::NotWithin;
        }
        for rule in &rules.rules {
            queue.extend(predecessors(rule, &element));
        }
        minimal.retain(|known| !is_below(&element, known));
        minimal.push(element);
    }
    ReferenceAnswer::Unreachable
}

fn is_below(small: &Vector, large: &Vector) -> bool {
    small.control == large.control && small.counts.iter().zip(&large.counts).all(|(a, b)| a <= b)
}

fn may_cover(start: &Start, element: &Vector) -> bool {
    start.control == element.control
        && start.max.iter().zip(&element.counts).all(|(max, &n)| max.is_none_or(|max| n <= max))
        && start.min.iter().zip(&start.max).all(|(&min, max)| max.is_none_or(|max| min <= max))
}

/// Minimal vectors from which `rule` leads to or above `element`.
fn predecessors(rule: &Rule, element: &Vector) -> Vec<Vector> {
    if rule.to != element.control {
        return Vec::new();
    }
    // What must be there after the moves, before `delta` is added.
    let needed: Vec<u32> = (element.counts.iter().zip(&rule.delta))
        .map(|(&count, &delta)| (i64::from(count) - delta).max(0) as u32)
        .collect();
    let before_moves = origins(rule, &needed);
    let with_taken = before_moves.into_iter().map(|mut counts| {
        for (idx, count) in counts.iter_mut().enumerate() {
            *count = (*count + rule.take[idx]).max(rule.guard[idx]);
        }
        Vector { control: rule.from, counts }
    });
    with_taken.collect()
}

/// Every way in which the needed tokens can have come from somewhere.
fn origins(rule: &Rule, needed: &[u32]) -> Vec<Vec<u32>> {
    let mut ways = vec![vec![0; needed.len()]];
    for (counter, &n_tokens) in needed.iter().enumerate() {
        let sources = sources_of(rule, counter);
        for _ in 0..n_tokens {
            let mut next = Vec::new();
            for way in &ways {
                for &source in &sources {
                    let mut more = way.clone();
                    more[source] += 1;
                    next.push(more);
                }
            }
            next.sort();
            next.dedup();
            ways = next;
        }
    }
    ways
}

/// Counters whose tokens may be in `counter` after the moves.
fn sources_of(rule: &Rule, counter: usize) -> Vec<usize> {
    let is_moved = rule.moves.iter().any(|(from, _)| *from == counter);
    let stays = (!is_moved).then_some(counter);
    let arrive = rule.moves.iter().filter(|(_, to)| to.contains(&counter)).map(|(from, _)| *from);
    stays.into_iter().chain(arrive).collect()
}
