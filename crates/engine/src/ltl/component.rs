//! Walks a component of the product so that the walk accepts and is fair.

use std::collections::VecDeque;

use model::Choice;
use rustc_hash::FxHashMap;

/// A strongly connected component with at least one edge; node 0 is its root.
pub(super) struct Component {
    /// The node of each pair, by the pair's number in the search.
    pub number: FxHashMap<u32, usize>,
    /// The edges within the component.
    pub edges: Vec<Vec<InnerEdge>>,
    /// The actors with a step in each node, sorted; steps out of the component count.
    pub enabled: Vec<Vec<u64>>,
}

/// An edge within a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InnerEdge {
    pub choice: Option<Choice>,
    pub actor: Option<u64>,
    pub target: usize,
}

impl Component {
    /// The node of a pair that is in the component.
    pub fn number(&self, pair: u32) -> usize {
        *self.number.get(&pair).expect("the pair is in the component")
    }

    /// A walk from the root through `accepting` back to the root on which each
    /// actor steps or cannot step somewhere. The component has such a walk.
    pub fn fair_cycle(&self, accepting: usize) -> Vec<InnerEdge> {
        let mut walk = ComponentWalk {
            component: self,
            steps: Vec::new(),
            at: 0,
            starving: self.enabled[0].clone(),
        };
        if accepting != 0 {
            walk.go(|_, edge| edge.target == accepting);
        }
        while let Some(&actor) = walk.starving.first() {
            walk.go(|component, edge| {
                edge.actor == Some(actor)
                    || component.enabled[edge.target].binary_search(&actor).is_err()
            });
        }
        if walk.at != 0 || walk.steps.is_empty() {
            walk.go(|_, edge| edge.target == 0);
        }
        walk.steps
    }
}

struct ComponentWalk<'a> {
    component: &'a Component,
    steps: Vec<InnerEdge>,
    at: usize,
    /// Actors that could step everywhere so far and never did.
    starving: Vec<u64>,
}

impl ComponentWalk<'_> {
    /// Goes along a shortest path whose last edge is a goal.
    fn go(&mut self, is_goal: impl Fn(&Component, &InnerEdge) -> bool) {
        let mut parents: Vec<Option<(usize, InnerEdge)>> = vec![None; self.component.edges.len()];
        let mut queue = VecDeque::from([self.at]);
        while let Some(node) = queue.pop_front() {
            for edge in &self.component.edges[node] {
                if is_goal(self.component, edge) {
                    return self.follow(&parents, node, *edge);
                }
                if edge.target != self.at && parents[edge.target].is_none() {
                    parents[edge.target] = Some((node, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        unreachable!("every node and every acting actor of a component is within reach");
    }

    fn follow(&mut self, parents: &[Option<(usize, InnerEdge)>], node: usize, last: InnerEdge) {
        let mut path = vec![last];
        let mut node = node;
        while node != self.at {
            let (parent, edge) = parents[node].expect("the path began here");
            path.push(edge);
            node = parent;
        }
        for edge in path.into_iter().rev() {
            let enabled = &self.component.enabled[edge.target];
            self.starving
                .retain(|actor| edge.actor != Some(*actor) && enabled.binary_search(actor).is_ok());
            self.at = edge.target;
            self.steps.push(edge);
        }
    }
}
