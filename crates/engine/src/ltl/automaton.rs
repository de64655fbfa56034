//! The Büchi automaton of a formula's negation: what a run must do to violate it.
//!
//! Words are sequences of valuations, 64 bits each: bit i is proposition i.

use model::{Formula, Limits};

use crate::ltl::reduce;
use crate::ltl::tableau::{self, GeneralArc, Generalised, TableauError};

/// A condition on one letter: all of `must`, none of `must_not`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Guard {
    pub must: u64,
    pub must_not: u64,
}

impl Guard {
    /// Every letter fits.
    pub const ANY: Guard = Guard { must: 0, must_not: 0 };

    /// Proposition `idx` has this value.
    pub fn literal(idx: u8, value: bool) -> Guard {
        let bit = 1u64 << (idx % 64);
        if value { Guard { must: bit, must_not: 0 } } else { Guard { must: 0, must_not: bit } }
    }

    /// Both; `None` when no letter fits both.
    pub fn and(self, other: Guard) -> Option<Guard> {
        let both = Guard { must: self.must | other.must, must_not: self.must_not | other.must_not };
        (both.must & both.must_not == 0).then_some(both)
    }

    /// Does every letter that fits this fit `other`?
    pub fn implies(self, other: Guard) -> bool {
        other.must & !self.must == 0 && other.must_not & !self.must_not == 0
    }

    /// Does `letter` fit?
    pub fn admits(self, letter: u64) -> bool {
        letter & self.must == self.must && letter & self.must_not == 0
    }

    /// How many propositions it speaks of.
    pub fn n_literals(self) -> u32 {
        self.must.count_ones() + self.must_not.count_ones()
    }
}

/// A Büchi automaton. State 0 is the initial one; no state means no word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Automaton {
    pub states: Vec<AutomatonState>,
    /// Does each cycle lie wholly within or wholly outside of the accepting states?
    pub is_weak: bool,
}

/// A state with its arcs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AutomatonState {
    pub is_accepting: bool,
    pub arcs: Vec<Arc>,
}

/// An arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Arc {
    pub guard: Guard,
    pub target: u32,
}

impl Automaton {
    /// The automaton that accepts exactly the words that violate `formula`.
    pub fn of_negation(formula: &Formula, limits: &Limits) -> Result<Automaton, TableauError> {
        let general = reduce::merge(tableau::of_negation(formula, limits)?, limits)?;
        reduce::reduce(degeneralise(&general)?, limits)
    }

    /// Number of arcs.
    pub fn n_arcs(&self) -> usize {
        self.states.iter().map(|state| state.arcs.len()).sum()
    }
}

/// More copies than this and no search is feasible.
const MAX_COPIES: usize = 1 << 21;

/// Copies the automaton once for each acceptance set: in copy `level`, the sets
/// before `level` have been met since the last accepting state.
fn degeneralise(general: &Generalised) -> Result<Vec<AutomatonState>, TableauError> {
    let sets = needed_sets(general);
    let n_levels = sets.len() + 1;
    if general.states.len().saturating_mul(n_levels) > MAX_COPIES {
        return Err(TableauError::TooLarge);
    }
    let number = |state: u32, level: usize| state * n_levels as u32 + level as u32;
    let next_level = |arc: &GeneralArc, level: usize| {
        let from = if level == sets.len() { 0 } else { level };
        let met = sets[from..].iter().take_while(|&&set| arc.kept & set != 0).count();
        from + met
    };
    let mut states = Vec::with_capacity(general.states.len() * n_levels);
    for arcs in &general.states {
        for level in 0..n_levels {
            let arcs = arcs.iter().map(|arc| Arc {
                guard: arc.guard,
                target: number(arc.target, next_level(arc, level)),
            });
            states.push(AutomatonState { is_accepting: level == sets.len(), arcs: arcs.collect() });
        }
    }
    Ok(states)
}

/// The acceptance sets that not every arc belongs to.
fn needed_sets(general: &Generalised) -> Vec<u128> {
    let in_all = general.states.iter().flatten().fold(u128::MAX, |all, arc| all & arc.kept);
    (0..128).map(|bit| 1u128 << bit).filter(|set| general.promises & !in_all & set != 0).collect()
}
