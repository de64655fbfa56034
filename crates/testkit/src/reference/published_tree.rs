//! The minimal coverability tree as published in Beacon's Figure 1, after Finkel
//! (1993): **incomplete**, kept to show that it is.
//!
//! When a configuration dominates an ancestor, the ancestor is accelerated and
//! everything below it is deleted. But other branches may have been cut short
//! because something in the deleted part covered them, and nobody takes them up
//! again (Finkel, Geeraerts, Raskin and Van Begin, 2005).

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
    let mut alive = tree.vertices.iter().filter(|vertex| vertex.alive);
    Some(alive.any(|vertex| rules.targets.iter().any(|target| is_below(target, &vertex.vector))))
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
