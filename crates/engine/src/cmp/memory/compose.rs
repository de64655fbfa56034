//! The states of two elements that look like one view to the first and like another to the second.
//!
//! What is shared must agree. A node that the first element alone sees may be one that the second
//! alone sees in its view: all ways to pair such nodes are tried that make them agree. Where a
//! view says *the rest* of a value that the other view does not show, the value may name the other
//! element or none of the two: both are tried.
//!
//! Every state of any number of elements, as two of them see it, is among these: nodes that both
//! see are either shared or paired, and pairs lead to pairs.

use super::layout::{FIELD, Layout, Names, OWN, SHARED};
use super::shape::Reached;

/// Values of a composition that may name the other element or not, at the most: each doubles
/// the number of compositions.
const MAX_OPEN: usize = 8;

/// A node of the second view of which it is not settled yet which one it is.
const OPEN: u8 = u8::MAX;
/// One that the first element does not see.
const ALONE: u8 = u8::MAX - 1;

/// A view, read.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub values: Vec<u64>,
    pub reached: Reached,
}

/// Why compositions cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// They have more nodes than a state has, or too few are left.
    Nodes,
    /// Too many values may name the other element or not.
    Open,
}

/// Composes views, with its own working memory.
#[derive(Debug)]
pub(super) struct Composer<'a> {
    layout: &'a Layout,
    /// Of each node of the second view, which node of the first it is.
    image: Vec<u8>,
    /// Of each node of the second view, which node of the composition it is.
    number: Vec<u8>,
    /// Nodes of the first that are one of the second, one bit each.
    used: u64,
    /// Nodes of the second that were paired, in this order.
    paired: Vec<u8>,
    /// The composition.
    values: Vec<u64>,
    /// Its values that may be another, with that.
    open: Vec<(usize, u64)>,
    state: Vec<u64>,
}

