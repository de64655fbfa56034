//! Brings a formula into negation normal form and simplifies it.
//!
//! Formulas are interned: equal numbers mean equal formulas, so the simplifying
//! constructors compare in constant time. What they rely on is
//! [`FormulaArena::implies`], an implication test by the shape of formulas alone, sound
//! and incomplete.
//!
//! **Source** Somenzi and Bloem, CAV 2000, for the rules and for the test.

use model::Formula;
use rustc_hash::FxHashMap;

/// Number of an interned formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FormulaId(u32);

/// A formula in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NormalForm {
    True,
    False,
    /// Proposition `.0` has the value `.1`.
    Literal(u8, bool),
    And(FormulaId, FormulaId),
    Or(FormulaId, FormulaId),
    Next(FormulaId),
    Until(FormulaId, FormulaId),
    Release(FormulaId, FormulaId),
}

/// All formulas made so far.
pub(super) struct FormulaArena {
    nodes: Vec<NormalForm>,
    index: FxHashMap<NormalForm, FormulaId>,
    implications: FxHashMap<(FormulaId, FormulaId), bool>,
}

impl FormulaArena {
    /// The number of [`NormalForm::True`].
    pub const TRUE: FormulaId = FormulaId(0);
    /// The number of [`NormalForm::False`].
    pub const FALSE: FormulaId = FormulaId(1);

    /// The constants alone.
    pub fn new() -> FormulaArena {
        let mut arena = FormulaArena {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            implications: FxHashMap::default(),
        };
        arena.intern(NormalForm::True);
        arena.intern(NormalForm::False);
        arena
    }

    /// The formula behind a number.
    pub fn node(&self, id: FormulaId) -> NormalForm {
        self.nodes[id.0 as usize]
    }

