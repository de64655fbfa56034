//! The minimal coverability tree as published in Beacon's Figure 1, after Finkel
//! (1993): **incomplete**, kept to show that it is.
//!
//! When a configuration dominates an ancestor, the ancestor is accelerated and
//! everything below it is deleted. But other branches may have been cut short
//! because something in the deleted part covered them, and nobody takes them up
//! again (Finkel, Geeraerts, Raskin and Van Begin, 2005). The test below is such
//! a program, for breadth-first search: one thread reaches its error in four
//! steps, and the published algorithm never generates it.

use super::karp_miller::{closure, fire, is_below, start};
use super::rules::{Rules, Vector};

/// Which configuration of the work list is taken next; the publication leaves it
/// open, and which nets go wrong depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The newest: depth first, as Beacon was built.
    DepthFirst,
    /// The oldest.
    BreadthFirst,
}

struct Vertex {
    vector: Vector,
    parent: Option<usize>,
    alive: bool,
}

/// Does the published algorithm find a target? `None` when it needs more than
/// `max_vertices` vertices. The rules must not move counters.
pub fn finds_target(rules: &Rules, order: Order, max_vertices: usize) -> Option<bool> {
    let mut tree = Tree::new(rules);
    while let Some(current) = tree.take(order) {
        if tree.vertices.len() > max_vertices {
            return None;
        }
        tree.expand(rules, current);
    }
    // Deleted vertices count as well: a tool would have seen the error when it was
    // generated.
    let hits = |vertex: &Vertex| rules.targets.iter().any(|t| is_below(t, &vertex.vector));
    Some(tree.vertices.iter().any(hits))
}

struct Tree {
    vertices: Vec<Vertex>,
    work_list: Vec<usize>,
}

impl Tree {
    fn new(rules: &Rules) -> Tree {
        let starts = rules.initial.iter().filter_map(start);
        let vertices: Vec<Vertex> =
            starts.map(|vector| Vertex { vector, parent: None, alive: true }).collect();
        let work_list = (0..vertices.len()).collect();
        Tree { vertices, work_list }
    }

    fn take(&mut self, order: Order) -> Option<usize> {
        match order {
            Order::DepthFirst => self.work_list.pop(),
            Order::BreadthFirst if self.work_list.is_empty() => None,
            Order::BreadthFirst => Some(self.work_list.remove(0)),
        }
    }

    fn expand(&mut self, rules: &Rules, current: usize) {
        let vector = self.vertices[current].vector.clone();
        for rule in &rules.rules {
            let Some(image) = fire(rule, &vector) else { continue };
            if self.alive().any(|idx| is_below(&image, &self.vertices[idx].vector)) {
                continue;
            }
            let dominated = self
                .lineage(current)
                .find(|&ancestor| is_below(&self.vertices[ancestor].vector, &image));
            let Some(ancestor) = dominated else {
                self.vertices.push(Vertex { vector: image, parent: Some(current), alive: true });
                self.work_list.push(self.vertices.len() - 1);
                continue;
            };
            self.replace(ancestor, &image);
            // The current vertex is among those deleted or replaced.
            return;
        }
    }

    fn replace(&mut self, ancestor: usize, image: &Vector) {
        let below: Vec<usize> = (0..self.vertices.len())
            .filter(|&idx| idx != ancestor && self.lineage(idx).any(|older| older == ancestor))
            .collect();
        for &idx in &below {
            self.vertices[idx].alive = false;
        }
        self.work_list.retain(|idx| !below.contains(idx) && *idx != ancestor);
        self.vertices[ancestor].vector = closure(&self.vertices[ancestor].vector, image);
        self.work_list.push(ancestor);
    }

    fn alive(&self) -> impl Iterator<Item = usize> {
        (0..self.vertices.len()).filter(|&idx| self.vertices[idx].alive)
    }

    /// The vertex itself and its ancestors, nearest first.
    fn lineage(&self, from: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(from), |&idx| self.vertices[idx].parent)
    }
}

#[cfg(test)]
mod tests {
    use super::{Order, finds_target};
    use crate::reference::rules::{Rule, Rules, Start, Vector};
    use crate::reference::{ReferenceAnswer, backward, karp_miller};

    /// Shared and local store before and after, in the order in which they fire.
    /// Any number of threads start in local 0; the error is shared store 4.
    const STEPS: [(usize, usize, usize, usize); 9] = [
        (0, 0, 1, 0),
        (0, 0, 5, 0),
        (1, 0, 2, 0),
        (2, 0, 3, 0),
        (3, 0, 3, 1),
        (3, 0, 1, 0),
        (3, 0, 4, 0),
        (5, 0, 5, 1),
        (5, 0, 2, 0),
    ];

    fn rules() -> Rules {
        let rules = STEPS.map(|(from, local, to, to_local)| {
            let (mut take, mut delta) = (vec![0; 2], vec![0; 2]);
            take[local] += 1;
            delta[to_local] += 1;
            Rule { from, to, guard: vec![0; 2], take, moves: Vec::new(), delta }
        });
        Rules {
            n_counters: 2,
            rules: rules.to_vec(),
            initial: vec![Start { control: 0, min: vec![0; 2], max: vec![None, Some(0)] }],
            targets: vec![Vector { control: 4, counts: vec![0; 2] }],
        }
    }

    #[test]
    fn the_published_tree_misses_an_error_that_exact_searches_find() {
        let reachable = ReferenceAnswer::Reachable { depth: 0 };
        assert_eq!(backward::search(&rules(), 100), reachable);
        assert_eq!(karp_miller::search(&rules(), 1000), Some(reachable));
        assert_eq!(finds_target(&rules(), Order::BreadthFirst, 1000), Some(false));
        assert_eq!(finds_target(&rules(), Order::DepthFirst, 1000), Some(true));
    }
}
