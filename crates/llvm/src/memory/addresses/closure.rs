//! What follows from facts: objects as points on a line, of which some are known to be equal,
//! some to differ, and some to lie in an order.
//!
//! **Closed** means that equal objects have the same relation to all others, and that order is
//! transitive. A question that is open in a closed table can be answered either way: were one
//! answer impossible, the other one would follow already.

use super::facts::{Fact, Known};
use crate::value::Base;

/// How two objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Not known: at one address or apart.
    Open,
    /// At one address.
    Same,
    /// Not at one address; which is lower is not known.
    Apart,
    /// The first is lower.
    Below,
    /// The second is lower.
    Above,
}

impl Relation {
    /// The same relation from the other side.
    fn turned(self) -> Relation {
        match self {
            Relation::Below => Relation::Above,
            Relation::Above => Relation::Below,
            other => other,
        }
    }

    /// What holds if both hold; the more precise one.
    fn and(self, other: Relation) -> Relation {
        match (self, other) {
            (Relation::Open, known) | (known, Relation::Open) => known,
            (Relation::Apart, known) | (known, Relation::Apart) => known,
            (known, _) => known,
        }
    }
}

/// The relations of all objects of which something is known.
#[derive(Debug)]
pub struct Table {
    objects: Vec<Base>,
    /// By row and column.
    relations: Vec<Relation>,
}

impl Table {
    /// What follows from facts, with two objects among others.
    pub fn new<'f>(facts: impl Iterator<Item = &'f Fact> + Clone, two: [Base; 2]) -> Table {
        let named = facts.clone().flat_map(|fact| [fact.low, fact.high]).chain(two);
        let mut objects: Vec<Base> = named.collect();
        objects.sort_unstable();
        objects.dedup();
        let relations = vec![Relation::Apart; objects.len() * objects.len()];
        let mut table = Table { objects, relations };
        for at in 0..table.objects.len() {
            table.put(at, at, Relation::Same);
        }
        for fact in facts {
            let relation = match fact.known {
                Known::Open => Relation::Open,
                Known::Same => Relation::Same,
                Known::Below => Relation::Below,
                Known::Left => continue,
            };
            table.put(table.row(fact.low), table.row(fact.high), relation);
        }
        table.close();
        table
    }

    /// How two objects lie.
    pub fn relation(&self, left: Base, right: Base) -> Relation {
        self.get(self.row(left), self.row(right))
    }

    /// Adds what was decided, with what follows from it.
    pub fn decide(&mut self, left: Base, right: Base, relation: Relation) {
        self.put(self.row(left), self.row(right), relation);
        self.close();
    }

    /// All that is known of two different objects, as facts.
    pub fn facts(&self) -> impl Iterator<Item = Fact> + '_ {
        let pairs = (0..self.objects.len()).flat_map(|low| (0..low).map(move |high| (low, high)));
        pairs.filter_map(|(low, high)| {
            let (left, right) = (self.objects[low], self.objects[high]);
            match self.get(low, high) {
                Relation::Apart => None,
                Relation::Open => Some(Fact::new(Known::Open, left, right)),
                Relation::Same => Some(Fact::new(Known::Same, left, right)),
                Relation::Below => Some(Fact::new(Known::Below, left, right)),
                Relation::Above => Some(Fact::new(Known::Below, right, left)),
            }
        })
    }

    fn row(&self, object: Base) -> usize {
        self.objects.binary_search(&object).expect("the table has all objects that are asked for")
    }

    fn get(&self, row: usize, column: usize) -> Relation {
        self.relations[row * self.objects.len() + column]
    }

    fn put(&mut self, row: usize, column: usize, relation: Relation) {
        let n = self.objects.len();
        self.relations[row * n + column] = relation;
        self.relations[column * n + row] = relation.turned();
    }

    fn close(&mut self) {
        let n = self.objects.len();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for middle in 0..n {
                for left in (0..n).filter(|&left| left != middle) {
                    for right in (0..n).filter(|&right| right != left && right != middle) {
                        is_changed |= self.follow(left, middle, right);
                    }
                }
            }
        }
    }

    /// What follows for two objects from how both lie to a third one; false if nothing new.
    fn follow(&mut self, left: usize, middle: usize, right: usize) -> bool {
        let (first, second) = (self.get(left, middle), self.get(middle, right));
        let follows = match (first, second) {
            (Relation::Same, relation) | (relation, Relation::Same) => relation,
            (Relation::Below, Relation::Below) => Relation::Below,
            (Relation::Above, Relation::Above) => Relation::Above,
            _ => return false,
        };
        let known = self.get(left, right);
        let now = known.and(follows);
        if now != known {
            self.put(left, right, now);
        }
        now != known
    }
}