    /// `formula`, or its negation when `positive` is false. Propositions are below 64.
    pub fn add(&mut self, formula: &Formula, positive: bool) -> FormulaId {
        match formula {
            Formula::True | Formula::False => match (*formula == Formula::True) == positive {
                true => FormulaArena::TRUE,
                false => FormulaArena::FALSE,
            },
            Formula::Proposition(idx) => self.intern(NormalForm::Literal(*idx as u8, positive)),
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

    fn intern(&mut self, node: NormalForm) -> FormulaId {
        let next = FormulaId(self.nodes.len() as u32);
        let id = *self.index.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    fn and(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        if self.implies(left, right) {
            return left;
        }
        if self.implies(right, left) {
            return right;
        }
        if self.contradict(left, right) {
            return FormulaArena::FALSE;
        }
        match (self.node(left), self.node(right)) {
            (NormalForm::Next(a), NormalForm::Next(b)) => {
                let both = self.and(a, b);
                self.next(both)
            }
            // Also `G a && G b`, where the first operand is false.
            (NormalForm::Release(a, b), NormalForm::Release(c, d)) if a == c => {
                let both = self.and(b, d);
                self.release(a, both)
            }
            (NormalForm::Until(a, b), NormalForm::Until(c, d)) if b == d => {
                let both = self.and(a, c);
                self.until(both, b)
            }
            _ => self.intern(NormalForm::And(left.min(right), left.max(right))),
        }
    }

    fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        if self.implies(left, right) {
            return right;
        }
        if self.implies(right, left) {
            return left;
        }
        if self.contradict(left, right) {
            return FormulaArena::TRUE;
        }
        match (self.node(left), self.node(right)) {
            (NormalForm::Next(a), NormalForm::Next(b)) => {
                let either = self.or(a, b);
                self.next(either)
            }
            // Also `F a || F b`, where the first operand is true.
            (NormalForm::Until(a, b), NormalForm::Until(c, d)) if a == c => {
                let either = self.or(b, d);
                self.until(a, either)
            }
            (NormalForm::Release(a, b), NormalForm::Release(c, d)) if b == d => {
                let either = self.or(a, c);
                self.release(either, b)
            }
            _ => match (self.infinitely_often(left), self.infinitely_often(right)) {
                (Some(a), Some(b)) => {
                    let either = self.or(a, b);
                    let at_last = self.until(FormulaArena::TRUE, either);
                    self.release(FormulaArena::FALSE, at_last)
                }
                _ => self.intern(NormalForm::Or(left.min(right), left.max(right))),
            },
        }
    }

    fn next(&mut self, inner: FormulaId) -> FormulaId {
        match self.node(inner) {
            NormalForm::True | NormalForm::False => inner,
            // What holds infinitely often, or from some point on, does so from here
            // as well as from the next state.
            _ if self.is_suffix_closed(inner) => inner,
            _ => self.intern(NormalForm::Next(inner)),
        }
    }

    fn until(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        if self.implies(left, right) || self.is_suffix_closed(right) {
            return right;
        }
        match self.node(right) {
            NormalForm::Until(a, _) if self.implies(left, a) => right,
            // `F (a U b)` is `F b`.
            NormalForm::Until(_, b) if left == FormulaArena::TRUE => self.until(left, b),
            _ => self.intern(NormalForm::Until(left, right)),
        }
    }

    fn release(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        if self.implies(right, left) || self.is_suffix_closed(right) {
            return right;
        }
        match self.node(right) {
            NormalForm::Release(a, _) if self.implies(a, left) => right,
            // `G (a R b)` is `G b`.
            NormalForm::Release(_, b) if left == FormulaArena::FALSE => self.release(left, b),
            _ => self.intern(NormalForm::Release(left, right)),
        }
    }

    /// `a` where `id` is `G F a`.
    fn infinitely_often(&self, id: FormulaId) -> Option<FormulaId> {
        let NormalForm::Release(FormulaArena::FALSE, inner) = self.node(id) else { return None };
        let NormalForm::Until(FormulaArena::TRUE, goal) = self.node(inner) else { return None };
        Some(goal)
    }

    /// Is `id` true of a word exactly when it is true of the word without its first
    /// letter? `G F a` and `F G a` are, and what is made of such by `&&` and `||`.
    fn is_suffix_closed(&self, id: FormulaId) -> bool {
        match self.node(id) {
            NormalForm::True | NormalForm::False => true,
            NormalForm::And(a, b) | NormalForm::Or(a, b) => {
                self.is_suffix_closed(a) && self.is_suffix_closed(b)
            }
            NormalForm::Release(FormulaArena::FALSE, inner) => {
                matches!(self.node(inner), NormalForm::Until(FormulaArena::TRUE, _))
            }
            NormalForm::Until(FormulaArena::TRUE, inner) => {
                matches!(self.node(inner), NormalForm::Release(FormulaArena::FALSE, _))
            }
            _ => false,
        }
    }

    fn contradict(&self, left: FormulaId, right: FormulaId) -> bool {
        match (self.node(left), self.node(right)) {
            (NormalForm::Literal(a, value), NormalForm::Literal(b, other)) => {
                a == b && value != other
            }
            _ => false,
        }
    }

    /// Does every word of `a` satisfy `b`, as far as their shapes tell?
    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> bool {
        if a == b || a == FormulaArena::FALSE || b == FormulaArena::TRUE {
            return true;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let answer = self.implies_by_right(a, b) || self.implies_by_left(a, b);
        self.implications.insert((a, b), answer);
        answer
    }

    fn implies_by_right(&mut self, a: FormulaId, b: FormulaId) -> bool {
        match self.node(b) {
            NormalForm::And(x, y) | NormalForm::Release(x, y) => {
                let second = self.implies(a, y);
                second && self.implies(a, x)
            }
            NormalForm::Or(x, y) => self.implies(a, x) || self.implies(a, y),
            NormalForm::Until(_, y) => self.implies(a, y),
            _ => false,
        }
    }

    fn implies_by_left(&mut self, a: FormulaId, b: FormulaId) -> bool {
        match (self.node(a), self.node(b)) {
            (NormalForm::Next(x), NormalForm::Next(y)) => self.implies(x, y),
            (NormalForm::And(x, y), _) => self.implies(x, b) || self.implies(y, b),
            (NormalForm::Or(x, y), _) => self.implies(x, b) && self.implies(y, b),
            (NormalForm::Until(x, y), NormalForm::Until(z, w)) => {
                (self.implies(x, z) && self.implies(y, w))
                    || (self.implies(x, b) && self.implies(y, b))
            }
            (NormalForm::Until(x, y), _) => self.implies(x, b) && self.implies(y, b),
            (NormalForm::Release(x, y), NormalForm::Release(z, w)) => {
                (self.implies(x, z) && self.implies(y, w)) || self.implies(y, b)
            }
            (NormalForm::Release(_, y), _) => self.implies(y, b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use model::Formula;

    use super::FormulaArena;

    fn globally(inner: Formula) -> Formula {
        Formula::Release(Box::new(Formula::False), Box::new(inner))
    }

    fn finally(inner: Formula) -> Formula {
        Formula::Until(Box::new(Formula::True), Box::new(inner))
    }

    #[test]
    fn nested_modalities_collapse() {
        let mut arena = FormulaArena::new();
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
        let mut arena = FormulaArena::new();
        let p = Formula::Proposition(0);
        let either = Formula::Or(Box::new(p.clone()), Box::new(Formula::Not(Box::new(p))));
        assert_eq!(arena.add(&either, true), FormulaArena::TRUE);
        assert_eq!(arena.add(&either, false), FormulaArena::FALSE);
    }
}
