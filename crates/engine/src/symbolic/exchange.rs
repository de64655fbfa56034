//! The exchange of two threads that stand one after the other in the order of variables.
//!
//! Replacing variables one by one takes the product of the sizes of the two parts of a
//! diagram. Here a set is taken apart where the first thread's variables end: for each set
//! that is left below, the values of the first thread that lead to it. Of each such pair
//! the two sides change places by names that keep their order, and the pairs are put
//! together again.
#![allow(clippy::mutable_key_type, reason = "a set is hashed by its node, which stays")]

use model::StopReason;
use rustc_hash::FxHashMap;

use super::diagram::{Diagrams, Set, Variable, VariableRenaming};
use super::layout::VariableOrder;

/// Exchanges a thread with the next one.
pub(super) struct Exchange {
    /// The first variable of the first thread, and the first after it.
    start: Variable,
    end: Variable,
    /// From the variables of the first thread to those of the second.
    down: FxHashMap<Variable, Variable>,
    /// From those of the second to those of the first.
    up: VariableRenaming,
}

/// What is left below, and the values of the first thread that lead there, as values of
/// the second.
type SetPairs = Vec<(Set, Set)>;

impl Exchange {
    pub(super) fn new(
        layout: &VariableOrder,
        diagrams: &Diagrams<'_>,
        first: usize,
    ) -> Result<Exchange, StopReason> {
        let names = layout.renamed(first, first + 1);
        let start = names.iter().map(|(own, _)| *own).min().unwrap_or(0);
        let end = names.iter().map(|(_, next)| *next).min().unwrap_or(0);
        let up = diagrams.renaming(&layout.renamed(first + 1, first))?;
        Ok(Exchange { start, end, down: names.into_iter().collect(), up })
    }

    /// A set with the two threads exchanged.
    pub(super) fn of(&self, diagrams: &Diagrams<'_>, set: &Set) -> Result<Set, StopReason> {
        let mut work = ExchangeWork { exchange: self, diagrams, done: FxHashMap::default() };
        work.exchanged(set)
    }
}

struct ExchangeWork<'a> {
    exchange: &'a Exchange,
    diagrams: &'a Diagrams<'a>,
    done: FxHashMap<Set, Set>,
}

impl ExchangeWork<'_> {
    /// What stands above both threads stays.
    fn exchanged(&mut self, set: &Set) -> Result<Set, StopReason> {
        if let Some(done) = self.done.get(set) {
            return Ok(done.clone());
        }
        let result = match Diagrams::top(set) {
            Ok((variable, high, low)) if variable < self.exchange.start => {
                let (high, low) = (self.exchanged(&high)?, self.exchanged(&low)?);
                let variable = self.diagrams.literal(variable, true)?;
                self.diagrams.choose(&variable, &high, &low)?
            }
            Ok(_) => self.turned(set)?,
            Err(_) => set.clone(),
        };
        self.done.insert(set.clone(), result.clone());
        Ok(result)
    }

    fn turned(&self, set: &Set) -> Result<Set, StopReason> {
        let pairs = self.pairs(set, &mut FxHashMap::default())?;
        let mut sets = Vec::new();
        for (below, values) in &pairs {
            let below = self.diagrams.rename(below, &self.exchange.up)?;
            sets.push(self.diagrams.and(&below, values)?);
        }
        // Neighbours first, so that no set is traversed more often than needed.
        while sets.len() > 1 {
            let mut halves = Vec::new();
            for two in sets.chunks(2) {
                halves.push(match two {
                    [one, other] => self.diagrams.or(one, other)?,
                    _ => two[0].clone(),
                });
            }
            sets = halves;
        }
        Ok(sets.pop().unwrap_or_else(|| self.diagrams.empty()))
    }

    fn pairs(
        &self,
        set: &Set,
        known: &mut FxHashMap<Set, SetPairs>,
    ) -> Result<SetPairs, StopReason> {
        if let Some(pairs) = known.get(set) {
            return Ok(pairs.clone());
        }
        let pairs = match Diagrams::top(set) {
            Err(false) => Vec::new(),
            Ok((variable, high, low)) if variable < self.exchange.end => {
                let variable = self.exchange.down.get(&variable);
                let variable = variable.ok_or_else(|| super::odd("a name is missing"))?;
                let high = self.pairs(&high, known)?;
                let low = self.pairs(&low, known)?;
                self.merged(*variable, high, low)?
            }
            Ok(_) | Err(true) => vec![(set.clone(), self.diagrams.full())],
        };
        known.insert(set.clone(), pairs.clone());
        Ok(pairs)
    }

    fn merged(
        &self,
        variable: Variable,
        high: SetPairs,
        low: SetPairs,
    ) -> Result<SetPairs, StopReason> {
        let nothing = self.diagrams.empty();
        let variable = self.diagrams.literal(variable, true)?;
        let mut places: FxHashMap<Set, usize> = FxHashMap::default();
        let mut both: Vec<(Set, Set, Set)> = Vec::new();
        for (below, values) in low {
            places.insert(below.clone(), both.len());
            both.push((below, nothing.clone(), values));
        }
        for (below, values) in high {
            match places.get(&below) {
                Some(&idx) => both[idx].1 = values,
                None => both.push((below, values, nothing.clone())),
            }
        }
        let merged = both
            .into_iter()
            .map(|(below, high, low)| Ok((below, self.diagrams.choose(&variable, &high, &low)?)));
        merged.collect()
    }
}