impl<'a> Composer<'a> {
    pub(super) fn new(layout: &'a Layout) -> Composer<'a> {
        Composer {
            layout,
            image: vec![OPEN; layout.n_nodes],
            number: vec![OPEN; layout.n_nodes],
            used: 0,
            paired: Vec::with_capacity(layout.n_nodes),
            values: vec![0; layout.places.len()],
            open: Vec::new(),
            state: vec![0; layout.state_words],
        }
    }

    /// Adds all compositions, as states, to `out`. The views have the same shared part, but for
    /// the elements that it names.
    pub(super) fn compose(
        &mut self,
        one: &Seen,
        two: &Seen,
        out: &mut Vec<u64>,
    ) -> Result<(), Trouble> {
        if !self.agree_on_shared(one, two) {
            return Ok(());
        }
        self.used = 0;
        self.image.fill(OPEN);
        for node in 0..two.reached.shared {
            self.image[node] = node as u8;
        }
        self.pairings(one, two, two.reached.shared, out)
    }

    /// Can both views be right about the elements that shared values name?
    fn agree_on_shared(&self, one: &Seen, two: &Seen) -> bool {
        let layout = self.layout;
        let agree = |start: usize, kind: usize| {
            let mut all = layout.elements[kind].iter().map(|element| start + element);
            all.all(|at| joined(layout, at, one.values[at], two.values[at]).is_some())
        };
        agree(0, SHARED) && (0..one.reached.shared).all(|node| agree(layout.node(node), FIELD))
    }

    /// All ways to settle which nodes of the second view are ones of the first, from `node` on.
    fn pairings(
        &mut self,
        one: &Seen,
        two: &Seen,
        node: usize,
        out: &mut Vec<u64>,
    ) -> Result<(), Trouble> {
        if node == two.reached.seen {
            return self.settled(one, two, out);
        }
        if self.image[node] != OPEN {
            return self.pairings(one, two, node + 1, out);
        }
        self.image[node] = ALONE;
        self.pairings(one, two, node + 1, out)?;
        self.image[node] = OPEN;
        let n_before = self.paired.len();
        for other in one.reached.shared..one.reached.seen {
            if self.pair(one, two, (other, node)) {
                self.pairings(one, two, node + 1, out)?;
            }
            self.unpair(n_before);
        }
        Ok(())
    }

    /// Makes a node of the second view one of the first, and all that follows from it, if that
    /// makes sense. If not, some of it may be done.
    fn pair(&mut self, one: &Seen, two: &Seen, (node, other): (usize, usize)) -> bool {
        if usize::from(self.image[other]) == node {
            return true;
        }
        if self.image[other] != OPEN || self.used >> node & 1 == 1 {
            return false;
        }
        self.image[other] = node as u8;
        self.used |= 1 << node;
        self.paired.push(other as u8);
        let (start, other_start) = (self.layout.node(node), self.layout.node(other));
        (0..self.layout.n_fields)
            .all(|field| self.agree_on_field(one, two, (start + field, other_start + field)))
    }

    fn agree_on_field(&mut self, one: &Seen, two: &Seen, (at, other): (usize, usize)) -> bool {
        let (value, other_value) = (one.values[at], two.values[other]);
        match self.layout.places[at].names {
            Names::Nothing => value == other_value,
            Names::Elements => joined(self.layout, at, value, other_value).is_some(),
            Names::Nodes => {
                let node = self.layout.node_named(at, value);
                let other_node = self.layout.node_named(other, other_value);
                match (node, other_node) {
                    (Some(node), Some(other))
                        if node >= one.reached.shared && other >= two.reached.shared =>
                    {
                        self.pair(one, two, (node, other))
                    }
                    _ => value == other_value,
                }
            }
        }
    }

    /// Takes back all pairs but the first ones.
    fn unpair(&mut self, n_left: usize) {
        for other in self.paired.drain(n_left..) {
            self.used &= !(1 << self.image[usize::from(other)]);
            self.image[usize::from(other)] = OPEN;
        }
    }

    /// Adds the compositions in which nodes are paired so.
    fn settled(&mut self, one: &Seen, two: &Seen, out: &mut Vec<u64>) -> Result<(), Trouble> {
        let layout = self.layout;
        let n_nodes = self.number_nodes(one, two);
        if n_nodes + layout.n_spare > layout.n_nodes {
            return Err(Trouble::Nodes);
        }
        self.open.clear();
        self.values.copy_from_slice(&one.values);
        self.join_shared(one, two);
        self.leave_open((layout.slot(0), OWN));
        self.add(two, (layout.slot(0), layout.slot(1), OWN));
        for node in one.reached.shared..one.reached.seen {
            if self.used >> node & 1 == 0 {
                self.leave_open((layout.node(node), FIELD));
            }
        }
        for other in two.reached.shared..two.reached.seen {
            let (from, to) = (layout.node(other), layout.node(usize::from(self.number[other])));
            match self.image[other] {
                ALONE => self.add(two, (from, to, FIELD)),
                _ => self.join(one, two, (to, from, FIELD)),
            }
        }
        if self.open.len() > MAX_OPEN {
            return Err(Trouble::Open);
        }
        self.emit(0, out);
        Ok(())
    }

    /// Numbers the nodes of the second view; says how many there are of both.
    fn number_nodes(&mut self, one: &Seen, two: &Seen) -> usize {
        let mut n_nodes = one.reached.seen;
        for other in 0..two.reached.seen {
            self.number[other] = self.image[other];
            if self.image[other] == ALONE {
                self.number[other] = n_nodes as u8;
                n_nodes += 1;
            }
        }
        n_nodes
    }

    fn join_shared(&mut self, one: &Seen, two: &Seen) {
        self.join(one, two, (0, 0, SHARED));
        for node in 0..one.reached.shared {
            let start = self.layout.node(node);
            self.join(one, two, (start, start, FIELD));
        }
    }

    /// Which elements the values of a stretch name that both views show.
    fn join(&mut self, one: &Seen, two: &Seen, (start, other, kind): (usize, usize, usize)) {
        let layout = self.layout;
        for element in &layout.elements[kind] {
            let (at, other) = (start + element, other + element);
            if let Some(value) = joined(layout, at, one.values[at], two.values[other]) {
                self.values[at] = value;
            }
        }
    }

    /// Leaves it open whether values that only the first view shows name the second element.
    fn leave_open(&mut self, (start, kind): (usize, usize)) {
        for at in self.layout.elements[kind].iter().map(|element| start + element) {
            if self.values[at] == self.layout.rest(at) {
                self.open.push((at, self.layout.places[at].first + 1));
            }
        }
    }

    /// Adds values that only the second view shows.
    fn add(&mut self, two: &Seen, (from, to, kind): (usize, usize, usize)) {
        let layout = self.layout;
        let n_values = if kind == OWN { layout.n_own } else { layout.n_fields };
        self.values[to..to + n_values].copy_from_slice(&two.values[from..from + n_values]);
        for at in layout.pointers[kind].iter().map(|pointer| to + pointer) {
            if let Some(node) = layout.node_named(at, self.values[at]) {
                self.values[at] = layout.places[at].first + u64::from(self.number[node]);
            }
        }
        for at in layout.elements[kind].iter().map(|element| to + element) {
            match layout.slot_named(at, self.values[at]) {
                Some(0) => self.values[at] += 1,
                Some(_) => self.open.push((at, layout.places[at].first)),
                None => {}
            }
        }
    }

    /// Adds the composition, with all that is open in all ways from there on.
    fn emit(&mut self, from: usize, out: &mut Vec<u64>) {
        let Some((at, other)) = self.open.get(from).copied() else {
            self.layout.write(&self.values, &mut self.state);
            out.extend_from_slice(&self.state);
            return;
        };
        self.emit(from + 1, out);
        let before = std::mem::replace(&mut self.values[at], other);
        self.emit(from + 1, out);
        self.values[at] = before;
    }
}

/// What two views say of a value that both show: the element in slot 0 of the second one is in
/// slot 1 now.
fn joined(layout: &Layout, at: usize, one: u64, two: u64) -> Option<u64> {
    let (first, rest) = (layout.places[at].first, layout.n_slots);
    match (layout.slot_named(at, one), layout.slot_named(at, two)) {
        (None, None) => (one == two).then_some(one),
        (Some(0), Some(slot)) if slot == rest => Some(first),
        (Some(slot), Some(0)) if slot == rest => Some(first + 1),
        (Some(slot), Some(other)) if slot == rest && other == rest => Some(one),
        _ => None,
    }
}
