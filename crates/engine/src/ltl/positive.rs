//! Brings a formula into negation normal form and simplifies it.
//!
//! Formulas are interned: equal numbers mean equal formulas, so the simplifying
//! constructors compare in constant time. What they rely on is
//! [`Arena::implies`], an implication test by the shape of formulas alone, sound
//! and incomplete.
//!
//! **Source** Somenzi and Bloem, CAV 2000, for the rules and for the test.

use model::Formula;
use rustc_hash::FxHashMap;

/// Number of an interned formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(u32);

/// A formula in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    True,
    False,
    /// Proposition `.0` has the value `.1`.
    Literal(u8, bool),
    And(Id, Id),
    Or(Id, Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// All formulas made so far.
pub(super) struct Arena {
    nodes: Vec<Node>,
    index: FxHashMap<Node, Id>,
    implications: FxHashMap<(Id, Id), bool>,
}

impl Arena {
    /// The number of [`Node::True`].
    pub const TRUE: Id = Id(0);
    /// The number of [`Node::False`].
    pub const FALSE: Id = Id(1);

    /// The constants alone.
    pub fn new() -> Arena {
        let mut arena = Arena {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            implications: FxHashMap::default(),
        };
        arena.intern(Node::True);
        arena.intern(Node::False);
        arena
    }

    /// The formula behind a number.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize]
    }

    /// `formula`, or its negation when `positive` is false. Propositions are below 64.
    pub fn add(&mut self, formula: &Formula, positive: bool) -> Id {
        match formula {
            Formula::True | Formula::False => match (*formula == Formula::True) == positive {
                true => Arena::TRUE,
                false => Arena::FALSE,
            },
            Formula::Proposition(idx) => self.intern(Node::Literal(*idx as u8, positive)),
            Formula::Not(inner) => self.add(inner, !positive),
            Formula::Next(inner) => {
                let inner = self.add(inner, positive);
                self.next(inner)
            }
            Formula::And(left, right)
            | Formula::Or(left, right)
            | Formula::Until(left, right)
            | Formula::Release(left, right) => {
                let (left, right) = (self.add(left, positive), self.add(right, positive));
                match (formula, positive) {
                    (Formula::And(..), true) | (Formula::Or(..), false) => self.and(left, right),
                    (Formula::Or(..), true) | (Formula::And(..), false) => self.or(left, right),
                    (Formula::Until(..), true) | (Formula::Release(..), false) => {
                        self.until(left, right)
                    }
                    _ => self.release(left, right),
                }
            }
        }
    }

    fn intern(&mut self, node: Node) -> Id {
        let next = Id(self.nodes.len() as u32);
        let id = *self.index.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    fn and(&mut self, left: Id, right: Id) -> Id {
        if self.implies(left, right) {
            return left;
        }
        if self.implies(right, left) {
            return right;
        }
        if self.contradict(left, right) {
            return Arena::FALSE;
        }
        match (self.node(left), self.node(right)) {
            (Node::Next(a), Node::Next(b)) => {
                let both = self.and(a, b);
                self.next(both)
            }
            // Also `G a && G b`, where the first operand is false.
            (Node::Release(a, b), Node::Release(c, d)) if a == c => {
                let both = self.and(b, d);
                self.release(a, both)
            }
            (Node::Until(a, b), Node::Until(c, d)) if b == d => {
                let both = self.and(a, c);
                self.until(both, b)
            }
            _ => self.intern(Node::And(left.min(right), left.max(right))),
        }
    }

    fn or(&mut self, left: Id, right: Id) -> Id {
        if self.implies(left, right) {
            return right;
        }
        if self.implies(right, left) {
            return left;
        }
        if self.contradict(left, right) {
            return Arena::TRUE;
        }
        match (self.node(left), self.node(right)) {
            (Node::Next(a), Node::Next(b)) => {
                let either = self.or(a, b);
                self.next(either)
            }
            // Also `F a || F b`, where the first operand is true.
            (Node::Until(a, b), Node::Until(c, d)) if a == c => {
                let either = self.or(b, d);
                self.until(a, either)
            }
            (Node::Release(a, b), Node::Release(c, d)) if b == d => {
                let either = self.or(a, c);
                self.release(either, b)
            }
            _ => match (self.infinitely_often(left), self.infinitely_often(right)) {
                (Some(a), Some(b)) => {
                    let either = self.or(a, b);
                    let at_last = self.until(Arena::TRUE, either);
                    self.release(Arena::FALSE, at_last)
                }
                _ => self.intern(Node::Or(left.min(right), left.max(right))),
            },
        }
    }

    fn next(&mut self, inner: Id) -> Id {
        match self.node(inner) {
            Node::True | Node::False => inner,
            // What holds infinitely often, or from some point on, does so from here
            // as well as from the next state.
            _ if self.is_suffix_closed(inner) => inner,
            _ => self.intern(Node::Next(inner)),
        }
    }

    fn until(&mut self, left: Id, right: Id) -> Id {
        if self.implies(left, right) || self.is_suffix_closed(right) {
            return right;
        }
        match self.node(right) {
            Node::Until(a, _) if self.implies(left, a) => right,
            // `F (a U b)` is `F b`.
            Node::Until(_, b) if left == Arena::TRUE => self.until(left, b),
            _ => self.intern(Node::Until(left, right)),
        }
    }

    fn release(&mut self, left: Id, right: Id) -> Id {
        if self.implies(right, left) || self.is_suffix_closed(right) {
            return right;
        }
        match self.node(right) {
            Node::Release(a, _) if self.implies(a, left) => right,
            // `G (a R b)` is `G b`.
            Node::Release(_, b) if left == Arena::FALSE => self.release(left, b),
            _ => self.intern(Node::Release(left, right)),
        }
    }

    /// `a` where `id` is `G F a`.
    fn infinitely_often(&self, id: Id) -> Option<Id> {
        let Node::Release(Arena::FALSE, inner) = self.node(id) else { return None };
        let Node::Until(Arena::TRUE, goal) = self.node(inner) else { return None };
        Some(goal)
    }

    /// Is `id` true of a word exactly when it is true of the word without its first
    /// letter? `G F a` and `F G a` are, and what is made of such by `&&` and `||`.
    fn is_suffix_closed(&self, id: Id) -> bool {
        match self.node(id) {
            Node::True | Node::False => true,
            Node::And(a, b) | Node::Or(a, b) => {
                self.is_suffix_closed(a) && self.is_suffix_closed(b)
            }
            Node::Release(Arena::FALSE, inner) => {
                matches!(self.node(inner), Node::Until(Arena::TRUE, _))
            }
            Node::Until(Arena::TRUE, inner) => {
                matches!(self.node(inner), Node::Release(Arena::FALSE, _))
            }
            _ => false,
        }
    }

    fn contradict(&self, left: Id, right: Id) -> bool {
        match (self.node(left), self.node(right)) {
            (Node::Literal(a, value), Node::Literal(b, other)) => a == b && value != other,
            _ => false,
        }
    }

    /// Does every word of `a` satisfy `b`, as far as their shapes tell?
    pub fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == Arena::FALSE || b == Arena::TRUE {
            return true;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let answer = self.implies_by_right(a, b) || self.implies_by_left(a, b);
        self.implications.insert((a, b), answer);
        answer
    }

    fn implies_by_right(&mut self, a: Id, b: Id) -> bool {
        match self.node(b) {
            Node::And(x, y) | Node::Release(x, y) => {
                let second = self.implies(a, y);
                second && self.implies(a, x)
            }
            Node::Or(x, y) => self.implies(a, x) || self.implies(a, y),
            Node::Until(_, y) => self.implies(a, y),
            _ => false,
        }
    }

    fn implies_by_left(&mut self, a: Id, b: Id) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Next(x), Node::Next(y)) => self.implies(x, y),
            (Node::And(x, y), _) => self.implies(x, b) || self.implies(y, b),
            (Node::Or(x, y), _) => self.implies(x, b) && self.implies(y, b),
            (Node::Until(x, y), Node::Until(z, w)) => {
                (self.implies(x, z) && self.implies(y, w))
                    || (self.implies(x, b) && self.implies(y, b))
            }
            (Node::Until(x, y), _) => self.implies(x, b) && self.implies(y, b),
            (Node::Release(x, y), Node::Release(z, w)) => {
                (self.implies(x, z) && self.implies(y, w)) || self.implies(y, b)
            }
            (Node::Release(_, y), _) => self.implies(y, b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use model::Formula;

    use super::Arena;

    fn globally(inner: Formula) -> Formula {
        Formula::Release(Box::new(Formula::False), Box::new(inner))
    }

    fn finally(inner: Formula) -> Formula {
        Formula::Until(Box::new(Formula::True), Box::new(inner))
    }

    #[test]
    fn nested_modalities_collapse() {
        let mut arena = Arena::new();
        let p = Formula::Proposition(3);
        let next = Formula::Next(Box::new(p));
        let short = arena.add(&globally(finally(next.clone())), true);
        let long = globally(finally(globally(finally(finally(next)))));
        let long = Formula::Next(Box::new(long));
        // `X` inside stays, the modalities around it do not.
        assert_eq!(arena.add(&long, true), short);
    }

    #[test]
    fn a_formula_and_its_negation_meet_in_the_constants() {
        let mut arena = Arena::new();
        let p = Formula::Proposition(0);
        let either = Formula::Or(Box::new(p.clone()), Box::new(Formula::Not(Box::new(p))));
        assert_eq!(arena.add(&either, true), Arena::TRUE);
        assert_eq!(arena.add(&either, false), Arena::FALSE);
    }
}
