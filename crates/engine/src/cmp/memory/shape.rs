//! Which nodes of a state are reached, and how the state looks when all else is forgotten.
//!
//! Nodes of a view are numbered in the order of a breadth-first walk, first from what is shared,
//! then from what belongs to the element. So views that differ in the names of nodes alone are
//! equal, and so are the names of shared nodes in views with the same shared part.

use std::ops::Range;

use super::layout::{FIELD, Layout, OWN, SHARED};

/// A node that has not been reached.
const NONE: u8 = u8::MAX;

/// What is wrong with a state behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// A node was taken as one that nobody beside reaches, and somebody does.
    Doubted,
    /// A node that nobody reaches is not fresh.
    Lost,
}

impl Flaw {
    pub(super) fn words(self) -> &'static str {
        match self {
            Flaw::Doubted => "a node that others may reach is taken as one that nobody reaches",
            Flaw::Lost => "a node is lost: nobody reaches it, and it is not free",
        }
    }
}

/// How many nodes of a view are reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// From what is shared.
    pub shared: usize,
    /// From what is shared and the element of the view.
    pub seen: usize,
}

/// A walk through the nodes of a state.
#[derive(Debug)]
pub(super) struct Walk {
    /// The reached nodes, in the order in which they were.
    order: Vec<u8>,
    /// The place of each node in that order.
    rank: Vec<u8>,
}

impl Walk {
    pub(super) fn new(layout: &Layout) -> Walk {
        Walk { order: Vec::with_capacity(layout.n_nodes), rank: vec![NONE; layout.n_nodes] }
    }

    /// Walks from what is shared, then from the slots that are shown.
    pub(super) fn go(&mut self, layout: &Layout, values: &[u64], n_shown: usize) -> Reached {
        self.order.clear();
        self.rank.fill(NONE);
        self.from(layout, values, (0, &layout.pointers[SHARED]));
        let shared = self.order.len();
        let mut seen = shared;
        for slot in 0..n_shown {
            self.from(layout, values, (layout.slot(slot), &layout.pointers[OWN]));
            if slot == 0 {
                seen = self.order.len();
            }
        }
        Reached { shared, seen }
    }

    fn from(&mut self, layout: &Layout, values: &[u64], (start, pointers): (usize, &[usize])) {
        let mut next = self.order.len();
        self.reach(layout, values, (start, pointers));
        while let Some(node) = self.order.get(next) {
            let start = layout.node(usize::from(*node));
            self.reach(layout, values, (start, &layout.pointers[FIELD]));
            next += 1;
        }
    }

    fn reach(&mut self, layout: &Layout, values: &[u64], (start, pointers): (usize, &[usize])) {
        for at in pointers.iter().map(|pointer| start + pointer) {
            if let Some(node) = layout.node_named(at, values[at])
                && self.rank[node] == NONE
            {
                self.rank[node] = self.order.len() as u8;
                self.order.push(node as u8);
            }
        }
    }

    /// What is wrong with the state through which this walked. Whether nodes are lost is asked
    /// of some alone.
    pub(super) fn flaw(
        &self,
        layout: &Layout,
        values: &[u64],
        may_be_lost: Range<usize>,
    ) -> Option<Flaw> {
        for node in 0..layout.n_nodes {
            let fields = &values[layout.node(node)..][..layout.n_fields];
            let mut all = fields.iter().zip(&layout.fresh).zip(&layout.is_doubt);
            if self.rank[node] != NONE {
                if all.any(|((value, _), is_doubt)| *is_doubt && *value != 0) {
                    return Some(Flaw::Doubted);
                }
            } else if may_be_lost.contains(&node)
                && all.any(|((value, fresh), is_doubt)| !is_doubt && value != fresh)
            {
                return Some(Flaw::Lost);
            }
        }
        None
    }

    /// What slot 0 sees of the state through which this walked.
    pub(super) fn view(&self, layout: &Layout, values: &[u64], reached: Reached, view: &mut [u64]) {
        let own = layout.slot(0)..layout.slot(1);
        view[..own.end].copy_from_slice(&values[..own.end]);
        view[own.end..layout.node(0)].fill(0);
        for node in 0..layout.n_nodes {
            let from = match self.order.get(node) {
                Some(old) if node < reached.seen => {
                    &values[layout.node(usize::from(*old))..][..layout.n_fields]
                }
                _ => &layout.fresh[..],
            };
            view[layout.node(node)..][..layout.n_fields].copy_from_slice(from);
        }
        self.rename(layout, view, (0, SHARED));
        self.rename(layout, view, (own.start, OWN));
        for node in 0..reached.seen {
            self.rename(layout, view, (layout.node(node), FIELD));
        }
    }

    /// Gives nodes and elements the names that they have in the view.
    fn rename(&self, layout: &Layout, view: &mut [u64], (start, kind): (usize, usize)) {
        for at in layout.pointers[kind].iter().map(|pointer| start + pointer) {
            if let Some(node) = layout.node_named(at, view[at]) {
                view[at] = layout.places[at].first + u64::from(self.rank[node]);
            }
        }
        for at in layout.elements[kind].iter().map(|element| start + element) {
            if layout.slot_named(at, view[at]).is_some_and(|slot| slot != 0) {
                view[at] = layout.rest(at);
            }
        }
    }
}

/// What a view shares with others, as values: elements that it names are one and the same there.
pub(super) fn shared_part(layout: &Layout, view: &[u64], reached: Reached, part: &mut [u64]) {
    part.fill(0);
    part[..layout.n_shared].copy_from_slice(&view[..layout.n_shared]);
    let nodes = layout.node(0)..layout.node(reached.shared);
    part[nodes.clone()].copy_from_slice(&view[nodes]);
    erase(layout, part, (0, SHARED));
    for node in 0..reached.shared {
        erase(layout, part, (layout.node(node), FIELD));
    }
}

fn erase(layout: &Layout, part: &mut [u64], (start, kind): (usize, usize)) {
    for at in layout.elements[kind].iter().map(|element| start + element) {
        if layout.slot_named(at, part[at]).is_some() {
            part[at] = layout.rest(at);
        }
    }
}
