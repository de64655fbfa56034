//! What is known of where objects lie, two at a time.

use crate::value::Base;

/// What is known of two objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// One was born after the other died; nobody has looked whether it took its place.
    Open,
    /// They lie at one address.
    Same,
    /// The first lies below the second.
    Below,
    /// Both are the same object: a dead local variable of the thread, which others know.
    Left,
}

/// A pair of objects, and what is known of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The lower one, or the one with the smaller number.
    pub low: Base,
    /// The other one.
    pub high: Base,
    /// What is known.
    pub known: Known,
}

/// Facts in an order of their own, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(Vec<Fact>);

impl Fact {
    /// A fact that does not depend on the order in which objects are named.
    pub fn new(known: Known, low: Base, high: Base) -> Fact {
        match known {
            Known::Below => Fact { low, high, known },
            _ => Fact { low: low.min(high), high: low.max(high), known },
        }
    }
}

impl Facts {
    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All facts.
    pub fn iter(&self) -> std::slice::Iter<'_, Fact> {
        self.0.iter()
    }

    /// Adds facts.
    pub fn extend(&mut self, facts: impl IntoIterator<Item = Fact>) {
        let n_before = self.0.len();
        self.0.extend(facts);
        if self.0.len() > n_before {
            self.0.sort_unstable();
            self.0.dedup();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Gives objects other names; facts about those that get none are dropped.
    pub fn rename(&mut self, name: impl Fn(Base) -> Option<Base>) {
        if self.0.is_empty() {
            return;
        }
        let renamed = self
            .0
            .iter()
            .filter_map(|fact| Some(Fact::new(fact.known, name(fact.low)?, name(fact.high)?)));
        let mut facts: Vec<Fact> = renamed.collect();
        facts.sort_unstable();
        self.0 = facts;
    }

    /// Takes out the facts for which `is_wanted`.
    pub fn take_if(&mut self, is_wanted: impl Fn(&Fact) -> bool) -> Vec<Fact> {
        let taken = self.0.iter().filter(|fact| is_wanted(fact)).copied().collect();
        self.0.retain(|fact| !is_wanted(fact));
        taken
    }
}
