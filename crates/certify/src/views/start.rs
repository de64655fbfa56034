//! Decides whether all that runs start with is in the set: each way to put threads that a
//! run starts with to the places of a view.

use model::{BooleanFlow, Multiplicity, ThreadCount};
use rustc_hash::FxHashSet;

use super::diagrams::{Diagrams, Set, Variable};
use super::places::VariableOrder;
use crate::rejection::Rejection;

/// Threads that have no place yet: of each kind that has a fixed number, and together of
/// the others, if that is bounded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    fixed: Vec<Option<u32>>,
    free: Option<u32>,
}

impl Waiting {
    /// The threads that a run starts with, of those that `scope` speaks of.
    pub(super) fn new(flow: &BooleanFlow, scope: ThreadCount) -> Result<Waiting, Rejection> {
        let fixed: Vec<Option<u32>> = (flow.threads.iter())
            .map(|kind| match kind.multiplicity {
                Multiplicity::Exactly(n) => Some(n),
                Multiplicity::Any => None,
            })
            .collect();
        let n_fixed: u64 = fixed.iter().flatten().map(|&n| u64::from(n)).sum();
        let free = match scope {
            ThreadCount::Any => fixed.iter().all(Option::is_some).then_some(0),
            ThreadCount::Exactly(n) => {
                let left = u64::from(n).checked_sub(n_fixed);
                let left = left.and_then(|left| u32::try_from(left).ok());
                let no_run = || Rejection::malformed("no run starts with so many threads");
                Some(left.ok_or_else(no_run)?)
            }
            ThreadCount::AsGiven => {
                return Err(Rejection::malformed("the proof does not say for how many threads"));
            }
        };
        Ok(Waiting { fixed, free })
    }

    /// Is the number of threads bounded?
    pub(super) fn is_bounded(&self) -> bool {
        self.free.is_some()
    }

    fn is_over(&self) -> bool {
        self.fixed.iter().flatten().all(|&n| n == 0) && self.free.unwrap_or(0) == 0
    }

    /// Those who wait after one of a kind got a place; `None` if none of it waits.
    fn without(&self, kind: usize) -> Option<Waiting> {
        let mut left = self.clone();
        let n = match &mut left.fixed[kind] {
            Some(n) => Some(n),
            None => left.free.as_mut(),
        };
        if let Some(n) = n {
            *n = n.checked_sub(1)?;
        }
        Some(left)
    }
}

/// Puts threads to places.
pub(super) struct Casting<'a> {
    pub(super) flow: &'a BooleanFlow,
    pub(super) places: &'a VariableOrder,
    pub(super) diagrams: &'a Diagrams<'a>,
    /// Must each thread get a place?
    pub(super) is_whole: bool,
}

impl Casting<'_> {
    /// Is every start in the set?
    #[allow(clippy::mutable_key_type, reason = "a set is hashed by its node, which stays")]
    pub(super) fn all_within(&self, waiting: &Waiting, views: &Set) -> Result<(), Rejection> {
        let mut values = vec![(self.places.in_atomic(), false)];
        for (idx, variable) in self.flow.shared.iter().enumerate() {
            values.extend(variable.initial.map(|initial| (self.places.shared(idx), initial)));
        }
        let start = self.diagrams.with(views, &values)?;
        // For each place that is still empty: who waits, and what is left of the set.
        let mut open: FxHashSet<(Waiting, Set)> = FxHashSet::default();
        open.insert((waiting.clone(), start));
        for place in 0..self.places.size {
            let mut next = FxHashSet::default();
            for (waiting, left) in open {
                for (values, waiting) in self.roles(place, &waiting) {
                    next.insert((waiting, self.diagrams.with(&left, &values)?));
                }
            }
            open = next;
        }
        let everything = self.diagrams.constant(true);
        let is_missing = |(waiting, left): &(Waiting, Set)| {
            *left != everything && (!self.is_whole || waiting.is_over())
        };
        let someone_is_left = |(waiting, _): &(Waiting, Set)| self.is_whole && !waiting.is_over();
        if open.iter().any(is_missing) || open.iter().all(someone_is_left) {
            let why = "a start of the threads is no view of the proof".to_owned();
            return Err(Rejection::InitialNotCovered { why });
        }
        Ok(())
    }

    /// Who may get a place, as values of variables, and who waits then.
    fn roles(&self, place: usize, waiting: &Waiting) -> Vec<(Vec<(Variable, bool)>, Waiting)> {
        let mut nobody = self.places.at(place, self.places.n_locations);
        nobody.extend(self.places.locals(place).into_iter().map(|variable| (variable, false)));
        let mut roles = vec![(nobody, waiting.clone())];
        for (idx, kind) in self.flow.threads.iter().enumerate() {
            let Some(left) = waiting.without(idx) else { continue };
            let mut values = self.places.at(place, kind.entry.0 as usize);
            for (local, value) in kind.locals.iter().enumerate() {
                values.extend(value.map(|value| (self.places.local(place, local), value)));
            }
            roles.push((values, left));
        }
        roles
    }
}
